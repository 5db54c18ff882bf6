// SPDX-License-Identifier: GPL-3.0-or-later
#include "logmerger.h"

#include <algorithm>
#include <limits>

namespace tasuki::tracer {

std::size_t LogMerger::WayHash::operator()(const Way& way) const
{
    std::uint64_t hash = (std::uint64_t{way.from} << 32) | way.to;
    hash = hash * 0x9E37'79B9'7F4A'7C15ULL + way.communicator;
    hash = (hash ^ (hash >> 29)) * 0xBF58'476D'1CE4'E5B9ULL + static_cast<std::uint32_t>(way.tag);
    return static_cast<std::size_t>(hash ^ (hash >> 32));
}

LogMerger::LogMerger(std::vector<TaskLog> tasks, EventSink& sink) : m_sink(sink)
{
    m_tasks.reserve(tasks.size());
    for (TaskLog& log : tasks) {
        Task task;
        task.log = std::move(log);
        m_worstErrorNs = std::max(m_worstErrorNs, task.log.clock.errorNs());
        task.timeNs = std::numeric_limits<std::int64_t>::min();
        m_tasks.push_back(std::move(task));
    }
}

bool LogMerger::run()
{
    for (std::uint32_t process = 0; process < m_tasks.size(); ++process) {
        if (advance(process))
            queue(process, m_tasks[process].timeNs);
    }
    while (!m_due.empty()) {
        const Due due = m_due.top();
        m_due.pop();
        Task& task = m_tasks[due.process];
        if (due.turn != task.turn || mustWait(due.process))
            continue;
        account(due.process);
        const MergedEvent event{.timeNs = task.timeNs,
                                .process = due.process,
                                .record = task.record,
                                .requests = task.requests};
        if (!m_sink.take(event))
            return false;
        if (advance(due.process))
            queue(due.process, task.timeNs);
    }
    return true;
}

const Record* LogMerger::nextRecord(Task& task)
{
    if (task.position == task.block.size()) {
        task.block = task.log.records->next();
        task.position = 0;
        if (task.block.empty())
            return nullptr;
    }
    return &task.block[task.position++];
}

/// @return false after the task's last record
bool LogMerger::advance(std::uint32_t process)
{
    Task& task = m_tasks[process];
    const Record* record = nextRecord(task);
    if (record == nullptr)
        return false;
    task.record = *record;
    task.timeNs = std::max(task.timeNs, task.log.clock.toCommon(task.record.timeNs));
    if (task.record.communicator < task.log.communicators.size())
        task.record.communicator = task.log.communicators[task.record.communicator];
    task.requests.clear();
    if (task.record.kind != RecordKind::Begin)
        return true;
    if (task.record.request != 0)
        task.requests.push_back(task.record.request);
    for (std::uint32_t more = moreRecords(task.record); more > 0; --more) {
        record = nextRecord(task);
        if (record == nullptr || record->kind != RecordKind::MoreRequests)
            break;
        for (const std::uint32_t number :
             {static_cast<std::uint32_t>(record->peer), static_cast<std::uint32_t>(record->tag),
              record->communicator, record->request}) {
            if (number != 0)
                task.requests.push_back(number);
        }
    }
    return true;
}

void LogMerger::queue(std::uint32_t process, std::int64_t timeNs)
{
    m_due.push({.timeNs = timeNs, .process = process, .turn = ++m_tasks[process].turn});
}

LogMerger::Way LogMerger::wayOf(std::uint32_t process, const Record& record) const
{
    const auto peer = static_cast<std::uint32_t>(record.peer);
    const bool sends = record.kind == RecordKind::Sent;
    return {.from = sends ? process : peer,
            .to = sends ? peer : process,
            .communicator = record.communicator,
            .tag = record.tag};
}

/// @return whether the task's next record is a receive whose send may only seem to come later; it is
///         due again when that send comes, or when it cannot come any more
bool LogMerger::mustWait(std::uint32_t process)
{
    Task& task = m_tasks[process];
    if (task.record.kind != RecordKind::Received || m_worstErrorNs == 0)
        return false;
    Traffic& traffic = m_traffic[wayOf(process, task.record)];
    if (traffic.underWay > 0)
        return false;
    if (task.waits) {
        task.waits = false;
        traffic.waiter = none;
        return false;
    }
    task.waits = true;
    traffic.waiter = process;
    queue(process, task.timeNs + task.log.clock.errorNs() + m_worstErrorNs);
    return true;
}

/// Counts the message of the task's next record, and wakes who waits for it.
void LogMerger::account(std::uint32_t process)
{
    const Task& task = m_tasks[process];
    const bool sends = task.record.kind == RecordKind::Sent;
    if (m_worstErrorNs == 0 || (!sends && task.record.kind != RecordKind::Received))
        return;
    const auto at = m_traffic.try_emplace(wayOf(process, task.record)).first;
    Traffic& traffic = at->second;
    traffic.underWay += sends ? 1 : -1;
    if (sends && traffic.waiter != none) {
        Task& waiter = m_tasks[traffic.waiter];
        waiter.waits = false;
        waiter.timeNs = std::max(waiter.timeNs, task.timeNs);
        queue(traffic.waiter, waiter.timeNs);
        traffic.waiter = none;
        ++m_mended;
    }
    if (traffic.underWay == 0)
        m_traffic.erase(at);
}

} // namespace tasuki::tracer

// SPDX-License-Identifier: GPL-3.0-or-later
#include "attempthistory.h"

#include "client/dropelsewhere.h"

#include <algorithm>
#include <limits>

namespace tasuki {

// There may be millions, and the window keeps them all.
static_assert(sizeof(AttemptEntry) <= 80);

void AttemptHistory::take(const Event& event)
{
    if (const auto* started = std::get_if<AttemptStarted>(&event.payload)) {
        begin(*started);
    } else if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        end(*finished);
    } else if (std::holds_alternative<RunOpened>(event.payload)) {
        m_epoch = event.id.epoch;
        m_currentHolders.clear();
        m_keeping = {};
        cutOff();
    } else if (const auto* joined = std::get_if<ProcessorJoined>(&event.payload)) {
        m_currentHolders[joined->rank] = static_cast<std::uint32_t>(m_holders.size());
        m_holders.push_back({.rank = joined->rank,
                             .incarnation = joined->incarnation,
                             .epoch = event.id.epoch,
                             .host = joined->host});
    } else if (const auto* notice = std::get_if<Notice>(&event.payload)) {
        if (auto keeping = outputKeepingOf(notice->text.text())) {
            m_keeping = std::move(*keeping);
            m_outputDirectories[m_epoch] = m_keeping.directory;
        }
    }
}

void AttemptHistory::reset()
{
    dropElsewhere(std::exchange(m_attempts, {}));
    m_latest.clear();
    m_holders.clear();
    m_currentHolders.clear();
    m_running.clear();
    m_runningByRank.clear();
    m_epoch = {};
    m_keeping = {};
    m_outputDirectories.clear();
}

const AttemptEntry* AttemptHistory::latest(TaskId task) const
{
    if (task.value() >= m_latest.size() || m_latest[task.value()] == AttemptEntry::none)
        return nullptr;
    return &m_attempts[m_latest[task.value()]];
}

const AttemptEntry* AttemptHistory::find(AttemptKey key) const
{
    const AttemptEntry* entry = latest(key.task);
    while (entry && entry->number != key.number)
        entry = entry->earlier == AttemptEntry::none ? nullptr : &m_attempts[entry->earlier];
    return entry;
}

std::vector<AttemptEntry> AttemptHistory::of(TaskId task) const
{
    std::vector<AttemptEntry> entries;
    const AttemptEntry* entry = latest(task);
    while (entry) {
        entries.push_back(*entry);
        entry = entry->earlier == AttemptEntry::none ? nullptr : &m_attempts[entry->earlier];
    }
    std::ranges::reverse(entries);
    return entries;
}

std::uint32_t AttemptHistory::running(Rank rank) const
{
    const auto found = m_runningByRank.find(rank);
    return found == m_runningByRank.end() ? 0 : found->second;
}

const std::string& AttemptHistory::outputDirectory(const AttemptEntry& attempt) const
{
    static const std::string nowhere;
    const auto found = m_outputDirectories.find(holder(attempt).epoch);
    return found == m_outputDirectories.end() ? nowhere : found->second;
}

void AttemptHistory::begin(const AttemptStarted& event)
{
    AttemptEntry& entry = append(event.key, event.rank, event.slot);
    entry.startedAt = event.startedAt;
    entry.running = true;
    m_running.emplace(event.key, m_latest[event.key.task.value()]);
    ++m_runningByRank[event.rank];
}

void AttemptHistory::end(const AttemptFinished& event)
{
    const auto running = m_running.find(event.key);
    const bool known = running != m_running.end();
    AttemptEntry& entry = known ? m_attempts[running->second]
                                : append(event.key, event.rank, event.slot);
    if (known) {
        --m_runningByRank[entry.rank];
        m_running.erase(running);
    }
    const AttemptResult& result = event.result;
    // What was lost has no start of its own.
    if (!known || result.startedAt != WallTime{})
        entry.startedAt = result.startedAt;
    entry.running = false;
    entry.elapsed = result.elapsed;
    entry.user = result.usage.user;
    entry.system = result.usage.system;
    entry.maxResidentKiB = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        result.usage.maxResidentKiB, std::numeric_limits<std::uint32_t>::max()));
    entry.printedBytes = result.standardOutput.totalBytes + result.standardError.totalBytes;
    entry.keptBytes = static_cast<std::uint32_t>(m_keeping.keptOf(result));
    entry.code = result.code;
    entry.outcome = result.outcome;
}

void AttemptHistory::cutOff()
{
    for (const auto& [key, index] : m_running) {
        m_attempts[index].running = false;
        m_attempts[index].cutOff = true;
        m_attempts[index].outcome = Outcome::Lost;
    }
    m_running.clear();
    m_runningByRank.clear();
}

AttemptEntry& AttemptHistory::append(AttemptKey key, Rank rank, SlotIndex slot)
{
    const std::size_t task = key.task.value();
    if (task >= m_latest.size())
        m_latest.resize(task + 1, AttemptEntry::none);
    AttemptEntry& entry = m_attempts.emplace_back();
    entry.task = key.task;
    entry.number = key.number;
    entry.rank = rank;
    entry.slot = slot;
    entry.holder = holderOf(rank);
    entry.earlier = std::exchange(m_latest[task],
                                  static_cast<std::uint32_t>(m_attempts.size() - 1));
    return entry;
}

std::uint32_t AttemptHistory::holderOf(Rank rank)
{
    const auto [found, isNew] = m_currentHolders.try_emplace(
        rank, static_cast<std::uint32_t>(m_holders.size()));
    if (isNew)
        m_holders.push_back({.rank = rank, .incarnation = {}, .epoch = m_epoch, .host = {}});
    return found->second;
}

} // namespace tasuki

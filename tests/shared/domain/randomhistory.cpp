// SPDX-License-Identifier: GPL-3.0-or-later
#include "randomhistory.h"

#include <algorithm>

namespace tasuki {

std::vector<Event> RandomHistory::more(std::size_t count)
{
    std::vector<Event> events;
    for (std::size_t i = 0; i < count; ++i) {
        Event event;
        event.payload = next();
        event.id = {Epoch(m_epoch), Sequence(++m_sequence)};
        m_now += below(5000);
        event.wallTime = WallTime(std::chrono::microseconds(m_now));
        event.monotonic = std::chrono::nanoseconds(m_sequence * 1000 + below(1000));
        m_system.note(event);
        events.push_back(std::move(event));
    }
    return events;
}

std::uint32_t RandomHistory::below(std::uint32_t limit)
{
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(m_random);
}

std::string RandomHistory::bytes(std::uint32_t maximum)
{
    std::string text;
    for (std::uint32_t left = below(maximum + 1); left > 0; --left)
        text += static_cast<char>(below(256));
    return text;
}

/// @return a group that many tasks come after
SharedGroup RandomHistory::commonGroup()
{
    if (!m_commonGroup) {
        TaskGroup group;
        for (std::uint32_t id = 20; id < 60; id += 1 + below(3))
            group.emplace_back(id);
        m_commonGroup = std::make_shared<const TaskGroup>(std::move(group));
    }
    return m_commonGroup;
}

Task RandomHistory::task(std::string command)
{
    if (m_settings.empty() || below(10) == 0) {
        auto settings = std::make_shared<TaskSettings>();
        for (auto& allowed : settings->retries.allowed)
            allowed = static_cast<std::uint16_t>(below(65536));
        if (below(2) != 0)
            settings->timeout = std::chrono::milliseconds(below(100000));
        settings->workingDirectory = below(2) != 0 ? "dir with space/\xff" : "";
        for (std::uint32_t i = below(3); i > 0; --i)
            settings->environment.emplace_back("NAME" + std::to_string(i), below(2) ? "a b=c" : "");
        m_settings.push_back(settings);
    }
    Task task{.command = std::move(command),
              .settings = m_settings[below(static_cast<std::uint32_t>(m_settings.size()))],
              .links = nullptr,
              .stage = below(5),
              .position = below(1000),
              .line = below(2000)};
    if (below(3) == 0) {
        auto links = std::make_shared<TaskLinks>();
        links->label = bytes(8);
        std::vector<SharedGroup> groups;
        for (std::uint32_t id = 0; id < m_tasks.size() && id < 20; ++id) {
            if (below(4) == 0)
                groups.push_back(std::make_shared<const TaskGroup>(TaskGroup{TaskId(id)}));
        }
        if (m_tasks.size() > 60 && below(2) == 0)
            groups.push_back(commonGroup());
        links->after = Prerequisites(std::move(groups));
        task.links = std::move(links);
    }
    return task;
}

AttemptResult RandomHistory::result()
{
    AttemptResult result;
    result.outcome = static_cast<Outcome>(below(8));
    result.code = result.outcome == Outcome::Succeeded ? 0 : static_cast<std::int32_t>(below(256));
    result.startedAt = WallTime(std::chrono::microseconds(m_now - 1));
    result.elapsed = std::chrono::microseconds(below(1'000'000));
    result.usage.user = std::chrono::microseconds(below(1000));
    result.usage.system = std::chrono::microseconds(below(1000));
    result.usage.maxResidentKiB = below(100000);
    if (below(2) == 0) {
        result.standardOutput.head = bytes(300);
        result.standardOutput.totalBytes = result.standardOutput.head.size();
    }
    if (below(4) == 0) {
        result.standardError.head = bytes(20);
        result.standardError.tail = bytes(20);
        result.standardError.totalBytes = result.standardError.head.size()
            + result.standardError.tail.size() + below(1000);
    }
    return result;
}

EventPayload RandomHistory::next()
{
    if (!m_open || below(60) == 0)
        return m_open && below(2) == 0 ? close() : open();
    if (m_tasks.empty() || below(5) == 0)
        return add();
    if (below(10) == 0)
        return ofProcessor();
    if (below(8) == 0)
        return m_system.next(m_random);
    if (below(30) == 0)
        return Notice{static_cast<Severity>(below(3)), somePhrase(bytes(40))};
    return ofTask(below(static_cast<std::uint32_t>(m_tasks.size())));
}

EventPayload RandomHistory::open()
{
    m_epoch += 1 + below(2);
    m_sequence = 0;
    m_open = true;
    m_system.open();
    for (Expected& task : m_tasks) {
        if (task.state != TaskState::Running)
            continue;
        task.state = TaskState::Queued;
        task.everEnded = true;
        task.outcome = Outcome::Lost;
        task.code = 0;
        task.elapsedUs = 0;
    }
    m_holders.assign(m_holders.size(), {});
    return RunOpened{bytes(5), "0.1.0", "/some where", bytes(9), below(100), below(2) == 0};
}

EventPayload RandomHistory::close()
{
    m_open = false;
    const bool unfinished = std::any_of(m_tasks.begin(), m_tasks.end(), [](const Expected& task) {
        return task.state == TaskState::Queued || task.state == TaskState::Running
            || task.state == TaskState::Held;
    });
    return RunClosed{unfinished ? RunEnd::Interrupted : RunEnd::Complete,
                     std::chrono::microseconds(below(1000))};
}

EventPayload RandomHistory::add()
{
    const TaskId id(static_cast<std::uint32_t>(m_tasks.size()));
    Expected expected;
    expected.task = task(bytes(60));
    m_tasks.push_back(expected);
    return TaskAdded{id, std::move(expected.task)};
}

EventPayload RandomHistory::change(std::uint32_t id)
{
    Expected& known = m_tasks[id];
    const bool waits = known.state == TaskState::Queued || known.state == TaskState::Held;
    known.task = task(waits && below(2) == 0 ? bytes(60) : known.task.command);
    if (known.state == TaskState::Removed)
        known.state = known.hidden;
    return TaskChanged{TaskId(id), known.task};
}

EventPayload RandomHistory::finish(std::uint32_t id)
{
    Expected& task = m_tasks[id];
    if (task.state == TaskState::Queued)
        ++task.attempts;
    AttemptFinished finished{.key = {TaskId(id), AttemptNumber(task.attempts)},
                             .rank = Rank(static_cast<std::int32_t>(below(4))),
                             .slot = SlotIndex(below(8)),
                             .disposition = Disposition::Final,
                             .result = result()};
    const Outcome outcome = finished.result.outcome;
    static const std::array<int, 8> causes{-1, 0, 1, 2, -1, -1, 3, 0};
    const int cause = causes.at(static_cast<std::size_t>(outcome));
    if (cause >= 0 && below(2) == 0) {
        finished.disposition = Disposition::Retry;
        ++task.retries.at(static_cast<std::size_t>(cause));
        task.state = TaskState::Queued;
    } else if (outcome != Outcome::Succeeded && below(3) == 0) {
        finished.disposition = Disposition::Requeue;
        task.state = TaskState::Queued;
    } else {
        task.state = outcome == Outcome::Succeeded ? TaskState::Succeeded
            : outcome == Outcome::Cancelled        ? TaskState::Cancelled
                                                   : TaskState::Failed;
    }
    task.everEnded = true;
    task.outcome = outcome;
    task.code = finished.result.code;
    task.elapsedUs = finished.result.elapsed.count();
    return finished;
}

EventPayload RandomHistory::ofProcessor()
{
    const std::uint32_t rank = below(static_cast<std::uint32_t>(m_holders.size()));
    Holder& holder = m_holders[rank];
    const Rank name(static_cast<std::int32_t>(rank));
    if (holder.present) {
        holder.present = false;
        return ProcessorLost{name, Incarnation(holder.incarnation),
                             static_cast<LossCause>(below(3))};
    }
    holder.present = true;
    holder.incarnation += 1 + below(2);
    return ProcessorJoined{name, Incarnation(holder.incarnation), "node" + std::to_string(rank),
                           below(100000), below(64)};
}

EventPayload RandomHistory::ofTask(std::uint32_t id)
{
    Expected& task = m_tasks[id];
    const std::uint32_t choice = below(10);
    switch (task.state) {
    case TaskState::Queued:
        if (choice < 4) {
            task.state = TaskState::Running;
            task.runningEpoch = m_epoch;
            ++task.attempts;
            return AttemptStarted{{TaskId(id), AttemptNumber(task.attempts)},
                                  Rank(static_cast<std::int32_t>(below(4))),
                                  SlotIndex(below(8)),
                                  WallTime(std::chrono::microseconds(m_now))};
        }
        if (choice < 8)
            return finish(id);
        if (choice == 8 && m_tasks.size() > 1) {
            task.state = TaskState::Skipped;
            return TaskSkipped{TaskId(id), TaskId(id == 0 ? 1 : id - 1)};
        }
        if (choice == 9) {
            task.state = TaskState::Held;
            return TaskHeld{TaskId(id)};
        }
        break;
    case TaskState::Held:
        if (choice < 4) {
            task.state = TaskState::Queued;
            return TaskReleased{TaskId(id)};
        }
        if (choice < 6) {
            task.state = TaskState::Cancelled;
            return TaskCancelled{TaskId(id)};
        }
        break;
    case TaskState::Running:
        if (choice < 8)
            return finish(id);
        if (choice == 8)
            return TaskCancelling{TaskId(id)};
        if (below(2) == 0)
            return RankReplays{.key = {TaskId(id), AttemptNumber(task.attempts)},
                               .rank = Rank(static_cast<std::int32_t>(below(4))),
                               .took = below(3) == 0 ? notKnown
                                                     : std::chrono::microseconds(1 + below(9'000))};
        return change(id);
    case TaskState::Succeeded:
    case TaskState::Failed:
    case TaskState::Skipped:
    case TaskState::Cancelled:
        if (choice < 5) {
            task.state = TaskState::Queued;
            task.retries = {};
            return TaskReopened{TaskId(id)};
        }
        break;
    case TaskState::Removed: return change(id);
    }
    if (choice % 2 == 0)
        return change(id);
    task.hidden = task.state;
    task.state = TaskState::Removed;
    return TaskRemoved{TaskId(id)};
}

} // namespace tasuki

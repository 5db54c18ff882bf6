// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <memory>
#include <utility>
#include <vector>

namespace tasuki {

/// Numbers payloads as events of one epoch, in order.
class History {
public:
    explicit History(Epoch epoch = Epoch(1)) : m_epoch(epoch) {}

    History& add(EventPayload payload)
    {
        m_last = m_last.next();
        m_events.push_back({.id = {m_epoch, m_last},
                            .wallTime = {},
                            .monotonic = {},
                            .payload = std::move(payload)});
        return *this;
    }

    /// Adds a task with default settings at the next position and line.
    History& addTask(std::string command)
    {
        Task task;
        task.command = std::move(command);
        task.settings = std::make_shared<const TaskSettings>();
        task.position = m_tasks;
        task.line = m_tasks + 1U;
        return add(TaskAdded{.id = TaskId(m_tasks++), .task = std::move(task)});
    }

    /// Adds the end of an attempt that nobody told the start of.
    History& addEnd(std::uint32_t task, std::uint32_t attempt, Outcome outcome, std::int32_t code,
                    std::chrono::microseconds elapsed, Disposition disposition = Disposition::Final)
    {
        AttemptResult result;
        result.outcome = outcome;
        result.code = code;
        result.elapsed = elapsed;
        return add(AttemptFinished{.key = {TaskId(task), AttemptNumber(attempt)},
                                   .rank = Rank(0),
                                   .slot = SlotIndex(0),
                                   .disposition = disposition,
                                   .result = std::move(result)});
    }

    [[nodiscard]] const std::vector<Event>& events() const { return m_events; }

private:
    Epoch m_epoch;
    Sequence m_last;
    std::uint32_t m_tasks = 0;
    std::vector<Event> m_events;
};

} // namespace tasuki

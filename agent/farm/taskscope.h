// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/runstate.h"

#include <span>
#include <vector>

namespace tasuki::farm {

/// Tasks by their numbers, both ends included.
struct TaskRange {
    TaskId first;
    TaskId last;
    bool operator==(const TaskRange&) const = default;
};

/// The tasks that a life of a run is confined to: chosen ones, and what comes after them, directly or
/// not. Others that are not done are left for later lives.
class TaskScope {
public:
    /// @param chosen  numbers that the state does not have are passed over; empty: all tasks
    TaskScope(const RunState& state, std::span<const TaskRange> chosen);

    [[nodiscard]] bool has(TaskId task) const
    {
        return task.value() < m_inside.size() && m_inside[task.value()];
    }

private:
    std::vector<bool> m_inside; ///< by task
};

/// @return the tasks, and those of the same worlds; ascending
std::vector<TaskId> wholeWorlds(const RunState& state, std::vector<TaskId> tasks);

} // namespace tasuki::farm

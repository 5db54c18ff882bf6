// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstdint>
#include <vector>

namespace tasuki {

/// What events have changed since the last announcement.
struct ChangeSet {
    /// Tasks that were known before and changed, ascending, no duplicates; empty with `allTasks`.
    std::vector<TaskId> tasks;
    /// An epoch began, which touches every task that ran.
    bool allTasks = false;
    /// Tasks that are new: ids from here to tasks().size() of the state.
    TaskId firstNewTask;
    std::uint32_t newTasks = 0;
    bool processors = false;  ///< somebody joined or was lost
    bool run = false;         ///< a life of the run began or ended
    std::uint64_t events = 0; ///< how many were applied

    [[nodiscard]] bool empty() const { return events == 0; }
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// A task that a run file knows.
struct RecordedTask {
    TaskId id;
    const Task* task = nullptr; ///< never null, must live during the call
    bool removed = false;       ///< an earlier list no longer had it
};

/// What a task of a list is to a recorded run.
enum class MatchKind : std::uint8_t {
    New,     ///< not recorded: TaskAdded
    Same,    ///< recorded just so: no event
    Changed, ///< recorded with another position, stage, settings or links, or removed: TaskChanged
};

/// How a list continues a recorded run.
struct ResumePlan {
    struct Match {
        TaskId id; ///< recorded, or the one that the new task gets
        MatchKind kind = MatchKind::New;
        bool restored = false; ///< it had been removed and comes back
    };
    std::vector<Task> tasks;    ///< of the list; TaskLinks::after holds final ids
    std::vector<Match> matches; ///< of tasks[i] at i
    std::vector<TaskId> gone;   ///< recorded, not removed before, not in the list: TaskRemoved
    /// Of no list, as operators have added them, and not in this one either: they stay, behind the tasks of the
    /// list. TaskChanged where `kind` says so.
    struct Kept {
        TaskId id;
        Task task;
        MatchKind kind = MatchKind::Same;
    };
    std::vector<Kept> kept;
};

/// Matches the tasks of a list, edited and reordered as it may be, to the recorded ones. Tasks are
/// the same when command, working directory and environment are, whatever the order in which
/// variables were set; of equal ones the n-th in the list is the n-th recorded. Those that had
/// been removed are taken when the others do not suffice. New tasks get ids in the order of the
/// list, from the highest recorded one on. A task that only moved to another line is Same.
/// Recorded tasks without a line are of no list: no list removes them.
/// Time grows with tasks and links. The events must be applied in this order: TaskRemoved,
/// TaskAdded, TaskChanged; both may link to tasks that are added later.
/// @param recorded  by ascending id
/// @param list      as parsed: position is the index, TaskLinks::after holds indices
ResumePlan resumePlan(std::span<const RecordedTask> recorded, std::vector<Task> list);

} // namespace tasuki

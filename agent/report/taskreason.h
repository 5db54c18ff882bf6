// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runhistory.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// Why a task is as it is, for people and for scripts.
struct TaskReason {
    enum class Kind : std::uint8_t {
        Runs,
        BeingCancelled,    ///< an attempt of it is being killed
        RunEnded,          ///< it is to be done still, but the run has ended
        RunEnding,         ///< nothing new starts
        WaitsForTasks,     ///< that it comes after
        WaitsForBarrier,   ///< tasks above a barrier are not done
        WaitsForProcessor, ///< nobody offers a slot
        WaitsForSlot,      ///< it may start as soon as its turn comes
        Held,
        Skipped,
        Failed,
        Cancelled,
        Removed,
        Succeeded,
    };
    Kind kind = Kind::WaitsForSlot;
    /// Completes "task 7 ...": one line.
    std::string text;
    /// The tasks that it waits for, or because of which it was skipped: at most `TaskReason::named`, ascending.
    std::vector<TaskId> because = {};
    static constexpr std::size_t named = 100;
};

/// @return a word for scripts, e.g. "waits for tasks"
std::string_view reasonName(TaskReason::Kind kind);

/// @return how an attempt ended, as it completes "attempt 1 ...", e.g. "ended with exit code 3", "was ended by signal 9
///         (SIGKILL)", "ran out of time"
std::string outcomeText(Outcome outcome, std::int32_t code);

/// Why a task is as it is: why it waits, runs, ran again, was skipped, failed or is not run again.
/// @param living  somebody works on the run; else what is not done will not be
/// Precondition: the id is known. Takes as long as there are tasks before the last barrier.
TaskReason taskReason(const RunHistory& history, TaskId id, bool living);

} // namespace tasuki

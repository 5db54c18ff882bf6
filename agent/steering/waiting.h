// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "liverun.h"
#include "taskwatch.h"

#include <chrono>
#include <functional>
#include <optional>

namespace tasuki::steering {

/// Why somebody does not wait any longer.
enum class WaitEnd : std::uint8_t {
    Done,    ///< all tasks have ended
    RunOver, ///< the run has ended before them
    TimeOut,
    Lost, ///< the run cannot be followed any longer
};

struct WaitResult {
    WaitEnd end = WaitEnd::Done;
    std::string reason = {}; ///< of Lost: one line for people
};

/// Waits until tasks of a living run have ended.
/// @param run       has joined; its hook `events` gives events to `watch`, after those that `watch` knows
/// @param limit     longest time; none: as long as it takes
/// @param progress  called a few times a second
WaitResult waitForTasks(LiveRun& run, const TaskWatch& watch,
                        std::optional<std::chrono::milliseconds> limit,
                        const std::function<void()>& progress);

} // namespace tasuki::steering

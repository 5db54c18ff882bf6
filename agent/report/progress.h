// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/runstate.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace tasuki {

/// What the progress line says, as numbers.
struct ProgressFigures {
    std::size_t total = 0; ///< tasks that are in the list
    std::size_t done = 0;  ///< succeeded, failed or skipped
    std::size_t running = 0;
    std::size_t failed = 0;   ///< failed or skipped
    std::size_t doneHere = 0; ///< done in this life of the run
    std::chrono::microseconds elapsed{};
    std::string phase; ///< "", "finishing", "killing", "record stalled: ..."
};

/// @return the figures of a state; doneHere, elapsed and phase are the caller's
ProgressFigures progressFigures(const RunState& state);

/// @return tasks per second, and the remaining time by that rate; "-" while nothing is known
std::string rateText(const ProgressFigures& figures);
std::string remainingText(const ProgressFigures& figures);

/// @return seconds as people write them: "1h05m"
std::string durationText(double seconds);

/// @return one line of at most `width` columns with a bar, or without one when width is 0
std::string progressLine(const ProgressFigures& figures, int width);

} // namespace tasuki

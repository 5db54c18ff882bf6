// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/runstate.h"

#include <chrono>
#include <cstddef>
#include <string>

namespace tasuki {

/// What the head of the log says besides the tasks.
struct CpsLogHead {
    std::size_t processes = 0;           ///< of the launch, a dedicated master included
    std::size_t slots = 0;               ///< that ran tasks: the divisor of the efficiency
    std::chrono::microseconds elapsed{}; ///< of this life of the run
};

/// @return the log in the format of the program cps: head, then every finished task in list order
///         with its run time. Efficiency = run time of the tasks that ended in this life / (elapsed x
///         slots); the run time of a task is that of the attempt that had the final word.
std::string cpsLogText(const RunState& state, const CpsLogHead& head);

/// Writes the log so that a reader sees the old one or the whole new one.
Result<void> writeCpsLog(const std::string& path, const std::string& text);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <cstdint>
#include <vector>

namespace tasuki {

/// How a made-up run shall be.
struct SampleRun {
    std::uint32_t tasks = 600;
    std::int32_t ranks = 4;
    bool closed = true; ///< else it stops after a third of the tasks
    /// With a failure hierarchy: two subclusters of 4 + 1 processors and one for I/O, in two units
    /// each. There are eight ranks then, of which some are taken over, and two stay vacant.
    bool system = false;
    WallTime begin = WallTime(std::chrono::microseconds(1'700'000'000'000'000));
};

/// @return the events of a run with failures, retries, a lost processor that comes back, skipped
///         and cancelled tasks, and tasks with labels, settings and output. Always the same.
std::vector<Event> sampleEvents(const SampleRun& wanted);

} // namespace tasuki

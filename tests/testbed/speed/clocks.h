// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// The kernel's clocks, past the functions of the same library that stand before them. All times
/// are in nanoseconds; every function may be called by a signal handler.
namespace tasuki::testbed {

/// Looks up what the others need; called once before them, not by a signal handler.
void findClocks();

std::int64_t monotonicTime();
/// @return the processor time of the calling thread
std::int64_t threadTime();

/// Sleeps until a monotonic time; later than that by what the kernel takes to wake a thread.
void sleepUntil(std::int64_t time);
/// Comes back at a monotonic time to the microsecond: sleeps, then looks at the clock.
void waitUntil(std::int64_t time);

} // namespace tasuki::testbed

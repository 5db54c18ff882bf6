// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <ctime>

namespace tasuki::tracer {

/// The clock of the host, which only goes forward and which all its processes share. Nanoseconds.
inline std::int64_t nowNs()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// What the calling thread has used of the processor. Nanoseconds.
inline std::int64_t threadNs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// @return a number that is the same in processes that share the clock: of one start of one kernel and
///         one time namespace; 0 where that cannot be told
std::uint64_t clockIdentity();

} // namespace tasuki::tracer

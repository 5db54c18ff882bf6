// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

/// What a node's clocks show, as all of its processes read it in a file that they share.
namespace wrongclock {

inline constexpr std::int64_t nanosecondsPerSecond = 1'000'000'000;
/// Of a clock that is right.
inline constexpr std::int64_t rightRate = nanosecondsPerSecond;

/// From a time on a clock runs at some rate.
struct Line {
    std::int64_t since = 0;        ///< by the machine's clock, in ns
    std::int64_t shown = 0;        ///< what the node's clock showed then
    std::int64_t rate = rightRate; ///< so many ns of it in a second of the machine's

    [[nodiscard]] std::int64_t at(std::int64_t machine) const
    {
        const std::int64_t passed = machine - since;
        return shown
            + (rate == rightRate ? passed
                                 : std::llround(static_cast<double>(passed)
                                                * static_cast<double>(rate) / rightRate));
    }
    /// Precondition: it does not stand still.
    [[nodiscard]] std::int64_t machineWhen(std::int64_t time) const
    {
        const std::int64_t passes = time - shown;
        return since
            + (rate == rightRate ? passes
                                 : std::llround(static_cast<double>(passes) * rightRate
                                                / static_cast<double>(rate)));
    }
};

/// Two lines, one of which holds: the other one can be written while clocks are read.
struct Clock {
    std::int64_t holds = 0;
    Line lines[2];

    [[nodiscard]] const Line& line() const
    {
        return lines[__atomic_load_n(&holds, __ATOMIC_ACQUIRE) & 1];
    }
    void change(const Line& line)
    {
        const std::int64_t next = 1 - (holds & 1);
        lines[next] = line;
        __atomic_store_n(&holds, next, __ATOMIC_RELEASE);
    }
};

struct NodeClocks {
    Clock monotonic;
    Clock boot;
};

inline std::int64_t machineTime(clockid_t clock)
{
    std::timespec time{};
    ::syscall(SYS_clock_gettime, clock, &time);
    return time.tv_sec * nanosecondsPerSecond + time.tv_nsec;
}

inline std::timespec asTimespec(std::int64_t time)
{
    return {.tv_sec = time / nanosecondsPerSecond, .tv_nsec = time % nanosecondsPerSecond};
}

} // namespace wrongclock

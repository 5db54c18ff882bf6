// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace tasuki {

/// Time that never goes back; comparable within one process only.
using SteadyTime = std::chrono::steady_clock::time_point;
/// Time of day, microseconds since 1970-01-01 UTC.
using WallTime = std::chrono::sys_time<std::chrono::microseconds>;

/// @return seconds with a fraction, as people read them
constexpr double secondsOf(std::chrono::microseconds time)
{
    return std::chrono::duration<double>(time).count();
}

/// Where logic takes the time from, so that a test can set it.
class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual SteadyTime now() const = 0;
    [[nodiscard]] virtual WallTime wallNow() const = 0;
};

/// The machine's clocks. Usable from any thread.
class SystemClock final : public Clock {
public:
    [[nodiscard]] SteadyTime now() const override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] WallTime wallNow() const override
    {
        return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    }
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"

#include <chrono>

#include <ctime>

namespace tasuki {

/// Time that counts while a machine is suspended, too (CLOCK_BOOTTIME): for what ends on other machines
/// meanwhile. By a clock that stops with its machine, a lease would still hold on waking that the others have
/// seen end long ago. Not comparable with std::chrono::steady_clock. Usable from any thread.
class BootClock final : public Clock {
public:
    [[nodiscard]] SteadyTime now() const override
    {
        std::timespec time{};
        ::clock_gettime(CLOCK_BOOTTIME, &time);
        return SteadyTime(std::chrono::seconds(time.tv_sec)
                          + std::chrono::nanoseconds(time.tv_nsec));
    }
    [[nodiscard]] WallTime wallNow() const override
    {
        return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    }
};

} // namespace tasuki

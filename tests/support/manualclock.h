// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

namespace tasuki {

/// A clock that moves when the test says so; both times move together.
class ManualClock final : public Clock {
public:
    [[nodiscard]] SteadyTime now() const override { return SteadyTime{} + m_elapsed; }
    [[nodiscard]] WallTime wallNow() const override
    {
        return WallTime{} + std::chrono::hours(24 * 365 * 50)
            + std::chrono::floor<std::chrono::microseconds>(m_elapsed);
    }
    void advance(std::chrono::nanoseconds step) { m_elapsed += step; }

private:
    std::chrono::nanoseconds m_elapsed{};
};

} // namespace tasuki

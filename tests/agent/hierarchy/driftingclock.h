// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>

namespace tasuki::hierarchy::testing {

/// A clock that has begun at another time than another one, and runs faster or slower.
class DriftingClock final : public Clock {
public:
    /// @param of    outlives this one
    /// @param ahead what it shows when the other one shows nothing
    /// @param rate  so many seconds pass on it in one of the other one
    DriftingClock(const Clock& of, std::chrono::nanoseconds ahead, double rate)
        : m_of(of), m_ahead(ahead), m_rate(rate)
    {}

    [[nodiscard]] SteadyTime now() const override
    {
        return SteadyTime{} + m_ahead + scaled(m_of.now().time_since_epoch(), m_rate);
    }
    [[nodiscard]] WallTime wallNow() const override { return m_of.wallNow(); }
    /// @return what the other one shows when this one shows that, or a little later
    [[nodiscard]] SteadyTime otherWhen(SteadyTime shown) const
    {
        return SteadyTime{} + scaled(shown.time_since_epoch() - m_ahead, 1 / m_rate)
            + std::chrono::nanoseconds(m_rate == 1.0 ? 0 : 1);
    }

private:
    [[nodiscard]] static std::chrono::nanoseconds scaled(std::chrono::nanoseconds time, double by)
    {
        if (by == 1.0)
            return time;
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::duration<double, std::nano>(static_cast<double>(time.count()) * by));
    }

    const Clock& m_of;
    std::chrono::nanoseconds m_ahead;
    double m_rate;
};

} // namespace tasuki::hierarchy::testing

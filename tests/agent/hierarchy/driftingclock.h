// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>

namespace tasuki::hierarchy::testing {

/// A clock that has begun at another time than another one, and runs faster or slower, or stands still.
class DriftingClock final : public Clock {
public:
    /// @param of    outlives this one
    /// @param ahead what it shows when the other one shows nothing
    /// @param rate  so many seconds pass on it in one of the other one
    DriftingClock(const Clock& of, std::chrono::nanoseconds ahead, double rate)
        : m_of(of), m_shown(SteadyTime{} + ahead), m_rate(rate)
    {}

    [[nodiscard]] SteadyTime now() const override
    {
        return m_shown + scaled(m_of.now() - m_since, m_rate);
    }
    [[nodiscard]] WallTime wallNow() const override { return m_of.wallNow(); }
    /// From now on it runs at another rate; 0: it stands still.
    void setRate(double rate)
    {
        m_shown = now();
        m_since = m_of.now();
        m_rate = rate;
    }
    /// @return what the other one shows when this one shows that, or a little later; while this one
    ///         stands still, as if it ran like the other one
    [[nodiscard]] SteadyTime otherWhen(SteadyTime shown) const
    {
        if (m_rate == 0.0)
            return m_of.now() + (shown - m_shown);
        return m_since + scaled(shown - m_shown, 1 / m_rate)
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
    SteadyTime m_since{}; ///< of the other one: when this one showed m_shown
    SteadyTime m_shown;
    double m_rate;
};

} // namespace tasuki::hierarchy::testing

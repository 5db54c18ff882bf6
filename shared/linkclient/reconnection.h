// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agenttiming.h"
#include "retrydelay.h"

#include "domain/clock.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace tasuki {

/// When to try again to reach an agent, and when to look for its successor.
class Reconnection {
public:
    explicit Reconnection(const AgentTiming& timing) : m_timing(timing), m_lookPause(timing.look) {}

    /// A connection has ended.
    void lost(SteadyTime now)
    {
        m_nextTry.reset();
        if (m_failures != 0)
            return;
        m_lostAt = now;
        m_lookPause = std::min(m_timing.firstLook, m_timing.look);
    }
    /// It will be tried again.
    /// @param chance  0 to 1
    /// @return after how long
    std::chrono::milliseconds wait(SteadyTime now, double chance)
    {
        const auto delay = retryDelay(++m_failures, m_timing.firstDelay, m_timing.longestDelay,
                                      chance);
        m_nextTry = now + delay;
        return delay;
    }
    void trying() { m_nextTry.reset(); }
    /// A connection led somewhere.
    void reached() { m_failures = 0; }

    /// @return before the next look for a successor; each is twice as long as the one before
    [[nodiscard]] std::chrono::milliseconds lookPause() const { return m_lookPause; }
    std::chrono::milliseconds nextLookPause()
    {
        m_lookPause = std::min(2 * m_lookPause, m_timing.look);
        return m_lookPause;
    }
    /// Whether a successor may still come.
    [[nodiscard]] bool mayBeSucceeded(SteadyTime now) const
    {
        return now - m_lostAt < m_timing.succession;
    }
    [[nodiscard]] std::optional<SteadyTime> nextTry() const { return m_nextTry; }
    [[nodiscard]] std::uint32_t failures() const { return m_failures; }

private:
    AgentTiming m_timing;
    std::uint32_t m_failures = 0; ///< in a row
    std::optional<SteadyTime> m_nextTry;
    SteadyTime m_lostAt{}; ///< when the connection ended that led somewhere
    std::chrono::milliseconds m_lookPause;
};

} // namespace tasuki

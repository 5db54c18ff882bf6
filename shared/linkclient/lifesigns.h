// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>
#include <cstdint>

namespace tasuki {

/// Whether an agent has been heard of lately. A window that was stopped has heard nothing because it did
/// not listen.
class LifeSigns {
public:
    LifeSigns(std::chrono::milliseconds ping, std::chrono::milliseconds silence)
        : m_ping(ping), m_silence(silence)
    {}

    void begin(SteadyTime now) { m_lastBeat = m_lastHeard = now; }
    void heard(SteadyTime now) { m_lastHeard = now; }
    /// To be asked each `ping`.
    /// @param listens  the window reads what the agent says
    /// @return whether the silence has not been too long
    bool beat(SteadyTime now, bool listens)
    {
        if (now - m_lastBeat > 2 * m_ping || !listens)
            m_lastHeard = now;
        m_lastBeat = now;
        return now - m_lastHeard <= m_silence;
    }
    std::uint64_t nextPing() { return ++m_pings; }

private:
    std::chrono::milliseconds m_ping;
    std::chrono::milliseconds m_silence;
    SteadyTime m_lastHeard{};
    SteadyTime m_lastBeat{};
    std::uint64_t m_pings = 0;
};

} // namespace tasuki

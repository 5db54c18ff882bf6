// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>
#include <optional>

namespace tasuki::guardian {

/// For how long tasks may run though the agent says nothing. Times are those of a clock that goes on while
/// this machine is suspended, as others count a lease.
class AgentLease {
public:
    /// @param length  0: it never ends
    void grant(std::chrono::milliseconds length, SteadyTime now);
    /// The agent has spoken.
    void renew(SteadyTime now);
    /// A turn of the loop begins. Whoever stopped this process may have stopped the agent as well, or the whole
    /// machine: the agent gets time to say that it goes on, from now, and as long as it has itself to hear of
    /// others. But once: however often this process is late, an agent that says nothing loses its tasks.
    /// @param wait  for which this process slept of its own accord; none: without an end
    void noteTurn(std::optional<std::chrono::milliseconds> wait, SteadyTime now);
    /// @return true once, when the lease is over, until the agent speaks
    bool runsOut(SteadyTime now);
    /// @return how long to sleep at most: what this process oversleeps is seen, however long after a word of
    ///         the agent; none: no lease runs
    [[nodiscard]] std::optional<std::chrono::nanoseconds> longestSleep(SteadyTime now) const;

private:
    std::optional<std::chrono::milliseconds> m_length; ///< none: it was not granted
    SteadyTime m_lastTurn{};                           ///< of the loop
    SteadyTime m_end{};
    bool m_excused = false; ///< lengthened since the agent spoke
    bool m_over = false;
};

} // namespace tasuki::guardian

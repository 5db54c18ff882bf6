// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>

namespace tasuki {

/// How long the reactor sleeps between polls. A sleep ends early for sockets, timers and posted
/// work; what only polling sees waits this long at most.
struct BackoffPolicy {
    /// After traffic polling goes on for so long without sleep: an answer is often near.
    std::chrono::nanoseconds spin = std::chrono::microseconds(50);
    /// Naps last a quarter of the time since the last traffic, but at least this: who waited long
    /// can wait a little longer.
    std::chrono::nanoseconds shortestNap = std::chrono::milliseconds(1);
    /// At most this: what begins with somebody else, as a resynchronisation call does, is not expected here,
    std::chrono::nanoseconds longestNap = std::chrono::milliseconds(2);
    /// or, where that is longer, one part in so many of the time since the last traffic: what comes
    /// then is late by less than a share of what it took,
    int idleShare = 250;
    /// but never longer than this.
    std::chrono::nanoseconds longestIdleNap = std::chrono::milliseconds(50);
    /// While traffic is expected, see Backoff::expect(): naps last this.
    std::chrono::nanoseconds expectantNap = std::chrono::microseconds(500);
};

/// Adaptive back-off of polling: pure state, the caller sleeps.
class Backoff {
public:
    Backoff(const BackoffPolicy& policy, SteadyTime now);

    /// Tells the result of a poll.
    /// @param moved  whether there was traffic
    /// @return how long to sleep before the next poll; zero: poll again at once
    [[nodiscard]] std::chrono::nanoseconds next(bool moved, SteadyTime now);
    /// There will be traffic before long: until then naps are short and do not grow.
    void expect(SteadyTime until);
    /// The same, and it must not wait: until then there are no naps.
    void stayAwake(SteadyTime until) { m_awakeUntil = until; }
    [[nodiscard]] bool isAwake(SteadyTime now) const { return now < m_awakeUntil; }

private:
    BackoffPolicy m_policy;
    SteadyTime m_lastTraffic;
    SteadyTime m_expectedUntil; ///< past: nothing is expected
    SteadyTime m_awakeUntil{};
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <atomic>
#include <chrono>

namespace tasuki {

/// What a processor's membership agent says to its main thread of whether it may act by its lease.
/// Good for some beats: when all of the process stood still, or the machine did, it is none any
/// more before the membership agent has looked again. The time is one that goes on meanwhile
/// (BootClock). Usable from two threads.
class ActingWord {
public:
    /// With these a lease, of 25 beats, is not longer than it is waited for, 30.
    static constexpr int beats = 5;

    /// Said by the membership agent, after each look; to be said again within half of the beats.
    void say(bool valid, SteadyTime now, std::chrono::nanoseconds beat)
    {
        const SteadyTime until = valid ? now + beats * beat : SteadyTime::min();
        m_until.store(until.time_since_epoch().count(), std::memory_order_release);
    }
    /// @return true before anything was said: nobody counts on this processor so far
    [[nodiscard]] bool holds(SteadyTime now) const
    {
        return now.time_since_epoch().count() <= m_until.load(std::memory_order_acquire);
    }

private:
    std::atomic<SteadyTime::rep> m_until = SteadyTime::max().time_since_epoch().count();
};

} // namespace tasuki

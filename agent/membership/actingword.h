// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <atomic>
#include <chrono>

namespace tasuki {

/// What a membership agent tells its processor's main thread: whether the processor may act by its
/// lease. Good for some beats: when the whole process or machine stood still, the word has expired
/// before the membership agent has looked again. Its clock goes on meanwhile (BootClock). Usable
/// from two threads.
class ActingWord {
public:
    /// With these, a lease (25 beats) is not longer than others wait for it (30 beats).
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

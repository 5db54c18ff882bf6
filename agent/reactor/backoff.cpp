// SPDX-License-Identifier: GPL-3.0-or-later
#include "backoff.h"

#include <algorithm>

namespace tasuki {

Backoff::Backoff(const BackoffPolicy& policy, SteadyTime now)
    : m_policy(policy), m_lastTraffic(now), m_nap(policy.firstNap)
{}

std::chrono::nanoseconds Backoff::next(bool moved, SteadyTime now)
{
    if (moved) {
        m_lastTraffic = now;
        m_nap = m_policy.firstNap;
        return {};
    }
    const auto quiet = now - m_lastTraffic;
    if (quiet < m_policy.spin)
        return {};
    const auto longest = quiet < m_policy.idleAfter ? m_policy.longestNap : m_policy.longestIdleNap;
    const auto nap = std::min(m_nap, longest);
    m_nap = std::min(nap * 2, longest);
    return nap;
}

} // namespace tasuki

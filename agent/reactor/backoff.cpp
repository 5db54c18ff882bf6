// SPDX-License-Identifier: GPL-3.0-or-later
#include "backoff.h"

#include <algorithm>

namespace tasuki {

Backoff::Backoff(const BackoffPolicy& policy, SteadyTime now)
    : m_policy(policy), m_lastTraffic(now), m_expectedUntil(now)
{}

void Backoff::expect(SteadyTime until) { m_expectedUntil = std::max(m_expectedUntil, until); }

std::chrono::nanoseconds Backoff::next(bool moved, SteadyTime now)
{
    if (moved) {
        m_lastTraffic = now;
        return {};
    }
    const auto quiet = now - m_lastTraffic;
    if (quiet < m_policy.spin || isAwake(now))
        return {};
    if (now < m_expectedUntil)
        return m_policy.expectantNap;
    const std::chrono::nanoseconds longest = std::max(
        m_policy.longestNap,
        std::min<std::chrono::nanoseconds>(quiet / m_policy.idleShare, m_policy.longestIdleNap));
    return std::min(std::max<std::chrono::nanoseconds>(quiet / 4, m_policy.shortestNap), longest);
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rhythm.h"

#include <algorithm>

namespace tasuki::hierarchy {

using std::chrono::nanoseconds;

void Rhythm::change(nanoseconds interval, SteadyTime now, std::uint32_t beats)
{
    if (interval == m_interval)
        return;
    m_longest = std::max(longest(now, beats), interval);
    m_shortest = std::min(shortest(now, beats), interval);
    m_interval = interval;
    m_changed = now;
}

nanoseconds Rhythm::longest(SteadyTime now, std::uint32_t beats) const
{
    return settled(now, beats) ? m_interval : m_longest;
}

nanoseconds Rhythm::shortest(SteadyTime now, std::uint32_t beats) const
{
    return settled(now, beats) ? m_interval : m_shortest;
}

nanoseconds Rhythm::former(SteadyTime now, std::uint32_t beats) const
{
    return m_interval == shortest(now, beats) ? longest(now, beats) : shortest(now, beats);
}

bool Rhythm::settled(SteadyTime now, std::uint32_t beats) const
{
    return now - m_changed > beats * m_longest;
}

} // namespace tasuki::hierarchy

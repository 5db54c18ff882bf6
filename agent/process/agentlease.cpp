// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/agentlease.h"

#include <algorithm>
#include <utility>

namespace tasuki::guardian {
namespace {

/// Of a lease: so long this process sleeps at most, and so late it may be, before it counts as stopped.
constexpr int latenessShare = 8;
/// Of a lease, which is 25 beats: the 10 that a suspended processor has.
constexpr int excusedFifths = 2;

} // namespace

void AgentLease::grant(std::chrono::milliseconds length, SteadyTime now)
{
    m_length = length;
    m_end = now + length;
}

void AgentLease::renew(SteadyTime now)
{
    if (m_length)
        m_end = now + *m_length;
    m_over = m_excused = false;
}

void AgentLease::noteTurn(std::optional<std::chrono::milliseconds> wait, SteadyTime now)
{
    const SteadyTime before = std::exchange(m_lastTurn, now);
    if (!m_length || !wait || m_excused || now - before <= *wait + *m_length / latenessShare)
        return;
    const SteadyTime until = now + *m_length * excusedFifths / 5;
    m_excused = until > m_end;
    m_end = std::max(m_end, until);
}

bool AgentLease::runsOut(SteadyTime now)
{
    if (!m_length || m_length->count() == 0 || m_over || now < m_end)
        return false;
    m_over = true;
    return true;
}

std::optional<std::chrono::nanoseconds> AgentLease::longestSleep(SteadyTime now) const
{
    if (!m_length || m_length->count() == 0 || m_over)
        return std::nullopt;
    return std::min<std::chrono::nanoseconds>(m_end - now, *m_length / latenessShare);
}

} // namespace tasuki::guardian

// SPDX-License-Identifier: GPL-3.0-or-later
#include "lease.h"

#include <algorithm>

namespace tasuki::hierarchy {

using std::chrono::nanoseconds;

void Lease::restart(SteadyTime now)
{
    m_lease.restart(now);
    m_grant.restart(now);
    m_sole = now;
}

void Lease::enter(SteadyTime lease, SteadyTime grant, SteadyTime sole, SteadyTime now)
{
    m_lease.restart(lease);
    m_grant.restart(grant);
    m_sole = sole;
    m_granted = true;
    stand(Standing::Valid, now);
}

void Lease::grantsItself(SteadyTime now)
{
    m_grant.restart(now);
    m_sole = now;
}

void Lease::takeLease(ProcessorId from, SteadyTime when)
{
    const nanoseconds news = when - m_lease.given();
    if (!m_lease.renew(when))
        return;
    m_leaseBy = from;
    if (news > m_at.suspectTime())
        m_deafUntil = m_at.clock.now();
}

bool Lease::takeSole(SteadyTime when)
{
    const bool newer = when > m_sole;
    m_sole = std::max(m_sole, when);
    return newer;
}

void Lease::lowerGrant(SteadyTime when)
{
    m_grant.lower(when);
    m_sole = std::min(m_sole, when);
}

void Lease::noteLateness(nanoseconds late, SteadyTime now)
{
    m_lease.addLateness(late, now);
    m_grant.addLateness(late, now);
    if (late >= m_at.suspectTime())
        m_deafUntil = m_stoppedUntil = now;
}

std::pair<nanoseconds, nanoseconds> Lease::lengths(SteadyTime now) const
{
    const MembershipOptions& options = m_at.options;
    const std::uint32_t grant = m_at.position.systemMaster ? options.leaseBeats
                                                           : options.leaseWaitBeats;
    return {options.leaseBeats * m_at.rhythm.longest(now, options.leaseBeats),
            grant * m_at.rhythm.former(now, options.leaseWaitBeats)};
}

SteadyTime Lease::over(SteadyTime now) const
{
    const auto [lease, grant] = lengths(now);
    return std::min(m_lease.given() + lease, m_grant.given() + grant);
}

SteadyTime Lease::quietUntil(SteadyTime top, SteadyTime now) const
{
    const nanoseconds shortest = m_at.rhythm.shortest(now, m_at.options.leaseWaitBeats);
    const SteadyTime granted = m_grant.given() + m_at.options.leaseBeats * shortest;
    if (m_at.position.systemMaster)
        return granted;
    const auto silence = std::min(m_at.settings().lostAfter, m_at.options.leaseBeats);
    return std::min(granted, std::min(m_lease.given(), top) + silence * shortest);
}

bool Lease::trustHolds(SteadyTime when, SteadyTime now) const
{
    return now - when
        <= m_at.options.trustBeats * m_at.rhythm.shortest(now, m_at.options.leaseWaitBeats);
}

bool Lease::wasDeaf(SteadyTime now, nanoseconds within) const
{
    return now - m_deafUntil < within || m_lease.age(now) > m_at.suspectTime();
}

bool Lease::grantedAgain(SteadyTime now)
{
    const bool granted = m_grant.age(now) <= m_at.options.trustBeats * m_at.interval();
    if (std::exchange(m_granted, granted) || !granted)
        return false;
    m_grantedSince = now;
    return true;
}

void Lease::stand(Standing standing, SteadyTime now)
{
    m_standing = standing;
    m_standingSince = now;
}

StandingTurn Lease::judge(bool released, SteadyTime now) const
{
    const auto [lease, grant] = lengths(now);
    const bool over = m_lease.age(now) > lease || m_grant.age(now) > grant;
    const bool excused = m_lease.excusedAge(now) <= lease && m_grant.excusedAge(now) <= grant;
    const LeaseSign sign = over ? (excused ? LeaseSign::OverWhileLate : LeaseSign::Over)
                                : (released ? LeaseSign::Holds : LeaseSign::HoldsUnreleased);
    const nanoseconds patience = m_standing == Standing::Suspended
        ? m_at.options.suspendedBeats * m_at.interval()
        : nanoseconds(m_at.options.lapsedWithin);
    return turnOf(m_standing, sign, now - m_standingSince <= patience);
}

} // namespace tasuki::hierarchy

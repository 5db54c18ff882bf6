// SPDX-License-Identifier: GPL-3.0-or-later
// Who may act, and for how long: leases, and the majority that those of the system master hang on.
#include "keeper.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// Of whom a majority counts: all that are not known to be dead.
void Keeper::countElectorate(SteadyTime now)
{
    m_electorate.clear();
    m_electorateOfAll.clear();
    m_someoneElsewhere = false;
    // Who died a moment ago may be one of those on whom an earlier system master counts.
    const SteadyTime longAgo = now - soleTime(now);
    for (std::uint32_t number = 0; number < m_picture.processorCount(); ++number) {
        const ProcessorId processor(number);
        const MemberRow& row = m_picture.member(processor);
        const bool other = processor != m_self;
        const bool gone = other && row.health != Health::Expected && m_host.hasEnded(processor);
        m_someoneElsewhere = m_someoneElsewhere
            || (other && row.living() && m_host.isElsewhere(processor));
        if (!row.votes() || gone) {
            const SteadyTime known = row.votes()
                ? now
                : m_adoptedAt[m_picture.subclusterOf(processor).value()];
            if (m_deadSince.try_emplace(processor, known).first->second > longAgo)
                m_electorateOfAll.push_back(processor);
            continue;
        }
        m_electorate.push_back(processor);
        m_electorateOfAll.push_back(processor);
    }
}

/// Those on this host are killed when they are silent: there nothing can be parted. And where nobody
/// takes the place of a system master that is not heard of, it may go on.
bool Keeper::needsMajority() const { return m_options.replacesSilentMaster && m_someoneElsewhere; }

nanoseconds Keeper::soleTime(SteadyTime now) const
{
    return m_options.soleBeats * m_rhythm.longest(now, m_options.leaseWaitBeats);
}

/// What the system master knows of those who follow it. It follows itself.
void Keeper::countFollowers(SteadyTime now)
{
    m_support.follow(m_self);
    m_support.takeWord({.reign = m_self, .when = stampTime(now)}, now);
    noteOwnSupport(now);
    if (!needsMajority()) {
        m_grantFrom = m_soleFrom = now;
        return;
    }
    if (const auto when = m_support.majority(m_electorate, false))
        m_grantFrom = std::max(m_grantFrom, timeOfStamp(*when));
    if (const auto when = m_support.majority(m_electorateOfAll, true))
        m_soleFrom = std::max(m_soleFrom, timeOfStamp(*when));
}

void Keeper::noteOwnSupport(SteadyTime now)
{
    const auto stamp = m_support.newest();
    if (stamp && m_readiness != Readiness::Leaving && m_life == 1) {
        m_support.note(m_self, stamp->when, m_support.undivided(m_picture, now, soleTime(now)));
    }
}

/// Who has not been answered for too long is dead to the others, or will soon be; and who is answered
/// by somebody whom no majority follows.
void Keeper::checkLease(SteadyTime now)
{
    if (!m_picture.system().started) {
        m_leaseFrom = m_topLease = m_grantFrom = m_soleFrom = now;
        m_lateSinceLease = {};
    }
    const nanoseconds waited = m_rhythm.former(now, m_options.leaseWaitBeats);
    if (m_position.systemMaster) {
        m_leaseFrom = m_topLease = now;
        m_lateSinceLease = {};
        if (m_electorate.empty() || now >= m_nextBeat)
            countElectorate(now);
        countFollowers(now);
        if (now - m_grantFrom > m_options.leaseBeats * waited)
            giveUp();
    } else if (now - m_leaseFrom
                   > m_options.leaseBeats * m_rhythm.longest(now, m_options.leaseBeats)
               || now - m_grantFrom > m_options.leaseWaitBeats * waited) {
        giveUp();
    }
    // Who was cut off itself has not heard of others for that reason.
    const bool granted = now - m_grantFrom <= m_options.trustBeats * interval();
    if (!std::exchange(m_granted, granted) && granted) {
        m_detector.beginAnew(now);
        forgetWhoIsSilentElsewhere();
    }
}

/// @return before that, silence from above means nothing, and no lease is over
SteadyTime Keeper::leasesUntil(SteadyTime now) const
{
    const nanoseconds shortest = m_rhythm.shortest(now, m_options.leaseWaitBeats);
    const SteadyTime granted = m_grantFrom + m_options.leaseBeats * shortest;
    if (m_position.systemMaster)
        return granted;
    const auto silence = std::min(m_picture.system().settings.lostAfter, m_options.leaseBeats);
    return std::min(granted, std::min(m_leaseFrom, m_topLease) + silence * shortest);
}

void Keeper::forgetWhoIsSilentElsewhere()
{
    m_book.forgetSilent([this](ProcessorId one) { return m_host.isElsewhere(one); });
}

/// Whether a majority is known to follow the system master and nobody else: then nobody on whom it
/// does not count can act for longer than leases are waited for.
bool Keeper::trusted(SteadyTime now) const { return trustHolds(m_soleFrom, now); }

/// What a majority said then is not too old to act by.
bool Keeper::trustHolds(SteadyTime when, SteadyTime now) const
{
    return now - when <= m_options.trustBeats * m_rhythm.shortest(now, m_options.leaseWaitBeats);
}

/// Of who is elsewhere only a majority may say that it is lost: perhaps this side is cut off.
bool Keeper::mayDecide(const Observed& observed, SteadyTime now) const
{
    switch (observed.what) {
    case Observation::Silent:
    case Observation::LeaseOver: break;
    case Observation::Late:
        if (!m_doubtful.empty())
            break;
        return true;
    default: return true;
    }
    return !m_host.isElsewhere(observed.processor) || trusted(now);
}

/// Whether that majority follows this processor itself: the trust that a candidate has from who came
/// before it says nothing of those whom it takes for away.
bool Keeper::trustedItself(SteadyTime now) const
{
    if (!m_position.systemMaster || m_support.reign() != m_self)
        return false;
    const auto when = m_support.majority(m_electorateOfAll, true);
    return when && trustHolds(timeOfStamp(*when), now);
}

/// The leases of those whose place this processor takes are over: for longer than they last, a
/// majority has heard of none of them.
void Keeper::establish(SteadyTime now)
{
    if (m_doubtful.empty() || !trustedItself(now))
        return;
    const Away away = std::exchange(m_doubtful, {});
    reposition(now);
    for (const ProcessorId silent : away) {
        for (const Observation what : {Observation::Silent, Observation::LeaseOver}) {
            observe({.processor = silent,
                     .what = what,
                     .cause = HealthCause::Silent,
                     .since = duration_cast<microseconds>(soleTime(now))},
                    now);
        }
    }
}

void Keeper::giveUp()
{
    if (std::exchange(m_fenced, true))
        return;
    if (std::exchange(m_holding, std::nullopt))
        m_observer.holding(std::nullopt);
    m_wayBack.fence(m_clock.now() + m_options.rejoinWithin);
    m_observer.fenced();
}

} // namespace tasuki::hierarchy

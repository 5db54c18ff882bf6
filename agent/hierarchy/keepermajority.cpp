// SPDX-License-Identifier: GPL-3.0-or-later
// Who may act, and for how long: leases, and the majority that those of the system master hang on. The
// rules, and why they are safe, are in docs/membership.md.
#include "keeper.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

namespace {

/// A poll that is later than this share of a beat counts as own lateness.
constexpr int toleratedLateness = 5;

} // namespace

/// Whether parts of the system may lose each other.
void Keeper::lookWhoIsElsewhere()
{
    m_someoneElsewhere = false;
    const auto count = static_cast<std::uint32_t>(m_picture.processorCount());
    for (std::uint32_t number = 0; number < count && !m_someoneElsewhere; ++number) {
        const ProcessorId processor(number);
        m_someoneElsewhere = processor != m_self && m_picture.member(processor).living()
            && m_host.isElsewhere(processor);
    }
}

/// Of whom a majority counts.
void Keeper::countElectorate(SteadyTime now)
{
    const auto hasEnded = [this](ProcessorId one) {
        const MemberRow& row = m_picture.member(one);
        return one != m_self
            && (row.ended || (row.health != Health::Expected && m_host.hasEnded(one)));
    };
    const auto known = [this, now](ProcessorId one) {
        return m_picture.member(one).ended ? m_adoptedAt[m_picture.subclusterOf(one).value()] : now;
    };
    m_electorate.count(m_picture, hasEnded, known, now, soleTime(now));
}

/// Those on this host are killed when they are silent: there nothing can be parted. And where nobody
/// takes the place of a system master that is not heard of, it may go on.
bool Keeper::needsMajority() const { return m_options.replacesSilentMaster && m_someoneElsewhere; }

nanoseconds Keeper::soleTime(SteadyTime now) const
{
    return m_options.soleBeats * m_rhythm.longest(now, m_options.leaseWaitBeats);
}

/// A system master, or who is to be it, follows itself.
void Keeper::stampHere(SteadyTime now)
{
    m_support.follow(m_self);
    m_support.takeWord({.reign = m_self,
                        .when = stampTime(now),
                        .table = m_picture.system().version,
                        .candidate = systemMaster(m_picture) != m_self},
                       now, now);
    tellStamp();
}

/// What the system master knows of those who follow it. One whose grant was over has
/// it again only when a majority follows it alone: another one may have acted meanwhile.
void Keeper::countFollowers(SteadyTime now)
{
    stampHere(now);
    acknowledge(now);
    if (!needsMajority()) {
        m_grantFrom = m_soleFrom = now;
        m_ownGrant = now;
        noteReign({.reign = m_self, .granted = now, .followed = now});
        m_lateSinceGrant = {};
        return;
    }
    const auto alone = m_electorate.majorityAlone(m_support);
    // Some of them may have gone to another one since, if that is long ago.
    const bool fresh = alone && trustHolds(timeOfStamp(*alone), now);
    const auto followed = m_electorate.majority(m_support);
    const auto any = m_standing == Standing::Valid ? followed : fresh ? alone : std::nullopt;
    if (any)
        noteReign({.reign = m_self, .granted = timeOfStamp(*any)});
    if (followed)
        noteReign({.reign = m_self, .followed = timeOfStamp(*followed)});
    if (any && timeOfStamp(*any) > m_grantFrom) {
        m_grantFrom = timeOfStamp(*any);
        m_ownGrant = now;
        if (m_grantFrom >= m_lateUntil)
            m_lateSinceGrant = {};
    }
    if (alone && timeOfStamp(*alone) > m_soleFrom) {
        m_soleFrom = timeOfStamp(*alone);
        m_ownGrant = now;
    }
}

/// Who takes a place goes on under the grant of whom it followed there, and under no other one's. It may
/// have followed a candidate for a moment since.
void Keeper::inheritGrant(SteadyTime now)
{
    SteadyTime granted{};
    for (const auto& seen : {m_reignSeen, m_reignBefore}) {
        if (seen
            && (!m_picture.member(seen->reign).living() || m_host.hasEnded(seen->reign)
                || m_away.contains(seen->reign)))
            granted = std::max(granted, seen->granted);
    }
    m_grantFrom = std::min(m_grantFrom, granted);
    m_soleFrom = std::min(m_soleFrom, granted);
    tellWords();
    if (m_standing == Standing::Valid && needsMajority()
        && now - m_grantFrom > m_options.leaseBeats * interval())
        setStanding(Standing::Lapsed, now);
}

void Keeper::acknowledge(SteadyTime now)
{
    if (m_readiness != Readiness::Leaving)
        m_support.acknowledge(m_picture, now, soleTime(now));
    tellAcknowledged();
}

/// Stamps on which nothing hangs need keep nobody from following another one.
void Keeper::renounceIfUnused(SteadyTime now)
{
    if (m_ownGrant && now - *m_ownGrant <= soleTime(now))
        return;
    m_support.renounce(now);
    tellRenounced({.reign = m_self, .when = stampTime(now)});
}

void Keeper::hearGeneration(std::uint64_t generation, const std::vector<Stamp>& renounced)
{
    m_generation = std::max(m_generation, generation);
    for (const Stamp& stamp : renounced) {
        if (stamp.reign != m_self && m_support.takeRenounced(stamp, m_clock.now()))
            tellRenounced(stamp);
    }
}

/// @return of all tables that were heard of, the latest generation of their writers. Who stamps may
///         write one more
std::uint64_t Keeper::latestGeneration() const
{
    std::uint64_t latest = std::max(m_generation, generationOf(m_picture.system().version.term));
    for (std::uint32_t number = 0; number < m_picture.clusterCount(); ++number) {
        latest = std::max(latest,
                          generationOf(m_picture.cluster(SubclusterId(number)).version.term));
    }
    return latest + (m_position.systemMaster && (!m_doubtful.empty() || !mayWrite()) ? 1 : 0);
}

/// Who acts again after others may have acted writes beyond all that they can have written.
void Keeper::beginGeneration()
{
    SystemTable system = m_picture.system();
    system.version = {
        .term = termBeyond(latestGeneration() << 32U, placeInSuccession(m_picture, m_self)),
        .revision = 0};
    system.writer = m_self;
    writeSystem(std::move(system));
    renewTerms();
}

/// Tables of this reign come after all of earlier ones.
void Keeper::renewTerms()
{
    const std::uint64_t generation = generationOf(m_picture.system().version.term);
    std::vector<SubclusterId> old;
    for (const auto& [subcluster, writer] : m_writing) {
        if (generationOf(writer.draft().version.term) < generation)
            old.push_back(subcluster);
    }
    publish();
    for (const SubclusterId subcluster : old) {
        m_writing.erase(subcluster);
        m_writing.try_emplace(
            subcluster, m_self, m_picture.cluster(subcluster), m_adoptedAt[subcluster.value()],
            termBeyond((generation - 1) << 32U, placeInSuccession(m_picture, m_self)));
        m_muster = true;
    }
}

/// Voters are those who live. They change in two steps, so that whoever counts the former ones knows of
/// the change before it holds.
void Keeper::settleVoters(SteadyTime now)
{
    if (!actsAsSystemMaster() || !needsMajority() || !m_picture.system().started || !trusted(now))
        return;
    SystemTable system = m_picture.system();
    if (system.votersToBe.empty()) {
        const std::vector<ProcessorId> wanted = votersWanted(m_picture);
        const bool ended = std::ranges::all_of(votersOf(m_picture), [&](ProcessorId one) {
            return m_picture.member(one).living() || m_picture.member(one).ended;
        });
        const bool missing = std::ranges::any_of(
            wanted, [&, voters = votersOf(m_picture)](auto one) {
                return !std::ranges::binary_search(voters, one);
            });
        if (ended && !missing)
            return; // those that have ended count no more in any case
        // From then on nothing is decided without a majority of these, too.
        if (const auto alone = m_support.majority(wanted, true);
            !alone || !trustHolds(timeOfStamp(*alone), now))
            return;
        system.votersToBe = wanted;
    } else {
        if (m_votersSince == 0)
            m_votersSince = stampTime(now); // a former system master's, which some have not
        const auto alone = m_electorate.majorityAlone(m_support);
        if (!alone || *alone <= m_votersSince
            || !m_electorate.allHave(m_support, m_picture, m_votersSince))
            return;
        system.voters = std::exchange(system.votersToBe, {});
    }
    writeSystem(std::move(system));
    m_electorate.clear();
}

/// @return whether this processor was late
bool Keeper::noteLateness(SteadyTime now)
{
    const nanoseconds late = now - m_due;
    if (late <= interval() / toleratedLateness)
        return false;
    const nanoseconds before = m_detector.allowance();
    m_detector.wasLate(late);
    m_lateSinceLease += late;
    m_lateSinceTop += late;
    m_lateSinceGrant += late;
    m_lateUntil = m_due = now; // it is counted once
    if (late >= m_picture.system().settings.suspectAfter * interval())
        m_deafUntil = now;
    if (m_detector.allowance() > before)
        m_observer.lengthened(m_detector.allowance());
    return true;
}

/// What waits in sockets may come before what is due: no lease is valid meanwhile that has run out.
void Keeper::wake(SteadyTime now)
{
    if (m_fenced || !noteLateness(now))
        return;
    checkLease(now);
    judgeLater(now);
}

/// Who was late listens first to what has come meanwhile, and judges a little later; but who is always late
/// must judge sometimes.
void Keeper::judgeLater(SteadyTime now)
{
    if (now - m_judgeFrom >= interval())
        m_judgeFrom = now + interval() / looksPerBeat;
}

/// Who has not been answered for too long is dead to the others, or will soon be; and who is answered
/// by somebody whom no majority follows.
void Keeper::checkLease(SteadyTime now)
{
    if (!m_picture.system().started) {
        m_leaseFrom = m_topLease = m_grantFrom = m_soleFrom = now;
        m_lateSinceLease = m_lateSinceTop = m_lateSinceGrant = {};
    }
    if (m_position.systemMaster) {
        m_leaseFrom = m_topLease = now;
        m_lateSinceLease = m_lateSinceTop = {};
        if (m_electorate.empty() || now >= m_nextBeat)
            countElectorate(now);
        countFollowers(now);
    }
    const auto [lease, grant] = leaseAndGrant(now);
    tellWords();
    judgeStanding(now - m_leaseFrom > lease || now - m_grantFrom > grant,
                  now - m_leaseFrom - m_lateSinceLease <= lease
                      && now - m_grantFrom - m_lateSinceGrant <= grant,
                  now);
    // Who was cut off itself has not heard of others for that reason.
    const bool granted = now - m_grantFrom <= m_options.trustBeats * interval();
    if (!std::exchange(m_granted, granted) && granted) {
        m_grantedSince = now;
        m_detector.beginAnew(now);
        m_book.forgetSilent([this](ProcessorId one) { return m_host.isElsewhere(one); });
    }
}

/// @return how long they last
std::pair<nanoseconds, nanoseconds> Keeper::leaseAndGrant(SteadyTime now) const
{
    const std::uint32_t grant = m_position.systemMaster ? m_options.leaseBeats
                                                        : m_options.leaseWaitBeats;
    return {m_options.leaseBeats * m_rhythm.longest(now, m_options.leaseBeats),
            grant * m_rhythm.former(now, m_options.leaseWaitBeats)};
}

/// The table of standings is in docs/membership.md.
/// @param over     its lease, or the grant of who it follows
/// @param excused  only as this processor was late itself
void Keeper::judgeStanding(bool over, bool excused, SteadyTime now)
{
    const nanoseconds since = now - m_standingSince;
    switch (m_standing) {
    case Standing::Valid:
        if (over)
            setStanding(excused ? Standing::Suspended : Standing::Lapsed, now);
        break;
    case Standing::Suspended:
        if (!over)
            setStanding(Standing::Valid, now);
        else if (since > m_options.suspendedBeats * interval())
            setStanding(Standing::Lapsed, now);
        break;
    case Standing::Lapsed:
        if (!over && (!m_letGo || m_stopped)) {
            setStanding(Standing::Valid, now);
        } else if (since > m_options.lapsedWithin) {
            giveUp();
            m_wayBack.fence(now); // there is nobody to ask
        }
        break;
    }
}

void Keeper::setStanding(Standing standing, SteadyTime now)
{
    if (standing != Standing::Lapsed)
        m_overlaps.forgetStint(); // it goes on, or stood still before it could go on for too long
    else if (m_standing == Standing::Valid)
        stopActing(now);
    m_standing = standing;
    m_standingSince = now;
    tellPart();
    if (!mayWrite())
        m_writing.clear(); // what was decided last is not published
    m_observer.standing(standing);
    if (standing == Standing::Valid) {
        m_book.forgetSilent([](ProcessorId) { return true; }); // it may have been this one
        reposition(now);
        if (m_position.systemMaster && needsMajority())
            beginGeneration();
        condemnAway(soleTime(now), now);
        lookAtHolding(true);
    } else if (standing == Standing::Lapsed && m_holding) {
        m_letGo = m_holding;
        m_stopped = false;
        hold(std::nullopt);
        m_observer.letGo(*m_letGo);
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

/// Whether a majority is known to follow the system master and nobody else: then nobody on whom it
/// does not count can act for longer than leases are waited for.
bool Keeper::trusted(SteadyTime now) const { return trustHolds(m_soleFrom, now); }

/// What a majority said then is not too old to act by.
bool Keeper::trustHolds(SteadyTime when, SteadyTime now) const
{
    return now - when <= m_options.trustBeats * m_rhythm.shortest(now, m_options.leaseWaitBeats);
}

/// Of who is elsewhere only a majority may say that it is lost: perhaps this side is cut off. That majority
/// must have been there after it fell silent, not only before.
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
    if (!m_host.isElsewhere(observed.processor))
        return true;
    const bool since = observed.what != Observation::Silent
        || m_soleFrom > now - observed.since + interval();
    return trusted(now) && since;
}

/// Whether that majority follows this processor itself: the trust that a candidate has from who came
/// before it says nothing of those whom it takes for away.
bool Keeper::trustedItself(SteadyTime now) const
{
    if (!m_position.systemMaster || m_support.reign() != m_self)
        return false;
    const auto when = m_electorate.majorityAlone(m_support);
    return when && trustHolds(timeOfStamp(*when), now);
}

/// The leases of those whose place this processor takes are over: for longer than they last, a
/// majority has heard of none of them.
void Keeper::establish(SteadyTime now)
{
    if (m_doubtful.empty() || !trustedItself(now))
        return;
    const Away away = std::exchange(m_doubtful, {});
    beginGeneration();
    reposition(now);
    m_burying = true;
    for (const ProcessorId silent : away) {
        for (const Observation what : {Observation::Silent, Observation::LeaseOver}) {
            observe({.processor = silent,
                     .what = what,
                     .cause = HealthCause::Silent,
                     .since = duration_cast<microseconds>(soleTime(now))},
                    now);
        }
    }
    m_burying = false;
    publish();
    fence(now);
}

void Keeper::giveUp()
{
    if (std::exchange(m_fenced, true))
        return;
    if (m_standing == Standing::Valid)
        stopActing(m_clock.now());
    if (m_holding)
        hold(std::nullopt);
    if (m_position.systemMaster)
        renounceIfUnused(m_clock.now());
    m_wayBack.fence(m_clock.now() + m_options.rejoinWithin);
    tellPart();
    m_observer.fenced();
}

} // namespace tasuki::hierarchy

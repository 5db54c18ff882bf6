// SPDX-License-Identifier: GPL-3.0-or-later
#include "following.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::nanoseconds;

namespace {

/// So long a system master that was just chosen is not left for a candidate: a few beats and replies, by which it is
/// known whether a majority follows it.
constexpr int choiceBeats = 5;

} // namespace

bool Following::takeStamp(ProcessorId from, const BeatReply& reply, nanoseconds majorityAge,
                          SteadyTime now)
{
    const Stamp& stamp = *reply.stamp;
    if (!m_at.view.knows(stamp.leader) || stamp.leader == m_at.self)
        return false;
    const bool above = from == m_at.position.parent
        || m_support.silentFor(now) > m_at.suspectTime();
    if (!m_support.takeWord(stamp, now - reply.stampAge, now) || m_at.position.systemMaster)
        return false;
    if (leader() != stamp.leader && leader() != m_at.self) {
        // Who has had a majority of late is left only when it has stood down itself, which those say
        // by whom its stamps came. A system master that was chosen a moment ago gets the time to have one
        // before a candidate is preferred.
        const bool early = stamp.candidate && now - m_mastersSince <= choiceBeats * m_at.interval();
        const bool better = !isRecent(now) && !early
            && (above || majorityAge <= m_at.options.recentBeats * m_at.interval());
        if (!better && (m_from != from || !above))
            return false;
    }
    m_from = from;
    if (leader() != stamp.leader)
        m_mastersSince = stamp.candidate ? SteadyTime{} : now;
    m_support.follow(stamp.leader);
    noteSeen({.leader = stamp.leader, .granted = now - majorityAge});
    return true;
}

void Following::takeStampOutside(const BeatReply& reply, SteadyTime now)
{
    if (!reply.stamp || reply.stamp->leader == m_at.self || !m_at.view.knows(reply.stamp->leader))
        return;
    m_support.takeWord(*reply.stamp, now - reply.stampAge, now);
    const auto followed = leader();
    if (!followed || followed == m_at.self || m_support.silentFor(now) > m_at.lostTime()
        || placeInSuccession(m_at.view, reply.stamp->leader)
            < placeInSuccession(m_at.view, *followed))
        m_support.follow(reply.stamp->leader);
    acknowledge(now);
}

void Following::hasStoodDown(ProcessorId one)
{
    if (one == leader())
        m_seen.reset();
}

void Following::takeGrant(const BeatReply& reply, SteadyTime asked, Lease& lease)
{
    // The grant of one whom this processor does not follow says nothing to it.
    if (!reply.stamp || reply.stamp->leader != leader() || m_at.position.systemMaster)
        return;
    noteSeen({.leader = reply.stamp->leader,
              .granted = asked - reply.majorityAge,
              .followed = asked - reply.followedAge});
    const bool knows = reply.stamp->table == m_at.view.system().version; // what became of it
    if ((reply.stamp->candidate || !knows) && mayBeBuriedBy(reply.stamp->leader))
        return;
    lease.takeGrant(asked - reply.grantAge);
    lease.takeSole(asked - reply.soleAge);
}

/// Whether this processor may be one of those that a candidate buries when it is established: for it their
/// leases are over then, so none of them goes on by a word of it.
bool Following::mayBeBuriedBy(ProcessorId candidate) const
{
    const std::uint32_t place = placeInSuccession(m_at.view, candidate);
    const ClusterTable& table = m_at.ownCluster();
    const UnitId unit = table.member(m_at.self)->unit;
    return std::ranges::any_of(table.members, [&](const MemberRow& row) {
        return row.unit == unit && row.processor != candidate
            && placeInSuccession(m_at.view, row.processor) < place;
    });
}

void Following::acknowledge(SteadyTime now)
{
    if (m_at.readiness != Readiness::Leaving)
        m_support.acknowledge(m_at.view, now, m_at.soleTime(now));
    m_log.acknowledged(m_support);
}

void Following::noteSeen(const Seen& seen)
{
    if (!m_seen || m_seen->leader != seen.leader)
        m_seenBefore = std::exchange(m_seen, seen);
    m_seen->granted = std::max(m_seen->granted, seen.granted);
    m_seen->followed = std::max(m_seen->followed, seen.followed);
}

Following::Seen Following::seen() const
{
    return m_seen && m_seen->leader == leader() ? *m_seen : Seen{};
}

bool Following::isRecent(SteadyTime now) const
{
    return m_seen && m_seen->leader == leader() && m_support.silentFor(now) <= m_at.lostTime()
        && now - m_seen->granted <= m_at.options.recentBeats * m_at.interval();
}

void Following::stampHere(SteadyTime now)
{
    m_support.follow(m_at.self);
    m_support.takeWord({.leader = m_at.self,
                        .when = stampTime(now),
                        .table = m_at.view.system().version,
                        .candidate = systemMaster(m_at.view) != m_at.self},
                       now, now);
    m_log.stamped(m_support);
}

void Following::countElectorate(const std::function<SteadyTime(SubclusterId)>& adoptedAt,
                                SteadyTime now)
{
    const auto hasEnded = [this](ProcessorId one) {
        const MemberRow& row = m_at.view.member(one);
        return one != m_at.self
            && (row.ended || (row.health != Health::Expected && m_at.host.hasEnded(one)));
    };
    const auto known = [&](ProcessorId one) {
        return m_at.view.member(one).ended ? adoptedAt(m_at.view.subclusterOf(one)) : now;
    };
    m_electorate.count(m_at.view, hasEnded, known, now, m_at.soleTime(now));
}

void Following::countFollowers(Lease& lease, SteadyTime now)
{
    stampHere(now);
    acknowledge(now);
    if (!m_at.needsMajority()) {
        lease.grantsItself(now);
        m_ownGrant = now;
        noteSeen({.leader = m_at.self, .granted = now, .followed = now});
        return;
    }
    const auto alone = m_electorate.majorityAlone(m_support);
    // Some of them may have gone to another one since, if that is long ago.
    const bool fresh = alone && lease.trustHolds(timeOfStamp(*alone), now);
    const auto followed = m_electorate.majority(m_support);
    const auto any = lease.standing() == Standing::Valid ? followed : fresh ? alone : std::nullopt;
    if (any)
        noteSeen({.leader = m_at.self, .granted = timeOfStamp(*any)});
    if (followed)
        noteSeen({.leader = m_at.self, .followed = timeOfStamp(*followed)});
    const bool granted = any && lease.takeGrant(timeOfStamp(*any));
    const bool sole = alone && lease.takeSole(timeOfStamp(*alone));
    if (granted || sole)
        m_ownGrant = now;
}

void Following::inheritGrant(Lease& lease, const Unreachable& unreachable) const
{
    SteadyTime granted{};
    for (const auto& seen : {m_seen, m_seenBefore}) {
        if (seen
            && (!m_at.view.member(seen->leader).living() || m_at.host.hasEnded(seen->leader)
                || unreachable.contains(seen->leader)))
            granted = std::max(granted, seen->granted);
    }
    lease.lowerGrant(granted);
}

bool Following::trustedItself(const Lease& lease, SteadyTime now) const
{
    if (!m_at.position.systemMaster || leader() != m_at.self)
        return false;
    const auto when = m_electorate.majorityAlone(m_support);
    return when && lease.trustHolds(timeOfStamp(*when), now);
}

void Following::renounceIfUnused(SteadyTime now)
{
    if (m_ownGrant && now - *m_ownGrant <= m_at.soleTime(now))
        return;
    m_support.renounce(now);
    m_log.renounced({.leader = m_at.self, .when = stampTime(now)});
}

std::optional<SystemTable> Following::nextVoters(const Lease& lease, SteadyTime now)
{
    SystemTable system = m_at.view.system();
    if (!system.votersToBe.empty()) {
        if (m_votersSince == 0)
            m_votersSince = stampTime(now); // a former system master's, which some have not
        const auto alone = m_electorate.majorityAlone(m_support);
        if (!alone || *alone <= m_votersSince
            || !m_electorate.allHave(m_support, m_at.view, m_votersSince))
            return std::nullopt;
        system.voters = std::exchange(system.votersToBe, {});
        return system;
    }
    const std::vector<ProcessorId> wanted = votersWanted(m_at.view);
    const std::vector<ProcessorId> voters = votersOf(m_at.view);
    const bool ended = std::ranges::all_of(voters, [this](ProcessorId one) {
        return m_at.view.member(one).living() || m_at.view.member(one).ended;
    });
    const bool missing = std::ranges::any_of(
        wanted, [&](auto one) { return !std::ranges::binary_search(voters, one); });
    if (ended && !missing)
        return std::nullopt; // those that have ended count no more in any case
    // From then on nothing is decided without a majority of these, too.
    if (const auto alone = m_support.majority(wanted, true);
        !alone || !lease.trustHolds(timeOfStamp(*alone), now))
        return std::nullopt;
    system.votersToBe = wanted;
    return system;
}

void Following::wrote(const SystemTable& table, SteadyTime now)
{
    // Whoever has only an earlier table that lists voters to be may take another one's for newer.
    m_votersSince = table.votersToBe.empty() ? 0 : stampTime(now);
}

void Following::adopted()
{
    m_votersSince = 0;
    m_electorate.clear();
}

void Following::hear(Generation generation, const std::vector<Stamp>& renounced, SteadyTime now)
{
    m_generation = std::max(m_generation, generation);
    for (const Stamp& stamp : renounced) {
        if (stamp.leader != m_at.self && m_support.takeRenounced(stamp, now))
            m_log.renounced(stamp);
    }
}

Generation Following::latestGeneration() const
{
    const MembershipView& view = m_at.view;
    Generation latest = std::max(m_generation, generationOf(view.system().version.term));
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number)
        latest = std::max(latest, generationOf(view.cluster(SubclusterId(number)).version.term));
    return latest;
}

void Following::beginAnew()
{
    m_electorate = {};
    m_ownGrant.reset();
    m_seenBefore.reset();
}

} // namespace tasuki::hierarchy

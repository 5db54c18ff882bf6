// SPDX-License-Identifier: GPL-3.0-or-later
#include "membershipagent.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::nanoseconds;

MembershipAgent::MembershipAgent(ProcessorId self, MembershipView view, MembershipOptions options,
                                 ControlPort& control, HostPort& host, const Clock& clock,
                                 MembershipObserver observer)
    : m_observer(std::move(observer)),
      m_state(Situation(self, std::move(view), options, host, clock), m_observer.decisions),
      m_messenger(m_state, control),
      m_participant(m_state, m_messenger, m_observer),
      m_office(m_state, m_messenger, m_participant, m_observer),
      m_outsider(m_state, m_messenger, m_participant, m_observer, [this] { m_office.beginAnew(); })
{
    assert(m_at.view.knows(self));
}

void MembershipAgent::start()
{
    const SteadyTime now = m_at.clock.now();
    m_office.begin(now);
    m_participant.start(now);
}

void MembershipAgent::announce()
{
    m_office.compare();
    m_participant.announce();
}

SteadyTime MembershipAgent::sleepUntil(SteadyTime due)
{
    m_state.lookout.sleep(due);
    return due;
}

SteadyTime MembershipAgent::poll()
{
    const SteadyTime now = m_at.clock.now();
    if (m_at.fenced) {
        m_messenger.sayOverlap(); // also by who is fenced
        m_outsider.poll(now);
        return sleepUntil(now + m_at.interval());
    }
    const bool late = m_participant.noteLateness(now);
    m_participant.checkLease(now);
    if (m_at.fenced)
        return sleepUntil(now + m_at.interval());
    tellSilence(now);
    if (late)
        m_state.lookout.judgeLater(now);
    if (m_state.lookout.judges(now))
        lookAround(now);
    if (m_state.lookout.judges(now) && !m_at.fenced) {
        m_participant.judgeTop(now);
        m_participant.establish(now);
        m_office.settleVoters(now);
    }
    judgeSelf(now);
    m_office.watchStart(now);
    if (m_at.fenced)
        return sleepUntil(now + m_at.interval());
    Correspondence& beats = m_state.correspondence;
    if (now >= beats.nextBeat()) {
        beat(now);
        beats.setNextBeat(std::max(beats.nextBeat() + m_at.interval(), now + m_at.interval() / 2));
    }
    m_participant.publish();
    announce();
    return sleepUntil(std::min(beats.nextBeat(), nextLook(now)));
}

SteadyTime MembershipAgent::nextLook(SteadyTime now) const
{
    const bool settling = !m_at.started() || !m_state.succession.unreachable().empty()
        || !m_state.succession.doubtful().empty() || m_state.desk.condemns();
    return m_state.lookout.nextLook(
        settling, m_state.lease.quietUntil(m_state.succession.topLease(), now), now);
}

void MembershipAgent::lookAround(SteadyTime now)
{
    m_participant.observeEndedBefore();
    for (const Sighting& sighting : m_state.lookout.look(now))
        m_participant.observe(m_state.lookout.observed(sighting), now);
    m_messenger.ask(m_state.lookout.adoptChildrenOfTheLate(now));
    m_state.lookout.dropAdopted(now);
    for (const ProcessorId processor : m_state.desk.leasesOver(now))
        m_participant.observe({.processor = processor, .what = Observation::LeaseOver}, now);
}

/// What is seen of who is watched and the tables do not say.
void MembershipAgent::compareHealth(SteadyTime now)
{
    for (const ProcessorId processor : m_state.lookout.watched()) {
        if (const auto missing = m_state.lookout.missingInTable(processor, now))
            m_participant.observe(*missing, now);
    }
}

/// Nobody else says of a cluster master that it is ready, or is as good as before.
void MembershipAgent::judgeSelf(SteadyTime now)
{
    if (!m_at.position.clusterMaster)
        return;
    const Health health = m_at.view.member(m_at.self).health;
    if (m_at.readiness == Readiness::Ready && health == Health::Expected)
        m_participant.observe({.processor = m_at.self, .what = Observation::Ready}, now);
    else if (health == Health::Suspect)
        m_participant.observe({.processor = m_at.self, .what = Observation::Back}, now);
}

void MembershipAgent::tellSilence(SteadyTime now)
{
    if (const auto silent = m_state.succession.silenceChanged(now))
        m_observer.masterSilent(*silent);
}

void MembershipAgent::beat(SteadyTime now)
{
    m_messenger.sayOverlap();
    if (m_at.position.parent)
        m_messenger.beat(*m_at.position.parent);
    beatPastTheDeaf(now);
    beatAround(now);
    askTheUnheard(now);
    m_messenger.ask(m_state.succession.toAsk(now));
    m_messenger.send(m_state.desk.resync());
    compareHealth(now);
    reportOpen(now);
    m_participant.fence(now);
    m_office.sayOrders(now);
    m_office.sayRecalled();
    m_participant.lookAtHolding(true);
    m_messenger.send(m_state.desk.toPass());
}

/// Says again what the tables do not show yet.
void MembershipAgent::reportOpen(SteadyTime now)
{
    ObservationBook& book = m_state.book;
    if (book.empty())
        return;
    book.compare(m_at.view);
    m_participant.report(book.open(now), now);
    book.forgetPassing();
    // It is seen again, if it is so still: whoever decides later must not go by what was.
    book.forgetSilent([this](ProcessorId one) {
        return m_at.host.isElsewhere(one) || !m_state.lookout.isSilent(one);
    });
}

/// A cluster master that is heard of by others may hear nothing itself: then nobody else would look
/// after its unit masters.
void MembershipAgent::beatPastTheDeaf(SteadyTime now)
{
    const auto top = m_state.succession.first();
    if (m_at.position.unitMaster && m_at.position.parent && top && top != m_at.position.parent
        && m_state.lease.lease().age(now) > 2 * m_at.suspectTime())
        m_messenger.beat(*top);
}

/// Who has lapsed may have been given up by the others, or know less than they: it beats to who was system
/// master, too, and each time to another one of all.
void MembershipAgent::beatAround(SteadyTime now)
{
    if (m_state.lease.standing() != Standing::Lapsed)
        return;
    for (const ProcessorId to : m_state.wayBack.next(m_at.view, m_state.following.leader())) {
        // Who asks gets a beat for that; of two at once it would answer this one alone.
        if (to != m_at.position.parent && !m_state.correspondence.wasAskedLately(to, now))
            m_messenger.beat(to, false);
    }
}

/// Who should beat to here and does not may not know it: what it answers makes it ask for tables.
void MembershipAgent::askTheUnheard(SteadyTime now)
{
    const std::set<ProcessorId>& adopted = m_state.lookout.adopted();
    m_messenger.ask({adopted.begin(), adopted.end()});
    for (const ProcessorId child : m_at.position.children) {
        // Not what else has come from it: who beats to somebody else may say things here too.
        if (!adopted.contains(child) && m_state.correspondence.missesBeatOf(child, now))
            m_messenger.send(child, Ask{});
    }
}

void MembershipAgent::receive(ProcessorId from, const ControlMessage& message, Life life)
{
    if (from == m_at.self || !m_at.view.knows(from))
        return;
    m_participant.wake(m_at.clock.now());
    if (m_at.fenced) {
        m_outsider.receive(from, message);
        return;
    }
    if (const auto* const overlap = std::get_if<Overlap>(&message)) {
        m_office.hear(from, *overlap); // whatever has become of the life in which that is said
        return;
    }
    if (const auto* const plea = std::get_if<Rejoin>(&message)) {
        m_office.hear(from, *plea);
        announce();
        return;
    }
    if (!mayCount(from, message, life))
        return;
    const SteadyTime now = m_at.clock.now();
    const auto* const beat = std::get_if<Beat>(&message);
    if (beat != nullptr)
        m_state.correspondence.hearLapsed(from, beat->lapsed, now);
    if (!m_state.correspondence.isDeaf(from, now))
        m_state.lookout.hear(from, now);
    m_participant.hearFromAbove(from,
                                beat != nullptr || std::holds_alternative<BeatReply>(message));
    std::visit([&](const auto& content) { on(from, content); }, message);
    m_participant.observeEndedBefore();
    announce();
}

/// What is dead for all, or is to be, says nothing any more; if it lives, it is told. Of a life that
/// the tables do not have yet nothing counts.
bool MembershipAgent::mayCount(ProcessorId from, const ControlMessage& message, Life life)
{
    const MemberRow& row = m_at.view.member(from);
    const bool over = row.health >= Health::Condemned || life < row.life;
    if ((!over && life == row.life) || std::holds_alternative<Banish>(message))
        return true;
    if (over && life <= row.life)
        m_messenger.send(from,
                         Banish{.life = life, .lostFor = m_state.overlaps.lostFor(from, life)});
    // Of a guest the tables may know nothing any more: others than those that had let it in went on.
    const ClusterTablePtr& theirs = m_at.view.clusterPtr(m_at.view.subclusterOf(from));
    const auto* const beat = std::get_if<Beat>(&message);
    if (row.reserved() && beat != nullptr && beat->own < theirs->version)
        m_messenger.send(from, Tables{.clusters = {theirs}, .system = nullptr});
    return false;
}

void MembershipAgent::gone(ProcessorId processor)
{
    if (m_at.fenced || !m_at.view.knows(processor))
        return;
    const SteadyTime now = m_at.clock.now();
    m_participant.wake(now);
    m_participant.observe(
        {.processor = processor, .what = Observation::Gone, .cause = HealthCause::Gone}, now);
    announce();
}

void MembershipAgent::setReadiness(Readiness readiness)
{
    m_at.readiness = readiness;
    m_participant.tellHolding();
}

void MembershipAgent::hasStopped(const Holding& holding)
{
    if (m_at.fenced || !m_state.seat.stopped(holding))
        return;
    m_participant.lookAtHolding(true);
    m_participant.publish();
    announce();
}

void MembershipAgent::giveUpPlace()
{
    m_participant.wake(m_at.clock.now()); // who stood still meanwhile knows that its lease is over
    if (m_at.fenced)
        return;
    m_participant.giveUp();
    m_state.overlaps.prove();
    announce();
}

Result<void> MembershipAgent::order(const Order& order)
{
    Result<void> taken = m_office.order(order);
    if (taken)
        announce();
    return taken;
}

Result<void> MembershipAgent::changeSettings(const Settings& settings)
{
    Result<void> taken = m_office.changeSettings(settings);
    if (taken)
        announce();
    return taken;
}

void MembershipAgent::recall(std::vector<RecordedSeat> seats)
{
    m_office.recall(std::move(seats));
    announce();
}

void MembershipAgent::on(ProcessorId from, const Beat& beat)
{
    const SteadyTime now = m_at.clock.now();
    if (m_state.correspondence.hearBeat(from, beat.number, now))
        m_messenger.send(from, m_messenger.replyTo(beat.number, now));
    if (m_state.succession.doubtful().contains(from))
        m_messenger.beat(from); // what it replies says whether it may come back
    noteBeat(from, beat, now);
    const ClusterTable& theirs = m_at.view.cluster(m_at.view.subclusterOf(from));
    // Tables of its subcluster climb from a cluster master, and from one that was it until now. One
    // beat later than the table itself should have come.
    const bool newer = m_state.correspondence.announces(from, beat.own, theirs.version);
    if (newer || beat.system > m_at.view.system().version)
        m_messenger.send(from, TablesWanted{m_at.view.versions()});
    if (beat.readiness == Readiness::Leaving) {
        m_participant.observe({.processor = from, .what = Observation::Left}, now);
    } else if (clusterMaster(theirs) != from && beat.readiness == Readiness::Ready
               && theirs.member(from)->health == Health::Expected) {
        m_participant.observe({.processor = from, .what = Observation::Ready}, now);
    }
}

/// What a beat says of its sender.
void MembershipAgent::noteBeat(ProcessorId from, const Beat& beat, SteadyTime now)
{
    const SubclusterId subcluster = m_at.view.subclusterOf(from);
    m_state.following.hear(beat.generation, beat.renounced, now);
    if (beat.support)
        m_state.following.take(m_at.view.cluster(subcluster), *beat.support);
    m_state.lookout.hearProgress(from, beat.turns, now);
    m_state.correspondence.hearDigest(from, beat.digest);
    TableWriter* const writer = m_state.desk.writerOf(subcluster);
    if (writer == nullptr)
        return;
    if (beat.holding)
        writer->heardOf(*beat.holding);
    writer->follows(from, beat.own.term, now);
    if (writer->changed())
        m_participant.publish();
}

void MembershipAgent::on(ProcessorId from, const BeatReply& reply)
{
    const SteadyTime now = m_at.clock.now();
    Following& following = m_state.following;
    following.hear(reply.generation, reply.renounced, now);
    const auto asked = m_state.correspondence.takeAnswered(reply.number);
    // What waited in a socket is older than it says.
    const nanoseconds majorityAge = asked ? now - asked->sent + reply.majorityAge : longestAge;
    if (!reply.stamp)
        following.hasStoodDown(from);
    // An old word, though it is news, is no sign of life.
    else if (following.takeStamp(from, reply, majorityAge, now)
             && reply.leaseAge < m_at.suspectTime())
        m_participant.hearAgain(reply.stamp->leader, majorityAge, now);
    if (reply.stamp && reply.stamp->table > m_at.view.system().version)
        m_messenger.send(from, TablesWanted{m_at.view.versions()});
    if (asked && asked->forLease)
        takeLeases(from, reply, asked->sent);
    m_participant.tellWords();
    if (reply.stamp && reply.stamp->leader == from)
        m_participant.hearAgain(from, majorityAge, now);
    if (m_state.correspondence.differs(from, reply.digest))
        m_messenger.send(from, TablesWanted{m_at.view.versions()});
}

/// What an answer says of leases counts from when it was asked for.
void MembershipAgent::takeLeases(ProcessorId from, const BeatReply& reply, SteadyTime asked)
{
    const SteadyTime given = asked - reply.leaseAge;
    m_state.lease.takeLease(from, given);
    m_state.succession.takeTopLease(reply, given);
    m_state.following.takeGrant(reply, asked, m_state.lease);
}

void MembershipAgent::on(ProcessorId from, const Ask&)
{
    if (m_state.correspondence.hearAsk(from, m_at.clock.now()))
        m_messenger.beat(from);
}

/// What is said of an earlier life is known; what is said of another process with this number does not count.
void MembershipAgent::on(ProcessorId from, const Banish& banish)
{
    if (banish.life < m_at.life || arrivalOf(banish.life) != arrivalOf(m_at.life))
        return;
    m_participant.giveUp();
    m_participant.hearOfOwnLoss(from, banish.lostFor);
}

void MembershipAgent::on(ProcessorId from, const Tables& tables)
{
    m_participant.take(tables, from);
}

void MembershipAgent::on(ProcessorId from, const TablesWanted& wanted)
{
    Tables tables = newerThan(wanted.have, m_at.view);
    if (!isEmpty(tables))
        m_messenger.send(from, std::move(tables));
}

void MembershipAgent::on(ProcessorId, const Observations& observations)
{
    const SteadyTime now = m_at.clock.now();
    // They are said again. What has waited while nothing could be heard here is not so any more.
    if (!m_state.lease.mayWrite() || m_state.lease.wasDeaf(now, m_at.suspectTime()))
        return;
    for (const Observed& observed : observations.observed) {
        // Of the system master others can tell that its process has ended, and no more.
        if (m_at.view.knows(observed.processor)
            && (observed.processor != m_state.succession.top() || observed.what == Observation::Gone
                || observed.what == Observation::Left || observed.what == Observation::Returned))
            m_participant.observe(observed, now);
    }
}

void MembershipAgent::on(ProcessorId, const Fence& fence)
{
    // It is said again. It may be an old word of somebody who takes this one for well; and who was stopped
    // or cut off with this one has the time to give itself up.
    const SteadyTime now = m_at.clock.now();
    const nanoseconds time = m_at.options.trustBeats * m_at.interval();
    const Lease& lease = m_state.lease;
    if (lease.standing() != Standing::Valid || now - lease.standingSince() < time
        || lease.wasDeaf(now, time))
        return;
    for (const ProcessorId processor : fence.processors) {
        if (!m_at.view.knows(processor) || processor == m_at.self)
            continue;
        const Presence presence = m_at.host.presence(processor);
        if (presence == Presence::Gone)
            gone(processor);
        if (presence == Presence::Gone || presence == Presence::Elsewhere)
            continue;
        m_at.host.watch(processor);
        m_at.host.kill(processor);
    }
}

void MembershipAgent::on(ProcessorId from, const Taken& taken)
{
    if (TableWriter* const writer = m_state.desk.writerOf(m_at.view.subclusterOf(from))) {
        writer->taken(from, taken.holding, m_at.clock.now());
        m_participant.publish();
    }
}

void MembershipAgent::on(ProcessorId from, const Vacated& vacated)
{
    if (TableWriter* const writer = m_state.desk.writerOf(m_at.view.subclusterOf(from))) {
        writer->vacated(from, vacated.holding, m_at.clock.now());
        m_participant.publish();
    }
}

void MembershipAgent::on(ProcessorId from, const Orders& orders)
{
    m_office.carryOut(from, orders);
}

void MembershipAgent::on(ProcessorId from, const Rejoin& plea) { m_office.hear(from, plea); }

void MembershipAgent::on(ProcessorId from, const Overlap& overlap) { m_office.hear(from, overlap); }

void MembershipAgent::on(ProcessorId, const Admission&) {} // for who asks

void MembershipAgent::on(ProcessorId, const Recorded& recorded) { m_office.recall(recorded); }

} // namespace tasuki::hierarchy

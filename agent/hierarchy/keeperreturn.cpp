// SPDX-License-Identifier: GPL-3.0-or-later
// Who has given itself up asks to be let in again; who lets it in, and what it begins anew with.
#include "keeper.h"

#include "domain/systemevents.h"

#include <utility>

namespace tasuki::hierarchy {

void Keeper::comeBack()
{
    if (m_wayBack.state() != WayBack::State::Fenced)
        return;
    if (!m_picture.system().settings.rejoin || !m_picture.system().started) {
        shutOut();
        return;
    }
    beginLife(m_life + 1);
    m_wayBack.ask();
    m_nextBeat = m_clock.now();
}

/// What others have of an earlier life does not count from now on, neither what they say to it.
void Keeper::beginLife(std::uint32_t life)
{
    m_life = life;
    m_sent.clear();
    m_control.beginLife(life);
    if (m_observer.decisions != nullptr)
        m_observer.decisions->beganLife(life);
}

void Keeper::askToBeLetIn(SteadyTime now)
{
    sayOverlap();
    if (m_wayBack.overdue(now))
        shutOut();
    if (m_wayBack.state() != WayBack::State::Asking || now < m_nextBeat)
        return;
    m_nextBeat = now + interval();
    for (const ProcessorId to : m_wayBack.next(m_picture, m_support.reign())) {
        m_sent[++m_beats] = {.sent = now};
        Rejoin plea{.processor = m_self,
                    .life = m_life,
                    .number = m_beats,
                    .system = m_picture.system().version,
                    .generation = latestGeneration(),
                    .renounced = m_support.renounced(now, soleTime(now))};
        if (const auto acknowledged = m_support.acknowledged()) {
            plea.acknowledged = acknowledged->first;
            plea.sole = acknowledged->second;
        }
        m_control.send(to, plea);
    }
    while (m_sent.size() > mostUnanswered)
        m_sent.erase(m_sent.begin());
}

void Keeper::shutOut()
{
    m_wayBack.end();
    tellPart();
    m_observer.shutOut();
}

/// What one hears that is no member.
void Keeper::receiveOutside(ProcessorId from, const ControlMessage& message)
{
    if (m_wayBack.state() != WayBack::State::Asking)
        return;
    if (const auto* const admission = std::get_if<Admission>(&message)) {
        enter(from, *admission);
    } else if (const auto* const banish = std::get_if<Banish>(&message); banish != nullptr) {
        hearOfOwnLoss(from, banish->lostFor);
        if (banish->life >= m_life && banish->forGood)
            shutOut();
        else if (banish->life >= m_life)
            beginLife(banish->life + 1); // it was let in, did not hear of it, and was lost again
    } else if (const auto* const reply = std::get_if<BeatReply>(&message)) {
        followOutside(*reply);
    } else if (const auto* const tables = std::get_if<Tables>(&message);
               tables != nullptr && tables->system != nullptr) {
        if (m_picture.adopt(tables->system)) // by which votes count
            tellAdopted(*tables->system);
    }
}

/// Who is to be let in may be needed for a majority before anybody can let it in.
void Keeper::followOutside(const BeatReply& reply)
{
    const SteadyTime now = m_clock.now();
    hearGeneration(reply.generation, reply.renounced);
    if (!reply.stamp || reply.stamp->reign == m_self || !m_picture.knows(reply.stamp->reign))
        return;
    m_support.takeWord(*reply.stamp, now - reply.stampAge, now);
    const auto reign = m_support.reign();
    const auto silence = m_picture.system().settings.lostAfter * interval();
    if (!reign || reign == m_self || m_support.silentFor(now) > silence
        || placeInSuccession(m_picture, reply.stamp->reign) < placeInSuccession(m_picture, *reign))
        m_support.follow(reply.stamp->reign);
    acknowledge(now);
}

/// What is decided here about somebody who is not one of those that live in that life.
Keeper::Entry Keeper::entryOf(const Rejoin& plea, SteadyTime now) const
{
    const MemberRow& row = m_picture.member(plea.processor);
    if (!actsAsSystemMaster() || !trusted(now))
        return Entry::AskOthers;
    const bool refused = !m_picture.system().settings.rejoin || row.health == Health::Left
        || (isAway(row.health) && row.cause == HealthCause::Ordered)
        || m_readiness == Readiness::Leaving;
    if (refused)
        return Entry::Never;
    return plea.life > row.life ? Entry::Open : Entry::OtherLife;
}

void Keeper::on(ProcessorId from, const Rejoin& plea)
{
    const SteadyTime now = m_clock.now();
    const ProcessorId who = plea.processor;
    if (!m_picture.knows(who) || who == m_self)
        return;
    const MemberRow& row = m_picture.member(who);
    hearGeneration(plea.generation, plea.renounced);
    if (plea.acknowledged && plea.acknowledged->reign == m_support.reign())
        m_support.note(who, plea.acknowledged->when, plea.sole);
    if (row.life == plea.life && row.health < Health::Condemned) {
        send(who,
             Admission{.life = plea.life,
                       .reply = replyTo(plea.number, now),
                       .tables = newerThan({}, m_picture),
                       .lostFor = lostFor(who, plea.life - 1)});
        return;
    }
    switch (entryOf(plea, now)) {
    case Entry::Open:
        // Who lets it in when the tables say so may not know since when.
        if (const auto lost = lostFor(who, plea.life - 1))
            send(who, Banish{.life = plea.life - 1, .lostFor = lost});
        observe({.processor = who,
                 .what = Observation::Returned,
                 .cause = HealthCause::Silent,
                 .since = m_detector.watches(who)
                     ? std::chrono::duration_cast<std::chrono::microseconds>(
                         now - m_detector.heard(who))
                     : std::chrono::microseconds(0),
                 .life = plea.life},
                now);
        return;
    case Entry::OtherLife:
        send(who, Banish{.life = row.life, .lostFor = lostFor(who, row.life)});
        return;
    case Entry::Never: send(who, Banish{.life = plea.life, .forGood = true}); return;
    case Entry::AskOthers: break;
    }
    send(who, replyTo(plea.number, now));
    if (plea.system < m_picture.system().version)
        send(who, Tables{.clusters = {}, .system = m_picture.systemPtr()});
    // Passed on once, by whom it was said to.
    if (const auto top = topOfAll(); from == who && top && *top != m_self && *top != who)
        send(*top, plea);
}

void Keeper::on(ProcessorId, const Admission&) {} // for who asks

/// Begins anew with what somebody knows who is a member: nothing that was decided here, or by others
/// who were cut off too, counts any more.
void Keeper::enter(ProcessorId from, const Admission& admission)
{
    const auto sent = m_sent.find(admission.reply.number);
    if (admission.life != m_life || sent == m_sent.end())
        return;
    Picture picture = m_first;
    for (const ClusterTablePtr& table : admission.tables.clusters)
        picture.adopt(table);
    if (admission.tables.system != nullptr)
        picture.adopt(admission.tables.system);
    picture.adopt(m_picture.systemPtr()); // who votes it does not forget
    const MemberRow& row = picture.member(m_self);
    const SteadyTime lease = sent->second.sent - admission.reply.leaseAge;
    const SteadyTime now = m_clock.now();
    if (row.life != m_life || row.health >= Health::Condemned
        || now - lease > m_options.leaseBeats * picture.system().settings.heartbeat / 2)
        return; // it is asked again
    hearOfOwnLoss(from, admission.lostFor);
    const Picture before = std::exchange(m_picture, std::move(picture));
    forgetAll(now);
    applySettings(now);
    m_leaseFrom = m_topLease = lease;
    m_grantFrom = sent->second.sent - admission.reply.grantAge;
    m_soleFrom = sent->second.sent - admission.reply.soleAge;
    m_sent.clear();
    m_wayBack.enter();
    m_fenced = false;
    m_observer.standing(m_standing);
    if (before.system().version != m_picture.system().version)
        tellAdopted(m_picture.system());
    for (std::uint32_t number = 0; number < m_picture.clusterCount(); ++number) {
        if (const SubclusterId one(number);
            before.cluster(one).version != m_picture.cluster(one).version)
            tellAdopted(m_picture.cluster(one));
    }
    tellWords();
    tellPart();
    m_changed = true;
    m_observer.rejoined();
    announce(); // the picture comes before what follows from it
    reposition(now);
    lookAtHolding();
}

/// What it held last it still says: no holding is given out twice.
void Keeper::forgetAll(SteadyTime now)
{
    m_position = {};
    m_detector = FailureDetector(Thresholds{});
    m_rhythm = Rhythm(m_picture.system().settings.heartbeat);
    m_book = {};
    m_orders = OrderBook(m_self);
    m_recalled.clear();
    m_flow = {};
    m_writing.clear();
    m_adoptedAt.assign(m_picture.clusterCount(), now);
    m_adopted.clear();
    m_digests.clear();
    m_announced.clear();
    m_answered.clear();
    m_asked.clear();
    m_stopped = true;
    m_differences.clear();
    m_endedBefore.clear();
    m_nextBeat = m_due = m_judgeFrom = now;
    m_lateSinceLease = m_lateSinceTop = {};
    m_granted = true;
    // What it has acknowledged it remembers: others may count on that still.
    m_electorate = {};
    m_told.ended.clear();
    m_lateSinceGrant = {};
    m_ownGrant.reset();
    m_passedOver.clear();
    m_reignBefore.reset();
    m_standing = Standing::Valid;
    m_standingSince = now;
    m_heard.clear();
    m_lapsed.clear();
    m_away.clear();
    m_doubtful.clear();
    m_top.reset();
    m_topHeard = m_succeedFrom = m_parentSince = now;
    m_muster = false;
    m_overlaps.forgetStint();
    m_overlaps.forgetLosses();
}

/// Takes a table into the picture if it is newer. A processor that came back is another one also for
/// those who have not seen that it was lost.
bool Keeper::adopt(const ClusterTablePtr& table)
{
    if (table->subcluster.value() >= m_picture.clusterCount())
        return false;
    const ClusterTablePtr before = m_picture.clusterPtr(table->subcluster);
    if (!m_picture.adopt(table))
        return false;
    noteLosses(*before, *table);
    for (const MemberRow& row : table->members) {
        if (before->member(row.processor)->life != row.life && row.processor != m_self)
            forget(row.processor);
    }
    return true;
}

void Keeper::forget(ProcessorId processor)
{
    m_detector.unwatch(processor);
    m_adopted.erase(processor);
    m_digests.erase(processor);
    m_announced.erase(processor);
    m_answered.erase(processor);
    m_asked.erase(processor);
    m_differences.erase(processor);
    m_heard.erase(processor);
    m_lapsed.erase(processor);
    m_away.erase(processor);
    m_doubtful.erase(processor);
    std::erase(m_endedBefore, processor);
    if (m_top == processor)
        m_top.reset();
}

} // namespace tasuki::hierarchy

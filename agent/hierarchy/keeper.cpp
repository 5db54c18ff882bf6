// SPDX-License-Identifier: GPL-3.0-or-later
#include "keeper.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

namespace {

HealthCause causeOf(Sign sign, Presence presence)
{
    switch (sign) {
    case Sign::Late:
    case Sign::Back: return HealthCause::Late;
    case Sign::Silent:
        return presence == Presence::Stopped ? HealthCause::Stopped : HealthCause::Silent;
    case Sign::Stuck: return HealthCause::Stuck;
    }
    return HealthCause::None;
}

Observation observationOf(Sign sign)
{
    switch (sign) {
    case Sign::Late: return Observation::Late;
    case Sign::Back: return Observation::Back;
    case Sign::Silent: return Observation::Silent;
    case Sign::Stuck: return Observation::Stuck;
    }
    return Observation::Late;
}

} // namespace

Keeper::Keeper(ProcessorId self, Picture picture, KeeperOptions options, ControlPort& control,
               HostPort& host, const Clock& clock, KeeperObserver observer)
    : m_self(self),
      m_first(picture),
      m_picture(std::move(picture)),
      m_options(std::move(options)),
      m_control(control),
      m_host(host),
      m_clock(clock),
      m_observer(std::move(observer)),
      m_detector(Thresholds{}),
      m_rhythm(m_picture.system().settings.heartbeat),
      m_orders(self),
      m_adoptedAt(m_picture.clusterCount(), clock.now()),
      m_support(self),
      m_wayBack(self)
{
    assert(m_picture.knows(self));
}

void Keeper::start()
{
    m_begun = m_nextBeat = m_due = m_leaseFrom = m_topLease = m_grantFrom = m_soleFrom =
        m_clock.now();
    applySettings(m_begun);
    reposition(m_begun);
    lookAtHolding();
}

void Keeper::applySettings(SteadyTime now)
{
    const SystemTable& system = m_picture.system();
    const bool otherBeat = system.settings.heartbeat != interval();
    m_rhythm.change(system.settings.heartbeat, now, m_options.leaseWaitBeats);
    m_detector.setThresholds({.suspect = system.settings.suspectAfter * interval(),
                              .lost = system.settings.lostAfter * interval(),
                              .stall = system.settings.suspectAfter * interval(),
                              .stuck = m_options.stuckAfter});
    // Others may learn of another rhythm a moment later: nobody is judged by what was before.
    m_detector.excuseAll(now);
    m_topLease = now;
    if (otherBeat)
        m_leaseFrom = now;
    m_nextBeat = std::min(m_nextBeat, now + interval());
}

/// One that has given itself up says nothing any more.
void Keeper::send(ProcessorId to, ControlMessage message)
{
    if (!m_fenced)
        m_control.send(to, std::move(message));
}

SteadyTime Keeper::poll()
{
    const SteadyTime now = m_clock.now();
    if (m_fenced) {
        askToBeLetIn(now);
        return m_due = now + interval();
    }
    const bool late = noteLateness(now);
    checkLease(now);
    if (m_fenced)
        return m_due = now + interval();
    tellSilence(now);
    if (late)
        judgeLater(now);
    if (now >= m_judgeFrom)
        lookAround(now);
    if (now >= m_judgeFrom && !m_fenced) {
        judgeTop(now);
        establish(now);
        settleVoters(now);
    }
    judgeSelf(now);
    watchStart(now);
    if (m_fenced)
        return m_due = now + interval();
    if (now >= m_nextBeat) {
        beat(now);
        m_nextBeat = std::max(m_nextBeat + interval(), now + interval() / 2);
    }
    publish();
    announce();
    m_due = std::min(m_nextBeat, nextLook(now));
    return m_due;
}

/// While all is well nobody needs to be looked at before the next beat. Looks are frequent again one
/// look before somebody may be late: who judges has slept for a short time only.
SteadyTime Keeper::nextLook(SteadyTime now) const
{
    const nanoseconds look = interval() / looksPerBeat;
    const bool settling = !m_picture.system().started || now < m_judgeFrom || !m_away.empty()
        || !m_doubtful.empty() || std::ranges::any_of(m_writing, [](const auto& item) {
               return !item.second.condemned().empty();
           });
    if (settling)
        return now + look;
    return std::max(now + look, std::min(m_detector.nextSign(), leasesUntil(now)) - look);
}

void Keeper::lookAround(SteadyTime now)
{
    if (m_fenced)
        return;
    observeEndedBefore();
    for (const Sighting& sighting : m_detector.look(now)) {
        observe({.processor = sighting.processor,
                 .what = observationOf(sighting.sign),
                 .cause = causeOf(sighting.sign, m_host.presence(sighting.processor)),
                 .since = duration_cast<microseconds>(sighting.since)},
                now);
    }
    adoptChildrenOfTheLate();
    dropAdopted();
    std::vector<ProcessorId> over;
    const nanoseconds wait = m_options.leaseWaitBeats
        * m_rhythm.longest(now, m_options.leaseWaitBeats);
    for (auto& [subcluster, writer] : m_writing) {
        writer.trustReturned(now, wait);
        const auto found = writer.leasesOver(now, wait);
        over.insert(over.end(), found.begin(), found.end());
    }
    for (const ProcessorId processor : over)
        observe({.processor = processor, .what = Observation::LeaseOver}, now);
}

/// Watches a processor, whose process may have ended before.
/// @param heard  when it is taken as heard of
void Keeper::beginWatching(ProcessorId processor, SteadyTime heard)
{
    if (m_detector.watches(processor))
        return;
    m_detector.watch(processor, heard);
    m_host.watch(processor);
    if (m_picture.member(processor).health != Health::Expected && m_host.hasEnded(processor))
        m_endedBefore.push_back(processor);
}

void Keeper::observeEndedBefore()
{
    while (!m_endedBefore.empty()) {
        for (const ProcessorId processor : std::exchange(m_endedBefore, {}))
            gone(processor);
    }
}

/// Whom a late processor watches is watched from here meanwhile: its silence must not be theirs.
/// One that is condemned watches nobody any more, and one that stays lapsed tells them nothing.
void Keeper::adoptChildrenOfTheLate()
{
    std::vector<ProcessorId> late;
    const auto addIfLate = [&](ProcessorId processor) {
        if (m_detector.late(processor) || staysLapsed(processor, m_clock.now())
            || m_picture.member(processor).health == Health::Condemned)
            late.push_back(processor);
    };
    std::ranges::for_each(m_position.children, addIfLate);
    std::ranges::for_each(m_adopted, addIfLate);
    // They have the time from here to Silent to answer.
    const SteadyTime latest = m_clock.now() - m_picture.system().settings.suspectAfter * interval();
    for (const ProcessorId processor : late) {
        for (const ProcessorId child : positionOf(m_picture, processor, m_away).children) {
            if (child == m_self || m_detector.watches(child))
                continue;
            beginWatching(child, std::max(m_detector.heard(processor), latest));
            m_adopted.insert(child);
            send(child, Ask{});
        }
    }
}

/// What is watched for others is given back once they have the picture by which they watch it.
void Keeper::dropAdopted()
{
    std::erase_if(m_adopted, [this](ProcessorId processor) {
        const MemberRow& row = m_picture.member(processor);
        const auto parent = positionOf(m_picture, processor, m_away).parent;
        const bool mine = parent == m_self;
        const bool below = parent && m_detector.watches(*parent); // else somebody else's
        const bool inStep = below && !m_detector.late(*parent)
            && !staysLapsed(*parent, m_clock.now())
            && m_picture.member(*parent).health != Health::Condemned
            && m_digests[*parent] == m_picture.digest();
        if (row.living() && !mine && below && !inStep)
            return false;
        if (!mine)
            m_detector.unwatch(processor);
        return true;
    });
}

void Keeper::observe(Observed observed, SteadyTime now)
{
    if (m_fenced)
        return;
    if (observed.life == 0)
        observed.life = m_picture.member(observed.processor).life;
    const bool topIsGone = observed.what == Observation::Gone && observed.processor == m_top
        && m_picture.member(observed.processor).living() && !m_away.contains(observed.processor);
    if (topIsGone)
        takeForAway(observed.processor, now);
    if (observed.what == Observation::Gone && m_doubtful.erase(observed.processor) != 0)
        reposition(now);
    const bool news = m_book.note(observed, now);
    m_book.compare(m_picture);
    // What somebody must act on is said at once, and once: two who take each other for the master
    // would send it to and fro. The rest, and everything again, goes with the next beat.
    const bool urgent = news
        && actionFor(observed.what, m_picture.member(observed.processor).health) >= Action::Fence;
    if (urgent || writerOf(m_picture.subclusterOf(observed.processor)) != nullptr)
        report({observed}, now);
    if (topIsGone)
        passTables(); // all wait for who takes its place
}

/// What the tables say of those who are watched and what is seen of them must become the same, also
/// when a word of it came too late or was overtaken.
void Keeper::compareHealth(SteadyTime now)
{
    std::vector<ProcessorId> watched = m_position.children; // which a decision may change
    watched.insert(watched.end(), m_adopted.begin(), m_adopted.end());
    for (const ProcessorId processor : watched) {
        const Health health = m_picture.member(processor).health;
        const auto sign = m_detector.standing(processor);
        if (!sign) {
            if (health == Health::Suspect && m_detector.hasShownLife(processor))
                observe({.processor = processor, .what = Observation::Back}, now);
            continue;
        }
        const Presence presence = m_host.presence(processor);
        const auto since = duration_cast<microseconds>(now - m_detector.heard(processor));
        if (presence == Presence::Gone && health != Health::Expected)
            observe({.processor = processor,
                     .what = Observation::Gone,
                     .cause = HealthCause::Gone,
                     .since = since},
                    now);
        else if (actionFor(observationOf(*sign), health) != Action::None)
            observe({.processor = processor,
                     .what = observationOf(*sign),
                     .cause = causeOf(*sign, presence),
                     .since = since},
                    now);
    }
}

/// Who should beat to here and does not may not know it: what it answers makes it ask for tables.
void Keeper::askTheUnheard(SteadyTime now)
{
    for (const ProcessorId processor : m_adopted)
        send(processor, Ask{});
    for (const ProcessorId child : m_position.children) {
        // Not what else has come from it: who beats to somebody else may say things here too.
        if (!m_adopted.contains(child) && now - m_answered[child] > interval() * 3 / 2)
            send(child, Ask{});
    }
}

/// @return who decides here about a subcluster; null: somebody else does
ClusterKeeper* Keeper::writerOf(SubclusterId subcluster)
{
    const auto found = m_writing.find(subcluster);
    return found == m_writing.end() ? nullptr : &found->second;
}

/// Whether a subcluster has, by the tables, no cluster master that will write its own. Who comes after
/// one that was taken for away may wait for the tables: a candidate that comes before it writes them.
bool Keeper::lacksMaster(SubclusterId subcluster) const
{
    const auto master = clusterMaster(m_picture.cluster(subcluster));
    return !master || m_away.contains(*master)
        || m_picture.member(*master).health == Health::Condemned;
}

void Keeper::beginWriting(SubclusterId subcluster)
{
    if (!mayWrite())
        return; // reposition() begins when it may again
    const ClusterTable& table = m_picture.cluster(subcluster);
    // Who was made cluster master by a table goes on from that one.
    const bool byTable = m_away.empty() && subcluster == m_picture.subclusterOf(m_self);
    const auto [place, added] = m_writing.try_emplace(
        subcluster, m_self, table, m_adoptedAt[subcluster.value()],
        byTable ? 0 : termBeyond(table.version.term, placeInSuccession(m_picture, m_self)));
    if (added)
        m_muster = true;
}

/// Has those follow who may have got seats from whoever wrote a table before: tells them the table as
/// it is now, on which they beat, and asks until they say that they have it. Children say so anyway.
void Keeper::muster()
{
    const bool first = std::exchange(m_muster, false);
    for (const auto& [subcluster, writer] : m_writing) {
        for (const ProcessorId processor : writer.unmustered()) {
            if (first) {
                send(processor,
                     Tables{.clusters = {m_picture.clusterPtr(subcluster)}, .system = nullptr});
            } else if (!std::ranges::binary_search(m_position.children, processor)) {
                send(processor, Ask{});
            }
        }
    }
}

/// Tells what was seen to those who decide, or decides.
void Keeper::report(const std::vector<Observed>& open, SteadyTime now)
{
    std::map<ProcessorId, Observations> messages;
    for (const Observed& observed : open) {
        const SubclusterId subcluster = m_picture.subclusterOf(observed.processor);
        const auto master = clusterMaster(m_picture.cluster(subcluster), m_away);
        // A cluster master that is to be replaced does not decide about itself.
        if (!mayDecide(observed, now))
            continue; // it is said again
        if (m_position.systemMaster && m_doubtful.empty()
            && (master == observed.processor || lacksMaster(subcluster))
            && !m_writing.contains(subcluster)
            && actionFor(observed.what, m_picture.member(observed.processor).health)
                >= Action::Fence)
            beginWriting(subcluster);
        if (ClusterKeeper* const writer = writerOf(subcluster))
            writer->observe(observed, now);
        else if (const auto to = whoDecides(observed.processor, master))
            messages[*to].observed.push_back(observed);
    }
    for (auto& [to, message] : messages)
        send(to, std::move(message));
    publish();
}

/// @param master  of the processor's subcluster
/// @return whom to tell what was seen of a processor; none: nobody, or nobody who does not see it
std::optional<ProcessorId> Keeper::whoDecides(ProcessorId about,
                                              std::optional<ProcessorId> master) const
{
    const auto to = master && *master != m_self && *master != about ? master : topOfAll();
    if (!to || *to == m_self || *to == about)
        return std::nullopt;
    // Who is on the host of a former system master sees its end as this processor does.
    const bool seesIt = m_away.contains(about) && m_host.presence(*to) != Presence::Elsewhere
        && m_host.presence(about) != Presence::Elsewhere;
    return seesIt ? std::nullopt : to;
}

/// Makes what was decided known: to this processor at once, to new holders of seats at once, to the
/// system master at once, to all others with the next beat.
void Keeper::publish()
{
    if (m_fenced || m_burying || !mayWrite())
        return;
    const SteadyTime now = m_clock.now();
    bool published = false;
    for (auto& [subcluster, writer] : m_writing) {
        if (!writer.changed())
            continue;
        const ClusterTablePtr table = writer.publish(now, m_clock.wallNow());
        if (!adopt(table))
            continue;
        tellWrote(*table);
        published = true;
        m_adoptedAt[subcluster.value()] = now;
        m_flow.changed(subcluster, std::nullopt);
        passToThoseConcerned(table, writer.takeSeated(), writer.takeUrgent());
    }
    if (!published)
        return;
    if (m_muster)
        muster();
    m_changed = true;
    compareBooks();
    reposition(now);
    lookAtHolding();
    fence(now);
}

/// Sends a table that is written here to those who must act on it.
void Keeper::passToThoseConcerned(const ClusterTablePtr& table, std::vector<ProcessorId> concerned,
                                  bool urgent)
{
    // Another one is master there from now on: it goes on from this table.
    const auto master = clusterMaster(*table);
    if (master && (m_position.clusterMaster || table->subcluster != m_picture.subclusterOf(m_self)))
        concerned.push_back(*master);
    std::erase(concerned, m_self);
    // First who would go on from there if this processor were lost with what it has decided, and
    // records what has happened.
    if ((urgent || !concerned.empty()) && m_position.parent)
        send(*m_position.parent, Tables{.clusters = {table}, .system = nullptr});
    for (const ProcessorId processor : concerned)
        send(processor, Tables{.clusters = {table}, .system = nullptr});
}

/// Nobody else says of a cluster master that it is ready, or is as good as before.
void Keeper::judgeSelf(SteadyTime now)
{
    if (!m_position.clusterMaster)
        return;
    const Health health = m_picture.member(m_self).health;
    if (m_readiness == Readiness::Ready && health == Health::Expected)
        observe({.processor = m_self, .what = Observation::Ready}, now);
    else if (health == Health::Suspect)
        observe({.processor = m_self, .what = Observation::Back}, now);
}

/// Takes the place that the picture implies.
void Keeper::reposition(SteadyTime now)
{
    lookWhoIsElsewhere();
    Position position = positionOf(m_picture, m_self, m_away);
    for (const ProcessorId child : m_position.children) {
        if (!std::ranges::binary_search(position.children, child) && !m_adopted.contains(child))
            m_detector.unwatch(child);
    }
    for (const ProcessorId child : position.children)
        beginWatching(child, now);
    const SubclusterId own = m_picture.subclusterOf(m_self);
    const bool newParent = position.parent != m_position.parent;
    const bool stepsBack = m_position.systemMaster && !position.systemMaster;
    if (position.systemMaster && !m_position.systemMaster && m_picture.system().started)
        inheritGrant(now);
    if (position.systemMaster != m_position.systemMaster)
        m_electorate.clear();
    m_position = std::move(position);
    if (stepsBack) {
        renounceIfUnused(now);
        standDown(now);
    }
    // While it is not sure that those who come before are no more, only what the tables say counts.
    const bool sure = m_doubtful.empty() || clusterMaster(m_picture.cluster(own)) == m_self;
    if (m_position.clusterMaster && sure && !m_writing.contains(own)
        && m_picture.member(m_self).health < Health::Condemned)
        beginWriting(own);
    // A subcluster that has a cluster master again decides for itself.
    std::erase_if(m_writing, [&](const auto& item) {
        if (item.first == own)
            return !m_position.clusterMaster;
        return !m_position.systemMaster || !lacksMaster(item.first);
    });
    if (m_position.systemMaster && m_doubtful.empty()) {
        // Nobody else would see the end of a cluster master that is condemned.
        for (const ProcessorId child : m_position.children) {
            const SubclusterId theirs = m_picture.subclusterOf(child);
            if (theirs != own && m_picture.member(child).health == Health::Condemned
                && !m_writing.contains(theirs))
                beginWriting(theirs);
        }
    }
    if (newParent && m_position.parent) {
        m_differences.clear();
        m_parentSince = now;
        sendBeat(*m_position.parent);
        m_nextBeat = now + interval();
    }
    watchTop();
    tellPart();
}

/// @param again  says what the tables do not show, also what was said before
void Keeper::lookAtHolding(bool again)
{
    const ClusterTable& table = m_picture.cluster(m_picture.subclusterOf(m_self));
    const MemberRow& row = *table.member(m_self);
    std::optional<Holding> holding;
    if (row.seat && row.health < Health::Condemned)
        holding = Holding{*row.seat, table.seat(*row.seat)->incarnation};
    const bool vacates = holding && row.vacating && holding != m_letGo;
    if (vacates) {
        m_letGo = holding;
        m_stopped = false;
    }
    // Not taken up again, whatever a later table says: others may have been told that it is free.
    const bool letGo = holding && holding == m_letGo;
    // Who does not know that it has its place takes no other one.
    if (letGo || m_standing == Standing::Lapsed
        || (m_standing == Standing::Suspended && holding != m_holding))
        holding.reset();
    const bool taken = holding && holding != m_holding;
    if (holding != m_holding) {
        m_lastHeld = holding ? holding : m_lastHeld;
        hold(holding);
    }
    if (vacates)
        m_observer.letGo(*m_letGo);
    const auto master = clusterMaster(table, m_away);
    ClusterKeeper* const writer = master == m_self ? writerOf(table.subcluster) : nullptr;
    if (letGo && m_stopped && writer != nullptr)
        writer->vacated(m_self, *m_letGo, m_clock.now());
    else if (letGo && m_stopped && master && again)
        send(*master, Vacated{*m_letGo});
    if (holding && !table.seat(holding->seat)->taken) {
        if (writer != nullptr)
            writer->taken(m_self, *holding, m_clock.now());
        else if (master && (taken || again))
            send(*master, Taken{*holding});
    }
    heedVerdict(table);
}

void Keeper::hasStopped(const Holding& holding)
{
    if (m_letGo != holding || m_fenced)
        return;
    m_stopped = true;
    lookAtHolding(true);
    publish();
    announce();
}

/// @return the first in a processor's unit, which is on one host, who can kill it; none: nobody
std::optional<ProcessorId> Keeper::executioner(const ClusterTable& table,
                                               const MemberRow& condemned) const
{
    const MemberRow* first = nullptr;
    for (const MemberRow& row : table.members) {
        if (row.unit == condemned.unit && row.processor != condemned.processor
            && row.processor != m_self && row.health == Health::Alive
            && !m_detector.late(row.processor) && (first == nullptr || precedes(row, *first)))
            first = &row;
    }
    return first == nullptr ? std::nullopt : std::optional(first->processor);
}

/// Kills whom the tables that are written here condemn, or has them killed.
void Keeper::fence(SteadyTime now)
{
    if (m_fenced || m_burying || !mayWrite())
        return;
    std::map<ProcessorId, Fence> messages;
    std::vector<Observed> seen;
    for (auto& [subcluster, writer] : m_writing) {
        for (const ProcessorId processor : writer.condemned()) {
            const Presence presence = m_host.presence(processor);
            const MemberRow& row = m_picture.member(processor);
            if (presence == Presence::Gone) {
                seen.push_back({.processor = processor, .what = Observation::Gone});
            } else if (presence != Presence::Elsewhere) {
                m_host.watch(processor);
                m_host.kill(processor);
            } else if (const auto near = executioner(m_picture.cluster(subcluster), row)) {
                messages[*near].processors.push_back(processor);
            } else {
                seen.push_back({.processor = processor, .what = Observation::Unfenced});
            }
        }
    }
    for (auto& [to, message] : messages)
        send(to, std::move(message));
    for (const Observed& observed : seen)
        observe(observed, now);
}

} // namespace tasuki::hierarchy

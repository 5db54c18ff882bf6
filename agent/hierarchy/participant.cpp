// SPDX-License-Identifier: GPL-3.0-or-later
#include "participant.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

void Participant::start(SteadyTime now)
{
    m_state.lease.restart(now);
    m_state.succession.restartTop(now);
    m_state.correspondence.setNextBeat(now);
    m_state.lookout.begin(now);
    applySettings(now);
    reposition(now);
    lookAtHolding();
}

void Participant::applySettings(SteadyTime now)
{
    const nanoseconds heartbeat = m_at.settings().heartbeat;
    const bool otherBeat = heartbeat != m_at.interval();
    m_at.rhythm.change(heartbeat, now, m_at.options.leaseWaitBeats);
    m_state.lookout.applySettings(now);
    m_state.succession.moveTop(now);
    if (otherBeat)
        m_state.lease.moveLease(now);
    Correspondence& beats = m_state.correspondence;
    beats.setNextBeat(std::min(beats.nextBeat(), now + m_at.interval()));
}

void Participant::enter(MembershipView view, const BeatReply& reply, SteadyTime lease,
                        SteadyTime asked)
{
    const SteadyTime now = m_at.clock.now();
    const MembershipView before = std::exchange(m_at.view, std::move(view));
    m_state.beginAnew(now);
    applySettings(now);
    m_state.lease.enter(lease, asked - reply.grantAge, asked - reply.soleAge, now);
    m_state.succession.restartTop(lease);
    m_state.wayBack.enter();
    m_at.fenced = false;
    m_observer.standing(m_state.lease.standing());
    if (before.system().version != m_at.view.system().version)
        m_state.log.adopted(m_at.view.system());
    for (std::uint32_t number = 0; number < m_at.view.clusterCount(); ++number) {
        const ClusterTable& table = m_at.view.cluster(SubclusterId(number));
        if (before.cluster(SubclusterId(number)).version != table.version)
            m_state.log.adopted(table);
    }
    tellWords();
    tellPart();
    m_changed = true;
    m_observer.rejoined();
    announce(); // the view comes before what follows from it
    reposition(now);
    lookAtHolding();
}

void Participant::announce()
{
    tellPart();
    m_state.overlaps.does(m_state.seat.now(), actsAsSystemMaster());
    if (std::exchange(m_changed, false))
        m_observer.changed(m_at.view);
}

void Participant::tellWords()
{
    if (!m_at.fenced)
        m_state.log.counted(m_at, m_state.lease, m_state.following.electorate(),
                            m_state.following.support());
}

void Participant::tellPart()
{
    const Part part = m_state.wayBack.state() == WayBack::State::Over ? Part::Over
        : m_at.fenced                                                 ? Part::Fenced
        : actsAsSystemMaster()                                        ? Part::Acts
        : m_at.position.systemMaster                                  ? Part::Leads
                                                                      : Part::Member;
    m_state.log.became(part, m_state.lease.standing());
}

bool Participant::actsAsSystemMaster() const
{
    return !m_at.fenced && m_state.lease.standing() == Standing::Valid && m_at.position.systemMaster
        && systemMaster(m_at.view) == m_at.self;
}

void Participant::observe(Observed observed, SteadyTime now)
{
    if (m_at.fenced)
        return;
    Succession& succession = m_state.succession;
    if (observed.life == Life())
        observed.life = m_at.view.member(observed.processor).life;
    const bool topIsGone = observed.what == Observation::Gone
        && observed.processor == succession.top() && m_at.view.member(observed.processor).living()
        && !succession.unreachable().contains(observed.processor);
    if (topIsGone)
        takeForUnreachable(observed.processor, now);
    if (observed.what == Observation::Gone && succession.eraseDoubtful(observed.processor))
        reposition(now);
    const bool news = m_state.book.note(observed, now);
    m_state.book.compare(m_at.view);
    // What somebody must act on is said at once, and once: two who take each other for the master
    // would send it to and fro. The rest, and everything again, goes with the next beat.
    const bool urgent = news
        && actionFor(observed.what, m_at.view.member(observed.processor)) >= Action::Fence;
    if (urgent || m_state.desk.writerOf(m_at.view.subclusterOf(observed.processor)) != nullptr)
        report({observed}, now);
    if (topIsGone)
        m_messenger.send(m_state.desk.toPass()); // all wait for who takes its place
}

void Participant::observeEndedBefore()
{
    for (auto ended = m_state.lookout.takeEndedBefore(); !ended.empty();
         ended = m_state.lookout.takeEndedBefore()) {
        for (const ProcessorId processor : ended) {
            wake(m_at.clock.now());
            observe({.processor = processor, .what = Observation::Gone, .cause = HealthCause::Gone},
                    m_at.clock.now());
        }
    }
}

void Participant::report(const std::vector<Observed>& open, SteadyTime now)
{
    std::map<ProcessorId, Observations> messages;
    for (const Observed& observed : open) {
        const SubclusterId subcluster = m_at.view.subclusterOf(observed.processor);
        const auto master = clusterMaster(m_at.view.cluster(subcluster),
                                          m_state.succession.unreachable());
        if (!m_state.succession.mayDecide(observed, now))
            continue; // it is said again
        // A cluster master that is to be replaced does not decide about itself.
        if (m_at.position.systemMaster && m_state.succession.doubtful().empty()
            && (master == observed.processor || m_state.desk.lacksMaster(subcluster))
            && m_state.desk.writerOf(subcluster) == nullptr
            && actionFor(observed.what, m_at.view.member(observed.processor)) >= Action::Fence)
            m_state.desk.begin(subcluster);
        if (TableWriter* const writer = m_state.desk.writerOf(subcluster))
            writer->observe(observed, now);
        else if (const auto to = m_state.desk.whoDecides(observed.processor))
            messages[*to].observed.push_back(observed);
    }
    for (auto& [to, message] : messages)
        m_messenger.send(to, std::move(message));
    publish();
}

void Participant::publish()
{
    if (m_at.fenced || m_burying || !m_state.lease.mayWrite())
        return;
    const SteadyTime now = m_at.clock.now();
    bool published = false;
    for (const ClusterTablePtr& table : m_state.desk.publish(now, m_at.clock.wallNow())) {
        if (!adopt(table))
            continue;
        tellWords(); // by which it is written comes first
        m_state.log.wrote(*table);
        published = true;
        m_state.desk.changed(*table, std::nullopt);
        for (const ProcessorId processor : m_state.desk.concerned(table))
            m_messenger.send(processor, Tables{.clusters = {table}, .system = nullptr});
    }
    if (!published)
        return;
    if (m_state.desk.resyncsNewly())
        m_messenger.send(m_state.desk.resync());
    m_changed = true;
    m_state.book.compare(m_at.view);
    reposition(now);
    lookAtHolding();
    fence(now);
}

void Participant::fence(SteadyTime now)
{
    if (m_at.fenced || m_burying || !m_state.lease.mayWrite())
        return;
    std::map<ProcessorId, Fence> messages;
    std::vector<Observed> seen;
    for (const ProcessorId processor : m_state.desk.condemned()) {
        const Presence presence = m_at.host.presence(processor);
        if (presence == Presence::Gone) {
            seen.push_back({.processor = processor, .what = Observation::Gone});
        } else if (presence != Presence::Elsewhere) {
            m_at.host.watch(processor);
            // Who was stopped together with this one has the time to give itself up, and comes back.
            if (!m_state.lease.wasStopped(now, m_at.options.trustBeats * m_at.interval()))
                m_at.host.kill(processor);
        } else if (const auto near = m_state.desk.executioner(m_at.view.member(processor),
                                                              m_state.lookout)) {
            messages[*near].processors.push_back(processor);
        } else {
            seen.push_back({.processor = processor, .what = Observation::Unfenced});
        }
    }
    for (auto& [to, message] : messages)
        m_messenger.send(to, std::move(message));
    for (const Observed& observed : seen)
        observe(observed, now);
}

void Participant::writeSystem(SystemTable system)
{
    if (system.writer != m_at.self) {
        system.version = {.term = termBeyond(generationOf(system.version.term),
                                             placeInSuccession(m_at.view, m_at.self)),
                          .revision = 0};
    }
    system.writer = m_at.self;
    ++system.version.revision;
    m_state.following.wrote(system, m_at.clock.now());
    m_at.view.adopt(std::make_shared<const SystemTable>(std::move(system)));
    tellWords();
    m_state.log.wrote(m_at.view.system());
    m_state.desk.systemChanged(std::nullopt);
    m_changed = true;
}

/// Who acts again after others may have acted writes beyond all that they can have written.
void Participant::beginGeneration()
{
    SystemTable system = m_at.view.system();
    system.version = {
        .term = termBeyond(m_state.latestGeneration(), placeInSuccession(m_at.view, m_at.self)),
        .revision = 0};
    system.writer = m_at.self;
    writeSystem(std::move(system));
    renewTerms();
}

/// Tables of this leader come after all of earlier ones.
void Participant::renewTerms()
{
    const Generation generation = generationOf(m_at.view.system().version.term);
    const std::vector<SubclusterId> old = m_state.desk.before(generation);
    publish();
    for (const SubclusterId subcluster : old)
        m_state.desk.renew(subcluster, generation);
}

void Participant::take(const Tables& tables, ProcessorId from)
{
    const SteadyTime now = m_at.clock.now();
    const Version own = m_at.ownCluster().version;
    bool news = false;
    for (const ClusterTablePtr& table : tables.clusters) {
        if (!adopt(table))
            continue;
        m_state.log.adopted(*table);
        m_state.desk.changed(*table, from);
        news = true;
    }
    const bool settings = tables.system != nullptr && m_at.view.adopt(tables.system);
    if (settings) {
        m_state.log.adopted(*tables.system);
        m_state.desk.systemChanged(from);
        m_state.following.adopted();
        renewTerms();
    }
    if (!news && !settings)
        return;
    m_changed = true;
    if (settings)
        applySettings(now);
    m_state.book.compare(m_at.view);
    const auto top = m_state.succession.top();
    reposition(now);
    lookAtHolding();
    const ClusterTable& table = m_at.ownCluster();
    const bool ofAnother = table.version.term != own.term;
    if (ofAnother && table.writer != m_at.self && !m_state.seat.now())
        m_messenger.beat(
            table.writer); // it gives no seat on before it knows that this one has none
    if (m_state.desk.resyncsNewly())
        publish();
    if (top != m_state.succession.top() || ofAnother)
        m_messenger.send(m_state.desk.toPass()); // all wait for who has taken its place
}

/// Takes a table into the view if it is newer. A processor that came back is another one also for
/// those who have not seen that it was lost.
bool Participant::adopt(const ClusterTablePtr& table)
{
    if (table->subcluster.value() >= m_at.view.clusterCount())
        return false;
    const ClusterTablePtr before = m_at.view.clusterPtr(table->subcluster);
    if (!m_at.view.adopt(table))
        return false;
    m_state.overlaps.noteLosses(*before, *table);
    for (const MemberRow& row : table->members) {
        if (before->member(row.processor)->life != row.life && row.processor != m_at.self)
            forget(row.processor);
    }
    return true;
}

void Participant::forget(ProcessorId processor)
{
    m_state.lookout.forget(processor);
    m_state.correspondence.forget(processor);
    m_state.succession.forget(processor);
}

void Participant::reposition(SteadyTime now)
{
    m_at.someoneElsewhere = m_at.findsSomeoneElsewhere();
    const std::optional<ProcessorId> parent = m_at.position.parent;
    changePlace(positionOf(m_at.view, m_at.self, m_state.succession.unreachable()), now);
    m_state.desk.takePlace();
    if (m_at.position.parent && m_at.position.parent != parent) {
        m_state.correspondence.forgetDifferences();
        m_state.succession.hasOtherParent(now);
        m_messenger.beat(*m_at.position.parent);
        m_state.correspondence.setNextBeat(now + m_at.interval());
    }
    // It sees the end of the system master's process, if it is on this host: nobody above would.
    if (const auto top = m_state.succession.newTop(now))
        m_state.lookout.watchEnd(*top);
    tellPart();
}

void Participant::changePlace(Position position, SteadyTime now)
{
    const bool led = m_at.position.systemMaster;
    const bool leads = position.systemMaster;
    m_state.lookout.changeChildren(m_at.position.children, position.children, now);
    if (leads && !led && m_at.started())
        inheritGrant(now);
    if (leads != led)
        m_state.following.forgetElectorate();
    m_at.position = std::move(position);
    if (led && !leads) {
        m_state.following.renounceIfUnused(now);
        m_messenger.standDown(now);
    }
}

/// Who takes a place goes on under the grant of whom it followed there.
void Participant::inheritGrant(SteadyTime now)
{
    m_state.following.inheritGrant(m_state.lease, m_state.succession.unreachable());
    tellWords();
    if (m_state.lease.standing() == Standing::Valid && m_at.needsMajority()
        && m_state.lease.grant().age(now) > m_at.options.leaseBeats * m_at.interval())
        turnTo(Standing::Lapsed, now);
}

void Participant::lookAtHolding(bool again)
{
    const HeldSeat::Look look = m_state.seat.look(m_at.ownCluster(), m_at.self,
                                                  m_state.lease.standing());
    if (look.changed)
        hold();
    if (look.toLetGo)
        m_observer.letGo(*look.toLetGo);
    m_messenger.sayHolding(look, again);
    heedVerdict(m_at.ownCluster());
}

/// Who is condemned is killed, or waited for until it has given itself up.
/// @param table  its own
void Participant::heedVerdict(const ClusterTable& table)
{
    const MemberRow& row = *table.member(m_at.self);
    if (row.health < Health::Condemned)
        return;
    giveUp();
    if (OverlapWatch::losesItsPlace(row))
        hearOfOwnLoss(table.writer, nanoseconds(0));
}

void Participant::tellHolding()
{
    const bool leaves = m_at.readiness == Readiness::Leaving;
    m_state.log.holds(leaves ? std::nullopt : m_state.seat.now());
}

void Participant::hold()
{
    m_observer.holding(m_state.seat.now());
    tellHolding();
}

void Participant::hearFromAbove(ProcessorId from, bool beats)
{
    const SteadyTime now = m_at.clock.now();
    if (m_state.succession.hear(from, beats, m_state.lookout.watches(from), now)
        && m_state.succession.putBack(from))
        reposition(now);
}

void Participant::hearAgain(ProcessorId doubtful, nanoseconds majorityAge, SteadyTime now)
{
    if (m_state.succession.hearDoubtful(doubtful, majorityAge, now)
        && m_state.succession.putBack(doubtful))
        reposition(now);
}

void Participant::takeForUnreachable(ProcessorId top, SteadyTime now)
{
    m_state.succession.takeForUnreachable(top, now);
    reposition(now);
    m_state.succession.giveTime();
    if (m_at.position.systemMaster)
        report(m_state.book.open(now), now); // what others were to decide
}

void Participant::takeElsewhereForUnreachable(ProcessorId top, SteadyTime now)
{
    m_messenger.ask(m_state.succession.takeElsewhereForUnreachable(top, now));
    reposition(now);
    if (m_at.position.systemMaster)
        report(m_state.book.open(now), now);
}

void Participant::judgeTop(SteadyTime now)
{
    Succession& succession = m_state.succession;
    if (succession.forgetDead())
        reposition(now);
    if (!succession.isSilent(now))
        return;
    succession.judgePower(now);
    const ProcessorId top = *succession.top();
    if (m_at.host.isElsewhere(top)) {
        takeElsewhereForUnreachable(top, now);
        return;
    }
    const nanoseconds since = succession.silentFor(now);
    takeForUnreachable(top, now);
    condemnUnreachable(since, now);
}

/// Those of this host that were taken for unreachable are killed by who takes their place. While it has
/// no majority others may have gone on without it, and it is not for it to say who is lost.
void Participant::condemnUnreachable(nanoseconds since, SteadyTime now)
{
    if (!m_at.position.systemMaster || !m_state.lease.mayWrite())
        return; // somebody else sees to it, or nobody yet
    for (const ProcessorId silent : Unreachable(m_state.succession.unreachable())) {
        if (m_state.succession.doubtful().contains(silent))
            continue;
        observe({.processor = silent,
                 .what = Observation::Silent,
                 .cause = m_at.host.presence(silent) == Presence::Stopped ? HealthCause::Stopped
                                                                          : HealthCause::Silent,
                 .since = duration_cast<microseconds>(since)},
                now);
    }
}

void Participant::establish(SteadyTime now)
{
    if (m_state.succession.doubtful().empty()
        || !m_state.following.trustedItself(m_state.lease, now))
        return;
    const Unreachable unreachable = m_state.succession.takeDoubtful();
    beginGeneration();
    reposition(now);
    m_burying = true;
    for (const ProcessorId silent : unreachable) {
        for (const Observation what : {Observation::Silent, Observation::LeaseOver}) {
            observe({.processor = silent,
                     .what = what,
                     .cause = HealthCause::Silent,
                     .since = duration_cast<microseconds>(m_at.soleTime(now))},
                    now);
        }
    }
    m_burying = false;
    publish();
    fence(now);
}

void Participant::wake(SteadyTime now)
{
    if (m_at.fenced || !noteLateness(now))
        return;
    checkLease(now);
    m_state.lookout.judgeLater(now);
}

bool Participant::noteLateness(SteadyTime now)
{
    const nanoseconds before = m_state.lookout.allowance();
    const auto late = m_state.lookout.noteLateness(now);
    if (!late)
        return false;
    m_state.lease.noteLateness(*late, now);
    m_state.succession.noteLateness(*late, now);
    if (const nanoseconds after = m_state.lookout.allowance(); after > before)
        m_observer.lengthened(after);
    return true;
}

void Participant::checkLease(SteadyTime now)
{
    if (!m_at.started()) {
        m_state.lease.restart(now);
        m_state.succession.restartTop(now);
    }
    if (m_at.position.systemMaster) {
        m_state.lease.leadsHere(now);
        m_state.succession.restartTop(now);
        Following& following = m_state.following;
        if (!following.electorateKnown() || now >= m_state.correspondence.nextBeat())
            following.countElectorate(
                [this](SubclusterId subcluster) { return m_state.desk.adoptedAt(subcluster); },
                now);
        following.countFollowers(m_state.lease, now);
    }
    tellWords();
    switch (m_state.lease.judge(m_state.seat.released(), now)) {
    case StandingTurn::Stays: break;
    case StandingTurn::Valid: turnTo(Standing::Valid, now); break;
    case StandingTurn::Suspended: turnTo(Standing::Suspended, now); break;
    case StandingTurn::Lapsed: turnTo(Standing::Lapsed, now); break;
    case StandingTurn::GivesUp:
        giveUp();
        m_state.wayBack.fence(now); // there is nobody to ask
        break;
    }
    // Who was cut off itself has not heard of others for that reason.
    if (m_state.lease.grantedAgain(now)) {
        m_state.lookout.excuse(now);
        m_state.book.forgetSilent([this](ProcessorId one) { return m_at.host.isElsewhere(one); });
    }
}

void Participant::turnTo(Standing standing, SteadyTime now)
{
    if (standing != Standing::Lapsed)
        m_state.overlaps.goesOn();
    else if (m_state.lease.standing() == Standing::Valid)
        m_state.overlaps.stopActing(now);
    m_state.lease.stand(standing, now);
    tellPart();
    if (!m_state.lease.mayWrite())
        m_state.desk.stopWriting(); // what was decided last is not published
    m_observer.standing(standing);
    if (standing == Standing::Valid) {
        m_state.book.forgetSilent([](ProcessorId) { return true; }); // it may have been this one
        reposition(now);
        if (m_at.position.systemMaster && m_at.needsMajority())
            beginGeneration();
        condemnUnreachable(m_at.soleTime(now), now);
        lookAtHolding(true);
    } else if (standing == Standing::Lapsed) {
        if (const auto held = m_state.seat.drop(true)) {
            hold();
            m_observer.letGo(*held);
        }
    }
}

void Participant::giveUp()
{
    if (std::exchange(m_at.fenced, true))
        return;
    const SteadyTime now = m_at.clock.now();
    if (m_state.lease.standing() == Standing::Valid)
        m_state.overlaps.stopActing(now);
    if (m_state.seat.drop(false))
        hold();
    if (m_at.position.systemMaster)
        m_state.following.renounceIfUnused(now);
    m_state.wayBack.fence(now + m_at.options.rejoinWithin);
    tellPart();
    m_observer.fenced();
}

void Participant::hearOfOwnLoss(ProcessorId from, std::optional<nanoseconds> lostFor)
{
    if (const auto overlap = m_state.overlaps.hearOfOwnLoss(from, lostFor))
        m_observer.overlapped(*overlap);
}

} // namespace tasuki::hierarchy

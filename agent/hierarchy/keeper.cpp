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

/// Between two beats it is looked so often who is late.
constexpr int looksPerBeat = 4;
/// A poll that is later than this share of a beat counts as own lateness.
constexpr int toleratedLateness = 5;

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
      m_picture(std::move(picture)),
      m_options(std::move(options)),
      m_control(control),
      m_host(host),
      m_clock(clock),
      m_observer(std::move(observer)),
      m_detector(Thresholds{})
{
    assert(m_options.rules.size() == m_picture.clusterCount() && m_picture.knows(self));
}

void Keeper::start()
{
    m_begun = m_nextBeat = m_due = m_leaseFrom = m_clock.now();
    applySettings();
    reposition(m_begun);
    lookAtHolding();
}

nanoseconds Keeper::interval() const { return m_picture.system().heartbeat; }

void Keeper::applySettings()
{
    const SystemTable& system = m_picture.system();
    m_detector.setThresholds({.suspect = system.suspectAfter * interval(),
                              .lost = system.lostAfter * interval(),
                              .stuck = m_options.stuckAfter});
}

void Keeper::send(ProcessorId to, ControlMessage message)
{
    m_control.send(to, std::move(message));
}

SteadyTime Keeper::poll()
{
    const SteadyTime now = m_clock.now();
    if (m_fenced)
        return m_due = now + interval();
    noteLateness(now);
    checkLease(now);
    lookAround(now);
    admitSelf(now);
    watchStart(now);
    if (!m_fenced && now >= m_nextBeat) {
        beat(now);
        m_nextBeat = std::max(m_nextBeat + interval(), now + interval() / 2);
    }
    publish();
    announce();
    m_due = std::min(m_nextBeat, now + interval() / looksPerBeat);
    return m_due;
}

void Keeper::noteLateness(SteadyTime now)
{
    const nanoseconds late = now - m_due;
    if (late <= interval() / toleratedLateness)
        return;
    const nanoseconds before = m_detector.allowance();
    m_detector.wasLate(late);
    if (m_detector.allowance() > before)
        m_observer.lengthened(m_detector.allowance());
}

void Keeper::lookAround(SteadyTime now)
{
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
    for (const auto& [subcluster, writer] : m_writing) {
        const auto found = writer.leasesOver(now, m_options.leaseWaitBeats * interval());
        over.insert(over.end(), found.begin(), found.end());
    }
    for (const ProcessorId processor : over)
        observe({.processor = processor, .what = Observation::LeaseOver}, now);
}

/// Whom a late processor watches is watched from here meanwhile: its silence must not be theirs.
void Keeper::adoptChildrenOfTheLate()
{
    std::vector<ProcessorId> late;
    for (const ProcessorId child : m_position.children) {
        if (m_detector.late(child))
            late.push_back(child);
    }
    for (const ProcessorId processor : m_adopted) {
        if (m_detector.late(processor))
            late.push_back(processor);
    }
    for (const ProcessorId processor : late) {
        for (const ProcessorId child : positionOf(m_picture, processor).children) {
            if (child == m_self || m_detector.watches(child))
                continue;
            m_detector.watch(child, m_detector.heard(processor));
            m_adopted.insert(child);
            m_host.watch(child);
            send(child, Ask{});
        }
    }
}

/// What is watched for others is given back once they have the picture by which they watch it.
void Keeper::dropAdopted()
{
    std::erase_if(m_adopted, [this](ProcessorId processor) {
        const MemberRow& row = m_picture.member(processor);
        const auto parent = positionOf(m_picture, processor).parent;
        const bool mine = parent == m_self;
        const bool inStep = parent && m_detector.watches(*parent) && !m_detector.late(*parent)
            && m_digests[*parent] == m_picture.digest();
        if (row.living() && !mine && !inStep)
            return false;
        if (!mine)
            m_detector.unwatch(processor);
        return true;
    });
}

void Keeper::observe(const Observed& observed, SteadyTime now)
{
    m_book.note(observed, now);
    m_book.compare(m_picture);
    // What somebody must act on is said at once, the rest with the next beat.
    const bool urgent = actionFor(observed.what, m_picture.member(observed.processor).health)
        >= Action::Fence;
    if (urgent || writerOf(m_picture.subclusterOf(observed.processor)) != nullptr)
        report({observed}, now);
}

/// What the tables say of those who are watched and what is seen of them must become the same, also
/// when a word of it came too late or was overtaken.
void Keeper::compareHealth(SteadyTime now)
{
    const std::vector<ProcessorId> children = m_position.children; // which a decision may change
    for (const ProcessorId child : children) {
        const Health health = m_picture.member(child).health;
        if (health == Health::Suspect && !m_detector.late(child))
            observe({.processor = child, .what = Observation::Back}, now);
        if (health == Health::Alive && m_detector.late(child))
            observe({.processor = child, .what = Observation::Late, .cause = HealthCause::Late},
                    now);
    }
}

/// @return who decides here about a subcluster; null: somebody else does
ClusterKeeper* Keeper::writerOf(SubclusterId subcluster)
{
    const auto found = m_writing.find(subcluster);
    return found == m_writing.end() ? nullptr : &found->second;
}

/// Tells what was seen to those who decide, or decides.
void Keeper::report(const std::vector<Observed>& open, SteadyTime now)
{
    std::map<ProcessorId, Observations> messages;
    for (const Observed& observed : open) {
        const SubclusterId subcluster = m_picture.subclusterOf(observed.processor);
        const auto master = clusterMaster(m_picture.cluster(subcluster));
        // A cluster master that is to be replaced does not decide about itself.
        if (m_position.systemMaster && master == observed.processor
            && !m_writing.contains(subcluster)
            && actionFor(observed.what, m_picture.member(*master).health) >= Action::Fence) {
            m_writing.emplace(subcluster,
                              ClusterKeeper(m_self, m_options.rules[subcluster.value()],
                                            m_picture.cluster(subcluster)));
        }
        if (ClusterKeeper* const writer = writerOf(subcluster))
            writer->observe(observed, now);
        else if (master && *master != m_self && *master != observed.processor)
            messages[*master].observed.push_back(observed);
        else if (const auto system = systemMaster(m_picture); system && *system != m_self)
            messages[*system].observed.push_back(observed);
    }
    for (auto& [to, message] : messages)
        send(to, std::move(message));
    publish();
}

/// Makes what was decided known: to this processor at once, to new holders of seats at once, to the
/// system master at once, to all others with the next beat.
void Keeper::publish()
{
    bool published = false;
    for (auto& [subcluster, writer] : m_writing) {
        if (!writer.changed())
            continue;
        const ClusterTablePtr table = writer.publish();
        if (!m_picture.adopt(table))
            continue;
        published = true;
        m_flow.changed(subcluster, std::nullopt);
        for (const ProcessorId seated : writer.takeSeated()) {
            if (seated != m_self)
                send(seated, Tables{.clusters = {table}, .system = nullptr});
        }
    }
    if (!published)
        return;
    m_changed = true;
    m_book.compare(m_picture);
    const SteadyTime now = m_clock.now();
    reposition(now);
    lookAtHolding();
    fence(now);
}

void Keeper::announce()
{
    if (std::exchange(m_changed, false))
        m_observer.changed(m_picture);
}

/// Nobody else says of a cluster master that it is ready.
void Keeper::admitSelf(SteadyTime now)
{
    if (m_readiness == Readiness::Ready && m_position.clusterMaster
        && m_picture.member(m_self).health == Health::Expected)
        observe({.processor = m_self, .what = Observation::Ready}, now);
}

/// Takes the place that the picture implies.
void Keeper::reposition(SteadyTime now)
{
    Position position = positionOf(m_picture, m_self);
    for (const ProcessorId child : m_position.children) {
        if (!std::ranges::binary_search(position.children, child) && !m_adopted.contains(child))
            m_detector.unwatch(child);
    }
    for (const ProcessorId child : position.children) {
        m_detector.watch(child, now);
        m_host.watch(child);
    }
    const SubclusterId own = m_picture.subclusterOf(m_self);
    const bool newParent = position.parent != m_position.parent;
    m_position = std::move(position);
    if (m_position.clusterMaster && !m_writing.contains(own)) {
        m_writing.emplace(
            own, ClusterKeeper(m_self, m_options.rules[own.value()], m_picture.cluster(own)));
    }
    // A subcluster that has a cluster master again decides for itself.
    std::erase_if(m_writing, [&](const auto& item) {
        if (item.first == own)
            return !m_position.clusterMaster;
        const auto master = clusterMaster(m_picture.cluster(item.first));
        return !m_position.systemMaster
            || (master && m_picture.member(*master).health != Health::Condemned);
    });
    if (newParent && m_position.parent) {
        m_differing = 0;
        sendBeat(*m_position.parent);
        m_nextBeat = now + interval();
    }
}

void Keeper::lookAtHolding()
{
    const ClusterTable& table = m_picture.cluster(m_picture.subclusterOf(m_self));
    const MemberRow& row = *table.member(m_self);
    std::optional<Holding> holding;
    if (row.seat && row.living())
        holding = Holding{*row.seat, table.seat(*row.seat)->incarnation};
    if (holding != m_holding) {
        m_holding = holding;
        m_observer.holding(holding);
    }
    if (holding && !table.seat(holding->seat)->taken) {
        const auto master = clusterMaster(table);
        if (master == m_self) {
            if (ClusterKeeper* const writer = writerOf(table.subcluster))
                writer->taken(m_self, *holding, m_clock.now());
        } else if (master) {
            send(*master, Taken{*holding});
        }
    }
    if (!row.living())
        giveUp();
}

/// Kills whom the tables that are written here condemn, or has them killed.
void Keeper::fence(SteadyTime now)
{
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
            } else if (const auto near = unitMaster(m_picture.cluster(subcluster), row.unit);
                       near && *near != processor && *near != m_self && !m_detector.late(*near)) {
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemwording.h"

#include "wording.h"

#include "domain/eventfields.h"
#include "domain/rankname.h"

#include <QCoreApplication>

namespace tasuki {

namespace {

/// Groups the words for translators.
struct SystemWords {
    Q_DECLARE_TR_FUNCTIONS(SystemWords)
};

QString subclusterName(const SystemState& system, std::size_t index)
{
    return index < system.subclusters().size()
        ? wording::text(system.subclusters()[index].info.name)
        : QString::number(index);
}

QString unitName(const SystemState& system, std::size_t index)
{
    return index < system.units().size() ? wording::text(system.units()[index].info.name)
                                         : QString::number(index);
}

QString orderText(ProcessorOrder order, const QString& processor)
{
    switch (order) {
    case ProcessorOrder::Stop: return SystemWords::tr("%1 is to end").arg(processor);
    case ProcessorOrder::Promote: return SystemWords::tr("%1 is to come first").arg(processor);
    case ProcessorOrder::BecomeActive: return SystemWords::tr("%1 is to be active").arg(processor);
    case ProcessorOrder::BecomeIo: return SystemWords::tr("%1 is to be I/O").arg(processor);
    case ProcessorOrder::BecomeStandby:
        return SystemWords::tr("%1 is to be standby").arg(processor);
    }
    return processor;
}

SystemEventText systemMasterText(const SystemState& system, const MasterChanged& event)
{
    const QString name = wording::processor(system.label(event.processor));
    SystemEventText out{.subject = name, .notable = system.started()};
    if (!event.previous) {
        out.text = SystemWords::tr("%1 is system master").arg(name);
        return out;
    }
    out.severity = Severity::Warning;
    out.text = SystemWords::tr("%1 is system master in place of %2")
                   .arg(name, wording::processor(system.label(*event.previous)));
    if (event.takeover.count() >= 0)
        out.text = SystemWords::tr("%1, in %2", "what happened, how long it took")
                       .arg(out.text, wording::duration(event.takeover));
    return out;
}

} // namespace

namespace wording {

QString health(Health health)
{
    switch (health) {
    case Health::Expected: return SystemWords::tr("expected", "health of a processor");
    case Health::Alive: return SystemWords::tr("alive", "health of a processor");
    case Health::Suspect: return SystemWords::tr("suspect", "health of a processor");
    case Health::Condemned: return SystemWords::tr("condemned", "health of a processor");
    case Health::Lost: return SystemWords::tr("lost", "health of a processor");
    case Health::Fenced: return SystemWords::tr("fenced", "health of a processor");
    case Health::Left: return SystemWords::tr("left", "health of a processor");
    }
    return {};
}

QString healthCause(HealthCause cause)
{
    switch (cause) {
    case HealthCause::None: return {};
    case HealthCause::Late: return SystemWords::tr("its heartbeats are late");
    case HealthCause::Silent: return SystemWords::tr("nothing was heard of it");
    case HealthCause::Stopped: return SystemWords::tr("its process is stopped");
    case HealthCause::Gone: return SystemWords::tr("its process ended");
    case HealthCause::Stuck: return SystemWords::tr("it does not get on");
    case HealthCause::Missing: return SystemWords::tr("it did not come in time");
    case HealthCause::Ordered: return SystemWords::tr("an operator wanted it");
    }
    return {};
}

QString clusterState(ClusterState state)
{
    switch (state) {
    case ClusterState::Starting: return SystemWords::tr("starting", "state of a subcluster");
    case ClusterState::Up: return SystemWords::tr("up", "state of a subcluster");
    case ClusterState::Down: return SystemWords::tr("down", "state of a subcluster");
    }
    return {};
}

QString processorKind(ProcessorKind kind)
{
    switch (kind) {
    case ProcessorKind::DedicatedMaster:
        return SystemWords::tr("dedicated", "kind of a processor: a master and nothing else");
    case ProcessorKind::Io: return SystemWords::tr("I/O", "kind of a processor");
    case ProcessorKind::Active: return SystemWords::tr("active", "kind of a processor");
    case ProcessorKind::Standby: return SystemWords::tr("standby", "kind of a processor");
    }
    return {};
}

QString master(MasterRole role)
{
    switch (role) {
    case MasterRole::Unit: return SystemWords::tr("unit master");
    case MasterRole::Cluster: return SystemWords::tr("cluster master");
    case MasterRole::System: return SystemWords::tr("system master");
    }
    return {};
}

QString masterBadge(MasterRole role)
{
    switch (role) {
    case MasterRole::Unit: return SystemWords::tr("UM", "unit master");
    case MasterRole::Cluster: return SystemWords::tr("CM", "cluster master");
    case MasterRole::System: return SystemWords::tr("SM", "system master");
    }
    return {};
}

QString seat(const SeatLabel& seat)
{
    const QString place = seat.kind == SeatKind::Active ? SystemWords::tr("rank %1").arg(seat.index)
        : seat.kind == SeatKind::Io                     ? SystemWords::tr("I/O %1").arg(seat.index)
                                                        : SystemWords::tr("master");
    return seat.subcluster.empty()
        ? place
        : SystemWords::tr("%1 %2", "subcluster and place").arg(text(seat.subcluster), place);
}

QString rank(const SystemState& system, Rank rank)
{
    return seat(rankLabel(system.layout(), rank));
}

QVariant rankCell(const SystemState& system, Rank rank)
{
    const SeatLabel label = rankLabel(system.layout(), rank);
    return label.subcluster.empty() ? QVariant(rank.value()) : QVariant(seat(label));
}

QString processor(const ProcessorLabel& processor) { return phrase(processorPhrase(processor)); }

} // namespace wording

namespace {

// One function for each described kind.

SystemEventText wordsOf(const SystemLaidOut& event, const SystemState&)
{
    return {.subject = SystemWords::tr("system"),
            .text = SystemWords::tr("The system has %n processor(s)", nullptr,
                                    static_cast<int>(event.processors.size()))};
}

SystemEventText wordsOf(const SystemStarted&, const SystemState&)
{
    return {.subject = SystemWords::tr("system"),
            .text = SystemWords::tr("All processors are ready")};
}

SystemEventText wordsOf(const HealthChanged& event, const SystemState& system)
{
    const QString name = wording::processor(system.label(event.processor));
    const QString cause = wording::healthCause(event.cause);
    SystemEventText out{.subject = name};
    out.text = cause.isEmpty()
        ? SystemWords::tr("%1 is %2").arg(name, wording::health(event.health))
        : SystemWords::tr("%1 is %2: %3").arg(name, wording::health(event.health), cause);
    switch (event.health) {
    case Health::Expected:
    case Health::Alive: out.notable = system.started(); break;
    case Health::Left: break;
    case Health::Suspect:
    case Health::Condemned: out.severity = Severity::Warning; break;
    case Health::Lost:
    case Health::Fenced: {
        const SystemProcessor* const processor = system.find(event.processor);
        const bool ordered = event.cause == HealthCause::Ordered;
        out.severity = ordered                  ? Severity::Information
            : processor && processor->info.seat ? Severity::Failure
                                                : Severity::Warning;
        break;
    }
    }
    return out;
}

SystemEventText wordsOf(const SeatTaken& event, const SystemState& system)
{
    const QString place = wording::seat(system.label(event.seat));
    const QString holder = wording::processor(system.label(event.holder));
    SystemEventText out{.subject = place};
    if (!event.previous) {
        out.text = SystemWords::tr("%1 is held by %2").arg(place, holder);
        out.notable = system.started();
        return out;
    }
    out.severity = Severity::Warning;
    out.text = SystemWords::tr("%1 was taken over by %2 from %3")
                   .arg(place, holder, wording::processor(system.label(*event.previous)));
    if (event.takeover.count() >= 0)
        out.text = SystemWords::tr("%1, in %2", "what happened, how long it took")
                       .arg(out.text, wording::duration(event.takeover));
    return out;
}

SystemEventText wordsOf(const SeatVacated& event, const SystemState& system)
{
    const QString place = wording::seat(system.label(event.seat));
    const QString previous = wording::processor(system.label(event.previous));
    return {.subject = place,
            .text = (event.givenUp ? SystemWords::tr("%1 is given up after the loss of %2")
                                   : SystemWords::tr("%1 is vacant after the loss of %2"))
                        .arg(place, previous),
            .severity = Severity::Failure};
}

SystemEventText wordsOf(const MasterChanged& event, const SystemState& system)
{
    const QString name = wording::processor(system.label(event.processor));
    SystemEventText out{.subject = name, .notable = system.started()};
    switch (event.role) {
    case MasterRole::Unit:
        out.text =
            SystemWords::tr("%1 is master of unit %2").arg(name, unitName(system, event.index));
        break;
    case MasterRole::Cluster:
        out.text = SystemWords::tr("%1 is master of subcluster %2")
                       .arg(name, subclusterName(system, event.index));
        break;
    case MasterRole::System: return systemMasterText(system, event);
    }
    return out;
}

SystemEventText wordsOf(const SubclusterChanged& event, const SystemState& system)
{
    const QString name = subclusterName(system, event.subcluster.value());
    SystemEventText out{.subject = SystemWords::tr("subcluster %1").arg(name)};
    out.text = SystemWords::tr("Subcluster %1 is %2").arg(name, wording::clusterState(event.state));
    if (!event.cause.empty())
        out.text = SystemWords::tr("%1: %2", "what happened, why")
                       .arg(out.text, wording::phrase(event.cause));
    if (event.state == ClusterState::Down)
        out.severity = Severity::Failure;
    return out;
}

SystemEventText wordsOf(const AlarmAcknowledged& event, const SystemState&)
{
    SystemEventText out{.subject = SystemWords::tr("alarm")};
    out.text = SystemWords::tr("%1 has acknowledged alarm %2")
                   .arg(wording::text(event.who), QString::fromStdString(eventIdText(event.alarm)));
    if (!event.comment.empty())
        out.text = SystemWords::tr("%1: %2", "what happened, why")
                       .arg(out.text, wording::text(event.comment));
    return out;
}

SystemEventText wordsOf(const ProcessorDrained& event, const SystemState& system)
{
    const QString name = wording::processor(system.label(event.processor));
    return {.subject = name,
            .text = (event.drained ? SystemWords::tr("%1 gets no new work: %2 wants it so")
                                   : SystemWords::tr("%1 may get work again: %2 wants it so"))
                        .arg(name, wording::text(event.who))};
}

SystemEventText wordsOf(const ProcessorOrdered& event, const SystemState& system)
{
    const QString name = wording::processor(system.label(event.processor));
    SystemEventText out{.subject = name, .text = orderText(event.order, name)};
    if (event.obstacle.empty()) {
        out.text = SystemWords::tr("%1: %2 wants it so").arg(out.text, wording::text(event.who));
        out.notable = false; // a notice says so, too
    } else {
        out.text = SystemWords::tr("%1: that cannot be done any more, %2")
                       .arg(out.text, wording::phrase(event.obstacle));
        out.severity = Severity::Warning;
    }
    return out;
}

SystemEventText wordsOf(const WorldStarted& event, const SystemState&)
{
    const QString name = wording::text(event.name);
    const bool again = event.generation != 0;
    return {.subject = name,
            .text = (again ? SystemWords::tr("World %1 begins again")
                           : SystemWords::tr("World %1 begins"))
                        .arg(name),
            .severity = again ? Severity::Warning : Severity::Information};
}

SystemEventText wordsOf(const RankReplays& event, const SystemState& system)
{
    const QString name = wording::rank(system, event.rank);
    SystemEventText out{.subject = name, .notable = event.took != notKnown};
    if (event.took == notKnown)
        out.text = SystemWords::tr("%1 does again what was lost").arg(name);
    else
        out.text = SystemWords::tr("%1 has done again what was lost, in %2")
                       .arg(name, wording::duration(event.took));
    return out;
}

SystemEventText wordsOf(const RunEnding& event, const SystemState& system)
{
    SystemEventText out{.subject = SystemWords::tr("run"), .severity = Severity::Warning};
    out.text = event.kill ? SystemWords::tr("The run is ending: what runs is killed")
                          : SystemWords::tr("The run is ending: what runs may finish");
    if (event.restartFor)
        out.text = SystemWords::tr("%1; it starts again, for subcluster %2 is down")
                       .arg(out.text, subclusterName(system, event.restartFor->value()));
    return out;
}

} // namespace

SystemEventText systemEventText(const EventPayload& event, const SystemState& system)
{
    return std::visit(
        [&system](const auto& payload) {
            if constexpr (Described<std::remove_cvref_t<decltype(payload)>>)
                return wordsOf(payload, system);
            else
                return SystemEventText();
        },
        event);
}

} // namespace tasuki

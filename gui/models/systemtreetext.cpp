// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemtreetext.h"

#include "systemtreemodel.h"
#include "wording.h"

#include <QLocale>

namespace tasuki {

namespace {

using Level = SystemNode::Level;

Health healthOf(Condition condition)
{
    switch (condition) {
    case Condition::Left: return Health::Left;
    case Condition::Well: return Health::Alive;
    case Condition::Expected: return Health::Expected;
    case Condition::Suspect: return Health::Suspect;
    case Condition::Condemned: return Health::Condemned;
    case Condition::Fenced: return Health::Fenced;
    case Condition::Lost:
    case Condition::Down: break;
    }
    return Health::Lost;
}

QString localNumber(std::uint64_t n) { return QLocale().toString(qulonglong{n}); }

} // namespace

QString SystemTreeText::name() const
{
    switch (m_node.level) {
    case Level::System: return m_session.name();
    case Level::Processor: return QString::number(m_node.number);
    case Level::Subcluster:
    case Level::Unit: break;
    }
    return m_node.name;
}

QString SystemTreeText::seat() const
{
    switch (m_node.level) {
    case Level::System:
    case Level::Subcluster:
        return tr("%1 of %2 ranks").arg(localNumber(m_figures.held), localNumber(m_figures.ranks));
    case Level::Unit: return {};
    case Level::Processor: break;
    }
    if (!m_figures.seat)
        return {};
    SeatLabel label = m_session.state().system().label(*m_figures.seat);
    label.subcluster.clear(); // the row stands below it
    return wording::seat(label);
}

QString SystemTreeText::state() const
{
    return m_node.level == Level::Processor ? wording::health(m_figures.health) : stateOfSeveral();
}

QString SystemTreeText::stateOfSeveral() const
{
    const Condition condition = m_figures.condition;
    const QString count = localNumber(m_figures.affected);
    if (condition == Condition::Down) {
        const QString down = wording::clusterState(ClusterState::Down);
        return m_node.level == Level::System
            ? tr("%1 %2", "how many subclusters are down").arg(count, down)
            : down;
    }
    if (condition == Condition::Well)
        return m_node.level == Level::Unit ? wording::health(Health::Alive)
                                           : wording::clusterState(ClusterState::Up);
    if (condition == Condition::Expected && m_node.level != Level::Unit)
        return wording::clusterState(ClusterState::Starting);
    if (condition == Condition::Left)
        return wording::health(Health::Left);
    return tr("%1 %2", "how many processors are what, e.g. 2 lost")
        .arg(count, wording::health(healthOf(condition)));
}

QString SystemTreeText::done() const
{
    return m_figures.failed == 0
        ? localNumber(m_figures.done)
        : tr("%1 (%2 failed)").arg(localNumber(m_figures.done), localNumber(m_figures.failed));
}

QString SystemTreeText::busy() const
{
    return m_figures.slots != 0 ? wording::share(m_figures.busy) : QString();
}

QString SystemTreeText::program() const
{
    const QString state = m_node.level == Level::Processor ? stateOfProgram() : stateOfPrograms();
    if (state.isEmpty() || m_figures.messagesPerSecond == 0)
        return state + point();
    return point().prepend(tr("%1, %2/s", "what a program does, how many messages")
                               .arg(state, localNumber(m_figures.messagesPerSecond)));
}

QString SystemTreeText::point() const
{
    if (m_node.level != Level::Processor)
        return {};
    if (m_figures.noPoint != PointObstacle::None)
        return tr(", no restart point: %1").arg(wording::phrase(textOf(m_figures.noPoint)));
    if (!m_figures.pointAge)
        return {};
    return tr(", restart point %1 s ago")
        .arg(localNumber(static_cast<quint64>(*m_figures.pointAge)));
}

QString SystemTreeText::stateOfProgram() const
{
    const auto is = [this](ProgramState state) {
        return m_figures.programs[static_cast<std::size_t>(state)] != 0;
    };
    if (m_figures.replayed)
        return tr("replays, %1", "how far a program has come")
            .arg(wording::share(*m_figures.replayed / 100.0));
    if (is(ProgramState::Waiting))
        return tr("waits in %1", "a function of MPI").arg(m_figures.call);
    if (is(ProgramState::Running))
        return tr("computes", "a program");
    if (is(ProgramState::Over))
        return tr("after MPI_Finalize");
    return is(ProgramState::Outside) ? tr("before MPI_Init") : QString();
}

QString SystemTreeText::stateOfPrograms() const
{
    QStringList parts;
    const auto add = [&](ProgramState state, const QString& pattern) {
        const std::uint32_t count = m_figures.programs[static_cast<std::size_t>(state)];
        if (count != 0)
            parts << pattern.arg(localNumber(count));
    };
    if (m_figures.replaying != 0)
        parts << tr("%1 replay", "how many programs").arg(localNumber(m_figures.replaying));
    add(ProgramState::Running, tr("%1 compute", "how many programs"));
    add(ProgramState::Waiting, tr("%1 wait", "how many programs"));
    add(ProgramState::Outside, tr("%1 before MPI_Init", "how many programs"));
    add(ProgramState::Over, tr("%1 after MPI_Finalize", "how many programs"));
    return parts.join(QStringLiteral(", "));
}

QList<SystemBadge> SystemTreeText::badges() const
{
    using Kind = SystemBadge::Kind;
    QList<SystemBadge> badges;
    if (m_node.level != Level::Processor)
        return badges;
    if (m_figures.drained)
        badges << SystemBadge{Kind::Drained, tr("drained")};
    if (m_figures.seat && m_figures.incarnation > Incarnation(1))
        badges << SystemBadge{Kind::Holder,
                              tr("#%1", "incarnation").arg(m_figures.incarnation.value())};
    if (m_figures.master)
        badges << SystemBadge{Kind::Master, wording::masterBadge(*m_figures.master)};
    const bool said = m_figures.kind == ProcessorKind::Active
        || (m_figures.kind == ProcessorKind::Io && m_figures.seat);
    if (!said)
        badges << SystemBadge{Kind::Role, wording::processorKind(m_figures.kind)};
    return badges;
}

QStringList SystemTreeText::lines() const
{
    switch (m_node.level) {
    case Level::System: return systemLines();
    case Level::Subcluster: return subclusterLines();
    case Level::Unit:
        return {tr("Unit %1 of subcluster %2").arg(m_node.name, m_node.parent->name),
                tr("%n processor(s)", nullptr, static_cast<int>(m_figures.processors)), state()};
    case Level::Processor: break;
    }
    return processorLines();
}

QStringList SystemTreeText::processorLines() const
{
    const SystemState& system = m_session.state().system();
    const ProcessorId id(m_node.number);
    QStringList lines{wording::processor(system.label(id))};
    const SystemProcessor* processor = system.find(id);
    if (processor != nullptr && processor->info.pid != 0)
        lines << tr("process %1").arg(processor->info.pid);
    if (m_figures.seat)
        lines << tr("%1, incarnation %2")
                     .arg(wording::seat(system.label(*m_figures.seat)))
                     .arg(m_figures.incarnation.value());
    if (m_figures.kind != ProcessorKind::Active || !m_figures.seat)
        lines << tr("made for: %1").arg(wording::processorKind(m_figures.kind));
    if (m_figures.master)
        lines << wording::master(*m_figures.master);
    const QString since = tr("%1 since %2", "health, time")
                              .arg(wording::health(m_figures.health),
                                   wording::time(m_figures.since));
    const QString cause = wording::healthCause(m_figures.cause);
    lines << (cause.isEmpty() ? since : tr("%1: %2", "what, why").arg(since, cause));
    if (const QString running = program(); !running.isEmpty())
        lines << tr("program: %1").arg(running);
    if (m_figures.drained)
        lines << tr("drained: gets no new work and no seat");
    return lines;
}

QStringList SystemTreeText::subclusterLines() const
{
    QStringList lines{tr("Subcluster %1").arg(m_node.name)};
    lines << (m_figures.why.isEmpty()
                  ? wording::clusterState(m_figures.state)
                  : tr("%1: %2", "what, why")
                        .arg(wording::clusterState(m_figures.state), m_figures.why));
    const SystemState& system = m_session.state().system();
    if (m_node.number < system.subclusters().size()) {
        const SubclusterInfo& info = system.subclusters()[m_node.number].info;
        lines << tr("%1 ranks, at least %2; %3 standby, %4 I/O")
                     .arg(info.active)
                     .arg(info.minimum)
                     .arg(info.standby)
                     .arg(info.io);
    }
    lines << tr("%1 held").arg(seat());
    return lines;
}

QStringList SystemTreeText::systemLines() const
{
    QStringList lines{m_session.name(), stateOfSeveral(), tr("%1 held").arg(seat())};
    const auto& layout = m_session.state().system().layout();
    if (!layout)
        return lines;
    lines << tr("heartbeat %1, suspect after %2, lost after %3 heartbeats")
                 .arg(wording::duration(layout->heartbeat))
                 .arg(layout->suspectAfter)
                 .arg(layout->lostAfter);
    if (!layout->topologyFile.empty())
        lines << tr("topology: %1").arg(wording::text(layout->topologyFile));
    return lines;
}

} // namespace tasuki

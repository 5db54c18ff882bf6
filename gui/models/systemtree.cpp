// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemtree.h"

#include "wording.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

Condition conditionOf(const SystemProcessor& processor)
{
    if (processor.health >= Health::Condemned && processor.cause == HealthCause::Ordered)
        return Condition::Left;
    switch (processor.health) {
    case Health::Expected: return Condition::Expected;
    case Health::Alive: return Condition::Well;
    case Health::Suspect: return Condition::Suspect;
    case Health::Condemned: return Condition::Condemned;
    case Health::Lost: return Condition::Lost;
    case Health::Fenced: return Condition::Fenced;
    case Health::Left: break;
    }
    return Condition::Left;
}

/// Adds up; the share of busy slots is kept as a number of them until all are there.
void addTo(SystemFigures& sum, const SystemFigures& figures)
{
    if (figures.condition > sum.condition) {
        sum.condition = figures.condition;
        sum.affected = 0;
    }
    if (figures.condition == sum.condition)
        sum.affected += figures.affected;
    sum.processors += figures.processors;
    sum.ranks += figures.ranks;
    sum.held += figures.held;
    sum.slots += figures.slots;
    sum.running += figures.running;
    sum.done += figures.done;
    sum.failed += figures.failed;
    sum.busy += figures.busy * figures.slots;
    for (std::size_t i = 0; i < programStates; ++i)
        sum.programs[i] += figures.programs[i];
    sum.messagesPerSecond += figures.messagesPerSecond;
    sum.replaying += figures.replaying;
}

SystemFigures sumOf(const SystemNode& node)
{
    SystemFigures sum;
    for (const auto& child : node.children)
        addTo(sum, child->figures);
    sum.busy = sum.slots != 0 ? sum.busy / sum.slots : 0;
    return sum;
}

void raise(SystemFigures& figures, Condition condition)
{
    if (figures.condition >= condition)
        return;
    figures.condition = condition;
    figures.affected = 1;
}

SystemNode& addChild(SystemNode& parent, SystemNode::Level level, std::uint32_t number)
{
    auto node = std::make_unique<SystemNode>();
    node->level = level;
    node->number = number;
    node->row = static_cast<int>(parent.children.size());
    node->parent = &parent;
    return *parent.children.emplace_back(std::move(node));
}

} // namespace

/// One renewal.
struct SystemTree::Round {
    const RunState& run;
    const ActivityMeter& meter;
    WallTime now;
    std::span<const RankProgram> programs;
    std::vector<Stretch> changed = {};

    [[nodiscard]] SystemFigures processor(const SystemProcessor& processor) const;
    [[nodiscard]] SystemFigures subcluster(const SystemNode& node) const;
    [[nodiscard]] std::optional<MasterRole> master(const ProcessorInfo& info) const;
    void work(SystemFigures& figures, Rank rank) const;
    void program(SystemFigures& figures, Rank rank) const;
    void put(SystemNode& node, SystemFigures figures);
};

std::optional<MasterRole> SystemTree::Round::master(const ProcessorInfo& info) const
{
    const SystemState& system = run.system();
    if (system.master() == info.id)
        return MasterRole::System;
    if (system.subclusters()[info.subcluster.value()].master == info.id)
        return MasterRole::Cluster;
    if (system.units()[info.unit.value()].master == info.id)
        return MasterRole::Unit;
    return std::nullopt;
}

void SystemTree::Round::work(SystemFigures& figures, Rank rank) const
{
    const auto found = run.processors().find(rank);
    if (found == run.processors().end() || !found->second.present)
        return;
    const ActivityMeter::RankActivity activity = meter.rank(rank, now);
    figures.slots = found->second.slots;
    figures.running = activity.running;
    figures.done = activity.ended;
    figures.failed = activity.failed;
    figures.busy = activity.recentShare;
}

void SystemTree::Round::program(SystemFigures& figures, Rank rank) const
{
    const auto found = std::ranges::lower_bound(programs, rank, {}, &RankProgram::rank);
    if (found == programs.end() || found->rank != rank)
        return;
    figures.programs[static_cast<std::size_t>(found->state)] = 1;
    figures.call = wording::text(found->call);
    figures.messagesPerSecond = found->messagesPerSecond;
    figures.replayed = found->replayed;
    figures.replaying = found->replayed ? 1 : 0;
    if (found->pointAge)
        figures.pointAge =
            std::chrono::duration_cast<std::chrono::seconds>(*found->pointAge).count();
    figures.noPoint = found->noPoint;
}

SystemFigures SystemTree::Round::processor(const SystemProcessor& processor) const
{
    SystemFigures figures;
    figures.condition = conditionOf(processor);
    figures.affected = 1;
    figures.processors = 1;
    figures.health = processor.health;
    figures.cause = processor.cause;
    figures.since = processor.since;
    figures.kind = processor.info.kind;
    figures.drained = processor.drained;
    figures.seat = processor.info.seat;
    if (!isUnreachable(processor.health))
        figures.master = master(processor.info);
    if (!figures.seat)
        return figures;
    const SystemSeat& seat = *run.system().find(*figures.seat);
    figures.incarnation = seat.incarnation;
    if (seat.info.kind == SeatKind::Active) {
        // Until somebody takes it over, nobody holds the rank of who is lost.
        figures.held = isUnreachable(processor.health) ? 0 : 1;
        const Rank rank(static_cast<std::int32_t>(figures.seat->value()));
        work(figures, rank);
        program(figures, rank);
    }
    return figures;
}

SystemFigures SystemTree::Round::subcluster(const SystemNode& node) const
{
    const SystemSubcluster& subcluster = run.system().subclusters()[node.number];
    SystemFigures figures = sumOf(node);
    figures.ranks = subcluster.info.active;
    figures.state = subcluster.state;
    figures.why = wording::phrase(subcluster.cause);
    if (subcluster.state == ClusterState::Down)
        raise(figures, Condition::Down);
    else if (subcluster.state == ClusterState::Starting)
        raise(figures, Condition::Expected);
    return figures;
}

void SystemTree::Round::put(SystemNode& node, SystemFigures figures)
{
    if (figures == node.figures)
        return;
    node.figures = std::move(figures);
    if (!changed.empty() && changed.back().parent == node.parent) {
        changed.back().last = node.row;
        return;
    }
    changed.push_back({.parent = node.parent, .first = node.row, .last = node.row});
}

bool SystemTree::fits(const SystemState& system) const
{
    const auto& layout = system.layout();
    if (!layout || !m_root)
        return !layout && !m_root;
    const auto sameName = [](const std::unique_ptr<SystemNode>& node, const SubclusterInfo& info) {
        return node->name == wording::text(info.name);
    };
    const auto sameUnit = [](const SystemNode* node, const UnitInfo& info) {
        return node->parent->number == info.subcluster.value()
            && node->name == wording::text(info.name);
    };
    const auto samePlace = [](const Place& place, const ProcessorInfo& info) {
        return place == Place{info.id, info.unit};
    };
    return std::ranges::equal(m_root->children, layout->subclusters, sameName)
        && std::ranges::equal(m_units, layout->units, sameUnit)
        && std::ranges::equal(m_places, layout->processors, samePlace);
}

void SystemTree::build(const SystemState& system)
{
    clear();
    const SystemLaidOut& layout = *system.layout();
    m_root = std::make_unique<SystemNode>();
    for (const SubclusterInfo& info : layout.subclusters) {
        const auto number = static_cast<std::uint32_t>(m_root->children.size());
        addChild(*m_root, SystemNode::Level::Subcluster, number).name = wording::text(info.name);
    }
    for (const UnitInfo& info : layout.units) {
        SystemNode& subcluster = *m_root->children[info.subcluster.value()];
        const auto number = static_cast<std::uint32_t>(m_units.size());
        SystemNode& unit = addChild(subcluster, SystemNode::Level::Unit, number);
        unit.name = wording::text(info.name);
        m_units.push_back(&unit);
    }
    for (const ProcessorInfo& info : layout.processors) {
        m_processors.push_back(
            &addChild(*m_units[info.unit.value()], SystemNode::Level::Processor, info.id.value()));
        m_places.push_back({.id = info.id, .unit = info.unit});
    }
}

void SystemTree::clear()
{
    m_places.clear();
    m_processors.clear();
    m_units.clear();
    m_root.reset();
}

std::vector<SystemTree::Stretch> SystemTree::renew(const RunState& state,
                                                   const ActivityMeter& meter, WallTime now,
                                                   std::span<const RankProgram> programs)
{
    Round round{.run = state, .meter = meter, .now = now, .programs = programs};
    // Both are in the order of the numbers.
    auto processor = state.system().processors().begin();
    for (SystemNode* node : m_processors)
        round.put(*node, round.processor((processor++)->second));
    for (SystemNode* unit : m_units)
        round.put(*unit, sumOf(*unit));
    for (const auto& subcluster : m_root->children)
        round.put(*subcluster, round.subcluster(*subcluster));
    SystemFigures system = sumOf(*m_root);
    if (!state.system().started())
        raise(system, Condition::Expected);
    round.put(*m_root, std::move(system));
    return std::move(round.changed);
}

const SystemNode* SystemTree::find(ProcessorId processor) const
{
    const auto found = std::ranges::lower_bound(m_places, processor, {}, &Place::id);
    return found == m_places.end() || found->id != processor
        ? nullptr
        : m_processors[static_cast<std::size_t>(found - m_places.begin())];
}

} // namespace tasuki

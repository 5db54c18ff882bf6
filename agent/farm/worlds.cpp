// SPDX-License-Identifier: GPL-3.0-or-later
#include "worlds.h"

#include "assignpacker.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tasuki::farm {

namespace {

/// What changes by the clock alone, the end of a back-off, is seen after so long.
constexpr std::chrono::milliseconds lookAgain{50};
/// An order that a group scheduler did not get is said again after so long.
constexpr std::chrono::seconds stopAgain{1};

/// What is recorded only ever grows: a later life, or that a life is through.
std::pair<AttemptNumber, bool> progressOf(const RankReplays& told)
{
    return {told.key.number, told.took != notKnown};
}

} // namespace

void Worlds::begin()
{
    const auto& tasks = m_master.record.state().tasks();
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
        const Task& task = tasks[i].task;
        if (!task.settings->seat || tasks[i].state == TaskState::Removed)
            continue;
        World& world = m_worlds[task.settings->seat->world];
        if (task.links)
            world.name = task.links->label;
        if (const RankReplays* const known = m_master.record.state().replayOf(TaskId(i)))
            m_replays.emplace(i, *known);
        world.tasks.emplace_back(i);
        world.ranks.push_back(task.settings->seat->rank);
    }
}

void Worlds::look()
{
    const SteadyTime now = m_clock.now();
    if (m_worlds.empty() || (!m_touched && now < m_nextLook))
        return;
    m_touched = false;
    m_nextLook = now + lookAgain;
    for (auto& [number, world] : m_worlds)
        look(number, world);
}

void Worlds::reserve()
{
    if (!m_touched)
        return;
    for (const auto& [number, world] : m_worlds) {
        for (const Rank rank : world.ranks) {
            const GroupId group = m_master.roster.groupOf(rank);
            if (m_master.scheduler.knows(group))
                m_master.scheduler.setReserved(group, true);
        }
    }
}

Worlds::Counts Worlds::count(const World& world) const
{
    Counts counts;
    for (const TaskId id : world.tasks) {
        switch (m_master.scheduler.advanceOf(id)) {
        case Advance::Waits: ++counts.waits; break;
        case Advance::Ready: ++counts.ready; break;
        case Advance::Held: ++counts.held; break;
        case Advance::Ending: ++counts.ending; break;
        case Advance::Succeeded: ++counts.succeeded; break;
        case Advance::GivenUp: ++counts.givenUp; break;
        }
    }
    return counts;
}

void Worlds::look(std::uint32_t number, World& world)
{
    const Counts counts = count(world);
    const std::size_t ranks = world.tasks.size();
    const bool runs = m_master.course.phase == MasterPhase::Running;
    if (counts.givenUp != 0) {
        if (counts.ready + counts.held + counts.waits != 0)
            cancelRest(world);
    } else if (counts.ready != 0 && canGoOn(number, world)) {
        if (runs)
            goOn(number, world);
    } else if (counts.ready == ranks) {
        if (runs && isManned(world))
            start(number, world);
    } else if (counts.held != 0) {
        if (counts.ready + counts.waits != 0)
            stop(world);
    } else if (runs && counts.succeeded != 0 && counts.ready + counts.succeeded == ranks
               && counts.ready != 0) {
        beginAgain(world);
    }
}

bool Worlds::isManned(const World& world) const
{
    return std::ranges::all_of(world.ranks, [this](Rank rank) { return isManned(rank); });
}

bool Worlds::isManned(Rank rank) const
{
    const Member* const member = m_master.roster.find(rank);
    return member != nullptr && member->state == Member::State::Present && member->open
        && m_master.scheduler.takesRanks(m_master.roster.groupOf(rank));
}

/// Whether all that are ready were lost, and what was sent to them is kept.
bool Worlds::canGoOn(std::uint32_t number, const World& world) const
{
    const RunState& state = m_master.record.state();
    if (!state.generationOf(number))
        return false;
    return std::ranges::all_of(world.tasks, [&](TaskId id) {
        if (m_master.scheduler.advanceOf(id) != Advance::Ready)
            return true;
        const TaskRecord& task = state.task(id);
        return task.task.settings->seat->logMb != 0 && task.attempts != 0
            && task.lastOutcome == Outcome::Lost;
    });
}

/// A start of a world, but for which one it is.
std::shared_ptr<WorldStart> Worlds::startOf(std::uint32_t number, const World& world) const
{
    auto begin = std::make_shared<WorldStart>();
    begin->world = number;
    begin->first = world.ranks.front();
    for (const Rank rank : world.ranks)
        begin->holders.push_back(m_master.roster.find(rank)->holder);
    begin->standbys = standbysOf(world);
    begin->name = world.name;
    begin->logMb = m_master.record.state().task(world.tasks.front()).task.settings->seat->logMb;
    return begin;
}

/// Each rank that was lost begins another life, as soon as somebody holds it.
void Worlds::goOn(std::uint32_t number, World& world)
{
    const RunState& state = m_master.record.state();
    for (std::size_t i = 0; i < world.tasks.size(); ++i) {
        if (m_master.scheduler.advanceOf(world.tasks[i]) != Advance::Ready
            || !isManned(world.ranks[i]))
            continue;
        auto begin = startOf(number, world);
        begin->generation = *state.generationOf(number);
        begin->goesOn = true;
        m_master.record.append(Notice{
            .severity = Severity::Information,
            .text = Phrase::tr("rank %1 of world %2 goes on where it was lost, at processor %3")(
                i, world.name, begin->holders[i].value())});
        hand(world, i, std::move(begin));
    }
}

/// Who takes the next rank over, in order, by what is recorded.
std::vector<ProcessorId> Worlds::standbysOf(const World& world) const
{
    const SystemState& system = m_master.record.state().system();
    std::vector<ProcessorId> standbys;
    for (const auto& [id, processor] : system.processors()) {
        const SubclusterId subcluster = processor.info.subcluster;
        const bool ofWorld = subcluster.value() < system.subclusters().size()
            && system.subclusters()[subcluster.value()].info.name == world.name;
        if (ofWorld && !processor.info.seat && processor.health == Health::Alive)
            standbys.push_back(id);
    }
    return standbys;
}

void Worlds::hand(const World& world, std::size_t rank, std::shared_ptr<const WorldStart> begin)
{
    const GroupId group = m_master.roster.groupOf(world.ranks[rank]);
    const AttemptKey key = m_master.scheduler.handRank(world.tasks[rank], group);
    const Task& task = m_master.record.state().task(key.task).task;
    Assign message;
    message.tasks.push_back({key, task.command, task.settings, std::move(begin)});
    m_master.mail.send(group, std::move(message));
}

void Worlds::start(std::uint32_t number, World& world)
{
    auto begin = startOf(number, world);
    // Each start before has left at least one attempt that has ended.
    for (const TaskId id : world.tasks)
        begin->generation += m_master.record.state().task(id).attempts;
    world.ending = false;
    world.goesBack = false;
    m_master.record.append(
        WorldStarted{.world = number, .generation = begin->generation, .name = world.name});
    for (std::size_t i = 0; i < world.tasks.size(); ++i)
        hand(world, i, begin);
}

/// A rank has lost its program: nobody can go on without it.
void Worlds::stop(World& world)
{
    const SteadyTime now = m_clock.now();
    if (now < world.nextStop)
        return;
    world.nextStop = now + stopAgain;
    if (!std::exchange(world.goesBack, true))
        m_master.record.append(
            Notice{.severity = Severity::Warning,
                   .text = Phrase::tr("world %1 goes back to its start, as a rank of it was lost")(
                       world.name)});
    std::map<GroupId, Stop> stops;
    for (const TaskId id : world.tasks) {
        if (const auto held = m_master.scheduler.held(id)) {
            Stop& stop = stops[held->first];
            stop.reason = StopReason::Interrupted;
            stop.keys.push_back(held->second);
        }
    }
    for (auto& [group, stop] : stops)
        m_master.mail.send(group, std::move(stop));
}

template <class Command>
void Worlds::request(World& world, Command command, bool (*concerns)(Advance))
{
    if (world.ending)
        return;
    for (const TaskId id : world.tasks) {
        if (concerns(m_master.scheduler.advanceOf(id)))
            command.targets.push_back({id, m_master.record.state().task(id).revision});
    }
    world.ending = true;
    m_operations.request("world " + world.name, std::move(command),
                         [this, &world](const CommandAnswer&) {
                             world.ending = false;
                             touch();
                         });
}

/// One of its ranks is given up: the others are, too.
void Worlds::cancelRest(World& world)
{
    const auto goesOn = [](Advance advance) {
        return advance == Advance::Waits || advance == Advance::Ready || advance == Advance::Held;
    };
    const bool any = std::ranges::any_of(world.tasks, [&](TaskId id) {
        return goesOn(m_master.scheduler.advanceOf(id))
            && !m_master.record.state().task(id).cancelling;
    });
    if (any)
        request(world, CancelTasks{}, goesOn);
}

/// Ranks that were through must be there for the others.
void Worlds::beginAgain(World& world)
{
    request(world, RepeatTasks{}, [](Advance advance) { return advance == Advance::Succeeded; });
}

void Worlds::replays(Rank rank, AttemptNumber number, std::chrono::microseconds took)
{
    for (const auto& [of, world] : m_worlds) {
        const auto found = std::ranges::find(world.ranks, rank);
        if (found == world.ranks.end())
            continue;
        const TaskId task = world.tasks[static_cast<std::size_t>(found - world.ranks.begin())];
        const RankReplays told{.key = {task, number}, .rank = rank, .took = took};
        const auto known = m_replays.find(task);
        if (known != m_replays.end() && progressOf(told) <= progressOf(known->second))
            return;
        // It may be told sooner than that the attempt has begun: then it will be told again.
        if (number.value() > m_master.record.state().task(task).attempts)
            return;
        m_replays.insert_or_assign(task, told);
        m_master.record.append(told);
        return;
    }
}

std::string Worlds::stranded() const
{
    for (const auto& [number, world] : m_worlds) {
        if (count(world).ready != world.tasks.size())
            continue;
        for (const Rank rank : world.ranks) {
            const Member* const member = m_master.roster.find(rank);
            if (member == nullptr || member->state == Member::State::Vacant)
                return "world " + world.name + " waits for its rank "
                    + std::to_string(rank.value() - world.ranks.front().value());
        }
    }
    return {};
}

} // namespace tasuki::farm

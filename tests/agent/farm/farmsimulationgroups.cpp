// SPDX-License-Identifier: GPL-3.0-or-later
//
// Subclusters with group schedulers: who of the simulated processors knows when who leads and who holds what.
#include "farmsimulation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tasuki::farm::testing {

using namespace std::chrono_literals;

namespace {

/// Views reach everybody within this time.
constexpr auto viewTime = 20ms;

} // namespace

std::uint32_t FarmSimulation::clusterOf(std::uint32_t number) const
{
    const std::uint32_t share = m_scenario.ranks / (m_scenario.groups + 1);
    return std::min(number / share, m_scenario.groups);
}

bool FarmSimulation::isStandby(std::uint32_t number) const
{
    const std::uint32_t cluster = clusterOf(number);
    const std::uint32_t share = m_scenario.ranks / (m_scenario.groups + 1);
    const std::uint32_t end = cluster == m_scenario.groups ? m_scenario.ranks
                                                           : (cluster + 1) * share;
    return number >= end - m_scenario.standbys / (m_scenario.groups + 1);
}

std::set<Rank> FarmSimulation::led() const
{
    std::set<Rank> ranks;
    for (const auto& [cluster, world] : m_worlds) {
        for (const auto& [rank, seat] : world.seats)
            ranks.insert(rank);
    }
    return ranks;
}

/// Everybody begins with the same view.
void FarmSimulation::dealGroups()
{
    for (std::uint32_t number = 0; number < m_scenario.ranks; ++number) {
        const std::uint32_t cluster = clusterOf(number);
        if (cluster == 0)
            continue;
        GroupView& world = m_worlds[cluster];
        if (!world.leader) {
            world.version = 1;
            world.leader = ProcessorId(number);
            if (m_scenario.leadersApart)
                continue;
        }
        if (!isStandby(number)) {
            const Rank rank(static_cast<std::int32_t>(number));
            world.seats[rank] = {.holder = ProcessorId(number), .incarnation = Incarnation(1)};
        }
    }
    for (auto& [cluster, world] : m_worlds) {
        world.group = groupOf(world.seats.begin()->first);
        std::vector<Rank> ranks;
        for (const auto& [rank, seat] : world.seats) {
            ranks.push_back(rank);
            give(*seat.holder, {rank, seat.incarnation});
        }
        m_master->groupFormed(world.group, std::move(ranks));
        tellMaster(cluster, world);
    }
    for (Processor& processor : m_processors) {
        if (processor.cluster != 0)
            tellProcessor(processor.id, m_worlds.at(processor.cluster));
    }
}

void FarmSimulation::planGroupFaults()
{
    const auto sometime = [this] { return within(m_scenario.span); };
    for (std::uint32_t i = 0; i < m_scenario.leaderDeaths; ++i)
        plan(sometime(), [this, cluster = anyGroup()] { killLeader(cluster); });
    for (std::uint32_t i = 0; i < m_scenario.doubleDeaths; ++i) {
        plan(sometime(), [this, cluster = anyGroup()] {
            killLeader(cluster);
            // At once, before the next one has looked around, or while it does; often it itself.
            const std::array<std::chrono::microseconds, 4> pauses{0us, 5ms, 40ms, 90ms};
            plan(pauses[below(4)] + within(10ms), [this, cluster] {
                const auto& seats = m_worlds.at(cluster).seats;
                const auto& seat = std::next(seats.begin(), below(seats.size() & 0xffffU))->second;
                if (below(2) == 0)
                    killLeader(cluster);
                else if (seat.holder)
                    kill(*seat.holder);
            });
        });
    }
    for (std::uint32_t i = 0; i < m_scenario.groupDeaths; ++i) {
        plan(sometime(), [this, cluster = anyGroup()] {
            for (const Processor& member : m_processors) {
                if (member.cluster == cluster)
                    plan(within(60ms), [this, id = member.id] { kill(id); });
            }
        });
    }
    for (std::uint32_t i = 0; i < m_scenario.leaderChanges; ++i)
        plan(sometime(), [this, cluster = anyGroup()] { changeLeader(cluster); });
    for (std::uint32_t i = 0; i < m_scenario.closings; ++i)
        plan(sometime(), [this, cluster = anyGroup()] { closeRank(cluster); });
}

void FarmSimulation::killLeader(std::uint32_t cluster)
{
    if (const auto leader = m_worlds.at(cluster).leader)
        kill(*leader);
}

/// An operator promotes somebody; now and then somebody else right after.
void FarmSimulation::changeLeader(std::uint32_t cluster)
{
    GroupView& world = m_worlds.at(cluster);
    std::vector<ProcessorId> living;
    for (const Processor& member : m_processors) {
        if (member.cluster == cluster && !member.givenUp)
            living.push_back(member.id);
    }
    if (living.empty())
        return;
    const std::optional<ProcessorId> before = world.leader;
    world.leader = living[below(static_cast<std::uint32_t>(living.size()))];
    publish(world);
    if (below(2) != 0)
        return;
    plan(within(30ms), [this, &world, before] {
        if (!before || processor(*before).givenUp)
            return;
        world.leader = before;
        publish(world);
    });
}

void FarmSimulation::closeRank(std::uint32_t cluster)
{
    GroupView& world = m_worlds.at(cluster);
    const Rank rank = std::next(world.seats.begin(), below(world.seats.size() & 0xffffU))->first;
    const auto set = [this, &world, rank](bool open) {
        world.seats.at(rank).open = open;
        publish(world);
    };
    set(false);
    plan(within(300ms), [set] { set(true); });
}

/// The next in order, when the last one is gone.
void FarmSimulation::chooseLeader(std::uint32_t cluster)
{
    GroupView& world = m_worlds.at(cluster);
    if (world.leader && !processor(*world.leader).givenUp)
        return;
    world.leader.reset();
    for (const Processor& member : m_processors) {
        if (member.cluster == cluster && !member.givenUp && !world.leader)
            world.leader = member.id;
    }
}

void FarmSimulation::groupGivesUp(Processor& lost, LossCause cause)
{
    GroupView& world = m_worlds.at(lost.cluster);
    world.gone[lost.id] = cause;
    for (auto& [rank, seat] : world.seats) {
        if (seat.holder != lost.id)
            continue;
        seat.holder.reset();
        seat.cause = cause;
        for (const Processor& candidate : m_processors) {
            const bool holds = std::ranges::any_of(world.seats, [&candidate](const auto& entry) {
                return entry.second.holder == candidate.id;
            });
            const bool apart = m_scenario.leadersApart && candidate.id == world.leader;
            if (holds || apart || candidate.givenUp || candidate.worker->over()
                || candidate.cluster != lost.cluster)
                continue;
            seat.holder = candidate.id;
            seat.incarnation = seat.incarnation.next();
            seat.open = true;
            give(candidate.id, {rank, seat.incarnation});
            break;
        }
    }
    chooseLeader(lost.cluster);
    publish(world);
}

/// Everybody learns of it, each in its own time.
void FarmSimulation::publish(GroupView& world)
{
    ++world.version;
    for (const Processor& processor : m_processors) {
        if (m_worlds.contains(processor.cluster)
            && m_worlds.at(processor.cluster).group == world.group)
            plan(within(viewTime),
                 [this, id = processor.id, view = world] { tellProcessor(id, view); });
    }
    for (const auto& [cluster, known] : m_worlds) {
        if (known.group == world.group)
            plan(within(viewTime),
                 [this, number = cluster, view = world] { tellMaster(number, view); });
    }
}

void FarmSimulation::tellMaster(std::uint32_t cluster, const GroupView& view)
{
    if (m_network.paused(m_masterAt)) {
        plan(5ms, [this, cluster, view] { tellMaster(cluster, view); });
        return;
    }
    GroupView& known = m_masterKnows[cluster];
    if (view.version <= known.version || !m_network.alive(m_masterAt))
        return;
    for (const auto& [id, cause] : view.gone) {
        if (known.gone.contains(id))
            continue;
        if (cause == LossCause::Left)
            m_master->processorLeft(id);
        else
            m_master->processorLost(id);
    }
    view.tell(
        known,
        [this](Rank rank, Incarnation incarnation, LossCause cause) {
            m_master->rankLost(rank, incarnation, cause);
        },
        [this](Rank rank, ProcessorId holder, Incarnation incarnation) {
            m_master->rankHeld(rank, holder, incarnation);
        },
        [this](Rank rank, bool open) { m_master->setOpen(rank, open); });
    known = view;
    m_master->groupLed(view.group, view.leader);
}

void FarmSimulation::tellProcessor(ProcessorId id, const GroupView& view)
{
    Processor& told = processor(id);
    if (m_network.paused(id)) {
        plan(5ms, [this, id, view] { tellProcessor(id, view); });
        return;
    }
    if (view.version <= told.known.version || !m_network.alive(id) || told.worker->over())
        return;
    const GroupView before = std::exchange(told.known, view);
    if (told.groupScheduler) {
        GroupScheduler& groupScheduler = *told.groupScheduler;
        view.tell(
            before,
            [&groupScheduler](Rank rank, Incarnation incarnation, LossCause) {
                groupScheduler.rankLost(rank, incarnation);
            },
            [&groupScheduler](Rank rank, ProcessorId holder, Incarnation incarnation) {
                groupScheduler.rankHeld(rank, holder, incarnation);
            },
            [&groupScheduler](Rank rank, bool open) { groupScheduler.setOpen(rank, open); });
    }
    if (view.leader)
        told.worker->setChief(*view.leader);
    if (view.leader != id || told.dismissed)
        told.groupScheduler.reset();
    else if (!told.groupScheduler)
        makeGroupScheduler(told);
}

void FarmSimulation::makeGroupScheduler(Processor& processor)
{
    processor.groupScheduler.emplace(
        GroupScheduler::Setup{
            .epoch = m_journal.epoch(), .group = processor.known.group, .master = processor.master},
        m_network.at(processor.id), m_clock,
        [&processor] { return processor.leaderships = processor.leaderships.next(); });
    GroupScheduler& groupScheduler = *processor.groupScheduler;
    for (const auto& [rank, seat] : processor.known.seats) {
        if (!seat.holder)
            continue;
        groupScheduler.rankHeld(rank, *seat.holder, seat.incarnation);
        groupScheduler.setOpen(rank, seat.open);
    }
}

void FarmSimulation::pollGroupScheduler(Processor& processor, bool& busy)
{
    if (!processor.groupScheduler)
        return;
    if (processor.worker->over()) {
        processor.groupScheduler.reset(); // it has left with all that it was
        return;
    }
    const bool led = processor.groupScheduler->leads();
    busy = processor.groupScheduler->poll() || busy;
    m_leaderships += !led && processor.groupScheduler->leads() ? 1U : 0U;
}

} // namespace tasuki::farm::testing

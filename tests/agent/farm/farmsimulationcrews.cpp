// SPDX-License-Identifier: GPL-3.0-or-later
//
// Subclusters with foremen: who of the simulated processors knows when who leads and who holds what.
#include "farmsimulation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tasuki::farm::testing {

using namespace std::chrono_literals;

namespace {

/// Pictures reach everybody within this time.
constexpr auto pictureTime = 20ms;

} // namespace

std::uint32_t FarmSimulation::clusterOf(std::uint32_t number) const
{
    const std::uint32_t share = m_scenario.ranks / (m_scenario.crews + 1);
    return std::min(number / share, m_scenario.crews);
}

bool FarmSimulation::isStandby(std::uint32_t number) const
{
    const std::uint32_t cluster = clusterOf(number);
    const std::uint32_t share = m_scenario.ranks / (m_scenario.crews + 1);
    const std::uint32_t end = cluster == m_scenario.crews ? m_scenario.ranks
                                                          : (cluster + 1) * share;
    return number >= end - m_scenario.standbys / (m_scenario.crews + 1);
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

/// Everybody begins with the same picture.
void FarmSimulation::dealCrews()
{
    for (std::uint32_t number = 0; number < m_scenario.ranks; ++number) {
        const std::uint32_t cluster = clusterOf(number);
        if (cluster == 0)
            continue;
        CrewPicture& world = m_worlds[cluster];
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
        world.crew = crewOf(world.seats.begin()->first);
        std::vector<Rank> ranks;
        for (const auto& [rank, seat] : world.seats) {
            ranks.push_back(rank);
            give(*seat.holder, {rank, seat.incarnation});
        }
        m_master->crewFormed(world.crew, std::move(ranks));
        tellMaster(cluster, world);
    }
    for (Processor& processor : m_processors) {
        if (processor.cluster != 0)
            tellProcessor(processor.id, m_worlds.at(processor.cluster));
    }
}

void FarmSimulation::planCrewFaults()
{
    const auto sometime = [this] { return within(m_scenario.span); };
    for (std::uint32_t i = 0; i < m_scenario.leaderDeaths; ++i)
        plan(sometime(), [this, cluster = anyCrew()] { killLeader(cluster); });
    for (std::uint32_t i = 0; i < m_scenario.doubleDeaths; ++i) {
        plan(sometime(), [this, cluster = anyCrew()] {
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
    for (std::uint32_t i = 0; i < m_scenario.crewDeaths; ++i) {
        plan(sometime(), [this, cluster = anyCrew()] {
            for (const Processor& member : m_processors) {
                if (member.cluster == cluster)
                    plan(within(60ms), [this, id = member.id] { kill(id); });
            }
        });
    }
    for (std::uint32_t i = 0; i < m_scenario.leaderChanges; ++i)
        plan(sometime(), [this, cluster = anyCrew()] { changeLeader(cluster); });
    for (std::uint32_t i = 0; i < m_scenario.closings; ++i)
        plan(sometime(), [this, cluster = anyCrew()] { closeRank(cluster); });
}

void FarmSimulation::killLeader(std::uint32_t cluster)
{
    if (const auto leader = m_worlds.at(cluster).leader)
        kill(*leader);
}

/// An operator promotes somebody; now and then somebody else right after.
void FarmSimulation::changeLeader(std::uint32_t cluster)
{
    CrewPicture& world = m_worlds.at(cluster);
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
    CrewPicture& world = m_worlds.at(cluster);
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
    CrewPicture& world = m_worlds.at(cluster);
    if (world.leader && !processor(*world.leader).givenUp)
        return;
    world.leader.reset();
    for (const Processor& member : m_processors) {
        if (member.cluster == cluster && !member.givenUp && !world.leader)
            world.leader = member.id;
    }
}

void FarmSimulation::crewGivesUp(Processor& lost, LossCause cause)
{
    CrewPicture& world = m_worlds.at(lost.cluster);
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
void FarmSimulation::publish(CrewPicture& world)
{
    ++world.version;
    for (const Processor& processor : m_processors) {
        if (m_worlds.contains(processor.cluster)
            && m_worlds.at(processor.cluster).crew == world.crew)
            plan(within(pictureTime),
                 [this, id = processor.id, picture = world] { tellProcessor(id, picture); });
    }
    for (const auto& [cluster, known] : m_worlds) {
        if (known.crew == world.crew)
            plan(within(pictureTime),
                 [this, number = cluster, picture = world] { tellMaster(number, picture); });
    }
}

void FarmSimulation::tellMaster(std::uint32_t cluster, const CrewPicture& picture)
{
    if (m_network.paused(m_masterAt)) {
        plan(5ms, [this, cluster, picture] { tellMaster(cluster, picture); });
        return;
    }
    CrewPicture& known = m_masterKnows[cluster];
    if (picture.version <= known.version || !m_network.alive(m_masterAt))
        return;
    for (const auto& [id, cause] : picture.gone) {
        if (known.gone.contains(id))
            continue;
        if (cause == LossCause::Left)
            m_master->processorLeft(id);
        else
            m_master->processorLost(id);
    }
    picture.tell(
        known,
        [this](Rank rank, Incarnation incarnation, LossCause cause) {
            m_master->rankLost(rank, incarnation, cause);
        },
        [this](Rank rank, ProcessorId holder, Incarnation incarnation) {
            m_master->rankHeld(rank, holder, incarnation);
        },
        [this](Rank rank, bool open) { m_master->setOpen(rank, open); });
    known = picture;
    m_master->crewLed(picture.crew, picture.leader);
}

void FarmSimulation::tellProcessor(ProcessorId id, const CrewPicture& picture)
{
    Processor& told = processor(id);
    if (m_network.paused(id)) {
        plan(5ms, [this, id, picture] { tellProcessor(id, picture); });
        return;
    }
    if (picture.version <= told.known.version || !m_network.alive(id) || told.worker->over())
        return;
    const CrewPicture before = std::exchange(told.known, picture);
    if (told.foreman) {
        Foreman& foreman = *told.foreman;
        picture.tell(
            before,
            [&foreman](Rank rank, Incarnation incarnation, LossCause) {
                foreman.rankLost(rank, incarnation);
            },
            [&foreman](Rank rank, ProcessorId holder, Incarnation incarnation) {
                foreman.rankHeld(rank, holder, incarnation);
            },
            [&foreman](Rank rank, bool open) { foreman.setOpen(rank, open); });
    }
    if (picture.leader)
        told.worker->setChief(*picture.leader);
    if (picture.leader != id || told.dismissed)
        told.foreman.reset();
    else if (!told.foreman)
        makeForeman(told);
}

void FarmSimulation::makeForeman(Processor& processor)
{
    processor.foreman.emplace(
        Foreman::Setup{
            .epoch = m_journal.epoch(), .crew = processor.known.crew, .master = processor.master},
        m_network.at(processor.id), m_clock, [&processor] { return ++processor.terms; });
    Foreman& foreman = *processor.foreman;
    for (const auto& [rank, seat] : processor.known.seats) {
        if (!seat.holder)
            continue;
        foreman.rankHeld(rank, *seat.holder, seat.incarnation);
        foreman.setOpen(rank, seat.open);
    }
}

void FarmSimulation::pollForeman(Processor& processor, bool& busy)
{
    if (!processor.foreman)
        return;
    if (processor.worker->over()) {
        processor.foreman.reset(); // it has left with all that it was
        return;
    }
    const bool led = processor.foreman->leads();
    busy = processor.foreman->poll() || busy;
    m_leaderships += !led && processor.foreman->leads() ? 1U : 0U;
}

} // namespace tasuki::farm::testing

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The simulated master dies, and the next in order goes on with what is recorded.
#include "farmsimulation.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm::testing {

using namespace std::chrono_literals;

namespace {

/// What the successor takes to open the record.
constexpr auto openingTime = 30ms;

StartedAttempts startedIn(const std::vector<Event>& record)
{
    StartedAttempts started;
    for (const Event& event : record) {
        if (std::holds_alternative<RunOpened>(event.payload))
            started.clear();
        else if (const auto* one = std::get_if<AttemptStarted>(&event.payload))
            started.insert_or_assign(one->key, one->rank);
        else if (const auto* ended = std::get_if<AttemptFinished>(&event.payload))
            started.erase(ended->key);
    }
    return started;
}

} // namespace

/// The master is dead, and everybody knows it. Ranks that it led itself get a group scheduler like the others.
void FarmSimulation::endTerm()
{
    m_interregnum = true;
    if (!m_worlds.contains(0))
        makeHomeGroup();
    plan(within(openingTime), [this] { succeed(); });
}

void FarmSimulation::makeHomeGroup()
{
    if (m_seats.empty())
        return;
    GroupView& world = m_worlds[0];
    world.group = groupOf(m_seats.begin()->first);
    world.leader = m_masterAt;
    for (const auto& [rank, seat] : m_seats)
        world.seats[rank] = {.holder = seat.holder, .incarnation = seat.incarnation};
    for (const Processor& member : m_processors) {
        if (member.cluster == 0 && member.givenUp && member.id != m_masterAt)
            world.gone[member.id] = member.left ? LossCause::Left : LossCause::Gone;
    }
}

void FarmSimulation::succeed()
{
    Processor& dead = processor(m_masterAt);
    const auto successor = std::ranges::find_if(m_processors, [this](const Processor& candidate) {
        return !candidate.givenUp && !candidate.left && m_network.alive(candidate.id)
            && !candidate.worker->over();
    });
    m_interregnum = false;
    if (m_journal.record().empty()) { // the run had not begun
        for (Processor& other : m_processors)
            abandon(other);
        return;
    }
    if (successor == m_processors.end())
        return; // nobody is left
    if (m_network.paused(successor->id)) {
        m_interregnum = true;
        plan(5ms, [this] { succeed(); });
        return;
    }
    if (m_copies && !m_copies->succeed(successor->id)) {
        abandon(*successor); // it cannot go on; perhaps the next one can
        successor->left = true;
        plan(1ms, [this, id = successor->id] { giveUp(id, LossCause::Left); });
        m_recordLeft = true;
        m_interregnum = true;
        plan(5ms, [this] { succeed(); });
        return;
    }
    m_recordLeft = false;
    m_masterAt = successor->id;
    m_term = m_term.next();
    if (m_worlds.contains(dead.cluster))
        groupGivesUp(dead, LossCause::Gone);
    m_journal.takeOver();
    if (m_copies)
        m_copies->lead(m_masterAt, m_term);
    m_laterStates.push_back(std::make_unique<RunState>());
    RunState& state = *m_laterStates.back();
    for (const Event& event : m_earlier)
        static_cast<void>(state.apply(event));
    for (const Event& event : m_journal.record())
        static_cast<void>(state.apply(event));
    makeMaster(state);
    if (m_operator)
        m_operator->follow(*m_master, state);
    for (const auto& [cluster, world] : m_worlds) {
        std::vector<Rank> ranks;
        for (const auto& [rank, seat] : world.seats)
            ranks.push_back(rank);
        m_master->groupFormed(world.group, std::move(ranks));
    }
    m_masterKnows.clear();
    for (const auto& [cluster, world] : m_worlds)
        tellMaster(cluster, world);
    m_master->takeOver({Notice{.text = "takes over"}}, startedIn(m_journal.record()));
    m_master->begin();
    for (const Processor& told : m_processors) {
        plan(told.id == m_masterAt ? 0ns : within(20ms),
             [this, id = told.id, term = m_term, master = m_masterAt] {
                 tellTerm(id, term, master);
             });
    }
}

/// Whatever anybody was told is in the record, whoever has written it since.
void FarmSimulation::checkPublished()
{
    for (const Event& event : m_published) {
        const auto found = std::ranges::lower_bound(m_journal.record(), event.id, {}, &Event::id);
        if (found == m_journal.record().end() || *found != event)
            complain("the record lacks what was told: event " + eventIdText(event.id));
    }
}

/// A processor learns who is the master, as soon as it runs.
void FarmSimulation::tellTerm(ProcessorId id, Term term, ProcessorId master)
{
    Processor& told = processor(id);
    if (m_network.paused(id)) {
        plan(5ms, [this, id, term, master] { tellTerm(id, term, master); });
        return;
    }
    if (!m_network.alive(id) || term <= told.term)
        return;
    told.term = term;
    told.master = master;
    told.worker->setMaster(master);
    if (told.groupScheduler)
        told.groupScheduler->setMaster(master);
}

} // namespace tasuki::farm::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmsimulation.h"
#include "support/replayed.h"

#include <QString>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::farm::testing {

/// A run of one life or several, as the record has it.
struct History {
    std::vector<Event> record;
    std::string complaint; ///< of the simulation
    RunEnd end = RunEnd::Complete;
    std::uint32_t takeovers = 0;
    std::uint32_t staleResults = 0;
    std::uint32_t startedAgain = 0; ///< attempts
    std::uint32_t leaderships = 0;  ///< of group schedulers
    std::uint32_t successions = 0;  ///< of masters
    std::uint32_t moves = 0;        ///< of the record to another file
    std::size_t forgotten = 0;      ///< events that were committed and never told
    bool recordLeft = false;        ///< nobody was left who has the record
    std::set<Rank> led;             ///< ranks that have had group schedulers
    std::size_t unfinished = 0;
    std::vector<std::uint32_t> accepted; ///< commands, by kind
    std::uint32_t stopped = 0;           ///< attempts that were to be killed
    std::uint32_t peeked = 0;
};

/// Lives one life after what is recorded already.
inline void live(const FarmScenario& scenario, std::uint32_t tasks, History& history)
{
    RunState state = replayed(history.record);
    const Epoch epoch = state.lastEvent().epoch.next();
    std::vector<EventPayload> opening{RunOpened{}};
    for (std::uint32_t i = 0; i < state.tasks().size(); ++i) {
        if (state.tasks()[i].cancelling)
            opening.emplace_back(TaskCancelled{TaskId(i)});
    }
    if (history.record.empty())
        opening = randomList(scenario.seed, tasks);
    FarmSimulation simulation(scenario, state, epoch, std::move(opening), history.record);
    if (const std::string complaint = simulation.run(); history.complaint.empty())
        history.complaint = complaint;
    history.record.insert(history.record.end(), simulation.record().begin(),
                          simulation.record().end());
    history.end = simulation.end();
    history.takeovers += simulation.takeovers();
    history.staleResults += simulation.staleResults();
    history.startedAgain += simulation.startedAgain();
    history.leaderships += simulation.leaderships();
    history.successions += simulation.successions();
    if (const SimulatedCopies* copies = simulation.copies()) {
        history.moves += copies->moves();
        history.forgotten += copies->forgotten();
    }
    history.recordLeft = simulation.recordLeft();
    history.led.merge(simulation.led());
    if (scenario.commands != 0) {
        const RandomOperator& told = simulation.randomOperator();
        history.accepted = told.accepted();
        history.stopped = told.stopped();
        history.peeked = told.peeked();
    }
    history.unfinished = replayed(history.record).unfinished();
}

/// @return what the simulation or the checks have to say against a history
inline std::string complaintAbout(const History& history, bool complete)
{
    if (!history.complaint.empty())
        return history.complaint;
    return RecordChecker(complete, history.led).check(history.record);
}

/// @return how many attempts ended as lost
inline std::size_t lostAttempts(const History& history)
{
    return static_cast<std::size_t>(std::ranges::count_if(history.record, [](const Event& event) {
        const auto* finished = std::get_if<AttemptFinished>(&event.payload);
        return finished && finished->result.outcome == Outcome::Lost;
    }));
}

/// Seeds of a search begin behind TASUKI_FIRST_SEED; there are more of them by TASUKI_SEEDS.
inline int firstSeed() { return qEnvironmentVariableIntValue("TASUKI_FIRST_SEED") + 1; }
inline int lastSeed(int usual)
{
    const int wanted = qEnvironmentVariableIntValue("TASUKI_SEEDS");
    return firstSeed() + (wanted > 0 ? wanted : usual) - 1;
}

inline QString words(const FarmScenario& scenario, const std::string& complaint)
{
    return QStringLiteral("%1 ranks, seed %2: %3")
        .arg(scenario.ranks)
        .arg(scenario.seed)
        .arg(QString::fromStdString(complaint));
}

} // namespace tasuki::farm::testing

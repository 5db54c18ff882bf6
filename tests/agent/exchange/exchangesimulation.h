// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/exchange.h"
#include "support/manualclock.h"
#include "transport/simulated/simulatednetwork.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tasuki::merge::testing {

/// An exchange of a whole launch on the simulated network, with deaths at chosen moments.
class ExchangeSimulation {
public:
    struct Setup {
        std::vector<MergeMap> maps; ///< by rank
        std::optional<std::size_t> keep = {};
        ScoreRule score = ScoreRule::None;
        bool exactScores = true;
        std::uint64_t chunkBytes = 64; ///< few entries, so that a round has several parts
        std::uint64_t seed = 1;
        /// Ranks of one host see each other's processes end; otherwise only silence tells.
        bool processesAreWatched = true;
        /// Whether a result is made safe as soon as it is asked for, or never.
        bool closes = true;
    };
    explicit ExchangeSimulation(Setup setup);

    /// One turn of everything, then time goes on to the next event.
    void step();
    /// @return whether all that live are over in so much simulated time
    bool run(std::chrono::seconds limit = std::chrono::seconds(300));
    [[nodiscard]] std::size_t steps() const { return m_steps; }
    /// Whether every rank is past the first gathering.
    [[nodiscard]] bool allHaveBegun() const;
    void kill(ProcessorId rank, SimulatedNetwork::LastWords words);
    /// Empty: the survivors ended as they must; else what is wrong.
    [[nodiscard]] std::string problem() const;

    [[nodiscard]] const Exchange& at(ProcessorId rank) const { return *m_exchanges[index(rank)]; }
    [[nodiscard]] Exchange& at(ProcessorId rank) { return *m_exchanges[index(rank)]; }
    [[nodiscard]] bool survives(ProcessorId rank) const { return m_network.alive(rank); }
    [[nodiscard]] SimulatedNetwork& network() { return m_network; }
    [[nodiscard]] ManualClock& clock() { return m_clock; }

    std::vector<ProcessorId> closers;     ///< who was asked to make the result safe, in order
    std::vector<std::string> viewReasons; ///< of coordinators
    std::uint32_t latestRound = 0;        ///< that any rank has ended
    std::uint64_t sentBytes = 0;

private:
    static std::size_t index(ProcessorId rank) { return static_cast<std::size_t>(rank.value()); }
    ExchangeObserver observe(ProcessorId rank);
    [[nodiscard]] bool everybodyIsOver() const;

    Setup m_setup;
    ManualClock m_clock;
    SimulatedNetwork m_network;
    std::vector<std::unique_ptr<Exchange>> m_exchanges;
    std::vector<std::set<ProcessorId>> m_watches; ///< by rank: whose processes it watches
    std::size_t m_steps = 0;
};

} // namespace tasuki::merge::testing

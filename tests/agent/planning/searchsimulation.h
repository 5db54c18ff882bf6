// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planning/sharedsearch.h"
#include "support/manualclock.h"
#include "transport/simulated/simulatednetwork.h"

#include <QString>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace tasuki::planning::testing {

/// What all simulated ranks search: tasks on sixNodes().
inline constexpr std::uint32_t tasks = 6;
inline constexpr std::size_t keep = 50;
inline constexpr std::chrono::milliseconds lostAfter{1000};
/// Allocations in a handful, after each of which a search looks whether it is to stop.
inline constexpr std::size_t lanes = 3;

/// Lets searching threads predict so many handfuls, then holds them until there are more. Any thread.
class Gate {
public:
    static constexpr std::size_t open = std::numeric_limits<std::size_t>::max();

    explicit Gate(std::size_t handfuls) : m_left(handfuls) {}
    void pass();
    void let(std::size_t handfuls);
    [[nodiscard]] std::size_t passed();

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_left;
    std::size_t m_passed = 0;
};

/// Six nodes, one of them with two slots.
std::shared_ptr<const plan::Environment> sixNodes();

/// @return a predictor of runtimes that tell most allocations apart, which waits at the gate
std::shared_ptr<const plan::Predictor> gatedPredictor(
    std::shared_ptr<const plan::Environment> environment, std::shared_ptr<Gate> gate);

/// @return what the search must come to, made without messages
plan::Ranking expected(std::uint32_t shares, const std::set<std::uint32_t>& missing = {});

/// @return empty: the rankings agree; else what differs
QString difference(const plan::Ranking& got, const plan::Ranking& wanted);

/// @return whether it came true; the limit is there so that a broken test ends
bool comesTrue(const std::function<bool()>& condition);

/// The ranks of a launch that search together: in threads, with messages in simulated time.
class SearchSimulation {
public:
    /// @param handfuls  that each rank may predict until its gate is opened
    explicit SearchSimulation(std::size_t ranks, std::size_t handfuls = Gate::open,
                              std::uint32_t threads = 1);
    ~SearchSimulation() { openAll(); }
    SearchSimulation(const SearchSimulation&) = delete;
    SearchSimulation& operator=(const SearchSimulation&) = delete;

    [[nodiscard]] SharedSearch& at(std::size_t rank) { return *m_searches[rank]; }
    [[nodiscard]] SimulatedNetwork& network() { return m_network; }
    void open(std::size_t rank) { m_gates[rank]->let(Gate::open); }
    void openAll();
    /// From now on the rank does nothing but search: it is not polled.
    void sleeps(std::size_t rank) { m_asleep.insert(rank); }
    void wakes(std::size_t rank) { m_asleep.erase(rank); }
    void advance(std::chrono::nanoseconds time) { m_clock.advance(time); }

    /// Polls everybody, then time goes on a little.
    void step();
    void run(std::chrono::milliseconds time);
    /// These return whether it came to that.
    bool runUntil(const std::function<bool()>& condition);
    bool runToTheEnd();
    /// Until each rank is held by its gate, and rank 0 knows what all have tried.
    bool runUntilHeld(std::uint64_t triedByEach);

private:
    ManualClock m_clock;
    SimulatedNetwork m_network;
    std::vector<std::shared_ptr<Gate>> m_gates;
    std::vector<std::unique_ptr<SharedSearch>> m_searches;
    std::set<std::size_t> m_asleep;
};

} // namespace tasuki::planning::testing

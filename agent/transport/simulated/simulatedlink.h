// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace tasuki {

/// How one direction between two simulated processors behaves.
struct LinkModel {
    std::chrono::nanoseconds minimumDelay = std::chrono::microseconds(20);
    /// Mean of what comes on top, exponentially distributed: most messages are quick, few late.
    std::chrono::nanoseconds meanExtraDelay = std::chrono::microseconds(50);
    /// Messages that are under way at once; the sender keeps the rest, as MPI does.
    std::size_t window = 32;
    /// Share of the messages that vanish, 0 to 1: a fault that no contract allows.
    double loss = 0.0;
    /// Everything vanishes.
    bool cut = false;
};

/// Random numbers that are the same on every machine and with every standard library.
class SimulatedDice {
public:
    explicit SimulatedDice(std::uint64_t seed) : m_state(seed) {}

    /// @return a number from 0 (included) to 1 (excluded)
    double roll();

private:
    std::uint64_t m_state;
};

/// One direction between two simulated processors: what waits at the sender, what is under way.
class SimulatedLink {
public:
    SimulatedLink(const LinkModel& behaviour, std::uint64_t seed) : model(behaviour), m_dice(seed)
    {}

    /// @return when a message that leaves now arrives: never before an earlier one of this link
    SteadyTime arrival(SteadyTime now);
    /// @return whether the next message vanishes
    bool loses();
    [[nodiscard]] bool hasRoom() const { return underWay < model.window; }

    LinkModel model;
    std::deque<std::string> waiting; ///< at the sender
    std::size_t underWay = 0;        ///< left the sender, not taken by the receiver

private:
    SimulatedDice m_dice;
    SteadyTime m_latestArrival{};
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/ids.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

namespace tasuki::merge {

/// Which ranks of a launch take part in an exchange, as one of them sees it. Pure logic.
class Membership {
public:
    enum class State : std::uint8_t {
        Living,
        Silent, ///< given up, though it may still be there
        Gone,   ///< its process has ended
    };

    /// @param ranks  of the launch, self included
    /// @param limit  silence after which a rank that is listened to is given up
    Membership(ProcessorId self, std::size_t ranks, std::chrono::milliseconds limit,
               SteadyTime now);

    [[nodiscard]] ProcessorId self() const { return m_self; }
    [[nodiscard]] State state(ProcessorId rank) const { return m_ranks.at(rank).state; }
    /// Whether a message may come from there at all.
    [[nodiscard]] bool knows(ProcessorId rank) const { return m_ranks.count(rank) != 0; }
    [[nodiscard]] bool living(ProcessorId rank) const { return state(rank) == State::Living; }
    /// Ascending.
    [[nodiscard]] std::vector<ProcessorId> living() const;
    /// The lowest living rank.
    [[nodiscard]] ProcessorId coordinator() const;
    [[nodiscard]] bool coordinates() const { return coordinator() == m_self; }
    [[nodiscard]] std::size_t launched() const { return m_ranks.size(); }
    /// Whether those that live may go on without those that are only silent: these may do the same.
    /// On a tie the side of the lowest rank goes on.
    [[nodiscard]] bool hasMajority() const;

    void heard(ProcessorId rank, SteadyTime now) { m_ranks.at(rank).lastHeard = now; }
    /// @return whether that is news
    bool lose(ProcessorId rank, State state, SteadyTime now);
    /// Ranks that have been silent for too long: the coordinator listens to all, the others to it.
    /// To be asked often: when the last time was long ago, the observer itself was late, and that
    /// is not held against anybody.
    [[nodiscard]] std::vector<ProcessorId> silent(SteadyTime now);

private:
    struct Member {
        State state = State::Living;
        SteadyTime lastHeard{};
    };

    ProcessorId m_self;
    std::chrono::milliseconds m_limit;
    std::map<ProcessorId, Member> m_ranks;
    SteadyTime m_lastAsked;
};

} // namespace tasuki::merge

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lanes.h"
#include "predictor.h"
#include "program.h"

#include <memory>
#include <vector>

namespace tasuki::plan {

/// The causal model `replay`: one pass over a program's operations, for several allocations side by
/// side. A receive ends no earlier than its message arrives and no earlier than it was posted.
/// Messages between two tasks arrive one behind the other; where nodes have a figure for their
/// network cards, all messages of a node queue there. Senders wait for what does not fit in their
/// send buffers, where the environment says how large these are.
class Replay final : public Predictor {
public:
    /// @param program, environment  are shared, and do not change
    Replay(std::shared_ptr<const Program> program, std::shared_ptr<const Environment> environment);
    Replay(const Replay& other) : Replay(other.m_program, other.m_environment) {}
    Replay& operator=(const Replay&) = delete;

    void predict(std::span<const Allocation> allocations, std::span<double> timesUs) override;
    [[nodiscard]] std::size_t lanes() const override { return laneCount; }
    [[nodiscard]] std::unique_ptr<Predictor> clone() const override;

    /// When an operation began after the computation before it, and when its task went on; of a
    /// Transfer: when the message set out, and came.
    struct Times {
        double beginUs = 0.0;
        double endUs = 0.0;
        double arrivedUs = 0.0; ///< Send, Transfer
    };
    /// The times of all operations under one allocation; [op].
    [[nodiscard]] std::vector<Times> times(const Allocation& allocation);

private:
    template <bool cards, class Observer>
    void pass(Observer&& observe);
    template <class Observer>
    void pass(Observer&& observe);
    template <bool cards>
    void travel(const Op& op, const Lanes& start);
    template <bool cards>
    void awaitRoom(const Op& op, const Lanes& arrived, double keptBytes, Lanes& clock) const;
    double passCards(Node from, Node to, std::size_t lane, double startUs, double bytes,
                     double burstBytes);

    std::shared_ptr<const Program> m_program;
    std::shared_ptr<const Environment> m_environment;
    bool m_cards; ///< some node's network card is a bottleneck
    LaneParameters m_parameters;
    std::vector<Lanes> m_clocks;   ///< [task]
    std::vector<Lanes> m_marks;    ///< [mark]
    std::vector<Lanes> m_wires;    ///< [pair], when the link is free again
    std::vector<Lanes> m_cardsOut; ///< [node], when its card is free again
    std::vector<Lanes> m_cardsIn;
};

} // namespace tasuki::plan

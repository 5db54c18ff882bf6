// SPDX-License-Identifier: GPL-3.0-or-later
#include "replay.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::plan {

namespace {

struct NoObserver {
    void operator()(std::size_t, double, double, double) const {}
};

/// Bytes go through a token bucket (the virtual scheduling of ITU-T I.371). Without a burst, this is
/// a queue.
/// @param busyUntilUs  when all that was taken so far would be through, were there no burst; grows
/// @return when the last byte is through
double passBucket(double& busyUntilUs, double startUs, double usPerByte, double bytes,
                  double burstBytes)
{
    busyUntilUs = std::max(busyUntilUs, startUs) + usPerByte * bytes;
    return std::max(startUs, busyUntilUs - usPerByte * burstBytes);
}

} // namespace

Replay::Replay(std::shared_ptr<const Program> program,
               std::shared_ptr<const Environment> environment)
    : m_program(std::move(program)),
      m_environment(std::move(environment)),
      m_cards(std::ranges::any_of(m_environment->nodes,
                                  [](const NodeSpec& node) {
                                      return node.egressUsPerByte > 0 || node.ingressUsPerByte > 0;
                                  })),
      m_parameters(*m_environment, m_program->tasks, m_program->pairs),
      m_clocks(m_program->tasks),
      m_marks(m_program->marks),
      m_wires(m_program->pairs.size()),
      m_cardsOut(m_environment->nodes.size()),
      m_cardsIn(m_environment->nodes.size())
{}

std::unique_ptr<Predictor> Replay::clone() const { return std::make_unique<Replay>(*this); }

/// A message sets out: its arrival becomes mark `out`.
template <bool cards>
void Replay::travel(const Op& op, const Lanes& start)
{
    const Lanes& a0 = m_parameters.a0(op.pair);
    const Lanes& a1 = m_parameters.a1(op.pair);
    const Lanes& burst = m_parameters.burstBytes(op.pair);
    Lanes& wire = m_wires[op.pair];
    Lanes& out = m_marks[op.out];
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
        out.at[lane] = a0.at[lane]
            + passBucket(wire.at[lane], start.at[lane], a1.at[lane], op.bytes, burst.at[lane]);
    }
    if constexpr (cards) {
        const Pair& pair = m_program->pairs[op.pair];
        for (std::size_t lane = 0; lane < laneCount; ++lane) {
            const Node from = m_parameters.node(pair.from, lane);
            const Node to = m_parameters.node(pair.to, lane);
            if (from == to)
                continue;
            const double through = passCards(from, to, lane, start.at[lane], op.bytes,
                                             burst.at[lane]);
            out.at[lane] = std::max(out.at[lane], a0.at[lane] + through);
        }
    }
}

/// A sender goes on as soon as what is left of its message has room where it waits for the link.
/// @param keptBytes  that much room there is
template <bool cards>
void Replay::awaitRoom(const Op& op, const Lanes& arrived, double keptBytes, Lanes& clock) const
{
    const Lanes& a0 = m_parameters.a0(op.pair);
    const Lanes& a1 = m_parameters.a1(op.pair);
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
        double usPerByte = a1.at[lane];
        if constexpr (cards) {
            const Node from = m_parameters.node(m_program->pairs[op.pair].from, lane);
            usPerByte = std::max(usPerByte, m_environment->nodes[from.value()].egressUsPerByte);
        }
        clock.at[lane] = std::max(clock.at[lane],
                                  arrived.at[lane] - a0.at[lane] - usPerByte * keptBytes);
    }
}

/// Both cards work at the same time: the second takes bytes as soon as the first lets them through.
double Replay::passCards(Node from, Node to, std::size_t lane, double startUs, double bytes,
                         double burstBytes)
{
    double& outgoing = m_cardsOut[from.value()].at[lane];
    double& incoming = m_cardsIn[to.value()].at[lane];
    const double outUsPerByte = m_environment->nodes[from.value()].egressUsPerByte;
    const double inUsPerByte = m_environment->nodes[to.value()].ingressUsPerByte;
    const double firstUs = std::max(startUs, outgoing - burstBytes * outUsPerByte);
    const double sentUs = passBucket(outgoing, startUs, outUsPerByte, bytes, burstBytes);
    return std::max(sentUs, passBucket(incoming, firstUs, inUsPerByte, bytes, burstBytes));
}

template <bool cards, class Observer>
void Replay::pass(Observer&& observe)
{
    for (auto* lanes : {&m_clocks, &m_marks, &m_wires, &m_cardsOut, &m_cardsIn})
        std::ranges::fill(*lanes, Lanes{});
    const std::vector<Op>& ops = m_program->ops;
    const double roomBytes = m_environment->sendBufferBytes;
    for (std::size_t index = 0; index < ops.size(); ++index) {
        const Op& op = ops[index];
        if (op.kind == OpKind::Transfer) {
            Lanes start;
            for (std::size_t lane = 0; lane < laneCount; ++lane)
                start.at[lane] = std::max(m_marks[op.in].at[lane], m_marks[op.in2].at[lane]);
            travel<cards>(op, start);
            const double arrivedUs = m_marks[op.out].at[0];
            observe(index, start.at[0], arrivedUs, arrivedUs);
            continue;
        }
        Lanes& clock = m_clocks[op.task];
        const Lanes& slowness = m_parameters.slowness(op.task);
        for (std::size_t lane = 0; lane < laneCount; ++lane)
            clock.at[lane] += op.beforeUs * slowness.at[lane];
        const double beginUs = clock.at[0];
        if (op.kind == OpKind::Post)
            m_marks[op.out] = clock;
        else if (op.kind == OpKind::Send)
            travel<cards>(op, clock);
        for (std::size_t lane = 0; lane < laneCount; ++lane)
            clock.at[lane] += op.ownUs * slowness.at[lane] + op.pauseUs;
        if (op.kind == OpKind::Send && roomBytes > 0.0) {
            awaitRoom<cards>(op, m_marks[op.out], roomBytes, clock);
        } else if (op.kind == OpKind::Wait && op.bytes > 0.0 && roomBytes > 0.0) {
            awaitRoom<cards>(op, m_marks[op.in], std::min(op.bytes, roomBytes), clock);
        } else if (op.kind == OpKind::Wait) {
            const Lanes& mark = m_marks[op.in];
            for (std::size_t lane = 0; lane < laneCount; ++lane)
                clock.at[lane] = std::max(clock.at[lane], mark.at[lane]);
        }
        observe(index, beginUs, clock.at[0], op.kind == OpKind::Send ? m_marks[op.out].at[0] : 0.0);
    }
}

template <class Observer>
void Replay::pass(Observer&& observe)
{
    if (m_cards)
        pass<true>(std::forward<Observer>(observe));
    else
        pass<false>(std::forward<Observer>(observe));
}

void Replay::predict(std::span<const Allocation> allocations, std::span<double> timesUs)
{
    assert(allocations.size() == timesUs.size());
    for (std::size_t first = 0; first < allocations.size(); first += laneCount) {
        const std::size_t count = std::min(laneCount, allocations.size() - first);
        m_parameters.set(allocations.subspan(first, count));
        pass(NoObserver());
        for (std::size_t lane = 0; lane < count; ++lane) {
            double& timeUs = timesUs[first + lane];
            timeUs = 0.0;
            for (const Lanes& clock : m_clocks)
                timeUs = std::max(timeUs, clock.at[lane]);
        }
    }
}

std::vector<Replay::Times> Replay::times(const Allocation& allocation)
{
    std::vector<Times> times(m_program->ops.size());
    m_parameters.set({&allocation, 1});
    pass([&times](std::size_t op, double beginUs, double endUs, double arrivedUs) {
        times[op] = {.beginUs = beginUs, .endUs = endUs, .arrivedUs = arrivedUs};
    });
    return times;
}

} // namespace tasuki::plan

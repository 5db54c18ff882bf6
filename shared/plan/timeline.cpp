// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline.h"

#include "replay.h"

#include <algorithm>
#include <tuple>

namespace tasuki::plan {

namespace {

/// Follows the operations of a program with their predicted times.
class TimelineMaker {
public:
    TimelineMaker(const Program& program, const Environment& environment,
                  const Allocation& allocation, std::vector<Replay::Times> times)
        : m_program(program),
          m_environment(environment),
          m_allocation(allocation),
          m_times(std::move(times)),
          m_lastOfTask(program.tasks, trace::none),
          m_previous(program.ops.size(), trace::none),
          m_maker(program.ops.size(), trace::none),
          m_makerOfMark(program.marks, trace::none)
    {
        m_timeline.tasks = program.tasks;
    }

    Timeline make()
    {
        for (std::uint32_t index = 0; index < m_program.ops.size(); ++index)
            take(index);
        std::ranges::stable_sort(m_timeline.arrows, {}, &TimelineArrow::sentUs);
        std::ranges::stable_sort(m_timeline.spans, {}, [](const TimelineSpan& span) {
            return std::tuple(span.task, span.beginUs);
        });
        followBack();
        return std::move(m_timeline);
    }

private:
    [[nodiscard]] double slownessOf(const Op& op) const
    {
        return m_environment.traceSpeed / m_environment.nodes[m_allocation[op.task].value()].speed;
    }

    void take(std::uint32_t index)
    {
        const Op& op = m_program.ops[index];
        switch (op.kind) {
        case OpKind::Transfer:
            // Which of the two came last decides when it began.
            m_maker[index] = later(m_makerOfMark[op.in], m_makerOfMark[op.in2]);
            m_makerOfMark[op.out] = index;
            addArrow(index);
            return;
        case OpKind::Send:
        case OpKind::Post: m_makerOfMark[op.out] = index; break;
        case OpKind::Wait: m_maker[index] = m_makerOfMark[op.in]; break;
        case OpKind::Advance: break;
        }
        m_previous[index] = m_lastOfTask[op.task];
        m_lastOfTask[op.task] = index;
        m_timeline.endUs = std::max(m_timeline.endUs, m_times[index].endUs);
        addSpans(index);
        if (op.kind == OpKind::Send)
            addArrow(index);
    }

    [[nodiscard]] std::uint32_t later(std::uint32_t first, std::uint32_t second) const
    {
        return m_times[first].beginUs >= m_times[second].beginUs ? first : second;
    }

    void addArrow(std::uint32_t index)
    {
        const Op& op = m_program.ops[index];
        const Pair& pair = m_program.pairs[op.pair];
        m_timeline.arrows.push_back({.from = trace::Task(pair.from),
                                     .to = trace::Task(pair.to),
                                     .sentUs = m_times[index].beginUs,
                                     .arrivedUs = m_times[index].arrivedUs,
                                     .message = m_program.sources[index].message});
    }

    void addSpan(const Op& op, SpanKind kind, double beginUs, double endUs, std::uint32_t call)
    {
        if (endUs <= beginUs)
            return;
        m_timeline.spans.push_back({.task = trace::Task(op.task),
                                    .kind = kind,
                                    .beginUs = beginUs,
                                    .endUs = endUs,
                                    .call = call});
    }

    void addSpans(std::uint32_t index)
    {
        const Op& op = m_program.ops[index];
        const Replay::Times& times = m_times[index];
        const std::uint32_t call = m_program.sources[index].call;
        const double slowness = slownessOf(op);
        addSpan(op, SpanKind::Compute, times.beginUs - op.beforeUs * slowness, times.beginUs,
                trace::none);
        const double ownEndUs = std::min(times.endUs,
                                         times.beginUs + op.ownUs * slowness + op.pauseUs);
        addSpan(op, SpanKind::Call, times.beginUs, ownEndUs, call);
        addSpan(op, SpanKind::Wait, ownEndUs, times.endUs, call);
    }

    /// From the last end back to the begin, always to what was waited for.
    void followBack()
    {
        std::uint32_t at = trace::none;
        for (const std::uint32_t last : m_lastOfTask) {
            if (last != trace::none
                && (at == trace::none || m_times[last].endUs > m_times[at].endUs))
                at = last;
        }
        while (at != trace::none)
            at = stepBack(at);
        std::ranges::reverse(m_timeline.criticalPath);
    }

    /// Adds the pieces that end with an operation. @return the operation before them
    std::uint32_t stepBack(std::uint32_t index)
    {
        const Op& op = m_program.ops[index];
        const Replay::Times& times = m_times[index];
        const double slowness = slownessOf(op);
        const double ownEndUs = times.beginUs + op.ownUs * slowness + op.pauseUs;
        if (op.kind == OpKind::Wait && times.endUs > ownEndUs) {
            const std::uint32_t message = m_maker[index];
            const Pair& pair = m_program.pairs[m_program.ops[message].pair];
            const double sentUs = m_times[message].beginUs;
            addPiece(PathPiece::Kind::Message, pair.from, pair.to, sentUs, times.endUs);
            const std::uint32_t sender = m_program.ops[message].kind == OpKind::Transfer
                ? m_maker[message]
                : message;
            return beforeCall(sender);
        }
        addPiece(PathPiece::Kind::Call, op.task, op.task, times.beginUs, times.endUs);
        return beforeCall(index);
    }

    /// Adds the computation before a call. @return the task's operation before it
    std::uint32_t beforeCall(std::uint32_t index)
    {
        const Op& op = m_program.ops[index];
        const double beginUs = m_times[index].beginUs;
        addPiece(PathPiece::Kind::Compute, op.task, op.task, beginUs - op.beforeUs * slownessOf(op),
                 beginUs);
        return m_previous[index];
    }

    void addPiece(PathPiece::Kind kind, std::uint32_t task, std::uint32_t to, double beginUs,
                  double endUs)
    {
        if (endUs <= beginUs)
            return;
        m_timeline.criticalPath.push_back({.kind = kind,
                                           .task = trace::Task(task),
                                           .to = trace::Task(to),
                                           .beginUs = beginUs,
                                           .endUs = endUs});
    }

    const Program& m_program;
    const Environment& m_environment;
    const Allocation& m_allocation;
    std::vector<Replay::Times> m_times;
    std::vector<std::uint32_t> m_lastOfTask; ///< [task], operation
    std::vector<std::uint32_t> m_previous;   ///< [op], the one before it of the same task
    std::vector<std::uint32_t> m_maker;      ///< [op], which one defined what it waits for
    std::vector<std::uint32_t> m_makerOfMark;
    Timeline m_timeline;
};

} // namespace

Timeline tracedTimeline(const trace::Trace& trace)
{
    Timeline timeline;
    timeline.tasks = trace.tasks();
    for (const trace::Event& event : trace.events)
        timeline.endUs = std::max(timeline.endUs, static_cast<double>(event.timeUs));
    for (std::uint32_t index = 0; index < trace.calls.size(); ++index) {
        const trace::Call& call = trace.calls[index];
        timeline.spans.push_back({.task = call.task,
                                  .kind = SpanKind::Call,
                                  .beginUs = static_cast<double>(call.beginUs),
                                  .endUs = static_cast<double>(call.endUs),
                                  .call = index,
                                  .depth = call.depth});
    }
    std::ranges::stable_sort(timeline.spans, {}, [](const TimelineSpan& span) {
        return std::tuple(span.task, span.beginUs, span.depth);
    });
    for (std::uint32_t index = 0; index < trace.messages.size(); ++index) {
        const trace::Message& message = trace.messages[index];
        if (!message.matched())
            continue;
        timeline.arrows.push_back(
            {.from = message.from,
             .to = message.to,
             .sentUs = static_cast<double>(trace.events[message.sent].timeUs),
             .arrivedUs = static_cast<double>(trace.events[message.received].timeUs),
             .message = index});
    }
    std::ranges::stable_sort(timeline.arrows, {}, &TimelineArrow::sentUs);
    return timeline;
}

Timeline predictedTimeline(const std::shared_ptr<const Program>& program,
                           const std::shared_ptr<const Environment>& environment,
                           const Allocation& allocation)
{
    Replay replay(program, environment);
    return TimelineMaker(*program, *environment, allocation, replay.times(allocation)).make();
}

PathTotals pathTotals(const Timeline& timeline)
{
    PathTotals totals;
    totals.computeOfTaskUs.resize(timeline.tasks, 0.0);
    for (const PathPiece& piece : timeline.criticalPath) {
        const double us = piece.endUs - piece.beginUs;
        switch (piece.kind) {
        case PathPiece::Kind::Compute:
            totals.computeUs += us;
            totals.computeOfTaskUs[piece.task.value()] += us;
            break;
        case PathPiece::Kind::Call: totals.callUs += us; break;
        case PathPiece::Kind::Message: totals.messageUs += us; break;
        }
    }
    return totals;
}

} // namespace tasuki::plan

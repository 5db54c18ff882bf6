// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocation.h"
#include "program.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tasuki::plan {

enum class SpanKind : std::uint8_t {
    Compute, ///< between calls
    Call,    ///< in a call or another state
    Wait,    ///< the part of a call in which its task could not go on
};

/// A stretch of a task's time.
struct TimelineSpan {
    trace::Task task;
    SpanKind kind = SpanKind::Compute;
    double beginUs = 0.0;
    double endUs = 0.0;
    std::uint32_t call = trace::none; ///< index in Trace::calls; none: computation
    std::uint32_t depth = 0;          ///< how many states it stands in
    bool operator==(const TimelineSpan&) const = default;
};

/// A message on its way.
struct TimelineArrow {
    trace::Task from;
    trace::Task to;
    double sentUs = 0.0;
    double arrivedUs = 0.0;
    std::uint32_t message = trace::none; ///< index in Trace::messages; none: of a collective call
    bool operator==(const TimelineArrow&) const = default;
};

/// A piece of the chain of computation, calls and messages that the runtime consists of. The pieces
/// follow each other without gaps from 0 to the runtime.
struct PathPiece {
    enum class Kind : std::uint8_t { Compute, Call, Message };
    Kind kind = Kind::Compute;
    trace::Task task; ///< of a message: the sender
    trace::Task to;   ///< of a message: the receiver; else the task
    double beginUs = 0.0;
    double endUs = 0.0;
    bool operator==(const PathPiece&) const = default;
};

/// What tasks did or would do, for drawing.
struct Timeline {
    std::uint32_t tasks = 0;
    double endUs = 0.0;
    std::vector<TimelineSpan> spans;     ///< those of one task in the order of their begins
    std::vector<TimelineArrow> arrows;   ///< in the order of the sends
    std::vector<PathPiece> criticalPath; ///< in the order of time; empty where it is not known
};

/// The trace as it was taken. Waiting is not told apart from calls.
Timeline tracedTimeline(const trace::Trace& trace);

/// What the model `replay` predicts for an allocation.
Timeline predictedTimeline(const std::shared_ptr<const Program>& program,
                           const std::shared_ptr<const Environment>& environment,
                           const Allocation& allocation);

/// How long the pieces of a critical path take together.
struct PathTotals {
    double computeUs = 0.0;
    double callUs = 0.0;
    double messageUs = 0.0;
    std::vector<double> computeOfTaskUs; ///< [task]
    bool operator==(const PathTotals&) const = default;
};
PathTotals pathTotals(const Timeline& timeline);

} // namespace tasuki::plan

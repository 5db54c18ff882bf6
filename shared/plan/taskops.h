// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "callsequence.h"
#include "domain/diagnostic.h"
#include "program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::plan {

/// An operation before all are put in order: marks are numbered as they come, each defined once.
struct TaskOp {
    Op op;
    OpSource source;
    std::int64_t tracedUs = 0; ///< when its call began
};

/// What each task does, not yet put in one order.
struct TaskOps {
    std::vector<std::vector<TaskOp>> byTask; ///< [task]
    std::vector<TaskOp> transfers;           ///< each runs when both of its marks are there
    std::vector<Pair> pairs;
    std::uint32_t marks = 0;
    std::vector<Diagnostic> warnings;
};

/// Turns calls into operations, collective ones into the messages of their usual algorithms.
/// @param eagerBytes  larger messages wait for their receive before they travel
TaskOps taskOps(const trace::Trace& trace, std::span<const CallSequence> sequences,
                std::uint64_t eagerBytes);

} // namespace tasuki::plan

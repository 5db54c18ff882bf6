// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tasuki::plan {

/// One MPI call of a task as prediction sees it.
struct CallStep {
    std::uint32_t call = trace::none; ///< index in Trace::calls
    trace::MpiCall kind = trace::MpiCall::Other;
    std::int64_t beginUs = 0; ///< as traced
    std::int64_t endUs = 0;
    std::int64_t beforeUs = 0;           ///< computation since the call before it
    std::vector<std::uint32_t> sent;     ///< indexes in Trace::messages: sends logged in the call
    std::vector<std::uint32_t> received; ///< likewise receives
};

/// What a task does: computation, call, computation, ... The gaps between calls, before the first
/// and after the last are computation.
struct CallSequence {
    std::vector<CallStep> steps;
    std::int64_t afterUs = 0; ///< computation from the last call to the last record
    /// Of the computation, the time in which other threads of the task were in calls, by the state of the
    /// first of them. Nobody knows whether the task computed then or waited for that thread.
    std::map<std::uint32_t, std::int64_t> besideUs = {};
};

/// Outermost MPI calls of the task's first thread only: what stands inside another one is part of it, and the
/// user's own states are transparent. Messages of other threads have no call. What does not count by LoggedPart is neither a call nor computation: what is on
/// both sides of it moves together, and messages whose end is in it have no such end.
/// @return [task]
std::vector<CallSequence> callSequences(const trace::Trace& trace);

} // namespace tasuki::plan

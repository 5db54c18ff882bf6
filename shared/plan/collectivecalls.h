// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "callsequence.h"
#include "domain/diagnostic.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::plan {

/// One collective call of all members of a communicator.
struct CollectiveCall {
    trace::MpiCall kind = trace::MpiCall::Barrier;
    std::vector<std::uint32_t> members; ///< tasks, ascending
    std::uint32_t root = 0;             ///< index in members
    std::uint64_t bytes = 0;            ///< the largest contribution
};

/// Which collective calls of the tasks are one: the n-th ones of each on a communicator.
struct CollectiveCalls {
    std::vector<CollectiveCall> calls;
    /// Index in calls of a Trace::calls index; trace::none: no collective call, or one whose other
    /// members did something else.
    std::vector<std::uint32_t> ofCall;
    std::vector<Diagnostic> warnings;
};

CollectiveCalls collectiveCalls(const trace::Trace& trace, std::span<const CallSequence> sequences);

} // namespace tasuki::plan

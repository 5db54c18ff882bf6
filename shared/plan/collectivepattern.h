// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/mpicall.h"

#include <cstdint>
#include <vector>

namespace tasuki::plan {

/// A collective call as messages between its members, numbered from 0.
struct CollectivePattern {
    struct Message {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        double bytes = 0.0;
    };
    /// A member sends a message, or waits for it.
    struct Step {
        std::uint32_t member = 0;
        std::uint32_t message = 0;
        bool sends = false;
    };
    std::vector<Message> messages;
    std::vector<Step>
        steps; ///< those of one member in its order; each message is sent before it is
               ///< waited for
};

/// The messages of the usual algorithm of a collective call:
///
///   Barrier, Allreduce,  | dissemination: in round k to member + 2^k
///   ReduceScatter, Scan  |
///   Bcast, Reduce        | binomial tree
///   Scatter, Gather      | the root and each other member
///   Allgather            | ring
///   Alltoall             | in round k to member + k
///
/// @param call     a collective one
/// @param members  at least one
/// @param root     a member, where the call has one
/// @param bytes    of one member's contribution
CollectivePattern collectivePattern(trace::MpiCall call, std::uint32_t members, std::uint32_t root,
                                    double bytes);

} // namespace tasuki::plan

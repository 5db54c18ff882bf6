// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocationcount.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace tasuki::plan {

/// Nodes that nothing tells apart.
struct AlikeNodes {
    std::uint32_t nodes = 0;
    std::uint32_t slots = 0; ///< of each of them, that are free
};

/// In how many ways tasks can be dealt out to nodes, ways that only swap alike nodes being one.
///
/// Among alike nodes k tasks make as many ways as there are partitions of k things into at most so
/// many parts of at most so many things; kinds of nodes are joined by the choice of which tasks they
/// get. Time grows as tasks times slots, in general, memory as tasks.
/// @return nothing when it was to stop
std::optional<AllocationCount> countWays(const std::vector<AlikeNodes>& kinds, std::uint32_t tasks,
                                         const std::stop_token& stop);

} // namespace tasuki::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "merge/mergemap.h"
#include "mergeload.h"
#include "transport/transport.h"

#include <map>
#include <string>
#include <vector>

/// Three ways to the same end. Each is called by all ranks together, and timed from when all have
/// their maps until this rank holds the merged one.
namespace tasuki::bench {

/// Tasuki's: MergeMap and Exchange over the agent's transport.
Outcome ownWay(const std::vector<Pair>& load, Transport& transport);

/// The article's: std::map with Boost.Serialization, MPI_Sendrecv between pairs. Powers of two only.
Outcome articleWay(const std::vector<Pair>& load);

/// MPI_Allgatherv of everybody's serialised MergeMap, merged by each rank on its own.
Outcome allgatherWay(const std::vector<Pair>& load);

/// @return the map that a rank brings to ownWay() and allgatherWay()
merge::MergeMap mergeMapOf(const std::vector<Pair>& load);
/// Fills in what a merged map holds.
void measure(const merge::MergeMap& map, Outcome& outcome);

} // namespace tasuki::bench

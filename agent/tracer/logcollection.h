// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clockline.h"
#include "tracer.h"

#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

namespace tasuki::tracer {

/// What rank 0 needs besides the records.
struct CollectionPlan {
    std::string file;
    std::vector<ClockLine> clocks;          ///< by rank
    std::vector<std::uint32_t> clockGroups; ///< by rank
    bool verbose = false;
};

/// Collective: rank 0 takes the records of all ranks in blocks, merges them and writes the log, with
/// two blocks of each rank in memory. What goes wrong is said in one line and leaves no file.
/// @param plan  of rank 0; not looked at elsewhere
void collectLog(MPI_Comm communicator, Tracer& tracer, const CollectionPlan& plan);

} // namespace tasuki::tracer

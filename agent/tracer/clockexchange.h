// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clockline.h"

#include <cstdint>
#include <mpi.h>
#include <vector>

namespace tasuki::tracer {

/// Which ranks read one clock: by rank, the lowest one of those that share its clock.
using ClockGroups = std::vector<std::uint32_t>;

/// Collective. Ranks of one host share a clock, which then needs no measurement.
/// @param measureAll  every rank is a group of its own
ClockGroups findClockGroups(MPI_Comm communicator, bool measureAll);

/// Collective: rank 0 exchanges small messages with the first rank of each group but its own, one
/// after the other.
/// @return at rank 0: offsets by rank, of the own group zero. Elsewhere nothing.
std::vector<ClockOffset> measureClocks(MPI_Comm communicator, const ClockGroups& groups);

} // namespace tasuki::tracer

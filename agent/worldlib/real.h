// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

/// Open MPI itself, as a world of one rank in this process: it keeps what does not communicate. The library stands in for MPI_X
/// and PMPI_X, so neither name leads there from here.
namespace tasuki::world::real {

#define TASUKI_REAL(name) extern decltype(&::PMPI_##name) name;
#include "realfunctions.inc"
#undef TASUKI_REAL

/// Finds them. @return the name of the first that is not there; null: all are
const char* find();

} // namespace tasuki::world::real

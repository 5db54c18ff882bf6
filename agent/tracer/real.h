// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

/// MPI itself. The tracer stands in for MPI_X and for PMPI_X, which Fortran's layer of Open MPI calls, so
/// neither name leads to MPI from here.
namespace tasuki::tracer::real {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define TASUKI_REAL(name) extern decltype(&::PMPI_##name) name;
#include "tracer/real.inc"
#undef TASUKI_REAL
#pragma GCC diagnostic pop

} // namespace tasuki::tracer::real

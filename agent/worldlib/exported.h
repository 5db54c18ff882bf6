// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

/// Before each function of MPI that the library answers instead of Open MPI: as MPI_X, and as PMPI_X, which Fortran's layer of
/// Open MPI and tracers call. Nothing else is visible outside; see also exports.map.
#define TASUKI_WORLD(result, name, ...)                                                            \
    extern "C" __attribute__((visibility("default"))) result PMPI_##name(__VA_ARGS__)              \
        __attribute__((alias("MPI_" #name)));                                                      \
    extern "C" __attribute__((visibility("default"))) result MPI_##name(__VA_ARGS__)

// SPDX-License-Identifier: GPL-3.0-or-later
// Without <mpi.h>: these functions look at none of their arguments, whatever those are.
#include "refusal.h"

#define TASUKI_REFUSED(name)                                                                       \
    extern "C" __attribute__((visibility("default"))) int PMPI_##name()                            \
        __attribute__((alias("MPI_" #name)));                                                      \
    extern "C" __attribute__((visibility("default"))) int MPI_##name()                             \
    {                                                                                              \
        return tasuki::world::refuse("MPI_" #name);                                                \
    }

#include "refusedfunctions.inc"

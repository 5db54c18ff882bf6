// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "next.h"
#include "pace.h"

#include <mpi.h>

/// Defines MPI_name: sleeps for what was computed before the call, then calls the next library's
/// MPI_name, which may be a tracer's.
#define PACED_CALL(name, parameters, arguments)                                                    \
    TESTBED_CALL(name, parameters, arguments, Lasts::UntilSomethingComes)
/// The same for a call that looks whether something came and does not wait for it.
#define POLLING_CALL(name, parameters, arguments)                                                  \
    TESTBED_CALL(name, parameters, arguments, Lasts::Briefly)

#define TESTBED_CALL(name, parameters, arguments, lasts)                                           \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        static const auto next = tasuki::testbed::nextSymbol<decltype(&MPI_##name)>("MPI_" #name); \
        const tasuki::testbed::MpiCall call{tasuki::testbed::lasts};                               \
        return next arguments;                                                                     \
    }

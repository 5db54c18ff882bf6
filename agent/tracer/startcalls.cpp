// SPDX-License-Identifier: GPL-3.0-or-later
// The begin and the end of a traced process, and which part of it is logged.
#include "exported.h"
#include "tracedrun.h"

#include <mpi.h>

using namespace tasuki::tracer;

TASUKI_MPI int MPI_Init(int* count, char*** arguments)
{
    const std::int64_t beginNs = nowNs();
    const int result = PMPI_Init(count, arguments);
    if (result == MPI_SUCCESS)
        TracedRun::start(beginNs);
    return result;
}

TASUKI_MPI int MPI_Init_thread(int* count, char*** arguments, int required, int* provided)
{
    const std::int64_t beginNs = nowNs();
    const int result = PMPI_Init_thread(count, arguments, required, provided);
    if (result == MPI_SUCCESS)
        TracedRun::start(beginNs);
    return result;
}

TASUKI_MPI int MPI_Finalize()
{
    TracedRun::finish();
    return PMPI_Finalize();
}

/// What levels beyond 1 mean is left to libraries: here the same as 1, and negative ones nothing.
TASUKI_MPI int MPI_Pcontrol(const int level, ...)
{
    if (Tracer* tracer = activeTracer(); tracer != nullptr && level >= 0) {
        try {
            tracer->setLogging(level > 0);
        } catch (...) {
            tracer->stop();
        }
    }
    return PMPI_Pcontrol(level);
}

TASUKI_MPI int MPI_Abort(MPI_Comm communicator, int code)
{
    TracedRun::abandon("called MPI_Abort");
    return PMPI_Abort(communicator, code);
}

namespace {

[[gnu::destructor]] void tellOfEarlyEnd() { TracedRun::abandon("ended"); }

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
// The begin and the end of a traced process.
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

TASUKI_MPI int MPI_Abort(MPI_Comm communicator, int code)
{
    TracedRun::abandon("called MPI_Abort");
    return PMPI_Abort(communicator, code);
}

namespace {

[[gnu::destructor]] void tellOfEarlyEnd() { TracedRun::abandon("ended"); }

} // namespace

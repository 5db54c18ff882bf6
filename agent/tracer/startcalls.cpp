// SPDX-License-Identifier: GPL-3.0-or-later
// The begin and the end of a traced process, and which part of it is logged.
#include "calllog.h"
#include "exported.h"
#include "real.h"
#include "tracedrun.h"

#include <mpi.h>

using namespace tasuki::tracer;

TASUKI_MPI int MPI_Init(int* count, char*** arguments)
{
    const std::int64_t beginNs = nowNs();
    TracedRun::watch();
    const int result = real::Init(count, arguments);
    if (result == MPI_SUCCESS)
        TracedRun::start(beginNs);
    return result;
}

TASUKI_MPI int MPI_Init_thread(int* count, char*** arguments, int required, int* provided)
{
    const std::int64_t beginNs = nowNs();
    TracedRun::watch();
    const int result = real::Init_thread(count, arguments, required, provided);
    if (result == MPI_SUCCESS)
        TracedRun::start(beginNs);
    return result;
}

TASUKI_MPI int MPI_Finalize()
{
    CallLog::interruptLooks();
    TracedRun::finish();
    return real::Finalize();
}

/// What levels beyond 1 mean is left to libraries: here the same as 1, and negative ones nothing.
TASUKI_MPI int MPI_Pcontrol(const int level, ...)
{
    if (Tracer* tracer = activeTracer(); tracer != nullptr && level >= 0) {
        CallLog::interruptLooks();
        try {
            tracer->setLogging(level > 0);
        } catch (...) {
            tracer->stop();
        }
    }
    return real::Pcontrol(level);
}

TASUKI_MPI int MPI_Abort(MPI_Comm communicator, int code)
{
    TracedRun::abandon("called MPI_Abort");
    return real::Abort(communicator, code);
}

namespace {

[[gnu::destructor]] void tellOfEarlyEnd()
{
    TracedRun::abandon("ended");
    TracedRun::tellWithoutInit();
}

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchend.h"

#include <string>

#include <sys/wait.h>

namespace tasuki {

Error endWithoutReport(const LaunchEnd& end, bool resumable)
{
    const bool killed = WIFSIGNALED(end.waitStatus);
    if (end.rootRefused && !killed && WEXITSTATUS(end.waitStatus) != 0)
        return {.message = "nothing was started: mpirun does not run as root unless told twice",
                .remedy = "be another user, or set OMPI_ALLOW_RUN_AS_ROOT=1 and "
                          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
    std::string what = "mpirun ended without a report of the run";
    if (killed)
        what += " (killed by signal " + std::to_string(WTERMSIG(end.waitStatus)) + ')';
    else if (WEXITSTATUS(end.waitStatus) != 0)
        what += " (exit code " + std::to_string(WEXITSTATUS(end.waitStatus)) + ')';
    return {.message = what,
            .remedy = resumable ? "what was recorded is safe: go on with farm --resume FILE"
                                : "whether its output was written is not known: start it again"};
}

} // namespace tasuki

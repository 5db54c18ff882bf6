// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchend.h"

#include <sys/wait.h>

namespace tasuki {

namespace {

std::string remedyAfter(const LaunchEnd& end, const std::string& resuming)
{
    if (resuming.empty())
        return "whether its output was written is not known: start it again";
    if (!end.runFile)
        return "nothing was recorded of this start: start it again";
    return "what was recorded is safe: go on with " + resuming + " --resume " + *end.runFile;
}

} // namespace

Error endWithoutReport(const LaunchEnd& end, const std::string& resuming)
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
    return {.message = what, .remedy = remedyAfter(end, resuming)};
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/restartterms.h"
#include "process/shellenvironment.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

namespace tasuki {

/// What a processor can tell of its launch before MPI has been started.
struct LaunchEnvironment {
    bool underLauncher = false;      ///< started by mpirun or the like
    int rank = 0;                    ///< physical rank; 0 without a launcher
    std::size_t ranksOnHost = 0;     ///< that the launcher starts here; 0: not known
    std::string exitReportToken;     ///< of `launch`; empty: started otherwise
    std::optional<pid_t> daemon;     ///< the launcher's process on this host, the parent
    std::optional<pid_t> supervisor; ///< `launch`, when it is on this host
    bool recoveryRequested = false;  ///< the launcher was told to survive the loss of ranks
    EnvironmentEntries userShell;    ///< what tasks get as their environment
};

/// Reads environment variables and the parent's command line.
LaunchEnvironment launchEnvironment();

/// Ends this process with an exit code: reports it to `launch`. A plain mpirun returns it, and says so
/// on a page of its own; one that was told to survive the loss of ranks is ended by SIGTERM, which
/// makes it return 1. For errors before any work has begun; call it when everything is printed.
[[noreturn]] void leaveQuietly(const LaunchEnvironment& launch, int exitCode);

/// Tells `launch` the exit code, if that is who started this run.
void reportExit(const LaunchEnvironment& launch, int exitCode);
/// Tells it the exit code that the run has if nobody goes on with it: this processor led, and was given
/// up by the others.
void reportGivenUp(const LaunchEnvironment& launch, int exitCode);
/// Tells it that this processor leads in place of another one, to be said now and then.
void reportGoingOn(const LaunchEnvironment& launch);
/// Tells it that something is recorded: a launch that fails from now on can be gone on with.
void reportRecording(const LaunchEnvironment& launch, const std::string& runFile);
/// The same for the terms on which the run may be started again from now on.
void reportRestartTerms(const LaunchEnvironment& launch, const RestartTerms& terms);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchend.h"

#include "domain/result.h"

#include <chrono>
#include <string>
#include <vector>

namespace tasuki {

/// What a supervised launch is given.
struct LaunchOptions {
    /// Entries "NAME=VALUE" that are added to this process's.
    std::vector<std::string> environment = {};
    std::string token = {}; ///< of the exit report
    bool input = false;     ///< rank 0 may read standard input
    /// Between two looks at mpirun's processes. Its patience with them is counted in these.
    std::chrono::milliseconds interval{250};
};

/// From now on SIGINT, SIGQUIT, SIGTERM and SIGHUP, unless it is ignored, wait for superviseLaunch() or
/// stopAsked(): none of them ends this process in between, or is lost.
void holdStopSignals();
/// @return whether one of them waits, or comes before the time is over
bool stopAsked(std::chrono::milliseconds within);

/// Starts mpirun in a process group of its own, so that the terminal's Ctrl-C reaches only this process,
/// and stands by until it has ended:
/// - SIGINT, SIGHUP once: SIGUSR1 to mpirun, which hands it on to the ranks: no new tasks;
/// - SIGINT again, SIGQUIT or SIGTERM: SIGUSR2: tasks are killed;
/// - standard output is passed on; when nobody reads it any more, as Ctrl-C once;
/// - standard error is filtered (StderrFilter);
/// - a mpirun that has not noticed for 12 intervals that all its children are dead is killed;
/// - ranks that have been stopped for 12 intervals when all others have ended are killed;
/// - a mpirun that has not ended 20 intervals after the run has, is ended;
/// - afterwards whatever of the launch still lives below this process is killed.
/// Blocks. Makes this process a sub-reaper.
///
/// @param arguments  of mpirun, its path first
Result<LaunchEnd> superviseLaunch(const std::vector<std::string>& arguments,
                                  const LaunchOptions& options);

} // namespace tasuki

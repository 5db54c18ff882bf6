// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchend.h"

#include "domain/result.h"

#include <string>
#include <vector>

namespace tasuki {

/// Starts mpirun in a process group of its own, so that the terminal's Ctrl-C reaches only this process,
/// and stands by until it has ended:
/// - SIGINT, SIGHUP once: SIGUSR1 to mpirun, which hands it on to the ranks: no new tasks;
/// - again, or SIGTERM: SIGUSR2: tasks are killed;
/// - standard error is filtered (StderrFilter);
/// - a mpirun that has not noticed for 3 s that all its children are dead is killed;
/// - afterwards whatever of the launch still lives below this process is killed.
/// Blocks. Makes this process a sub-reaper.
///
/// @param arguments  of mpirun, its path first
/// @param environment  entries "NAME=VALUE" that are added to this process's
/// @param token  of the exit report
Result<LaunchEnd> superviseLaunch(const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& environment,
                                  const std::string& token);

} // namespace tasuki

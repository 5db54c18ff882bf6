// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <string>
#include <vector>

#include <sys/types.h>

namespace tasuki {

/// Which descriptors become the standard streams of mpirun.
struct MpirunStreams {
    int input = -1; ///< -1: the null device
    int output = -1;
    int errors = -1;
};

/// Starts mpirun in a process group of its own. Signals have their default actions in it, but for a
/// SIGHUP that this process ignores.
///
/// @param arguments  its path first
/// @param additions  entries "NAME=VALUE" that are added to this process's environment
Result<pid_t> startMpirun(std::vector<std::string> arguments,
                          const std::vector<std::string>& additions, const MpirunStreams& streams);

/// A descriptor from which mpirun may read what comes on this process's standard input: standard input
/// itself, or, where that is a terminal, which stops readers in other process groups, a pipe that is
/// filled from it as long as this process lives.
/// @return it, to be closed by the caller
Result<int> inputForMpirun();

/// @return whether this process was told to outlive its terminal, as by nohup
bool ignoresHangUp();

} // namespace tasuki

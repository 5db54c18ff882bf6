// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tasuki {

/// A job for Slurm that launches a command.
struct BatchScript {
    std::string agent;                           ///< path of tasuki-agent
    std::vector<std::string> sbatchOptions;      ///< the user's
    std::vector<std::string> mpirunOptions = {}; ///< behind `launch` in the job
    std::vector<std::string> agentArguments;     ///< command and its options
    bool requeued = false;                       ///< until all is done: the command is one that can
};

/// @return the script, for sbatch: its options stand in it, so that it needs none
std::string sbatchScript(const BatchScript& script);

} // namespace tasuki

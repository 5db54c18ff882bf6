// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocation.h"

#include <string>
#include <vector>

namespace tasuki::plan {

/// What mpirun needs to put each rank on the node that an allocation says.
struct LaunchBundle {
    /// For Open MPI: one line a rank with its host and the range of the host's cores. A range, as all
    /// ranks of a host that are given one core share it, whatever --bind-to says.
    std::string rankfile;
    /// The paper's: the host of each rank, a line a rank.
    std::string machinefile;
    /// The options before the program, ready for a shell; the rankfile is called "rankfile".
    std::string optionsOfOpenMpi4;
    std::string optionsOfOpenMpi5;
    /// A shell script that finds out which Open MPI there is and starts what it is given.
    std::string script;
    std::vector<std::string> warnings;
};

/// @param allocation  of a complete plan, at least one task
LaunchBundle launchBundle(const Environment& environment, const Allocation& allocation);

/// @return whether mpirun keeps the order of a machinefile: it takes the hosts in the order in which
///         they first come, and fills each before the next, so `A,B,A,B` becomes A A B B
bool keepsMachinefileOrder(const Allocation& allocation);

} // namespace tasuki::plan

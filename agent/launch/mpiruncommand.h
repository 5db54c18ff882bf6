// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tasuki {

/// The launcher that is installed.
struct OpenMpi {
    std::string mpirun; ///< path
    int major = 0;
    std::string version; ///< as it prints it, e.g. "4.1.4"
    /// Ranks may meet over IPv6: the environment says so, or this host has no address of IPv4.
    bool overIpv6 = false;
    /// The environment or a file says which hosts ranks are on, or by which means they talk.
    bool configured = false;
    std::uint64_t sharedMemoryBytes = 0; ///< that are free for segments of ranks
};

/// @return the mpirun that PATH finds; an Error when there is none or when it is not Open MPI
Result<OpenMpi> findOpenMpi();

/// @param text  what `mpirun --version` printed
/// @return the version, e.g. "4.1.4"; an Error when the text is of another launcher
Result<std::string> parseOpenMpiVersion(const std::string& text);

/// What to start.
struct LaunchRequest {
    unsigned processors = 1;
    std::vector<std::string> mpirunOptions;     ///< the user's, passed on
    std::string agent;                          ///< path of tasuki-agent
    std::vector<std::string> agentArguments;    ///< command and its options
    std::vector<std::string> exportedVariables; ///< names, for processors on other hosts
    std::string ownDirectory; ///< for files of a launch on this host alone; empty: Open MPI's own
};

/// Whether all ranks will be on this host for all that is known, and may talk over shared memory alone: the
/// user has said nothing of hosts and means, and there is room. Over TCP each rank listens on all
/// interfaces, without asking who connects, and a silent connection holds it up.
[[nodiscard]] bool onThisHostAlone(const OpenMpi& mpi, const LaunchRequest& request);

/// @return the arguments of mpirun, its own name first: recovery on, ranks unbound (tasks may use
///         every core) and more ranks than cores allowed, unless the user's options say otherwise
std::vector<std::string> mpirunArguments(const OpenMpi& mpi, const LaunchRequest& request);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputoptions.h"

#include "domain/result.h"
#include "domain/task.h"
#include "farm/taskscope.h"
#include "link/linkserver.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// Where a list is recorded that comes on standard input, unless the user says otherwise.
inline constexpr auto runFileOfStandardInput = "stdin.tasuki";

/// What `world` adds to what `farm` was asked to do.
struct WorldOptions {
    std::string command;    ///< that the shell runs as each rank; empty: what the topology says
    std::string subcluster; ///< whose ranks; empty: there is one
    std::optional<std::string>
        trace; ///< ALOG file of what the program calls; none: it is not traced
};

/// What `farm`, `serve` or `world` was asked to do.
struct FarmOptions {
    bool help = false;
    bool serve = false;                ///< stays up when all tasks are done; windows add tasks
    std::optional<WorldOptions> world; ///< of `world`
    std::optional<std::string>
        taskList;        ///< none: the tasks of the record (resume only), or of `world`
    std::string runFile; ///< with resume: must exist; else: must not
    bool resume = false;
    bool continues = false; ///< resumes if the run file is there, else starts
    bool requeue = false;   ///< the Slurm job, when tasks are left
    bool retryFailed = false;
    std::vector<farm::TaskRange>
        only;               ///< this life does these tasks alone (resume only); empty: all
    bool onlyAgain = false; ///< those of them that have ended, too
    bool dedicatedMaster = false;
    std::optional<std::uint32_t>
        slots; ///< of each rank; none: the host's cores shared by its ranks
    RetryBudget retries;
    std::optional<std::chrono::milliseconds> timeout;
    std::optional<std::chrono::milliseconds> timeLimit; ///< of this life of the run
    std::optional<std::string> topology;                ///< none: one subcluster of all processors
    std::optional<std::chrono::milliseconds> lostAfter; ///< without a topology; none: the usual
    std::optional<std::string> cpsLog;                  ///< none: no log
    std::optional<std::string> healthLog;               ///< without the processor's number
    std::optional<std::string> decisionLog;             ///< the same
    std::optional<link::TcpAddress> listen = link::TcpAddress{}; ///< none: the Unix socket alone
    OutputOptions output;
    bool dryRun = false;
    bool quiet = false;
};

/// @return the name of the command that was given
inline std::string nameOf(const FarmOptions& options)
{
    return options.serve ? "serve" : options.world ? "world" : "farm";
}

} // namespace tasuki

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
#include <string_view>
#include <vector>

namespace tasuki {

/// Where a list is recorded that comes on standard input, unless the user says otherwise.
inline constexpr auto runFileOfStandardInput = "stdin.tasuki";

/// In place of a run file: no record is kept. A file of that name is ./none.
inline constexpr std::string_view unkeptRunFile = "none";

/// What is recorded of a run that begins: docs/record.md, "The name of a new record".
enum class RecordChoice : std::uint8_t {
    Named,        ///< under the name that was given, or the usual one; that must be free
    Dated,        ///< under the usual name with the date
    DatedIfTaken, ///< the same if something has the usual name
    NotKept,      ///< in a directory that goes with the run
};

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
        taskList; ///< none: the tasks of the record (resume only), or of `world`
    /// With resume: must exist; else as `record` says: the name, or what it is made of.
    std::string runFile;
    RecordChoice record = RecordChoice::Named; ///< of a run that begins
    bool runFileGiven = false;                 ///< by --run
    std::string usualRunFile = {};             ///< what runFile is without --run; not with resume
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

/// @return whether there is a record when the run has ended
inline bool isKept(const FarmOptions& options) { return options.record != RecordChoice::NotKept; }

} // namespace tasuki

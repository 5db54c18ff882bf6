// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/result.h"

#include <optional>
#include <string>

namespace tasuki {

/// @return whether a batch system started this process, and may end it together with its tasks
bool underScheduler();

/// @return the Slurm job that this process belongs to; empty: none
std::string slurmJob();

/// @return how many processes srun has started together with this one, none of which MPI will find, as nothing says how; 1:
///         it is not so
unsigned strayedProcesses();

/// @return when the allocation in which this process runs ends, if its batch system says so. Slurm is
///         asked where it has not told: blocks, for some seconds at most.
std::optional<WallTime> allocationEnd();

/// What Slurm says of a job.
struct SlurmJobState {
    bool running = false;   ///< neither cancelled nor about to end
    bool preempted = false; ///< it runs on for a grace alone
};
/// @param text  of "scontrol -o show job"
SlurmJobState parseSlurmJob(const std::string& text);

/// Has this process's Slurm job started again from its beginning. Slurm ends all of the job, this
/// process too.
/// @param mustBePreempted  it is to be done only if Slurm wants the job's place
/// @return whether it was; an Error when Slurm refuses it. Somebody who has cancelled the job does not
///         want it again: that is no error.
Result<bool> requeueJob(bool mustBePreempted);

} // namespace tasuki

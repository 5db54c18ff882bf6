// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <optional>
#include <string>

namespace tasuki {

/// @return whether a batch system started this process, and may end it together with its tasks
bool underScheduler();

/// @return when the allocation in which this process runs ends, if its batch system says so
std::optional<WallTime> allocationEnd();

/// @return the Slurm job that this process belongs to; empty: none
std::string slurmJob();

} // namespace tasuki

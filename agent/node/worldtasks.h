// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"

#include "domain/result.h"
#include "domain/runstate.h"
#include "domain/task.h"
#include "membership/systemplan.h"

#include <vector>

namespace tasuki {

/// Lets a subcluster run what `world` was given.
/// @return an Error of kind Input when it is not clear which, or nothing is to run
Result<void> chooseWorld(const FarmOptions& options, SystemPlan& system);

/// @return the tasks of all worlds of a system, those of a world in the order of its ranks
std::vector<Task> worldTasks(const FarmOptions& options, const SystemPlan& system);

/// Whether the worlds of a recorded run fit a system.
/// @return an Error of kind Input that names what does not
Result<void> checkWorlds(const RunState& state, const SystemPlan& system);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

namespace tasuki {

/// Lets the life that a plan begins do the tasks alone that --retry or --only names, and what comes after
/// them: of what has ended, the opening reopens just these, if asked, and what was skipped for them.
/// Nothing to do without these options.
/// @return an Error of kind Input that names the option: a task is not there, or waits for one that is
///         left alone; the plan is then of no use
Result<void> confine(RunPlan& plan, const FarmOptions& options);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "taskops.h"

namespace tasuki::plan {

/// Puts the operations of all tasks into one order in which each comes after those that define its
/// marks; among those that may come next, by their time in the trace. Gives marks that nobody needs
/// any more to others.
/// @return an Error of kind Input when some operations wait for each other
Result<Program> ordered(const TaskOps& ops);

} // namespace tasuki::plan

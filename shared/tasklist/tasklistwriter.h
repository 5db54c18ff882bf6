// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/task.h"
#include "tasklistdefaults.h"

#include <span>
#include <string>

namespace tasuki {

/// Writes tasks as a list from which parseTaskList(), given the same defaults, reads the same
/// tasks back. Lines of the file are counted anew; everything else stays.
/// @param tasks  in list order: position is the index, stages never fall, TaskLinks::after holds
///               indices. A task may come after all tasks of a label or none of them.
/// @return the text, or an Error of kind Input that names the first task that no list can hold and
///         why: a command that is empty or that the reader would change, end elsewhere, or refuse;
///         links to a task without a label; settings that no directive can express
Result<std::string> writeTaskList(std::span<const Task> tasks,
                                  const TaskListDefaults& defaults = {});

} // namespace tasuki

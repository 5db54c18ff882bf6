// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"
#include "domain/task.h"
#include "linkresolver.h"
#include "tasklistdefaults.h"

#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// A task list as it was read.
struct TaskListParse {
    /// In the order of the list; position is the index. Equal settings are one object, and so are
    /// equal links. TaskLinks::after holds indices in this vector, as TaskIds: they are the ids of
    /// a new run; resumePlan() turns them into those of a recorded one.
    std::vector<Task> tasks;
    /// All that was found, in the order of the file.
    std::vector<Diagnostic> diagnostics;

    /// Whether the tasks may be run, else they only show what was understood: there is no error among the diagnostics.
    [[nodiscard]] bool usable() const;
};

/// Reads a task list: one command a line; a line whose first byte that is no blank is `#` is a
/// comment or, as `#TASUKI key=value ...`, a directive; blank lines are skipped; blanks around a
/// command are left out; a backslash at the end of a line continues the command on the next one,
/// and both stay in the command for the shell to join. Bytes need not be UTF-8.
/// Commands are handed to the shell as they are; only a quote that stays open is an error.
/// @param path  of the file; "-": standard input. Relative paths in it are kept as written.
/// @return tasks and diagnostics; a file that cannot be read gives one error and no task
TaskListParse readTaskList(const std::string& path, const TaskListDefaults& defaults = {});

/// The same from memory.
/// @param file     how the list is called in diagnostics
/// @param earlier  tasks that the list continues: positions, stages and ids go on from theirs, and
///                 their labels may be named
TaskListParse parseTaskList(std::string_view text, std::string file,
                            const TaskListDefaults& defaults = {},
                            const EarlierTasks& earlier = {});

} // namespace tasuki

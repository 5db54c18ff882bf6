// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/command.h"
#include "domain/result.h"
#include "domain/runstate.h"

#include <string>
#include <utility>
#include <vector>

namespace tasuki::steering {

/// Which tasks a command is about.
struct TaskSelection {
    /// As written: "7", "3-9" or a label.
    std::vector<std::string> words;
    /// Only tasks in one of these states; empty: in any.
    std::vector<TaskState> states;
    /// All of the run, if no words are there.
    bool all = false;
};

/// @return an Error of kind Input that names the word, for a state that does not exist
Result<TaskState> parseTaskState(const std::string& word);

/// The tasks that a selection names, ascending, no duplicates. Words are ids and ranges of ids, else labels.
/// @return an Error of kind Input for words that name no task of the run
Result<std::vector<TaskId>> selectTasks(const RunState& state, const TaskSelection& selection);

/// Tasks as they are now, for a command.
std::vector<TaskTarget> targetsOf(const RunState& state, const std::vector<TaskId>& tasks);

} // namespace tasuki::steering

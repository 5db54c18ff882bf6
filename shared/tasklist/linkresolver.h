// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "directivestate.h"
#include "domain/diagnosticsink.h"
#include "domain/task.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tasuki {

/// What comes before the list that is read: tasks of the run, and lines of the same list.
struct EarlierTasks {
    std::uint32_t count = 0; ///< the first task of the list gets this id and position
    std::uint32_t stage = 0; ///< what the stages of the list are counted from
    std::map<std::string, std::vector<TaskId>> labels; ///< ascending ids by label
    std::uint64_t lines = 0; ///< the first line of the text is the next one
};

/// Turns labels into links: sets Task::links of the tasks that have any, with TaskIds equal to
/// `earlier.count` plus the index in the list, one object for equal links. Reports unknown labels, and tasks that could
/// never start because they wait for themselves, through labels or barriers.
/// @param tasks         the whole list, in order, with stage and line
/// @param written       by ascending task
/// @param earlier       tasks that may be named too
/// @param barrierLines  line of the barrier before stage n at n - 1
void resolveLinks(std::vector<Task>& tasks, std::span<const WrittenLinks> written,
                  std::span<const std::uint64_t> barrierLines, const EarlierTasks& earlier,
                  DiagnosticSink& sink);

} // namespace tasuki

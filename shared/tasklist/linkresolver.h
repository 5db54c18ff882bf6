// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "diagnosticsink.h"
#include "directivestate.h"
#include "domain/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// Turns labels into links: sets Task::links of the tasks that have any, with TaskIds equal to
/// indices in the list, one object for equal links. Reports unknown labels, and tasks that could
/// never start because they wait for themselves, through labels or barriers.
/// @param tasks         the whole list, in order, with stage and line
/// @param written       by ascending task
/// @param barrierLines  line of the barrier before stage n at n - 1
void resolveLinks(std::vector<Task>& tasks, std::span<const WrittenLinks> written,
                  std::span<const std::uint64_t> barrierLines, DiagnosticSink& sink);

} // namespace tasuki

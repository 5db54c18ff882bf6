// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "steering/waiting.h"

#include <chrono>
#include <optional>

namespace tasuki {

/// Waits for tasks, with progress on the terminal, and tells how that has ended.
/// @param run    has joined and gives events to `watch`
/// @param limit  none: as long as it takes
/// @return the exit code
int waitAndReport(steering::LiveRun& run, const steering::TaskWatch& watch,
                  std::optional<std::chrono::milliseconds> limit, bool json);

/// A line of JSON on standard output for a task that has ended.
void printEnd(TaskId id, const steering::TaskEnd& end);

/// Tells of tasks that need not be waited for. @return the exit code. Precondition: all have ended
int reportEnded(const steering::TaskWatch& watch, bool json);

} // namespace tasuki

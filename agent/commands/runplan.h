// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"

#include "domain/event.h"
#include "domain/result.h"
#include "domain/runstate.h"
#include "runfile/runfilewriter.h"
#include "tasklist/tasklistreader.h"

#include <memory>
#include <vector>

namespace tasuki {

/// Everything that rank 0 needs to begin a life of a run.
struct RunPlan {
    RunFileWriter file;
    RunState state;                    ///< what the record says so far
    Epoch epoch;                       ///< of the life that begins
    std::vector<EventPayload> opening; ///< begins with RunOpened
    std::string directory;             ///< in which tasks run
};

/// What RunOpened says besides directory and list.
struct RunOrigin {
    std::string host;
    std::uint32_t processors = 0;
};

/// Begins or continues the record, and works out which events continue it.
/// @param list  as read; tasks are moved out of it. Null: the tasks of the record.
/// @return an Error of the kinds that RunFileWriter gives, or Input
Result<RunPlan> planRun(const FarmOptions& options, const RunOrigin& origin, TaskListParse* list);

/// The events by which a list continues a state, in the order in which they must be applied.
/// @param state  of the record; empty for a new run
/// @param retryFailed  failed tasks that are still in the list are reopened
std::vector<EventPayload> continuation(const RunState& state, std::vector<Task> list,
                                       bool retryFailed);

} // namespace tasuki

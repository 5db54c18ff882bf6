// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/recordrows.h"
#include "domain/result.h"
#include "domain/runstate.h"
#include "membership/briefing.h"
#include "runfile/runfilewriter.h"
#include "tasklist/tasklistreader.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki {

/// Everything that a master needs to begin a life of a run, or to go on with one.
struct RunPlan {
    RunFileWriter file;
    std::string runFile =
        {};         ///< of a life that begins: its name, as options and beginRecord() have it
    RunState state; ///< what the record says so far
    Epoch epoch;    ///< of the life that begins, or goes on
    std::vector<EventPayload> opening;  ///< begins with RunOpened; empty: the life goes on
    std::string directory;              ///< in which tasks run
    std::chrono::nanoseconds elapsed{}; ///< how long that life has lasted
    /// Of a life that goes on: attempts that run, with who runs them,
    std::unordered_map<AttemptKey, Rank> started = {};
    /// Of a run that is resumed: no task got its final outcome in the life before.
    bool fruitless = false;
    /// And which of its masters this is, from 0: not less than the term of its record's writer.
    Term term;
};

/// What RunOpened says besides directory and list.
struct RunOrigin {
    std::string host;
    std::uint32_t processors = 0;
};

/// Begins or continues the record, and works out which events continue it.
/// @param list  as read; tasks are moved out of it. Null: the tasks of the record.
/// @param worlds  tasks of worlds, which a run gets when it begins
/// @return an Error of the kinds that RunFileWriter gives, or Input
Result<RunPlan> planRun(const FarmOptions& options, const RunOrigin& origin, TaskListParse* list,
                        std::vector<Task> worlds = {}, const OwnerWaiting& waiting = {});

/// Opens the record of a launch to go on with it in the same epoch, when who wrote it is lost. Nothing
/// is recorded by that, and attempts that run stay so.
/// @param briefing  of the launch
/// @param now  time of day
/// @param former  whether it is waited until the former writer lets go of the file: InUse

/// @return an Error that says what to do. Kind InUse: the former writer may be about to end; else it
///         does not pass (NoSpace apart): the file cannot be reached from here or be read, is another run's, has been
///         resumed by somebody else, or ends before work began
enum class FormerWriter : std::uint8_t { MayEnd, IsBroken };
Result<RunPlan> planSuccession(const Briefing& briefing, WallTime now, FormerWriter former);

/// @return what was told of a launch, with its record in another place
Briefing placedBriefing(Briefing briefing, const RecordPlace& record);

/// @return options as processor 0 understands them, for a processor that was started elsewhere
FarmOptions placedOptions(FarmOptions options, const Briefing& briefing);

/// The events by which a list continues a state, in the order in which they must be applied.
/// @param state  of the record; empty for a new run
/// @param retryFailed  failed tasks that are still in the list are reopened
std::vector<EventPayload> continuation(const RunState& state, std::vector<Task> list,
                                       bool retryFailed);

} // namespace tasuki

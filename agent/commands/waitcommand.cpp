// SPDX-License-Identifier: GPL-3.0-or-later
#include "waitcommand.h"

#include "steerrun.h"
#include "waitreport.h"

namespace tasuki {

namespace {

/// @param again  the agent may have ended since its record was read
/// @return the exit code
Result<int> waitFor(const SteerOptions& options, bool again = false)
{
    const Result<steering::FoundRun> run = steering::findRun(options.run);
    if (!run)
        return run.error();
    const Result<ChosenTasks> chosen = chooseTasks(*run, options);
    if (!chosen)
        return chosen.error();
    const RunState& state = chosen->history.state();
    steering::TaskWatch watch(
        options.ends ? printEnd : steering::TaskWatch::Ended([](TaskId, const auto&) {}));
    for (const TaskId id : chosen->tasks)
        watch.want(id, state.task(id));
    if (options.tasks.words.empty() && options.tasks.states.empty())
        watch.wantNewOnes();
    if (watch.allEnded())
        return reportEnded(watch, options.json);
    if (!run->accessFile) {
        printError(steering::notLiving(options.run, *run));
        return toInt(run->elsewhere.empty() ? ExitCode::Interrupted : ExitCode::NotSteered);
    }
    steering::LiveRun live(*run->accessFile, {.events = [&](const EventBatch& batch) {
        for (const Event& event : batch.events)
            watch.take(event);
    }});
    if (const Result<void> joined = live.join(); !joined) {
        if (!again)
            return waitFor(options, true);
        printError(joined.error());
        return toInt(ExitCode::NotSteered);
    }
    live.link().follow(state.lastEvent());
    return waitAndReport(live, watch, options.timeout, options.json);
}

} // namespace

int waitCommand(const Arguments& arguments)
{
    return runSteering(SteerCommand::Wait, arguments,
                       [](const SteerOptions& options) { return waitFor(options); });
}

} // namespace tasuki

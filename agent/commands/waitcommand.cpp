// SPDX-License-Identifier: GPL-3.0-or-later
#include "waitcommand.h"

#include "report/runhistory.h"
#include "startup/exitcode.h"
#include "steering/record.h"
#include "steeroptions.h"
#include "waitreport.h"

#include <cstdio>

namespace tasuki {

namespace {

/// @param again  the agent may have ended since its record was read
/// @return the exit code
Result<int> waitFor(const SteerOptions& options, bool again = false)
{
    const Result<steering::FoundRun> run = steering::findRun(options.run);
    if (!run)
        return run.error();
    RunHistory history;
    if (const Result<void> read = steering::readRecord(run->record, history); !read)
        return read.error();
    const auto tasks = steering::selectTasks(history.state(), options.tasks);
    if (!tasks)
        return tasks.error();
    steering::TaskWatch watch(
        options.ends ? printEnd : steering::TaskWatch::Ended([](TaskId, const auto&) {}));
    for (const TaskId id : *tasks)
        watch.want(id, history.state().task(id));
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
    live.link().follow(history.state().lastEvent());
    return waitAndReport(live, watch, options.timeout, options.json);
}

} // namespace

int waitCommand(const Arguments& arguments)
{
    const Result<SteerOptions> options = parseSteerOptions(SteerCommand::Wait, arguments);
    if (!options) {
        printError(options.error());
        return toInt(ExitCode::BadInput);
    }
    if (options->help) {
        std::fputs(steerHelp(SteerCommand::Wait).c_str(), stdout);
        return toInt(ExitCode::Success);
    }
    const Result<int> code = waitFor(*options);
    std::fflush(stdout);
    if (code)
        return *code;
    printError(code.error());
    return toInt(code.error().kind == ErrorKind::Input ? ExitCode::BadInput
                                                       : ExitCode::RunFileUnusable);
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "whycommand.h"

#include "report/runhistory.h"
#include "report/steeringtext.h"
#include "report/taskreason.h"
#include "startup/exitcode.h"
#include "steering/record.h"
#include "steeroptions.h"

#include <cstdio>

namespace tasuki {

namespace {

Result<void> tellWhy(const SteerOptions& options)
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
    const bool living = run->accessFile || !run->elsewhere.empty();
    for (const TaskId id : *tasks) {
        const TaskReason reason = taskReason(history, id, living);
        std::fputs((options.json ? reasonJson(id, reason) : reasonLine(id, reason)).c_str(),
                   stdout);
    }
    return {};
}

} // namespace

int whyCommand(const Arguments& arguments)
{
    const Result<SteerOptions> options = parseSteerOptions(SteerCommand::Why, arguments);
    if (!options) {
        printError(options.error());
        return toInt(ExitCode::BadInput);
    }
    if (options->help) {
        std::fputs(steerHelp(SteerCommand::Why).c_str(), stdout);
        return toInt(ExitCode::Success);
    }
    const Result<void> told = tellWhy(*options);
    std::fflush(stdout);
    if (told)
        return toInt(ExitCode::Success);
    printError(told.error());
    return toInt(told.error().kind == ErrorKind::Input ? ExitCode::BadInput
                                                       : ExitCode::RunFileUnusable);
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "whycommand.h"

#include "report/steeringtext.h"
#include "report/taskreason.h"
#include "steerrun.h"

#include <cstdio>

namespace tasuki {

namespace {

Result<ExitCode> tellWhy(const SteerOptions& options)
{
    const Result<steering::FoundRun> run = steering::findRun(options.run);
    if (!run)
        return run.error();
    const Result<ChosenTasks> chosen = chooseTasks(*run, options);
    if (!chosen)
        return chosen.error();
    const bool living = run->accessFile || !run->elsewhere.empty();
    for (const TaskId id : chosen->tasks) {
        const TaskReason reason = taskReason(chosen->history, id, living);
        std::fputs((options.json ? reasonJson(id, reason) : reasonLine(id, reason)).c_str(),
                   stdout);
    }
    return ExitCode::Success;
}

} // namespace

int whyCommand(const Arguments& arguments)
{
    return runSteering(SteerCommand::Why, arguments, tellWhy);
}

} // namespace tasuki

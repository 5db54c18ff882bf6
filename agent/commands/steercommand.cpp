// SPDX-License-Identifier: GPL-3.0-or-later
#include "steercommand.h"

#include "report/steeringtext.h"
#include "steering/liverun.h"
#include "steerrun.h"

#include <cstdio>

namespace tasuki {

namespace {

/// Whether a command can do anything to a task; what was named one by one is tried all the same.
bool fits(SteerCommand command, TaskState state)
{
    switch (command) {
    case SteerCommand::Cancel:
        return state == TaskState::Queued || state == TaskState::Held
            || state == TaskState::Running;
    case SteerCommand::Hold: return state == TaskState::Queued;
    case SteerCommand::Release: return state == TaskState::Held;
    default: return isFinal(state);
    }
}

OperatorCommand orderOf(SteerCommand command, std::vector<TaskTarget> targets)
{
    switch (command) {
    case SteerCommand::Cancel: return CancelTasks{std::move(targets)};
    case SteerCommand::Hold: return HoldTasks{std::move(targets)};
    case SteerCommand::Release: return ReleaseTasks{std::move(targets)};
    default: return RepeatTasks{std::move(targets)};
    }
}

/// @return the exit code
Result<ExitCode> steer(SteerCommand command, const SteerOptions& options)
{
    const Result<steering::FoundRun> run = steering::findRun(options.run);
    if (!run)
        return run.error();
    if (!run->accessFile) {
        printError(steering::notLiving(options.run, *run));
        return ExitCode::NotSteered;
    }
    // As the record says it: the agent tells what has changed since.
    Result<ChosenTasks> chosen = chooseTasks(*run, options);
    if (!chosen)
        return chosen.error();
    auto& [history, tasks] = *chosen;
    if (options.tasks.words.empty())
        std::erase_if(tasks, [&state = history.state(), command](TaskId id) {
            return !fits(command, state.task(id).state);
        });
    OrderResult result{.verb = std::string(steerName(command)), .tasks = tasks, .answer = {}};
    if (tasks.empty()) {
        result.answer.accepted = true;
    } else {
        steering::LiveRun live(*run->accessFile);
        Result<void> joined = live.join();
        Result<CommandAnswer> answer = joined
            ? live.command(orderOf(command, steering::targetsOf(history.state(), tasks)))
            : Result<CommandAnswer>(joined.error());
        if (!answer) {
            printError(answer.error());
            return ExitCode::NotSteered;
        }
        result.answer = std::move(*answer);
    }
    std::fputs((options.json ? orderJson(result) : orderText(result)).c_str(), stdout);
    if (!options.json)
        std::fputs(orderProblems(result).c_str(), stderr);
    return result.answer.accepted && result.answer.conflicts.empty() ? ExitCode::Success
                                                                     : ExitCode::Wrong;
}

} // namespace

int steerCommand(SteerCommand command, const Arguments& arguments)
{
    return runSteering(command, arguments,
                       [command](const SteerOptions& options) { return steer(command, options); });
}

} // namespace tasuki

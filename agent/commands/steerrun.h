// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/runhistory.h"
#include "startup/exitcode.h"
#include "steering/runname.h"
#include "steeroptions.h"

#include <string>
#include <vector>

/// What all commands that look at a run or steer it have in common: their frame.
namespace tasuki {

/// What the record says of a run, and which of its tasks a command is about.
struct ChosenTasks {
    RunHistory history;
    std::vector<TaskId> tasks;
};
Result<ChosenTasks> chooseTasks(const steering::FoundRun& run, const SteerOptions& options);

/// Prints an error. @return the exit code that it has
int endWithError(const Error& error);
/// Prints help. @return the exit code
int endWithHelp(const std::string& text);

constexpr int toInt(int code) { return code; }

/// Runs a command.
/// @param help  returns what --help prints
/// @param work  gets the options; returns the exit code (int or ExitCode), or an Error
template <class Options, class Help, class Work>
int runSteering(const Result<Options>& options, const Help& help, const Work& work)
{
    if (!options) {
        printError(options.error());
        return toInt(ExitCode::BadInput);
    }
    if (options->help)
        return endWithHelp(help());
    const auto code = work(*options);
    return code ? toInt(*code) : endWithError(code.error());
}

/// The same for a command that has SteerOptions.
template <class Work>
int runSteering(SteerCommand command, const Arguments& arguments, const Work& work)
{
    return runSteering(
        parseSteerOptions(command, arguments), [command] { return steerHelp(command); }, work);
}

} // namespace tasuki

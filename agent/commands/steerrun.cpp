// SPDX-License-Identifier: GPL-3.0-or-later
#include "steerrun.h"

#include "steering/record.h"

#include <cstdio>
#include <utility>

namespace tasuki {

Result<ChosenTasks> chooseTasks(const steering::FoundRun& run, const SteerOptions& options)
{
    ChosenTasks chosen;
    if (const Result<void> read = steering::readRecord(run.record, chosen.history); !read)
        return read.error();
    auto tasks = steering::selectTasks(chosen.history.state(), options.tasks);
    if (!tasks)
        return tasks.error();
    chosen.tasks = std::move(*tasks);
    return chosen;
}

int endWithError(const Error& error)
{
    std::fflush(stdout);
    printError(error);
    return toInt(error.kind == ErrorKind::Input ? ExitCode::BadInput : ExitCode::RunFileUnusable);
}

int endWithHelp(const std::string& text)
{
    std::fputs(text.c_str(), stdout);
    return toInt(ExitCode::Success);
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "waitreport.h"

#include "report/statusline.h"
#include "report/steeringtext.h"
#include "startup/commandline.h"
#include "startup/exitcode.h"
#include "startup/terminal.h"

#include <cstdio>

namespace tasuki {

namespace {

using steering::WaitEnd;

constexpr int timeOutCode = 124; // as of the command timeout

WaitFigures figuresOf(const steering::TaskWatch& watch)
{
    return {.tasks = watch.count(), .ended = watch.ended(), .unsuccessful = watch.unsuccessful()};
}

std::string wordOf(WaitEnd end)
{
    switch (end) {
    case WaitEnd::Done: return "done";
    case WaitEnd::RunOver: return "run over";
    case WaitEnd::TimeOut: return "time out";
    case WaitEnd::Lost: return "lost";
    }
    return {};
}

int codeOf(WaitEnd end, const steering::TaskWatch& watch)
{
    switch (end) {
    case WaitEnd::Done: return steering::exitCodeOf(watch);
    case WaitEnd::RunOver: return toInt(ExitCode::Interrupted);
    case WaitEnd::TimeOut: return timeOutCode;
    case WaitEnd::Lost: return toInt(ExitCode::NotSteered);
    }
    return toInt(ExitCode::NotSteered);
}

int report(const steering::WaitResult& result, const steering::TaskWatch& watch, bool json)
{
    const int code = codeOf(result.end, watch);
    const std::string left = waitText(figuresOf(watch));
    if (result.end == WaitEnd::RunOver)
        printError({.kind = ErrorKind::System,
                    .message = "the run has ended before the tasks: " + left,
                    .remedy = "resume it"});
    else if (result.end == WaitEnd::TimeOut)
        printError({.kind = ErrorKind::System, .message = "the time is over: " + left});
    else if (result.end == WaitEnd::Lost)
        printError({.kind = ErrorKind::System, .message = result.reason + "; " + left});
    if (json)
        std::fputs(waitJson(figuresOf(watch), wordOf(result.end), code).c_str(), stdout);
    return code;
}

} // namespace

int waitAndReport(steering::LiveRun& run, const steering::TaskWatch& watch,
                  std::optional<std::chrono::milliseconds> limit, bool json)
{
    const int columns = ownTerminalColumns();
    StatusLine line(stderr, columns, run.clock());
    const auto result = steering::waitForTasks(run, watch, limit, [&] {
        if (columns > 0)
            line.show([&](int) { return waitText(figuresOf(watch)); });
    });
    line.clear();
    return report(result, watch, json);
}

void printEnd(TaskId id, const steering::TaskEnd& end)
{
    std::fputs(endJson(id, end.state, steering::exitCodeOf(end)).c_str(), stdout);
    std::fflush(stdout);
}

int reportEnded(const steering::TaskWatch& watch, bool json)
{
    return report({.end = WaitEnd::Done}, watch, json);
}

} // namespace tasuki

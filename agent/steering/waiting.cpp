// SPDX-License-Identifier: GPL-3.0-or-later
#include "waiting.h"

#include <algorithm>

namespace tasuki::steering {

WaitResult waitForTasks(LiveRun& run, const TaskWatch& watch,
                        std::optional<std::chrono::milliseconds> limit,
                        const std::function<void()>& progress)
{
    constexpr std::chrono::milliseconds pause(200);
    std::optional<SteadyTime> end;
    if (limit)
        end = run.clock().now() + *limit;
    const auto isOver = [&] { return watch.allEnded() || watch.runOver(); };
    for (;;) {
        const SteadyTime now = run.clock().now();
        const SteadyTime next = now + pause;
        const auto served = run.serve(isOver, end ? std::min(*end, next) : next);
        progress();
        if (watch.allEnded())
            return {};
        if (watch.runOver())
            return {.end = WaitEnd::RunOver};
        if (!served)
            return {.end = WaitEnd::Lost, .reason = served.error().text()};
        if (end && run.clock().now() >= *end)
            return {.end = WaitEnd::TimeOut};
    }
}

} // namespace tasuki::steering

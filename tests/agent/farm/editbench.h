// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "schedulertesting.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tasuki::farm::testing {

inline const GroupId workerA(1);
inline const GroupId workerB(2);
inline const SteadyTime start = at(std::chrono::nanoseconds(0));

using Tasks = std::vector<std::uint32_t>;
using Keys = std::vector<AttemptKey>;
/// Tasks that were given up, each with the task that is to blame.
using Skips = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A scheduler with one worker, and short words for what happens to it.
struct EditBench {
    explicit EditBench(std::uint32_t slotCount = 8, SchedulingPolicy policy = {})
        : scheduler(policy), list(scheduler), slots(slotCount)
    {}
    void begin()
    {
        scheduler.begin();
        scheduler.groupJoined(workerA, slots);
    }
    /// @return the tasks handed out now
    Tasks hand(SteadyTime now = start) { return tasksOf(scheduler.assignments(now)); }
    std::optional<Verdict> end(std::uint32_t task, Outcome outcome = Outcome::Succeeded,
                               std::uint32_t attempt = 1, SteadyTime now = start)
    {
        return attemptFinished(scheduler, workerA, key(task, attempt), outcome,
                               std::chrono::milliseconds(1), now);
    }
    Parking park(std::uint32_t task) { return scheduler.park(TaskId(task)); }
    void unpark(std::uint32_t task) { scheduler.unpark(TaskId(task)); }
    void cancel(const Tasks& tasks)
    {
        std::vector<TaskId> ids;
        for (const std::uint32_t task : tasks)
            ids.emplace_back(task);
        scheduler.cancel(ids);
    }
    [[nodiscard]] bool parked(std::uint32_t task) const { return scheduler.isParked(TaskId(task)); }
    /// Tasks given up since the last call, with the cause, in order.
    Skips skipped()
    {
        Skips found;
        for (const SkippedTask& task : scheduler.takeSkipped())
            found.emplace_back(task.id.value(), task.because.value());
        return found;
    }
    void reopen(const Tasks& tasks)
    {
        std::vector<TaskId> ids;
        for (const std::uint32_t task : tasks)
            ids.emplace_back(task);
        scheduler.reopen(ids);
    }
    /// Adds a task behind all others.
    void extend(SchedulableTask task, const Tasks& after = {})
    {
        const Prerequisites prerequisites = prerequisitesOf(after);
        task.after = prerequisites.groups();
        scheduler.extend(std::span(&task, 1));
    }

    Scheduler scheduler;
    ListBuilder list;
    std::uint32_t slots;
};

} // namespace tasuki::farm::testing

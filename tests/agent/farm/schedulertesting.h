// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/scheduler.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <vector>

/// Short words for tests of the scheduler.
namespace tasuki::farm::testing {

/// @return the key of an attempt; attempts count from 1
inline AttemptKey key(std::uint32_t task, std::uint32_t attempt = 1)
{
    return {TaskId(task), AttemptNumber(attempt)};
}

/// @return the instant so long after the beginning of the test
inline SteadyTime at(std::chrono::nanoseconds sinceBegin)
{
    return SteadyTime{} + std::chrono::hours(1) + sinceBegin;
}

/// An attempt ends, and the record says so at once.
inline std::optional<Verdict> attemptFinished(Scheduler& scheduler, GroupId group, AttemptKey key,
                                              Outcome outcome, std::chrono::microseconds elapsed,
                                              SteadyTime now)
{
    const std::optional<Verdict> verdict = scheduler.attemptEnded(group, key, outcome, elapsed);
    if (verdict)
        scheduler.endRecorded(key.task, now);
    return verdict;
}

/// @return what the assignments hand to one worker, in order
inline std::vector<AttemptKey> handedTo(const std::vector<Assignment>& assignments, GroupId group)
{
    for (const Assignment& assignment : assignments) {
        if (assignment.group == group)
            return assignment.keys;
    }
    return {};
}

/// @return the numbers of all tasks that the assignments hand out, ascending
inline std::vector<std::uint32_t> tasksOf(const std::vector<Assignment>& assignments)
{
    std::vector<std::uint32_t> tasks;
    for (const Assignment& assignment : assignments) {
        for (const AttemptKey& handed : assignment.keys)
            tasks.push_back(handed.task.value());
    }
    std::ranges::sort(tasks);
    return tasks;
}

inline Prerequisites prerequisitesOf(const std::vector<std::uint32_t>& tasks)
{
    std::vector<TaskId> ids;
    for (const std::uint32_t task : tasks)
        ids.emplace_back(task);
    return Prerequisites(std::move(ids));
}

/// Adds tasks one by one; keeps their prerequisites alive while add() looks at them.
class ListBuilder {
public:
    explicit ListBuilder(Scheduler& scheduler) : m_scheduler(scheduler) {}

    /// Adds a task behind those added before; its position is its number unless told otherwise.
    ListBuilder& add(SchedulableTask task = {}, std::initializer_list<std::uint32_t> after = {})
    {
        const Prerequisites prerequisites = prerequisitesOf({after.begin(), after.end()});
        if (task.position == 0)
            task.position = m_count;
        task.after = prerequisites.groups();
        m_scheduler.add(task);
        ++m_count;
        return *this;
    }
    ListBuilder& addMany(std::uint32_t count)
    {
        while (count-- > 0)
            add();
        return *this;
    }

private:
    Scheduler& m_scheduler;
    std::uint32_t m_count = 0;
};

} // namespace tasuki::farm::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scheduler.h"

#include <algorithm>
#include <cassert>

namespace tasuki::farm {

void Scheduler::extend(std::span<const SchedulableTask> tasks)
{
    assert(m_begun);
    const auto first = static_cast<std::uint32_t>(m_entries.size());
    for (const SchedulableTask& task : tasks)
        add(task);
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
        lookAtPrerequisites(TaskId(first + i), tasks[i].after);
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
        makeReadyIfUnblocked(TaskId(first + i));
    advanceStage();
}

Parking Scheduler::park(TaskId id)
{
    Entry& task = entry(id);
    switch (task.state) {
    case State::Ready:
    case State::Late: unqueue(task); [[fallthrough]];
    case State::Blocked:
    case State::Waiting: task.state = State::Parked; [[fallthrough]];
    case State::Parked: return Parking::Parked;
    case State::Assigned: task.awaited = true; return Parking::Awaited;
    case State::Started: return Parking::Running;
    case State::Ended: return Parking::Ending;
    case State::Done: break;
    }
    return Parking::Done;
}

void Scheduler::withdrawn(CrewId crew, std::span<const AttemptKey> asked,
                          std::span<const AttemptKey> given)
{
    for (const AttemptKey& key : given) {
        if (isHeldBy(crew, key) && entry(key.task).state == State::Assigned)
            giveBack(key.task);
    }
    for (const AttemptKey& key : asked) {
        if (isHeldBy(crew, key))
            entry(key.task).awaited = false;
    }
}

void Scheduler::unpark(TaskId id)
{
    Entry& task = entry(id);
    task.awaited = false;
    if (task.state != State::Parked)
        return;
    task.state = State::Blocked;
    makeReadyIfUnblocked(id);
}

void Scheduler::cancel(std::span<const TaskId> ids)
{
    // All first: none of them is skipped because of another.
    for (const TaskId id : ids) {
        assert(isParked(id));
        entry(id).failed = true;
        retire(id);
    }
    for (const TaskId id : ids)
        skipDependents(id);
    advanceStage();
}

void Scheduler::condemn(TaskId id)
{
    assert(held(id));
    entry(id).condemned = true;
}

void Scheduler::reopen(std::span<const Reopening> tasks)
{
    for (const Reopening& task : tasks) {
        Entry& reopened = entry(task.id);
        assert(reopened.state == State::Done);
        open(reopened);
        reopened.retriesUsed = {};
        waitAgainFor(task.id);
    }
    for (const Reopening& task : tasks) {
        entry(task.id).openPrerequisites = static_cast<std::uint32_t>(task.after.size());
        lookAtPrerequisites(task.id, task.after);
    }
    for (const Reopening& task : tasks)
        makeReadyIfUnblocked(task.id);
    advanceStage();
}

/// What comes after a task and is not done waits for it once more. What a crew holds by now is
/// let go: it only waits when it comes back.
void Scheduler::waitAgainFor(TaskId reopened)
{
    const auto found = m_dependents.find(reopened.value());
    if (found == m_dependents.end())
        return;
    for (const TaskId dependent : found->second) {
        Entry& task = entry(dependent);
        if (task.state == State::Done)
            continue;
        ++task.openPrerequisites;
        const bool queued = task.state == State::Ready || task.state == State::Late;
        if (queued)
            unqueue(task);
        if (queued || task.state == State::Waiting)
            task.state = State::Blocked;
    }
}

/// Lets prerequisites that are done already take effect on a task that has just become open.
void Scheduler::lookAtPrerequisites(TaskId id, std::span<const TaskId> after)
{
    for (const TaskId prerequisite : after) {
        const Entry& earlier = entry(prerequisite);
        if (earlier.state != State::Done)
            continue;
        if (!earlier.failed) {
            settle(id);
        } else if (entry(id).state != State::Done) {
            entry(id).failed = true;
            retire(id);
            m_skipped.push_back({id, prerequisite});
            skipDependents(id);
        }
    }
}

std::optional<std::pair<CrewId, AttemptKey>> Scheduler::held(TaskId id) const
{
    if (id.value() >= m_entries.size())
        return std::nullopt;
    const Entry& task = m_entries[id.value()];
    if (task.state != State::Assigned && task.state != State::Started)
        return std::nullopt;
    return std::pair(task.holder, keyOf(id));
}

} // namespace tasuki::farm

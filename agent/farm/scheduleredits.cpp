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
    countGates();
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
        lookAtPrerequisites(TaskId(first + i));
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
        makeReadyIfUnblocked(TaskId(first + i));
    advanceStage();
}

Parking Scheduler::park(TaskId id)
{
    Entry& task = entry(id);
    switch (task.state) {
    case State::Ready: --m_readyCount; [[fallthrough]];
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

void Scheduler::reopen(std::span<const TaskId> tasks)
{
    for (const TaskId id : tasks) {
        Entry& reopened = entry(id);
        assert(reopened.state == State::Done);
        const bool failed = reopened.failed;
        open(reopened);
        reopened.retriesUsed = {};
        waitAgainFor(id, failed);
    }
    for (const TaskId id : tasks)
        lookAtPrerequisites(id);
    for (const TaskId id : tasks)
        makeReadyIfUnblocked(id);
    advanceStage();
}

/// What comes after a task and is not done waits for it once more. What a crew holds by now is
/// let go: it only waits when it comes back.
/// @param failed  how it was done before
void Scheduler::waitAgainFor(TaskId reopened, bool failed)
{
    m_gates.visitOf(reopened, [this, failed](Gate& gate) {
        gate.failed -= failed ? 1U : 0U;
        if (gate.undone++ != 0)
            return;
        for (const TaskId dependent : gate.dependents) {
            Entry& task = entry(dependent);
            ++task.shutGates;
            if (task.state == State::Ready)
                --m_readyCount;
            if (task.state == State::Ready || task.state == State::Waiting)
                task.state = State::Blocked;
        }
    });
}

/// Lets prerequisites that have failed already take effect on a task that has just become open.
void Scheduler::lookAtPrerequisites(TaskId id)
{
    std::optional<TaskId> cause;
    m_gates.visitBefore(id, [&](Gate& gate) {
        gate.spent = false;
        if (gate.failed != 0 && !cause)
            cause = blameOf(gate);
    });
    if (!cause || entry(id).state == State::Done)
        return;
    entry(id).failed = true;
    retire(id);
    m_skipped.push_back({id, *cause});
    skipDependents(id);
}

/// Precondition: one of the group has failed.
TaskId Scheduler::blameOf(Gate& gate) const
{
    const auto failed = [this](TaskId id) {
        const Entry& task = m_entries[id.value()];
        return task.state == State::Done && task.failed;
    };
    if (!gate.blame || !failed(*gate.blame))
        gate.blame = *std::ranges::find_if(*gate.group, failed);
    return *gate.blame;
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

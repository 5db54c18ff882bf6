// SPDX-License-Identifier: GPL-3.0-or-later
#include "agenda.h"

#include <algorithm>
#include <cassert>

namespace tasuki::farm {

void Agenda::add(const SchedulableTask& task)
{
    const TaskId id(static_cast<std::uint32_t>(m_items.size()));
    Item& added = m_items.emplace_back();
    added.stage = task.stage;
    added.position = task.position;
    added.seated = task.seated;
    m_stages.add(task.stage);
    for (const SharedGroup& group : task.after) {
        const Gate& gate = m_gates.addDependent(group, id);
        added.shutGates += gate.counted && gate.shut() ? 1U : 0U;
    }
    if (isSettled(task.state)) {
        added.state = State::Done;
        added.failed = task.state != TaskState::Succeeded;
        return;
    }
    open(added);
    if (task.state == TaskState::Held)
        added.state = State::Parked;
    else if (task.state == TaskState::Running)
        added.state = State::Taken; // whatever became of what it came after, it has begun
}

void Agenda::begin()
{
    countGates();
    for (std::uint32_t i = 0; i < m_items.size(); ++i) {
        if (m_items[i].state == State::Done && m_items[i].failed)
            skipDependents(TaskId(i));
    }
    advanceStage();
    for (std::uint32_t i = 0; i < m_items.size(); ++i)
        makeReadyIfUnblocked(TaskId(i));
}

void Agenda::extend(std::span<const SchedulableTask> tasks)
{
    const auto first = static_cast<std::uint32_t>(m_items.size());
    for (const SchedulableTask& task : tasks)
        add(task);
    countGates();
    for (std::uint32_t i = first; i < m_items.size(); ++i)
        lookAtPrerequisites(TaskId(i));
    for (std::uint32_t i = first; i < m_items.size(); ++i)
        makeReadyIfUnblocked(TaskId(i));
    advanceStage();
}

std::optional<TaskId> Agenda::takeReady(const FitTest& fit, Fit least)
{
    while (m_ready != 0) {
        // What was parked since it became ready is still in the queue; what was made ready again
        // since is there twice.
        const TaskId id = m_queue.pop();
        Item& task = item(id);
        if (task.state != State::Ready)
            continue;
        const Fit how = fit ? fit(id) : Fit::Ahead;
        if (how != Fit::Late && how < least) {
            m_queue.push(task.position, id);
            return std::nullopt;
        }
        --m_ready;
        task.state = how == Fit::Late ? State::Late : State::Taken;
        if (how != Fit::Late)
            return id;
        ++m_late;
    }
    return std::nullopt;
}

bool Agenda::take(TaskId id)
{
    Item& task = item(id);
    switch (task.state) {
    case State::Ready:
    case State::Late: unqueue(task); break;
    case State::Blocked:
    case State::Waiting: break;
    default: return false;
    }
    task.state = State::Taken;
    return true;
}

void Agenda::giveBack(TaskId id)
{
    item(id).state = State::Blocked;
    makeReadyIfUnblocked(id);
}

void Agenda::retryAt(SteadyTime until, TaskId id)
{
    Item& task = item(id);
    if (task.shutGates != 0) {
        task.state = State::Blocked;
        return;
    }
    task.state = State::Waiting;
    m_waiting.push({until, id, ++task.waits});
}

void Agenda::finish(TaskId id, bool succeeded)
{
    item(id).failed = !succeeded;
    retire(id);
    if (!succeeded) {
        skipDependents(id);
    } else {
        m_gates.visitOf(id, [this](const Gate& gate) {
            for (std::size_t i = 0; !gate.shut() && i < gate.dependents.size(); ++i)
                makeReadyIfUnblocked(gate.dependents[i]);
        });
    }
    advanceStage();
}

bool Agenda::park(TaskId id)
{
    Item& task = item(id);
    assert(task.state != State::Taken);
    if (task.state == State::Done)
        return false;
    if (task.state == State::Ready || task.state == State::Late)
        unqueue(task);
    task.state = State::Parked;
    return true;
}

void Agenda::unpark(TaskId id)
{
    if (isParked(id))
        giveBack(id);
}

void Agenda::cancel(std::span<const TaskId> ids)
{
    // All first: none of them is skipped because of another.
    for (const TaskId id : ids) {
        assert(isParked(id));
        item(id).failed = true;
        retire(id);
    }
    for (const TaskId id : ids)
        skipDependents(id);
    advanceStage();
}

void Agenda::reopen(std::span<const TaskId> tasks)
{
    for (const TaskId id : tasks) {
        Item& reopened = item(id);
        assert(reopened.state == State::Done);
        const bool failed = reopened.failed;
        open(reopened);
        waitAgainFor(id, failed);
    }
    for (const TaskId id : tasks)
        lookAtPrerequisites(id);
    for (const TaskId id : tasks)
        makeReadyIfUnblocked(id);
    advanceStage();
}

void Agenda::wakeWaiting(SteadyTime now)
{
    while (!m_waiting.empty() && m_waiting.top().until <= now) {
        const Wait wait = m_waiting.top();
        m_waiting.pop();
        const Item& task = item(wait.id);
        if (task.state == State::Waiting && task.waits == wait.number)
            makeReady(wait.id);
    }
}

/// The task is to be done.
void Agenda::open(Item& task)
{
    task.state = State::Blocked;
    task.failed = false;
    ++m_unfinished;
    m_stages.open(task.stage);
}

void Agenda::makeReady(TaskId id)
{
    Item& task = item(id);
    task.state = State::Ready;
    if (task.seated) {
        ++m_readyRanks;
        return;
    }
    m_queue.push(task.position, id);
    ++m_ready;
}

void Agenda::makeReadyIfUnblocked(TaskId id)
{
    const Item& task = item(id);
    if (task.state != State::Blocked || task.shutGates != 0)
        return;
    if (m_stages.hasBegun(task.stage))
        makeReady(id);
    else
        m_stages.defer(task.stage, id);
}

/// A task that could be taken cannot any more. It may stay in the queue.
void Agenda::unqueue(Item& task)
{
    if (task.state == State::Late)
        --m_late;
    else
        --(task.seated ? m_readyRanks : m_ready);
}

/// The task is done; `failed` says how.
void Agenda::retire(TaskId id)
{
    Item& task = item(id);
    task.state = State::Done;
    --m_unfinished;
    m_stages.close(task.stage);
    m_gates.visitOf(id, [this, &task](Gate& gate) {
        gate.failed += task.failed ? 1U : 0U;
        if (--gate.undone != 0)
            return;
        for (const TaskId dependent : gate.dependents)
            --item(dependent).shutGates;
    });
}

void Agenda::skip(TaskId id, TaskId because)
{
    item(id).failed = true;
    retire(id);
    m_skipped.push_back({id, because});
}

void Agenda::skipDependents(TaskId failed)
{
    std::vector<TaskId> causes{failed};
    while (!causes.empty()) {
        const TaskId cause = causes.back();
        causes.pop_back();
        m_gates.visitOf(cause, [&](Gate& gate) {
            if (std::exchange(gate.spent, true))
                return;
            for (const TaskId dependent : gate.dependents) {
                const State how = state(dependent);
                if (how == State::Blocked || how == State::Parked) {
                    skip(dependent, cause);
                    causes.push_back(dependent);
                } else if (how != State::Done) {
                    gate.spent = false; // taken since before the prerequisite was reopened
                }
            }
        });
    }
}

void Agenda::advanceStage()
{
    for (const TaskId id : m_stages.advance())
        makeReadyIfUnblocked(id);
}

/// Tasks have been added: tells those that come after others what they wait for.
void Agenda::countGates()
{
    m_gates.count([this](Gate& gate) {
        for (const TaskId member : *gate.group) {
            const bool done = state(member) == State::Done;
            gate.undone += done ? 0U : 1U;
            gate.failed += done && item(member).failed ? 1U : 0U;
        }
        for (const TaskId dependent : gate.dependents)
            item(dependent).shutGates += gate.shut() ? 1U : 0U;
    });
}

/// What comes after a task and is not done waits for it once more. What somebody has taken by now is
/// let go: it only waits when it comes back.
/// @param failed  how it was done before
void Agenda::waitAgainFor(TaskId reopened, bool failed)
{
    m_gates.visitOf(reopened, [this, failed](Gate& gate) {
        gate.failed -= failed ? 1U : 0U;
        if (gate.undone++ != 0)
            return;
        for (const TaskId dependent : gate.dependents) {
            Item& task = item(dependent);
            ++task.shutGates;
            const bool queued = task.state == State::Ready || task.state == State::Late;
            if (queued)
                unqueue(task);
            if (queued || task.state == State::Waiting)
                task.state = State::Blocked;
        }
    });
}

/// Lets prerequisites that have failed already take effect on a task that has just become open.
void Agenda::lookAtPrerequisites(TaskId id)
{
    std::optional<TaskId> cause;
    m_gates.visitBefore(id, [&](Gate& gate) {
        gate.spent = false;
        if (gate.failed != 0 && !cause)
            cause = blameOf(gate);
    });
    if (!cause || state(id) == State::Done)
        return;
    skip(id, *cause);
    skipDependents(id);
}

/// Precondition: one of the group has failed.
TaskId Agenda::blameOf(Gate& gate) const
{
    const auto failed = [this](TaskId id) {
        const Item& task = m_items[id.value()];
        return task.state == State::Done && task.failed;
    };
    if (!gate.blame || !failed(*gate.blame))
        gate.blame = *std::ranges::find_if(*gate.group, failed);
    return *gate.blame;
}

} // namespace tasuki::farm

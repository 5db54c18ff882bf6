// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskwatch.h"

#include <utility>

namespace tasuki::steering {

void TaskWatch::want(TaskId id)
{
    if (!m_tasks.try_emplace(id).second)
        return;
    if (const auto early = m_early.extract(id); !early.empty())
        end(id, early.mapped());
}

void TaskWatch::want(TaskId id, const TaskRecord& record)
{
    want(id);
    if (isSettled(record.state))
        end(id,
            {.state = record.state,
             .outcome = record.lastOutcome,
             .code = record.lastCode,
             .ran = record.attempts > 0});
}

void TaskWatch::take(const Event& event)
{
    if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        if (finished->disposition == Disposition::Final)
            end(finished->key.task,
                {.state = finalStateOf(finished->result.outcome),
                 .outcome = finished->result.outcome,
                 .code = finished->result.code,
                 .ran = true});
    } else if (const auto* skipped = std::get_if<TaskSkipped>(&event.payload)) {
        end(skipped->id, {.state = TaskState::Skipped});
    } else if (const auto* cancelled = std::get_if<TaskCancelled>(&event.payload)) {
        end(cancelled->id, {.state = TaskState::Cancelled});
    } else if (const auto* removed = std::get_if<TaskRemoved>(&event.payload)) {
        end(removed->id, {.state = TaskState::Removed});
    } else if (const auto* reopened = std::get_if<TaskReopened>(&event.payload)) {
        open(reopened->id);
    } else if (const auto* changed = std::get_if<TaskChanged>(&event.payload)) {
        const auto found = m_tasks.find(changed->id);
        if (found != m_tasks.end() && found->second && found->second->state == TaskState::Removed)
            open(changed->id);
    } else if (const auto* added = std::get_if<TaskAdded>(&event.payload)) {
        if (m_wantsNewOnes)
            want(added->id);
    } else if (std::holds_alternative<RunClosed>(event.payload)) {
        m_runOver = true;
    } else if (std::holds_alternative<RunOpened>(event.payload)) {
        m_runOver = false;
    }
}

void TaskWatch::end(TaskId id, const TaskEnd& how)
{
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end()) {
        if (m_keepsEarlyEnds)
            m_early.insert_or_assign(id, how);
        return;
    }
    open(id);
    ++m_ended;
    m_unsuccessful += how.state == TaskState::Succeeded ? 0U : 1U;
    found->second = how;
    m_whenEnded(id, how);
}

void TaskWatch::open(TaskId id)
{
    m_early.erase(id);
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end() || !found->second)
        return;
    --m_ended;
    m_unsuccessful -= found->second->state == TaskState::Succeeded ? 0U : 1U;
    found->second.reset();
}

int exitCodeOf(const TaskEnd& end)
{
    constexpr int signalled = 128;
    constexpr int timedOut = 124; // as of the command timeout
    if (end.state == TaskState::Succeeded)
        return 0;
    if (end.state != TaskState::Failed || !end.ran)
        return 1;
    switch (end.outcome) {
    case Outcome::Failed: return end.code;
    case Outcome::Signalled: return signalled + end.code;
    case Outcome::TimedOut: return timedOut;
    default: return 1;
    }
}

int exitCodeOf(const TaskWatch& watch)
{
    if (watch.unsuccessful() == 0)
        return 0;
    return watch.count() == 1 ? exitCodeOf(*watch.tasks().begin()->second) : 1;
}

} // namespace tasuki::steering

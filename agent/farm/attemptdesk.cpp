// SPDX-License-Identifier: GPL-3.0-or-later
#include "attemptdesk.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm {

namespace {

/// No attempt runs longer: what a worker says beyond that is a mistake.
constexpr std::chrono::hours longestRunTime{24 * 365 * 10};

} // namespace

AttemptDesk::AttemptDesk(std::optional<SteadyTime> endsAt, const Course& course,
                         Scheduler& scheduler, RecordDesk& record, const Clock& clock)
    : m_course(course), m_scheduler(scheduler), m_record(record), m_clock(clock)
{
    if (endsAt)
        m_allocationEnd.emplace(*endsAt);
    if (m_record.goesOn())
        m_finishedRunTime = m_record.state().finishedRunTime();
}

void AttemptDesk::begin(std::span<const TaskRange> only)
{
    const RunState& state = m_record.state();
    const TaskScope scope(state, only);
    for (std::uint32_t i = 0; i < state.tasks().size(); ++i) {
        const TaskRecord& record = state.tasks()[i];
        const Task& task = record.task;
        const bool leftAlone = !scope.has(TaskId(i)) && record.state == TaskState::Queued;
        m_scheduler.add(
            {.stage = task.stage,
             .position = task.position,
             .budget = task.settings->retries,
             .retriesUsed = record.retriesUsed,
             .attempts = record.attempts - (record.state == TaskState::Running ? 1U : 0U),
             .after = prerequisitesOf(task),
             .state = leftAlone ? TaskState::Held : record.state,
             .seated = task.settings->seat.has_value(),
             .goesOn = task.settings->seat && task.settings->seat->logMb != 0});
        if (m_allocationEnd && record.state == TaskState::Succeeded)
            m_allocationEnd->forecast().learn(task, record.lastElapsed);
    }
    m_scheduler.begin();
    recordSkipped();
}

void AttemptDesk::adoptStarted(const Roster& roster)
{
    for (const auto& [key, rank] : m_startedOn) {
        if (!adopt(roster.groupOf(rank), key, true))
            endForRecord("task " + std::to_string(key.task.value())
                         + " runs, and it is not its turn");
    }
}

bool AttemptDesk::adopt(GroupId group, AttemptKey key, bool started)
{
    if (!m_scheduler.adopt(group, key, started))
        return false;
    if (m_record.state().task(key.task).cancelling)
        m_scheduler.condemn(key.task);
    return true;
}

void AttemptDesk::takeReport(GroupId group, Rank rank, bool led, Report&& report)
{
    for (const StartedAttempt& started : report.started) {
        if (!m_scheduler.attemptStarted(group, started.key))
            continue;
        if (led)
            m_startedOn[started.key] = rank;
        if (m_allocationEnd)
            m_allocationEnd->started(started.key, m_record.state().task(started.key.task).task,
                                     m_clock.now());
        m_record.append(AttemptStarted{.key = started.key,
                                       .rank = rank,
                                       .slot = started.slot,
                                       .startedAt = started.startedAt});
    }
    for (FinishedAttempt& finished : report.finished)
        recordEnd(group, rank, finished.key, finished.slot, std::move(finished.result));
    recordSkipped();
}

void AttemptDesk::recordEnd(GroupId group, Rank rank, AttemptKey key, SlotIndex slot,
                            AttemptResult result)
{
    using std::chrono::microseconds;
    // Who has not heard of the interruption may tell of an end that it made.
    result = judged(std::move(result), m_course.interruption());
    // The record refuses run times that do not add up to one.
    const microseconds room = microseconds::max() - m_finishedRunTime;
    result.elapsed = std::clamp(result.elapsed, microseconds(0),
                                std::min<microseconds>(longestRunTime, room));
    const std::optional<Verdict> verdict = m_scheduler.attemptEnded(group, key, result.outcome,
                                                                    result.elapsed);
    if (!verdict)
        return;
    m_startedOn.erase(key);
    if (m_allocationEnd)
        m_allocationEnd->ended(key);
    if (m_allocationEnd && result.outcome == Outcome::Succeeded)
        m_allocationEnd->forecast().learn(m_record.state().task(key.task).task, result.elapsed);
    if (verdict->disposition == Disposition::Final)
        m_finishedRunTime += result.elapsed;
    m_record.append(AttemptFinished{.key = key,
                                    .rank = rank,
                                    .slot = slot,
                                    .disposition = verdict->disposition,
                                    .result = std::move(result)});
}

void AttemptDesk::recordSkipped()
{
    if (m_course.closing())
        return; // whoever resumes the run finds them
    for (const SkippedTask& skipped : m_scheduler.takeSkipped())
        m_record.append(TaskSkipped{.id = skipped.id, .because = skipped.because});
}

void AttemptDesk::groupLost(GroupId group)
{
    for (const Scheduler::Held& held : m_scheduler.groupLost(group)) {
        if (held.started) // Outcome::Lost
            recordEnd(group, startedOn(group, held.key), held.key, SlotIndex(0), AttemptResult{});
    }
    recordSkipped();
}

Rank AttemptDesk::startedOn(GroupId group, AttemptKey key) const
{
    const auto found = m_startedOn.find(key);
    return found == m_startedOn.end() ? Rank(group.value()) : found->second;
}

FitTest AttemptDesk::fitTest() const
{
    if (!m_allocationEnd)
        return {};
    return [this, now = m_clock.now()](TaskId id) {
        return m_allocationEnd->fit(m_record.state().task(id).task, now);
    };
}

} // namespace tasuki::farm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordchecker.h"

#include <cstdio>

namespace tasuki::farm::testing {

std::string ExecutionToken::text() const
{
    return std::to_string(rank.value()) + ' ' + std::to_string(epoch.value()) + ' '
        + std::to_string(incarnation.value()) + ' ' + std::to_string(serial);
}

std::optional<ExecutionToken> ExecutionToken::parse(const std::string& text)
{
    int rank = 0;
    unsigned epoch = 0;
    unsigned incarnation = 0;
    unsigned long long serial = 0;
    if (std::sscanf(text.c_str(), "%d %u %u %llu", &rank, &epoch, &incarnation, &serial) != 4)
        return std::nullopt;
    return ExecutionToken{Rank(rank), Epoch(epoch), Incarnation(incarnation), serial};
}

std::string RecordChecker::check(const std::vector<Event>& record)
{
    for (const Event& event : record)
        take(event);
    for (const auto& [id, finals] : m_finals) {
        if (finals > 1)
            complain("task " + std::to_string(id.value()) + " ended more than once");
        if (m_mustBeComplete && finals == 0)
            complain("task " + std::to_string(id.value()) + " has no end");
    }
    if (m_mustBeComplete && m_state.unfinished() != 0)
        complain("the state says that tasks are unfinished");
    return m_complaint;
}

void RecordChecker::take(const Event& event)
{
    if (const Result<void> applied = m_state.apply(event); !applied)
        complain(applied.error().message);
    if (std::holds_alternative<RunOpened>(event.payload)) {
        m_present.clear();
        m_latest.clear();
    } else if (const auto* added = std::get_if<TaskAdded>(&event.payload)) {
        m_finals[added->id] = 0;
        ++m_openByStage[added->task.stage];
    } else if (const auto* skipped = std::get_if<TaskSkipped>(&event.payload)) {
        takeEnd(skipped->id);
        checkCause(*skipped);
    } else if (const auto* cancelled = std::get_if<TaskCancelled>(&event.payload)) {
        takeEnd(cancelled->id);
    } else if (const auto* reopened = std::get_if<TaskReopened>(&event.payload)) {
        m_finals[reopened->id] = 0;
        m_reopened.insert(reopened->id);
    } else if (const auto* joined = std::get_if<ProcessorJoined>(&event.payload)) {
        takeJoined(*joined);
    } else if (const auto* lost = std::get_if<ProcessorLost>(&event.payload)) {
        m_present.erase(lost->rank);
    } else if (const auto* started = std::get_if<AttemptStarted>(&event.payload)) {
        if (present(started->rank) == nullptr)
            complain("an attempt starts on a processor that is not there");
        checkTurn(started->key.task);
    } else if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        takeFinished(event, *finished);
    }
}

void RecordChecker::takeJoined(const ProcessorJoined& event)
{
    if (m_present.contains(event.rank))
        complain("a processor joins that is there");
    if (event.incarnation <= m_latest[event.rank])
        complain("an incarnation comes back");
    m_present[event.rank] = m_latest[event.rank] = event.incarnation;
}

void RecordChecker::takeFinished(const Event& event, const AttemptFinished& finished)
{
    checkTurn(finished.key.task);
    if (finished.disposition == Disposition::Final)
        takeEnd(finished.key.task);
    const Incarnation* const incarnation = present(finished.rank);
    if (incarnation == nullptr) {
        complain("a result counts of a processor that is not there");
        return;
    }
    // What was lost while the run was being killed counts as interrupted.
    const bool lost = finished.result.outcome == Outcome::Lost
        || (finished.result.outcome == Outcome::Interrupted
            && finished.result.standardOutput.totalBytes == 0);
    if (lost)
        return;
    const auto token = ExecutionToken::parse(finished.result.standardOutput.head);
    if (!token) {
        complain("a result comes from nowhere");
    } else if (token->rank != finished.rank || token->epoch != event.id.epoch
               || token->incarnation != *incarnation) {
        complain("a result of another life counts: " + token->text());
    } else if (!m_counted.insert(*token).second) {
        complain("a result counts twice: " + token->text());
    }
    const TaskId id = finished.key.task;
    if (id.value() < m_state.tasks().size()
        && finished.result.standardError.head != m_state.task(id).task.command)
        complain("task " + std::to_string(id.value()) + " ran another command");
}

/// @return null: nobody holds the rank whose attempts may count
const Incarnation* RecordChecker::present(Rank rank) const
{
    const auto& known = m_led.contains(rank) ? m_latest : m_present;
    const auto found = known.find(rank);
    return found == known.end() ? nullptr : &found->second;
}

void RecordChecker::takeEnd(TaskId id)
{
    ++m_finals[id];
    if (id.value() < m_state.tasks().size() && m_ended.insert(id).second)
        --m_openByStage[m_state.task(id).task.stage];
}

void RecordChecker::checkCause(const TaskSkipped& skipped)
{
    const TaskState cause = skipped.because.value() < m_state.tasks().size()
        ? m_state.task(skipped.because).state
        : TaskState::Queued;
    if (!isFinal(cause) || cause == TaskState::Succeeded)
        complain("task " + std::to_string(skipped.id.value()) + " is skipped for no reason");
}

/// Earlier stages must have ended, prerequisites must have succeeded, before a task runs. What is
/// reopened meanwhile does not stop what is at a worker, nor a stage that has begun.
void RecordChecker::checkTurn(TaskId id)
{
    if (id.value() >= m_state.tasks().size())
        return;
    const Task& task = m_state.task(id).task;
    for (const auto& [stage, open] : m_openByStage) {
        if (stage < task.stage && open > 0)
            complain("task " + std::to_string(id.value()) + " runs before its stage");
    }
    for (const TaskId prerequisite : task.links ? task.links->after.ids() : std::vector<TaskId>()) {
        if (m_state.task(prerequisite).state != TaskState::Succeeded
            && !m_reopened.contains(prerequisite))
            complain("task " + std::to_string(id.value()) + " runs before its prerequisite");
    }
}

void RecordChecker::complain(const std::string& what)
{
    if (m_complaint.empty())
        m_complaint = what;
}

} // namespace tasuki::farm::testing

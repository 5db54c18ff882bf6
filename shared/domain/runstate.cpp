// SPDX-License-Identifier: GPL-3.0-or-later
#include "runstate.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace tasuki {

// A run may have a million tasks and every program holds them all: mind what a record costs.
static_assert(sizeof(TaskRecord) <= 120);

std::string_view taskStateName(TaskState state)
{
    switch (state) {
    case TaskState::Queued: return "queued";
    case TaskState::Running: return "running";
    case TaskState::Succeeded: return "succeeded";
    case TaskState::Failed: return "failed";
    case TaskState::Skipped: return "skipped";
    case TaskState::Removed: return "removed";
    case TaskState::Held: return "held";
    case TaskState::Cancelled: return "cancelled";
    }
    return "unknown";
}

bool isFinal(TaskState state)
{
    return state == TaskState::Succeeded || state == TaskState::Failed
        || state == TaskState::Skipped || state == TaskState::Cancelled;
}

bool isSettled(TaskState state) { return isFinal(state) || state == TaskState::Removed; }

std::optional<RetryCause> retryCauseOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Failed:
    case Outcome::NotStarted: return RetryCause::Exit;
    case Outcome::Signalled: return RetryCause::Signal;
    case Outcome::TimedOut: return RetryCause::Timeout;
    case Outcome::Lost: return RetryCause::ProcessorLost;
    case Outcome::Succeeded:
    case Outcome::Cancelled:
    case Outcome::Interrupted: return std::nullopt;
    }
    return std::nullopt;
}

namespace {

std::string words(EventId id) { return "event " + eventIdText(id); }

std::string words(TaskId id) { return "task " + std::to_string(id.value()); }

std::string words(Rank rank) { return "rank " + std::to_string(rank.value()); }

std::string words(AttemptKey key)
{
    return "attempt " + std::to_string(key.number.value()) + " of " + words(key.task);
}

Error misfit(std::string what)
{
    return Error{.kind = ErrorKind::Damaged, .message = std::move(what)};
}

} // namespace

TaskState finalStateOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Succeeded: return TaskState::Succeeded;
    case Outcome::Cancelled: return TaskState::Cancelled;
    default: return TaskState::Failed;
    }
}

// What an event makes of the state of its task. "-": the event does not fit, apply() refuses it.
//
//                             |           |           | Succeeded,|         |           |
//                             |           |           | Failed,   |         |           |
//   event                     | Queued    | Running   | Cancelled | Skipped | Held      | Removed
//   --------------------------+-----------+-----------+-----------+---------+-----------+---------
//   RunOpened (next epoch)    | Queued    | Queued    | same      | same    | same      | same
//   TaskAdded                 | the task must be unknown and becomes Queued
//   TaskChanged               | same   c  | same      | same      | same    | same   c  | before *
//   TaskRemoved               | Removed   | -         | Removed   | Removed | Removed   | -
//   TaskReopened              | -         | -         | Queued    | Queued  | -         | -
//   TaskSkipped               | Skipped   | -         | -         | -       | Skipped   | -
//   TaskHeld                  | Held      | -         | -         | -       | -         | -
//   TaskReleased              | -         | -         | -         | -       | Queued    | -
//   TaskCancelled             | Cancelled | -         | -         | -       | Cancelled | -
//   TaskCancelling            | same   k  | same   k  | -         | -       | -         | -
//   AttemptStarted   (number) | Running +1| -         | -         | -       | -         | -
//   AttemptFinished  (number) | final  +1 | final   0 | -         | -       | -         | -
//
//   *      the state that the task had when it was removed: what it achieved is not forgotten.
//   c      the command may change too.
//   k      cancelling, until the task is neither Queued nor Running: an attempt runs, perhaps one whose
//          start is not recorded yet. Whoever goes on with the record lets it end, and no other begin.
//   number "+1": the attempt is the one after the latest, "0": it is the latest.
//   final  Final: Succeeded, Cancelled or Failed by the outcome; Retry and Requeue: Queued.
//
// So a task that is final takes no second result: results count once. A result of an attempt that
// a crash cut off carries an old number and is refused too.
struct RunState::Apply {
    RunState& state;
    EventId id;
    WallTime at;

    Result<void> operator()(const RunOpened& event) const
    {
        if (id.epoch <= state.m_last.epoch)
            return misfit("the run is opened a second time in epoch "
                          + std::to_string(id.epoch.value()));
        if (state.count(TaskState::Running) != 0)
            endCutOffAttempts();
        for (auto& [rank, processor] : state.m_processors) {
            processor.incarnation = Incarnation{};
            processor.present = false;
            processor.lossCause = LossCause::Gone;
        }
        state.m_opened = event;
        state.m_closed.reset();
        state.m_ending.reset();
        state.m_generations.clear();
        state.m_finishedRunTime = {};
        state.m_system.open();
        return {};
    }

    Result<void> operator()(const TaskAdded& event) const
    {
        if (event.id.value() != state.m_tasks.size())
            return misfit(words(event.id) + " is added, " + words(nextTask()) + " was expected");
        if (!event.task.settings)
            return misfit(words(event.id) + " has no settings");
        TaskRecord& record = state.m_tasks.emplace_back();
        record.task = event.task;
        record.revision = revisionOf(id);
        ++state.m_counts[static_cast<std::size_t>(TaskState::Queued)];
        return {};
    }

    Result<void> operator()(const TaskChanged& event) const
    {
        TaskRecord* record = find(event.id);
        if (!record)
            return unknown(event.id);
        if (!event.task.settings)
            return misfit(words(event.id) + " is changed to one without settings");
        const bool waits = record->state == TaskState::Queued || record->state == TaskState::Held;
        if (!waits && event.task.command != record->task.command)
            return misfit(words(event.id) + " is changed to one with another command");
        record->task = event.task;
        record->revision = revisionOf(id);
        if (record->state == TaskState::Removed)
            state.moveTo(*record, record->stateBeforeRemoval);
        return {};
    }

    Result<void> operator()(const TaskRemoved& event) const
    {
        TaskRecord* record = find(event.id);
        if (!record)
            return unknown(event.id);
        if (record->state == TaskState::Running || record->state == TaskState::Removed)
            return wrongState(event.id, *record, "is removed");
        record->stateBeforeRemoval = record->state;
        record->revision = revisionOf(id);
        state.moveTo(*record, TaskState::Removed);
        return {};
    }

    Result<void> operator()(const TaskReopened& event) const
    {
        TaskRecord* record = find(event.id);
        if (!record)
            return unknown(event.id);
        if (!isFinal(record->state))
            return wrongState(event.id, *record, "is reopened");
        record->retriesUsed = {};
        state.moveTo(*record, TaskState::Queued);
        return {};
    }

    Result<void> operator()(const TaskSkipped& event) const
    {
        TaskRecord* record = find(event.id);
        if (!record)
            return unknown(event.id);
        if (!find(event.because))
            return unknown(event.because);
        if (event.because == event.id)
            return misfit(words(event.id) + " is skipped because of itself");
        if (record->state != TaskState::Queued && record->state != TaskState::Held)
            return wrongState(event.id, *record, "is skipped");
        state.moveTo(*record, TaskState::Skipped);
        return {};
    }

    Result<void> operator()(const TaskHeld& event) const
    {
        return move(event.id, {TaskState::Queued}, TaskState::Held, "is held");
    }

    Result<void> operator()(const TaskReleased& event) const
    {
        return move(event.id, {TaskState::Held}, TaskState::Queued, "is released");
    }

    Result<void> operator()(const TaskCancelled& event) const
    {
        return move(event.id, {TaskState::Queued, TaskState::Held}, TaskState::Cancelled,
                    "is cancelled");
    }

    Result<void> operator()(const TaskCancelling& event) const
    {
        TaskRecord* record = find(event.id);
        if (!record)
            return unknown(event.id);
        if (record->state != TaskState::Queued && record->state != TaskState::Running)
            return wrongState(event.id, *record, "is being cancelled");
        record->cancelling = true;
        return {};
    }

    Result<void> operator()(const ProcessorJoined& event) const
    {
        const auto found = state.m_processors.find(event.rank);
        if (event.incarnation < Incarnation(1))
            return misfit(words(event.rank) + " joins as incarnation 0");
        if (found != state.m_processors.end() && found->second.present)
            return misfit(words(event.rank) + " joins while another processor holds it");
        state.m_processors.insert_or_assign(event.rank,
                                            ProcessorRecord{.incarnation = event.incarnation,
                                                            .host = event.host,
                                                            .pid = event.pid,
                                                            .slots = event.slots,
                                                            .present = true});
        return {};
    }

    Result<void> operator()(const ProcessorLost& event) const
    {
        const auto found = state.m_processors.find(event.rank);
        if (found == state.m_processors.end() || !found->second.present
            || found->second.incarnation != event.incarnation)
            return misfit("incarnation " + std::to_string(event.incarnation.value()) + " of "
                          + words(event.rank) + " is lost but was not there");
        found->second.present = false;
        found->second.lossCause = event.cause;
        return {};
    }

    Result<void> operator()(const AttemptStarted& event) const
    {
        TaskRecord* record = find(event.key.task);
        if (!record)
            return unknown(event.key.task);
        if (record->state != TaskState::Queued)
            return wrongState(event.key.task, *record, "is started");
        if (!isNext(event.key, *record))
            return wrongNumber(event.key, *record, "starts");
        record->attempts = event.key.number.value();
        state.moveTo(*record, TaskState::Running);
        return {};
    }

    Result<void> operator()(const AttemptFinished& event) const
    {
        TaskRecord* record = find(event.key.task);
        if (!record)
            return unknown(event.key.task);
        const bool running = record->state == TaskState::Running;
        if (!running && record->state != TaskState::Queued)
            return wrongState(event.key.task, *record, "has another result");
        if (running ? event.key.number.value() != record->attempts : !isNext(event.key, *record))
            return wrongNumber(event.key, *record, "ends");
        const auto elapsed = event.result.elapsed;
        if (elapsed.count() < 0
            || elapsed > std::chrono::microseconds::max() - state.m_finishedRunTime)
            return misfit(words(event.key) + " has an impossible run time");
        if (auto used = dispose(event, *record); !used)
            return used;
        record->attempts = event.key.number.value();
        record->lastOutcome = event.result.outcome;
        record->lastCode = event.result.code;
        record->lastElapsed = elapsed;
        return {};
    }

    Result<void> operator()(const Notice&) const { return {}; }

    Result<void> operator()(const RunClosed& event) const
    {
        if (event.end == RunEnd::Complete && state.unfinished() != 0)
            return misfit("the run is closed as complete while "
                          + std::to_string(state.unfinished()) + " tasks are not finished");
        state.m_closed = event;
        return {};
    }

    Result<void> operator()(const RunEnding& event) const
    {
        if (event.restartFor && event.restartFor->value() >= state.m_system.subclusters().size())
            return misfit("the run ends for subcluster " + std::to_string(event.restartFor->value())
                          + ", which is not in the layout");
        state.m_ending = event;
        return {};
    }

    Result<void> operator()(const WorldStarted& event) const
    {
        state.m_generations[event.world] = event.generation;
        return {};
    }

    Result<void> operator()(const RankReplays& event) const
    {
        const TaskRecord* record = find(event.key.task);
        if (!record)
            return unknown(event.key.task);
        if (event.key.number.value() == 0 || event.key.number.value() > record->attempts)
            return wrongNumber(event.key, *record, "replays");
        state.m_replays.insert_or_assign(event.key.task, event);
        return {};
    }

    Result<void> operator()(const AlarmAcknowledged& event) const
    {
        return state.m_alarms.acknowledge(id, at, event);
    }

    /// What the hierarchy tells.
    template <class Payload>
    Result<void> operator()(const Payload& event) const
    {
        return state.m_system.apply({.id = id, .at = at}, event);
    }

private:
    Result<void> move(TaskId task, std::initializer_list<TaskState> from, TaskState to,
                      const char* what) const
    {
        TaskRecord* record = find(task);
        if (!record)
            return unknown(task);
        if (std::find(from.begin(), from.end(), record->state) == from.end())
            return wrongState(task, *record, what);
        state.moveTo(*record, to);
        return {};
    }

    TaskRecord* find(TaskId task) const
    {
        return task.value() < state.m_tasks.size() ? &state.m_tasks[task.value()] : nullptr;
    }

    TaskId nextTask() const { return TaskId(static_cast<std::uint32_t>(state.m_tasks.size())); }

    static bool isNext(AttemptKey key, const TaskRecord& record)
    {
        return key.number.value() == std::uint64_t{record.attempts} + 1;
    }

    static Error unknown(TaskId task) { return misfit(words(task) + " is not known"); }

    static Error wrongState(TaskId task, const TaskRecord& record, const char* what)
    {
        return misfit(words(task) + ' ' + what + " but is "
                      + std::string(taskStateName(record.state)));
    }

    static Error wrongNumber(AttemptKey key, const TaskRecord& record, const char* what)
    {
        return misfit(words(key) + ' ' + what + " but the latest attempt is "
                      + std::to_string(record.attempts));
    }

    /// The earlier epoch crashed: nothing is known of the end of what ran then.
    void endCutOffAttempts() const
    {
        for (TaskRecord& record : state.m_tasks) {
            if (record.state != TaskState::Running)
                continue;
            record.lastOutcome = Outcome::Lost;
            record.lastCode = 0;
            record.lastElapsed = {};
            state.moveTo(record, TaskState::Queued);
        }
    }

    /// Decides on the task after a valid end of an attempt; changes nothing on error.
    Result<void> dispose(const AttemptFinished& event, TaskRecord& record) const
    {
        const Outcome outcome = event.result.outcome;
        switch (event.disposition) {
        case Disposition::Final:
            state.m_finishedRunTime += event.result.elapsed;
            state.moveTo(record, finalStateOf(outcome));
            return {};
        case Disposition::Retry: {
            const auto cause = retryCauseOf(outcome);
            if (!cause)
                return misfit(words(event.key) + " is retried although it "
                              + std::string(outcomeName(outcome)));
            std::uint16_t& used = record.retriesUsed[static_cast<std::size_t>(*cause)];
            if (used == std::numeric_limits<std::uint16_t>::max())
                return misfit(words(event.key) + " is retried more often than can be");
            ++used;
            state.moveTo(record, TaskState::Queued);
            return {};
        }
        case Disposition::Requeue:
            if (outcome == Outcome::Succeeded)
                return misfit(words(event.key) + " is to be done again although it succeeded");
            state.moveTo(record, TaskState::Queued);
            return {};
        }
        return misfit(words(event.key) + " has an unknown disposition");
    }
};

Result<void> RunState::apply(const Event& event)
{
    const EventId id = event.id;
    if (id.epoch.value() == 0 || id.sequence.value() == 0)
        return misfit(words(id) + ": epochs and sequences count from 1");
    if (id <= m_last)
        return misfit(words(id) + " comes after " + words(m_last));
    if (id.epoch != m_last.epoch && !std::holds_alternative<RunOpened>(event.payload))
        return misfit(words(id) + " (" + std::string(eventKindName(event.payload))
                      + ") comes before epoch " + std::to_string(id.epoch.value()) + " was opened");
    if (m_closed && id.epoch == m_last.epoch)
        return misfit(words(id) + " comes after the end of its epoch");
    if (auto fits = std::visit(Apply{*this, id, event.wallTime}, event.payload); !fits) {
        Error error = fits.error();
        error.message = words(id) + ": " + error.message;
        return error;
    }
    m_last = id;
    raiseAlarm(event);
    return {};
}

void RunState::raiseAlarm(const Event& event)
{
    const auto kind = alarmOf(event.payload);
    if (!kind)
        return;
    Alarm alarm{.id = event.id, .at = event.wallTime, .kind = *kind};
    if (const auto* health = std::get_if<HealthChanged>(&event.payload)) {
        alarm.subject = health->processor.value();
        if (!m_system.find(health->processor)->info.seat)
            alarm.severity = Severity::Warning;
    } else if (const auto* vacated = std::get_if<SeatVacated>(&event.payload)) {
        alarm.subject = vacated->seat.value();
    } else if (const auto* subcluster = std::get_if<SubclusterChanged>(&event.payload)) {
        alarm.subject = subcluster->subcluster.value();
    }
    m_alarms.raise(std::move(alarm));
}

void RunState::moveTo(TaskRecord& record, TaskState state)
{
    --m_counts[static_cast<std::size_t>(record.state)];
    record.state = state;
    if (state != TaskState::Queued && state != TaskState::Running)
        record.cancelling = false;
    ++m_counts[static_cast<std::size_t>(state)];
}

} // namespace tasuki

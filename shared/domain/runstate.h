// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "alarms.h"
#include "event.h"
#include "result.h"
#include "systemstate.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// Where a task stands.
enum class TaskState : std::uint8_t {
    Queued,
    Running,
    Succeeded,
    Failed,
    Skipped,
    Removed,
    Held,
    Cancelled,
};
inline constexpr std::size_t taskStateCount = 8;

/// @return the word for a state in tables, e.g. "queued"
std::string_view taskStateName(TaskState state);

/// @return the state of a task whose last attempt has ended so
TaskState finalStateOf(Outcome outcome);
/// @return whether the task has been dealt with: it can only be done again
bool isFinal(TaskState state);
/// @return whether nothing is to be done for the task: it is final, or not in the list any more
bool isSettled(TaskState state);

/// @return which retry budget an attempt that ended so draws on; none for outcomes after which a
///         task is never retried at its own cost (succeeded, cancelled, interrupted)
std::optional<RetryCause> retryCauseOf(Outcome outcome);

/// What is known of one task.
struct TaskRecord {
    Task task;
    TaskState state = TaskState::Queued;
    /// What the task goes back to when it is listed again; meaningful in state Removed alone.
    TaskState stateBeforeRemoval = TaskState::Queued;
    bool cancelling = false; ///< an operator does not want it any more; it may still run
    Outcome lastOutcome = Outcome::Lost; ///< meaningful once attempts > 0 and none is running
    std::int32_t lastCode = 0;
    std::uint32_t attempts = 0; ///< number of the latest attempt, 0: none
    std::array<std::uint16_t, retryCauseCount> retriesUsed{};
    std::chrono::microseconds lastElapsed{}; ///< run time of the latest attempt that has ended
    Revision revision;                       ///< of what `task` says, or of its removal
};

/// What is known of the holder of one rank.
struct ProcessorRecord {
    Incarnation incarnation; ///< 0: nobody held the rank in this epoch yet
    std::string host;
    std::int64_t pid = 0;
    std::uint32_t slots = 0;
    bool present = false;
    LossCause lossCause = LossCause::Gone; ///< meaningful when not present
};

/// The state of a run, made from its events alone: agent, run file replay and window all use this.
/// Not thread-safe: one owner.
class RunState {
public:
    /// Takes the next event. State is what this function makes of the events; nothing else
    /// changes it.
    /// @param event  its id must be greater than the last one's
    /// @return an Error of kind Damaged when the event does not fit what came before (unknown task,
    ///         ids out of order, ...); the state is then as before
    Result<void> apply(const Event& event);

    [[nodiscard]] const std::deque<TaskRecord>& tasks() const { return m_tasks; }
    /// Precondition: id is known.
    [[nodiscard]] const TaskRecord& task(TaskId id) const { return m_tasks[id.value()]; }
    [[nodiscard]] const std::map<Rank, ProcessorRecord>& processors() const { return m_processors; }
    /// How many tasks are in a state.
    [[nodiscard]] std::size_t count(TaskState state) const
    {
        return m_counts[static_cast<std::size_t>(state)];
    }
    /// Tasks that are or may still be run: neither final nor removed.
    [[nodiscard]] std::size_t unfinished() const
    {
        return count(TaskState::Queued) + count(TaskState::Running) + count(TaskState::Held);
    }
    /// The latest epoch's beginning; none before the first event.
    [[nodiscard]] const std::optional<RunOpened>& opened() const { return m_opened; }
    /// How the latest epoch ended; none while it lasts, or after a crash.
    [[nodiscard]] const std::optional<RunClosed>& closed() const { return m_closed; }
    /// How the latest epoch is to end, once that is known.
    [[nodiscard]] const std::optional<RunEnding>& ending() const { return m_ending; }
    /// The generation of a world's latest start in the latest epoch; none: it has not begun in it.
    [[nodiscard]] std::optional<std::uint32_t> generationOf(std::uint32_t world) const
    {
        const auto found = m_generations.find(world);
        return found == m_generations.end() ? std::nullopt : std::optional(found->second);
    }
    /// What was told last of what a task does again; null: nothing.
    [[nodiscard]] const RankReplays* replayOf(TaskId task) const
    {
        const auto found = m_replays.find(task);
        return found == m_replays.end() ? nullptr : &found->second;
    }
    [[nodiscard]] EventId lastEvent() const { return m_last; }
    /// Run time of all attempts of the latest epoch that had the final word.
    [[nodiscard]] std::chrono::microseconds finishedRunTime() const { return m_finishedRunTime; }

    /// The failure hierarchy of the latest epoch.
    [[nodiscard]] const SystemState& system() const { return m_system; }
    [[nodiscard]] const AlarmList& alarms() const { return m_alarms; }
    [[nodiscard]] const std::vector<Failover>& failovers() const { return m_system.failovers(); }

private:
    struct Apply;
    void moveTo(TaskRecord& record, TaskState state);
    void raiseAlarm(const Event& event);

    std::deque<TaskRecord> m_tasks;
    std::map<Rank, ProcessorRecord> m_processors;
    std::array<std::size_t, taskStateCount> m_counts{};
    std::optional<RunOpened> m_opened;
    std::optional<RunClosed> m_closed;
    std::optional<RunEnding> m_ending;
    std::map<std::uint32_t, std::uint32_t> m_generations; ///< of worlds
    std::map<TaskId, RankReplays> m_replays;
    EventId m_last;
    std::chrono::microseconds m_finishedRunTime{};
    SystemState m_system;
    AlarmList m_alarms;
};

} // namespace tasuki

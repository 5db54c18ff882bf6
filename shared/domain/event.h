// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attempt.h"
#include "clock.h"
#include "ids.h"
#include "phrase.h"
#include "systemevents.h"
#include "task.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tasuki {

/// A life of the run begins: written once per epoch, first of all.
struct RunOpened {
    static constexpr std::string_view kind = "run opened";
    std::string host;
    std::string version;   ///< of Tasuki
    std::string directory; ///< in which the run was started; tasks run there
    std::string taskList;  ///< the path as given
    std::uint32_t processors = 0;
    bool dedicatedMaster = false;
    bool operator==(const RunOpened&) const = default;
};

/// A task became part of the run. Ids are given in the order of these events, without a gap.
struct TaskAdded {
    static constexpr std::string_view kind = "task added";
    TaskId id;
    Task task;
    bool operator==(const TaskAdded&) const = default;
};

/// A task got another place, settings or links; its command stays unless it is queued or held.
struct TaskChanged {
    static constexpr std::string_view kind = "task changed";
    TaskId id;
    Task task;
    bool operator==(const TaskChanged&) const = default;
};

/// A task that is no longer in the list: it is not run, what is known of it stays known.
struct TaskRemoved {
    static constexpr std::string_view kind = "task removed";
    TaskId id;
    bool operator==(const TaskRemoved&) const = default;
};

/// A finished task is to be done again, with a fresh retry budget.
struct TaskReopened {
    static constexpr std::string_view kind = "task reopened";
    TaskId id;
    bool operator==(const TaskReopened&) const = default;
};

/// A task will not run because one that it comes after did not succeed.
struct TaskSkipped {
    static constexpr std::string_view kind = "task skipped";
    TaskId id;
    TaskId because;
    bool operator==(const TaskSkipped&) const = default;
};

/// A processor offers its slots.
struct ProcessorJoined {
    static constexpr std::string_view kind = "processor joined";
    Rank rank;
    Incarnation incarnation;
    std::string host;
    std::int64_t pid = 0;
    std::uint32_t slots = 0;
    bool operator==(const ProcessorJoined&) const = default;
};

/// How a processor ended, as far as the system master knows.
enum class LossCause : std::uint8_t {
    Gone = 0,   ///< its process ended
    Silent = 1, ///< nothing was heard of it for longer than the limit
    Left = 2,   ///< it said goodbye: no fault
};

/// A processor is no longer counted on. Its unfinished attempts end as Lost before this event.
struct ProcessorLost {
    static constexpr std::string_view kind = "processor lost";
    Rank rank;
    Incarnation incarnation;
    LossCause cause = LossCause::Gone;
    bool operator==(const ProcessorLost&) const = default;
};

/// An attempt runs. Left out for attempts that had ended by the time they were first reported:
/// then AttemptFinished alone tells of them.
struct AttemptStarted {
    static constexpr std::string_view kind = "attempt started";
    AttemptKey key;
    Rank rank;
    SlotIndex slot;
    WallTime startedAt{};
    bool operator==(const AttemptStarted&) const = default;
};

/// What becomes of a task after an attempt has ended.
enum class Disposition : std::uint8_t {
    Final = 0,   ///< the outcome of the attempt is the outcome of the task
    Retry = 1,   ///< tried again, one retry of the cause is used up
    Requeue = 2, ///< tried again, nothing is used up (recalled, interrupted)
};

/// An attempt has ended and counts.
struct AttemptFinished {
    static constexpr std::string_view kind = "attempt finished";
    AttemptKey key;
    Rank rank;
    SlotIndex slot;
    Disposition disposition = Disposition::Final;
    AttemptResult result;
    bool operator==(const AttemptFinished&) const = default;
};

/// How loud a notice is.
enum class Severity : std::uint8_t { Information = 0, Warning = 1, Failure = 2 };

/// Something that an operator should know and that changes no state.
struct Notice {
    static constexpr std::string_view kind = "notice";
    Severity severity = Severity::Information;
    Phrase text;
    bool operator==(const Notice&) const = default;
};

/// Why a life of the run ended. The numbers are those of the run file.
enum class RunEnd : std::uint8_t {
    Complete = 0,    ///< every task has a final outcome
    Interrupted = 1, ///< by an operator; can be resumed
};

/// A life of the run ends: written last. Missing after a crash.
struct RunClosed {
    static constexpr std::string_view kind = "run closed";
    RunEnd end = RunEnd::Complete;
    std::chrono::microseconds elapsed{}; ///< since RunOpened, by a steady clock
    bool operator==(const RunClosed&) const = default;
};

/// A queued task does not start until it is released.
struct TaskHeld {
    static constexpr std::string_view kind = "task held";
    TaskId id;
    bool operator==(const TaskHeld&) const = default;
};

/// A held task may start again.
struct TaskReleased {
    static constexpr std::string_view kind = "task released";
    TaskId id;
    bool operator==(const TaskReleased&) const = default;
};

/// A queued or held task will not run: an operator does not want it to.
struct TaskCancelled {
    static constexpr std::string_view kind = "task cancelled";
    TaskId id;
    bool operator==(const TaskCancelled&) const = default;
};

/// An operator does not want a task that runs: its attempt is killed, and however that ends, the task
/// does not run again. Its end is recorded as usual.
struct TaskCancelling {
    static constexpr std::string_view kind = "task cancelling";
    TaskId id;
    bool operator==(const TaskCancelling&) const = default;
};

/// The life of the run is to end: nothing new starts, and what runs finishes or is killed.
struct RunEnding {
    static constexpr std::string_view kind = "run ending";
    bool kill = false;
    /// It is to be started again, for this subcluster is down.
    std::optional<SubclusterId> restartFor = {};
    static void describe(auto& fields, auto& event)
    {
        fields.number("kill", event.kill);
        fields.idIfAny("restart_for", event.restartFor);
    }
    bool operator==(const RunEnding&) const = default;
};

/// All ranks of a world begin, once or again. Until it begins again, a lost one goes on alone.
struct WorldStarted {
    static constexpr std::string_view kind = "world started";
    std::uint32_t world = 0;      ///< number in the run, from 0
    std::uint32_t generation = 0; ///< grows with each start
    std::string name;             ///< of its subcluster
    static void describe(auto& fields, auto& event)
    {
        fields.number("world", event.world);
        fields.number("generation", event.generation);
        fields.text("name", event.name);
    }
    bool operator==(const WorldStarted&) const = default;
};

/// A life of a world's rank does again what the one before it had done, or is through with that.
struct RankReplays {
    static constexpr std::string_view kind = "rank replays";
    AttemptKey key; ///< of the life
    Rank rank;
    std::chrono::microseconds took = notKnown; ///< since its begin; notKnown: it is not through
    static void describe(auto& fields, auto& event)
    {
        fields.id("task", event.key.task);
        fields.id("attempt", event.key.number);
        fields.id("rank", event.rank);
        fields.measurement("took", event.took);
    }
    bool operator==(const RankReplays&) const = default;
};

/// Everything that can happen in a run. The order is the order of the kind numbers in the run
/// file: append, never reorder.
using EventPayload = std::variant<
    RunOpened, TaskAdded, TaskChanged, TaskRemoved, TaskReopened, TaskSkipped, ProcessorJoined,
    ProcessorLost, AttemptStarted, AttemptFinished, Notice, RunClosed, TaskHeld, TaskReleased,
    TaskCancelled, SystemLaidOut, SystemStarted, HealthChanged, SeatTaken, SeatVacated,
    MasterChanged, SubclusterChanged, AlarmAcknowledged, ProcessorDrained, TaskCancelling,
    RunEnding, ProcessorOrdered, WorldStarted, RankReplays>;

/// One thing that happened. Immutable once it has an id.
struct Event {
    EventId id;
    WallTime wallTime{};                  ///< by the system master's host
    std::chrono::nanoseconds monotonic{}; ///< since the epoch was opened, never goes back
    EventPayload payload;
    bool operator==(const Event&) const = default;
};

/// @return the word for an event's kind in tables and in the run file's views, e.g. "task added"
std::string_view eventKindName(const EventPayload& payload);

} // namespace tasuki

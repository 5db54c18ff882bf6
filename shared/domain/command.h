// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attempt.h"
#include "clock.h"
#include "ids.h"
#include "phrase.h"
#include "task.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tasuki {

/// A task as an operator saw it when the command was given.
struct TaskTarget {
    TaskId id;
    Revision base; ///< TaskRecord::revision then
    bool operator==(const TaskTarget&) const = default;
};

/// New tasks behind all others, as a task list says them. Labels of the run may be named by
/// `after`; without a barrier they belong to the stage of the last task. All or none.
struct AddTasks {
    std::string text;
    std::string name;            ///< how the list is called in diagnostics, e.g. a file name
    std::uint64_t firstLine = 1; ///< with which line of the list the text begins, for diagnostics
    bool operator==(const AddTasks&) const = default;
};

/// What a task that has not started shall be.
struct TaskEdit {
    TaskTarget target;
    std::string command;
    std::shared_ptr<const TaskSettings> settings; ///< never null
    bool operator==(const TaskEdit& other) const
    {
        return target == other.target && command == other.command && *settings == *other.settings;
    }
};

/// Changes tasks that are queued or held. One change: all or none.
struct EditTasks {
    std::vector<TaskEdit> edits;
    bool operator==(const EditTasks&) const = default;
};

/// Queued and held tasks will not run; running ones are killed.
struct CancelTasks {
    std::vector<TaskTarget> targets;
    bool operator==(const CancelTasks&) const = default;
};

/// Queued tasks do not start until they are released.
struct HoldTasks {
    std::vector<TaskTarget> targets;
    bool operator==(const HoldTasks&) const = default;
};

/// Held tasks may start again.
struct ReleaseTasks {
    std::vector<TaskTarget> targets;
    bool operator==(const ReleaseTasks&) const = default;
};

/// Finished tasks, however they ended, are done again with a fresh retry budget, and with them what
/// was skipped because of them.
struct RepeatTasks {
    std::vector<TaskTarget> targets;
    bool operator==(const RepeatTasks&) const = default;
};

/// The run ends: nothing new starts and running tasks finish, or are killed. It can be resumed.
struct StopRun {
    bool kill = false;
    bool operator==(const StopRun&) const = default;
};

/// An alarm as an operator saw it when the command was given.
struct AlarmTarget {
    EventId alarm;
    EventId base = {}; ///< the event of its acknowledgement then; 0.0: it had none
    bool operator==(const AlarmTarget&) const = default;
};

/// The operator has seen these alarms, and says so to all.
struct AcknowledgeAlarms {
    std::vector<AlarmTarget> targets;
    std::string comment;
    std::optional<WallTime> until = {}; ///< then they count as not acknowledged again
    bool operator==(const AcknowledgeAlarms&) const = default;
};

/// A processor gets no new work and no seat, or may get some again.
struct DrainProcessor {
    ProcessorId processor;
    bool drained = true;
    bool operator==(const DrainProcessor&) const = default;
};

/// A processor is to end.
struct StopProcessor {
    ProcessorId processor;
    bool operator==(const StopProcessor&) const = default;
};

/// A processor moves to the front of the succession.
struct PromoteProcessor {
    ProcessorId processor;
    bool operator==(const PromoteProcessor&) const = default;
};

/// The system shall be laid out by another topology.
struct ChangeTopology {
    std::uint64_t base = 0; ///< SystemLaidOut::topologyRevision that the operator saw
    std::string text;       ///< TOML
    bool operator==(const ChangeTopology&) const = default;
};

/// A processor gets another part: what it holds is given on, or it gets a seat that is vacant.
struct ChangeRole {
    ProcessorId processor;
    ProcessorKind kind = ProcessorKind::Standby;
    bool operator==(const ChangeRole&) const = default;
};

/// What an operator may want of a run. Each is answered once. Cancel, hold, release, repeat and
/// acknowledge do what can be done and name the tasks or alarms for which it could not. Append,
/// never reorder.
using OperatorCommand = std::variant<AddTasks, EditTasks, CancelTasks, HoldTasks, ReleaseTasks,
                                     RepeatTasks, StopRun, AcknowledgeAlarms, DrainProcessor,
                                     StopProcessor, PromoteProcessor, ChangeTopology, ChangeRole>;

/// Why a command does not fit a task. The numbers are those of the wire: append, never renumber.
enum class ConflictCause : std::uint8_t {
    Unknown = 0,     ///< the run has no such task
    Changed = 1,     ///< its revision is another: somebody changed it meanwhile
    Started = 2,     ///< it runs
    Finished = 3,    ///< it has its final outcome
    NotFinished = 4, ///< it is still to be done
    NotHeld = 5,
    Removed = 6, ///< it is no longer in the list
};

/// @return the cause in words that complete "task 7 ...", e.g. "has been changed meanwhile"
std::string_view conflictText(ConflictCause cause);

/// A task for which a command could not be carried out.
struct TaskConflict {
    TaskId id;
    ConflictCause cause = ConflictCause::Unknown;
    bool operator==(const TaskConflict&) const = default;
};

/// The tasks that a command has added: ids from the first one on, without a gap.
struct AddedTasks {
    TaskId first;
    std::uint32_t count = 0;
    EventId recorded; ///< the last event of the command
    bool operator==(const AddedTasks&) const = default;
};

/// What became of a command. Accepted: its events are in the record.
struct CommandAnswer {
    bool accepted = false;
    Phrase reason;                       ///< why it was refused, one line; empty when accepted
    std::vector<std::string> details;    ///< diagnostics of AddTasks, a line each
    std::vector<TaskConflict> conflicts; ///< tasks left as they are, or that made it be refused
    /// Alarms left as they are: somebody has acknowledged them meanwhile.
    std::vector<EventId> alarms = {};
    std::optional<AddedTasks> added = {}; ///< of AddTasks; none: of an agent that does not say it
    bool operator==(const CommandAnswer&) const = default;
};

/// Asks for what an attempt has written, from given places of its two streams on.
struct OutputQuery {
    AttemptKey key;
    std::uint64_t standardOutputFrom = 0; ///< bytes
    std::uint64_t standardErrorFrom = 0;
    bool operator==(const OutputQuery&) const = default;
};

/// A stretch of a stream. What lies between the place asked for and `offset` is not kept any more.
struct OutputPiece {
    std::uint64_t offset = 0; ///< of the first byte of `bytes` in the stream
    std::string bytes;
    std::uint64_t totalBytes = 0; ///< written so far
    bool operator==(const OutputPiece&) const = default;
};

/// Answer to an OutputQuery.
struct OutputAnswer {
    AttemptKey key;
    bool known = false; ///< false: no such attempt runs or is in the record
    bool running = false;
    OutputPiece standardOutput = {};
    OutputPiece standardError = {};
    bool operator==(const OutputAnswer&) const = default;
};

} // namespace tasuki

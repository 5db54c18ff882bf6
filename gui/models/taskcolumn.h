// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attempthistory.h"
#include "domain/runstate.h"
#include "taskfield.h"

#include <QString>
#include <Qt>

#include <optional>
#include <string_view>

namespace tasuki {

/// Columns of the task table.
enum class TaskColumn : std::uint8_t {
    Number, ///< TaskId
    State,
    Command,
    Attempts,
    Result, ///< of the latest attempt that ended: exit, signal, ...
    RanOn,  ///< rank of the latest attempt
    Host,   ///< of the latest attempt
    Started,
    RunTime,
    Printed, ///< bytes, to both streams, by the latest attempt that has ended
    Kept,    ///< of these, in the record
    Label,
    Stage,
    Retries,
    Timeout,
    Directory,
    Environment,
};
inline constexpr int taskColumnCount = 17;

/// Roles of the task table beside Qt's own. DisplayRole is text; ToolTipRole has what is wrong with
/// a cell, or the whole command; EditRole is the text to edit.
enum TaskRole : int {
    TaskIdRole = Qt::UserRole, ///< uint
    TaskStateRole,             ///< int: TaskState
    RawRole,                   ///< the value as a number where there is one, else as text
    DraftRole,    ///< bool: this cell is edited and not in the record; column Number: any cell
    ProblemRole,  ///< QString: what is wrong with the edited cell; empty: nothing
    ConflictRole, ///< QString: why the row's draft conflicts; empty: it does not
    TheirsRole,   ///< QString: what the record says in an edited cell
};

QString columnTitle(TaskColumn column);
/// @return the field that a column edits; none: it cannot be edited
std::optional<TaskField> fieldOf(TaskColumn column);

/// One task as the table sees it.
struct TaskView {
    TaskId id;
    const TaskRecord& record;
    const AttemptEntry* latest; ///< null: never tried
    const HolderEntry* holder;  ///< of the latest attempt; null: never tried

    /// Whether an attempt has ended and none runs: then lastOutcome and its like mean something.
    [[nodiscard]] bool hasResult() const
    {
        return record.attempts != 0 && record.state != TaskState::Running;
    }
    /// Whether it is known what the latest attempt has printed.
    [[nodiscard]] bool hasOutput() const { return latest && !latest->running && !latest->cutOff; }
};

/// By what a column is sorted: text columns by their bytes, all others by a number. Tasks without a
/// value come last in ascending order.
bool sortsByText(TaskColumn column);
/// Precondition: !sortsByText(column).
std::uint64_t sortNumber(const TaskView& task, TaskColumn column);
/// Precondition: sortsByText(column). Valid as long as the record does not change, but for column
/// Environment, whose text is made in `buffer`.
std::string_view sortText(const TaskView& task, TaskColumn column, std::string& buffer);
/// The order of rows: by column, tasks that are equal there by their numbers in either direction.
bool comesBefore(const TaskView& a, const TaskView& b, TaskColumn column, Qt::SortOrder order);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/session.h"
#include "taskfield.h"

#include <array>
#include <map>
#include <optional>

namespace tasuki {

/// What an operator wants of one task and has not got yet.
struct TaskDraft {
    /// Where its way to the agent stands.
    enum class Phase { Local, Sent, Accepted };

    std::array<std::optional<QString>, taskFieldCount> texts; ///< none: as in the record
    std::array<QString, taskFieldCount> problems;             ///< empty: valid
    /// Edits (by undo) since it was sent; they are made when it is clear what became of it.
    std::array<std::optional<QString>, taskFieldCount> later;
    Revision base; ///< of the record that the edits were made on
    Phase phase = Phase::Local;
    std::optional<ConflictCause> conflict; ///< why it cannot be sent as it is

    [[nodiscard]] bool valid() const;
    bool operator==(const TaskDraft&) const = default;
};

/// The drafts of tasks, held against the record of a session. One that says what the record says
/// vanishes.
///
///   event                        | Local            | Sent             | Accepted
///   -----------------------------+------------------+------------------+---------
///   record = draft               | vanishes         | vanishes         | vanishes
///   record changed otherwise     | conflict         | -                | vanishes
///   task started, ended, removed | conflict         | -                | vanishes
///   answer: accepted             |                  | Accepted         |
///   answer: refused              |                  | Local, conflict  |
///   no answer                    |                  | Local            |
class DraftTable {
public:
    /// @param session  must outlive this object
    explicit DraftTable(const Session& session) : m_session(session) {}

    [[nodiscard]] const std::map<TaskId, TaskDraft>& all() const { return m_drafts; }
    /// @return null: no draft
    [[nodiscard]] const TaskDraft* find(TaskId task) const;
    /// @return null: as in the record; else the text that is wanted in the end
    [[nodiscard]] const QString* text(TaskId task, TaskField field) const;
    /// What the record has; empty, if it has no such task.
    [[nodiscard]] TaskContent record(TaskId task) const;
    /// @return what a task shall be; an Error that names it when a cell is wrong
    [[nodiscard]] Result<TaskContent> wanted(TaskId task) const;
    /// Whether a draft of the task can be made.
    [[nodiscard]] bool isEditable(TaskId task) const;

    /// Sets a cell. While the draft is on its way that waits until it is clear what becomes of it.
    void setText(TaskId task, TaskField field, const QString& text);
    void drop(TaskId task) { m_drafts.erase(task); }
    /// The draft now stands on the present record.
    /// @return whether it is local and the task can still be edited
    bool rebase(TaskId task);
    /// Holds a draft against the record. @return whether it changed or vanished
    bool settle(TaskId task);

    /// @return what is to be sent of a task, which is on its way then; none: nothing can be
    std::optional<TaskContent> send(TaskId task);
    /// An answer came. The draft of a task that was not sent stays.
    void answer(TaskId task, bool accepted);
    /// A local draft cannot be sent as it is.
    void object(TaskId task, ConflictCause cause);

    /// See TaskDrafts::listText().
    [[nodiscard]] Result<std::string> listText() const;

private:
    bool settleLocal(TaskId task, TaskDraft& draft);
    /// Ends the way to the agent: the draft vanishes, or is local again. Then come the edits that
    /// were made since.
    void land(TaskId task, bool vanish);

    const Session& m_session;
    std::map<TaskId, TaskDraft> m_drafts;
};

/// @return why a state keeps a task from being edited; none: it does not
std::optional<ConflictCause> whyNotEditable(TaskState state);

} // namespace tasuki

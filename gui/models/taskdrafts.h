// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QUndoStack>

#include "client/session.h"
#include "taskfield.h"

#include <map>

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

/// Edits of queued and held tasks, laid over the record until they are sent and in it. A draft that
/// says what the record says vanishes. All edits go through undoStack(); an undo after the edit was
/// sent makes a draft of the former values. GUI thread.
///
///   event                        | Local            | Sent             | Accepted
///   -----------------------------+------------------+------------------+---------
///   record = draft               | vanishes         | vanishes         | vanishes
///   record changed otherwise     | conflict         | -                | vanishes
///   task started, ended, removed | conflict         | -                | vanishes
///   answer: accepted             |                  | Accepted         |
///   answer: refused              |                  | Local, conflict  |
///   no answer                    |                  | Local            |
class TaskDrafts : public QObject {
    Q_OBJECT

public:
    /// @param session  must outlive this object
    explicit TaskDrafts(Session& session, QObject* parent = nullptr);
    ~TaskDrafts() override;

    /// @return why a cell cannot be edited now, for people; empty: it can
    [[nodiscard]] QString whyFixed(TaskId task, TaskField field) const;
    /// Text of a cell: that of the draft, or that of the record.
    [[nodiscard]] QString text(TaskId task, TaskField field) const;
    /// Text of the record: "theirs" beside a draft's "mine".
    [[nodiscard]] QString recordText(TaskId task, TaskField field) const;
    /// What is wrong with a cell, for people; empty: nothing.
    [[nodiscard]] QString problem(TaskId task, TaskField field) const;
    /// @return null: no draft
    [[nodiscard]] const TaskDraft* draft(TaskId task) const;
    [[nodiscard]] const std::map<TaskId, TaskDraft>& drafts() const { return m_drafts; }
    [[nodiscard]] std::size_t conflicts() const;

    /// Sets a cell of one or many tasks, as one step of undo. Cells that cannot be edited stay.
    void edit(const QList<TaskId>& tasks, TaskField field, const QString& text);
    /// Gives up the drafts of tasks, as one step of undo. Also "take theirs" of a conflict.
    void discard(const QList<TaskId>& tasks);
    void discardAll();
    /// "Keep mine": the draft now stands on the present record.
    /// @return whether the task can still be edited
    bool keepMine(TaskId task);

    /// @return why the drafts cannot be sent now, for people; empty: they can
    [[nodiscard]] QString whyNotSendable() const;
    /// Sends all local drafts as one command. Precondition: whyNotSendable() is empty.
    /// answered() follows.
    void send();

    /// The list as it will be when all drafts are in the record: without removed tasks, in list
    /// order.
    /// @return an Error that names the first task with a cell that is wrong or short (see
    ///         Session::shortCommand()), or that no list can hold
    [[nodiscard]] Result<std::string> listText() const;

    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }

Q_SIGNALS:
    /// Drafts came, changed or went.
    void changed(const QList<tasuki::TaskId>& tasks);
    /// What became of send(). Empty: accepted; else why not, for people.
    void answered(const QString& refusal);

private:
    class EditCells;
    struct Cell {
        TaskId task;
        TaskField field;
        QString before;
        QString after;
    };

    [[nodiscard]] TaskContent recordContent(TaskId task) const;
    [[nodiscard]] Result<TaskContent> wanted(TaskId task, const TaskDraft& draft) const;
    [[nodiscard]] bool isEditable(TaskId task) const;
    [[nodiscard]] const QString* textOf(TaskId task, TaskField field) const;
    void setText(TaskId task, TaskField field, const QString& text);
    void push(const QString& name, std::vector<Cell> cells);
    void settle(const ChangeSet& changes);
    void settleAll();
    /// Holds a draft against the record. @return whether the draft changed or vanished
    bool settle(TaskId task);
    bool settleLocal(TaskId task, TaskDraft& draft);
    /// Ends the way to the agent: the draft vanishes, or is local again. Then come the edits that
    /// were made since.
    void land(TaskId task, bool vanish);
    void takeAnswer(const std::vector<TaskId>& tasks, const Result<CommandAnswer>& answer);

    Session& m_session;
    std::map<TaskId, TaskDraft> m_drafts;
    QUndoStack m_undo;
};

} // namespace tasuki

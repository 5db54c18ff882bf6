// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QUndoStack>

#include "drafttable.h"

#include <map>
#include <vector>

namespace tasuki {

/// Edits of queued and held tasks, laid over the record until they are sent and in it. All edits go
/// through undoStack(); an undo after the edit was sent makes a draft of the former values. GUI
/// thread.
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
    [[nodiscard]] const TaskDraft* draft(TaskId task) const { return m_table.find(task); }
    [[nodiscard]] const std::map<TaskId, TaskDraft>& drafts() const { return m_table.all(); }
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

    void push(const QString& name, std::vector<Cell> cells);
    void settle(const ChangeSet& changes);
    void takeAnswer(const std::vector<TaskId>& tasks, const Result<CommandAnswer>& answer);

    Session& m_session;
    DraftTable m_table;
    QUndoStack m_undo;
};

} // namespace tasuki

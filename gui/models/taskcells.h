// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariant>

#include "client/session.h"
#include "taskcolumn.h"
#include "taskdrafts.h"

namespace tasuki {

/// What the cells of the task table say of the tasks of a session, in each role. GUI thread.
class TaskCells {
public:
    /// @param session, history  must outlive the cells
    /// @param drafts  the same; null: nothing can be edited
    TaskCells(const Session& session, const AttemptHistory& history, const TaskDrafts* drafts)
        : m_session(session), m_history(history), m_drafts(drafts)
    {}

    /// Precondition: there is such a task.
    [[nodiscard]] TaskView view(TaskId task) const;
    [[nodiscard]] QVariant data(TaskId task, TaskColumn column, int role) const;
    [[nodiscard]] bool isEditable(TaskId task, TaskColumn column) const;
    [[nodiscard]] static QVariant alignment(TaskColumn column);

private:
    [[nodiscard]] QVariant display(const TaskView& task, TaskColumn column) const;
    [[nodiscard]] QVariant raw(const TaskView& task, TaskColumn column) const;
    [[nodiscard]] QVariant exported(const TaskView& task, TaskColumn column) const;
    [[nodiscard]] QVariant draftData(TaskId task, TaskColumn column, int role) const;

    const Session& m_session;
    const AttemptHistory& m_history;
    const TaskDrafts* m_drafts;
};

} // namespace tasuki

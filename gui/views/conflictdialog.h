// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "models/taskdrafts.h"

class QLabel;
class QPushButton;
class QTableWidget;
class QTreeWidget;

namespace tasuki {

/// Lets the user decide for each conflicting task: what was typed, or what is in the record. Closes
/// when none is left.
class ConflictDialog : public QDialog {
    Q_OBJECT

public:
    /// @param session, drafts  must outlive the dialog
    ConflictDialog(Session& session, TaskDrafts& drafts, QWidget* parent = nullptr);

    void select(TaskId task);

private:
    [[nodiscard]] std::optional<TaskId> current() const;
    void renew();
    void showCurrent();
    void keepMine();
    void takeTheirs();

    Session& m_session;
    TaskDrafts& m_drafts;
    QTreeWidget* m_tasks = nullptr;
    QTableWidget* m_fields = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_mine = nullptr;
    QPushButton* m_theirs = nullptr;
    QPushButton* m_allTheirs = nullptr;
};

} // namespace tasuki

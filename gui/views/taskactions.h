// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>

#include "models/runmodels.h"
#include "preferences.h"

class QMenu;
class QTableView;

namespace tasuki {

/// What an operator can do with the selected tasks of a table. Actions are enabled when they can
/// do something; what the agent makes of them is told. Of a run that has ended, tasks can be done again
/// by starting it again.
class TaskActions : public QObject {
    Q_OBJECT

public:
    /// @param table  shows models.tasks; it must outlive this object, as must all others
    TaskActions(RunModels& models, Preferences& preferences, QTableView& table);

    [[nodiscard]] QAction& add() { return *m_add; }
    [[nodiscard]] QAction& edit() { return *m_edit; }
    [[nodiscard]] QAction& cancel() { return *m_cancel; }
    [[nodiscard]] QAction& hold() { return *m_hold; }
    [[nodiscard]] QAction& release() { return *m_release; }
    [[nodiscard]] QAction& retry() { return *m_retry; }
    [[nodiscard]] QAction& again() { return *m_again; }
    [[nodiscard]] QAction& copy() { return *m_copy; }

    /// Puts all of them into a menu.
    void fill(QMenu& menu);
    /// In the order of the table.
    [[nodiscard]] QList<TaskId> selectedTasks() const;
    void stopRun(bool kill);
    /// Sends a command and tells what became of it.
    void send(const QString& what, OperatorCommand command, std::size_t wanted);

Q_SIGNALS:
    /// Something for the status line.
    void said(const QString& text);
    void addWanted();
    /// The run has ended, and is to do these tasks again: see taskRanges().
    void retryWanted(const QString& tasks);

private:
    using Accepts = bool (*)(TaskState);

    QAction* make(const QString& icon, const QString& text, const QKeySequence& keys,
                  void (TaskActions::*run)());
    void renew();
    [[nodiscard]] std::vector<TaskTarget> targets(Accepts accepts) const;
    void runCancel();
    void runHold();
    void runRelease();
    [[nodiscard]] bool canStartAgain() const;
    [[nodiscard]] QList<TaskId> selectedTasks(Accepts accepts) const;
    void startAgain(Accepts accepts);
    void runRetry();
    void runAgain();
    void runEdit();
    void runCopy();
    void setForAll(TaskField field);

    RunModels& m_models;
    Preferences& m_preferences;
    QTableView& m_table;
    QAction* m_add = nullptr;
    QAction* m_edit = nullptr;
    QMenu* m_setMenu = nullptr;
    QAction* m_cancel = nullptr;
    QAction* m_hold = nullptr;
    QAction* m_release = nullptr;
    QAction* m_retry = nullptr;
    QAction* m_again = nullptr;
    QAction* m_copy = nullptr;
};

} // namespace tasuki

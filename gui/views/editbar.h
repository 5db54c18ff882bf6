// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QWidget>

#include "models/taskdrafts.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace tasuki {

/// Says how many edits wait to be sent, what keeps them, and what conflicts; hidden when there are
/// none. Owns the actions of editing.
class EditBar : public QWidget {
    Q_OBJECT

public:
    /// @param session, drafts  must outlive the widget
    EditBar(Session& session, TaskDrafts& drafts, QWidget* parent = nullptr);

    [[nodiscard]] QAction& undo() { return *m_undo; }
    [[nodiscard]] QAction& redo() { return *m_redo; }
    [[nodiscard]] QAction& send() { return *m_send; }
    [[nodiscard]] QAction& discard() { return *m_discard; }
    [[nodiscard]] QAction& resolve() { return *m_resolve; }

Q_SIGNALS:
    void said(const QString& text);
    /// The user wants to deal with the conflicts.
    void resolveWanted();

private:
    void makeActions();
    QWidget* makeChangesRow();
    QWidget* makeConflictRow();
    void renew();
    void takeAnswer(const QString& refusal);

    TaskDrafts& m_drafts;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_send = nullptr;
    QAction* m_discard = nullptr;
    QAction* m_resolve = nullptr;
    QWidget* m_changesRow = nullptr;
    QWidget* m_conflictRow = nullptr;
    QLabel* m_changes = nullptr;
    QLabel* m_hindrance = nullptr;
    QLabel* m_conflicts = nullptr;
    QString m_refusal;
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>

#include "client/session.h"
#include "tasklist/tasklistreader.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace tasuki {

class ListEditor;

/// @return what a list that is added to a run may refer to
EarlierTasks earlierTasks(const RunState& state);

/// Adds tasks to a run: typed, pasted or from a file, checked while they are typed.
class AddTasksDialog : public QDialog {
    Q_OBJECT

public:
    /// @param session  must outlive the dialog
    explicit AddTasksDialog(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] ListEditor& editor() { return *m_editor; }
    [[nodiscard]] QTreeWidget& problems() { return *m_problems; }
    [[nodiscard]] QPushButton& addButton() { return *m_add; }
    [[nodiscard]] QString verdict() const;
    void loadFile(const QString& path);

Q_SIGNALS:
    void said(const QString& text);
    /// The text was checked; for tests.
    void checked();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeTop();
    void check();
    void showFound(const TaskListParse& found);
    void addProblem(const Diagnostic& diagnostic);
    void send();
    void takeAnswer(const Result<CommandAnswer>& answer);
    void renewButtons();

    Session& m_session;
    QString m_name;
    ListEditor* m_editor = nullptr;
    QTreeWidget* m_problems = nullptr;
    QLabel* m_verdict = nullptr;
    QPushButton* m_add = nullptr;
    QTimer m_typing;
    std::uint64_t m_round = 0; ///< tells checks of what was typed before
    std::size_t m_count = 0;
    bool m_usable = false;
    bool m_checking = false;
    bool m_sending = false;
};

} // namespace tasuki

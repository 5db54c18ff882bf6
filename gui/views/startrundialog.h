// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "agentlauncher.h"
#include "preferences.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace tasuki {

/// Starts a farm with tasuki-agent, shows the command that does it, and waits for the agent.
class StartRunDialog : public QDialog {
    Q_OBJECT

public:
    /// @param finder, clock, preferences  must outlive the dialog
    /// @param program  path of tasuki-agent; empty: not found
    StartRunDialog(AgentFinder& finder, const Clock& clock, Preferences& preferences,
                   QString program, QWidget* parent = nullptr);

    void setTaskList(const QString& path);
    /// Instead of a new run, a recorded one goes on.
    void setResumption(const LaunchPlan& plan);
    [[nodiscard]] LaunchPlan plan() const;
    [[nodiscard]] QString commandLine() const;
    [[nodiscard]] QString failure() const;
    [[nodiscard]] QPushButton& startButton() { return *m_start; }

Q_SIGNALS:
    void agentStarted(const QString& accessFile, const QString& runFile);
    void runOver(const QString& runFile);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct PathField {
        QLineEdit* line = nullptr;
        QPushButton* browse = nullptr;
    };

    PathField addPath(const QString& label, const QString& name);
    void addProblemLabel(LaunchPlan::Field field);
    void makeForm();
    void makeCommand();
    void makeFailure();
    void linkFields();
    void renew();
    void start();
    void showFailure(const QString& why, const QString& words);
    void setWaiting(bool waiting);

    Preferences& m_preferences;
    QString m_program;
    AgentLauncher m_launcher;
    QWidget* m_formBox = nullptr;
    QFormLayout* m_form = nullptr;
    PathField m_list;
    PathField m_directory;
    QLabel* m_tasks = nullptr; ///< which ones, of RetryTasks
    QLineEdit* m_runFile = nullptr;
    QSpinBox* m_ranks = nullptr;
    QSpinBox* m_slots = nullptr;
    QLineEdit* m_retries = nullptr;
    QLineEdit* m_timeout = nullptr;
    QCheckBox* m_dedicated = nullptr;
    LaunchPlan m_given; ///< what the form does not have
    std::array<QLabel*, LaunchPlan::fields> m_problems{};
    QPlainTextEdit* m_command = nullptr;
    QLabel* m_failure = nullptr;
    QPlainTextEdit* m_words = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_start = nullptr;
    bool m_ownDirectory = false; ///< the user chose it
    bool m_ownRunFile = false;
};

} // namespace tasuki

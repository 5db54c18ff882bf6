// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "agentlauncher.h"
#include "preferences.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace tasuki {

class LaunchForm;

/// Starts a run, or a probe, with tasuki-agent, shows the command that does it, and waits for the agent, or for what is
/// measured.
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
    [[nodiscard]] LaunchForm& form() { return *m_form; }
    [[nodiscard]] QString commandLine() const;
    [[nodiscard]] QString failure() const;
    /// What the launcher has said.
    [[nodiscard]] QString words() const;
    [[nodiscard]] QPushButton& startButton() { return *m_start; }

Q_SIGNALS:
    void agentStarted(const QString& accessFile, const QString& runFile);
    void runOver(const QString& runFile);
    /// A probe has written an environment.
    void probed(const QString& environment);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void linkLauncher();
    void makeCommand();
    void makeFailure();
    void renew();
    void start();
    void showFailure(const QString& why, const QString& words);
    void showWords(const QString& words);
    void setWaiting(bool waiting);

    QString m_program;
    AgentLauncher m_launcher;
    LaunchForm* m_form = nullptr;
    QPlainTextEdit* m_command = nullptr;
    QLabel* m_failure = nullptr;
    QPlainTextEdit* m_words = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_start = nullptr;
};

} // namespace tasuki

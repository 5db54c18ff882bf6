// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "client/agentfinder.h"
#include "views/launchplan.h"
#include "views/preferences.h"

namespace tasuki {

class Clock;
class StartRunDialog;
struct RunModels;

/// Asks how a run is to be started, or is to go on, and starts it.
class RunStarter : public QObject {
    Q_OBJECT

public:
    /// @param finder, clock, preferences, window  must outlive the starter
    /// @param agentProgram  path of tasuki-agent; empty: not found
    RunStarter(AgentFinder& finder, const Clock& clock, Preferences& preferences,
               QString agentProgram, QWidget& window);

    /// @param taskList  that is offered; may be empty
    void start(const QString& taskList);
    /// Lets a run that is shown go on, if it can. See resumeOffer().
    void resume(const RunModels& run);
    /// Lets a run that is shown, which has ended, do chosen tasks again. See taskRanges().
    void retry(const RunModels& run, const QString& tasks);

Q_SIGNALS:
    /// @param runFile  what its agent writes
    void agentStarted(const QString& accessFile, const QString& runFile);
    /// It was over before its agent could be asked.
    void runOver(const QString& runFile);
    /// A probe has written an environment.
    void probed(const QString& environment);

private:
    void goOn(const RunModels& run, LaunchPlan plan);
    void ask(StartRunDialog& dialog);

    AgentFinder& m_finder;
    const Clock& m_clock;
    Preferences& m_preferences;
    QString m_agentProgram;
    QWidget& m_window;
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "client/agentfinder.h"
#include "domain/clock.h"
#include "launchplan.h"

namespace tasuki {

/// Starts an agent that outlives the window, in a session of its own, and waits until it can be
/// connected to; or a probe, and waits until it has written what it measured. GUI thread.
class AgentLauncher : public QObject {
    Q_OBJECT

public:
    /// @param finder, clock  must outlive this object
    /// @param patience  how long an agent may take until it is there
    AgentLauncher(AgentFinder& finder, const Clock& clock, QObject* parent = nullptr,
                  std::chrono::seconds patience = std::chrono::seconds(60));

    /// One of the signals follows, unless forget() is called.
    void start(const LaunchPlan& plan, const QString& program);
    /// Waits no longer; an agent that was started goes on, a probe ends.
    void forget();
    [[nodiscard]] bool waiting() const { return m_timer.isActive(); }

Q_SIGNALS:
    /// The agent is there.
    void connected(const QString& accessFile);
    /// The run was over before the agent was seen; its record is there.
    void over(const QString& runFile);
    /// A probe has written this file.
    void written(const QString& file);
    /// What a probe has said up to now.
    void said(const QString& words);
    /// @param words  the launcher's own; empty: it said nothing
    void failed(const QString& why, const QString& words);

private:
    void look();
    void lookAtProbe();
    void fail(const QString& why);

    AgentFinder& m_finder;
    const Clock& m_clock;
    std::chrono::seconds m_patience;
    LaunchPlan m_plan;
    qint64 m_process = 0;
    QString m_words; ///< of a probe
    SteadyTime m_deadline{};
    QTimer m_timer;
};

} // namespace tasuki

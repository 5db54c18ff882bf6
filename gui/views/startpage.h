// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "client/agentfinder.h"
#include "preferences.h"

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace tasuki {

/// What the window shows before a run is open: agents that run, run files that were open.
class StartPage : public QWidget {
    Q_OBJECT

public:
    /// @param finder, preferences  must outlive the widget
    StartPage(AgentFinder& finder, Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] QTreeWidget& agents() { return *m_agents; }
    [[nodiscard]] QTreeWidget& files() { return *m_files; }

Q_SIGNALS:
    void agentChosen(const QString& accessFile);
    void runFileChosen(const QString& path);
    void openWanted();
    void remoteWanted();
    void startWanted();
    void traceWanted();
    void topologyWanted();

private:
    QWidget* makeHead();
    QWidget* makeLists();
    QTreeWidget* makeList(const QStringList& titles, const QString& name);
    QWidget* makeHint();
    void renewAgents();
    void renewFiles();
    void forgetFile();

    AgentFinder& m_finder;
    Preferences& m_preferences;
    QTreeWidget* m_agents = nullptr;
    QTreeWidget* m_files = nullptr;
};

} // namespace tasuki

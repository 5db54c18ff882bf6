// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

#include "client/agentfinder.h"
#include "languages.h"
#include "planner/plandocument.h"
#include "runstarter.h"
#include "target.h"
#include "views/preferences.h"
#include "views/rundocument.h"
#include "views/runpage.h"

#include <filesystem>

class QStackedWidget;

namespace tasuki {

class RunningPanel;
class RunningTopology;
class StartPage;
class TopologyDocument;
class TopologyPanel;

namespace planner {
class PlanPage;
} // namespace planner

/// The window: a start page, the views of one run, a planner, or a topology that is edited. Its content
/// can be made anew at any time, which is how another language or theme takes hold; what is open stays.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Where a window gets things from.
    struct Surroundings {
        std::filesystem::path accessDirectory; ///< of agents' access files
        QString agentProgram;                  ///< path of tasuki-agent; empty: not found
    };

    /// @param preferences, languages, clock  must outlive the window
    MainWindow(Preferences& preferences, Languages& languages, const Clock& clock,
               Surroundings surroundings);
    ~MainWindow() override;

    void open(const Target& target);
    void openRunFile(const QString& path);
    void openAgent(const QString& accessFile);
    /// A run on another host, over ssh.
    /// @param address  ssh://HOST/PATH
    void openRemote(const QString& address);
    /// The same of an agent that was started a moment ago.
    /// @param runFile  what is shown when that has ended already
    void openStarted(const QString& accessFile, const QString& runFile);
    /// Shows a source; what was open before is closed.
    void openSource(std::unique_ptr<SessionSource> source);
    /// Opens the planner on a trace; the environment that is open in it stays.
    void openTrace(const QString& path);
    /// Opens the planner, if it is not open, on an environment.
    void openEnvironment(const QString& path);
    /// Opens the editor of topologies on a file, or on none.
    void openTopology(const QString& path);
    void newTopology();
    /// Back to the start page.
    void closeRun();
    void setView(RunView view);
    void startRun(const QString& taskList = {});
    /// Lets the run that is shown go on, if it can. See ResumeOffer.
    void resumeRun();
    /// Lets the run that is shown, which has ended, do chosen tasks again. See taskRanges().
    void retryTasks(const QString& tasks);

    /// Null: no run is shown.
    [[nodiscard]] RunPage* page() const { return m_page; }
    /// Null: no planner is shown.
    [[nodiscard]] planner::PlanPage* planPage() const { return m_planPage; }
    /// Null: no topology is shown.
    [[nodiscard]] TopologyPanel* topologyPage() const { return m_topologyPage; }
    /// What edits the topology of the run that is shown. Null: no run is shown.
    [[nodiscard]] RunningPanel* runningPanel() const { return m_runningPanel; }
    [[nodiscard]] AgentFinder& finder() { return m_finder; }
    [[nodiscard]] Preferences& preferences() { return m_preferences; }

    void chooseRunFile();
    void chooseRemoteRun();
    void chooseTrace();
    void chooseTopology();
    void showSettings();
    void showShortcuts();
    void showAbout();
    void setFullScreen(bool full);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    void rebuild();
    void deletePages();
    void openPlanner();
    /// Shows the editor of topologies, if it is not shown. @return false: what is open stays
    bool showTopologyEditor();
    void buildTopologyPage();
    void deleteTopologyPage();
    void buildRunningPanel();
    void keepRunningLayout();
    void showPage();
    void renewTitle();
    /// @return whether what is open may be closed
    bool mayClose();
    /// @return whether edits of a run that nobody has sent may be lost
    bool mayLoseEdits();
    void closeDocuments();
    void say(const QString& text);
    void rememberFile();
    void lookForEarlyEnd();
    void openDropped(const QString& file);

    Preferences& m_preferences;
    Languages& m_languages;
    const Clock& m_clock;
    AgentFinder m_finder;
    RunStarter m_starter;
    std::unique_ptr<RunDocument> m_document;
    std::unique_ptr<RunningTopology> m_running; ///< of m_document
    std::unique_ptr<planner::PlanDocument> m_plan;
    std::unique_ptr<TopologyDocument> m_topology;
    QString m_file; ///< of the document when it is a run file, or the address of one elsewhere
    QString m_startedFile; ///< of the document when its agent has just been started
    QStackedWidget* m_stack = nullptr;
    StartPage* m_startPage = nullptr;
    RunPage* m_page = nullptr;
    planner::PlanPage* m_planPage = nullptr;
    TopologyPanel* m_topologyPage = nullptr;
    RunningPanel* m_runningPanel = nullptr; ///< of m_page
};

} // namespace tasuki

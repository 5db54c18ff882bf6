// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "preferences.h"
#include "rundocument.h"

class QAction;
class QDockWidget;
class QMainWindow;
class QSplitter;
class QStackedWidget;

namespace tasuki {

class AlarmPanel;
class ConnectionBanner;
class DetailsPanel;
class EventPanel;
class FailoverPanel;
class ProcessorPanel;
class StaleVeil;
class TaskPanel;
class TimelineWidget;

/// What the middle of the window shows.
enum class RunView : std::uint8_t {
    Overview,
    Timeline,
    Tasks,
    Events,
    Failovers,
    Alarms,
    Topology
};

/// @return the view that is called so, e.g. "overview"; none: no such view
std::optional<RunView> runViewNamed(const QString& name);
/// @return all names, for messages
QStringList runViewNames();

/// All views of one run: summary and banner above, timeline and tasks in the middle, around them in
/// docks processors, details, and one above the other events, failovers and alarms.
class RunPage : public QWidget {
    Q_OBJECT

public:
    /// @param document, preferences  must outlive the widget
    RunPage(RunDocument& document, Preferences& preferences, QWidget* parent = nullptr);
    ~RunPage() override;

    void setView(RunView view);
    [[nodiscard]] RunView view() const { return m_view; }
    /// Show and hide the docks; those that share a place come to the front.
    [[nodiscard]] QList<QAction*> dockActions() const { return m_dockActions; }
    /// Puts docks and splitters where they are at first.
    void resetLayout();

    [[nodiscard]] RunModels& models() { return m_document.models(); }
    [[nodiscard]] TaskPanel& tasks() { return *m_tasks; }
    [[nodiscard]] TimelineWidget& timeline() { return *m_timeline; }
    [[nodiscard]] EventPanel& events() { return *m_events; }
    [[nodiscard]] ProcessorPanel& processors() { return *m_processors; }
    [[nodiscard]] FailoverPanel& failovers() { return *m_failovers; }
    [[nodiscard]] AlarmPanel& alarms() { return *m_alarms; }
    [[nodiscard]] DetailsPanel& details() { return *m_details; }
    [[nodiscard]] ConnectionBanner& banner() { return *m_banner; }

    /// Gives RunView::Topology something to show; before that it shows the overview.
    /// @param editor  becomes the page's; gets the focus when it is shown
    void setTopologyEditor(QWidget& editor);

    void exportTimeline();
    void exportEvents();
    void exportTaskList();
    void addTasks();
    void showDetails();
    /// Shows a moment on the timeline.
    /// @param rank  whose rows come into sight; none: any
    void showPlace(std::optional<Rank> rank, WallTime moment);

Q_SIGNALS:
    void said(const QString& text);
    void runFileWanted(const QString& path);
    void resumeWanted();
    /// Of a run that has ended. See taskRanges().
    void retryWanted(const QString& tasks);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QDockWidget* makeDock(const QString& name, const QString& title, const QString& icon,
                          QWidget* content, Qt::DockWidgetArea area);
    void makeDocks();
    void restoreDocks();
    void keepDocks();
    void keepSideWidths();
    void restoreSideWidths();
    void addDockAction(QDockWidget& dock, const QString& icon, QKeySequence keys);
    void makeTimeline();
    void renewDetails(RunView before);
    /// Null: a view in the middle.
    [[nodiscard]] QDockWidget* dockOf(RunView view) const;
    void giveRoomTo(QDockWidget& dock);
    void giveRoomToCentre();
    void renewAlarmTitle();
    void widenProcessors();
    [[nodiscard]] int processorsWidth() const;
    void linkTimeline();
    void tick();
    /// Gives the timeline what its rows need, unless the user has said otherwise.
    void fitTimeline();
    void tellExport(const QString& what, const QString& path, const QString& problem);

    RunDocument& m_document;
    Preferences& m_preferences;
    ConnectionBanner* m_banner = nullptr;
    QMainWindow* m_frame = nullptr;
    QStackedWidget* m_middle = nullptr; ///< m_centre, and what edits the topology
    QSplitter* m_centre = nullptr;
    QWidget* m_topology = nullptr;
    TimelineWidget* m_timeline = nullptr;
    TaskPanel* m_tasks = nullptr;
    ProcessorPanel* m_processors = nullptr;
    EventPanel* m_events = nullptr;
    FailoverPanel* m_failovers = nullptr;
    AlarmPanel* m_alarms = nullptr;
    DetailsPanel* m_details = nullptr;
    QList<QDockWidget*> m_docks;
    QList<QAction*> m_dockActions;
    StaleVeil* m_veil = nullptr;
    QTimer m_frameTimer;
    RunView m_view = RunView::Overview;
    QList<int> m_sideWidths; ///< of processors and details, before the events took the middle
    QByteArray m_firstLayout;
    bool m_hidDetails = false; ///< to give room to the topology
    bool m_ownSizes = false;   ///< the user has moved the splitter
    bool m_ownDocks = false;   ///< docks are where the user had them before
    bool m_wasShown = false;
    QTimer m_settling; ///< runs while a new window may still get its size
};

} // namespace tasuki

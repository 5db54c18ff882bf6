// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "preferences.h"
#include "rundocks.h"
#include "rundocument.h"

class QSplitter;
class QStackedWidget;

namespace tasuki {

class ConnectionBanner;
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
    [[nodiscard]] QList<QAction*> dockActions() const { return m_docks->dockActions(); }
    /// Puts docks and splitters where they are at first.
    void resetLayout();

    [[nodiscard]] RunModels& models() { return m_document.models(); }
    [[nodiscard]] TaskPanel& tasks() { return *m_tasks; }
    [[nodiscard]] TimelineWidget& timeline() { return *m_timeline; }
    [[nodiscard]] EventPanel& events() { return m_docks->events(); }
    [[nodiscard]] ProcessorPanel& processors() { return m_docks->processors(); }
    [[nodiscard]] FailoverPanel& failovers() { return m_docks->failovers(); }
    [[nodiscard]] AlarmPanel& alarms() { return m_docks->alarms(); }
    [[nodiscard]] DetailsPanel& details() { return m_docks->details(); }
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

private:
    void makeTimeline();
    void linkTimeline();
    void tick();
    /// Gives the timeline what its rows need, unless the user has said otherwise.
    void fitTimeline();
    void tellExport(const QString& what, const QString& path, const QString& problem);

    RunDocument& m_document;
    Preferences& m_preferences;
    ConnectionBanner* m_banner = nullptr;
    RunDocks* m_docks = nullptr;
    QStackedWidget* m_middle = nullptr; ///< m_centre, and what edits the topology
    QSplitter* m_centre = nullptr;
    QWidget* m_topology = nullptr;
    TimelineWidget* m_timeline = nullptr;
    TaskPanel* m_tasks = nullptr;
    StaleVeil* m_veil = nullptr;
    QTimer m_frameTimer;
    RunView m_view = RunView::Overview;
    bool m_ownSizes = false; ///< the user has moved the splitter
};

} // namespace tasuki

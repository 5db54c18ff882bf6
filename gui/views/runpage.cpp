// SPDX-License-Identifier: GPL-3.0-or-later
#include "runpage.h"

#include "addtasksdialog.h"
#include "alarmpanel.h"
#include "connectionbanner.h"
#include "eventpanel.h"
#include "failoverpanel.h"
#include "models/wording.h"
#include "processorpanel.h"
#include "staleveil.h"
#include "summarybar.h"
#include "tableexport.h"
#include "taskpanel.h"
#include "timeline/timelinewidget.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds frame{33};
/// How many characters of a command a bar of the timeline may get.
constexpr std::size_t mostBarText = 120;

constexpr std::array viewNames{"overview",  "timeline", "tasks",   "events",
                               "failovers", "alarms",   "topology"};

} // namespace

std::optional<RunView> runViewNamed(const QString& name)
{
    for (std::size_t i = 0; i < viewNames.size(); ++i) {
        if (name == QLatin1String(viewNames[i]))
            return static_cast<RunView>(i);
    }
    return std::nullopt;
}

QStringList runViewNames()
{
    QStringList names;
    for (const char* name : viewNames)
        names << QLatin1String(name);
    return names;
}

RunPage::RunPage(RunDocument& document, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_document(document), m_preferences(preferences)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(new SummaryBar(models()));
    m_banner = new ConnectionBanner(models().session);
    box->addWidget(m_banner);

    makeTimeline();
    m_tasks = new TaskPanel(models(), preferences);
    m_centre = new QSplitter(Qt::Vertical);
    m_centre->addWidget(m_timeline);
    m_centre->addWidget(m_tasks);
    m_centre->setStretchFactor(0, 0);
    m_centre->setStretchFactor(1, 1);
    m_centre->setChildrenCollapsible(false);
    m_middle = new QStackedWidget;
    m_middle->addWidget(m_centre);
    m_docks = new RunDocks(models(), preferences, *m_middle);
    box->addWidget(m_docks, 1);
    m_veil = new StaleVeil(*m_docks);
    linkTimeline();

    connect(m_tasks, &TaskPanel::said, this, &RunPage::said);
    connect(m_tasks, &TaskPanel::detailsWanted, this, &RunPage::showDetails);
    connect(&m_tasks->actions(), &TaskActions::addWanted, this, &RunPage::addTasks);
    connect(&m_tasks->actions(), &TaskActions::retryWanted, this, &RunPage::retryWanted);
    connect(&processors(), &ProcessorPanel::tasksOfRankWanted, m_tasks, &TaskPanel::showRank);
    connect(m_docks, &RunDocks::said, this, &RunPage::said);
    connect(m_docks, &RunDocks::middleShown, this, &RunPage::fitTimeline);
    connect(&failovers(), &FailoverPanel::placeWanted, this, &RunPage::showPlace);
    connect(&alarms(), &AlarmPanel::placeWanted, this, &RunPage::showPlace);
    connect(m_banner, &ConnectionBanner::staleChanged, m_veil, &QWidget::setVisible);
    connect(m_banner, &ConnectionBanner::runFileWanted, this, &RunPage::runFileWanted);
    connect(m_banner, &ConnectionBanner::resumeWanted, this, &RunPage::resumeWanted);
    m_veil->setVisible(m_banner->stale());
    m_veil->raise();

    m_ownSizes = m_centre->restoreState(preferences.layout(QStringLiteral("centre")));
    connect(m_centre, &QSplitter::splitterMoved, this, [this] { m_ownSizes = true; });
    connect(&models().session, &Session::loadingChanged, this, &RunPage::fitTimeline);
    connect(&models().session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.processors)
            fitTimeline();
    });
}

RunPage::~RunPage()
{
    m_docks->keepWidths();
    setView(RunView::Overview);
    m_docks->keepPlaces();
    if (m_ownSizes)
        m_preferences.setLayout(QStringLiteral("centre"), m_centre->saveState());
}

void RunPage::makeTimeline()
{
    m_timeline = new TimelineWidget;
    m_timeline->setAccessibleName(tr("Timeline: attempts by rank and slot"));
    m_timeline->setMinimumHeight(fontMetrics().height() * 7);
    m_timeline->setStore(&m_document.timeline());
    m_timeline->setTaskText([this](TaskId task) {
        const RunState& state = models().session.state();
        if (task.value() >= state.tasks().size())
            return QString();
        return wording::text(
            std::string_view(state.task(task).task.command).substr(0, mostBarText));
    });
    m_timeline->setElapsedTime(m_preferences.timeDisplay() == TimeDisplay::SinceStart);
    connect(&m_preferences, &Preferences::timeDisplayChanged, m_timeline, [this] {
        m_timeline->setElapsedTime(m_preferences.timeDisplay() == TimeDisplay::SinceStart);
    });
}

void RunPage::linkTimeline()
{
    Session& session = models().session;
    Selection& selection = models().selection;
    connect(&session, &Session::changed, m_timeline, [this] { m_timeline->refresh(); });
    connect(&session, &Session::wasReset, m_timeline, [this] { m_timeline->refresh(); });
    connect(m_timeline, &TimelineWidget::attemptSelected, &selection,
            [&selection](std::optional<AttemptKey> attempt) {
                if (attempt)
                    selection.setAttempt(*attempt);
                else
                    selection.setTask(std::nullopt);
            });
    connect(m_timeline, &TimelineWidget::attemptActivated, this, [this](AttemptKey attempt) {
        models().selection.setAttempt(attempt);
        showDetails();
    });
    connect(&selection, &Selection::taskChanged, m_timeline, [this] {
        const Selection& now = models().selection;
        if (now.attempt())
            m_timeline->setSelectedAttempt(*now.attempt());
        else
            m_timeline->setSelected(now.task());
    });
    m_timeline->setSelected(selection.task());
    m_frameTimer.setInterval(frame);
    connect(&m_frameTimer, &QTimer::timeout, this, &RunPage::tick);
    m_frameTimer.start();
    tick();
}

void RunPage::tick()
{
    const Session& session = models().session;
    const bool live = session.connection().state == ConnectionState::Live
        && !session.state().closed();
    if (isVisible() || m_timeline->scene().now() == WallTime{})
        m_timeline->setNow(session.runNow(), live);
    m_frameTimer.setInterval(live ? frame : frame * 10);
}

void RunPage::fitTimeline()
{
    const auto lanes = static_cast<int>(m_document.timeline().laneCount());
    const int height = m_centre->height();
    if (m_ownSizes || lanes == 0 || height < m_timeline->minimumHeight() * 2)
        return;
    const int axis = fontMetrics().height() * 4;
    const int wanted = std::clamp(lanes * LaneLayout::highestRow + axis,
                                  m_timeline->minimumHeight(), height / 2);
    m_centre->setSizes({wanted, height - wanted});
}

void RunPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &RunPage::fitTimeline, Qt::QueuedConnection);
}

void RunPage::showDetails() { m_docks->bringUp(RunDocks::Dock::Details); }

void RunPage::showPlace(std::optional<Rank> rank, WallTime moment)
{
    if (m_view != RunView::Overview && m_view != RunView::Timeline)
        setView(RunView::Overview);
    if (rank)
        models().selection.setProcessor(*rank);
    tick(); // it may not know yet that time has come so far
    m_timeline->showMoment(rank, moment);
    m_timeline->setFocus();
}

void RunPage::setTopologyEditor(QWidget& editor)
{
    m_topology = &editor;
    m_middle->addWidget(m_topology);
}

void RunPage::addTasks()
{
    AddTasksDialog dialog(models().session, window());
    connect(&dialog, &AddTasksDialog::said, this, &RunPage::said);
    dialog.exec();
}

void RunPage::setView(RunView view)
{
    using Dock = RunDocks::Dock;
    if (view == RunView::Topology && m_topology == nullptr)
        view = RunView::Overview;
    const RunView before = std::exchange(m_view, view);
    if ((before == RunView::Topology) != (view == RunView::Topology))
        m_docks->putDetailsAway(view == RunView::Topology);
    const std::optional<Dock> below = view == RunView::Events ? std::optional(Dock::Events)
        : view == RunView::Failovers                          ? std::optional(Dock::Failovers)
        : view == RunView::Alarms                             ? std::optional(Dock::Alarms)
                                                              : std::nullopt;
    if (!below)
        m_middle->setCurrentWidget(view == RunView::Topology ? m_topology : m_centre);
    m_timeline->setVisible(view == RunView::Overview || view == RunView::Timeline);
    m_tasks->setVisible(view == RunView::Overview || view == RunView::Tasks);
    m_docks->giveRoomTo(below);
    if (view == RunView::Tasks)
        m_tasks->table().setFocus();
    else if (view == RunView::Timeline)
        m_timeline->setFocus();
    else if (view == RunView::Topology)
        m_topology->setFocus();
}

void RunPage::resetLayout()
{
    setView(RunView::Overview);
    m_docks->reset();
    m_ownSizes = false;
    m_preferences.setLayout(QStringLiteral("centre"), {});
    fitTimeline();
}

void RunPage::tellExport(const QString& what, const QString& path, const QString& problem)
{
    if (problem.isEmpty())
        Q_EMIT said(tr("%1: written to %2").arg(what, path));
    else
        QMessageBox::warning(window(), what, problem);
}

void RunPage::exportTimeline()
{
    const QString what = tr("Export the timeline");
    const QString path = QFileDialog::getSaveFileName(
        window(), what, QStringLiteral("timeline.png"),
        tr("Picture (*.png)") + QStringLiteral(";;") + tr("Drawing (*.svg)") + QStringLiteral(";;")
            + tr("Document (*.pdf)"));
    if (path.isEmpty())
        return;
    const Result<void> written = m_timeline->exportImage(path);
    tellExport(what, path, written ? QString() : wording::text(written.error().text()));
}

void RunPage::exportEvents()
{
    const QString what = tr("Export the events");
    const QString path = QFileDialog::getSaveFileName(window(), what, QStringLiteral("events.txt"),
                                                      tr("Text (*.txt)"));
    if (!path.isEmpty())
        tellExport(what, path, writeWholeFile(path, events().text().toUtf8()));
}

void RunPage::exportTaskList()
{
    const QString what = tr("Export the task list");
    const Result<std::string> text = models().drafts.listText();
    if (!text) {
        QMessageBox::warning(window(), what, wording::text(text.error().text()));
        return;
    }
    const QString path = QFileDialog::getSaveFileName(window(), what, QStringLiteral("tasks.sh"),
                                                      tr("Task list (*.sh *.txt)"));
    if (!path.isEmpty())
        tellExport(what, path, writeWholeFile(path, QByteArray::fromStdString(*text)));
}

} // namespace tasuki

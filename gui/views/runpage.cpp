// SPDX-License-Identifier: GPL-3.0-or-later
#include "runpage.h"

#include "addtasksdialog.h"
#include "alarmpanel.h"
#include "connectionbanner.h"
#include "detailspanel.h"
#include "failoverpanel.h"
#include "models/wording.h"
#include "processorpanel.h"
#include "staleveil.h"
#include "summarybar.h"
#include "taskpanel.h"
#include "timeline/timelinewidget.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds frame{33};
/// In which a window manager gives a new window the size that it is to have.
constexpr std::chrono::milliseconds settleTime{500};
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
    m_frame = new QMainWindow(nullptr, Qt::Widget);
    m_frame->setContextMenuPolicy(Qt::NoContextMenu);
    m_frame->setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    box->addWidget(m_frame, 1);

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
    m_frame->setCentralWidget(m_middle);
    makeDocks();
    m_veil = new StaleVeil(*m_frame);
    linkTimeline();

    connect(m_tasks, &TaskPanel::said, this, &RunPage::said);
    connect(m_tasks, &TaskPanel::detailsWanted, this, &RunPage::showDetails);
    connect(&m_tasks->actions(), &TaskActions::addWanted, this, &RunPage::addTasks);
    connect(&m_tasks->actions(), &TaskActions::retryWanted, this, &RunPage::retryWanted);
    connect(m_processors, &ProcessorPanel::tasksOfRankWanted, m_tasks, &TaskPanel::showRank);
    connect(m_processors, &ProcessorPanel::treeChanged, this, &RunPage::widenProcessors);
    connect(m_failovers, &FailoverPanel::placeWanted, this, &RunPage::showPlace);
    connect(m_alarms, &AlarmPanel::placeWanted, this, &RunPage::showPlace);
    connect(m_banner, &ConnectionBanner::staleChanged, m_veil, &QWidget::setVisible);
    connect(m_banner, &ConnectionBanner::runFileWanted, this, &RunPage::runFileWanted);
    connect(m_banner, &ConnectionBanner::resumeWanted, this, &RunPage::resumeWanted);
    m_veil->setVisible(m_banner->stale());
    m_veil->raise();

    restoreDocks();
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
    keepSideWidths();
    setView(RunView::Overview);
    keepDocks();
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
    if (m_settling.isActive())
        restoreSideWidths();
    QMetaObject::invokeMethod(this, &RunPage::fitTimeline, Qt::QueuedConnection);
}

void RunPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (std::exchange(m_wasShown, true) || !m_ownDocks)
        return;
    m_settling.start(settleTime);
    restoreSideWidths();
}

void RunPage::showDetails()
{
    QDockWidget* dock = m_docks.at(1);
    dock->show();
    dock->raise();
}

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

} // namespace tasuki

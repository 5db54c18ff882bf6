// SPDX-License-Identifier: GPL-3.0-or-later
#include "runpage.h"

#include "addtasksdialog.h"
#include "connectionbanner.h"
#include "detailspanel.h"
#include "eventpanel.h"
#include "icons.h"
#include "models/wording.h"
#include "processorpanel.h"
#include "staleveil.h"
#include "summarybar.h"
#include "tableexport.h"
#include "taskpanel.h"
#include "timeline/timelinewidget.h"

#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QMainWindow>
#include <QMessageBox>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <array>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds frame{33};
constexpr int layoutVersion = 1;
constexpr int processorsWidth = 250;
constexpr int detailsWidth = 340;
constexpr int eventsHeight = 170;
/// How many characters of a command a bar of the timeline may get.
constexpr std::size_t mostBarText = 120;

constexpr std::array viewNames{"overview", "timeline", "tasks", "events"};

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
    m_frame->setCentralWidget(m_centre);
    makeDocks();
    m_veil = new StaleVeil(*m_frame);
    linkTimeline();

    connect(m_tasks, &TaskPanel::said, this, &RunPage::said);
    connect(m_tasks, &TaskPanel::detailsWanted, this, &RunPage::showDetails);
    connect(&m_tasks->actions(), &TaskActions::addWanted, this, &RunPage::addTasks);
    connect(m_processors, &ProcessorPanel::tasksOfRankWanted, m_tasks, &TaskPanel::showRank);
    connect(m_banner, &ConnectionBanner::staleChanged, m_veil, &QWidget::setVisible);
    connect(m_banner, &ConnectionBanner::runFileWanted, this, &RunPage::runFileWanted);
    m_veil->setVisible(m_banner->stale());
    m_veil->raise();

    m_sideWidths = {processorsWidth, detailsWidth};
    m_firstLayout = m_frame->saveState(layoutVersion);
    m_frame->restoreState(preferences.layout(QStringLiteral("docks")), layoutVersion);
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
    setView(RunView::Overview);
    m_preferences.setLayout(QStringLiteral("docks"), m_frame->saveState(layoutVersion));
    if (m_ownSizes)
        m_preferences.setLayout(QStringLiteral("centre"), m_centre->saveState());
}

QDockWidget* RunPage::makeDock(const QString& name, const QString& title, const QString& icon,
                               QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setWidget(content);
    dock->toggleViewAction()->setIcon(icons::named(icon));
    m_frame->addDockWidget(area, dock);
    m_docks << dock;
    return dock;
}

void RunPage::makeDocks()
{
    m_frame->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    m_frame->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_processors = new ProcessorPanel(models(), m_preferences);
    m_details = new DetailsPanel(models(), m_preferences);
    m_events = new EventPanel(models(), m_preferences);
    auto* processors = makeDock(QStringLiteral("processors"), tr("Processors"),
                                QStringLiteral("processors"), m_processors, Qt::LeftDockWidgetArea);
    auto* details = makeDock(QStringLiteral("details"), tr("Details"), QStringLiteral("details"),
                             m_details, Qt::RightDockWidgetArea);
    auto* events = makeDock(QStringLiteral("events"), tr("Events"), QStringLiteral("events"),
                            m_events, Qt::BottomDockWidgetArea);
    const std::array keys{Qt::ALT | Qt::Key_1, Qt::ALT | Qt::Key_2, Qt::ALT | Qt::Key_3};
    for (qsizetype i = 0; i < m_docks.size(); ++i)
        m_docks[i]->toggleViewAction()->setShortcut(keys.at(static_cast<std::size_t>(i)));
    m_frame->resizeDocks({processors, details}, {processorsWidth, detailsWidth}, Qt::Horizontal);
    m_frame->resizeDocks({events}, {eventsHeight}, Qt::Vertical);
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
    connect(m_timeline, &TimelineWidget::attemptSelected, &selection, &Selection::setAttempt);
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

void RunPage::setView(RunView view)
{
    const bool leftEvents = m_view == RunView::Events && view != RunView::Events;
    const bool toEvents = m_view != RunView::Events && view == RunView::Events;
    m_view = view;
    m_timeline->setVisible(view == RunView::Overview || view == RunView::Timeline);
    m_tasks->setVisible(view == RunView::Overview || view == RunView::Tasks);
    if (toEvents)
        giveRoomToEvents();
    else if (leftEvents)
        giveRoomToCentre();
    if (view == RunView::Events)
        m_events->view().setFocus();
    else if (view == RunView::Tasks)
        m_tasks->table().setFocus();
    else if (view == RunView::Timeline)
        m_timeline->setFocus();
}

void RunPage::giveRoomToEvents()
{
    QDockWidget* events = m_docks.at(2);
    if (isVisible())
        m_sideWidths = {m_docks.at(0)->width(), m_docks.at(1)->width()};
    events->show();
    events->raise();
    m_centre->hide();
    // When the room that the middle has left is there to be given.
    QTimer::singleShot(0, this, [this, events] {
        if (m_view != RunView::Events)
            return;
        const int details = m_sideWidths.at(1);
        m_frame->layout()->activate();
        const int above = m_frame->height() / 4;
        m_frame->resizeDocks({m_docks.at(0), events}, {above, m_frame->height() - above},
                             Qt::Vertical);
        m_frame->resizeDocks({m_docks.at(0), m_docks.at(1)}, {m_frame->width() - details, details},
                             Qt::Horizontal);
    });
}

void RunPage::giveRoomToCentre()
{
    m_centre->show();
    m_frame->resizeDocks({m_docks.at(2)}, {eventsHeight}, Qt::Vertical);
    QTimer::singleShot(0, this, [this] {
        if (m_view == RunView::Events)
            return;
        m_frame->layout()->activate();
        m_frame->resizeDocks({m_docks.at(0), m_docks.at(1)}, m_sideWidths, Qt::Horizontal);
    });
}

QList<QAction*> RunPage::dockActions() const
{
    QList<QAction*> actions;
    for (const QDockWidget* dock : m_docks)
        actions << dock->toggleViewAction();
    return actions;
}

void RunPage::resetLayout()
{
    setView(RunView::Overview);
    m_frame->restoreState(m_firstLayout, layoutVersion);
    m_frame->resizeDocks({m_docks.at(0), m_docks.at(1)}, {processorsWidth, detailsWidth},
                         Qt::Horizontal);
    m_frame->resizeDocks({m_docks.at(2)}, {eventsHeight}, Qt::Vertical);
    m_ownSizes = false;
    m_preferences.setLayout(QStringLiteral("centre"), {});
    fitTimeline();
}

void RunPage::showDetails()
{
    QDockWidget* dock = m_docks.at(1);
    dock->show();
    dock->raise();
}

void RunPage::addTasks()
{
    AddTasksDialog dialog(models().session, window());
    connect(&dialog, &AddTasksDialog::said, this, &RunPage::said);
    dialog.exec();
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
        tr("Picture (*.png)") + QStringLiteral(";;") + tr("Drawing (*.svg)"));
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
        tellExport(what, path, writeWholeFile(path, m_events->text().toUtf8()));
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of RunPage, and how its views share the room with them.
#include "runpage.h"

#include "alarmpanel.h"
#include "detailspanel.h"
#include "eventpanel.h"
#include "failoverpanel.h"
#include "icons.h"
#include "processoractions.h"
#include "processorpanel.h"
#include "systemtreeview.h"
#include "taskpanel.h"
#include "timeline/timelinewidget.h"

#include <QAction>
#include <QDockWidget>
#include <QLayout>
#include <QLocale>
#include <QMainWindow>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

constexpr int layoutVersion = 2;
constexpr int hostsWidth = 250;
constexpr int detailsWidth = 340;
constexpr int eventsHeight = 170;
/// Whether the docks were kept while they showed a failure hierarchy.
constexpr QLatin1String keptForSystem("docksOfSystem");
/// Widths of processors and details: Qt shrinks what it restores to the size that the page has then,
/// before the window has its own.
constexpr QLatin1String keptSideWidths("sideWidths");

} // namespace

QDockWidget* RunPage::makeDock(const QString& name, const QString& title, const QString& icon,
                               QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setWidget(content);
    m_frame->addDockWidget(area, dock);
    m_docks << dock;
    const auto number = static_cast<int>(m_docks.size());
    addDockAction(*dock, icon, QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number)));
    return dock;
}

void RunPage::addDockAction(QDockWidget& dock, const QString& icon, QKeySequence keys)
{
    auto* action = new QAction(icons::named(icon), dock.windowTitle(), &dock);
    action->setCheckable(true);
    action->setShortcut(keys);
    // One that is behind another is there, but not seen: it is to come to the front.
    connect(&dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
    connect(&dock, &QWidget::windowTitleChanged, action, &QAction::setText);
    connect(action, &QAction::triggered, &dock, [&dock](bool show) {
        dock.setVisible(show);
        if (!show)
            return;
        dock.raise();
        dock.widget()->setEnabled(true);
        dock.widget()->setFocus(Qt::ShortcutFocusReason);
    });
    m_dockActions << action;
}

void RunPage::makeDocks()
{
    m_frame->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    m_frame->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_processors = new ProcessorPanel(models(), m_preferences);
    m_details = new DetailsPanel(models(), m_preferences);
    m_events = new EventPanel(models(), m_preferences);
    m_failovers = new FailoverPanel(models(), m_preferences);
    m_alarms = new AlarmPanel(models(), m_preferences);
    auto* processors = makeDock(QStringLiteral("processors"), tr("Processors"),
                                QStringLiteral("processors"), m_processors, Qt::LeftDockWidgetArea);
    auto* details = makeDock(QStringLiteral("details"), tr("Details"), QStringLiteral("details"),
                             m_details, Qt::RightDockWidgetArea);
    auto* events = makeDock(QStringLiteral("events"), tr("Events"), QStringLiteral("events"),
                            m_events, Qt::BottomDockWidgetArea);
    auto* failovers = makeDock(QStringLiteral("failovers"), tr("Failovers"),
                               QStringLiteral("failover"), m_failovers, Qt::BottomDockWidgetArea);
    auto* alarms = makeDock(QStringLiteral("alarms"), tr("Alarms"), QStringLiteral("alarm"),
                            m_alarms, Qt::BottomDockWidgetArea);
    m_frame->tabifyDockWidget(events, failovers);
    m_frame->tabifyDockWidget(failovers, alarms);
    for (QDockWidget* dock : {events, failovers, alarms}) {
        // Qt moves what is behind out of sight, where Tab and letters would still find it.
        connect(dock, &QDockWidget::visibilityChanged, dock->widget(), &QWidget::setEnabled);
    }
    events->raise();
    connect(m_failovers, &FailoverPanel::said, this, &RunPage::said);
    connect(m_alarms, &AlarmPanel::said, this, &RunPage::said);
    connect(&m_processors->system().actions(), &ProcessorActions::said, this, &RunPage::said);
    connect(&models().alarms, &AlarmListModel::openChanged, this, &RunPage::renewAlarmTitle);
    renewAlarmTitle();
    m_frame->resizeDocks({processors, details}, {processorsWidth(), detailsWidth}, Qt::Horizontal);
    m_frame->resizeDocks({events}, {eventsHeight}, Qt::Vertical);
}

void RunPage::renewAlarmTitle()
{
    const std::size_t open = models().alarms.open();
    m_docks.at(4)->setWindowTitle(
        open == 0 ? tr("Alarms") : tr("Alarms (%1)").arg(QLocale().toString(qulonglong{open})));
}

int RunPage::processorsWidth() const
{
    return m_processors->showsSystem() ? SystemTreeView::wantedWidth(fontMetrics()) : hostsWidth;
}

/// The failure hierarchy has more to say than a list of hosts.
void RunPage::widenProcessors()
{
    if (m_ownDocks)
        return;
    m_sideWidths.front() = std::min(processorsWidth(), std::max(hostsWidth, width() / 3));
    if (dockOf(m_view) == nullptr)
        m_frame->resizeDocks({m_docks.at(0)}, {m_sideWidths.front()}, Qt::Horizontal);
}

void RunPage::restoreDocks()
{
    m_sideWidths = {processorsWidth(), detailsWidth};
    m_firstLayout = m_frame->saveState(layoutVersion);
    const bool restored = m_frame->restoreState(m_preferences.layout(QStringLiteral("docks")),
                                                layoutVersion);
    // A width for hosts alone says nothing of how wide the user wants the failure hierarchy.
    m_ownDocks = restored && m_preferences.value(keptForSystem, false).toBool();
    const QVariantList widths = m_preferences.value(keptSideWidths, QVariantList()).toList();
    if (m_ownDocks && widths.size() == m_sideWidths.size())
        std::ranges::transform(widths, m_sideWidths.begin(),
                               [](const QVariant& v) { return v.toInt(); });
    m_settling.setSingleShot(true);
}

void RunPage::keepSideWidths()
{
    if (!m_wasShown)
        return;
    if (dockOf(m_view) == nullptr)
        m_sideWidths = {m_docks.at(0)->width(), m_docks.at(1)->width()};
    m_preferences.setValue(keptSideWidths, QVariantList{m_sideWidths.at(0), m_sideWidths.at(1)});
}

/// Soon: after the layout that is under way.
void RunPage::restoreSideWidths()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (dockOf(m_view) == nullptr)
                m_frame->resizeDocks({m_docks.at(0), m_docks.at(1)}, m_sideWidths, Qt::Horizontal);
        },
        Qt::QueuedConnection);
}

void RunPage::keepDocks()
{
    m_preferences.setLayout(QStringLiteral("docks"), m_frame->saveState(layoutVersion));
    m_preferences.setValue(keptForSystem, m_ownDocks || m_processors->showsSystem());
}

QDockWidget* RunPage::dockOf(RunView view) const
{
    switch (view) {
    case RunView::Events: return m_docks.at(2);
    case RunView::Failovers: return m_docks.at(3);
    case RunView::Alarms: return m_docks.at(4);
    default: return nullptr;
    }
}

void RunPage::setView(RunView view)
{
    if (view == RunView::Topology && m_topology == nullptr)
        view = RunView::Overview;
    const bool wasBelow = dockOf(m_view) != nullptr;
    QDockWidget* const below = dockOf(view);
    const RunView before = std::exchange(m_view, view);
    renewDetails(before);
    if (below == nullptr)
        m_middle->setCurrentWidget(view == RunView::Topology ? m_topology : m_centre);
    m_timeline->setVisible(view == RunView::Overview || view == RunView::Timeline);
    m_tasks->setVisible(view == RunView::Overview || view == RunView::Tasks);
    if (below != nullptr && !wasBelow)
        giveRoomTo(*below);
    else if (below == nullptr && wasBelow)
        giveRoomToCentre();
    if (below != nullptr) {
        below->show();
        below->raise();
        below->widget()->setEnabled(true);
        below->widget()->setFocus();
    } else if (view == RunView::Tasks) {
        m_tasks->table().setFocus();
    } else if (view == RunView::Timeline) {
        m_timeline->setFocus();
    } else if (view == RunView::Topology) {
        m_topology->setFocus();
    }
}

/// A topology has many columns, and nothing to do with the details of a task.
void RunPage::renewDetails(RunView before)
{
    QDockWidget& details = *m_docks.at(1);
    if (m_view == RunView::Topology && before != RunView::Topology) {
        m_hidDetails = !details.isHidden();
        details.hide();
    } else if (m_view != RunView::Topology && std::exchange(m_hidDetails, false)) {
        details.show();
    }
}

void RunPage::giveRoomTo(QDockWidget& dock)
{
    if (isVisible())
        m_sideWidths = {m_docks.at(0)->width(), m_docks.at(1)->width()};
    dock.show();
    m_middle->hide();
    // When the room that the middle has left is there to be given.
    QTimer::singleShot(0, this, [this] {
        QDockWidget* const below = dockOf(m_view);
        if (below == nullptr)
            return;
        const int details = m_sideWidths.at(1);
        m_frame->layout()->activate();
        const int above = m_frame->height() / 4;
        m_frame->resizeDocks({m_docks.at(0), below}, {above, m_frame->height() - above},
                             Qt::Vertical);
        m_frame->resizeDocks({m_docks.at(0), m_docks.at(1)}, {m_frame->width() - details, details},
                             Qt::Horizontal);
    });
}

void RunPage::giveRoomToCentre()
{
    m_middle->show();
    m_frame->resizeDocks({m_docks.at(2)}, {eventsHeight}, Qt::Vertical);
    QTimer::singleShot(0, this, [this] {
        if (dockOf(m_view) != nullptr)
            return;
        m_frame->layout()->activate();
        m_frame->resizeDocks({m_docks.at(0), m_docks.at(1)}, m_sideWidths, Qt::Horizontal);
        fitTimeline();
    });
}

void RunPage::resetLayout()
{
    setView(RunView::Overview);
    m_frame->restoreState(m_firstLayout, layoutVersion);
    m_ownDocks = false;
    m_frame->resizeDocks({m_docks.at(0), m_docks.at(1)}, {processorsWidth(), detailsWidth},
                         Qt::Horizontal);
    m_frame->resizeDocks({m_docks.at(2)}, {eventsHeight}, Qt::Vertical);
    m_ownSizes = false;
    m_preferences.setLayout(QStringLiteral("centre"), {});
    fitTimeline();
}

} // namespace tasuki

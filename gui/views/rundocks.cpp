// SPDX-License-Identifier: GPL-3.0-or-later
#include "rundocks.h"

#include "alarmpanel.h"
#include "detailspanel.h"
#include "eventpanel.h"
#include "failoverpanel.h"
#include "icons.h"
#include "preferences.h"
#include "processoractions.h"
#include "processorpanel.h"
#include "rundocument.h"
#include "systemtreeview.h"

#include <QAction>
#include <QDockWidget>
#include <QLayout>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

constexpr int layoutVersion = 2;
constexpr int hostsWidth = 250;
constexpr int detailsWidth = 340;
constexpr int eventsHeight = 170;
/// In which a window manager gives a new window the size that it is to have.
constexpr std::chrono::milliseconds settleTime{500};
/// Whether the docks were kept while they showed a failure hierarchy.
constexpr QLatin1String keptForSystem("docksOfSystem");
/// Widths of processors and details: Qt shrinks what it restores to the size that the page has then,
/// before the window has its own.
constexpr QLatin1String keptSideWidths("sideWidths");

} // namespace

RunDocks::RunDocks(RunModels& models, Preferences& preferences, QWidget& middle)
    : QMainWindow(nullptr, Qt::Widget), m_models(models), m_preferences(preferences)
{
    setContextMenuPolicy(Qt::NoContextMenu);
    setCentralWidget(&middle);
    setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_processors = new ProcessorPanel(models, preferences);
    m_details = new DetailsPanel(models, preferences);
    m_events = new EventPanel(models, preferences);
    m_failovers = new FailoverPanel(models, preferences);
    m_alarms = new AlarmPanel(models, preferences);
    make(QStringLiteral("processors"), tr("Processors"), QStringLiteral("processors"), m_processors,
         Qt::LeftDockWidgetArea);
    make(QStringLiteral("details"), tr("Details"), QStringLiteral("details"), m_details,
         Qt::RightDockWidgetArea);
    make(QStringLiteral("events"), tr("Events"), QStringLiteral("events"), m_events,
         Qt::BottomDockWidgetArea);
    make(QStringLiteral("failovers"), tr("Failovers"), QStringLiteral("failover"), m_failovers,
         Qt::BottomDockWidgetArea);
    make(QStringLiteral("alarms"), tr("Alarms"), QStringLiteral("alarm"), m_alarms,
         Qt::BottomDockWidgetArea);
    tabifyDockWidget(&at(Dock::Events), &at(Dock::Failovers));
    tabifyDockWidget(&at(Dock::Failovers), &at(Dock::Alarms));
    for (const Dock each : {Dock::Events, Dock::Failovers, Dock::Alarms}) {
        // Qt moves what is behind out of sight, where Tab and letters would still find it.
        connect(&at(each), &QDockWidget::visibilityChanged, at(each).widget(),
                &QWidget::setEnabled);
    }
    at(Dock::Events).raise();
    connect(m_failovers, &FailoverPanel::said, this, &RunDocks::said);
    connect(m_alarms, &AlarmPanel::said, this, &RunDocks::said);
    connect(&m_processors->system().actions(), &ProcessorActions::said, this, &RunDocks::said);
    connect(m_processors, &ProcessorPanel::treeChanged, this, &RunDocks::widenProcessors);
    connect(&models.alarms, &AlarmListModel::openChanged, this, &RunDocks::renewAlarmTitle);
    renewAlarmTitle();
    resizeDocks({&at(Dock::Processors), &at(Dock::Details)}, {processorsWidth(), detailsWidth},
                Qt::Horizontal);
    resizeDocks({&at(Dock::Events)}, {eventsHeight}, Qt::Vertical);
    restore();
}

QDockWidget& RunDocks::at(Dock dock) const { return *m_docks.at(static_cast<int>(dock)); }

void RunDocks::make(const QString& name, const QString& title, const QString& icon,
                    QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_docks << dock;
    const auto number = static_cast<int>(m_docks.size());
    addAction(*dock, icon, QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number)));
}

void RunDocks::addAction(QDockWidget& dock, const QString& icon, QKeySequence keys)
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
    m_actions << action;
}

void RunDocks::renewAlarmTitle()
{
    const std::size_t open = m_models.alarms.open();
    at(Dock::Alarms)
        .setWindowTitle(open == 0 ? tr("Alarms")
                                  : tr("Alarms (%1)").arg(QLocale().toString(qulonglong{open})));
}

int RunDocks::processorsWidth() const
{
    return m_processors->showsSystem() ? SystemTreeView::wantedWidth(fontMetrics()) : hostsWidth;
}

/// The failure hierarchy has more to say than a list of hosts.
void RunDocks::widenProcessors()
{
    if (m_ownDocks)
        return;
    m_sideWidths.front() = std::min(processorsWidth(), std::max(hostsWidth, width() / 3));
    if (!m_below)
        resizeDocks({&at(Dock::Processors)}, {m_sideWidths.front()}, Qt::Horizontal);
}

void RunDocks::restore()
{
    m_sideWidths = {processorsWidth(), detailsWidth};
    m_firstLayout = saveState(layoutVersion);
    const bool restored = restoreState(m_preferences.layout(QStringLiteral("docks")),
                                       layoutVersion);
    // A width for hosts alone says nothing of how wide the user wants the failure hierarchy.
    m_ownDocks = restored && m_preferences.value(keptForSystem, false).toBool();
    const QVariantList widths = m_preferences.value(keptSideWidths, QVariantList()).toList();
    if (m_ownDocks && widths.size() == m_sideWidths.size())
        std::ranges::transform(widths, m_sideWidths.begin(),
                               [](const QVariant& v) { return v.toInt(); });
    m_settling.setSingleShot(true);
}

void RunDocks::keepWidths()
{
    if (!m_wasShown)
        return;
    if (!m_below)
        m_sideWidths = {at(Dock::Processors).width(), at(Dock::Details).width()};
    m_preferences.setValue(keptSideWidths, QVariantList{m_sideWidths.at(0), m_sideWidths.at(1)});
}

/// Soon: after the layout that is under way.
void RunDocks::restoreWidths()
{
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!m_below)
                resizeDocks({&at(Dock::Processors), &at(Dock::Details)}, m_sideWidths,
                            Qt::Horizontal);
        },
        Qt::QueuedConnection);
}

void RunDocks::keepPlaces()
{
    m_preferences.setLayout(QStringLiteral("docks"), saveState(layoutVersion));
    m_preferences.setValue(keptForSystem, m_ownDocks || m_processors->showsSystem());
}

void RunDocks::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_settling.isActive())
        restoreWidths();
}

void RunDocks::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (std::exchange(m_wasShown, true) || !m_ownDocks)
        return;
    m_settling.start(settleTime);
    restoreWidths();
}

void RunDocks::bringUp(Dock dock)
{
    at(dock).show();
    at(dock).raise();
}

void RunDocks::putDetailsAway(bool away)
{
    QDockWidget& details = at(Dock::Details);
    if (away) {
        m_hidDetails = !details.isHidden();
        details.hide();
    } else if (std::exchange(m_hidDetails, false)) {
        details.show();
    }
}

void RunDocks::giveRoomTo(std::optional<Dock> dock)
{
    const bool had = std::exchange(m_below, dock).has_value();
    if (dock && !had)
        giveRoomOfMiddle();
    else if (!dock && had)
        giveRoomToMiddle();
    if (!dock)
        return;
    bringUp(*dock);
    at(*dock).widget()->setEnabled(true);
    at(*dock).widget()->setFocus();
}

void RunDocks::giveRoomOfMiddle()
{
    if (isVisible())
        m_sideWidths = {at(Dock::Processors).width(), at(Dock::Details).width()};
    at(*m_below).show();
    centralWidget()->hide();
    // When the room that the middle has left is there to be given.
    QTimer::singleShot(0, this, [this] {
        if (!m_below)
            return;
        const int details = m_sideWidths.at(1);
        layout()->activate();
        const int above = height() / 4;
        resizeDocks({&at(Dock::Processors), &at(*m_below)}, {above, height() - above},
                    Qt::Vertical);
        resizeDocks({&at(Dock::Processors), &at(Dock::Details)}, {width() - details, details},
                    Qt::Horizontal);
    });
}

void RunDocks::giveRoomToMiddle()
{
    centralWidget()->show();
    resizeDocks({&at(Dock::Events)}, {eventsHeight}, Qt::Vertical);
    QTimer::singleShot(0, this, [this] {
        if (m_below)
            return;
        layout()->activate();
        resizeDocks({&at(Dock::Processors), &at(Dock::Details)}, m_sideWidths, Qt::Horizontal);
        Q_EMIT middleShown();
    });
}

void RunDocks::reset()
{
    restoreState(m_firstLayout, layoutVersion);
    m_ownDocks = false;
    resizeDocks({&at(Dock::Processors), &at(Dock::Details)}, {processorsWidth(), detailsWidth},
                Qt::Horizontal);
    resizeDocks({&at(Dock::Events)}, {eventsHeight}, Qt::Vertical);
}

} // namespace tasuki

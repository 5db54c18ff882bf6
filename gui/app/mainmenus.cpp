// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainmenus.h"

#include "mainwindow.h"
#include "models/wording.h"
#include "timeline/timelinewidget.h"
#include "views/alarmpanel.h"
#include "views/detailspanel.h"
#include "views/failoverpanel.h"
#include "views/icons.h"
#include "views/processoractions.h"
#include "views/processorpanel.h"
#include "views/systemtreeview.h"
#include "views/taskpanel.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QWidgetAction>

#include <functional>

namespace tasuki {

namespace {

/// Context of the texts.
struct Menus {
    Q_DECLARE_TR_FUNCTIONS(Menus)
};

struct Entry {
    QString icon; ///< may be empty
    QString text;
    QKeySequence keys;
    bool enabled = true;
};

QAction* add(QMenu& menu, const Entry& entry, const std::function<void()>& run)
{
    QAction* action = menu.addAction(entry.text);
    if (!entry.icon.isEmpty())
        action->setIcon(icons::named(entry.icon));
    action->setShortcut(entry.keys);
    action->setEnabled(entry.enabled);
    QObject::connect(action, &QAction::triggered, &menu, run);
    return action;
}

void addRecentFiles(MainWindow& window, QMenu& file)
{
    QMenu* recent = file.addMenu(Menus::tr("Open &recent"));
    const auto fill = [recent, &window] {
        recent->clear();
        const QStringList files = window.preferences().recentFiles();
        int number = 1;
        for (const QString& path : files) {
            QString name = QFileInfo(path).fileName();
            name.replace(QLatin1Char('&'), QStringLiteral("&&"));
            QAction* action = recent->addAction(
                number < 10 ? QStringLiteral("&%1 %2").arg(number).arg(name) : name);
            ++number;
            action->setToolTip(path);
            action->setStatusTip(path);
            QObject::connect(action, &QAction::triggered, &window,
                             [&window, path] { window.openRunFile(path); });
        }
        recent->addSeparator();
        QAction* clear = recent->addAction(Menus::tr("&Clear the list"));
        clear->setEnabled(!files.isEmpty());
        QObject::connect(clear, &QAction::triggered, &window,
                         [&window] { window.preferences().clearRecentFiles(); });
    };
    QObject::connect(recent, &QMenu::aboutToShow, recent, fill);
    recent->setEnabled(!window.preferences().recentFiles().isEmpty());
    QObject::connect(
        &window.preferences(), &Preferences::recentFilesChanged, recent,
        [recent, &window] { recent->setEnabled(!window.preferences().recentFiles().isEmpty()); });
}

void addExports(MainWindow& window, QMenu& file)
{
    RunPage* page = window.page();
    QMenu* exports = file.addMenu(icons::named(QStringLiteral("save")), Menus::tr("&Export"));
    exports->setEnabled(page != nullptr);
    add(*exports, {{}, Menus::tr("&Task table..."), {}}, [page] { page->tasks().exportTable(); });
    add(*exports, {{}, Menus::tr("Timeline as a &picture..."), {}},
        [page] { page->exportTimeline(); });
    add(*exports, {{}, Menus::tr("&Output of the attempt..."), {}},
        [page] { page->details().output().save(); });
    add(*exports, {{}, Menus::tr("&Events as text..."), {}}, [page] { page->exportEvents(); });
    add(*exports, {{}, Menus::tr("&Failovers as a table..."), {}},
        [page] { page->failovers().exportTable(); });
    add(*exports, {{}, Menus::tr("&Alarms as a table..."), {}},
        [page] { page->alarms().exportTable(); });
    add(*exports, {{}, Menus::tr("Task &list with all changes..."), {}},
        [page] { page->exportTaskList(); });
}

void addFileMenu(MainWindow& window, QMenuBar& bar)
{
    QMenu& menu = *bar.addMenu(Menus::tr("&File"));
    add(menu, {QStringLiteral("open"), Menus::tr("&Open run file..."), QKeySequence::Open},
        [&window] { window.chooseRunFile(); });
    add(menu,
        {QStringLiteral("host"), Menus::tr("Open run on another &host..."),
         QKeySequence(Qt::CTRL | Qt::Key_H)},
        [&window] { window.chooseRemoteRun(); });
    addRecentFiles(window, menu);
    add(menu,
        {QStringLiteral("timeline"), Menus::tr("Open &trace to plan..."),
         QKeySequence(Qt::CTRL | Qt::Key_P)},
        [&window] { window.chooseTrace(); });
    add(menu, {QStringLiteral("start"), Menus::tr("&Start a run..."), QKeySequence::New},
        [&window] { window.startRun(); });
    menu.addSeparator();
    add(menu,
        {QStringLiteral("topology"), Menus::tr("&New topology"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)},
        [&window] { window.newTopology(); });
    add(menu,
        {QStringLiteral("open"), Menus::tr("Open topolo&gy..."),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
        [&window] { window.chooseTopology(); });
    menu.addSeparator();
    addExports(window, menu);
    menu.addSeparator();
    add(menu,
        {QStringLiteral("close"),
         window.topologyPage() != nullptr   ? Menus::tr("&Close the topology")
             : window.planPage() != nullptr ? Menus::tr("&Close the planner")
                                            : Menus::tr("&Close the run"),
         QKeySequence::Close,
         window.page() != nullptr || window.planPage() != nullptr
             || window.topologyPage() != nullptr},
        [&window] { window.closeRun(); });
    add(menu, {QStringLiteral("quit"), Menus::tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q)},
        [&window] { window.close(); });
}

void addEditMenu(MainWindow& window, QMenuBar& bar)
{
    QMenu& menu = *bar.addMenu(Menus::tr("&Edit"));
    RunPage* page = window.page();
    if (page != nullptr) {
        EditBar& editing = page->tasks().editing();
        menu.addAction(&editing.undo());
        menu.addAction(&editing.redo());
        menu.addSeparator();
        menu.addAction(&editing.send());
        menu.addAction(&editing.discard());
        menu.addAction(&editing.resolve());
        menu.addSeparator();
    }
    add(menu,
        {QStringLiteral("find"), Menus::tr("&Find tasks"), QKeySequence::Find, page != nullptr},
        [page] { page->tasks().focusFilter(); });
    add(menu,
        {QStringLiteral("clear"), Menus::tr("Clear the fi&lter"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), page != nullptr},
        [page] { page->tasks().clearFilter(); });
    menu.addSeparator();
    add(menu,
        {QStringLiteral("settings"), Menus::tr("Se&ttings..."),
         QKeySequence(Qt::CTRL | Qt::Key_Comma)},
        [&window] { window.showSettings(); });
}

void addTaskMenu(MainWindow& window, QMenuBar& bar)
{
    QMenu& menu = *bar.addMenu(Menus::tr("&Task"));
    RunPage* page = window.page();
    menu.setEnabled(page != nullptr);
    if (page == nullptr)
        return;
    page->tasks().actions().fill(menu);
    menu.addSeparator();
    QMenu* stop = menu.addMenu(icons::named(QStringLiteral("stop")), Menus::tr("Sto&p the run"));
    TaskActions& actions = page->tasks().actions();
    add(*stop, {{}, Menus::tr("Let running tasks &finish..."), {}},
        [&actions] { actions.stopRun(false); });
    add(*stop, {{}, Menus::tr("&Kill running tasks..."), {}},
        [&actions] { actions.stopRun(true); });
    const auto renew = [stop, page] { stop->setEnabled(page->models().session.takesCommands()); };
    QObject::connect(&menu, &QMenu::aboutToShow, stop, renew);
    renew();
}

void addSystemMenu(MainWindow& window, QMenuBar& bar)
{
    RunPage* page = window.page();
    if (page == nullptr)
        return;
    QMenu& menu = *bar.addMenu(Menus::tr("Syste&m"));
    menu.addAction(&page->alarms().acknowledge());
    menu.addAction(&page->failovers().showOnTimeline());
    menu.addSeparator();
    page->processors().system().actions().fill(menu);
    menu.addSeparator();
    add(menu, {QStringLiteral("topology"), Menus::tr("&Edit the running topology"), {}},
        [page] { page->setView(RunView::Topology); });
}

void addViews(MainWindow& window, QMenu& menu)
{
    RunPage* page = window.page();
    auto* group = new QActionGroup(&menu);
    const std::array texts{Menus::tr("&Overview"), Menus::tr("&Timeline"),  Menus::tr("T&asks"),
                           Menus::tr("&Events"),   Menus::tr("Failo&vers"), Menus::tr("Alar&ms"),
                           Menus::tr("To&pology")};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto view = static_cast<RunView>(i);
        QAction* action = add(menu,
                              {{},
                               texts[i],
                               QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)),
                               page != nullptr},
                              [page, view] { page->setView(view); });
        action->setCheckable(true);
        action->setChecked(page != nullptr && page->view() == view);
        group->addAction(action);
    }
    QObject::connect(&menu, &QMenu::aboutToShow, group, [group, page] {
        if (page != nullptr)
            group->actions().at(static_cast<qsizetype>(page->view()))->setChecked(true);
    });
}

void addTimelineEntries(RunPage* page, QMenu& menu)
{
    const bool open = page != nullptr;
    add(menu,
        {QStringLiteral("zoomin"), Menus::tr("Zoom &in"), QKeySequence(QKeySequence::ZoomIn), open},
        [page] { page->timeline().zoomIn(); });
    add(menu,
        {QStringLiteral("zoomout"), Menus::tr("Zoom o&ut"), QKeySequence(QKeySequence::ZoomOut),
         open},
        [page] { page->timeline().zoomOut(); });
    add(menu,
        {QStringLiteral("fit"), Menus::tr("&Whole run"), QKeySequence(Qt::CTRL | Qt::Key_0), open},
        [page] { page->timeline().showAll(); });
    add(menu,
        {QStringLiteral("follow"), Menus::tr("Fo&llow what happens now"),
         QKeySequence(Qt::CTRL | Qt::Key_L), open},
        [page] { page->timeline().follow(); });
}

void addViewMenu(MainWindow& window, QMenuBar& bar)
{
    QMenu& menu = *bar.addMenu(Menus::tr("&View"));
    RunPage* page = window.page();
    addViews(window, menu);
    menu.addSeparator();
    if (page != nullptr) {
        for (QAction* dock : page->dockActions())
            menu.addAction(dock);
        menu.addSeparator();
    }
    addTimelineEntries(page, menu);
    menu.addSeparator();
    add(menu, {{}, Menus::tr("&Reset the layout"), {}, page != nullptr},
        [page] { page->resetLayout(); });
    QAction* full = add(
        menu, {QStringLiteral("fullscreen"), Menus::tr("&Full screen"), QKeySequence(Qt::Key_F11)},
        [] {});
    full->setCheckable(true);
    full->setChecked(window.isFullScreen());
    QObject::connect(full, &QAction::toggled, &window, &MainWindow::setFullScreen);
}

void addHelpMenu(MainWindow& window, QMenuBar& bar)
{
    QMenu& menu = *bar.addMenu(Menus::tr("&Help"));
    add(menu, {QStringLiteral("help"), Menus::tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1)},
        [&window] { window.showShortcuts(); });
    add(menu, {{}, Menus::tr("&About Tasuki"), {}}, [&window] { window.showAbout(); });
}

void collect(const QMenu& menu, QList<QAction*>& actions)
{
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr)
            collect(*action->menu(), actions);
        else if (!action->isSeparator())
            actions << action;
    }
}

} // namespace

QMenuBar* makeMenus(MainWindow& window)
{
    auto* bar = new QMenuBar;
    addFileMenu(window, *bar);
    addEditMenu(window, *bar);
    addTaskMenu(window, *bar);
    addSystemMenu(window, *bar);
    addViewMenu(window, *bar);
    addHelpMenu(window, *bar);
    return bar;
}

QList<ShortcutsDialog::Group> shortcutGroups(const QMenuBar& menus)
{
    QList<ShortcutsDialog::Group> groups;
    for (const QAction* top : menus.actions()) {
        ShortcutsDialog::Group group{.title = wording::withoutMnemonic(top->text()), .actions = {}};
        collect(*top->menu(), group.actions);
        groups << group;
    }
    return groups;
}

} // namespace tasuki

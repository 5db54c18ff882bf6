// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/mainwindow.h"
#include "cells/celltableview.h"
#include "gui/client/manualsource.h"
#include "gui/models/systembench.h"
#include "planner/planpage.h"
#include "runfile/runfilewriter.h"
#include "support/manualclock.h"
#include "topology/runningpanel.h"
#include "topology/subclustertablemodel.h"
#include "topology/topologypanel.h"

#include <QAbstractAnimation>
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

namespace tst_mainwindow {

using namespace tasuki;
using tasuki::testing::ManualSource;

namespace {

struct Bench {
    explicit Bench(const QString& language)
        : preferences(std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")),
                                                  QSettings::IniFormat))
    {
        languages.use(language);
        window = std::make_unique<MainWindow>(
            preferences, languages, clock,
            MainWindow::Surroundings{.accessDirectory = folder.path().toStdString(),
                                     .agentProgram = {}});
        window->resize(1400, 900);
    }
    /// Opens a run whose agent is gone, which is when the window has most to offer.
    void openRun()
    {
        auto source = std::make_unique<ManualSource>();
        manual = source.get();
        window->openSource(std::move(source));
        manual->setState(ConnectionState::Waiting);
        show();
    }
    /// Opens the planner with all that it can show.
    void openPlanner()
    {
        const auto write = [this](const QString& name, const QByteArray& content) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
                qFatal("a file cannot be written");
            return file.fileName();
        };
        window->openTrace(write(QStringLiteral("t.alog"),
                                "155 1 0 0 0 0\n"
                                "161 0 0 0 0 100\n"
                                "-101 0 0 1 0 100 0 1000\n"
                                "162 0 0 0 0 110\n"
                                "-102 1 0 0 0 300 0 1000\n"
                                "156 1 0 0 0 300\n"));
        window->openEnvironment(write(QStringLiteral("e.toml"),
                                      "[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n"
                                      "[link_default]\na0_us = 6.0\na1_us_per_byte = 0.1\n"));
        show();
        QTRY_VERIFY(window->planPage()->showsPrediction());
        AgentEntry agent;
        agent.host = QStringLiteral("grid00");
        agent.running = true;
        window->planPage()->setAgents({agent});
    }
    /// Opens the editor of topologies with all that it can show.
    void openTopology()
    {
        QFile file(folder.filePath(QStringLiteral("two.toml")));
        const QByteArray content = "[[subcluster]]\nname = \"a\"\nactive = 2\n";
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("a file cannot be written");
        file.close();
        window->openTopology(file.fileName());
        show();
        QTRY_VERIFY(!window->topologyPage()->document().isEmpty());
    }
    void open(const QString& content)
    {
        if (content == QStringLiteral("run"))
            openRun();
        else if (content == QStringLiteral("planner"))
            openPlanner();
        else if (content == QStringLiteral("topology"))
            openTopology();
        else
            show();
    }
    void show()
    {
        window->show();
        if (!QTest::qWaitForWindowExposed(window.get()))
            qFatal("the window is not shown");
    }

    QTemporaryDir folder;
    ManualClock clock;
    Preferences preferences;
    Languages languages;
    std::unique_ptr<MainWindow> window;
    ManualSource* manual = nullptr; ///< of the opened run
};

/// Until all stands where it shall stand: nothing is laid out anew, deleted or moved any more.
void comeToRest(MainWindow& window)
{
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QTRY_VERIFY(window.findChildren<QAbstractAnimation*>().isEmpty());
    QCoreApplication::processEvents();
}

/// What stands behind Alt and a letter: menus, buttons and labels of fields that can be seen.
QMultiMap<QString, QString> mnemonics(MainWindow& window)
{
    QMultiMap<QString, QString> found;
    const auto add = [&found](const QString& text) {
        const QKeySequence keys = QKeySequence::mnemonic(text);
        if (!keys.isEmpty())
            found.insert(keys.toString(), text);
    };
    for (const QAction* action : window.menuBar()->actions())
        add(action->text());
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
        if (button->isVisible())
            add(button->text());
    }
    for (const QTabBar* tabs : window.findChildren<QTabBar*>()) {
        for (int tab = 0; tab < tabs->count() && tabs->isVisible(); ++tab)
            add(tabs->tabText(tab));
    }
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (label->isVisible() && label->buddy() != nullptr)
            add(label->text());
    }
    return found;
}

} // namespace

/// What breaks it: two things behind one letter, of which neither is then reached; docks that do not
/// come back as they were.
class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lettersAreUnique_data();
    void lettersAreUnique();
    void keysAreUnique_data() { lettersAreUnique_data(); }
    void keysAreUnique();
    void eventsTakeTheMiddleAndGiveItBack();
    void opensAndClosesTopologies();
    void asksBeforeATopologyIsLost();
    void titleCountsAlarms();
    void editsTheRunningTopology();
    void shortRunsAreShownFromTheirRecords();
};

void TestMainWindow::lettersAreUnique_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("content");
    for (const char* language : {"en", "ja"}) {
        for (const char* content : {"start page", "run", "planner", "topology"})
            QTest::addRow("%s, %s", language, content)
                << QString::fromLatin1(language) << QString::fromLatin1(content);
    }
}

void TestMainWindow::lettersAreUnique()
{
    QFETCH(QString, language);
    QFETCH(QString, content);
    Bench bench(language);
    bench.open(content);
    // What is below takes turns.
    for (const RunView view :
         {RunView::Overview, RunView::Failovers, RunView::Alarms, RunView::Topology}) {
        bench.window->setView(view);
        comeToRest(*bench.window);
        const QMultiMap<QString, QString> found = mnemonics(*bench.window);
        QVERIFY(found.size() > 6);
        for (const QString& keys : found.uniqueKeys()) {
            const QStringList texts = found.values(keys);
            QVERIFY2(texts.size() == 1, qPrintable(keys + ": " + texts.join(", ")));
        }
    }
}

// Keys that hold in the whole window; those of a part hold while it has the focus.
void TestMainWindow::keysAreUnique()
{
    QFETCH(QString, language);
    QFETCH(QString, content);
    Bench bench(language);
    bench.open(content);
    QMultiMap<QString, QString> found;
    for (const QAction* action : bench.window->findChildren<QAction*>()) {
        if (!action->isEnabled() || action->shortcutContext() != Qt::WindowShortcut)
            continue;
        for (const QKeySequence& keys : action->shortcuts())
            found.insert(keys.toString(), action->text());
    }
    QVERIFY(found.size() > 4);
    for (const QString& keys : found.uniqueKeys()) {
        const QStringList texts = found.values(keys);
        QVERIFY2(texts.size() == 1, qPrintable(keys + ": " + texts.join(", ")));
    }
}

void TestMainWindow::eventsTakeTheMiddleAndGiveItBack()
{
    Bench bench(QStringLiteral("en"));
    bench.openRun();
    const QList<QDockWidget*> docks = bench.window->findChildren<QDockWidget*>();
    const auto sizes = [&docks] {
        QList<QSize> all;
        for (const QDockWidget* dock : docks)
            all << dock->size();
        return all;
    };
    comeToRest(*bench.window);
    const QList<QSize> before = sizes();
    QDockWidget* events = bench.window->findChild<QDockWidget*>(QStringLiteral("events"));
    QVERIFY(events != nullptr);
    bench.window->setView(RunView::Events);
    QTRY_VERIFY(events->height() > 500 && events->width() > 900);
    bench.window->setView(RunView::Overview);
    QTRY_COMPARE(sizes(), before);
}

void TestMainWindow::opensAndClosesTopologies()
{
    Bench bench(QStringLiteral("en"));
    bench.openTopology();
    MainWindow& window = *bench.window;
    QCOMPARE(window.windowTitle(), QStringLiteral("two.toml - Tasuki"));
    QVERIFY(window.page() == nullptr && window.planPage() == nullptr);
    // Another language leaves what is open, and what was done.
    window.topologyPage()->addAction().trigger();
    QVERIFY(window.topologyPage()->finishEditing());
    window.preferences().setLanguage(QStringLiteral("ja"));
    QCOMPARE(window.topologyPage()->document().edited().count(), std::size_t{2});
    QVERIFY(window.topologyPage()->undoAction().isEnabled());
    QCOMPARE(window.windowTitle(), QStringLiteral("two.toml * - Tasuki"));
    window.topologyPage()->undoAction().trigger();
    window.closeRun();
    QVERIFY(window.topologyPage() == nullptr);
    QCOMPARE(window.windowTitle(), QStringLiteral("Tasuki"));
    window.newTopology();
    QVERIFY(window.topologyPage()->document().isEmpty());
}

void TestMainWindow::asksBeforeATopologyIsLost()
{
    Bench bench(QStringLiteral("en"));
    bench.openTopology();
    MainWindow& window = *bench.window;
    window.topologyPage()->addAction().trigger();
    QVERIFY(window.topologyPage()->finishEditing());
    const auto answer = [](QMessageBox::StandardButton button) {
        QTimer::singleShot(0, qApp, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            box->button(button)->click();
        });
    };
    answer(QMessageBox::Cancel);
    QVERIFY(!window.close());
    answer(QMessageBox::Cancel);
    window.newTopology();
    QCOMPARE(window.topologyPage()->document().edited().count(), std::size_t{2});
    answer(QMessageBox::Discard);
    window.newTopology();
    QVERIFY(window.topologyPage()->document().isEmpty());
    QVERIFY(window.close());
}

void TestMainWindow::titleCountsAlarms()
{
    Bench bench(QStringLiteral("en"));
    bench.openRun();
    const QString plain = bench.window->windowTitle();
    QVERIFY(!plain.contains(QStringLiteral("alarm")));
    const auto notice = [](std::uint64_t number, EventPayload payload) {
        return Event{.id = {Epoch(1), Sequence(number)},
                     .wallTime = {},
                     .monotonic = {},
                     .payload = std::move(payload)};
    };
    const Notice bad{.severity = Severity::Failure, .text = "disk full"};
    bench.manual->deliver({notice(1, RunOpened{}), notice(2, bad), notice(3, bad)});
    QTRY_COMPARE(bench.window->windowTitle(), QStringLiteral("(2 alarms) ") + plain);
    bench.manual->deliver({notice(
        4, AlarmAcknowledged{.alarm = {Epoch(1), Sequence(2)}, .who = "me", .comment = {}})});
    QTRY_COMPARE(bench.window->windowTitle(), QStringLiteral("(1 alarm) ") + plain);
}

void TestMainWindow::editsTheRunningTopology()
{
    Bench bench(QStringLiteral("en"));
    bench.openRun();
    MainWindow& window = *bench.window;
    std::vector<EventPayload> begun = tasuki::testing::systemBegins();
    auto& layout = std::get<SystemLaidOut>(begun[1]);
    layout.topologyText = "[[subcluster]]\nname = \"a\"\nactive = 4\n";
    layout.topologyRevision = 1;
    std::vector<Event> events;
    for (EventPayload& payload : begun)
        events.push_back({.id = {Epoch(1), Sequence(events.size() + 1)},
                          .wallTime = {},
                          .monotonic = {},
                          .payload = std::move(payload)});
    bench.manual->deliver(std::move(events));
    QTRY_VERIFY(window.runningPanel() != nullptr
                && window.runningPanel()->processors().model()->rowCount() == 12);
    QDockWidget* details = window.findChild<QDockWidget*>(QStringLiteral("details"));
    QVERIFY(details->isVisible() && !window.runningPanel()->isVisible());
    window.setView(RunView::Topology);
    QVERIFY(window.runningPanel()->isVisible() && !details->isVisible());
    window.setView(RunView::Alarms);
    QVERIFY(details->isVisible());
    window.setView(RunView::Topology);
    QTRY_VERIFY(window.runningPanel()->isVisible());
    // Two things behind one letter are reached by none, in either language.
    for (const char* language : {"ja", "en"}) {
        window.preferences().setLanguage(QString::fromLatin1(language));
        for (const auto page :
             {TopologyEditors::Page::Subclusters, TopologyEditors::Page::System}) {
            window.runningPanel()->editors().showPage(page);
            comeToRest(window);
            const QMultiMap<QString, QString> found = mnemonics(window);
            for (const QString& keys : found.uniqueKeys())
                QVERIFY2(found.values(keys).size() == 1,
                         qPrintable(keys + ": " + found.values(keys).join(", ")));
        }
    }
    // What is edited stays when the window speaks another language, and does not go unasked.
    QAbstractItemModel& cells = *window.runningPanel()->editors().table().model();
    QVERIFY(cells.setData(
        cells.index(0, SubclusterTableModel::columnOf(config::TopologyField::Minimum)),
        QStringLiteral("2")));
    window.preferences().setLanguage(QStringLiteral("ja"));
    QCOMPARE(window.page()->view(), RunView::Topology);
    QVERIFY(window.runningPanel()->discardAction().isEnabled());
    QTimer::singleShot(0, qApp, [] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(box != nullptr);
        box->reject();
    });
    window.closeRun();
    QVERIFY(window.page() != nullptr);
    window.runningPanel()->discardAction().trigger();
    window.closeRun();
    QVERIFY(window.page() == nullptr);
}

// Fails if a run that was started here and is over before the window could ask its agent is not shown.
void TestMainWindow::shortRunsAreShownFromTheirRecords()
{
    Bench bench(QStringLiteral("en"));
    const QString record = bench.folder.filePath(QStringLiteral("short.tasuki"));
    auto writer = RunFileWriter::create(record.toStdString(), RunId::random());
    QVERIFY(writer.ok());
    const std::vector<Event> events{
        {.id = {Epoch(1), Sequence(1)}, .wallTime = {}, .monotonic = {}, .payload = RunOpened{}},
        {.id = {Epoch(1), Sequence(2)}, .wallTime = {}, .monotonic = {}, .payload = RunClosed{}}};
    QVERIFY(writer->append(events).ok());
    bench.show();
    const QString gone = bench.folder.filePath(QStringLiteral("gone.json"));
    bench.window->openStarted(gone, record);
    const auto kind = [&] { return bench.window->page()->models().session.kind(); };
    QCOMPARE(kind(), SourceKind::Agent);
    QTRY_COMPARE(kind(), SourceKind::RunFile);
    // What somebody has chosen stays.
    bench.window->openAgent(gone);
    const auto state = [&] { return bench.window->page()->models().session.connection().state; };
    QTRY_COMPARE(state(), ConnectionState::Refused);
    QCoreApplication::sendPostedEvents(); // by which it would turn to the record
    QCOMPARE(kind(), SourceKind::Agent);
}

QTEST_MAIN(TestMainWindow)

} // namespace tst_mainwindow

#include "tst_mainwindow.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "gui/models/sessionbench.h"
#include "models/exportvalue.h"
#include "samplesystem.h"
#include "viewbench.h"
#include "views/addtasksdialog.h"
#include "views/bannertext.h"
#include "views/connectionbanner.h"
#include "views/launchplan.h"
#include "views/listeditor.h"
#include "views/progressstrip.h"
#include "views/resumeoffer.h"
#include "views/settingsdialog.h"
#include "views/startpage.h"
#include "views/startrundialog.h"
#include "views/tableexport.h"

#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTreeWidget>

namespace tst_dialogs {

using namespace tasuki;
using tasuki::testing::ViewBench;

/// Dialogs, banner and start page.
/// What breaks it: a banner that keeps silent or lets stale data pass for current, a dialog that
/// takes what is wrong, a launch whose failure is not told.
class TestDialogs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bannerTellsStates_data();
    void bannerTellsStates();
    void bannerCountsDown();
    void bannerTellsOfARestart_data();
    void bannerTellsOfARestart();
    void endedRunsCanGoOn();
    void bannerGroupsDigits();
    void chosenTasksAreNamed();
    void resumedRunsNeedNoList();
    void addTasksChecksWhatIsTyped();
    void addTasksSends();
    void startRunShowsTheCommand();
    void startRunNamesProblems();
    void startRunTellsTheLaunchersWords();
    void startPageLeadsToFiles();
    void settingsAreKept();
    void exportsQuote();
    void exportsAreForPrograms();
    void stripShowsFailures();
};

void TestDialogs::bannerTellsStates_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("shown");
    QTest::addColumn<bool>("stale");
    const auto row = [](const char* name, ConnectionState state, bool shown, bool stale) {
        QTest::newRow(name) << static_cast<int>(state) << shown << stale;
    };
    row("live", ConnectionState::Live, false, false);
    row("waiting", ConnectionState::Waiting, true, true);
    row("refused", ConnectionState::Refused, true, true);
    row("ended", ConnectionState::Ended, true, true);
    row("connecting", ConnectionState::Connecting, true, true);
    row("catching up", ConnectionState::CatchingUp, true, true);
}

void TestDialogs::bannerTellsStates()
{
    QFETCH(int, state);
    QFETCH(bool, shown);
    QFETCH(bool, stale);
    ViewBench bench;
    bench.begin(3);
    ConnectionBanner banner(bench.models().session);
    bench.source->setState(static_cast<ConnectionState>(state));
    QCOMPARE(!banner.isHidden(), shown);
    QCOMPARE(banner.stale(), stale);
    if (shown)
        QVERIFY(!bannerContent(bench.models().session)->headline.isEmpty());
}

void TestDialogs::bannerCountsDown()
{
    ViewBench bench;
    bench.begin(1);
    ConnectionStatus status;
    status.state = ConnectionState::Waiting;
    status.reason = QStringLiteral("nobody answers");
    status.nextTry = bench.clock.now() + std::chrono::milliseconds(2400);
    Q_EMIT bench.source->statusChanged(status);
    const auto content = bannerContent(bench.models().session);
    QVERIFY(content.has_value());
    QVERIFY(content->headline.contains(QStringLiteral("3 s")));
    QVERIFY(content->explanation.contains(QStringLiteral("nobody answers.")));
    QCOMPARE(content->remedy, BannerContent::Remedy::TryNow);
}

void TestDialogs::bannerTellsOfARestart_data()
{
    QTest::addColumn<int>("policy");
    QTest::addColumn<bool>("down");
    QTest::addColumn<int>("end");
    QTest::addColumn<bool>("again");
    const auto row = [](const char* name, DownPolicy policy, bool down, RunEnd end, bool again) {
        QTest::newRow(name) << static_cast<int>(policy) << down << static_cast<int>(end) << again;
    };
    row("restart", DownPolicy::Restart, true, RunEnd::Interrupted, true);
    row("stop", DownPolicy::Stop, true, RunEnd::Interrupted, false);
    row("continue", DownPolicy::Continue, true, RunEnd::Interrupted, false);
    row("nothing is down", DownPolicy::Restart, false, RunEnd::Interrupted, false);
    row("all was done", DownPolicy::Restart, true, RunEnd::Complete, false);
}

// Fails if an operator is told that a run is over which starts again, or the other way round.
void TestDialogs::bannerTellsOfARestart()
{
    QFETCH(int, policy);
    QFETCH(bool, down);
    QFETCH(int, end);
    QFETCH(bool, again);
    ViewBench bench;
    bench.begin(static_cast<RunEnd>(end) == RunEnd::Complete ? 0 : 3);
    SystemLaidOut layout = SampleSystem::layout();
    layout.policy = static_cast<DownPolicy>(policy);
    bench.happen({layout, SystemStarted{}});
    if (down)
        bench.happen({SubclusterChanged{.subcluster = SubclusterId(1),
                                        .state = ClusterState::Down,
                                        .cause = "1 rank is held"}});
    bench.happen({RunClosed{.end = static_cast<RunEnd>(end), .elapsed = {}}});
    bench.source->setState(ConnectionState::Ended);
    const auto content = bannerContent(bench.models().session);
    QVERIFY(content.has_value());
    QCOMPARE(content->headline.contains(QStringLiteral("start again")), again);
    QCOMPARE(content->stale, again);
    QCOMPARE(content->remedy, BannerContent::Remedy::OpenRunFile);
}

// Fails if the window leaves people alone with a run that is over and not done.
void TestDialogs::endedRunsCanGoOn()
{
    const QTemporaryDir folder;
    QFile record(folder.filePath(QStringLiteral("list.tasuki")));
    QVERIFY(record.open(QIODevice::WriteOnly));
    tasuki::testing::SessionBench bench(SourceKind::RunFile);
    bench.source->named = record.fileName();
    QVERIFY(!resumeOffer(*bench.session));
    bench.begin(2);
    bench.happen({RunClosed{.end = RunEnd::Interrupted, .elapsed = {}}});
    auto offer = resumeOffer(*bench.session);
    QVERIFY(offer.has_value());
    QCOMPARE(offer->left, std::size_t{2});
    QCOMPARE(offer->plan.slots, 4);
    QCOMPARE(offer->plan.goal, LaunchPlan::Goal::Resume);
    QVERIFY(offer->plan.commandLine(QStringLiteral("tasuki-agent"))
                .contains(QStringLiteral(" --resume ") + record.fileName()));
    QCOMPARE(bannerContent(*bench.session)->remedy, BannerContent::Remedy::Resume);
    QVERIFY(!bannerContent(*bench.session)->explanation.contains(QStringLiteral("not closed")));
    ConnectionBanner banner(*bench.session);
    QSignalSpy wanted(&banner, &ConnectionBanner::resumeWanted);
    banner.findChild<QPushButton*>()->click();
    QCOMPARE(wanted.size(), 1);

    bench.happen({RunOpened{.host = "h", .version = "1", .directory = "/", .taskList = "list"}});
    // Another host writes it: how old this is counts, not the latest event.
    ConnectionStatus status;
    status.state = ConnectionState::Offline;
    status.reason = QStringLiteral("This is as of noon, written by node7");
    Q_EMIT bench.source->statusChanged(status);
    const auto telling = [&] { return *bannerContent(*bench.session); };
    QVERIFY(telling().explanation.contains(status.reason));
    QCOMPARE(telling().remedy, BannerContent::Remedy::None); // it was written just now
    QVERIFY(!resumeOffer(*bench.session));
    bench.clock.advance(bench.at - bench.clock.wallNow() + std::chrono::seconds(11));
    QVERIFY(telling().explanation.contains(status.reason));
    QCOMPARE(telling().remedy, BannerContent::Remedy::Resume);
    for (std::uint32_t task = 0; task < 2; ++task) {
        AttemptResult result;
        result.outcome = task == 0 ? Outcome::Succeeded : Outcome::Failed;
        bench.happen({AttemptFinished{.key = {TaskId(task), AttemptNumber(1)},
                                      .rank = Rank(0),
                                      .slot = SlotIndex(0),
                                      .disposition = Disposition::Final,
                                      .result = result}});
    }
    bench.happen({RunClosed{.end = RunEnd::Complete, .elapsed = {}}});
    offer = resumeOffer(*bench.session);
    QVERIFY(offer.has_value());
    QCOMPARE(offer->failed, std::size_t{1});
    QVERIFY(offer->plan.arguments().contains(QStringLiteral("--retry-failed")));
    QCOMPARE(bannerContent(*bench.session)->remedy, BannerContent::Remedy::RetryFailed);

    offer->plan.directory = folder.path();
    QVERIFY(offer->plan.problems()[static_cast<std::size_t>(LaunchPlan::Field::RunFile)].isEmpty());
    QVERIFY(record.remove());
    QVERIFY(
        !offer->plan.problems()[static_cast<std::size_t>(LaunchPlan::Field::RunFile)].isEmpty());
    QVERIFY(!resumeOffer(*bench.session)); // its record is not here
}

void TestDialogs::bannerGroupsDigits()
{
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    ViewBench bench(SourceKind::RunFile);
    QFile record(bench.folder.filePath(QStringLiteral("r.tasuki")));
    QVERIFY(record.open(QIODevice::WriteOnly));
    bench.source->named = record.fileName();
    bench.begin(1'234);
    bench.happen({RunClosed{.end = RunEnd::Interrupted, .elapsed = {}}});
    const QString headline = bannerContent(bench.models().session)->headline;
    QLocale::setDefault(before);
    QVERIFY2(headline.startsWith(QStringLiteral("1,234 ")), qPrintable(headline));
}

void TestDialogs::chosenTasksAreNamed()
{
    const auto ranges = [](std::initializer_list<std::uint32_t> tasks) {
        QList<TaskId> ids;
        for (const std::uint32_t task : tasks)
            ids << TaskId(task);
        return taskRanges(ids);
    };
    QCOMPARE(ranges({}), QString());
    QCOMPARE(ranges({3}), QStringLiteral("3"));
    QCOMPARE(ranges({9, 7, 3, 8, 4, 11}), QStringLiteral("3-4,7-9,11"));
    QCOMPARE(ranges({0, 1, 1, 2}), QStringLiteral("0-2"));
    LaunchPlan plan;
    plan.goal = LaunchPlan::Goal::RetryTasks;
    plan.runFile = QStringLiteral("r.tasuki");
    plan.tasks = QStringLiteral("3,7-9");
    QCOMPARE(plan.commandLine(QStringLiteral("tasuki-agent")),
             QStringLiteral("tasuki-agent launch -n 2 -- farm --resume r.tasuki --slots 1 "
                            "--retry 3,7-9 --quiet"));
    // What the form does not have goes on as it was.
    plan.topology = QStringLiteral("t.toml");
    plan.dedicatedMaster = true; // of the topology
    plan.keeping = {.recordBytes = 4'096, .directory = "/o ut"};
    ViewBench bench;
    AgentFinder finder(bench.folder.path().toStdString());
    StartRunDialog dialog(finder, bench.clock, bench.preferences, QStringLiteral("/bin/true"));
    dialog.setResumption(plan);
    QVERIFY(dialog.commandLine().contains(
        QStringLiteral(" --topology t.toml --record-output 4096 --output-dir '/o ut' ")));
    QVERIFY(!dialog.commandLine().contains(QStringLiteral("--dedicated-master")));
    QCOMPARE(dialog.plan().tasks, plan.tasks);
    QVERIFY(dialog.commandLine().contains(QStringLiteral("--retry 3,7-9")));
}

// Fails if a run whose list came from a window or from standard input cannot be resumed, or loses tasks.
void TestDialogs::resumedRunsNeedNoList()
{
    tasuki::testing::SessionBench bench(SourceKind::RunFile);
    bench.begin(2);
    RunOpened opened{.host = "h", .version = "1", .directory = "/", .taskList = "list"};
    bench.happen({opened});
    QVERIFY(hasListOfItsOwn(bench.session->state()));
    opened.taskList = "-";
    bench.happen({opened});
    QVERIFY(!hasListOfItsOwn(bench.session->state()));
    opened.taskList = "list";
    Task added = ViewBench::task(2, "by a window");
    added.line = 0;
    bench.happen({opened, TaskAdded{.id = TaskId(2), .task = added}});
    QVERIFY(!hasListOfItsOwn(bench.session->state()));

    LaunchPlan plan;
    plan.goal = LaunchPlan::Goal::Resume;
    QVERIFY(plan.problems()[static_cast<std::size_t>(LaunchPlan::Field::TaskList)].isEmpty());
    plan.goal = LaunchPlan::Goal::New;
    QVERIFY(!plan.problems()[static_cast<std::size_t>(LaunchPlan::Field::TaskList)].isEmpty());
}

void TestDialogs::addTasksChecksWhatIsTyped()
{
    ViewBench bench;
    bench.begin(2);
    AddTasksDialog dialog(bench.models().session);
    QSignalSpy checked(&dialog, &AddTasksDialog::checked);
    QVERIFY(checked.wait());
    QVERIFY(!dialog.addButton().isEnabled());

    dialog.editor().setPlainText(QStringLiteral("true\n#TASUKI retires=2\nfalse\n"));
    QVERIFY(checked.wait());
    QVERIFY(!dialog.addButton().isEnabled());
    QCOMPARE(dialog.problems().topLevelItemCount(), 1);
    QVERIFY(dialog.problems().topLevelItem(0)->text(0).startsWith(QStringLiteral("2:")));
    Q_EMIT dialog.problems().itemActivated(dialog.problems().topLevelItem(0), 0);
    QCOMPARE(dialog.editor().textCursor().blockNumber(), 1);

    dialog.editor().setPlainText(QStringLiteral("true\n#TASUKI retries=2\nfalse\n"));
    QVERIFY(checked.wait());
    QVERIFY(dialog.addButton().isEnabled());
    QVERIFY(dialog.verdict().contains(QLatin1Char('2')));
}

void TestDialogs::addTasksSends()
{
    ViewBench bench;
    bench.begin(2);
    AddTasksDialog dialog(bench.models().session);
    dialog.show();
    QSignalSpy checked(&dialog, &AddTasksDialog::checked);
    dialog.editor().setPlainText(QStringLiteral("true\n"));
    QTRY_VERIFY(dialog.addButton().isEnabled());
    dialog.addButton().click();
    QCOMPARE(bench.source->commands.size(), std::size_t{1});
    QCOMPARE(std::get<AddTasks>(bench.source->commands[0].first).text, std::string("true\n"));
    bench.source->commands[0].second(ViewBench::refused("the run ends", {"1:1: no"}));
    QVERIFY(dialog.isVisible());
    QVERIFY(dialog.verdict().contains(QStringLiteral("the run ends")));
    QCOMPARE(dialog.problems().topLevelItem(0)->text(1), QStringLiteral("1:1: no"));
    dialog.addButton().click();
    bench.source->commands[1].second(ViewBench::accepted());
    QVERIFY(!dialog.isVisible());
}

void TestDialogs::startRunShowsTheCommand()
{
    LaunchPlan plan;
    plan.taskList = QStringLiteral("it's.sh");
    plan.runFile = QStringLiteral("a b.tasuki");
    plan.ranks = 4;
    plan.slots = 0;
    plan.retries = QStringLiteral("2");
    plan.timeout = QStringLiteral("10m");
    plan.dedicatedMaster = true;
    QCOMPARE(plan.commandLine(QStringLiteral("tasuki-agent")),
             QStringLiteral("tasuki-agent launch -n 4 -- farm 'it'\\''s.sh' --run 'a b.tasuki' "
                            "--slots auto --retries 2 --timeout 10m --dedicated-master --quiet"));
}

void TestDialogs::startRunNamesProblems()
{
    QTemporaryDir folder;
    LaunchPlan plan;
    plan.directory = folder.path();
    plan.taskList = QStringLiteral("list.sh");
    plan.runFile = QStringLiteral("list.tasuki");
    const auto problem = [&](LaunchPlan::Field field) {
        return plan.problems()[static_cast<std::size_t>(field)];
    };
    QVERIFY(!problem(LaunchPlan::Field::TaskList).isEmpty());
    QVERIFY(!plan.valid());
    QFile list(folder.filePath(QStringLiteral("list.sh")));
    QVERIFY(list.open(QIODevice::WriteOnly));
    QVERIFY(plan.valid());
    plan.timeout = QStringLiteral("soon");
    QVERIFY(!problem(LaunchPlan::Field::Timeout).isEmpty());
    plan.timeout.clear();
    plan.ranks = 1;
    plan.dedicatedMaster = true;
    QVERIFY(!problem(LaunchPlan::Field::Ranks).isEmpty());
    plan.dedicatedMaster = false;
    QFile record(folder.filePath(QStringLiteral("list.tasuki")));
    QVERIFY(record.open(QIODevice::WriteOnly));
    QVERIFY(!problem(LaunchPlan::Field::RunFile).isEmpty());
    QCOMPARE(LaunchPlan::runFileFor(QStringLiteral("list.sh"), folder.path()),
             QStringLiteral("list-2.tasuki"));
}

void TestDialogs::startRunTellsTheLaunchersWords()
{
    ViewBench bench;
    AgentFinder finder(bench.folder.filePath(QStringLiteral("agents")).toStdString());
    const QString program = bench.folder.filePath(QStringLiteral("agent"));
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho no node is free >&2\nexit 5\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner));
    QFile list(bench.folder.filePath(QStringLiteral("list.sh")));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.close();

    StartRunDialog dialog(finder, bench.clock, bench.preferences, program);
    dialog.show();
    QVERIFY(!dialog.startButton().isEnabled());
    dialog.setTaskList(list.fileName());
    QVERIFY(dialog.startButton().isEnabled());
    QVERIFY(dialog.commandLine().contains(QStringLiteral("--run list.tasuki")));
    dialog.startButton().click();
    QVERIFY(!dialog.startButton().isEnabled());
    QTRY_VERIFY(dialog.failure().contains(QStringLiteral("no node is free")));
    QVERIFY(dialog.isVisible());
    QVERIFY(dialog.startButton().isEnabled());
}

void TestDialogs::startPageLeadsToFiles()
{
    ViewBench bench;
    AgentFinder finder(bench.folder.filePath(QStringLiteral("agents")).toStdString());
    bench.preferences.addRecentFile(QStringLiteral("/data/a.tasuki"));
    bench.preferences.addRecentFile(QStringLiteral("/data/b.tasuki"));
    StartPage page(finder, bench.preferences);
    QCOMPARE(page.files().topLevelItemCount(), 2);
    QCOMPARE(page.files().topLevelItem(0)->text(0), QStringLiteral("b.tasuki"));
    QSignalSpy chosen(&page, &StartPage::runFileChosen);
    page.show();
    page.files().setCurrentItem(page.files().topLevelItem(1));
    QTest::keyClick(&page.files(), Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("/data/a.tasuki"));
    bench.preferences.removeRecentFile(QStringLiteral("/data/a.tasuki"));
    QCOMPARE(page.files().topLevelItemCount(), 1);
}

void TestDialogs::settingsAreKept()
{
    ViewBench bench;
    QSignalSpy language(&bench.preferences, &Preferences::languageChanged);
    bench.preferences.setLanguage(QStringLiteral("ja"));
    bench.preferences.setTheme(ThemeChoice::Dark);
    bench.preferences.setTimeDisplay(TimeDisplay::SinceStart);
    bench.preferences.setConfirmCancel(false);
    QCOMPARE(language.size(), 1);
    SettingsDialog dialog(bench.preferences);
    dialog.accept();
    QCOMPARE(bench.preferences.language(), QStringLiteral("ja"));
    QCOMPARE(bench.preferences.theme(), ThemeChoice::Dark);
    QCOMPARE(bench.preferences.timeDisplay(), TimeDisplay::SinceStart);
    QVERIFY(!bench.preferences.confirmCancel());
    QCOMPARE(language.size(), 1);
}

void TestDialogs::exportsQuote()
{
    QStandardItemModel model(1, 2);
    model.setHorizontalHeaderLabels({QStringLiteral("a"), QStringLiteral("b, c")});
    model.setItem(0, 0, new QStandardItem(QStringLiteral("say \"x\"")));
    model.setItem(0, 1, new QStandardItem(QStringLiteral("1\t2\n3\\")));
    QCOMPARE(tableText(model, TableFormat::Csv),
             QStringLiteral("a,\"b, c\"\r\n\"say \"\"x\"\"\",\"1\t2\n3\\\"\r\n"));
    QCOMPARE(tableText(model, TableFormat::Tsv, {1}), QStringLiteral("b, c\n1\\t2\\n3\\\\\n"));
}

void TestDialogs::exportsAreForPrograms()
{
    QStandardItemModel model(1, 2);
    model.setHorizontalHeaderLabels({QStringLiteral("Started"), QStringLiteral("Run time")});
    model.setHeaderData(1, Qt::Horizontal, exportSecondsTitle(QStringLiteral("Run time")),
                        exportRole);
    model.setItem(0, 0, new QStandardItem(QStringLiteral("14:03:22")));
    model.setItem(0, 1, new QStandardItem(QStringLiteral("430 ms")));
    model.item(0, 0)->setData(
        exportTime(WallTime(std::chrono::microseconds(1'700'000'000'123'456))), exportRole);
    model.item(0, 1)->setData(exportSeconds(std::chrono::milliseconds(430)), exportRole);
    QCOMPARE(tableText(model, TableFormat::Csv),
             QStringLiteral("Started,Run time (s)\r\n2023-11-14T22:13:20.123Z,0.430000\r\n"));
    QCOMPARE(exportSeconds(std::chrono::microseconds(-1)), QString());
}

void TestDialogs::stripShowsFailures()
{
    RunSummary summary;
    summary.total = 1'000'000;
    summary.succeeded = 999'999;
    summary.failed = 1;
    const auto ends = ProgressStrip::segments(summary, 400);
    QVERIFY2(ends[1] > ends[0] && ends[1] == 400, "one failure in a million is seen");
    summary.succeeded = 500'000;
    const auto half = ProgressStrip::segments(summary, 400);
    QCOMPARE(half[0], 200);
    QCOMPARE(half[1], 202);
    QCOMPARE(half[3], 202);
}

QTEST_MAIN(TestDialogs)

} // namespace tst_dialogs

#include "tst_dialogs.moc"

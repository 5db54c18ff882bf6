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
#include "views/openremotedialog.h"
#include "views/progressstrip.h"
#include "views/resumeoffer.h"
#include "views/settingsdialog.h"
#include "views/startpage.h"
#include "views/tableexport.h"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
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
    void addTasksChecksWhatIsTyped();
    void addTasksSends();
    void remoteRunIsAskedFor();
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

void TestDialogs::remoteRunIsAskedFor()
{
    QTemporaryDir folder;
    QFile configuration(folder.filePath(QStringLiteral("config")));
    QVERIFY(configuration.open(QIODevice::WriteOnly));
    configuration.write(
        "# Host none\nHost login *.cluster far\n  HostName x\nhost=login\nMatch host y\n");
    configuration.close();
    QCOMPARE(sshHosts(configuration.fileName()),
             QStringList({QStringLiteral("login"), QStringLiteral("far")}));
    QVERIFY(sshHosts(folder.filePath(QStringLiteral("nothing"))).isEmpty());

    OpenRemoteDialog dialog({QStringLiteral("login")});
    QVERIFY(!dialog.openButton().isEnabled());
    dialog.host().setEditText(QStringLiteral("me@node0"));
    dialog.path().setText(QStringLiteral("r.tasuki"));
    QVERIFY(!dialog.problem().isEmpty() && !dialog.openButton().isEnabled());
    dialog.path().setText(QStringLiteral("~/r.tasuki"));
    QVERIFY(dialog.openButton().isEnabled());
    QCOMPARE(dialog.address(), QStringLiteral("ssh://me@node0/~/r.tasuki"));
    dialog.host().setEditText(QStringLiteral("-oProxyCommand=x"));
    QVERIFY(!dialog.openButton().isEnabled());
    // Pasted whole, as an address or as scp takes it.
    dialog.host().setEditText(QStringLiteral("ssh://node1:2200/~/a/b.tasuki"));
    QCOMPARE(dialog.path().text(), QStringLiteral("~/a/b.tasuki"));
    QCOMPARE(dialog.address(), QStringLiteral("ssh://node1:2200/~/a/b.tasuki"));
    dialog.host().setEditText(QStringLiteral("you@node2:/c.tasuki"));
    QCOMPARE(dialog.address(), QStringLiteral("ssh://you@node2/c.tasuki"));
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

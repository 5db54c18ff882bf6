// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole window, without a display, at a run that starts again. What breaks each test stands above
// it. With TASUKI_PICTURES, a directory, it leaves pictures of what was seen there.
#include <QTest>

#include "failoverfarm.h"
#include "windowbench.h"

#include "app/mainwindow.h"
#include "models/wording.h"
#include "views/bannertext.h"

#include <QApplication>
#include <QLoggingCategory>
#include <QSettings>
#include <QTemporaryDir>
#include <csignal>

namespace tst_e2e_rejoin {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int startLimit = 40'000; // ms, for all processors of a busy machine to come up

/// A window that is shown, at the agent of a workspace.
struct ShownRun {
    explicit ShownRun(const FailoverFarm& farm)
        : preferences(
            std::make_unique<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat)),
          window(preferences, languages, clock,
                 {.accessDirectory = farm.place.path(".access").toStdString(), .agentProgram = {}})
    {
        window.resize(1200, 800);
        window.show();
        window.openAgent(farm.place.accessFile());
        session().addSink(keeper);
    }
    ~ShownRun() { session().removeSink(keeper); }
    ShownRun(const ShownRun&) = delete;
    ShownRun& operator=(const ShownRun&) = delete;

    Session& session() { return window.page()->models().session; }
    ConnectionState state() { return session().connection().state; }
    QString banner()
    {
        const auto content = bannerContent(session());
        return content ? content->headline : QString();
    }
    void takePicture(const QString& name)
    {
        const QString directory = qEnvironmentVariable("TASUKI_PICTURES");
        if (directory.isEmpty())
            return;
        QTest::qWait(300);
        window.grab().save(directory + '/' + name + ".png");
    }

    QTemporaryDir folder;
    SystemClock clock;
    Preferences preferences;
    Languages languages;
    MainWindow window;
    EventKeeper keeper;
};

} // namespace

class TestRejoin : public QObject {
    Q_OBJECT

public:
    /// Offscreen, Qt warns of what is not looked at.
    static void initMain()
    {
        QLoggingCategory::setFilterRules(
            QStringLiteral("qt.qpa*.warning=false\ndefault.warning=false"));
    }

private Q_SLOTS:
    void windowFollowsARestart_data();
    void windowFollowsARestart();
    void serveStartsAgain();
};

void TestRejoin::windowFollowsARestart_data()
{
    QTest::addColumn<bool>("mpirun");
    QTest::newRow("a subcluster is down") << false;
    QTest::newRow("mpirun is killed") << true;
}

// Fails if a window says that a run is over which starts again, does not come back to it by itself,
// or if what it shows in the end is not what the record says.
void TestRejoin::windowFollowsARestart()
{
    QFETCH(bool, mpirun);
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    ShownRun shown(farm);
    QTRY_COMPARE_WITH_TIMEOUT(shown.state(), ConnectionState::Live, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(shown.session().state().count(TaskState::Succeeded) > 100, 10'000);
    shown.takePicture("1-before");
    const int resets = shown.keeper.resets;
    if (mpirun) {
        QCOMPARE(kill(processInfo(farm.pid(0))->parent, SIGKILL), 0);
        // Rank 0 may be killed with it, or find the time to take its leave.
        QTRY_VERIFY_WITH_TIMEOUT(shown.state() == ConnectionState::Waiting
                                     || shown.state() == ConnectionState::Ended,
                                 10'000);
        QVERIFY2(!shown.banner().isEmpty(), "nobody is told");
    } else {
        for (const int processor : {7, 8, 9, 11})
            farm.strike(processor, SIGKILL);
        QTRY_VERIFY2_WITH_TIMEOUT(shown.banner().contains("start again"),
                                  qPrintable(shown.banner()), 10'000);
    }
    shown.takePicture(mpirun ? "2-mpirun-is-gone" : "2-starting-again");
    QTRY_COMPARE_WITH_TIMEOUT(shown.state(), ConnectionState::Live, startLimit);
    QTRY_COMPARE_WITH_TIMEOUT(shown.session().agent()->epoch, Epoch(2), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(shown.banner().isEmpty(), 10'000);
    shown.takePicture(mpirun ? "3-going-on-after-mpirun" : "3-going-on");
    QTRY_COMPARE_WITH_TIMEOUT(shown.state(), ConnectionState::Ended, 90'000);
    const QByteArray problems = farm.finish(FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
    QVERIFY2(!shown.banner().contains("start again"), qPrintable(shown.banner()));
    QCOMPARE(shown.keeper.resets, resets); // it went on from what it had
    QTRY_COMPARE_WITH_TIMEOUT(shown.session().state().count(TaskState::Succeeded), std::size_t{400},
                              10'000);
    const std::vector<Event> recorded = recordedEvents(farm.place.path("tasks.tasuki"));
    // Those before the sink was there are in the state all the same.
    QTRY_COMPARE_WITH_TIMEOUT(shown.session().state().lastEvent(), recorded.back().id, 10'000);
    QCOMPARE(shown.session().eventsApplied(), std::uint64_t{recorded.size()});
    const std::vector<Event> tail(
        recorded.end() - static_cast<std::ptrdiff_t>(shown.keeper.events.size()), recorded.end());
    QVERIFY2(shown.keeper.events == tail, difference(shown.keeper.events, tail));
}

// Fails if a serve with nothing left to do does not start again, loses what windows have added, or takes
// no more of it.
void TestRejoin::serveStartsAgain()
{
    const FailoverFarm files({}); // for its topology
    const Workspace& place = files.place;
    AgentProcess agent(place);
    agent.start(Start::Launch, FailoverFarm::processors, {"serve", "--topology", "system.toml"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), startLimit);
    Window window(place.accessFile());
    QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.state().system().started(), startLimit);
    QVERIFY(window.command(AddTasks{"echo 1 >> done\necho 2 >> done\n", "typed"}).accepted);
    QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Succeeded), std::size_t{2}, 10'000);
    const std::vector<pid_t> processors = agent.ranks();
    QCOMPARE(processors.size(), std::size_t{FailoverFarm::processors});
    for (const std::size_t processor : {7U, 8U, 9U, 11U})
        QCOMPARE(kill(processors[processor], SIGKILL), 0);
    QTRY_VERIFY2_WITH_TIMEOUT(window.live() && window.models.session.agent()->epoch == Epoch(2)
                                  && window.state().system().started(),
                              agent.story(), startLimit);
    QVERIFY(window.command(AddTasks{"echo 3 >> done\n", "typed"}).accepted);
    QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Succeeded), std::size_t{3}, 10'000);
    QVERIFY(window.command(StopRun{}).accepted);
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 0, agent.story());
    QVERIFY2(agent.standardError().contains("right is down: starting again (1 of 3 in 10 min)"),
             agent.story());
    QCOMPARE(place.read("done").count('\n'), 3);
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
}

QTEST_MAIN(TestRejoin)

} // namespace tst_e2e_rejoin

#include "tst_e2e_rejoin.moc"

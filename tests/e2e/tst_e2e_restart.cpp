// SPDX-License-Identifier: GPL-3.0-or-later
//
// A subcluster loses more ranks than it may, or mpirun itself is killed: what becomes of the run is
// what its policy says, and none of its tasks is lost or done twice. What breaks each test stands
// above it.
#include "failoverfarm.h"

#include <QTest>
#include <algorithm>
#include <csignal>

namespace tst_e2e_restart {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int startLimit = 40'000; // ms, for all processors of a busy machine to come up
constexpr int firstOfRight = 4;    // rank
/// With these gone the subcluster "right" holds one rank, or none; it must hold two.
const std::vector<int> mostOfRight{7, 8, 9, 11};

void strikeRight(FailoverFarm& farm)
{
    for (const int processor : mostOfRight)
        farm.strike(processor, SIGKILL);
}

int epochsOf(const FailoverFarm& farm)
{
    return static_cast<int>(farm.record().sql().number("SELECT max(id >> 40) FROM event"));
}

QByteArray shown(const FailoverFarm& farm, const QString& what)
{
    AgentProcess show(farm.place);
    show.run(Start::Alone, 0, {"show", "tasks.tasuki", what});
    return show.standardOutput();
}

} // namespace

class TestRestart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void othersGoOn();
    void runStops();
    void runStartsAgain();
    void runStartsAgainAfterMpirunWasKilled();
    void tooOften();
    void interruptedItStaysEnded();
    void withoutLaunchItIsSaid();
    void mpirunIsKilled();
};

// Fails if a subcluster that is down takes the run along, keeps work, or nobody is told.
void TestRestart::othersGoOn()
{
    FailoverFarm farm({.policy = "continue"});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    strikeRight(farm);
    const WallMicros struck = wallNow();
    const QByteArray problems = farm.finish(static_cast<int>(mostOfRight.size()));
    QVERIFY2(problems.isEmpty(), problems);
    QVERIFY2(farm.agent.standardError().contains("subcluster right is down: 1 rank is held; policy "
                                                 "continue: the others go on"),
             farm.agent.story());
    QCOMPARE(epochsOf(farm), 1);
    const auto lines = farm.lines();
    constexpr WallMicros told = 3'000'000;
    const auto late = std::ranges::count_if(lines, [struck](const FailoverFarm::Line& line) {
        return line.rank >= firstOfRight && line.at > struck + told;
    });
    QCOMPARE(late, 0);
    QVERIFY2(shown(farm, "--alarms").contains("the others go on"), shown(farm, "--alarms"));
}

// Fails if the run goes on, ends as if somebody had interrupted it without a reason given, or cannot
// be gone on with.
void TestRestart::runStops()
{
    FailoverFarm farm({.policy = "stop"});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    strikeRight(farm);
    QVERIFY2(farm.agent.finish(20s), farm.agent.story());
    QVERIFY2(farm.agent.exitCode() == 4, farm.agent.story());
    QVERIFY2(farm.agent.remainder(5s).empty(), describeAll(farm.agent.allProcesses()));
    QVERIFY2(farm.agent.standardError().contains("subcluster right is down"), farm.agent.story());
    QVERIFY2(shown(farm, "--alarms").contains("policy stop: the run ends"),
             shown(farm, "--alarms"));
    farm.resume();
    const QByteArray problems = farm.finish(FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
    QCOMPARE(epochsOf(farm), 2);
}

// Fails if the run is not started again, does not go on with its record, or does not tell.
void TestRestart::runStartsAgain()
{
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    strikeRight(farm);
    const QByteArray problems = farm.finish(FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
    const QByteArray told = farm.agent.standardError();
    QVERIFY2(told.contains("tasuki: subcluster right is down: starting again (1 of 3 in 10 min)\n"),
             told);
    QVERIFY2(!told.contains("tasuki-restart-terms") && !told.contains("(2 of 3"), told);
    QCOMPARE(epochsOf(farm), 2);
    QVERIFY2(shown(farm, "--alarms").contains("policy restart: the run starts again"),
             shown(farm, "--alarms"));
    // All of them work again.
    const auto lines = farm.lines();
    QVERIFY(
        lines.back().rank < firstOfRight
        || std::ranges::any_of(lines.end() - 20, lines.end(), [](const FailoverFarm::Line& line) {
               return line.rank >= firstOfRight;
           }));
}

// Fails if a run that may be started again is not because mpirun could not tell that it must.
void TestRestart::runStartsAgainAfterMpirunWasKilled()
{
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    QCOMPARE(kill(processInfo(farm.pid(0))->parent, SIGKILL), 0);
    const QByteArray problems = farm.finish(FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
    QVERIFY2(farm.agent.standardError().contains("(killed by signal 9): starting again (1 of 3 in "
                                                 "10 min)"),
             farm.agent.story());
    QCOMPARE(epochsOf(farm), 2);
}

// Fails if it goes on starting again for ever, or says neither why it does not nor what to do.
void TestRestart::tooOften()
{
    FailoverFarm farm({.restarts = 1});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    strikeRight(farm);
    constexpr int furtherLines = 200;
    const int before = static_cast<int>(farm.lines().size());
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(before + furtherLines), farm.agent.story(), startLimit);
    strikeRight(farm);
    QVERIFY2(farm.agent.finish(30s), farm.agent.story());
    QVERIFY2(farm.agent.exitCode() == 6, farm.agent.story());
    QVERIFY2(farm.agent.remainder(5s).empty(), describeAll(farm.agent.allProcesses()));
    const QByteArray told = farm.agent.standardError();
    QVERIFY2(told.contains("starting again (1 of 1 in 10 min)")
                 && told.contains("is not started again: it was 1 time in 10 min already")
                 && told.contains("--alarms") && told.contains("--resume"),
             told);
    farm.resume();
    const QByteArray problems = farm.finish(2 * FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
    QCOMPARE(epochsOf(farm), 3);
}

// Fails if Ctrl-C while a run ends in order to be started again does not end it.
void TestRestart::interruptedItStaysEnded()
{
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    strikeRight(farm);
    QTRY_VERIFY2_WITH_TIMEOUT(farm.agent.standardError().contains("right is down"),
                              farm.agent.story(), 5'000);
    QCOMPARE(kill(farm.agent.pid(), SIGINT), 0);
    QVERIFY2(farm.agent.finish(20s), farm.agent.story());
    QVERIFY2(farm.agent.exitCode() == 4, farm.agent.story());
    QVERIFY2(farm.agent.remainder(5s).empty(), describeAll(farm.agent.allProcesses()));
    farm.resume();
    const QByteArray problems = farm.finish(2 * FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
}

// Fails if somebody whom nothing starts again is not told what to do.
void TestRestart::withoutLaunchItIsSaid()
{
    FailoverFarm farm({.how = Start::Mpirun, .launcherOptions = {"--enable-recovery"}});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    strikeRight(farm);
    QVERIFY2(farm.agent.finish(30s), farm.agent.story());
    QVERIFY2(farm.agent.remainder(5s).empty(), describeAll(farm.agent.allProcesses()));
    const QByteArray told = farm.agent.standardError();
    QVERIFY2(told.contains("tasuki-agent launch -n N -- farm --topology system.toml --resume "
                           "tasks.tasuki"),
             told);
    farm.resume();
    const QByteArray problems = farm.finish(FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
}

// Fails if anything lives 5 s after mpirun was killed, or if the run cannot be gone on with.
void TestRestart::mpirunIsKilled()
{
    FailoverFarm farm({.policy = "stop"});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    QCOMPARE(kill(processInfo(farm.pid(0))->parent, SIGKILL), 0);
    QVERIFY2(farm.agent.remainder(5s).empty(), describeAll(farm.agent.allProcesses()));
    QVERIFY2(farm.agent.finish(5s) && farm.agent.exitCode() == 5, farm.agent.story());
    QVERIFY2(farm.agent.standardError().contains("--resume"), farm.agent.story());
    farm.resume();
    const QByteArray problems = farm.finish(FailoverFarm::processors);
    QVERIFY2(problems.isEmpty(), problems);
    QCOMPARE(epochsOf(farm), 2);
}

QTEST_GUILESS_MAIN(TestRestart)

} // namespace tst_e2e_restart

#include "tst_e2e_restart.moc"

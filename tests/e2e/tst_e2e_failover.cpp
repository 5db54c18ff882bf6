// SPDX-License-Identifier: GPL-3.0-or-later
//
// Processors of a system with standbys that die, each in another way, while a farm works. Fails, in
// each case, if the run does not complete, loses or counts twice a task, leaves something behind, or
// if the record tells of another takeover than there must have been.
#include "failoverfarm.h"

#include <QTest>
#include <algorithm>
#include <csignal>

namespace tst_e2e_failover {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int startLimit = 40'000; // ms, for all processors of a busy machine to come up

/// A takeover as `show --failovers` tells it.
struct Expected {
    const char* place;
    int from;
    int to;
};

QByteArray takeoverText(const RecordedTakeover& taken)
{
    return QByteArray::fromStdString(taken.place) + " from " + QByteArray::number(taken.from)
        + " to " + QByteArray::number(taken.to) + '\n';
}

/// Compares takeovers with what is expected of them, also as `show --failovers` prints them.
void compareTakeovers(const FailoverFarm& farm, std::vector<Expected> expected)
{
    QByteArray wanted;
    for (const Expected& each : expected)
        wanted += takeoverText({.place = each.place, .from = each.from, .to = each.to});
    const FailoverRecord record = farm.record();
    auto takeovers = record.takeovers();
    std::ranges::sort(takeovers, {}, &RecordedTakeover::place);
    QByteArray found;
    for (const RecordedTakeover& taken : takeovers)
        found += takeoverText(taken);
    QCOMPARE(found, wanted);

    AgentProcess show(farm.place);
    QCOMPARE(show.run(Start::Alone, 0, {"show", "tasks.tasuki", "--failovers"}), 0);
    const QList<QByteArray> rows = show.standardOutput().trimmed().split('\n');
    QCOMPARE(rows.size(), static_cast<qsizetype>(expected.size()) + 1);
    for (const Expected& each : expected) {
        const auto isRow = [&](const QByteArray& row) {
            return row.contains(each.place)
                && row.contains("processor " + QByteArray::number(each.from) + ' ')
                && row.contains("processor " + QByteArray::number(each.to) + ' ')
                && row.contains(" gone ");
        };
        QVERIFY2(std::ranges::count_if(rows, isRow) == 1, show.story());
    }
}

} // namespace

class TestFailover : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void worker();
    void standby();
    void groupScheduler();
    void twoAtOnce_data();
    void twoAtOnce();
    void newHolder_data();
    void newHolder();
    void ends_data();
    void ends();
};

void TestFailover::worker()
{
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    const WallMicros struck = farm.strike(3, SIGKILL);
    const QByteArray problems = farm.finish(1);
    QVERIFY2(problems.isEmpty(), problems);
    compareTakeovers(farm, {{"left rank 2", 3, 5}});
    FailoverFarm::tell(farm.record(), 3, struck);
    QVERIFY(farm.record().vacated().empty());
}

void TestFailover::standby()
{
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    const WallMicros struck = farm.strike(11, SIGKILL);
    const QByteArray problems = farm.finish(0);
    QVERIFY2(problems.isEmpty(), problems);
    compareTakeovers(farm, {});
    const FailoverRecord record = farm.record();
    FailoverFarm::tell(record, 11, struck);
    QCOMPARE(record.losses().size(), 1U);
    QVERIFY(record.lossOf(11).has_value());
    QVERIFY(record.vacated().empty());
}

// The cluster master of the second subcluster, who deals its tasks, dies while they run: they go on
// under the next one, none of them is begun again or lost.
void TestFailover::groupScheduler()
{
    FailoverFarm farm({.tasks = 240, .seconds = "0.3"});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(24), farm.agent.story(), startLimit);
    const WallMicros struck = farm.strike(6, SIGKILL);
    const QByteArray problems = farm.finish(0); // nothing may have begun twice
    QVERIFY2(problems.isEmpty(), problems);
    compareTakeovers(farm, {{"right I/O 0", 6, 11}});
    const FailoverRecord record = farm.record();
    FailoverFarm::tell(record, 6, struck);
    QCOMPARE(record.losses().size(), 1U);
    QVERIFY(record.lossOf(6).has_value());
    constexpr int firstOfRight = 4;
    constexpr WallMicros taskMicros = 300'000;
    int ranThen = 0;
    int begunLater = 0;
    for (const FailoverFarm::Line& line : farm.lines()) {
        QCOMPARE(line.attempt, 1);
        if (line.rank < firstOfRight)
            continue;
        ranThen += line.at < struck && line.at > struck - taskMicros ? 1 : 0;
        begunLater += line.at > struck + 2 * taskMicros ? 1 : 0;
    }
    QVERIFY2(ranThen > 0, farm.agent.story());
    QVERIFY2(begunLater > 2 * firstOfRight, farm.agent.story()); // they got work again
    QCOMPARE(record.sql().query("SELECT count(*) FROM event WHERE kind = 9 AND outcome = 6")[0][0],
             std::string("0"));
    QCOMPARE(record.sql().query("SELECT max(attempt) FROM event WHERE kind = 9")[0][0],
             std::string("1"));
}

void TestFailover::twoAtOnce_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    QTest::addRow("of both subclusters") << 2 << 8;
    QTest::addRow("of one subcluster") << 9 << 7;
    QTest::addRow("a cluster master and one of its ranks") << 6 << 10;
}

void TestFailover::twoAtOnce()
{
    QFETCH(int, first);
    QFETCH(int, second);
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    const WallMicros struckFirst = farm.strike(first, SIGKILL);
    const WallMicros struckSecond = farm.strike(second, SIGKILL);
    const QByteArray problems = farm.finish(2);
    QVERIFY2(problems.isEmpty(), problems);
    const FailoverRecord record = farm.record();
    FailoverFarm::tell(record, first, struckFirst);
    FailoverFarm::tell(record, second, struckSecond);
    QVERIFY(record.lossOf(first).has_value() && record.lossOf(second).has_value());
    QCOMPARE(record.losses().size(), 2U);
    if (first == 2) {
        compareTakeovers(farm, {{"left rank 1", 2, 5}, {"right rank 1", 8, 11}});
        QVERIFY(record.vacated().empty());
        return;
    }
    // One standby for two seats: one of them has nobody any more.
    const auto takeovers = record.takeovers();
    QCOMPARE(takeovers.size(), 1U);
    QCOMPARE(takeovers.front().to, 11);
    QCOMPARE(record.vacated().size(), 1U);
    QVERIFY(record.vacated().front() != takeovers.front().seat);
}

void TestFailover::newHolder_data()
{
    QTest::addColumn<int>("delayUs"); // -1: when the takeover has been told
    for (const int delayUs : {0, 500, 2000, -1})
        QTest::addRow("%d us", delayUs) << delayUs;
}

// A holder dies, and in the takeover, or right after it, who takes its rank.
void TestFailover::newHolder()
{
    QFETCH(int, delayUs);
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    const WallMicros struckHolder = farm.strike(3, SIGKILL);
    if (delayUs < 0)
        QTRY_VERIFY_WITH_TIMEOUT(farm.agent.standardError().contains("taken over"), 5'000);
    while (wallNow() < struckHolder + delayUs) {}
    const WallMicros struckNext = farm.strike(5, SIGKILL);
    const QByteArray problems = farm.finish(2);
    QVERIFY2(problems.isEmpty(), problems);
    const FailoverRecord record = farm.record();
    FailoverFarm::tell(record, 3, struckHolder);
    FailoverFarm::tell(record, 5, struckNext);
    QVERIFY(record.lossOf(3).has_value() && record.lossOf(5).has_value());
    QVERIFY2(record.takeovers().size() <= 1, farm.agent.story());
    if (delayUs < 0)
        compareTakeovers(farm, {{"left rank 2", 3, 5}});
    // Nobody is left for it, in whatever order it was seen.
    const auto vacated = record.vacated();
    QCOMPARE(vacated.size(), 1U);
    QCOMPARE(vacated.back(), 2);
}

void TestFailover::ends_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"exit0", "exit1", "segv", "abort"})
        QTest::addRow("%s", kind) << QString(kind);
}

// The process of a worker ends by itself. For the action table it is gone, however it went. Under
// Open MPI 4.1 the launch survives each of these; where MPI_Abort ends it, it can be resumed.
void TestFailover::ends()
{
    QFETCH(QString, kind);
    const Workspace elsewhere;
    const QString file = elsewhere.path("now");
    FailoverFarm farm(
        {.policy = "stop", // one that is ended stays so
         .launcherOptions = {"-x", "LD_PRELOAD=" TASUKI_FAULT_LIBRARY, "-x",
                             "TASUKI_FAULT_PROCESSOR=8", "-x", "TASUKI_FAULT_KIND=" + kind, "-x",
                             "TASUKI_FAULT_FILE=" + file}});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    for (const ProcessInfo& process : farm.processesOf(8)) {
        const bool agent = process.pid == farm.pid(8);
        QVERIFY2(agent || !environmentOf(process.pid, "LD_PRELOAD"), "the library has leaked");
    }
    const WallMicros struck = wallNow();
    elsewhere.write("now", "");
    QTRY_VERIFY_WITH_TIMEOUT(!processInfo(farm.pid(8)).has_value(), 10'000);
    const bool mayEndAll = kind == "abort" && !launchesWithOpenMpi4();
    if (mayEndAll && farm.agent.finish(90s) && farm.agent.exitCode() != 0) {
        QVERIFY2(farm.agent.remainder(5s).empty(), describeAll(farm.agent.allProcesses()));
        farm.resume();
        const QByteArray problems = farm.finish(FailoverFarm::processors);
        QVERIFY2(problems.isEmpty(), problems);
        return;
    }
    const QByteArray problems = farm.finish(1);
    QVERIFY2(problems.isEmpty(), problems);
    compareTakeovers(farm, {{"right rank 1", 8, 11}});
    FailoverFarm::tell(farm.record(), 8, struck);
}

QTEST_GUILESS_MAIN(TestFailover)

} // namespace tst_e2e_failover

#include "tst_e2e_failover.moc"

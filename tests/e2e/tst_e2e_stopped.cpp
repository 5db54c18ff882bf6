// SPDX-License-Identifier: GPL-3.0-or-later
//
// Processors of a system with standbys that stand still and may wake up again. What breaks each test
// stands above it.
#include "failoverfarm.h"

#include <QTest>
#include <algorithm>
#include <csignal>
#include <set>
#include <utility>

namespace tst_e2e_stopped {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int startLimit = 40'000; // ms, for all processors of a busy machine to come up

/// Stops or continues everything of a unit. What is just being started is caught the next time.
std::set<pid_t> signalUnit(const FailoverFarm& farm, const std::vector<int>& unit, int signal)
{
    std::set<pid_t> found;
    for (std::size_t before = 1; before != found.size();) {
        before = found.size();
        for (const int processor : unit) {
            for (const ProcessInfo& process : farm.processesOf(processor)) {
                kill(process.pid, signal);
                found.insert(process.pid);
            }
        }
    }
    return found;
}

/// The same of the whole launch: processors, guardians, watchers, tasks, and who has started them.
void signalAll(const FailoverFarm& farm, int signal)
{
    std::set<pid_t> found;
    for (std::size_t before = 1; before != found.size();) {
        before = found.size();
        for (const ProcessInfo& process : farm.agent.allProcesses()) {
            kill(process.pid, signal);
            found.insert(process.pid);
        }
    }
}

} // namespace

class TestStopped : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortly();
    void forLong();
    void wholeUnit_data();
    void wholeUnit();
    void wholeFarm_data();
    void wholeFarm();
};

// Fails if a processor that stands still for half a second is given up, or if nobody notices.
void TestStopped::shortly()
{
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    farm.strike(9, SIGSTOP);
    QTest::qWait(500);
    farm.strike(9, SIGCONT);
    const QByteArray problems = farm.finish(0);
    QVERIFY2(problems.isEmpty(), problems);
    const FailoverRecord record = farm.record();
    QVERIFY2(record.losses().empty() && record.takeovers().empty(), farm.agent.story());
    QCOMPARE(record.timesSaid(9, "suspect"), 1);
    QCOMPARE(record.timesSaid(9, "alive"), 2); // at the start, and again
}

// Fails if one that stands still for long is not killed, its rank not taken over in two seconds, or
// if it is back in five.
void TestStopped::forLong()
{
    FailoverFarm farm({.tasks = 2000, .seconds = "0.03"});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    const WallMicros struck = farm.strike(9, SIGSTOP);
    QTest::qWait(5'000);
    QVERIFY2(!processInfo(farm.pid(9)).has_value(), farm.agent.story());
    const QByteArray problems = farm.finish(1);
    QVERIFY2(problems.isEmpty(), problems);

    const FailoverRecord record = farm.record();
    FailoverFarm::tell(record, 9, struck);
    const auto losses = record.losses();
    QCOMPARE(losses.size(), 1U);
    QCOMPARE(losses.front().processor, 9);
    QCOMPARE(losses.front().cause, std::string("stopped"));
    const auto takeovers = record.takeovers();
    QCOMPARE(takeovers.size(), 1U);
    QCOMPARE(takeovers.front().place, std::string("right rank 2"));
    QCOMPARE(takeovers.front().to, 11);
    const WallMicros works = record.joined(takeovers.front().seat, takeovers.front().incarnation);
    QVERIFY2(works > 0 && works - struck <= 2'000'000,
             qPrintable(QString::number(static_cast<double>(works - struck) / 1e6)));
}

void TestStopped::wholeFarm_data()
{
    QTest::addColumn<int>("milliseconds");
    QTest::addRow("hardly longer than leases") << 3'000;
    QTest::addRow("long") << 8'000;
}

// All stand still, as on a machine that is suspended, and wake up. Fails if anybody loses its place by that, or
// if a task that ran is begun again.
void TestStopped::wholeFarm()
{
    QFETCH(int, milliseconds);
    FailoverFarm farm({.tasks = 2000, .seconds = "0.03", .policy = "continue"});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    signalAll(farm, SIGSTOP);
    QTest::qWait(milliseconds);
    signalAll(farm, SIGCONT);
    const QByteArray problems = farm.finish(0);
    QVERIFY2(problems.isEmpty(), problems);
    const FailoverRecord record = farm.record();
    QVERIFY2(record.losses().empty() && record.takeovers().empty(), farm.agent.story());
}

void TestStopped::wholeUnit_data()
{
    QTest::addColumn<QList<int>>("unit");
    QTest::addColumn<int>("seatsTaken");
    QTest::addRow("with the standby") << QList<int>{3, 4, 5} << 0;
    QTest::addRow("with the cluster master") << QList<int>{6, 7, 8} << 1;
}

// A unit stands still with all its processes, is given up, and wakes up. Fails if a task begins there
// after that, or if a result from there counts that was not reported before.
void TestStopped::wholeUnit()
{
    QFETCH(QList<int>, unit);
    QFETCH(int, seatsTaken);
    const std::vector<int> members(unit.begin(), unit.end());
    FailoverFarm farm({.tasks = 2000, .seconds = "0.03", .policy = "continue"});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    std::set<pid_t> guardians;
    for (const int processor : members)
        guardians.insert(farm.agent.guardianOf(farm.pid(processor)));
    const WallMicros struck = wallNow();
    const std::set<pid_t> stopped = signalUnit(farm, members, SIGSTOP);
    QTest::qWait(3'000);
    QVERIFY2(farm.agent.running(), farm.agent.story());
    const WallMicros woken = wallNow();
    for (const pid_t process : stopped)
        kill(process, SIGCONT);
    const QByteArray problems = farm.finish(static_cast<int>(members.size()));
    QVERIFY2(problems.isEmpty(), problems);

    const FailoverRecord record = farm.record();
    WallMicros given = woken;
    for (const int processor : members) {
        FailoverFarm::tell(record, processor, struck);
        const auto loss = record.lossOf(processor);
        QVERIFY2(loss && loss->at < woken, farm.agent.story());
        given = std::min(given, loss->at);
    }
    QCOMPARE(record.losses().size(), members.size());
    QCOMPARE(record.takeovers().size(), static_cast<std::size_t>(seatsTaken));

    std::set<std::pair<int, int>> elsewhere;
    for (const FailoverFarm::Line& line : farm.lines()) {
        const bool frozen = guardians.contains(line.guardian);
        // A shell that was stopped before it could write may still say so.
        QVERIFY2(!frozen || line.at < woken || stopped.contains(line.shell),
                 qPrintable(QString::number(line.task)));
        if (!frozen)
            elsewhere.emplace(line.task, line.attempt);
    }
    for (const auto& row : record.sql().query(
             "SELECT task, attempt FROM event WHERE kind = 9 AND disposition = 0 AND wall_us > "
             + std::to_string(given)))
        QVERIFY2(elsewhere.contains({std::stoi(row[0]), std::stoi(row[1])}), row[0].c_str());
}

QTEST_GUILESS_MAIN(TestStopped)

} // namespace tst_e2e_stopped

#include "tst_e2e_stopped.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// The system master dies, or stands still, while a farm works. Fails, in each case, if the run does not
// complete under the next one, loses or counts twice a task, leaves something behind, or if the record
// does not tell who has succeeded whom.
#include "failoverfarm.h"

#include <QTest>
#include <algorithm>
#include <csignal>
#include <string>

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int startLimit = 40'000; // ms, for all processors of a busy machine to come up

/// @return the lines of `show --failovers` that tell of system masters
QList<QByteArray> successions(const FailoverFarm& farm)
{
    AgentProcess show(farm.place);
    if (show.run(Start::Alone, 0, {"show", "tasks.tasuki", "--failovers"}) != 0)
        return {show.story()};
    QList<QByteArray> rows = show.standardOutput().trimmed().split('\n');
    rows.removeIf([](const QByteArray& row) { return !row.contains("system master"); });
    return rows;
}

} // namespace

class TestSuccession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void systemMaster_data();
    void systemMaster();
    void masterAndSuccessor();
    void oneAfterTheOther();
};

void TestSuccession::systemMaster_data()
{
    QTest::addColumn<int>("signal");
    QTest::addRow("killed") << SIGKILL;
    QTest::addRow("stopped") << SIGSTOP;
}

// It holds no rank: nothing that runs is begun again.
void TestSuccession::systemMaster()
{
    QFETCH(int, signal);
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    const WallMicros struck = farm.strike(0, signal);
    const QByteArray problems = farm.finish(0);
    QVERIFY2(problems.isEmpty(), problems);
    const FailoverRecord record = farm.record();
    FailoverFarm::tell(record, 0, struck);
    QCOMPARE(record.losses().size(), 1U);
    QCOMPARE(record.lossOf(0)->cause, std::string(signal == SIGKILL ? "gone" : "stopped"));
    const auto rows = successions(farm);
    QVERIFY2(rows.size() == 1, farm.agent.story());
    QVERIFY2(rows.front().contains("processor 0 ") && rows.front().contains("processor 1 "),
             rows.front());
    QCOMPARE(record.sql().query("SELECT count(*) FROM event WHERE kind = 9 AND outcome = 6")[0][0],
             std::string("0"));
}

// The next in order, which holds a rank, dies with it.
void TestSuccession::masterAndSuccessor()
{
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    farm.strike(0, SIGKILL);
    farm.strike(1, SIGKILL);
    const QByteArray problems = farm.finish(1);
    QVERIFY2(problems.isEmpty(), problems);
    const FailoverRecord record = farm.record();
    QCOMPARE(record.losses().size(), 2U);
    QVERIFY2(!successions(farm).isEmpty(), farm.agent.story());
}

// Each who succeeds dies in its turn; who goes on last is of the other subcluster's processors or of
// its own, as the order has it.
void TestSuccession::oneAfterTheOther()
{
    FailoverFarm farm({.seconds = "0.02", .policy = "continue", .restarts = 12});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    for (const int processor : {0, 1, 2}) {
        farm.strike(processor, SIGKILL);
        QTest::qWait(700);
    }
    const QByteArray problems = farm.finish(2);
    QVERIFY2(problems.isEmpty(), problems);
    QCOMPARE(farm.record().losses().size(), 3U);
    QCOMPARE(successions(farm).size(), 3);
}

QTEST_GUILESS_MAIN(TestSuccession)
#include "tst_e2e_succession.moc"

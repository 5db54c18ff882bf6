// SPDX-License-Identifier: GPL-3.0-or-later
//
// Masters die, or stand still, while a farm works. Fails, in each case, if the run does not complete under
// the next one, loses or counts twice a task, leaves something behind, or if the record does not tell who
// has succeeded whom.
#include "failoverfarm.h"

#include <QTest>
#include <csignal>
#include <string>
#include <vector>

namespace tst_e2e_succession {

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
    void master_data();
    void master();
    void masterAndSuccessor();
    void oneAfterTheOther();
};

void TestSuccession::master_data()
{
    QTest::addColumn<int>("processor");
    QTest::addColumn<int>("signal");
    QTest::addColumn<QByteArray>("masters"); // that the record tells of after it, in their order
    QTest::addColumn<QByteArray>("seat");    // that the standby takes
    const struct {
        const char* name;
        int processor;
        QByteArray masters;
        QByteArray seat;
    } kinds[] = {
        {"unit master", 9, "unit 10\n", "right rank 2"},
        {"cluster master", 6, "unit 7\ncluster 7\n", "right I/O 0"},
        {"system master", 0, "unit 1\ncluster 1\nsystem 1\n", "left I/O 0"},
    };
    for (const auto& kind : kinds) {
        for (const int signal : {SIGKILL, SIGSTOP})
            QTest::addRow("%s %s", kind.name, signal == SIGKILL ? "killed" : "stopped")
                << kind.processor << signal << kind.masters << kind.seat;
    }
}

// Every kind of master, the higher ones being the lower ones too. That of a unit alone holds a rank; the
// others do not: nothing that runs is begun again.
void TestSuccession::master()
{
    QFETCH(int, processor);
    QFETCH(int, signal);
    QFETCH(QByteArray, masters);
    QFETCH(QByteArray, seat);
    const bool holdsRank = seat.contains("rank");
    FailoverFarm farm({});
    farm.start();
    QTRY_VERIFY2_WITH_TIMEOUT(farm.works(), farm.agent.story(), startLimit);
    const WallMicros struck = farm.strike(processor, signal);
    const QByteArray problems = farm.finish(holdsRank ? 1 : 0);
    QVERIFY2(problems.isEmpty(), problems);
    const FailoverRecord record = farm.record();
    FailoverFarm::tell(record, processor, struck);
    QCOMPARE(record.losses().size(), 1U);
    QVERIFY(record.lossOf(processor).has_value());
    QCOMPARE(record.lossOf(processor)->cause, std::string(signal == SIGKILL ? "gone" : "stopped"));

    QByteArray next;
    for (const RecordedMaster& each : record.masters()) {
        if (each.at > struck)
            next += QByteArray::fromStdString(each.role) + ' ' + QByteArray::number(each.processor)
                + '\n';
    }
    QCOMPARE(next, masters);
    QByteArray taken;
    for (const RecordedTakeover& each : record.takeovers()) {
        if (each.place != "system master")
            taken += QByteArray::fromStdString(each.place);
    }
    QCOMPARE(taken, seat);
    const auto rows = successions(farm);
    QCOMPARE(rows.size(), processor == 0 ? 1 : 0);
    QVERIFY2(
        rows.isEmpty()
            || (rows.front().contains("processor 0 ") && rows.front().contains("processor 1 ")),
        farm.agent.story());
    if (!holdsRank)
        QCOMPARE(
            record.sql().query("SELECT count(*) FROM event WHERE kind = 9 AND outcome = 6")[0][0],
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
    FailoverFarm farm({.policy = "continue", .restarts = 12});
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

} // namespace tst_e2e_succession

#include "tst_e2e_succession.moc"

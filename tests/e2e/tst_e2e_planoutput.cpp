// SPDX-License-Identifier: GPL-3.0-or-later
//
// What whole plans print for programs, beside measurements, and of more allocations than can be tried.
// What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "planinputs.h"
#include "workspace.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <csignal>

namespace tst_e2e_planoutput {

using namespace tasuki::testing;
using namespace std::chrono_literals;

class TestPlanOutput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void manySlotsStop_data();
    void manySlotsStop();
    void machineReadable();
    void measuredBesidePredicted();
};

void TestPlanOutput::manySlotsStop_data()
{
    QTest::addColumn<Start>("start");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QByteArray>("all");
    QTest::newRow("alone, 20") << Start::Alone << 20 << QByteArray("2,432,902,008,176,640,000");
    QTest::newRow("alone, 64") << Start::Alone << 64 << QByteArray("about 10^89");
    QTest::newRow("launch, 64") << Start::Launch << 64 << QByteArray("about 10^89");
}

// Fails if the allocations are counted one by one in any way: that takes gigabytes and cannot be ended.
void TestPlanOutput::manySlotsStop()
{
    QFETCH(Start, start);
    QFETCH(int, nodes);
    QFETCH(QByteArray, all);
    const Workspace place;
    place.write("ring.alog", ringTrace(nodes, 5));
    QList<double> speeds;
    for (int node = 0; node < nodes; ++node)
        speeds << 1.0 - 0.01 * node;
    place.write("nodes.toml", environmentOf(speeds));
    AgentProcess agent(place);
    agent.start(start, 2, {"plan", "ring.alog", "-e", "nodes.toml", "--rows", "1"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.standardError().contains(" allocations, "), 60'000);
    QVERIFY2(agent.running(), agent.story());
    QCOMPARE(kill(agent.pid(), SIGINT), 0);
    QVERIFY2(agent.finish(10s), agent.story());
    QVERIFY2(agent.exitCode() == 4, agent.story());
    QVERIFY2(linesOf(agent.standardOutput()).back().endsWith(" of " + all), agent.story());
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
}

// Fails if anything but the answer is on standard output.
void TestPlanOutput::machineReadable()
{
    const Workspace place;
    place.write("table1.alog", paperTrace);
    place.write("nodes.toml", environmentOf({1.0, 0.5}));
    AgentProcess csv(place);
    QVERIFY2(
        csv.run(Start::Alone, 0,
                {"plan", "table1.alog", "-e", "nodes.toml", "--format", "csv", "--bundle", "b"})
            == 0,
        csv.story());
    QCOMPARE(csv.standardOutput(),
             QByteArray("place,predicted_s,over_best,task0,task1\n"
                        "1,0.002378000,1.000000,n0,n1\n"
                        "2,0.003369360,1.416888,n1,n0\n"));
    QVERIFY2(csv.standardError().contains("start it with b/run PROGRAM"), csv.story());
    AgentProcess json(place);
    QVERIFY2(
        json.run(Start::Mpirun, 2, {"plan", "table1.alog", "-e", "nodes.toml", "--format", "jsonl"})
            == 0,
        json.story());
    const QByteArrayList lines = linesOf(json.standardOutput());
    QCOMPARE(lines.size(), 3);
    const QJsonObject plan = QJsonDocument::fromJson(lines[0]).object();
    QCOMPARE(plan["kind"].toString(), QStringLiteral("plan"));
    QCOMPARE(plan["finished"], QJsonValue(true));
    QCOMPARE(plan["allocations"].toInt(), 2);
    const QJsonObject best = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(best["place"].toInt(), 1);
    QCOMPARE(best["predicted_s"].toDouble(), 0.002378);
    QCOMPARE(best["nodes"], QJsonValue(QJsonArray{"n0", "n1"}));
}

// Fails if a measured time stands beside another allocation, or a bad file goes unnoticed.
void TestPlanOutput::measuredBesidePredicted()
{
    const Workspace place;
    place.write("table1.alog", paperTrace);
    place.write("nodes.toml", environmentOf({1.0, 0.5}));
    place.write("m.csv", "task0,task1,seconds\nn1,n0,0.003\nn0,n1,0.002\nn0,n1,0.0022\n");
    const QStringList arguments{"plan", "table1.alog", "-e", "nodes.toml", "--measured"};
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Mpirun, 2, arguments + QStringList{"m.csv"}) == 0, agent.story());
    const QByteArrayList table = linesOf(agent.standardOutput());
    QVERIFY2(table.size() == 7, agent.story());
    QCOMPARE(table[2], QByteArray("       1    2.3780 ms    1.000    2.1000 ms  +13.2 %  n0,n1"));
    QCOMPARE(table[3], QByteArray("       2    3.3694 ms    1.417    3.0000 ms  +12.3 %  n1,n0"));
    QVERIFY2(table[5].startsWith("measured: 2 allocations; mean prediction error 12.8 %"),
             table[5]);
    QVERIFY2(table[6].startsWith("error of the choice |t_n - t_m| / t_m: 0.0 %"), table[6]);
    place.write("bad.csv", "task0,task1,seconds\nn1,n9,0.003\n");
    AgentProcess bad(place);
    QCOMPARE(bad.run(Start::Launch, 2, arguments + QStringList{"bad.csv"}), 2);
    QCOMPARE(bad.standardError().count("bad.csv:2:4: error: the environment has no node 'n9'"), 1);
    AgentProcess missing(place);
    QCOMPARE(missing.run(Start::Alone, 0, arguments + QStringList{"no.csv"}), 2);
    QVERIFY2(missing.standardError().contains("no.csv: error: cannot read it"), missing.story());
}

QTEST_GUILESS_MAIN(TestPlanOutput)

} // namespace tst_e2e_planoutput

#include "tst_e2e_planoutput.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole plans, alone and under mpirun. What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "planinputs.h"
#include "workspace.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <csignal>

namespace tst_e2e_plan {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// The predicted runtime of an allocation in a CSV file, in microseconds: "2034.360"; empty: none.
QByteArray timeIn(const QByteArray& csv, const QByteArray& allocation)
{
    for (const QByteArray& line : linesOf(csv)) {
        if (line.endsWith(',' + allocation))
            return QByteArray::number(line.split(',').at(1).toDouble() * 1e6, 'f', 3);
    }
    return {};
}

/// A rank on a terminal tells its progress every 100 ms, so that a test knows that it searches.
const QStringList asOnTerminal{"-x", "TASUKI_TERMINAL_COLUMNS=100"};

} // namespace

class TestPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paperByHand_data();
    void paperByHand();
    void allAllocationsSorted();
    void sameWithRanks_data();
    void sameWithRanks();
    void bundleIsComplete();
    void badInputIsToldOnce_data();
    void badInputIsToldOnce();
    void unwritableOutputs_data();
    void unwritableOutputs();
    void wrongOption_data();
    void wrongOption();
    void helpWithRanks();
    void interruptedTellsTheBest_data();
    void interruptedTellsTheBest();
    void deadRankLosesItsShare();
    void deadRankZeroEndsAll();
};

void TestPlan::paperByHand_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("speed0");
    QTest::addColumn<double>("speed1");
    QTest::addColumn<QByteArray>("time");
    for (const char* model : {"replay", "lsmg"}) {
        QTest::addRow("%s, as traced", model) << model << 1.0 << 1.0 << QByteArray("2034.360");
        QTest::addRow("%s, slow sender", model) << model << 0.5 << 1.0 << QByteArray("3369.360");
    }
}

// Fails if Table 1 of the paper, worked by hand, comes out otherwise.
void TestPlan::paperByHand()
{
    QFETCH(QString, model);
    QFETCH(double, speed0);
    QFETCH(double, speed1);
    QFETCH(QByteArray, time);
    const Workspace place;
    place.write("table1.alog", paperTrace);
    place.write("nodes.toml", environmentOf({speed0, speed1}));
    AgentProcess agent(place);
    const int code = agent.run(
        Start::Alone, 0,
        {"plan", "table1.alog", "-e", "nodes.toml", "--model", model, "--csv", "out.csv"});
    QVERIFY2(code == 0, agent.story());
    QCOMPARE(timeIn(place.read("out.csv"), "n0,n1"), time);
    // Nodes that are alike make one allocation.
    QCOMPARE(linesOf(place.read("out.csv")).size(), speed0 == speed1 ? 2 : 3);
    const QByteArray output = agent.standardOutput();
    QVERIFY2(
        output.startsWith("table1.alog: 2 tasks, 6 records, 2.1980 ms as traced; 2 nodes; model "
                          + model.toUtf8() + "\n"),
        output);
    QVERIFY2(agent.standardError().isEmpty(), agent.story());
}

// Fails if an allocation is missing or out of order, or table and file differ.
void TestPlan::allAllocationsSorted()
{
    const Workspace place;
    place.write("ring.alog", ringTrace(4, 20));
    place.write("nodes.toml", environmentOf({1.0, 0.5, 0.25, 0.25 * 0.9}));
    AgentProcess agent(place);
    const int code = agent.run(Start::Alone, 0,
                               {"plan", "ring.alog", "-e", "nodes.toml", "--csv", "out.csv"});
    QVERIFY2(code == 0, agent.story());
    const QByteArrayList csv = linesOf(place.read("out.csv"));
    QCOMPARE(csv.size(), 1 + 24);
    QCOMPARE(csv.front(), QByteArray("place,predicted_s,over_best,task0,task1,task2,task3"));
    const QByteArrayList table = linesOf(agent.standardOutput());
    QCOMPARE(table.size(), 2 + 24 + 1);
    QSet<QByteArray> allocations;
    double latest = 0.0;
    for (int index = 1; index <= 24; ++index) {
        const QByteArrayList fields = csv[index].split(',');
        QCOMPARE(fields[0].toInt(), index);
        QVERIFY2(fields[1].toDouble() >= latest, csv[index]);
        latest = fields[1].toDouble();
        const QByteArray allocation = fields.mid(3).join(',');
        allocations.insert(allocation);
        QVERIFY2(table[1 + index].endsWith("  " + allocation), table[1 + index]);
    }
    QCOMPARE(allocations.size(), 24);
    QVERIFY2(table.back().startsWith("spread (worst - best) / best: "), table.back());
}

void TestPlan::sameWithRanks_data()
{
    QTest::addColumn<Start>("start");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("model");
    QTest::newRow("mpirun, 3") << Start::Mpirun << 3 << "replay";
    QTest::newRow("mpirun, 3, lsmg") << Start::Mpirun << 3 << "lsmg";
    QTest::newRow("mpirun, 1") << Start::Mpirun << 1 << "replay";
    QTest::newRow("launch, 3") << Start::Launch << 3 << "replay";
}

// Fails if ranks together find another answer than one process, or say it otherwise.
void TestPlan::sameWithRanks()
{
    QFETCH(Start, start);
    QFETCH(int, ranks);
    QFETCH(QString, model);
    const Workspace place;
    place.write("ring.alog", ringTrace(5, 20));
    place.write("nodes.toml", unequalNodes(6));
    const QStringList arguments{"plan",   "ring.alog", "-e",    "nodes.toml", "--model",  model,
                                "--rows", "40",        "--csv", "out.csv",    "--bundle", "best"};
    AgentProcess alone(place);
    QVERIFY2(alone.run(Start::Alone, 0, arguments) == 0, alone.story());
    const QByteArray csv = place.read("out.csv");
    const QByteArray rankfile = place.read("best/rankfile");
    QCOMPARE(linesOf(csv).size(), 1 + 6 * 5 * 4 * 3 * 2);
    AgentProcess together(place);
    QVERIFY2(together.run(start, ranks, arguments) == 0, together.story());
    QCOMPARE(together.standardOutput(), alone.standardOutput());
    QVERIFY2(together.standardError().isEmpty(), together.story());
    QCOMPARE(place.read("out.csv"), csv);
    QCOMPARE(place.read("best/rankfile"), rankfile);
}

// Fails if mpirun would lack a file, or the files name another allocation than the first one.
void TestPlan::bundleIsComplete()
{
    const Workspace place;
    place.write("table1.alog", paperTrace);
    place.write("nodes.toml", environmentOf({0.1, 1.0, 0.5}));
    AgentProcess agent(place);
    const int code = agent.run(Start::Alone, 0,
                               {"plan", "table1.alog", "-e", "nodes.toml", "--bundle", "new/best"});
    QVERIFY2(code == 0, agent.story());
    QCOMPARE(QDir(place.path("new/best")).entryList(QDir::Files).join(' '),
             QStringLiteral("machinefile rankfile run"));
    QVERIFY(QFileInfo(place.path("new/best/run")).isExecutable());
    QVERIFY(!QFileInfo(place.path("new/best/rankfile")).isExecutable());
    const QByteArrayList table = linesOf(agent.standardOutput());
    QVERIFY2(table[2].trimmed().startsWith("1 "), agent.story());
    const QByteArrayList best = table[2].mid(table[2].lastIndexOf(' ') + 1).split(',');
    QCOMPARE(best.size(), 2);
    QCOMPARE(place.read("new/best/rankfile"),
             "rank 0=" + best[0] + " slot=0-3\nrank 1=" + best[1] + " slot=0-3\n");
    QCOMPARE(place.read("new/best/machinefile"), best[0] + '\n' + best[1] + '\n');
    const QByteArray hosts = "-n 2 --host " + best[0] + ":1," + best[1] + ":1 ";
    QVERIFY(place.read("new/best/run").contains(hosts));
    const QByteArray output = agent.standardOutput();
    QVERIFY2(output.contains("start it with new/best/run PROGRAM, or in new/best with\n"
                             "  Open MPI 4: mpirun "
                             + hosts
                             + "--rankfile rankfile PROGRAM\n"
                               "  Open MPI 5: mpirun "
                             + hosts + "--map-by rankfile:file=rankfile PROGRAM\n"),
             output);
}

void TestPlan::badInputIsToldOnce_data()
{
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("environment");
    QTest::addColumn<QByteArray>("words");
    for (const Start start : {Start::Alone, Start::Mpirun, Start::Launch}) {
        const auto row = [start](const char* name, const char* trace, const char* environment,
                                 const QByteArray& words) {
            constexpr const char* starts[] = {"mpirun", "launch", "alone"};
            QTest::addRow("%s, %s", starts[static_cast<int>(start)], name)
                << trace << environment << words;
        };
        row("no trace", "missing.alog", "two.toml", "missing.alog");
        row("trace is a directory", "folder", "two.toml", "folder");
        row("no environment", "ring.alog", "missing.toml", "missing.toml");
        row("too few slots", "ring.alog", "two.toml",
            "two.toml: error: the trace has 4 tasks, the nodes have 2 slots");
        row("no TOML", "ring.alog", "syntax.toml", "syntax.toml:3:");
        row("wrong value", "ring.alog", "value.toml", "value.toml:3:9: ");
        row("empty trace", "empty.alog", "two.toml", "empty.alog");
    }
}

// Fails if an error names no place, is told by every rank or in the words of MPI_Abort, or if
// anything is written though nothing was planned.
void TestPlan::badInputIsToldOnce()
{
    QFETCH(QString, trace);
    QFETCH(QString, environment);
    QFETCH(QByteArray, words);
    const QByteArray tag = QTest::currentDataTag();
    const Start start = tag.startsWith("alone") ? Start::Alone
        : tag.startsWith("mpirun")              ? Start::Mpirun
                                                : Start::Launch;
    const Workspace place;
    QVERIFY(QDir(place.path()).mkdir("folder"));
    place.write("ring.alog", ringTrace(4, 1));
    place.write("empty.alog", {});
    place.write("two.toml", environmentOf({1.0, 0.5}));
    place.write("syntax.toml", "[[node]]\nname = \"a\"\nspeed = = 1\n");
    place.write("value.toml", "[[node]]\nname = \"a\"\nspeed = -1.0\n");
    const int before = place.count("*");
    AgentProcess agent(place);
    const int code = agent.run(
        start, 3, {"plan", trace, "-e", environment, "--csv", "out.csv", "--bundle", "best"}, {},
        30s);
    QVERIFY2(code == 2, agent.story());
    const auto lines = linesOf(agent.ownError());
    QVERIFY2(lines.size() == 1 && lines.front().startsWith("tasuki-agent: ")
                 && lines.front().contains(words),
             agent.story());
    QVERIFY2(agent.standardOutput().isEmpty(), agent.story());
    QCOMPARE(place.count("*"), before);
    QVERIFY(!QFileInfo::exists(place.path("best")));
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
}

void TestPlan::unwritableOutputs_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("path");
    QTest::newRow("no folder for the CSV")
        << QStringList{"--csv", "none/out.csv"} << QByteArray("none/out.csv");
    QTest::newRow("CSV is a folder") << QStringList{"--csv", "folder"} << QByteArray("folder");
    QTest::newRow("CSV below a file") << QStringList{"--csv", "file/out"} << QByteArray("file/out");
    QTest::newRow("CSV is a device")
        << QStringList{"--csv", "/dev/null"} << QByteArray("/dev/null");
    QTest::newRow("bundle is a file") << QStringList{"--bundle", "file"} << QByteArray("file");
    QTest::newRow("bundle below a file")
        << QStringList{"--bundle", "file/a/b"} << QByteArray("file/a/b");
    QTest::newRow("CSV is fine, bundle is a file")
        << QStringList{"--csv", "out.csv", "--bundle", "file"} << QByteArray("file");
    for (const char* name : {"run", "rankfile", "machinefile"}) {
        QTest::addRow("bundle's %s is a folder", name)
            << QStringList{"--csv", "out.csv", "--bundle", QString("with %1").arg(name)}
            << QByteArray("with ") + name + '/' + name;
    }
}

// Fails if somebody searches for long only to find that nothing can be kept, if a part of the
// outputs is written, or if the error does not name the path.
void TestPlan::unwritableOutputs()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, path);
    const Workspace place;
    const QDir root(place.path());
    for (const char* folder :
         {"folder", "with run/run", "with rankfile/rankfile", "with machinefile/machinefile"})
        QVERIFY(root.mkpath(folder));
    place.write("file", "keep me\n");
    place.write("table1.alog", paperTrace);
    place.write("nodes.toml", environmentOf({1.0, 0.5}));
    for (const Start start : {Start::Alone, Start::Launch}) {
        AgentProcess agent(place);
        const int code = agent.run(
            start, 2, QStringList{"plan", "table1.alog", "-e", "nodes.toml"} + options, {}, 30s);
        QVERIFY2(code == 3, agent.story());
        const auto lines = linesOf(agent.standardError());
        QVERIFY2(lines.size() == 1 && lines.front().contains(path), agent.story());
        QVERIFY2(agent.standardOutput().isEmpty(), agent.story());
        QCOMPARE(place.count("*"), 3);
        QCOMPARE(place.read("file"), QByteArray("keep me\n"));
        QCOMPARE(root.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 4);
        QVERIFY(QDir(place.path("folder")).isEmpty());
        for (const char* name : {"run", "rankfile", "machinefile"})
            QCOMPARE(QDir(place.path(QString("with %1").arg(name)))
                         .entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                     QStringList{name});
    }
}

void TestPlan::wrongOption_data()
{
    QTest::addColumn<Start>("start");
    QTest::newRow("alone") << Start::Alone;
    QTest::newRow("mpirun") << Start::Mpirun;
    QTest::newRow("launch") << Start::Launch;
}

// Fails if every rank tells it, or mpirun adds words of its own but for the exit code.
void TestPlan::wrongOption()
{
    QFETCH(Start, start);
    const Workspace place;
    AgentProcess agent(place);
    const int code = agent.run(start, 3, {"plan", "a.alog", "-e", "b.toml", "--model", "best"}, {},
                               30s);
    QVERIFY2(code == 2, agent.story());
    QCOMPARE(
        agent.ownError(),
        QByteArray("tasuki-agent: error: plan: --model 'best' is not valid; expected replay or "
                   "lsmg\n"));
    QVERIFY2(agent.standardOutput().isEmpty(), agent.story());
}

// Fails if each rank prints it.
void TestPlan::helpWithRanks()
{
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Mpirun, 3, {"plan", "--help"}) == 0, agent.story());
    QCOMPARE(agent.standardOutput().count("Usage: tasuki-agent plan"), 1);
}

void TestPlan::interruptedTellsTheBest_data()
{
    QTest::addColumn<Start>("start");
    QTest::newRow("alone") << Start::Alone;
    QTest::newRow("launch") << Start::Launch;
}

// Fails if Ctrl-C loses what was found, if it takes long, or if the outputs and the exit code do not
// tell of it.
void TestPlan::interruptedTellsTheBest()
{
    QFETCH(Start, start);
    const Workspace place;
    // 3,628,800 allocations of 6,000 records: minutes on any machine.
    place.write("ring.alog", ringTrace(10, 200));
    place.write("nodes.toml", unequalNodes(10));
    AgentProcess agent(place);
    agent.start(start, 2,
                {"plan", "ring.alog", "-e", "nodes.toml", "--csv", "out.csv", "--bundle", "best",
                 "--rows", "3"});
    QTRY_VERIFY_WITH_TIMEOUT(agent.standardError().contains(" of 3628800 allocations, "), 60'000);
    QVERIFY2(agent.running(), agent.story());
    QVERIFY(!place.exists("out.csv"));
    QCOMPARE(kill(agent.pid(), SIGINT), 0);
    QVERIFY2(agent.finish(30s), agent.story());
    QVERIFY2(agent.exitCode() == 4, agent.story());
    const QByteArrayList table = linesOf(agent.standardOutput());
    QVERIFY2(table.size() >= 6 && table[2].startsWith("       1 "), agent.story());
    QVERIFY2(table[5].startsWith("not all were tried: best so far of ")
                 && table[5].endsWith(" of 3,628,800"),
             agent.story());
    QVERIFY2(!agent.standardOutput().contains("spread"), agent.story());
    QVERIFY2(!agent.standardOutput().contains("placement"), agent.story());
    QCOMPARE(agent.standardError().count("interrupted: the best of what was tried"), 1);
    QVERIFY2(!agent.standardError().contains("silent"), agent.story());
    QVERIFY(place.read("out.csv").startsWith("place,"));
    const QByteArray best = table[2].mid(table[2].lastIndexOf(' ') + 1);
    QVERIFY(linesOf(place.read("out.csv")).at(1).endsWith(',' + best));
    QCOMPARE(place.read("best/machinefile"), QByteArray(best).replace(',', '\n') + '\n');
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
}

// Fails if the others do not go on, if the loss is not told, or if the exit code hides it.
void TestPlan::deadRankLosesItsShare()
{
    const Workspace place;
    place.write("nodes.toml", unequalNodes(7));
    // As many rounds as keep one thread busy for some seconds, on this machine, in this build.
    int rounds = 25;
    for (qint64 elapsedMs = 0; elapsedMs < 2000;) {
        rounds *= 2;
        place.write("ring.alog", ringTrace(7, rounds));
        AgentProcess alone(place);
        QElapsedTimer timer;
        timer.start();
        QVERIFY2(
            alone.run(Start::Alone, 0, {"plan", "ring.alog", "-e", "nodes.toml", "--threads", "1"})
                == 0,
            alone.story());
        elapsedMs = timer.elapsed();
    }
    place.write("ring.alog", ringTrace(7, rounds * 3));
    AgentProcess agent(place);
    agent.start(Start::Launch, 3,
                {"plan", "ring.alog", "-e", "nodes.toml", "--lost-after", "3s", "--csv", "out.csv"},
                asOnTerminal);
    QTRY_VERIFY_WITH_TIMEOUT(agent.standardError().contains(" of 5040 allocations, "), 60'000);
    QCOMPARE(kill(agent.rank(1), SIGKILL), 0);
    QVERIFY2(agent.finish(90s), agent.story());
    QVERIFY2(agent.exitCode() == 1, agent.story());
    const QByteArray error = agent.standardError();
    QCOMPARE(error.count("warning: rank 1 is silent: its share of the allocations was not tried"),
             1);
    const QByteArrayList table = linesOf(agent.standardOutput());
    QVERIFY2(agent.standardOutput().contains("not all were tried: "), agent.story());
    // Two of three shares.
    const QByteArrayList csv = linesOf(place.read("out.csv"));
    QVERIFY2(csv.size() > 5040 / 2 && csv.size() < 5040 * 4 / 5, QByteArray::number(csv.size()));
    QVERIFY2(table.size() > 100, agent.story());
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
}

// Fails if ranks that nobody will hear search on, or if the end looks like a success.
void TestPlan::deadRankZeroEndsAll()
{
    const Workspace place;
    place.write("ring.alog", ringTrace(10, 200));
    place.write("nodes.toml", unequalNodes(10));
    AgentProcess agent(place);
    agent.start(Start::Launch, 3,
                {"plan", "ring.alog", "-e", "nodes.toml", "--lost-after", "2s", "--csv", "out.csv"},
                asOnTerminal);
    QTRY_VERIFY_WITH_TIMEOUT(agent.standardError().contains(" of 3628800 allocations, "), 60'000);
    QCOMPARE(kill(agent.rank(0), SIGKILL), 0);
    QVERIFY2(agent.finish(45s), agent.story());
    QVERIFY2(agent.exitCode() == 5, agent.story());
    QVERIFY2(agent.standardError().contains("was written is not known: start it again"),
             agent.story());
    QVERIFY(!place.exists("out.csv"));
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
}

QTEST_GUILESS_MAIN(TestPlan)

} // namespace tst_e2e_plan

#include "tst_e2e_plan.moc"

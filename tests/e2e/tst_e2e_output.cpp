// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tasks print is printed whole, in the order that is asked for. What breaks each test stands above
// it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <csignal>

namespace tst_e2e_output {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

QByteArray numbersTo(int last)
{
    QByteArray text;
    for (int number = 1; number <= last; ++number)
        text += QByteArray::number(number) + '\n';
    return text;
}

} // namespace

class TestOutput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void longOutputIsPrintedWhole_data();
    void longOutputIsPrintedWhole();
    void listOrderIsKept();
    void linesComeWhileTasksRun();
    void filesHaveEverything();
    void closedOutputIsTold_data();
    void closedOutputIsTold();
    void fullSpoolIsTold();
    void lossOfARankIsTold();
    void wrongOptionsAreTold();
};

void TestOutput::longOutputIsPrintedWhole_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("option");
    QTest::addRow("one rank") << 1 << "--group";
    QTest::addRow("two ranks") << 2 << "--group";
    QTest::addRow("list order") << 2 << "--keep-order";
    QTest::addRow("lines") << 2 << "--line-buffer";
}

// Fails if what the record has no room for is not printed, or is kept in the record, or if the record
// does not say how much there was.
void TestOutput::longOutputIsPrintedWhole()
{
    QFETCH(int, ranks);
    QFETCH(QString, option);
    const Workspace place;
    place.write("long.sh", "seq 1000000\n");
    AgentProcess agent(place);
    QCOMPARE(agent.run(Start::Launch, ranks, {"farm", "long.sh", option, "--record-output", "64K"},
                       {}, 100s),
             0);
    QVERIFY(agent.standardOutput() == numbersTo(1'000'000));
    const RunRecord record(place.path("long.tasuki").toStdString());
    QCOMPARE(record.number("select stdout_bytes from attempts"), 6'888'896);
    QCOMPARE(record.number("select stdout_kept from attempts"), 65'536);
    AgentProcess joblog(place);
    QCOMPARE(joblog.run(Start::Alone, 1, {"show", "long.tasuki", "--format", "joblog"}), 0);
    QCOMPARE(joblog.standardOutput().split('\n').value(1).split('\t').value(5),
             QByteArray("6888896")); // received, as GNU Parallel counts it
    AgentProcess show(place);
    QCOMPARE(show.run(Start::Alone, 1, {"show", "long.tasuki", "--task", "0"}), 0);
    QVERIFY(show.standardOutput().contains(
        "standard output: 6888896 bytes, of which the record keeps 65536"));
}

// Fails if what ends first is printed first, or if nothing is printed before all have ended.
void TestOutput::listOrderIsKept()
{
    const Workspace place;
    place.write("order.sh", "sleep 0.6; echo one\nprintf two\necho three\nsleep 0.3; echo four\n");
    AgentProcess agent(place);
    QVERIFY2(
        agent.run(Start::Launch, 2, {"farm", "order.sh", "--slots", "2", "--keep-order", "--tag"})
            == 0,
        agent.story());
    QCOMPARE(agent.standardOutput(), QByteArray("0\tone\n1\ttwo2\tthree\n3\tfour\n"));
}

// Fails if lines wait for the end of their task, or are torn.
void TestOutput::linesComeWhileTasksRun()
{
    const Workspace place;
    place.write(
        "lines.sh",
        "echo a1; until [ -e go ]; do sleep 0.05; done; printf a2; sleep 0.2; echo a3\n"
        "until [ -e go ]; do sleep 0.05; done; for i in 1 2 3 4; do echo b$i; sleep 0.1; done\n");
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"farm", "lines.sh", "--line-buffer"});
    QByteArray output;
    QElapsedTimer timer;
    timer.start();
    while (output != "a1\n" && timer.elapsed() < 20'000) {
        QTest::qWait(20);
        output = agent.standardOutput();
    }
    QCOMPARE(output, QByteArray("a1\n"));
    place.write("go", "");
    QVERIFY2(agent.finish(), agent.story());
    output = agent.standardOutput();
    QVERIFY2(output.contains("\na2a3\n") && output.contains("b1\n") && output.contains("b4\n"),
             output);
}

// Fails if a file lacks something, or something of tasks is printed as well.
void TestOutput::filesHaveEverything()
{
    const Workspace place;
    place.write("files.sh", "seq 500000\necho out; printf err >&2\ntrue\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "files.sh", "--output-dir", "results/all"}) == 0,
             agent.story());
    QCOMPARE(agent.standardOutput(), QByteArray());
    QVERIFY(place.read("results/all/0.out") == numbersTo(500'000));
    QCOMPARE(place.read("results/all/1.out"), QByteArray("out\n"));
    QCOMPARE(place.read("results/all/1.err"), QByteArray("err"));
    QVERIFY(place.exists("results/all/2.out") && place.exists("results/all/2.err"));
    QCOMPARE(QDir(place.path("results/all")).entryList(QDir::Files).size(), 6);
}

// Fails if a standard output that takes nothing is not told, or the exit code is 0, or results are
// lost.
void TestOutput::closedOutputIsTold_data()
{
    QTest::addColumn<Start>("start");
    QTest::addRow("alone") << Start::Alone;
    QTest::addRow("mpirun") << Start::Mpirun;
    QTest::addRow("launch") << Start::Launch;
}

void TestOutput::closedOutputIsTold()
{
    QFETCH(Start, start);
    const Workspace place;
    place.write("full.sh", "echo some\necho more\n");
    AgentProcess agent(place);
    agent.setOutputFile("/dev/full");
    QVERIFY2(agent.run(start, 2, {"farm", "full.sh"}) == 7, agent.story());
    const QByteArray told = agent.standardError();
    QCOMPARE(told.count("No space left on device"), 1);
    const RunRecord record(place.path("full.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 2);
}

// Fails if output that could not be put aside is left out without a word.
void TestOutput::fullSpoolIsTold()
{
    const Workspace place;
    place.write("spool.sh", "seq 100000; rmdir tmp\n");
    QVERIFY(QDir(place.path()).mkdir("tmp"));
    place.write("remove.sh", "rmdir tmp; seq 1000000\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 1,
                       {"farm", "remove.sh", "--tmpdir", "tmp", "--record-output", "2000"})
                 == 7,
             agent.story());
    QVERIFY2(agent.standardError().contains("output of task 0 is cut at 1000 of 6888896 bytes: "),
             agent.story());
    QCOMPARE(agent.standardOutput().count("bytes dropped"), 1);
    QVERIFY(agent.standardOutput().startsWith("1\n2\n"));
    QVERIFY(agent.standardOutput().endsWith("999999\n1000000\n"));
}

// Fails if the loss of the rank that has the output holds the run up, or is not told.
void TestOutput::lossOfARankIsTold()
{
    const Workspace place;
    // The first rank holds the turn of the output until the other one is gone.
    place.write("loss.sh",
                "until [ -e go ]; do sleep 0.05; done\nseq 1000000; echo $PPID > done\n");
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"farm", "loss.sh", "--keep-order"});
    QTRY_VERIFY_WITH_TIMEOUT(place.read("done").endsWith('\n'), 30'000);
    QTest::qWait(500); // its end is recorded by then
    const pid_t guardian = place.read("done").trimmed().toInt();
    pid_t owner = 0;
    for (const pid_t rank : agent.ranks()) {
        if (agent.guardianOf(rank) == guardian)
            owner = rank;
    }
    QVERIFY(owner > 1);
    if (owner == agent.rank(0)) {
        place.write("go", "");
        QVERIFY(agent.finish());
        QSKIP("rank 0 ran the task whose rank is to be lost");
    }
    ::kill(owner, SIGKILL);
    QTest::qWait(1500);
    place.write("go", "");
    QVERIFY2(agent.finish(), agent.story());
    QCOMPARE(agent.exitCode(), 7);
    QVERIFY2(agent.standardError().contains("output of task 1 is cut at 524288 of 6888896 bytes: "
                                            "the processor that ran it is lost"),
             agent.story());
}

void TestOutput::wrongOptionsAreTold()
{
    const Workspace place;
    place.write("list.sh", "true\n");
    const std::vector<std::pair<QStringList, QByteArray>> wrong{
        {{"--group", "--line-buffer"}, "--group and --line-buffer exclude each other"},
        {{"--output-dir", "o", "--tag"}, "--output-dir and --tag exclude each other"},
        {{"--record-output", "1G"}, "expected a number of bytes from 0 to 64M"},
        {{"--tmpdir", "missing"}, "--tmpdir 'missing'"},
        {{"--output-dir", "list.sh/x"}, "--output-dir 'list.sh/x'"}};
    for (const auto& [options, words] : wrong) {
        AgentProcess agent(place);
        QVERIFY2(agent.run(Start::Alone, 1, QStringList{"farm", "list.sh"} + options) == 2,
                 agent.story());
        QVERIFY2(agent.standardError().contains(words), agent.story());
    }
}

QTEST_GUILESS_MAIN(TestOutput)

} // namespace tst_e2e_output

#include "tst_e2e_output.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `launch` stands between: the terminal, its signals, standard input and output, exit codes.
// What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QTest>
#include <csignal>

namespace tst_e2e_launch {

using namespace tasuki::testing;
using namespace std::chrono_literals;

class TestLaunch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void probeReportsItsEnd();
    void listOnStandardInput_data();
    void listOnStandardInput();
    void hangUp_data();
    void hangUp();
    void quit_data();
    void quit();
    void nobodyReadsTheOutput();
    void hintStandsOnALineOfItsOwn();
};

// Fails if a probe that has written its file is said to have written nothing.
void TestLaunch::probeReportsItsEnd()
{
    const Workspace place;
    AgentProcess agent(place);
    const QStringList probe{"probe",           "-o", "p.toml", "--repetitions", "2",
                            "--speed-seconds", "0.1"};
    QVERIFY2(agent.run(Start::Launch, 2, probe) == 0, agent.story());
    QVERIFY(place.exists("p.toml"));
}

void TestLaunch::listOnStandardInput_data()
{
    QTest::addColumn<Start>("start");
    QTest::newRow("launch") << Start::Launch;
    QTest::newRow("mpirun") << Start::Mpirun;
    QTest::newRow("alone") << Start::Alone;
}

// Fails if the list does not reach the first rank, or is recorded under a name that looks like an option.
void TestLaunch::listOnStandardInput()
{
    QFETCH(Start, start);
    const Workspace place;
    AgentProcess agent(place);
    agent.setInputFile(place.write("list", "echo one >> done\necho two >> done\n"));
    QVERIFY2(agent.run(start, 2, {"farm", "-"}) == 0, agent.story());
    QCOMPARE(place.read("done").count('\n'), 2);
    const RunRecord record(place.path("stdin.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 2);
    QVERIFY2(agent.standardError().contains("recorded in stdin.tasuki"), agent.story());
}

void TestLaunch::hangUp_data()
{
    QTest::addColumn<Start>("start");
    QTest::addColumn<bool>("ignored");
    QTest::newRow("launch") << Start::Launch << false;
    QTest::newRow("alone") << Start::Alone << false;
    QTest::newRow("launch, nohup") << Start::Launch << true;
    QTest::newRow("alone, nohup") << Start::Alone << true;
}

// Fails if a run under nohup ends with its terminal, or if another one does not end as by Ctrl-C.
void TestLaunch::hangUp()
{
    QFETCH(Start, start);
    QFETCH(bool, ignored);
    const Workspace place;
    place.write("list.sh", "echo a >> begun; sleep 2; echo a >> ended\necho a >> ended\n");
    AgentProcess agent(place);
    if (ignored) {
        std::signal(SIGHUP, SIG_IGN);
    }
    agent.start(start, 1, {"farm", "list.sh"});
    std::signal(SIGHUP, SIG_DFL);
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    QVERIFY(agent.pid() > 1);
    QCOMPARE(kill(agent.pid(), SIGHUP), 0);
    QVERIFY2(agent.finish(20s), agent.story());
    QVERIFY2(agent.exitCode() == (ignored ? 0 : 4), agent.story());
    QCOMPARE(place.read("ended").count('\n'), ignored ? 2 : 1);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

void TestLaunch::quit_data()
{
    QTest::addColumn<Start>("start");
    QTest::newRow("launch") << Start::Launch;
    QTest::newRow("alone") << Start::Alone;
}

// Fails if Ctrl-\ leaves a task alive, waits for one, or ends the agent without a record of the end.
void TestLaunch::quit()
{
    QFETCH(Start, start);
    const Workspace place;
    place.write("list.sh", "echo a >> begun; (setsid sleep 60 &); sleep 60\n");
    AgentProcess agent(place);
    agent.start(start, 2, {"farm", "list.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun") && agent.taskProcesses().size() >= 2, 20'000);
    QVERIFY(agent.pid() > 1);
    QCOMPARE(kill(agent.pid(), SIGQUIT), 0);
    QVERIFY2(agent.finish(10s) && agent.exitCode() == 4, agent.story());
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
    const RunRecord record(place.path("list.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from attempts where outcome = 'interrupted'"), 1);
}

// As under `| head`. Fails if mpirun has its say, or if the run neither ends nor can be gone on with.
void TestLaunch::nobodyReadsTheOutput()
{
    const Workspace place;
    QByteArray list;
    constexpr int many = 200;
    for (int number = 0; number < many; ++number) {
        list += "seq 300; sleep 0.1\n";
    }
    place.write("list.sh", list);
    AgentProcess agent(place);
    QProcess head;
    agent.pipeInto(head);
    agent.start(Start::Launch, 2, {"farm", "list.sh"});
    head.start("head", {"-n", "3"});
    QVERIFY(head.waitForFinished(20'000));
    QCOMPARE(head.readAllStandardOutput(), QByteArray("1\n2\n3\n"));
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 4, agent.story());
    QVERIFY2(agent.standardError().contains("nobody reads standard output"), agent.story());
    for (const char* noise : {"SIGPIPE", "mpirun:", "Signal:", "-----"}) {
        QVERIFY2(!agent.standardError().contains(noise), agent.story());
    }
    AgentProcess resumed(place);
    QVERIFY2(resumed.run(Start::Launch, 4,
                         {"farm", "list.sh", "--slots", "8", "--resume", "list.tasuki"})
                 == 0,
             resumed.story());
}

// Fails if somebody with a narrow terminal does not see that Ctrl-C was heard and what it does next.
void TestLaunch::hintStandsOnALineOfItsOwn()
{
    const Workspace place;
    place.write("list.sh", "echo a >> begun; sleep 1.5\nsleep 1\n");
    AgentProcess agent(place);
    agent.start(Start::Launch, 1, {"farm", "list.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    QCOMPARE(kill(agent.pid(), SIGINT), 0);
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 4, agent.story());
    bool seen = false;
    for (const QByteArray& line : agent.standardError().split('\n')) {
        seen = seen || (line.contains("Ctrl-C again kills") && line.size() < 80);
    }
    QVERIFY2(seen, agent.story());
}

QTEST_GUILESS_MAIN(TestLaunch)

} // namespace tst_e2e_launch

#include "tst_e2e_launch.moc"

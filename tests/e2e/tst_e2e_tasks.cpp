// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks that misbehave: what becomes of them is recorded truthfully, others are not held up, and
// nothing of them is left. What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QTest>

namespace tst_e2e_tasks {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// A task that detaches a process completely: two forks and a session of its own.
QByteArray daemonThatWrites(const QByteArray& file, const QByteArray& seconds)
{
    return "(setsid sh -c 'sleep " + seconds + "; echo late >> " + file
        + "' </dev/null >/dev/null 2>&1 &)";
}

std::string onTask(const char* column, const char* commandPattern)
{
    return std::string("select ") + column + " from tasks where command like '" + commandPattern
        + "'";
}

} // namespace

class TestTasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endsAreToldApart();
    void floodOfOutputStallsNobody();
    void taskThatReadsGetsEndOfFile();
    void nothingOfATaskOutlivesTheRun();
    void nothingOfATimedOutTaskLives();
    void retriesAreCounted();
    void chosenTasksAlone();
};

// Fails if an exit code, a signal, an overrun or a command that cannot be run is recorded as
// something else, or makes the run stop, or leaves the exit code of the run at 0.
void TestTasks::endsAreToldApart()
{
    const Workspace place;
    place.write("ends.sh",
                "true\n"
                "exit 42\n"
                "kill -9 $$\n"
                "kill -TERM $$\n"
                "no_such_command_at_all\n"
                "#TASUKI timeout=500ms\n"
                "sleep 60\n"
                "trap '' TERM INT HUP; while :; do sleep 0.1; done\n"
                "#TASUKI timeout=none\n"
                "echo last > last\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "ends.sh"}) == 1, agent.story());
    QCOMPARE(place.read("last"), QByteArray("last\n"));
    const RunRecord record(place.path("ends.tasuki").toStdString());
    const std::string what = "state || '/' || outcome || '/' || code";
    QCOMPARE(record.value(onTask(what.c_str(), "true")), "succeeded/succeeded/0");
    QCOMPARE(record.value(onTask(what.c_str(), "exit 42")), "failed/failed/42");
    QCOMPARE(record.value(onTask(what.c_str(), "kill -9%")), "failed/signalled/9");
    QCOMPARE(record.value(onTask(what.c_str(), "kill -TERM%")), "failed/signalled/15");
    QCOMPARE(record.value(onTask(what.c_str(), "no_such%")), "failed/failed/127");
    QCOMPARE(record.value(onTask("state || '/' || outcome", "sleep 60")), "failed/timed out");
    QCOMPARE(record.value(onTask("state || '/' || outcome", "trap%")), "failed/timed out");
    QCOMPARE(record.number(onTask("elapsed_s >= 0.5 and elapsed_s < 10", "sleep 60")), 1);
}

// Fails if captured output is kept without a limit, or if a task that writes faster than anybody
// reads blocks its guardian: the short tasks beside it must end while it goes on.
void TestTasks::floodOfOutputStallsNobody()
{
    const Workspace place;
    // It goes on until they have ended, but not for ever.
    QByteArray list =
        "n=0; touch small; until [ $n -ge 10 ] && [ $(wc -l < small) -ge 20 ] || [ $n -ge 100 ]; do "
        "head -c 20000000 /dev/zero | tr '\\0' 'x'; n=$((n + 1)); done; echo $n > flooded\n";
    for (int number = 0; number < 20; ++number)
        list += "echo small >> small\n";
    place.write("flood.sh", list);
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 1, {"farm", "flood.sh", "--slots", "2", "--quiet"}) == 0,
             agent.story());
    QCOMPARE(place.read("small").count('\n'), 20);
    const int rounds = place.read("flooded").trimmed().toInt();
    QVERIFY2(rounds >= 10 && rounds < 100, "short tasks waited for the flood to end");
    QVERIFY2(QFileInfo(place.path("flood.tasuki")).size() < 20'000'000,
             "the whole flood is in the run file");
}

// Fails if a task inherits a standard input that never ends, or one that others read from.
void TestTasks::taskThatReadsGetsEndOfFile()
{
    const Workspace place;
    place.write("read.sh", "cat; echo $? > first\nread x || echo end > second\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "read.sh"}, {}, 30s) == 0, agent.story());
    QCOMPARE(place.read("first"), QByteArray("0\n"));
    QCOMPARE(place.read("second"), QByteArray("end\n"));
}

// Fails if a daemon that a task has left behind is alive after the run, or keeps it from ending.
void TestTasks::nothingOfATaskOutlivesTheRun()
{
    const Workspace place;
    QByteArray list;
    for (int number = 0; number < 6; ++number) {
        list += daemonThatWrites("late", "3") + "; echo done >> done\n";
    }
    list += "sleep 100 & echo done >> done\n";
    place.write("daemons.sh", list);
    for (const Start start : {Start::Launch, Start::Mpirun}) {
        QFile::remove(place.path("done"));
        AgentProcess agent(place);
        QElapsedTimer timer;
        timer.start();
        const QString run = start == Start::Launch ? "launch.tasuki" : "mpirun.tasuki";
        QVERIFY2(agent.run(start, 2, {"farm", "daemons.sh", "--run", run}) == 0, agent.story());
        QVERIFY2(agent.taskProcesses().empty(), describeAll(agent.taskProcesses()));
        QVERIFY2(agent.remainder(3s).empty(), describeAll(agent.allProcesses()));
        QCOMPARE(place.read("done").count('\n'), 7);
        QVERIFY(timer.elapsed() < 30'000);
    }
    QTest::qWait(3500);
    QVERIFY(!place.exists("late"));
}

// Fails if a time limit ends the shell alone: its children, and those that have left its session,
// would go on while the run does.
void TestTasks::nothingOfATimedOutTaskLives()
{
    const Workspace place;
    place.write("overrun.sh",
                "#TASUKI timeout=700ms\n" + daemonThatWrites("late", "2")
                    + "; sleep 61 & sleep 61\n"
                      "#TASUKI timeout=none\n"
                      "sleep 4; echo survived > survived\n");
    AgentProcess agent(place);
    agent.start(Start::Launch, 1, {"farm", "overrun.sh", "--slots", "2"});
    QTRY_VERIFY_WITH_TIMEOUT(!agent.taskProcesses().empty(), 15'000);
    // Only the second task and its sleep may be left when the limit is over.
    QTest::qWait(2200);
    for (const ProcessInfo& process : agent.taskProcesses()) {
        const QByteArray line = QByteArray::fromStdString(describe(process));
        QVERIFY2(!line.contains("sleep 61") && !line.contains("late"), line);
    }
    QVERIFY2(agent.finish() && agent.exitCode() == 1, agent.story());
    QVERIFY(!place.exists("late"));
    QVERIFY(place.exists("survived"));
    const RunRecord record(place.path("overrun.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where outcome = 'timed out'"), 1);
}

// Fails if --retries is not obeyed, or a task that succeeded at last is counted as failed.
void TestTasks::retriesAreCounted()
{
    const Workspace place;
    place.write("retry.sh",
                "echo x >> a; test $TASUKI_ATTEMPT -ge 3\n"
                "echo x >> b; exit 5\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "retry.sh", "--retries", "2"}) == 1,
             agent.story());
    QCOMPARE(place.read("a").count('x'), 3);
    QCOMPARE(place.read("b").count('x'), 3);
    {
        const RunRecord record(place.path("retry.tasuki").toStdString());
        QCOMPARE(record.value(onTask("state || attempts", "echo x >> a%")), "succeeded3");
        QCOMPARE(record.value(onTask("state || attempts || code", "echo x >> b%")), "failed35");
    }
    // Done again only when asked for, and the one that succeeded never.
    AgentProcess plain(place);
    QCOMPARE(plain.run(Start::Launch, 2, {"farm", "retry.sh", "--resume", "retry.tasuki"}), 1);
    QCOMPARE(place.read("b").count('x'), 3);
    AgentProcess again(place);
    QCOMPARE(again.run(Start::Launch, 2,
                       {"farm", "retry.sh", "--resume", "retry.tasuki", "--retry-failed"}),
             1);
    QVERIFY2(place.read("b").count('x') > 3, again.story());
    QCOMPARE(place.read("a").count('x'), 3);
}

// Fails if other tasks run than those that are named and what waits for them, or if those that are left
// are lost for the next life.
void TestTasks::chosenTasksAlone()
{
    const Workspace place;
    place.write("some.sh",
                "#TASUKI label=a\n"
                "echo x >> a; test -e good\n"
                "#TASUKI after=a\n"
                "echo x >> b\n"
                "echo x >> c\n"
                "echo x >> d; test -e good\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "some.sh"}) == 1, agent.story());
    QCOMPARE(place.read("b"), QByteArray());
    place.write("good", "");
    AgentProcess wrong(place);
    QCOMPARE(
        wrong.run(Start::Launch, 2, {"farm", "some.sh", "--resume", "some.tasuki", "--retry", "1"}),
        2);
    QVERIFY2(wrong.story().contains("task 1 comes after task 0"), wrong.story());
    AgentProcess chosen(place);
    QVERIFY2(chosen.run(Start::Launch, 2, {"farm", "--resume", "some.tasuki", "--retry", "0,2"})
                 == 1, // task 3 has still failed
             chosen.story());
    const auto counts = [&] {
        return QList{place.read("a").count('x'), place.read("b").count('x'),
                     place.read("c").count('x'), place.read("d").count('x')};
    };
    QCOMPARE(counts(), (QList<qsizetype>{2, 1, 2, 1}));
    // A new task is left for the next life.
    place.write("more.sh", place.read("some.sh") + "echo x >> e\n");
    AgentProcess part(place);
    QVERIFY2(
        part.run(Start::Launch, 2, {"farm", "more.sh", "--resume", "some.tasuki", "--retry", "3"})
            == 4,
        part.story());
    QCOMPARE(counts(), (QList<qsizetype>{2, 1, 2, 2}));
    QCOMPARE(place.read("e"), QByteArray());
    AgentProcess rest(place);
    QVERIFY2(rest.run(Start::Launch, 2, {"farm", "--resume", "some.tasuki"}) == 0, rest.story());
    QCOMPARE(place.read("e").count('x'), 1);
    QCOMPARE(counts(), (QList<qsizetype>{2, 1, 2, 2}));
}

QTEST_GUILESS_MAIN(TestTasks)

} // namespace tst_e2e_tasks

#include "tst_e2e_tasks.moc"

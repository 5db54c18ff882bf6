// SPDX-License-Identifier: GPL-3.0-or-later
//
// Commands that steer a run from a shell, at real agents under mpirun: a living run, one that has ended, one that was
// killed, and files that are none. What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <csignal>

namespace tst_e2e_steering {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// What a command came to.
struct Outcome {
    int code = -1;
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QByteArray story() const
    {
        return "exit code " + QByteArray::number(code) + "\nout: " + out + "\nerr: " + err;
    }
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// Gives one command.
Outcome give(const Workspace& place, const QStringList& arguments, const QString& input = {})
{
    AgentProcess process(place);
    if (!input.isEmpty())
        process.setInputFile(input);
    Outcome outcome;
    outcome.code = process.run(Start::Alone, 0, arguments);
    outcome.out = process.standardOutput();
    outcome.err = process.standardError();
    return outcome;
}

const QString run = QStringLiteral("served.tasuki");

/// A run that serves, until it is interrupted.
struct Served {
    Workspace place;
    AgentProcess agent{place};

    explicit Served(int ranks = 2)
    {
        agent.start(Start::Launch, ranks, {"serve", "--run", run});
        if (!QTest::qWaitFor([&] { return !place.accessFile().isEmpty(); }, 20'000))
            qFatal("%s", agent.story().constData());
    }
    Outcome operator()(const QStringList& arguments, const QString& input = {})
    {
        return give(place, arguments, input);
    }
    void end()
    {
        ::kill(agent.pid(), SIGINT);
        QVERIFY2(agent.finish(), agent.story());
    }
};

} // namespace

class TestSteering : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tasksAreAddedAndWaitedFor();
    void aWholeListIsAdded();
    void whatIsWrongIsToldAndAddsNothing();
    void tasksAreHeldReleasedCancelledAndRetried();
    void outputIsFollowed();
    void anEndedRun();
    void aKilledRun();
    void noRuns();
    void theRunEndsBeforeTheTask();
    void runsOfOtherHosts();
};

// Fails if a task is not added, if `wait` ends early or late, or if an exit code is not the task's.
void TestSteering::tasksAreAddedAndWaitedFor()
{
    Served served;
    const Outcome first = served({"add", run, "echo one > one", "echo two > two"});
    QVERIFY2(first.code == 0 && first.out == "added 2 tasks: 0 to 1\n", first.story());
    const Outcome waited = served({"wait", run});
    QVERIFY2(waited.code == 0, waited.story());
    QCOMPARE(served.place.read("one") + served.place.read("two"), "one\ntwo\n");

    const Outcome failing = served({"add", run, "--wait", "--", "sh", "-c", "exit 7"});
    QVERIFY2(failing.code == 7, failing.story());
    const Outcome killed = served({"add", run, "--wait", "kill -TERM $$"});
    QVERIFY2(killed.code == 128 + SIGTERM, killed.story());
    const Outcome slow = served({"add", run, "--wait", "#TASUKI timeout=300ms", "sleep 20"});
    QVERIFY2(slow.code == 124, slow.story());
    const Outcome several = served({"add", run, "--wait", "--json", "true", "exit 9"});
    QVERIFY2(several.code == 1, several.story());
    const auto lines = several.out.split('\n');
    QCOMPARE(QJsonDocument::fromJson(lines[0]).object()["added"].toInt(), 2);
    const QJsonObject end = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(end["end"].toString(), "done");
    QCOMPARE(end["unsuccessful"].toInt(), 1);

    QCOMPARE(served({"wait", run, "2"}).code, 7);
    QCOMPARE(served({"wait", run, "0-1"}).code, 0);
    QCOMPARE(served({"wait", run}).code, 1);
    const Outcome late = served({"add", run, "sleep 30"});
    QVERIFY2(late.code == 0, late.story());
    QCOMPARE(served({"wait", run, "7", "--timeout", "300ms"}).code, 124);
    const Outcome why = served({"why", run, "7", "2"});
    QVERIFY2(why.out.startsWith("task 2 failed: attempt 1 on "), why.story());
    QVERIFY2(
        why.out.contains(
            "ended with exit code 7, and it has no retries after an exit code\ntask 7 runs on "),
        why.story());
    QCOMPARE(served({"cancel", run, "7"}).code, 0);
    served.end();
}

// Fails if lines are lost or come twice, or have another number than in their list.
void TestSteering::aWholeListIsAdded()
{
    Served served;
    QByteArray list = "#TASUKI env=A=b\n";
    for (int i = 0; i < 3000; ++i)
        list += "test $A = b && echo " + QByteArray::number(i) + " >> done\n";
    const QString file = served.place.write("list.sh", list);
    const Outcome added = served({"add", run, "--wait"}, file);
    QVERIFY2(added.code == 0 && added.out == "added 3000 tasks: 0 to 2999\n", added.story());
    QCOMPARE(served.place.read("done").count('\n'), 3000);
    const QString objects = served.place.write(
        "objects",
        "{\"command\":\"echo $A\",\"env\":{\"A\":\"it's\"},\"label\":\"one\"}\n"
        "{\"command\":\"test -z \\\"$A\\\"\",\"after\":\"one\"}");
    const Outcome json = served({"add", run, "--jsonl", "--wait"}, objects);
    QVERIFY2(json.code == 0 && json.out == "added 2 tasks: 3000 to 3001\n", json.story());
    const QString bad = served.place.write("bad",
                                           "{\"command\":\"true\"}\n{\"commnd\":\"true\"}\n");
    const Outcome wrong = served({"add", run, "--jsonl"}, bad);
    QVERIFY2(wrong.code == 2 && wrong.err.contains("standard input:2:")
                 && wrong.err.contains("nearest"),
             wrong.story());
    served.end();
    const RunRecord record(served.place.path(run).toStdString());
    QCOMPARE(record.number("SELECT count(*) FROM tasks WHERE state = 'succeeded'"), 3002LL);
    QCOMPARE(record.number("SELECT max(line) FROM tasks"), 0LL); // they are of no list
}

// Fails if something is added of a list that is wrong, or if the message does not say where.
void TestSteering::whatIsWrongIsToldAndAddsNothing()
{
    Served served;
    const Outcome quote = served({"add", run, "true", "echo 'open"});
    QVERIFY2(quote.code == 2, quote.story());
    QVERIFY2(quote.err.contains("add:2:6:"), quote.story());
    const QString file = served.place.write("list.sh", "true\n#TASUKI retries=many\ntrue\n");
    const Outcome directive = served({"add", run}, file);
    QVERIFY2(directive.code == 2 && directive.err.contains("standard input:2:"), directive.story());
    const Outcome nothing = served({"add", run});
    QVERIFY2(nothing.code != 0 && nothing.err.contains("no task was given"), nothing.story());
    QCOMPARE(served({"wait", run}).code, 0); // there is no task at all
    const Outcome unknown = served({"cancel", run, "3"});
    QVERIFY2(unknown.code == 2 && unknown.err.contains("there is no task 3"), unknown.story());
    for (const QStringList& wrong : {QStringList{"cancel", run},
                                     {"tail", run},
                                     {"add"},
                                     {"wait"},
                                     {"wait", run, "--timeout", "soon"},
                                     {"why", run, "--state", "bad"},
                                     {"tail", run, "0", "-n", "few"},
                                     {"hold", run, "--nothing"}}) {
        const Outcome outcome = served(wrong);
        QVERIFY2(outcome.code == 2 && outcome.err.startsWith("tasuki-agent: error: "),
                 (wrong.join(' ').toUtf8() + '\n' + outcome.story()).constData());
        QCOMPARE(outcome.err.count('\n'), 1);
    }
    served.end();
}

// Fails if a held task runs, a cancelled one goes on, or a retried one does not.
void TestSteering::tasksAreHeldReleasedCancelledAndRetried()
{
    Served served(1);
    QCOMPARE(served({"add", run, "sleep 100", "echo held > held", "echo late > late", "true"}).code,
             0);
    QTRY_VERIFY_WITH_TIMEOUT(served({"why", run, "0"}).out.contains("runs on"), 10'000);
    QCOMPARE(served({"hold", run, "1-2"}).out, "2 tasks held\n");
    const Outcome cancelled = served({"cancel", run, "0", "3", "--json"});
    QCOMPARE(cancelled.code, 0);
    QCOMPARE(cancelled.json()["tasks"].toArray().size(), 2);
    QCOMPARE(served({"wait", run, "0"}).code, 1);
    const Outcome again = served({"cancel", run, "0"});
    QVERIFY2(again.code == 1 && again.err.contains("task 0 has"), again.story());
    QVERIFY(served({"why", run, "1"}).out.contains("is held"));
    QVERIFY(!served.place.exists("held"));
    QCOMPARE(served({"release", run, "--state", "held"}).out, "2 tasks released\n");
    QCOMPARE(served({"wait", run, "1-2"}).code, 0);
    QVERIFY(served.place.exists("held") && served.place.exists("late"));

    QCOMPARE(served({"add", run, "--wait", "echo x >> tries; test $(wc -l < tries) = 2"}).code, 1);
    QCOMPARE(served({"retry", run, "--state", "failed"}).out, "1 task to be done again\n");
    QCOMPARE(served({"wait", run, "4"}).code, 0);
    QCOMPARE(served.place.read("tries"), "x\nx\n");
    QCOMPARE(served({"retry", run, "--state", "failed"}).out, "0 tasks to be done again\n");
    served.end();
}

// Fails if output is lost, comes twice, or only when the task has ended.
void TestSteering::outputIsFollowed()
{
    Served served(1);
    QCOMPARE(
        served(
            {"add", run,
             "echo begin; echo aside >&2; while ! test -e go; do sleep 0.05; done; seq 1 20000; echo end"})
            .code,
        0);
    QTRY_VERIFY_WITH_TIMEOUT(served({"why", run, "0"}).out.contains("runs on"), 20'000);
    AgentProcess tail(served.place);
    tail.start(Start::Alone, 0, {"tail", run, "0", "-n", "all"});
    QTRY_COMPARE_WITH_TIMEOUT(tail.standardOutput(), "begin\n", 20'000);
    served.place.write("go", {});
    QVERIFY2(tail.finish() && tail.exitCode() == 0, tail.story());
    QByteArray expected = "begin\n";
    for (int i = 1; i <= 20000; ++i)
        expected += QByteArray::number(i) + '\n';
    QVERIFY2(tail.standardOutput() == expected + "end\n", tail.story());
    QCOMPARE(tail.standardError(), "aside\n");
    const Outcome last = served({"tail", run, "0", "--lines", "2"});
    QVERIFY2(last.code == 0 && last.out == "20000\nend\n", last.story());

    // Another attempt is followed, too.
    QCOMPARE(served({"add", run, "#TASUKI retries=1", "echo try; sleep 0.3; exit 3"}).code, 0);
    const Outcome tries = served({"tail", run, "1"});
    QVERIFY2(tries.code == 0 && tries.out == "try\ntry\n", tries.story());
    served.end();
}

// Fails if a command waits for an agent that has gone, or says nothing of what to do.
void TestSteering::anEndedRun()
{
    const Workspace place;
    place.write("list.sh", "echo hello\nexit 5\n");
    AgentProcess farm(place);
    QCOMPARE(farm.run(Start::Launch, 2, {"farm", "list.sh", "--run", "ended.tasuki", "--quiet"}),
             1);
    QCOMPARE(give(place, {"wait", "ended.tasuki"}).code, 1);
    QCOMPARE(give(place, {"wait", "ended.tasuki", "1"}).code, 5);
    QCOMPARE(give(place, {"tail", "ended.tasuki", "0"}).out, "hello\n");
    QVERIFY(give(place, {"why", "ended.tasuki"}).out.contains("task 1 failed"));
    for (const QStringList& command : {QStringList{"add", "ended.tasuki", "true"},
                                       {"cancel", "ended.tasuki", "0"},
                                       {"hold", "ended.tasuki", "0"},
                                       {"release", "ended.tasuki", "0"},
                                       {"retry", "ended.tasuki", "1"}}) {
        const Outcome outcome = give(place, command);
        QVERIFY2(outcome.code == 8, outcome.story());
        QVERIFY2(outcome.err.contains("no agent works on this run any more")
                     && outcome.err.contains("--resume"),
                 outcome.story());
    }
}

// Fails if a run whose processes were all killed is taken for one that lives, or for one that has ended well.
void TestSteering::aKilledRun()
{
    const Workspace place;
    place.write("list.sh", "true\nsleep 100\nsleep 100\ntrue\n");
    AgentProcess farm(place);
    farm.start(Start::Launch, 2, {"farm", "list.sh", "--run", "killed.tasuki", "--quiet"});
    QTRY_VERIFY_WITH_TIMEOUT(give(place, {"wait", "killed.tasuki", "0"}).code == 0, 20'000);
    for (const ProcessInfo& process : farm.allProcesses())
        ::kill(process.pid, SIGKILL);
    QVERIFY(farm.remainder(20s).empty());
    const Outcome waited = give(place, {"wait", "killed.tasuki"});
    QVERIFY2(waited.code == 4 && waited.err.contains("--resume"), waited.story());
    QCOMPARE(give(place, {"add", "killed.tasuki", "true"}).code, 8);
    const Outcome why = give(place, {"why", "killed.tasuki", "1", "3"});
    QVERIFY2(why.out.contains("task 1 was running")
                 && why.out.contains("task 3 was still to be done"),
             why.story());
    QCOMPARE(give(place, {"tail", "killed.tasuki", "3"}).code, 0);
}

// Fails if a file that is no run crashes a command or is changed by it.
void TestSteering::noRuns()
{
    const Workspace place;
    place.write("list.sh", "true\n");
    place.write("empty.tasuki", {});
    for (const QString& name :
         {QStringLiteral("list.sh"), QStringLiteral("empty.tasuki"),
          QStringLiteral("nothing.tasuki"), QStringLiteral("/dev/null"), QStringLiteral(".")}) {
        for (const char* command : {"add", "cancel", "wait", "tail", "why"}) {
            const Outcome outcome = give(place, {command, name, "0"});
            QVERIFY2(outcome.code == 3 || outcome.code == 2, outcome.story());
            QVERIFY2(outcome.err.startsWith("tasuki-agent: error: ")
                         && outcome.err.count('\n') == 1,
                     outcome.story());
            QVERIFY2(outcome.err.contains(name.toUtf8()), outcome.story());
        }
    }
    QCOMPARE(place.read("list.sh"), "true\n");
    const Outcome gone = give(place, {"wait", "0123456789ab-1.json"});
    QVERIFY2(gone.code == 2 && gone.err.contains("name the run file"), gone.story());
}

// Fails if somebody waits for ever for a task of a run that was interrupted.
void TestSteering::theRunEndsBeforeTheTask()
{
    Served served;
    AgentProcess waiting(served.place);
    QCOMPARE(served({"add", run, "sleep 100", "sleep 100", "true"}).code, 0);
    waiting.start(Start::Alone, 0, {"wait", run, "2", "--json"});
    AgentProcess following(served.place);
    following.start(Start::Alone, 0, {"tail", run, "2"});
    QTest::qWait(300);
    ::kill(served.agent.pid(), SIGINT);
    QTest::qWait(500);
    ::kill(served.agent.pid(), SIGINT);
    QVERIFY2(waiting.finish() && waiting.exitCode() == 4, waiting.story());
    QVERIFY2(following.finish() && following.exitCode() == 4, following.story());
    QCOMPARE(QJsonDocument::fromJson(waiting.standardOutput()).object()["end"].toString(),
             "run over");
    QVERIFY2(served.agent.finish(), served.agent.story());
}

// Fails if a word reaches the other host changed, or if what is followed comes twice or is lost when the link is.
void TestSteering::runsOfOtherHosts()
{
    Served served;
    // In place of ssh: the command is given here. While there is a file "cut", the link ends after a second.
    const QString ssh = served.place.write(
        "ssh",
        "#!/bin/sh\n"
        "[ ! -e refused ] || exit 255\n"
        "for word; do\n"
        "    case $word in LocalCommand=*) eval \"${word#LocalCommand=}\" ;; esac\n"
        "done\n"
        "[ -e cut ] || exec sh -c \"$word\"\n"
        "rm cut\n"
        "sh -c \"exec $word\" & sleep 1; kill $!\n"
        "exit 255\n");
    QVERIFY(QFile::setPermissions(ssh, QFile::permissions(ssh) | QFile::ExeOwner));
    const QString there = "ssh://node" + served.place.path(run);
    const auto prepare = [&](AgentProcess& process) {
        process.setVariable("PATH", served.place.path() + ':' + qEnvironmentVariable("PATH"));
        process.setVariable("TASUKI_REMOTE_AGENT", QStringLiteral(TASUKI_AGENT_PROGRAM));
    };
    const auto giveThere = [&](const QStringList& arguments) {
        AgentProcess process(served.place);
        prepare(process);
        const int code = process.run(Start::Alone, 0, arguments);
        return Outcome{code, process.standardOutput(), process.standardError()};
    };
    const Outcome added = giveThere(
        {"add", there, "--wait", "echo it\\'s \"$HOME\" > said; exit 6"});
    QVERIFY2(added.code == 6, added.story());
    QCOMPARE(served.place.read("said"), "it's " + qgetenv("HOME") + '\n');

    QCOMPARE(
        giveThere({"add", there,
                   "touch begun; for i in $(seq 40); do echo $i; echo e$i >&2; sleep 0.1; done"})
            .code,
        0);
    QTRY_VERIFY_WITH_TIMEOUT(served.place.exists("begun"),
                             20'000); // else it says what is waited for
    served.place.write("cut", {});
    const Outcome tail = giveThere({"tail", there, "1", "-n", "all"});
    QByteArray output;
    QByteArray errors;
    for (int i = 1; i <= 40; ++i) {
        output += QByteArray::number(i) + '\n';
        errors += 'e' + QByteArray::number(i) + '\n';
    }
    QVERIFY2(tail.code == 0 && tail.out == output, tail.story());
    const QByteArray own = "tasuki-agent: the connection to node was lost: trying again\n";
    QVERIFY2(tail.err.contains(own), tail.story());
    QCOMPARE(QByteArray(tail.err).replace(own, ""), errors);

    served.place.write("cut", {});
    QCOMPARE(giveThere({"wait", there, "1"}).code, 0);
    // What was waited before the link was lost counts.
    QCOMPARE(served({"add", run, "sleep 100"}).code, 0);
    served.place.write("cut", {});
    QElapsedTimer timer;
    timer.start();
    const Outcome late = giveThere({"wait", there, "2", "--timeout", "3s"});
    QVERIFY2(late.code == 124, late.story());
    QVERIFY(timer.elapsed() >= 2900 && QFile::remove(served.place.path("said")));
    QCOMPARE(served({"cancel", run, "2"}).code, 0);
    served.place.write("refused", {});
    const Outcome refused = giveThere({"why", there});
    QVERIFY2(refused.code == 8 && refused.err.contains("ssh does not get there"), refused.story());
    QVERIFY(QFile::remove(served.place.path("refused")));
    const Outcome wrong = giveThere({"wait", "ssh://-oProxyCommand=true/x"});
    QVERIFY2(wrong.code == 2, wrong.story());
    served.end();
}

QTEST_GUILESS_MAIN(TestSteering)

} // namespace tst_e2e_steering

#include "tst_e2e_steering.moc"

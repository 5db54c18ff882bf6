// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window's session at a real agent under mpirun: what it commands, what it sees, and that it sees
// exactly what the run file holds. What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "runrecord.h"
#include "windowbench.h"
#include "workspace.h"

#include "client/agentsource.h"
#include "models/runmodels.h"
#include "runfile/runfilereader.h"
#include "tasklist/tasklistdefaults.h"

#include <QDir>
#include <QSignalSpy>
#include <csignal>

namespace tst_e2e_window {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// Whether an event of a kind tells of a task in a run file, as of now.
template <typename Payload>
bool isRecorded(const QString& path, TaskId task)
{
    return std::ranges::any_of(recordedEvents(path), [task](const Event& event) {
        const auto* found = std::get_if<Payload>(&event.payload);
        return found != nullptr && found->id == task;
    });
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void editsReachTheRunFile();
    void liveOutputAndCancel();
    void agentIsKilledAndResumed();
    void windowIsKilled();
    void mergeTellsItsRounds();
};

// Fails if a command of a window does not reach the farm, is answered before it is recorded, changes
// another task than the one meant, or if a stale edit overwrites a newer one; if tasks that were
// held or cancelled run; or if the window's events are not those of the run file.
void TestWindow::editsReachTheRunFile()
{
    const Workspace place;
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"serve", "--run", "served.tasuki"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    {
        Window window(place.accessFile());
        Window other(place.accessFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.live() && other.live(), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(window.state().processors().size(), std::size_t{2}, 20'000);

        // Two long tasks fill the slots, so that the others stay queued.
        QByteArray list = "sleep 3\nsleep 3\n";
        for (int task = 2; task < 8; ++task)
            list += "echo old " + QByteArray::number(task) + " > out." + QByteArray::number(task)
                + "\n";
        list += "exit 3\n";
        const CommandAnswer added = window.command(AddTasks{list.toStdString(), "typed"});
        QVERIFY2(added.accepted, added.reason.text().c_str());
        QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Running), std::size_t{2}, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(other.state().tasks().size(), std::size_t{9}, 10'000);

        const CommandAnswer wrong = window.command(AddTasks{"echo 'open\n", "typed"});
        QVERIFY(!wrong.accepted);
        QVERIFY2(QByteArray::fromStdString(wrong.reason.text()).contains("typed:1:6"),
                 wrong.reason.text().c_str());

        // Two windows edit the same task: the second learns that it was overtaken.
        const TaskTarget seenByBoth = window.target(2);
        const auto edit = [](TaskTarget target, std::string command) {
            return EditTasks{
                {TaskEdit{target, std::move(command), std::make_shared<const TaskSettings>()}}};
        };
        QVERIFY(window.command(edit(seenByBoth, "echo new > out.2")).accepted);
        QVERIFY(isRecorded<TaskChanged>(place.path("served.tasuki"), TaskId(2)));
        const CommandAnswer stale = other.command(edit(seenByBoth, "echo stale > out.2"));
        QVERIFY(!stale.accepted);
        QCOMPARE(stale.conflicts.size(), std::size_t{1});
        QCOMPARE(stale.conflicts.front().cause, ConflictCause::Changed);
        const CommandAnswer tooLate = window.command(edit(window.target(0), "echo late"));
        QVERIFY(!tooLate.accepted);
        QCOMPARE(tooLate.conflicts.front().cause, ConflictCause::Started);

        QVERIFY(window.command(CancelTasks{{window.target(3)}}).accepted);
        QVERIFY(isRecorded<TaskCancelled>(place.path("served.tasuki"), TaskId(3)));
        QVERIFY(other.command(HoldTasks{{other.target(4), other.target(5)}}).accepted);
        QVERIFY(other.command(ReleaseTasks{{other.target(5)}}).accepted);

        QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Failed), std::size_t{1}, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            window.count(TaskState::Queued) == 0 && window.count(TaskState::Running) == 0, 10'000);
        QCOMPARE(window.count(TaskState::Cancelled), std::size_t{1});
        QCOMPARE(window.count(TaskState::Held), std::size_t{1});
        QVERIFY(window.command(RepeatTasks{{window.target(8)}}).accepted);
        QTRY_VERIFY_WITH_TIMEOUT(window.state().task(TaskId(8)).attempts == 2
                                     && window.count(TaskState::Failed) == 1,
                                 10'000);
        QVERIFY(window.command(StopRun{}).accepted);
        QTRY_COMPARE_WITH_TIMEOUT(window.models.session.connection().state, ConnectionState::Ended,
                                  20'000);
        QVERIFY2(agent.finish(20s) && agent.exitCode() == 4, agent.story());

        QVERIFY(window.state().closed().has_value());
        const std::vector<Event> recorded = recordedEvents(place.path("served.tasuki"));
        QVERIFY2(window.keeper.events == recorded, difference(window.keeper.events, recorded));
    }
    QCOMPARE(place.read("out.2"), QByteArray("new\n"));
    QVERIFY(!place.exists("out.3") && !place.exists("out.4"));
    QCOMPARE(place.read("out.5"), QByteArray("old 5\n"));
    const RunRecord record(place.path("served.tasuki").toStdString());
    QCOMPARE(record.value("select state from tasks where id = 3"), std::string("cancelled"));
    QCOMPARE(record.value("select state from tasks where id = 4"), std::string("held"));
    QCOMPARE(record.value("select command from tasks where id = 2"),
             std::string("echo new > out.2"));
    QCOMPARE(record.number("select count(*) from attempts where task in (3, 4)"), 0);
    QVERIFY(!QDir(place.path(".access")).exists("*.json") && place.accessFile().isEmpty());
}

// Fails if a window cannot see what a running task writes, or if a cancelled one, or what it has
// started, lives on.
void TestWindow::liveOutputAndCancel()
{
    const Workspace place;
    place.write("talks.sh",
                "echo first; sleep 0.5; echo second; setsid tail -f /dev/null & tail -f /dev/null\n"
                "sleep 6\n");
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"farm", "talks.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    Window window(place.accessFile());
    QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.count(TaskState::Running) == 2, 20'000);
    std::string text;
    const auto read = [&] {
        OutputQuery query{.key = {TaskId(0), AttemptNumber(1)}};
        query.standardOutputFrom = text.size();
        window.models.session.requestOutput(query, [&](const Result<OutputAnswer>& answer) {
            if (answer && answer->known && answer->running
                && answer->standardOutput.offset == text.size())
                text += answer->standardOutput.bytes;
        });
        QTest::qWait(100);
        return text == "first\nsecond\n";
    };
    QVERIFY2(QTest::qWaitFor(read, 10'000), text.c_str());
    QVERIFY(window.command(CancelTasks{{window.target(0)}}).accepted);
    QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Cancelled), std::size_t{1}, 10'000);
    // The run goes on: what is gone, the cancellation has ended.
    const auto cancelledOnesLive = [&agent] {
        return std::ranges::any_of(agent.taskProcesses(), [](const ProcessInfo& process) {
            return process.name == "tail";
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(!cancelledOnesLive(), 2'000);
    QCOMPARE(window.count(TaskState::Running), std::size_t{1});
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 1, agent.story());
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));
}

// Fails if a window does not notice that its agent was killed, does not find the one that resumed
// the run, or has lost, doubled or invented an event at the end.
void TestWindow::agentIsKilledAndResumed()
{
    const Workspace place;
    QByteArray list;
    for (int task = 0; task < 120; ++task)
        list += "sleep 0.05; test " + QByteArray::number(task % 10) + " -ne 7\n";
    place.write("list.sh", list);
    auto agent = std::make_unique<AgentProcess>(place);
    agent->start(Start::Launch, 2, {"farm", "list.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    Window window(place.accessFile());
    QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.count(TaskState::Succeeded) > 10, 20'000);
    const int resets = window.keeper.resets;
    // All at once: rank 0 would take leave if it saw the launch die before it.
    const std::vector<ProcessInfo> processes = agent->allProcesses();
    for (const int signal : {SIGSTOP, SIGKILL}) {
        for (const ProcessInfo& process : processes)
            kill(process.pid, signal);
    }
    QTRY_COMPARE_WITH_TIMEOUT(window.models.session.connection().state, ConnectionState::Waiting,
                              10'000);
    QVERIFY(window.count(TaskState::Succeeded) < 100);
    agent = std::make_unique<AgentProcess>(place);
    agent->start(Start::Launch, 2, {"farm", "list.sh", "--resume", "list.tasuki"});
    QTRY_VERIFY_WITH_TIMEOUT(window.live(), 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(window.models.session.connection().state, ConnectionState::Ended,
                              60'000);
    QVERIFY2(agent->finish(20s) && agent->exitCode() == 1, agent->story());
    QCOMPARE(window.count(TaskState::Succeeded), std::size_t{108});
    QCOMPARE(window.keeper.resets, resets); // it went on from what it had
    const std::vector<Event> recorded = recordedEvents(place.path("list.tasuki"));
    QVERIFY2(window.keeper.events == recorded, difference(window.keeper.events, recorded));
}

// Fails if a window that vanishes disturbs the farm.
void TestWindow::windowIsKilled()
{
    const Workspace place;
    place.write("list.sh", QByteArray("sleep 0.05\n").repeated(80));
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"farm", "list.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    {
        Window window(place.accessFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.count(TaskState::Succeeded) > 5, 20'000);
    }
    QVERIFY2(agent.finish(30s) && agent.exitCode() == 0, agent.story());
    const RunRecord record(place.path("list.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 80);
}

// Fails if a merge is not to be found by windows, or does not tell them its rounds and its end.
void TestWindow::mergeTellsItsRounds()
{
    const Workspace place;
    QStringList files;
    for (const char* name : {"f0", "f1"}) {
        QByteArray lines;
        for (int line = 0; line < 500'000; ++line)
            lines += QByteArray(name) + QByteArray::number(line) + "\t" + QByteArray(60, 'v')
                + "\n";
        files << QString::fromLatin1(name);
        place.write(files.back(), lines);
    }
    AgentProcess agent(place);
    agent.start(Start::Launch, 2,
                QStringList{"merge"} + files
                    + QStringList{"-o", "out", "--verbose", "--run", "merge.tasuki"});
    // A rank that is stopped for a while holds the merge up, so that there is time to connect.
    QTRY_VERIFY_WITH_TIMEOUT(agent.standardOutput().contains("butterfly"), 30'000);
    const pid_t other = agent.rank(1);
    QCOMPARE(kill(other, SIGSTOP), 0);
    Window window(place.accessFile());
    QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.state().processors().size() == 2, 8'000);
    const CommandAnswer wrong = window.command(AddTasks{"echo task", "typed"});
    QVERIFY(!wrong.accepted);
    QCOMPARE(kill(other, SIGCONT), 0);
    QTRY_COMPARE_WITH_TIMEOUT(window.models.session.connection().state, ConnectionState::Ended,
                              20'000);
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 0, agent.story());
    QByteArray notices;
    for (const Event& event : window.keeper.events) {
        if (const auto* notice = std::get_if<Notice>(&event.payload))
            notices += QByteArray::fromStdString(notice->text.text()) + '\n';
    }
    QVERIFY2(notices.contains("step:0 (0,1): sent ")
                 && notices.contains("merged into out: 1000000"),
             notices);
    const std::vector<Event> recorded = recordedEvents(place.path("merge.tasuki"));
    QVERIFY2(window.keeper.events == recorded, difference(window.keeper.events, recorded));
}

QTEST_GUILESS_MAIN(TestWindow)

} // namespace tst_e2e_window

#include "tst_e2e_window.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks, guardians and agents that are brought to an end: nothing of a task may live on.
// With the argument --agent this program is an agent that a test kills.
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "bareguardian.h"
#include "guardianharness.h"

#include "process/sweep.h"
#endif

#include <QTemporaryDir>
#include <QTest>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <set>

using namespace tasuki;

class GuardianStopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup();
    void timeout();
    void timeoutGivesAWhile();
    void cancelKillsDetached_data();
    void cancelKillsDetached();
    void cancelSparesOthers();
    void interruptKillsAtOnce();
    void stoppedBeforeItRuns();
    void forkStormIsKilled();
    void stopAllLeavesNothing_data();
    void stopAllLeavesNothing();
    void deadAgentTakesAllAlong_data();
    void deadAgentTakesAllAlong();
    void deadGuardianIsReplaced();
    void agentAndGuardianAreKilledTogether();
    void watcherIsKilled();
    void orphansAreToldFromOthers();
    void guardianThatDiesAgainAndAgain();
    void stoppedGuardianIsReplaced();
    void sweepKillsEarlierEpochsOnly();
};

namespace {

/// Starts a process that sleeps, detached as far as possible, and then goes on itself.
std::string detached(const std::string& seconds)
{
    return "setsid sh -c 'setsid sleep " + seconds + " & setsid sh -c \"sleep " + seconds
        + "\" &' & ";
}

/// @return the parent of a process; 0: it does not live
pid_t parentOf(pid_t pid)
{
    for (const ProcessEntry& process : readProcesses()) {
        if (process.pid == pid)
            return process.parent;
    }
    return 0;
}

/// @return how many watchers of others this process has to wait for; reaps those that have ended
std::size_t watchersBelow(pid_t parent)
{
    std::size_t count = 0;
    for (const ProcessEntry& process : readProcesses()) {
        if (process.parent != parent || process.name != "tasuki-watcher")
            continue;
        if (!process.zombie() || ::waitpid(process.pid, nullptr, WNOHANG) != process.pid)
            ++count;
    }
    return count;
}

/// The helper: runs some tasks with descendants until it is killed.
int runAgent(const std::string& seconds, int count)
{
    GuardianHarness harness;
    for (int i = 0; i < count; ++i)
        harness.start(static_cast<std::uint32_t>(i), detached(seconds) + "sleep " + seconds);
    harness.start(1000, detached(seconds) + "true");
    harness.runUntilFinished(1000);
    harness.runUntil(
        [&] { return countSleepers(seconds) >= 3 * static_cast<std::size_t>(count) + 2; });
    std::printf("%s %d\n", harness.runId().hex.c_str(), harness.client->guardianPid());
    std::fflush(stdout);
    harness.runUntil([] { return false; }, std::chrono::minutes(1));
    return 0;
}

struct AgentProcess {
    pid_t pid = -1;
    std::string run;
    pid_t guardian = -1;
};

AgentProcess startAgent(const std::string& seconds, int count)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return {};
    UniqueFd readEnd(ends[0]);
    UniqueFd writeEnd(ends[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, writeEnd.get(), STDOUT_FILENO);
    std::string mode = "--agent";
    std::string argument = seconds;
    std::string number = std::to_string(count);
    std::array<char*, 5> arguments{mode.data(), mode.data(), argument.data(), number.data(),
                                   nullptr};
    AgentProcess agent;
    ::posix_spawn(&agent.pid, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    writeEnd.reset();
    std::string line;
    char letter = 0;
    while (::read(readEnd.get(), &letter, 1) == 1 && letter != '\n')
        line.push_back(letter);
    agent.run = line.substr(0, line.find(' '));
    if (agent.run.size() + 1 < line.size())
        agent.guardian = std::stoi(line.substr(agent.run.size() + 1));
    return agent;
}

} // namespace

void GuardianStopTest::timeout()
{
    const std::string seconds = uniqueSeconds();
    GuardianHarness harness;
    TaskSettings settings;
    settings.timeout = std::chrono::milliseconds(
        2000); // so that it gets to its first word on a busy machine, too
    const AttemptResult result = harness.run(
        0, detached(seconds) + "echo waiting; sleep " + seconds, settings);
    QCOMPARE(result.outcome, Outcome::TimedOut);
    QCOMPARE(countCommandLines(seconds), std::size_t(0));
    QVERIFY(result.elapsed >= *settings.timeout);
    QVERIFY(result.elapsed < std::chrono::seconds(60));
    QCOMPARE(result.standardOutput.head, std::string("waiting\n"));
    QCOMPARE(harness.run(1, "true", settings).outcome, Outcome::Succeeded);
}

void GuardianStopTest::timeoutGivesAWhile()
{
    GuardianOptions options;
    options.killGrace = std::chrono::milliseconds(5000);
    GuardianHarness harness(options);
    TaskSettings settings;
    settings.timeout = std::chrono::milliseconds(100);
    const std::string seconds = uniqueSeconds();
    const AttemptResult polite = harness.run(
        0, "trap 'sleep 0.2; echo tidy; exit 0' TERM; sleep " + seconds + " & wait", settings);
    QCOMPARE(polite.outcome, Outcome::TimedOut);
    QCOMPARE(polite.standardOutput.head, std::string("tidy\n"));
    QVERIFY(polite.elapsed < std::chrono::seconds(4));

    GuardianOptions brief;
    brief.killGrace = std::chrono::milliseconds(200);
    GuardianHarness stubborn(brief);
    const AttemptResult killed = stubborn.run(0, "trap '' TERM; while :; do sleep 0.05; done",
                                              settings);
    QCOMPARE(killed.outcome, Outcome::TimedOut);
    QVERIFY(killed.elapsed >= std::chrono::milliseconds(300));
}

void GuardianStopTest::cancelKillsDetached_data()
{
    QTest::addColumn<QString>("command");
    QTest::newRow("plain") << "sleep S";
    QTest::newRow("background") << "sleep S & sleep S & wait";
    QTest::newRow("double fork") << "(setsid sh -c 'setsid sleep S & exit' &) ; sleep S";
    QTest::newRow("nohup") << "nohup sleep S >/dev/null 2>&1 & sleep S";
    QTest::newRow("own environment") << "setsid env -i sleep S & sleep S";
    QTest::newRow("own environment, double fork")
        << "(env -i setsid sh -c 'setsid sleep S & exit' &) ; sleep S";
    QTest::newRow("own environment, parent gone")
        << "(env -i setsid sh -c 'env -i setsid sh -c \"sleep S & exit\" & exit' &) ; sleep S";
    QTest::newRow("stopped") << "sleep S & kill -STOP $!; sleep S";
    QTest::newRow("deaf") << "trap '' TERM INT HUP; setsid sleep S & sleep S";
}

void GuardianStopTest::cancelKillsDetached()
{
    QFETCH(QString, command);
    const std::string seconds = uniqueSeconds();
    GuardianOptions options;
    options.killGrace = std::chrono::milliseconds(50);
    GuardianHarness harness(options);
    harness.start(0,
                  command.replace(QLatin1Char('S'), QString::fromStdString(seconds)).toStdString());
    QVERIFY(harness.runUntil([&] { return countSleepers(seconds) >= 1; }));
    harness.runUntil([] { return false; }, std::chrono::milliseconds(150)); // Let it fork.
    harness.client->stop(GuardianHarness::key(0), StopReason::Cancelled);
    QVERIFY(harness.results.empty());
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(countCommandLines(seconds), std::size_t(0));
    QCOMPARE(harness.results[GuardianHarness::key(0)].outcome, Outcome::Cancelled);
    QVERIFY(descendantsOf(readProcesses(), harness.client->guardianPid()).empty());
}

void GuardianStopTest::cancelSparesOthers()
{
    const std::string mine = uniqueSeconds();
    const std::string other = uniqueSeconds();
    GuardianHarness harness;
    harness.start(0, detached(mine) + "sleep " + mine);
    harness.start(1, detached(other) + "sleep " + other, {}, 1);
    harness.start(2, detached(other) + "true", {}, 2);
    QVERIFY(harness.runUntilFinished(2));
    QVERIFY(
        harness.runUntil([&] { return countSleepers(other) >= 5 && countSleepers(mine) >= 3; }));
    harness.runUntil([] { return false; }, std::chrono::milliseconds(150));
    const std::size_t others = countCommandLines(other);
    harness.client->stop(GuardianHarness::key(0), StopReason::Cancelled);
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(countCommandLines(mine), std::size_t(0));
    QCOMPARE(countCommandLines(other), others);
    QVERIFY(!harness.results.contains(GuardianHarness::key(1)));
    harness.client->stop(GuardianHarness::key(77), StopReason::Cancelled); // Unknown: ignored.
    harness.client.reset();
    QCOMPARE(countCommandLines(other), std::size_t(0));
}

void GuardianStopTest::interruptKillsAtOnce()
{
    GuardianOptions options;
    options.killGrace = std::chrono::minutes(1);
    GuardianHarness harness(options);
    const QTemporaryDir directory;
    const std::string ready = directory.filePath(QStringLiteral("ready")).toStdString();
    harness.start(
        0, "trap 'echo never' TERM; echo ready; : > '" + ready + "'; while :; do sleep 0.05; done");
    QVERIFY(harness.runUntil([&] { return std::filesystem::exists(ready); }));
    harness.client->stop(GuardianHarness::key(0), StopReason::Interrupted);
    QVERIFY(harness.runUntilFinished(0));
    const AttemptResult& result = harness.results[GuardianHarness::key(0)];
    QCOMPARE(result.outcome, Outcome::Interrupted);
    QCOMPARE(result.standardOutput.head, std::string("ready\n"));
}

void GuardianStopTest::stoppedBeforeItRuns()
{
    GuardianHarness harness;
    harness.start(0, "sleep 60 # " + std::string(50'000'000, 'x'));
    harness.client->stop(GuardianHarness::key(0), StopReason::Interrupted);
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(harness.results[GuardianHarness::key(0)].outcome, Outcome::Interrupted);
    QCOMPARE(harness.finishedCount, std::size_t(1));
}

void GuardianStopTest::forkStormIsKilled()
{
    GuardianOptions options;
    options.killGrace = std::chrono::milliseconds(0);
    GuardianHarness harness(options);
    // Three chains of processes that replace themselves all the time, each in a new session.
    harness.start(0,
                  "f() { sleep 0.01; setsid sh -c \"$F\" & exit; }; "
                  "export F='sleep 0.01; setsid sh -c \"$F\" & exit'; f & f & f & sleep 60");
    harness.runUntil([] { return false; }, std::chrono::milliseconds(300));
    QVERIFY(harness.runUntil([&] { return countMarked(harness.runId().hex) >= 2; }));
    harness.client->stop(GuardianHarness::key(0), StopReason::Cancelled);
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(countMarked(harness.runId().hex), std::size_t(0));
    QVERIFY(descendantsOf(readProcesses(), harness.client->guardianPid()).empty());
}

void GuardianStopTest::stopAllLeavesNothing_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<int>("outcome");
    QTest::newRow("cancelled") << static_cast<int>(StopReason::Cancelled)
                               << static_cast<int>(Outcome::Cancelled);
    QTest::newRow("interrupted") << static_cast<int>(StopReason::Interrupted)
                                 << static_cast<int>(Outcome::Interrupted);
}

void GuardianStopTest::stopAllLeavesNothing()
{
    QFETCH(int, reason);
    QFETCH(int, outcome);
    const std::string seconds = uniqueSeconds();
    GuardianOptions options;
    options.killGrace = std::chrono::milliseconds(100);
    GuardianHarness harness(options);
    for (std::uint32_t task = 0; task < 5; ++task)
        harness.start(task,
                      "(env -i setsid sleep " + seconds + " &); " + detached(seconds) + "sleep "
                          + seconds,
                      {}, task);
    harness.start(5, detached(seconds) + "true");
    QVERIFY(harness.runUntilFinished(5));
    QVERIFY(harness.runUntil([&] { return countSleepers(seconds) >= 22; }));
    int done = 0;
    const auto stopReason = static_cast<StopReason>(reason);
    harness.client->stopAll(stopReason, [&] { ++done; });
    QCOMPARE(done, 0);
    QVERIFY(harness.runUntil([&] { return done > 0; }));
    QCOMPARE(harness.results.size(), std::size_t(6));
    for (std::uint32_t task = 0; task < 5; ++task)
        QCOMPARE(static_cast<int>(harness.results[GuardianHarness::key(task)].outcome), outcome);
    QCOMPARE(harness.results[GuardianHarness::key(5)].outcome, Outcome::Succeeded);
    QCOMPARE(countCommandLines(seconds), std::size_t(0));
    QVERIFY(descendantsOf(readProcesses(), harness.client->guardianPid()).empty());
    // Idle, and of use afterwards.
    harness.client->stopAll(stopReason, [&] { ++done; });
    QVERIFY(harness.runUntil([&] { return done == 2; }));
    QCOMPARE(harness.run(6, "true").outcome, Outcome::Succeeded);
}

void GuardianStopTest::deadAgentTakesAllAlong_data()
{
    QTest::addColumn<int>("tasks");
    QTest::newRow("one") << 1;
    QTest::newRow("many") << 30;
}

void GuardianStopTest::deadAgentTakesAllAlong()
{
    QFETCH(int, tasks);
    const std::string seconds = uniqueSeconds();
    const AgentProcess agent = startAgent(seconds, tasks);
    QVERIFY(agent.pid > 0 && agent.guardian > 0);
    QVERIFY(countMarked(agent.run) >= static_cast<std::size_t>(3 * tasks));
    ::kill(agent.pid, SIGKILL);
    const bool clean = waitFor([&] { return countCommandLines(seconds) == 0; },
                               std::chrono::milliseconds(1000));
    ::waitpid(agent.pid, nullptr, 0);
    QVERIFY2(clean, std::to_string(countCommandLines(seconds)).c_str());
    QCOMPARE(countMarked(agent.run), std::size_t(0));
    // This process is a sub-reaper by now: the guardian comes to it when its watcher has ended.
    QVERIFY(waitFor(
        [&] {
            ::waitpid(agent.guardian, nullptr, WNOHANG);
            return ::kill(agent.guardian, 0) != 0;
        },
        std::chrono::milliseconds(3000)));
}

void GuardianStopTest::deadGuardianIsReplaced()
{
    const std::string seconds = uniqueSeconds();
    GuardianHarness bystander; // Its guardian and task must not suffer.
    bystander.start(0, "exec sleep 1000");
    GuardianHarness harness;
    harness.start(0, detached(seconds) + "sleep " + seconds);
    harness.start(1, "(env -i setsid sleep " + seconds + " &); sleep " + seconds, {}, 1);
    QVERIFY(harness.runUntil([&] { return countSleepers(seconds) >= 5; }));
    bystander.runUntil([&] { return bystander.started.size() == 1; });
    const pid_t first = harness.client->guardianPid();
    ::kill(first, SIGKILL);
    bool restarted = false;
    harness.onFinished = [&](AttemptKey) {
        if (!std::exchange(restarted, true))
            harness.start(2, "echo again");
    };
    QVERIFY(harness.runUntilFinished(2));
    QCOMPARE(harness.results[GuardianHarness::key(0)].outcome, Outcome::Lost);
    QCOMPARE(harness.results[GuardianHarness::key(1)].outcome, Outcome::Lost);
    QCOMPARE(harness.results[GuardianHarness::key(2)].standardOutput.head, std::string("again\n"));
    QCOMPARE(harness.finishedCount, std::size_t(3));
    QVERIFY(harness.client->guardianPid() != first);
    QVERIFY(harness.failure.empty());
    QCOMPARE(countCommandLines(seconds), std::size_t(0));
    // No zombie is left of what came to this process.
    for (const ProcessEntry& process : readProcesses())
        QVERIFY(process.parent != ::getpid() || !process.zombie());
    QVERIFY(bystander.results.empty());
    QCOMPARE(countMarked(bystander.runId().hex), std::size_t(1));
}

/// Watchers of agents that were killed come to this process.
void GuardianStopTest::cleanup()
{
    QTRY_VERIFY_WITH_TIMEOUT(watchersBelow(::getpid()) == 0, 10'000);
}

// Fails if what tasks have started lives on when nobody is left of those who should kill it.
void GuardianStopTest::agentAndGuardianAreKilledTogether()
{
    const std::string seconds = uniqueSeconds();
    const AgentProcess agent = startAgent(seconds, 3);
    QVERIFY(agent.pid > 1 && agent.guardian > 1);
    QVERIFY(countCommandLines(seconds) >= 11);
    // Stopped, none of them can do anything for the other one.
    for (const int signal : {SIGSTOP, SIGKILL}) {
        for (const pid_t pid : {agent.guardian, agent.pid})
            QCOMPARE(::kill(pid, signal), 0);
    }
    ::waitpid(agent.pid, nullptr, 0);
    QTRY_COMPARE_WITH_TIMEOUT(countCommandLines(seconds), std::size_t(0), 10'000);
    QCOMPARE(countMarked(agent.run), std::size_t(0));
}

// Fails if a rank loses its guardian's orphans out of sight with the watcher, or does not go on.
void GuardianStopTest::watcherIsKilled()
{
    const std::string seconds = uniqueSeconds();
    GuardianHarness harness;
    harness.start(0, detached(seconds) + "sleep " + seconds);
    QVERIFY(harness.runUntil([&] { return countSleepers(seconds) >= 2; }));
    const pid_t watcher = parentOf(harness.client->guardianPid());
    QVERIFY(watcher > 1 && parentOf(watcher) == ::getpid());
    QCOMPARE(::kill(watcher, SIGKILL), 0);
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(harness.results[GuardianHarness::key(0)].outcome, Outcome::Lost);
    QCOMPARE(harness.run(1, "true").outcome, Outcome::Succeeded);
    QCOMPARE(countCommandLines(seconds), std::size_t(0));
}

void GuardianStopTest::orphansAreToldFromOthers()
{
    const auto process = [](pid_t pid, pid_t parent, pid_t session) {
        return ProcessEntry{pid, parent, session, session, 'S', 1, "p"};
    };
    const std::vector<ProcessEntry> table{
        process(1, 0, 1),    process(50, 1, 40),  // this process
        process(60, 50, 40), process(61, 60, 61), // an ordinary child, with a detached child
        process(70, 50, 70), process(71, 70, 70), // exempt, and its child
        process(80, 50, 80), process(81, 80, 80), process(82, 81, 82), // orphans
        process(90, 1, 90),                                            // somebody else's
    };
    std::set<pid_t> found;
    for (const auto& each : orphansOf(table, 50, [](const auto& one) { return one.pid == 70; }))
        found.insert(each.pid);
    QVERIFY(found == (std::set<pid_t>{80, 81, 82}));
}

void GuardianStopTest::guardianThatDiesAgainAndAgain()
{
    GuardianHarness harness;
    for (int i = 0; i < 20 && harness.failure.empty(); ++i) {
        pid_t living = -1;
        QVERIFY(harness.runUntil([&] {
            living = harness.client->guardianPid();
            return living > 1;
        }));
        QCOMPARE(::kill(living, SIGKILL), 0);
        QVERIFY(harness.runUntil([&] {
            const pid_t next = harness.client->guardianPid();
            return !harness.failure.empty() || (next > 1 && next != living);
        }));
    }
    QVERIFY2(harness.failure.find("6 times") != std::string::npos, harness.failure.c_str());
    QCOMPARE(harness.run(0, "true").outcome, Outcome::Lost);
    QCOMPARE(harness.finishedCount, std::size_t(1));
    bool done = false;
    harness.client->stopAll(StopReason::Interrupted, [&] { done = true; });
    QVERIFY(harness.runUntil([&] { return done; }));
}

void GuardianStopTest::stoppedGuardianIsReplaced()
{
    GuardianOptions options;
    options.lease = std::chrono::milliseconds(200);
    GuardianHarness harness(options);
    harness.start(0, "sleep 1000");
    QVERIFY(harness.runUntil([&] { return harness.started.size() == 1; }));
    ::kill(harness.client->guardianPid(), SIGSTOP);
    QVERIFY(harness.runUntilFinished(0));
    QCOMPARE(harness.results[GuardianHarness::key(0)].outcome, Outcome::Lost);
    QCOMPARE(countMarked(harness.runId().hex), std::size_t(0));
    QCOMPARE(harness.run(1, "true").outcome, Outcome::Succeeded);
}

void GuardianStopTest::sweepKillsEarlierEpochsOnly()
{
    const std::string seconds = uniqueSeconds();
    guardian::Configure configure = BareGuardian::plain(std::chrono::milliseconds(0));
    BareGuardian earlier(configure);
    configure.epoch = Epoch(2);
    BareGuardian current(configure);
    configure.run = RunId::random();
    configure.epoch = Epoch(1);
    BareGuardian otherRun(configure);
    for (BareGuardian* each : {&earlier, &current, &otherRun}) {
        each->send(guardian::Start{GuardianHarness::key(0), SlotIndex(0), 1,
                                   "setsid sleep " + seconds + " & sleep " + seconds});
        QVERIFY(each->await<guardian::Started>(std::chrono::seconds(30)).has_value());
    }
    // Each has executed: of one that is about to, the environment cannot be read.
    QVERIFY(waitFor([&] { return countCommandLines(seconds) == 9 && countSleepers(seconds) == 6; },
                    std::chrono::seconds(30)));
    QCOMPARE(countMarked(configure.run.hex), std::size_t(3));
    const auto none = sweepLeftovers(configure.run, Epoch(1));
    QVERIFY(none.ok());
    QCOMPARE(*none, std::size_t(0));
    const auto swept = sweepLeftovers(configure.run, Epoch(2));
    QVERIFY(swept.ok());
    QCOMPARE(*swept, std::size_t(3));
    QCOMPARE(countMarked(configure.run.hex), std::size_t(0));
    QCOMPARE(countCommandLines(seconds), std::size_t(6));
}

int main(int argc, char** argv)
{
    if (argc == 4 && std::string(argv[1]) == "--agent")
        return runAgent(argv[2], std::stoi(argv[3]));
    GuardianStopTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_guardianstop.moc"

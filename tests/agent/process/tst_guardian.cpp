// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks that end by themselves, through a real guardian.
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "guardianharness.h"
#endif

#include "process/shellenvironment.h"

#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tst_guardian {

using namespace tasuki;

namespace {

/// As an agent works it out.
EnvironmentEntries withoutLauncher()
{
    ShellSources sources{.own = {}, .internal = {}, .underLauncher = true};
    for (char** entry = environ; *entry != nullptr; ++entry)
        sources.own.emplace_back(*entry);
    return shellEnvironment(sources);
}

} // namespace

class GuardianTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void outcomes_data();
    void outcomes();
    void missingDirectoryIsNamed();
    void nulByteIsRefused();
    void timesAndUsage();
    void capturesBothStreams();
    void floodIsCutInTheMiddle();
    void slowWriterIsReadToItsEnd();
    void standardInputIsEmpty();
    void signalsAndDescriptorsAreFresh();
    void environment();
    void innerMpirun();
    void longCommands_data();
    void longCommands();
    void shellNamesTheLine();
    void backgroundHolderDoesNotDelay();
    void manyQuickTasksLeaveNothing();
    void missingProgramFails();
    void waitsForDescriptors();
    void givesTasksTheLimitOfTheUser();
};

namespace {

std::size_t openDescriptors(pid_t pid)
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each :
         std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd"))
        ++count;
    return count;
}

} // namespace

void GuardianTest::initTestCase()
{
    // What a rank of an outer mpirun sees; an inner one fails with it.
    ::setenv("OMPI_COMM_WORLD_RANK", "5", 1);
    ::setenv("OMPI_MCA_ess", "pmi", 1);
    ::setenv("PMIX_NAMESPACE", "12345", 1);
    ::setenv("PMIX_RANK", "5", 1);
    ::setenv("TASUKI_RUN", "outer", 1);
    ::signal(SIGHUP, SIG_IGN);
}

void GuardianTest::outcomes_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("code");
    const auto add = [](const char* command, Outcome outcome, int code) {
        QTest::newRow(command) << QString(command) << static_cast<int>(outcome) << code;
    };
    add("true", Outcome::Succeeded, 0);
    add("", Outcome::Succeeded, 0);
    add("exit 3", Outcome::Failed, 3);
    add("no-such-command-here", Outcome::Failed, 127);
    add("-dash-first", Outcome::Failed, 127);
    add("kill -9 $$", Outcome::Signalled, SIGKILL);
    add("kill -TERM $$; sleep 5", Outcome::Signalled, SIGTERM);
    add("sh -c 'kill -9 $$'; exit $?", Outcome::Failed, 128 + SIGKILL);
}

void GuardianTest::outcomes()
{
    QFETCH(QString, command);
    QFETCH(int, outcome);
    QFETCH(int, code);
    GuardianHarness harness;
    const AttemptResult result = harness.run(0, command.toStdString());
    QCOMPARE(static_cast<int>(result.outcome), outcome);
    QCOMPARE(result.code, code);
    QCOMPARE(harness.started.size(), std::size_t(1));
    QVERIFY(!harness.doubled);
}

void GuardianTest::missingDirectoryIsNamed()
{
    GuardianHarness harness;
    TaskSettings settings;
    settings.workingDirectory = "/no/such/directory";
    const AttemptResult result = harness.run(0, "true", settings);
    QCOMPARE(result.outcome, Outcome::NotStarted);
    QCOMPARE(result.code, ENOENT);
    QCOMPARE(QString::fromStdString(result.standardError.head),
             QStringLiteral("tasuki: cannot enter directory '/no/such/directory': "
                            "No such file or directory\n"));
    QVERIFY(harness.started.empty());
    settings.workingDirectory = "/usr/lib";
    QCOMPARE(harness.run(1, "pwd", settings).standardOutput.head, std::string("/usr/lib\n"));
    GuardianOptions options;
    options.directory = "/usr";
    GuardianHarness elsewhere(options);
    QCOMPARE(elsewhere.run(0, "pwd").standardOutput.head, std::string("/usr\n"));
}

void GuardianTest::nulByteIsRefused()
{
    GuardianHarness harness;
    const AttemptResult result = harness.run(0, std::string("true\0false", 10));
    QCOMPARE(result.outcome, Outcome::NotStarted);
    QCOMPARE(result.code, EINVAL);
}

void GuardianTest::timesAndUsage()
{
    GuardianHarness harness;
    const WallTime before = SystemClock().wallNow();
    const AttemptResult busy = harness.run(
        0, "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; sleep 0.2");
    const WallTime after = SystemClock().wallNow();
    QCOMPARE(busy.outcome, Outcome::Succeeded);
    QVERIFY(busy.startedAt >= before && busy.startedAt <= after);
    QVERIFY(busy.elapsed >= std::chrono::milliseconds(200));
    QVERIFY(busy.elapsed <= after - before);
    QVERIFY(busy.usage.user > std::chrono::milliseconds(10));
    QVERIFY(busy.usage.user + busy.usage.system <= busy.elapsed - std::chrono::milliseconds(150));
    QVERIFY(busy.usage.maxResidentKiB > 500);
    QCOMPARE(harness.started[GuardianHarness::key(0)], busy.startedAt);
}

void GuardianTest::capturesBothStreams()
{
    GuardianHarness harness;
    const AttemptResult result = harness.run(0, "printf 'no newline'; printf 'E\\nE2' >&2; exit 1");
    QCOMPARE(result.outcome, Outcome::Failed);
    QCOMPARE(result.standardOutput.head, std::string("no newline"));
    QCOMPARE(result.standardOutput.totalBytes, std::uint64_t(10));
    QCOMPARE(result.standardError.head, std::string("E\nE2"));
    QVERIFY(result.standardError.tail.empty());
}

void GuardianTest::floodIsCutInTheMiddle()
{
    GuardianOptions options;
    options.captureHead = 1000;
    options.captureTail = 2000;
    GuardianHarness harness(options);
    const AttemptResult result = harness.run(
        0, "echo begin; head -c 10485760 /dev/zero | tr '\\0' x; echo; echo end");
    QCOMPARE(result.outcome, Outcome::Succeeded);
    const CapturedStream& output = result.standardOutput;
    QCOMPARE(output.totalBytes, std::uint64_t(6 + 10485760 + 5));
    QCOMPARE(output.head, "begin\n" + std::string(994, 'x'));
    QCOMPARE(output.tail, std::string(1995, 'x') + "\nend\n");
}

void GuardianTest::slowWriterIsReadToItsEnd()
{
    GuardianHarness harness;
    const AttemptResult result = harness.run(
        0,
        "echo 1; sleep 0.1; echo 2; exec 1>&-; sleep 0.1; echo 3 >&2; head -c 60000 /dev/zero >&2");
    QCOMPARE(result.standardOutput.head, std::string("1\n2\n"));
    QCOMPARE(result.standardError.totalBytes, std::uint64_t(60002));
}

void GuardianTest::standardInputIsEmpty()
{
    GuardianHarness harness;
    const AttemptResult result = harness.run(0,
                                             "cat; read x || echo eof; readlink /proc/self/fd/0");
    QCOMPARE(result.standardOutput.head, std::string("eof\n/dev/null\n"));
}

void GuardianTest::signalsAndDescriptorsAreFresh()
{
    int leak[2];
    QVERIFY(::pipe(leak) == 0); // On purpose not close-on-exec.
    GuardianHarness harness;
    const AttemptResult result = harness.run(
        0, "grep -E 'Sig(Blk|Ign)' /proc/self/status; ls /proc/self/fd");
    ::close(leak[0]);
    ::close(leak[1]);
    // ls has the directory open as well.
    QCOMPARE(QString::fromStdString(result.standardOutput.head),
             QStringLiteral("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0\n1\n2\n3\n"));
    const AttemptResult session = harness.run(1, "cut -d' ' -f1,5,6 /proc/$$/stat");
    std::istringstream words(session.standardOutput.head);
    long pid = 0;
    long group = 0;
    long leader = 0;
    words >> pid >> group >> leader;
    QVERIFY(pid > 0);
    QCOMPARE(group, pid);
    QCOMPARE(leader, pid);
}

void GuardianTest::environment()
{
    GuardianOptions options;
    options.epoch = Epoch(4);
    options.rank = Rank(6);
    options.environment = withoutLauncher();
    GuardianHarness harness(options);
    TaskSettings settings;
    settings.environment = {{"MINE", "a b"}, {"MINE", "c d"}};
    harness.start(8, "env | grep -E '^(OMPI_COMM|PMIX|TASUKI|MINE)' | sort", settings, 2);
    QVERIFY(harness.runUntilFinished(8));
    const std::string expected = "MINE=c d\nTASUKI_ATTEMPT=1\nTASUKI_EPOCH=4\nTASUKI_RANK=6\n"
                                 "TASUKI_RUN="
        + harness.runId().hex + "\nTASUKI_SLOT=2\nTASUKI_TASK=8\n";
    QCOMPARE(harness.results[GuardianHarness::key(8)].standardOutput.head, expected);
    QCOMPARE(harness.run(9, "echo \"$MINE|$TASUKI_TASK\"").standardOutput.head,
             std::string("|9\n"));
}

void GuardianTest::innerMpirun()
{
    GuardianOptions options;
    options.environment = withoutLauncher();
    GuardianHarness harness(options);
    const AttemptResult result = harness.run(0, "mpirun --oversubscribe -n 2 hostname");
    QVERIFY2(result.outcome == Outcome::Succeeded, result.standardError.head.c_str());
    std::istringstream lines(result.standardOutput.head);
    std::string line;
    int count = 0;
    while (std::getline(lines, line))
        count += line.empty() ? 0 : 1;
    QCOMPARE(count, 2);
}

void GuardianTest::longCommands_data()
{
    QTest::addColumn<quint64>("length");
    for (const quint64 length :
         {100'000ULL, 122'850ULL, 122'880ULL, 131'072ULL, 1'048'576ULL, 67'108'864ULL})
        QTest::addRow("%llu", static_cast<unsigned long long>(length)) << length;
}

void GuardianTest::longCommands()
{
    QFETCH(quint64, length);
    GuardianOptions options;
    // dash may take seconds for each, and a busy machine minutes.
    options.lease = std::chrono::minutes(1);
    GuardianHarness harness(options);
    const std::string text = std::to_string(length);
    harness.start(
        0, "x='" + std::string(length, 'a') + "'; test ${#x} -eq " + text + " && ls /proc/self/fd");
    QVERIFY(harness.runUntilFinished(0, std::chrono::seconds(240)));
    const AttemptResult result = harness.results[GuardianHarness::key(0)];
    QVERIFY2(result.outcome == Outcome::Succeeded,
             qPrintable(QStringLiteral("outcome %1, code %2: %3; %4")
                            .arg(static_cast<int>(result.outcome))
                            .arg(result.code)
                            .arg(result.standardError.head.c_str(), harness.failure.c_str())));
    QCOMPARE(result.standardOutput.head, std::string("0\n1\n2\n3\n"));
}

void GuardianTest::shellNamesTheLine()
{
    GuardianHarness harness;
    const AttemptResult first = harness.run(
        0, "no-such-a # " + std::string(200'000, 'x') + "\nno-such-b");
    QVERIFY2(first.standardError.head.find("1: no-such-a") != std::string::npos,
             first.standardError.head.c_str());
    QVERIFY2(first.standardError.head.find("2: no-such-b") != std::string::npos,
             first.standardError.head.c_str());
}

void GuardianTest::backgroundHolderDoesNotDelay()
{
    const std::string seconds = uniqueSeconds();
    GuardianHarness harness;
    const AttemptResult result = harness.run(0, "echo before; sleep " + seconds + " & echo after");
    QCOMPARE(result.outcome, Outcome::Succeeded);
    QCOMPARE(result.standardOutput.head, std::string("before\nafter\n"));
    // Goes on until the run ends. The shell may have ended before its child became a sleep.
    QTRY_COMPARE_WITH_TIMEOUT(countCommandLines(seconds), std::size_t(1), 5'000);
    harness.client.reset();
    QCOMPARE(countCommandLines(seconds), std::size_t(0));
}

void GuardianTest::manyQuickTasksLeaveNothing()
{
    constexpr std::uint32_t count = 2000;
    GuardianHarness harness;
    QCOMPARE(harness.run(count, "true").outcome, Outcome::Succeeded);
    const pid_t guardian = harness.client->guardianPid();
    const std::size_t before = openDescriptors(guardian);
    const std::size_t ownBefore = openDescriptors(::getpid());
    std::uint32_t next = 0;
    const auto startNext = [&] {
        if (next < count) {
            const std::uint32_t task = next++;
            harness.start(task, "exit $((TASUKI_TASK % 3))", {}, task % 2);
        }
    };
    harness.onFinished = [&](AttemptKey) { startNext(); };
    startNext();
    startNext();
    QVERIFY(harness.runUntil([&] { return harness.results.size() == count + 1; },
                             std::chrono::seconds(60)));
    harness.onFinished = nullptr;
    QVERIFY(!harness.doubled);
    for (std::uint32_t task = 0; task < count; ++task) {
        const AttemptResult& result = harness.results[GuardianHarness::key(task)];
        QCOMPARE(result.code, static_cast<int>(task % 3));
        QCOMPARE(result.outcome, task % 3 == 0 ? Outcome::Succeeded : Outcome::Failed);
    }
    QCOMPARE(harness.started.size(), std::size_t(count + 1));
    QCOMPARE(openDescriptors(guardian), before);
    QCOMPARE(openDescriptors(::getpid()), ownBefore);
    QVERIFY(descendantsOf(readProcesses(), guardian).empty());
}

void GuardianTest::missingProgramFails()
{
    GuardianOptions options;
    options.program = "/no/such/guardian";
    GuardianHarness harness(options);
    harness.start(0, "true");
    QVERIFY(harness.runUntil([&] { return !harness.failure.empty(); }));
    QVERIFY(harness.failure.find("/no/such/guardian") != std::string::npos);
    QCOMPARE(harness.results[GuardianHarness::key(0)].outcome, Outcome::Lost);
    QCOMPARE(harness.run(1, "true").outcome, Outcome::Lost);
    QVERIFY(harness.results.contains(GuardianHarness::key(1)));
}

namespace {

/// A guardian that may open few descriptors, however it raises its limit.
GuardianOptions shortOfDescriptors(const QTemporaryDir& directory, int soft, int hard)
{
    GuardianOptions options;
    options.program = directory.filePath("guardian").toStdString();
    std::ofstream script(options.program);
    script << "#!/bin/sh\nulimit -Sn " << soft << "; ulimit -Hn " << hard
           << "; exec " GUARDIAN "\n";
    script.close();
    std::filesystem::permissions(options.program, std::filesystem::perms::owner_all);
    return options;
}

} // namespace

void GuardianTest::waitsForDescriptors()
{
    const QTemporaryDir directory;
    GuardianHarness harness(shortOfDescriptors(directory, 40, 40));
    constexpr std::uint32_t tasks = 60;
    for (std::uint32_t task = 0; task < tasks; ++task)
        harness.start(task, "sleep 0.2; echo done", {}, task);
    const auto begun = std::chrono::steady_clock::now();
    QVERIFY(harness.runUntil([&] { return harness.results.size() == tasks; }));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    for (const auto& [key, result] : harness.results) {
        QVERIFY2(
            result.outcome == Outcome::Succeeded,
            qPrintable(QStringLiteral(
                           "task %1: outcome %2 after %3 s, %4 s from the first; %5 started; %6")
                           .arg(key.task.value())
                           .arg(static_cast<int>(result.outcome))
                           .arg(std::chrono::duration<double>(result.elapsed).count())
                           .arg(took.count())
                           .arg(harness.started.size())
                           .arg(harness.failure.c_str())));
        QCOMPARE(result.standardOutput.head, std::string("done\n"));
    }
    QVERIFY(!harness.doubled);
    QCOMPARE(harness.started.size(), std::size_t(tasks));

    // One that waits ends when it is told to.
    for (std::uint32_t task = 100; task < 100 + tasks; ++task)
        harness.start(task, "sleep 30", {}, task);
    harness.client->stop(GuardianHarness::key(100 + tasks - 1), StopReason::Cancelled);
    QVERIFY(harness.runUntilFinished(100 + tasks - 1));
    QCOMPARE(harness.results[GuardianHarness::key(100 + tasks - 1)].outcome, Outcome::Cancelled);
}

void GuardianTest::givesTasksTheLimitOfTheUser()
{
    const QTemporaryDir directory;
    GuardianHarness harness(shortOfDescriptors(directory, 30, 200));
    QCOMPARE(harness.run(0, "ulimit -Sn; ulimit -Hn").standardOutput.head,
             std::string("30\n200\n"));
    for (std::uint32_t task = 1; task <= 60; ++task)
        harness.start(task, "sleep 0.5", {}, task);
    QVERIFY(harness.runUntil([&] { return harness.started.size() == 61; }));
    QVERIFY(harness.results.size() < 61); // all at a time
}

QTEST_APPLESS_MAIN(GuardianTest)

} // namespace tst_guardian

#include "tst_guardian.moc"

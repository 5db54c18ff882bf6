// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentend.h"
#include "process/attemptrunner.h"
#include "process/attemptstopper.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tst_attemptrunner {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::guardian;

namespace {

AttemptKey numbered(std::uint32_t task) { return {TaskId(task), AttemptNumber(1)}; }

/// A runner and a stopper in this process; the test is their loop and their agent.
struct RunnerBench {
    explicit RunnerBench(std::chrono::milliseconds killGrace = 200ms)
    {
        configure.emplace();
        configure->run = RunId::random();
        configure->captureHead = configure->captureTail = 1000;
        configure->killGrace = killGrace;
        runner.watchWith(end.epoll.get());
    }
    ~RunnerBench() { stopper.killEverything(); }

    RunningAttempt& start(const std::string& command, const std::string& directory = {})
    {
        const std::shared_ptr<SettingsBlock> settings(new SettingsBlock{
            {},
            directory,
            TaskEnvironment(environ, configure->run, configure->epoch, configure->rank, {})});
        RunningAttempt& attempt = runner.add({numbered(count++), SlotIndex(0), 0, command},
                                             settings, *configure);
        runner.begin(attempt);
        return attempt;
    }
    /// One turn of the loop.
    void turn()
    {
        const SteadyTime now = std::chrono::steady_clock::now();
        runner.reap();
        for (const auto& attempt : runner.attempts())
            runner.goOn(*attempt, now);
        stopper.lookAfter(now);
        runner.removeEnded();
        end.channel.hurry();
        end.channel.flushIfDue();
        while (auto report = end.receive())
            reports.push_back(std::move(*report));
    }
    /// @return the first report of a kind, when it has come
    template <class Kind>
    const Kind* await()
    {
        for (int turns = 0; turns < 5000; ++turns) {
            for (const Report& report : reports) {
                if (const Kind* const found = std::get_if<Kind>(&report))
                    return found;
            }
            turn();
            ::usleep(2000);
        }
        return nullptr;
    }

    AgentEnd end;
    std::optional<Configure> configure;
    OutputShelf shelf;
    AttemptRunner runner{limits(), end.channel, shelf};
    AttemptStopper stopper{configure, runner, end.channel};
    std::vector<Report> reports;
    std::uint32_t count = 0;

private:
    static rlimit limits()
    {
        rlimit now{};
        ::getrlimit(RLIMIT_NOFILE, &now);
        return now;
    }
};

} // namespace

/// What breaks it: an end that is not reported, or as another one; a script that is cut; something that is left of
/// what was stopped.
class TestAttemptRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

    void reportsHowAnAttemptEnded_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("directory");
        QTest::addColumn<int>("outcome");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, const QString& command, Outcome outcome, int code,
                            const QString& directory = {}) {
            QTest::newRow(name) << command << directory << static_cast<int>(outcome) << code;
        };
        row("success", "true", Outcome::Succeeded, 0);
        row("a failure", "exit 7", Outcome::Failed, 7);
        row("a signal", "kill -9 $$", Outcome::Signalled, SIGKILL);
        row("a NUL byte", QString("true") + QChar(0), Outcome::NotStarted, EINVAL);
        row("no directory", "true", Outcome::NotStarted, ENOENT, "/does/not/exist");
        row("a long command", ": " + QString(200'000, 'x') + "\nexit 9", Outcome::Failed, 9);
    }
    void reportsHowAnAttemptEnded()
    {
        QFETCH(QString, command);
        QFETCH(QString, directory);
        QFETCH(int, outcome);
        QFETCH(int, code);
        RunnerBench bench;
        bench.start(command.toStdString(), directory.toStdString());
        const Finished* const finished = bench.await<Finished>();
        QVERIFY(finished != nullptr);
        QCOMPARE(static_cast<int>(finished->result.outcome), outcome);
        QCOMPARE(finished->result.code, code);
        QVERIFY(bench.runner.attempts().empty());
    }

    void whatCannotStartIsNotToldAsStarted()
    {
        RunnerBench bench;
        RunningAttempt& attempt = bench.start("true", "/does/not/exist");
        QTRY_VERIFY(attempt.start->executed());
        bench.runner.goOn(attempt, attempt.settleAt); // before it is reaped
        QVERIFY(bench.await<Finished>() != nullptr);
        QCOMPARE(bench.reports.size(), std::size_t(1));
    }

    void readsWhatItWrote()
    {
        RunnerBench bench;
        bench.start("echo out; echo err >&2");
        const Finished* const finished = bench.await<Finished>();
        QVERIFY(finished != nullptr);
        QCOMPARE(finished->result.standardOutput.head, std::string("out\n"));
        QCOMPARE(finished->result.standardError.head, std::string("err\n"));
    }

    void tellsOfTheStartOfWhatRunsLonger()
    {
        RunnerBench bench;
        bench.start("sleep 100");
        QVERIFY(bench.await<Started>() != nullptr);
        QVERIFY(bench.runner.running(numbered(0)) != nullptr);
        QVERIFY(bench.runner.running(numbered(1)) == nullptr);
        QVERIFY(!bench.stopper.clearing());
    }

    void oneIsStoppedWithWhatItLeft()
    {
        RunnerBench bench;
        bench.start("setsid sleep 100 & sleep 100");
        QVERIFY(bench.await<Started>() != nullptr);
        bench.stopper.stop(*bench.runner.running(numbered(0)), StopReason::Interrupted);
        const Finished* const finished = bench.await<Finished>();
        QVERIFY(finished != nullptr);
        QVERIFY(finished->result.outcome == Outcome::Interrupted);
        bench.runner.reap();
        QVERIFY(bench.runner.childless());
    }

    void whoIsAskedMayEndByItself()
    {
        RunnerBench bench{1min}; // on a busy machine a trap takes its time
        const QTemporaryDir directory;
        const QString ready = directory.filePath(QStringLiteral("ready"));
        bench.start("trap 'echo bye; exit 3' TERM; : > '" + ready.toStdString()
                    + "'; while :; do sleep 0.01; done");
        QVERIFY(bench.await<Started>() != nullptr);
        QTRY_VERIFY(QFile::exists(ready));
        bench.stopper.stop(*bench.runner.running(numbered(0)), StopReason::Cancelled);
        const Finished* const finished = bench.await<Finished>();
        QVERIFY(finished != nullptr);
        QVERIFY(finished->result.outcome == Outcome::Cancelled);
        QCOMPARE(finished->result.standardOutput.head, std::string("bye\n"));
    }

    void allAreStopped()
    {
        RunnerBench bench;
        for (int i = 0; i < 3; ++i)
            bench.start("sleep 100");
        bench.stopper.stopAll({.token = 5, .reason = StopReason::Interrupted});
        QVERIFY(bench.stopper.clearing() == Outcome::Interrupted);
        const AllStopped* const stopped = bench.await<AllStopped>();
        QVERIFY(stopped != nullptr);
        QCOMPARE(stopped->token, 5U);
        QCOMPARE(std::ranges::count_if(
                     bench.reports,
                     [](const Report& report) { return std::holds_alternative<Finished>(report); }),
                 3);
        QVERIFY(!bench.stopper.clearing());
        QVERIFY(bench.runner.childless());
    }
};

QTEST_GUILESS_MAIN(TestAttemptRunner)

} // namespace tst_attemptrunner

#include "tst_attemptrunner.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/exitreport.h"
#include "launch/supervisor.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTemporaryFile>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_supervisor {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

constexpr auto interval = 25ms;

/// @param script  of a shell that stands for mpirun
LaunchEnd supervise(const std::string& script)
{
    Result<LaunchEnd> end = superviseLaunch(
        {"/bin/sh", "-c", script},
        {.environment = {"GREETING=hello"}, .token = "token", .interval = interval});
    if (!end)
        return {.reported = -1};
    return *end;
}

/// @return a command of the script that sends this process a signal, once it can take the answer
std::string signalHere(const std::string& name)
{
    // It must be listening: threads of the test program do not hold signals back.
    return "sleep 1; kill -" + name + ' ' + std::to_string(getpid()) + "; ";
}

} // namespace

class TestSupervisor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exitCodeAndReportAreTold();
    void remedyFitsTheEnd_data();
    void remedyFitsTheEnd();
    void mpirunThatDoesNotNoticeItsDeadIsKilled();
    void mpirunWithLivingChildrenIsLeftAlone();
    void ranksThatAreLeftStoppedAreKilled();
    void mpirunThatDoesNotEndWithTheRunIsEnded();
    void runOfALeaderThatWasGivenUpMayGoOn();
    void runOfALeaderThatWasGivenUpMayBeOver();
    void whatStaysBehindIsKilled();
    void whatMpiLeavesIsRemoved();
    void signalsWaitBetweenLives();
    void quitKillsAtOnce();
    void ignoredHangUpStaysIgnored();
    void hangUpInterrupts();
    void hangUpsKillNothing();
    void nobodyReadsTheOutput();
    void fullDeviceIsTold();
    void outputIsWhole();
    void standardInputIsPassedOn();
};

void TestSupervisor::exitCodeAndReportAreTold()
{
    const LaunchEnd end = supervise("test $GREETING = hello && exit 3");
    QVERIFY(WIFEXITED(end.waitStatus));
    QCOMPARE(WEXITSTATUS(end.waitStatus), 3);
    QVERIFY(!end.reported && !end.interrupted);
}

void TestSupervisor::remedyFitsTheEnd_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("resumable");
    QTest::addColumn<QString>("told");
    QTest::addColumn<QString>("remedy");
    const QString refusal = "echo 'mpirun has detected an attempt to run as root.' >&2; ";
    for (const bool resumable : {false, true}) {
        QTest::addRow("refused, %d", resumable)
            << refusal + "exit 1" << resumable << "nothing was started"
            << "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
    }
    const QString recording = "printf '"
        + QString::fromStdString(recordingLine("token", "/w.tasuki")) + "' >&2; ";
    QTest::newRow("resumable") << recording + "exit 7" << true << "exit code 7"
                               << "farm --resume /w.tasuki";
    QTest::newRow("nothing is recorded") << "exit 7" << true << "exit code 7"
                                         << "nothing was recorded of this start: start it again";
    QTest::newRow("not resumable") << "exit 7" << false << "exit code 7"
                                   << "start it again";
    QTest::newRow("killed") << recording + refusal + "kill -9 $$" << true << "signal 9"
                            << "--resume /w.tasuki";
    QTest::newRow("a task was refused") << refusal + "exit 0" << true << "without a report"
                                        << "start it again";
}

// Fails if somebody whose mpirun refused to start is sent to look for a run file.
void TestSupervisor::remedyFitsTheEnd()
{
    QFETCH(QString, script);
    QFETCH(bool, resumable);
    QFETCH(QString, told);
    QFETCH(QString, remedy);
    const Error error = endWithoutReport(supervise(script.toStdString()), resumable ? "farm" : "");
    const auto message = QString::fromStdString(error.message);
    QVERIFY2(message.contains(told), qPrintable(message));
    const auto advice = QString::fromStdString(error.remedy);
    QVERIFY2(advice.contains(remedy), qPrintable(advice));
}

void TestSupervisor::mpirunThatDoesNotNoticeItsDeadIsKilled()
{
    QElapsedTimer timer;
    timer.start();
    const LaunchEnd end = supervise("true & exec sleep 50"); // sleep waits for no child
    QVERIFY(timer.elapsed() < 40'000);
    QVERIFY(WIFSIGNALED(end.waitStatus));
    QCOMPARE(WTERMSIG(end.waitStatus), SIGKILL);
}

void TestSupervisor::mpirunWithLivingChildrenIsLeftAlone()
{
    const LaunchEnd end = supervise("true & sleep 30 & exec sleep 1");
    QVERIFY(WIFEXITED(end.waitStatus));
    QCOMPARE(WEXITSTATUS(end.waitStatus), 0);
}

void TestSupervisor::ranksThatAreLeftStoppedAreKilled()
{
    QElapsedTimer timer;
    timer.start();
    const LaunchEnd end = supervise("sleep 50 & kill -STOP $!; sleep 1 & wait");
    QVERIFY(timer.elapsed() < 40'000);
    QVERIFY(timer.elapsed() > (12 * interval).count()); // they may be woken
    QVERIFY(WIFEXITED(end.waitStatus));
}

void TestSupervisor::mpirunThatDoesNotEndWithTheRunIsEnded()
{
    for (const std::string deaf : {"", "trap '' TERM; "}) {
        QElapsedTimer timer;
        timer.start();
        const LaunchEnd end = supervise(deaf + "printf '" + exitReportLine("token", 3)
                                        + "' >&2; sleep 50; sleep 50");
        QVERIFY(timer.elapsed() < 40'000);
        QVERIFY(timer.elapsed() > (16 * interval).count());
        QCOMPARE(end.reported, std::optional(3));
    }
}

// Fails if the run of the majority were ended with that of the side that was cut off.
void TestSupervisor::runOfALeaderThatWasGivenUpMayGoOn()
{
    const LaunchEnd end = supervise("printf '" + givenUpLine("token", 4) + goingOnLine("token")
                                    + "' >&2; sleep 1; printf '" + exitReportLine("token", 0)
                                    + "' >&2");
    QCOMPARE(end.reported, std::optional(0));
    QVERIFY(WIFEXITED(end.waitStatus)); // nobody has ended it
    const LaunchEnd late = supervise("printf '" + exitReportLine("token", 0)
                                     + givenUpLine("token", 4) + "' >&2");
    QCOMPARE(late.reported, std::optional(0));
}

void TestSupervisor::runOfALeaderThatWasGivenUpMayBeOver()
{
    const LaunchEnd end = supervise("printf '" + givenUpLine("token", 4) + "' >&2; exit 1");
    QCOMPARE(end.reported, std::optional(4));
}

void TestSupervisor::whatStaysBehindIsKilled()
{
    QElapsedTimer timer;
    timer.start();
    const LaunchEnd end = supervise("setsid sleep 50 & exit 0");
    QVERIFY(WIFEXITED(end.waitStatus));
    QVERIFY(timer.elapsed() < 40'000);
    QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1); // it had become a child of this process
}

// The rank is a program that is called as a segment: what it has mapped has that name.
void TestSupervisor::whatMpiLeavesIsRemoved()
{
    const QTemporaryDir directory;
    const QString segments = directory.path() + "/vader_segment.vm.0.1.";
    const QString others = directory.path() + "/vader_segment.vm.0.2.0";
    const QString rank = segments + '0';
    QVERIFY(QFile::copy("/bin/sleep", rank));
    for (const QString& path : {segments + '1', others}) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    const std::string start = "'" + rank.toStdString() + "' 20 & sleep 1; ";
    const LaunchEnd ended = supervise(start + "exit 0");
    QVERIFY(WIFEXITED(ended.waitStatus));
    QVERIFY(QFile::exists(rank)); // mpirun has done that itself
    const LaunchEnd killed = supervise(start + "kill -9 $$");
    QVERIFY(WIFSIGNALED(killed.waitStatus));
    QVERIFY(!QFile::exists(rank));
    QVERIFY(!QFile::exists(segments + '1'));
    QVERIFY(QFile::exists(others));
}

// Fails if Ctrl-C between two lives of a run ends launch at once, is forgotten, or does not reach the
// next life.
void TestSupervisor::signalsWaitBetweenLives()
{
    holdStopSignals();
    QVERIFY(!stopAsked(0ms));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!stopAsked(50ms));
    QVERIFY(timer.elapsed() >= 50);
    QCOMPARE(raise(SIGINT), 0); // in this thread: the test program has others
    QVERIFY(stopAsked(20s));
    QVERIFY(!stopAsked(0ms));
    QVERIFY(timer.elapsed() < 10'000);
    QCOMPARE(raise(SIGINT), 0); // in this thread: the test program has others
    const LaunchEnd end = supervise("trap 'exit 7' USR1; sleep 30 & wait");
    QVERIFY(end.interrupted);
    QVERIFY(!stopAsked(0ms)); // it was taken
    QVERIFY(timer.elapsed() < 20'000);
}

/// A descriptor that stands for another one as long as it lives.
class Instead {
public:
    Instead(int descriptor, int other)
        : m_descriptor(descriptor), m_saved(::fcntl(descriptor, F_DUPFD_CLOEXEC, 10))
    {
        std::fflush(nullptr);
        ::dup2(other, m_descriptor);
    }
    ~Instead()
    {
        std::fflush(nullptr);
        ::dup2(m_saved, m_descriptor);
        ::close(m_saved);
    }
    Instead(const Instead&) = delete;
    Instead& operator=(const Instead&) = delete;

private:
    int m_descriptor;
    int m_saved;
};

// Fails if Ctrl-\ ends launch alone, or does nothing.
void TestSupervisor::quitKillsAtOnce()
{
    holdStopSignals();
    const LaunchEnd end = supervise("trap 'exit 8' USR2; " + signalHere("QUIT")
                                    + "sleep 30 & wait");
    QVERIFY(end.interrupted);
    QVERIFY(WIFEXITED(end.waitStatus));
    QCOMPARE(WEXITSTATUS(end.waitStatus), 8);
}

// Fails if a run under nohup stops when its terminal closes.
void TestSupervisor::ignoredHangUpStaysIgnored()
{
    std::signal(SIGHUP, SIG_IGN);
    holdStopSignals();
    const LaunchEnd end = supervise(signalHere("HUP")
                                    + "trap 'exit 7' USR1; sleep 1; kill -HUP $$; exit 0");
    std::signal(SIGHUP, SIG_DFL);
    QVERIFY(!end.interrupted);
    QVERIFY(WIFEXITED(end.waitStatus));
    QCOMPARE(WEXITSTATUS(end.waitStatus), 0);
}

void TestSupervisor::hangUpInterrupts()
{
    holdStopSignals();
    const LaunchEnd end = supervise("trap 'exit 7' USR1; " + signalHere("HUP") + "sleep 30 & wait");
    QVERIFY(end.interrupted);
    QCOMPARE(WEXITSTATUS(end.waitStatus), 7);
}

// Fails if the shell's word that the terminal closes, after the kernel's, kills running tasks.
void TestSupervisor::hangUpsKillNothing()
{
    holdStopSignals();
    const LaunchEnd end = supervise("trap 'seen=1' USR1; trap 'exit 8' USR2; " + signalHere("HUP")
                                    + "while [ -z $seen ]; do sleep 0.1; done; " + signalHere("HUP")
                                    + "sleep 1; exit 7");
    QVERIFY(end.interrupted);
    QCOMPARE(WEXITSTATUS(end.waitStatus), 7);
}

// Fails if mpirun gets to feel it, which it tells at length, or if nobody is interrupted.
void TestSupervisor::nobodyReadsTheOutput()
{
    int ends[2];
    QCOMPARE(pipe2(ends, O_CLOEXEC), 0);
    ::close(ends[0]);
    LaunchEnd end;
    {
        const Instead closed(STDOUT_FILENO, ends[1]);
        end = supervise("trap 'echo more && exit 7' USR1; echo text; sleep 30 & wait");
    }
    ::close(ends[1]);
    QVERIFY(end.interrupted);
    QCOMPARE(end.outputError, EPIPE);
    QVERIFY(WIFEXITED(end.waitStatus));
    QCOMPARE(WEXITSTATUS(end.waitStatus), 7);
}

void TestSupervisor::fullDeviceIsTold()
{
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    LaunchEnd end;
    {
        const Instead device(STDOUT_FILENO, full);
        end = supervise("echo text; exit 0");
    }
    ::close(full);
    QCOMPARE(end.outputError, ENOSPC);
    QVERIFY(!end.interrupted);
    QCOMPARE(WEXITSTATUS(end.waitStatus), 0);
}

// Fails if the end of what mpirun printed is lost, or if somebody who holds its output is waited for.
void TestSupervisor::outputIsWhole()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    LaunchEnd end;
    QElapsedTimer timer;
    timer.start();
    {
        const Instead instead(STDOUT_FILENO, file.handle());
        end = supervise("setsid sleep 50 & seq 200000");
    }
    QVERIFY(timer.elapsed() < 40'000);
    QFile written(file.fileName());
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QByteArray all = written.readAll();
    QCOMPARE(all.count('\n'), 200'000);
    QVERIFY(all.endsWith("\n200000\n"));
    QCOMPARE(end.outputError, 0);
}

void TestSupervisor::standardInputIsPassedOn()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write("line\n");
    QVERIFY(file.flush() && file.seek(0));
    const Instead instead(STDIN_FILENO, file.handle());
    const std::string script = "read -r text; test \"$text\" = line && exit 9";
    const auto status = [&script](bool input) {
        Result<LaunchEnd> end = superviseLaunch({"/bin/sh", "-c", script},
                                                {.token = "token", .input = input});
        return end ? WEXITSTATUS(end->waitStatus) : -1;
    };
    QCOMPARE(status(false), 1);
    QCOMPARE(status(true), 9);
}

QTEST_GUILESS_MAIN(TestSupervisor)

} // namespace tst_supervisor

#include "tst_supervisor.moc"

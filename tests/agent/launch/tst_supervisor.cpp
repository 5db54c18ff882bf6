// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/exitreport.h"
#include "launch/supervisor.h"

#include <QElapsedTimer>

#include <csignal>

#include <sys/wait.h>

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

/// @param script  of a shell that stands for mpirun
LaunchEnd supervise(const std::string& script)
{
    Result<LaunchEnd> end = superviseLaunch({"/bin/sh", "-c", script}, {"GREETING=hello"}, "token");
    if (!end)
        return {.reported = -1};
    return *end;
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
    void signalsWaitBetweenLives();
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
    QTest::newRow("resumable") << "exit 7" << true << "exit code 7"
                               << "--resume FILE";
    QTest::newRow("not resumable") << "exit 7" << false << "exit code 7"
                                   << "start it again";
    QTest::newRow("killed") << refusal + "kill -9 $$" << true << "signal 9"
                            << "--resume FILE";
    QTest::newRow("a task was refused") << refusal + "exit 0" << true << "without a report"
                                        << "--resume FILE";
}

// Fails if somebody whose mpirun refused to start is sent to look for a run file.
void TestSupervisor::remedyFitsTheEnd()
{
    QFETCH(QString, script);
    QFETCH(bool, resumable);
    QFETCH(QString, told);
    QFETCH(QString, remedy);
    const Error error = endWithoutReport(supervise(script.toStdString()), resumable);
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
    const LaunchEnd end = supervise("true & sleep 30 & exec sleep 5");
    QVERIFY(WIFEXITED(end.waitStatus));
    QCOMPARE(WEXITSTATUS(end.waitStatus), 0);
}

void TestSupervisor::ranksThatAreLeftStoppedAreKilled()
{
    QElapsedTimer timer;
    timer.start();
    const LaunchEnd end = supervise("sleep 50 & kill -STOP $!; sleep 1 & wait");
    QVERIFY(timer.elapsed() < 40'000);
    QVERIFY(timer.elapsed() > 3'000); // they may be woken
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
        QVERIFY(timer.elapsed() > 4'000);
        QCOMPARE(end.reported, std::optional(3));
    }
}

// Fails if the run of the majority were ended with that of the side that was cut off.
void TestSupervisor::runOfALeaderThatWasGivenUpMayGoOn()
{
    const LaunchEnd end = supervise("printf '" + givenUpLine("token", 4) + goingOnLine("token")
                                    + "' >&2; sleep 8; printf '" + exitReportLine("token", 0)
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

QTEST_GUILESS_MAIN(TestSupervisor)
#include "tst_supervisor.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/supervisor.h"

#include <QElapsedTimer>

#include <sys/wait.h>

using namespace tasuki;

namespace {

/// @param script  of a shell that stands for mpirun
LaunchEnd supervise(const std::string& script)
{
    Result<LaunchEnd> end = superviseLaunch({"/bin/sh", "-c", script}, {"GREETING=hello"}, "token");
    return end ? *end : LaunchEnd{.reported = -1};
}

} // namespace

class TestSupervisor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exitCodeAndReportAreTold();
    void mpirunThatDoesNotNoticeItsDeadIsKilled();
    void mpirunWithLivingChildrenIsLeftAlone();
    void whatStaysBehindIsKilled();
};

void TestSupervisor::exitCodeAndReportAreTold()
{
    const LaunchEnd end = supervise("test $GREETING = hello && exit 3");
    QVERIFY(WIFEXITED(end.waitStatus));
    QCOMPARE(WEXITSTATUS(end.waitStatus), 3);
    QVERIFY(!end.reported && !end.interrupted);
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

void TestSupervisor::whatStaysBehindIsKilled()
{
    QElapsedTimer timer;
    timer.start();
    const LaunchEnd end = supervise("setsid sleep 50 & exit 0");
    QVERIFY(WIFEXITED(end.waitStatus));
    QVERIFY(timer.elapsed() < 40'000);
    QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1); // it had become a child of this process
}

QTEST_GUILESS_MAIN(TestSupervisor)
#include "tst_supervisor.moc"

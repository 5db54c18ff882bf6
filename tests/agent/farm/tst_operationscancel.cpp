// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

#include <set>

namespace tst_operationscancel {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = OperationsBench;

} // namespace

/// Cancelling: what waits is done for, what runs is killed, and neither runs again.
class TestOperationsCancel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cancelOfQueuedAndHeldTasks();
    void cancelOfSomeThatDoNotFit();
    void cancelOfAChain();
    void cancelOfRunningTasksStopsThem();
    void cancelCrossesTheEnd_data();
    void cancelCrossesTheEnd();
    void cancelOfAWorkerThatIsLost();
    void cancelWhileTheAttemptFails();
    void cancelWhileTheNextAttemptIsOnItsWay();
};

void TestOperationsCancel::cancelOfQueuedAndHeldTasks()
{
    Bench bench("#TASUKI label=a\necho 0\necho 1\n#TASUKI after=a\necho 2\necho 3\n");
    bench.settled(HoldTasks{bench.targets({1})});
    const auto answered = bench.settled(CancelTasks{bench.targets({0, 1})});
    QVERIFY(answered->accepted());
    QVERIFY(answered->answer.conflicts.empty());
    QCOMPARE(bench.stateOf(0), TaskState::Cancelled);
    QCOMPARE(bench.stateOf(1), TaskState::Cancelled);
    QCOMPARE(bench.stateOf(2), TaskState::Skipped);
    QCOMPARE(bench.recorded<TaskSkipped>(), (std::vector{TaskSkipped{TaskId(2), TaskId(0)}}));
    QCOMPARE(bench.notices().back(), std::string("ann cancelled 2 tasks"));
    bench.hello(one, 4);
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(3)});
    bench.end(one, key(3));
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Complete);
}

void TestOperationsCancel::cancelOfSomeThatDoNotFit()
{
    Bench bench("echo 0\necho 1\necho 2\n");
    const TaskTarget seen = bench.target(2);
    bench.settled(EditTasks{{bench.edit(2, "echo new")}});
    bench.hello(one, 1);
    bench.settle();
    bench.end(one, key(0)); // the record does not know yet
    const auto answered = bench.order(
        CancelTasks{{bench.target(0), bench.target(1), seen, {TaskId(9), Revision(1)}}});
    bench.master->poll();
    bench.say(one, Withdrawn{{key(1)}});
    bench.settle();
    QVERIFY(answered->accepted());
    const std::set<TaskId> left{TaskId(0), TaskId(2), TaskId(9)};
    QCOMPARE(answered->answer.conflicts.size(), left.size());
    for (const TaskConflict& conflict : answered->answer.conflicts) {
        QVERIFY(left.contains(conflict.id));
        QCOMPARE(conflict.cause,
                 conflict.id == TaskId(0)       ? ConflictCause::Finished
                     : conflict.id == TaskId(2) ? ConflictCause::Changed
                                                : ConflictCause::Unknown);
    }
    QCOMPARE(bench.stateOf(0), TaskState::Succeeded);
    QCOMPARE(bench.stateOf(1), TaskState::Cancelled);
    QCOMPARE(bench.stateOf(2), TaskState::Queued);
    QCOMPARE(bench.notices().back(), std::string("ann cancelled 1 task"));
}

/// Tasks that come after each other are all cancelled, none is skipped for the others.
void TestOperationsCancel::cancelOfAChain()
{
    Bench bench("#TASUKI label=a\necho 0\n#TASUKI label=b after=a\necho 1\n"
                "#TASUKI after=b\necho 2\n");
    const auto answered = bench.settled(CancelTasks{bench.targets({0, 1})});
    QVERIFY(answered->accepted());
    QVERIFY(answered->answer.conflicts.empty());
    QCOMPARE(bench.stateOf(0), TaskState::Cancelled);
    QCOMPARE(bench.stateOf(1), TaskState::Cancelled);
    QCOMPARE(bench.stateOf(2), TaskState::Skipped);
}

void TestOperationsCancel::cancelOfRunningTasksStopsThem()
{
    Bench bench("#TASUKI retries=5 label=a\necho 0\necho 1\n#TASUKI after=a\necho 2\n");
    bench.hello(one, 2);
    bench.settle();
    QCOMPARE(bench.handed(one), (Keys{key(0), key(1)}));
    bench.begin(one, key(0));
    bench.settle();
    QCOMPARE(bench.stateOf(0), TaskState::Running);
    const auto answered = bench.order(CancelTasks{bench.targets({0, 1})});
    bench.master->poll();
    QCOMPARE(bench.sent<Withdraw>(one), std::vector{Withdraw{{key(1)}}});
    QVERIFY(bench.sent<Stop>(one).empty());
    bench.say(one, Withdrawn{}); // 1 has just begun
    QCOMPARE(bench.sent<Stop>(one), (std::vector{Stop{{key(0), key(1)}}}));
    bench.settle();
    QVERIFY(answered->accepted()); // their ends follow
    QVERIFY(bench.recorded<TaskCancelled>().empty());
    QCOMPARE(bench.recorded<TaskCancelling>(),
             (std::vector{TaskCancelling{TaskId(0)}, TaskCancelling{TaskId(1)}}));
    QCOMPARE(bench.notices(), Texts{"ann cancelled 2 tasks"});
    bench.end(one, key(0), Outcome::Cancelled);
    bench.end(one, key(1), Outcome::Cancelled);
    bench.settle();
    QCOMPARE(bench.state.count(TaskState::Cancelled), std::size_t{2});
    QCOMPARE(bench.stateOf(2), TaskState::Skipped);
    QVERIFY(bench.handed(one).empty());
    QCOMPARE(bench.master->end(), RunEnd::Complete);
}

void TestOperationsCancel::cancelCrossesTheEnd_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("finalState");
    const auto row = [](const char* name, Outcome outcome, TaskState state) {
        QTest::newRow(name) << static_cast<int>(outcome) << static_cast<int>(state);
    };
    row("succeeded", Outcome::Succeeded, TaskState::Succeeded);
    row("failed", Outcome::Failed, TaskState::Failed);
    row("signalled", Outcome::Signalled, TaskState::Failed);
    row("timed out", Outcome::TimedOut, TaskState::Failed);
    row("interrupted", Outcome::Interrupted, TaskState::Failed);
}

/// The attempt has ended, and its report is on the way while the order to kill it is.
void TestOperationsCancel::cancelCrossesTheEnd()
{
    QFETCH(int, outcome);
    QFETCH(int, finalState);
    Bench bench("#TASUKI retries=5\necho 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    bench.begin(one, key(0));
    bench.settle();
    QVERIFY(bench.settled(CancelTasks{bench.targets({0})})->accepted());
    bench.end(one, key(0), static_cast<Outcome>(outcome));
    bench.pass(5'000ms);
    QCOMPARE(static_cast<int>(bench.stateOf(0)), finalState);
    QCOMPARE(bench.handed(one), (Keys{key(0), key(1)})); // 0 is not tried again
    QCOMPARE(bench.recorded<AttemptFinished>().front().disposition, Disposition::Final);
}

void TestOperationsCancel::cancelOfAWorkerThatIsLost()
{
    for (const bool startKnown : {true, false}) {
        Bench bench("#TASUKI retries=5\necho 0\necho 1\n");
        bench.hello(one, 1);
        bench.settle();
        bench.handed(one);
        if (startKnown)
            bench.begin(one, key(0));
        const auto answered = bench.settled(CancelTasks{bench.targets({0})});
        if (!startKnown)
            bench.say(one, Withdrawn{});
        bench.settle();
        QVERIFY(answered->accepted());
        QCOMPARE(bench.sent<Stop>(one), std::vector{Stop{{key(0)}}});
        bench.gone(one);
        bench.hello(two, 4);
        bench.pass(1'000ms);
        QCOMPARE(bench.handed(two), Keys{key(1)});
        QCOMPARE(bench.stateOf(0), TaskState::Failed);
        QCOMPARE(bench.recorded<AttemptFinished>().front().result.outcome, Outcome::Lost);
    }
}

/// A running task fails and waits to be tried again, while others are still being called back.
void TestOperationsCancel::cancelWhileTheAttemptFails()
{
    Bench bench("#TASUKI retries=5\necho 0\necho 1\n");
    bench.hello(one, 1);
    bench.hello(two, 1);
    bench.settle();
    bench.begin(one, key(0));
    bench.settle();
    const auto answered = bench.settled(CancelTasks{bench.targets({0, 1})});
    QCOMPARE(bench.sent<Withdraw>(two), std::vector{Withdraw{{key(1)}}});
    bench.end(one, key(0), Outcome::Failed);
    bench.say(two, Withdrawn{{key(1)}});
    bench.settle();
    QVERIFY(answered->accepted());
    QVERIFY(answered->answer.conflicts.empty());
    QCOMPARE(bench.stateOf(0), TaskState::Cancelled);
    QCOMPARE(bench.stateOf(1), TaskState::Cancelled);
    bench.handed(one);
    bench.pass(5'000ms);
    QCOMPARE(bench.recorded<AttemptFinished>().size(), std::size_t{1});
    QVERIFY(bench.handed(one).empty());
    QVERIFY(bench.master->phase() >= Master::Phase::Closing);
}

/// As before, but the next attempt is at a worker again before the others have been given back.
void TestOperationsCancel::cancelWhileTheNextAttemptIsOnItsWay()
{
    for (const bool startsInTime : {false, true}) {
        Bench bench("#TASUKI retries=5\necho 0\necho 1\n");
        bench.hello(one, 1);
        bench.hello(two, 1);
        bench.settle();
        bench.begin(one, key(0));
        bench.settle();
        const auto answered = bench.settled(CancelTasks{bench.targets({0, 1})});
        bench.handed(one);
        bench.end(one, key(0), Outcome::Failed);
        bench.pass(1'000ms);
        QCOMPARE(bench.handed(one), Keys{key(0, 2)});
        QVERIFY(bench.sent<Withdraw>(one).empty());
        bench.say(two, Withdrawn{{key(1)}});
        bench.settle();
        QCOMPARE(answered->times, 0);
        QCOMPARE(bench.sent<Withdraw>(one), std::vector{Withdraw{{key(0, 2)}}});
        bench.say(one, startsInTime ? Withdrawn{} : Withdrawn{{key(0, 2)}});
        bench.settle();
        QVERIFY(answered->accepted());
        QCOMPARE(bench.sent<Stop>(one).size(), startsInTime ? std::size_t{1} : std::size_t{0});
        QVERIFY(bench.sent<Withdraw>(one).empty()); // asked once
        if (startsInTime)
            bench.end(one, key(0, 2), Outcome::Cancelled);
        bench.settle();
        QCOMPARE(bench.state.count(TaskState::Cancelled), std::size_t{2});
    }
}

QTEST_APPLESS_MAIN(TestOperationsCancel)

} // namespace tst_operationscancel

#include "tst_operationscancel.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "schedulertesting.h"

namespace tst_scheduler {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const GroupId workerA(1);
const GroupId workerB(2);
const SteadyTime start = at(0ms);

RetryBudget budget(std::uint16_t exit, std::uint16_t signal = 0, std::uint16_t timeout = 0,
                   std::uint16_t lost = 0)
{
    return {.allowed = {exit, signal, timeout, lost}};
}

using Tasks = std::vector<std::uint32_t>;

} // namespace

/// The rows of the state table in docs/farm.md, retries and losses.
class TestScheduler : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void emptyListIsComplete();
    void readyIsAssignedToAWorkerWithRoom();
    void tasksStartInListOrderNotInIdOrder();
    void blockedBecomesReadyWhenItsLastPrerequisiteSucceeded();
    void blockedIsSkippedWhenAPrerequisiteFails();
    void skippingGoesDownTheChainOnce();
    void returnedBecomesReadyWithTheSameNumber();
    void returnedCountsOnlyForTheHolderAndUnstarted();
    void successIsFinal();
    void failureWithoutBudgetIsFinal();
    void interruptedIsRequeuedAndUsesNothingUp();
    void cancelledIsFinalWithoutRetry();
    void doneIgnoresEverything();
    void causesHaveTheirOwnBudgets_data();
    void causesHaveTheirOwnBudgets();
    void usedRetriesCountAgainstTheirOwnCauseOnly();
    void backoffDoublesUpToTheLongest();
    void lossIsRetriedWithoutBackoff();
    void waitingBecomesReadyWhenTheBackoffIsOver();
    void workerLostGivesUnstartedOnesAtOnce();
    void workerLostWithoutBudgetFailsStartedOnes();
    void reportsOfALostWorkerDoNotCount();
    void unknownKeysAndRanksDoNotCount();
    void heldHandsNothingOut();
    void slotCountFollowsTheWorkers();
};

void TestScheduler::emptyListIsComplete()
{
    Scheduler scheduler;
    scheduler.begin();
    QVERIFY(scheduler.complete());
    scheduler.groupJoined(workerA, 1);
    QVERIFY(scheduler.assignments(start).empty());
    QVERIFY(scheduler.recalls().empty());
}

void TestScheduler::readyIsAssignedToAWorkerWithRoom()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2);
    scheduler.begin();
    QVERIFY(scheduler.assignments(start).empty()); // nobody is there
    scheduler.groupJoined(workerA, 1);
    const auto handed = scheduler.assignments(start);
    QCOMPARE(handed.size(), std::size_t{1});
    QCOMPARE(handedTo(handed, workerA), std::vector{key(0)});
    QCOMPARE(scheduler.outstanding(), std::size_t{1});
    QVERIFY(scheduler.assignments(start).empty()); // its slot is taken
    QVERIFY(!scheduler.complete());
}

void TestScheduler::tasksStartInListOrderNotInIdOrder()
{
    Scheduler scheduler;
    ListBuilder(scheduler)
        .add({.position = 30})
        .add({.position = 10})
        .add({.position = 20})
        .add({.position = 5});
    scheduler.begin();
    scheduler.groupJoined(workerA, 3);
    QCOMPARE(handedTo(scheduler.assignments(start), workerA),
             (std::vector{key(3), key(1), key(2)}));
}

void TestScheduler::blockedBecomesReadyWhenItsLastPrerequisiteSucceeded()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2).add({}, {0, 1});
    scheduler.begin();
    scheduler.groupJoined(workerA, 4);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{0, 1}));
    attemptFinished(scheduler, workerA, key(1), Outcome::Succeeded, 1ms, start);
    QVERIFY(scheduler.assignments(start).empty());
    attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{2});
}

void TestScheduler::blockedIsSkippedWhenAPrerequisiteFails()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2).add({}, {0, 1});
    scheduler.begin();
    scheduler.groupJoined(workerA, 2);
    scheduler.assignments(start);
    attemptFinished(scheduler, workerA, key(1), Outcome::Failed, 1ms, start);
    const auto skipped = scheduler.takeSkipped();
    QCOMPARE(skipped.size(), std::size_t{1});
    QCOMPARE(skipped[0].id, TaskId(2));
    QCOMPARE(skipped[0].because, TaskId(1));
    QVERIFY(scheduler.takeSkipped().empty());
    attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start);
    QVERIFY(scheduler.assignments(start).empty());
    QVERIFY(scheduler.complete());
}

void TestScheduler::skippingGoesDownTheChainOnce()
{
    Scheduler scheduler;
    //     0
    //    / \      3 comes after both arms, 4 after 3; 5 stands alone
    //   1   2
    ListBuilder(scheduler).add().add({}, {0}).add({}, {0}).add({}, {1, 2}).add({}, {3}).add();
    scheduler.begin();
    scheduler.groupJoined(workerA, 2);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{0, 5}));
    attemptFinished(scheduler, workerA, key(0), Outcome::Signalled, 1ms, start);
    Tasks skipped;
    for (const SkippedTask& task : scheduler.takeSkipped()) {
        skipped.push_back(task.id.value());
        if (task.id == TaskId(4))
            QCOMPARE(task.because, TaskId(3));
        if (task.id == TaskId(1) || task.id == TaskId(2))
            QCOMPARE(task.because, TaskId(0));
    }
    std::ranges::sort(skipped);
    QCOMPARE(skipped, (Tasks{1, 2, 3, 4}));
    QVERIFY(!scheduler.complete());
    attemptFinished(scheduler, workerA, key(5), Outcome::Succeeded, 1ms, start);
    QVERIFY(scheduler.complete());
}

void TestScheduler::returnedBecomesReadyWithTheSameNumber()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(1);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    scheduler.returned(workerA, std::vector{key(0)});
    QCOMPARE(scheduler.outstanding(), std::size_t{0});
    QCOMPARE(handedTo(scheduler.assignments(start), workerA), std::vector{key(0, 1)});
}

void TestScheduler::returnedCountsOnlyForTheHolderAndUnstarted()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.groupJoined(workerB, 1);
    scheduler.assignments(start); // 0 to A, 1 to B
    QVERIFY(scheduler.attemptStarted(workerA, key(0)));
    scheduler.returned(workerB, std::vector{key(0), key(7), key(1, 2)});
    scheduler.returned(workerA, std::vector{key(0), key(1)});
    QCOMPARE(scheduler.outstanding(), std::size_t{2});
    QVERIFY(scheduler.assignments(start).empty());
}

void TestScheduler::successIsFinal()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({.budget = budget(5, 5, 5, 5)});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    QVERIFY(scheduler.attemptStarted(workerA, key(0)));
    QVERIFY(!scheduler.attemptStarted(workerA, key(0))); // told once
    const auto verdict = attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms,
                                         start);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdict->disposition, Disposition::Final);
    QVERIFY(scheduler.complete());
    QCOMPARE(scheduler.outstanding(), std::size_t{0});
}

void TestScheduler::failureWithoutBudgetIsFinal()
{
    for (const Outcome outcome : {Outcome::Failed, Outcome::Signalled, Outcome::TimedOut,
                                  Outcome::Lost, Outcome::NotStarted}) {
        Scheduler scheduler;
        ListBuilder(scheduler).add({.budget = budget(0)});
        scheduler.begin();
        scheduler.groupJoined(workerA, 1);
        scheduler.assignments(start);
        const auto verdict = attemptFinished(scheduler, workerA, key(0), outcome, 1ms, start);
        QVERIFY(verdict.has_value());
        QCOMPARE(verdict->disposition, Disposition::Final);
        QVERIFY(scheduler.complete());
    }
}

void TestScheduler::interruptedIsRequeuedAndUsesNothingUp()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({.budget = budget(0)});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    for (std::uint32_t attempt = 1; attempt <= 5; ++attempt) {
        QCOMPARE(handedTo(scheduler.assignments(start), workerA), std::vector{key(0, attempt)});
        const auto verdict = attemptFinished(scheduler, workerA, key(0, attempt),
                                             Outcome::Interrupted, 1ms, start);
        QVERIFY(verdict.has_value());
        QCOMPARE(verdict->disposition, Disposition::Requeue);
    }
    QVERIFY(!scheduler.complete());
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{0}); // without a back-off
}

void TestScheduler::cancelledIsFinalWithoutRetry()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({.budget = budget(9, 9, 9, 9)}).add({}, {0});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    const auto verdict = attemptFinished(scheduler, workerA, key(0), Outcome::Cancelled, 1ms,
                                         start);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdict->disposition, Disposition::Final);
    QCOMPARE(scheduler.takeSkipped().size(), std::size_t{1}); // cancelled is not succeeded
    QVERIFY(scheduler.complete());
}

void TestScheduler::doneIgnoresEverything()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add().add();
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    QVERIFY(attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start));
    QVERIFY(!attemptFinished(scheduler, workerA, key(0), Outcome::Failed, 1ms, start));
    QVERIFY(!attemptFinished(scheduler, workerA, key(0, 2), Outcome::Failed, 1ms, start));
    QVERIFY(!scheduler.attemptStarted(workerA, key(0)));
    scheduler.returned(workerA, std::vector{key(0)});
    QVERIFY(scheduler.groupLost(workerA).empty());
    QVERIFY(scheduler.takeSkipped().empty());
    scheduler.groupJoined(workerB, 1);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{1}); // 0 never again
}

void TestScheduler::causesHaveTheirOwnBudgets_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("cause");
    QTest::newRow("exit") << int(Outcome::Failed) << int(RetryCause::Exit);
    QTest::newRow("not started") << int(Outcome::NotStarted) << int(RetryCause::Exit);
    QTest::newRow("signal") << int(Outcome::Signalled) << int(RetryCause::Signal);
    QTest::newRow("timeout") << int(Outcome::TimedOut) << int(RetryCause::Timeout);
    QTest::newRow("lost") << int(Outcome::Lost) << int(RetryCause::ProcessorLost);
}

void TestScheduler::causesHaveTheirOwnBudgets()
{
    QFETCH(int, outcome);
    QFETCH(int, cause);
    constexpr std::uint16_t allowed = 3;
    RetryBudget own{.allowed = {0, 0, 0, 0}};
    own.allowed[static_cast<std::size_t>(cause)] = allowed;
    Scheduler scheduler;
    ListBuilder(scheduler).add({.budget = own});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    SteadyTime now = start;
    for (std::uint32_t attempt = 1; attempt <= allowed + 1U; ++attempt) {
        now += 1h;
        QCOMPARE(handedTo(scheduler.assignments(now), workerA), std::vector{key(0, attempt)});
        const auto verdict = attemptFinished(scheduler, workerA, key(0, attempt),
                                             static_cast<Outcome>(outcome), 1ms, now);
        QVERIFY(verdict.has_value());
        QCOMPARE(verdict->disposition,
                 attempt <= allowed ? Disposition::Retry : Disposition::Final);
    }
    QVERIFY(scheduler.complete());
}

void TestScheduler::usedRetriesCountAgainstTheirOwnCauseOnly()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({.budget = budget(1, 1, 1, 1)});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    SteadyTime now = start;
    std::uint32_t attempt = 0;
    for (const Outcome outcome :
         {Outcome::Failed, Outcome::Signalled, Outcome::TimedOut, Outcome::Lost}) {
        now += 1h;
        scheduler.assignments(now);
        const auto verdict = attemptFinished(scheduler, workerA, key(0, ++attempt), outcome, 1ms,
                                             now);
        QVERIFY(verdict.has_value());
        QCOMPARE(verdict->disposition, Disposition::Retry);
    }
    now += 1h;
    scheduler.assignments(now);
    const auto verdict = attemptFinished(scheduler, workerA, key(0, ++attempt), Outcome::NotStarted,
                                         1ms, now);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdict->disposition, Disposition::Final); // the exit budget is used up
}

void TestScheduler::backoffDoublesUpToTheLongest()
{
    Scheduler scheduler({.firstBackoff = 100ms, .longestBackoff = 1'000ms});
    ListBuilder(scheduler).add({.budget = budget(100, 100)});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    SteadyTime now = start;
    std::uint32_t attempt = 0;
    for (const auto expected : {100ms, 200ms, 400ms, 800ms, 1'000ms, 1'000ms}) {
        QCOMPARE(tasksOf(scheduler.assignments(now)), Tasks{0});
        attemptFinished(scheduler, workerA, key(0, ++attempt), Outcome::Failed, 1ms, now);
        QVERIFY(scheduler.assignments(now + expected - 1ns).empty());
        now += expected;
    }
    // Another cause begins with the first back-off again.
    QCOMPARE(tasksOf(scheduler.assignments(now)), Tasks{0});
    attemptFinished(scheduler, workerA, key(0, ++attempt), Outcome::Signalled, 1ms, now);
    QVERIFY(scheduler.assignments(now + 100ms - 1ns).empty());
    // The shift that doubles must not run over, however often it is tried.
    now += 100ms;
    for (int i = 0; i < 80; ++i) {
        QCOMPARE(tasksOf(scheduler.assignments(now)), Tasks{0});
        attemptFinished(scheduler, workerA, key(0, ++attempt), Outcome::Failed, 1ms, now);
        now += 1'000ms;
        QVERIFY(scheduler.assignments(now - 1ns).empty());
    }
    QCOMPARE(tasksOf(scheduler.assignments(now)), Tasks{0});
}

void TestScheduler::lossIsRetriedWithoutBackoff()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({.budget = budget(0, 0, 0, 2)});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    attemptFinished(scheduler, workerA, key(0), Outcome::Lost, 1ms, start);
    QCOMPARE(handedTo(scheduler.assignments(start), workerA), std::vector{key(0, 2)});
}

void TestScheduler::waitingBecomesReadyWhenTheBackoffIsOver()
{
    Scheduler scheduler({.firstBackoff = 100ms});
    ListBuilder(scheduler).add({.budget = budget(2)}).add({.budget = budget(2)});
    scheduler.begin();
    scheduler.groupJoined(workerA, 2);
    scheduler.assignments(start);
    attemptFinished(scheduler, workerA, key(1), Outcome::Failed, 1ms, start);
    attemptFinished(scheduler, workerA, key(0), Outcome::Failed, 1ms, start + 30ms);
    QVERIFY(scheduler.assignments(start + 100ms - 1ns).empty());
    QCOMPARE(tasksOf(scheduler.assignments(start + 100ms)), Tasks{1});
    QVERIFY(scheduler.assignments(start + 130ms - 1ns).empty());
    QVERIFY(!scheduler.exhausted());
    QCOMPARE(tasksOf(scheduler.assignments(start + 130ms)), Tasks{0});
}

void TestScheduler::workerLostGivesUnstartedOnesAtOnce()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(3);
    scheduler.begin();
    scheduler.groupJoined(workerA, 3);
    scheduler.assignments(start);
    QVERIFY(scheduler.attemptStarted(workerA, key(1)));
    const auto held = scheduler.groupLost(workerA);
    QCOMPARE(held.size(), std::size_t{3});
    for (const Scheduler::Held& attempt : held)
        QCOMPARE(attempt.started, attempt.key == key(1));
    QCOMPARE(scheduler.outstanding(), std::size_t{1}); // until its end has been reported
    scheduler.groupJoined(workerB, 3);
    QCOMPARE(handedTo(scheduler.assignments(start), workerB), (std::vector{key(0), key(2)}));
    const auto verdict = attemptFinished(scheduler, workerA, key(1), Outcome::Lost, 0ms, start);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdict->disposition, Disposition::Retry);
    QCOMPARE(handedTo(scheduler.assignments(start), workerB), std::vector{key(1, 2)});
    QCOMPARE(scheduler.outstanding(), std::size_t{3});
}

void TestScheduler::workerLostWithoutBudgetFailsStartedOnes()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({.budget = budget(9, 9, 9, 0)}).add({}, {0});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    QVERIFY(scheduler.attemptStarted(workerA, key(0)));
    QCOMPARE(scheduler.groupLost(workerA).size(), std::size_t{1});
    const auto verdict = attemptFinished(scheduler, workerA, key(0), Outcome::Lost, 0ms, start);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdict->disposition, Disposition::Final);
    QCOMPARE(scheduler.takeSkipped().size(), std::size_t{1});
    QVERIFY(scheduler.complete());
}

void TestScheduler::reportsOfALostWorkerDoNotCount()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(1);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    QCOMPARE(scheduler.groupLost(workerA).size(), std::size_t{1});
    QVERIFY(!scheduler.attemptStarted(workerA, key(0)));
    QVERIFY(!attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start));
    QVERIFY(scheduler.groupLost(workerA).empty()); // a second time: nothing more
    scheduler.groupJoined(workerB, 1);
    scheduler.assignments(start);
    QVERIFY(!attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start));
    QVERIFY(attemptFinished(scheduler, workerB, key(0), Outcome::Succeeded, 1ms, start));
    QVERIFY(scheduler.complete());
}

void TestScheduler::unknownKeysAndRanksDoNotCount()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(1);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    for (const AttemptKey& odd : {key(1), key(0, 0), key(0, 2), key(0xffffffffU, 0xffffffffU)}) {
        QVERIFY(!scheduler.attemptStarted(workerA, odd));
        QVERIFY(!attemptFinished(scheduler, workerA, odd, Outcome::Succeeded, 1ms, start));
    }
    QVERIFY(!scheduler.attemptStarted(GroupId(-1), key(0)));
    QVERIFY(!attemptFinished(scheduler, GroupId(99), key(0), Outcome::Succeeded, 1ms, start));
    scheduler.returned(GroupId(99), std::vector{key(0)});
    QVERIFY(scheduler.groupLost(GroupId(99)).empty());
    QCOMPARE(scheduler.outstanding(), std::size_t{1});
}

void TestScheduler::heldHandsNothingOut()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.setHeld(true);
    QVERIFY(scheduler.assignments(start).empty());
    QVERIFY(scheduler.recalls().empty());
    scheduler.setHeld(false);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{0});
}

void TestScheduler::slotCountFollowsTheWorkers()
{
    Scheduler scheduler;
    scheduler.begin();
    scheduler.groupJoined(workerA, 3);
    scheduler.groupJoined(workerB, 4);
    QCOMPARE(scheduler.slotCount(), std::size_t{7});
    scheduler.groupLost(workerA);
    QCOMPARE(scheduler.slotCount(), std::size_t{4});
    scheduler.groupJoined(workerA, 1);
    QCOMPARE(scheduler.slotCount(), std::size_t{5});
}

QTEST_APPLESS_MAIN(TestScheduler)

} // namespace tst_scheduler

#include "tst_scheduler.moc"

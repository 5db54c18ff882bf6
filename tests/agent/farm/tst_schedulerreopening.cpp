// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "editbench.h"

namespace tst_schedulerreopening {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = EditBench;

} // namespace

/// Tasks that are done again, and tasks that come later.
class TestSchedulerReopening : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reopenedStartsAfreshWithTheNextNumber();
    void reopenedFailureWithItsSkippedDependents();
    void reopenedSuccessHoldsDependentsBack();
    void reopenedSuccessAndDependentsAtAWorker();
    void letGoIsNotSkippedByTheSecondFailure();
    void everyPrerequisiteIsCountedOnce();
    void reopenedSkippedTaskWithoutItsCause();
    void reopenedDependentOfADoneTask();
    void reopenedTwice();
    void reopenedEarlierStageHoldsLaterOnesBack();
    void addedToThePresentStage();
    void addedBehindABarrier();
    void addedToAnEarlierStage();
    void addedWhenAllIsDone();
    void addedAfterFailedAndSucceededOnes();
    void addedAfterEachOther();
};

void TestSchedulerReopening::reopenedStartsAfreshWithTheNextNumber()
{
    Bench bench(1, {.firstBackoff = 0ms});
    bench.list.add({.budget = {.allowed = {1, 0, 0, 0}}});
    bench.begin();
    bench.hand();
    bench.end(0, Outcome::Failed);
    bench.hand(start + 1s);
    QCOMPARE(bench.end(0, Outcome::Failed, 2)->disposition, Disposition::Final);
    QVERIFY(bench.scheduler.complete());
    bench.reopen({0});
    QVERIFY(!bench.scheduler.complete());
    QCOMPARE(handedTo(bench.scheduler.assignments(start + 1s), workerA), Keys{key(0, 3)});
    QCOMPARE(bench.end(0, Outcome::Failed, 3)->disposition, Disposition::Retry); // a new budget
    QCOMPARE(bench.hand(start + 2s), Tasks{0});
    QCOMPARE(bench.end(0, Outcome::Failed, 4)->disposition, Disposition::Final);
}

void TestSchedulerReopening::reopenedFailureWithItsSkippedDependents()
{
    Bench bench;
    bench.list.add().add({}, {0}).add({}, {1}).add({}, {0, 2});
    bench.begin();
    bench.hand();
    bench.end(0, Outcome::Failed);
    QCOMPARE(bench.skipped().size(), std::size_t{3});
    bench.reopen({0, 1, 2, 3});
    QVERIFY(bench.skipped().empty());
    std::uint32_t attempt = 2;
    for (const std::uint32_t expected : {0U, 1U, 2U, 3U}) {
        QCOMPARE(bench.hand(), Tasks{expected});
        QVERIFY(bench.end(expected, Outcome::Succeeded, attempt).has_value());
        attempt = 1;
    }
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerReopening::reopenedSuccessHoldsDependentsBack()
{
    // 1 blocked, 2 parked, 3 ready, 4 waiting for its back-off, 5 done: all after 0.
    Bench bench(2, {.firstBackoff = 10ms});
    const RetryBudget once{.allowed = {1, 0, 0, 0}};
    bench.list.add().add({}, {0, 6}).add({}, {0});
    bench.list.add({.position = 90}, {0}).add({.budget = once}, {0}).add({}, {0});
    bench.list.add({.position = 99});
    bench.begin();
    bench.park(6);
    bench.park(3);
    bench.hand();
    bench.end(0);
    bench.park(2);
    QCOMPARE(bench.hand(), (Tasks{4, 5}));
    bench.end(4, Outcome::Failed);
    bench.end(5);
    bench.unpark(3);
    bench.unpark(6);

    bench.reopen({0});
    bench.unpark(2);
    QCOMPARE(bench.hand(start + 1s), (Tasks{0, 6})); // nothing of what comes after 0
    bench.end(6);
    QVERIFY(bench.hand(start + 1s).empty());
    bench.end(0, Outcome::Succeeded, 2);
    Tasks later;
    for (int round = 0; round < 4; ++round) {
        for (const std::uint32_t task : bench.hand(start + 1s)) {
            later.push_back(task);
            QVERIFY(bench.end(task, Outcome::Succeeded, task == 4 ? 2 : 1).has_value());
        }
    }
    QCOMPARE(later, (Tasks{1, 2, 4, 3})); // in list order
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerReopening::reopenedSuccessAndDependentsAtAWorker()
{
    Bench bench(4);
    bench.list.add().add({}, {0}).add({}, {0}).add({}, {0});
    bench.begin();
    bench.hand();
    bench.end(0);
    QCOMPARE(bench.hand(), (Tasks{1, 2, 3}));
    bench.scheduler.attemptStarted(workerA, key(1));
    bench.reopen({0});
    QVERIFY(bench.end(1).has_value());               // let go
    bench.scheduler.returned(workerA, Keys{key(2)}); // came back: it waits once more
    QVERIFY(bench.end(3, Outcome::Interrupted).has_value());
    QCOMPARE(bench.hand(), Tasks{0});
    bench.end(0, Outcome::Succeeded, 2);
    QCOMPARE(bench.hand(), (Tasks{2, 3}));
}

void TestSchedulerReopening::letGoIsNotSkippedByTheSecondFailure()
{
    Bench bench(4);
    bench.list.add().add({}, {0}).add({}, {0}).add({}, {2});
    bench.begin();
    bench.hand();
    bench.end(0);
    QCOMPARE(bench.hand(), (Tasks{1, 2}));
    bench.scheduler.attemptStarted(workerA, key(1));
    bench.reopen({0});
    QCOMPARE(bench.hand(), Tasks{0});
    bench.end(0, Outcome::Failed, 2);
    QVERIFY(bench.skipped().empty());
    bench.scheduler.returned(workerA, Keys{key(2)});
    QCOMPARE(bench.hand(), Tasks{2}); // what it waited for has been dealt with: it is not lost
    bench.end(1);
    bench.end(2);
    QCOMPARE(bench.hand(), Tasks{3});
    bench.end(3);
    QVERIFY(bench.scheduler.complete());
}

/// 2 comes after 0 and 1. Both are reopened while it is at a worker, one by one.
void TestSchedulerReopening::everyPrerequisiteIsCountedOnce()
{
    for (const Outcome first : {Outcome::Succeeded, Outcome::Failed}) {
        Bench bench(4);
        bench.list.add().add().add({}, {0, 1});
        bench.begin();
        bench.hand();
        bench.end(0);
        bench.end(1);
        QCOMPARE(bench.hand(), Tasks{2});
        bench.reopen({0});
        bench.park(2);
        bench.scheduler.withdrawn(workerA, Keys{key(2)}, Keys{key(2)});
        bench.reopen({1});
        bench.unpark(2);
        QCOMPARE(bench.hand(), (Tasks{0, 1}));
        bench.end(0, first, 2);
        QVERIFY(bench.hand().empty()); // 1 runs yet
        bench.end(1, Outcome::Succeeded, 2);
        if (first == Outcome::Succeeded)
            QCOMPARE(bench.hand(), Tasks{2});
        else
            QCOMPARE(bench.skipped(), (Skips{{2, 0}}));
    }
}

void TestSchedulerReopening::reopenedSkippedTaskWithoutItsCause()
{
    Bench bench;
    bench.list.add().add({}, {0}).add({}, {1});
    bench.begin();
    bench.hand();
    bench.end(0, Outcome::Failed);
    bench.skipped();
    bench.reopen({1, 2});
    QCOMPARE(bench.skipped(), (Skips{{1, 0}, {2, 1}}));
    QVERIFY(bench.scheduler.complete());
    QVERIFY(bench.hand().empty());
}

void TestSchedulerReopening::reopenedDependentOfADoneTask()
{
    Bench bench;
    bench.list.add().add({}, {0});
    bench.begin();
    bench.hand();
    bench.end(0);
    bench.hand();
    bench.end(1);
    bench.reopen({1});
    QCOMPARE(bench.hand(), Tasks{1});
    bench.end(1, Outcome::Failed, 2);
    QVERIFY(bench.scheduler.complete());
    bench.reopen({0, 1}); // together: 1 waits
    QCOMPARE(bench.hand(), Tasks{0});
    bench.end(0, Outcome::Succeeded, 2);
    QCOMPARE(handedTo(bench.scheduler.assignments(start), workerA), Keys{key(1, 3)});
}

void TestSchedulerReopening::reopenedTwice()
{
    Bench bench;
    bench.list.add().add({}, {0}).add({}, {0});
    bench.begin();
    bench.park(1);
    for (std::uint32_t attempt = 1; attempt <= 5; ++attempt) {
        QCOMPARE(handedTo(bench.scheduler.assignments(start), workerA), Keys{key(0, attempt)});
        bench.end(0, Outcome::Succeeded, attempt);
        bench.reopen({0}); // 2 had been ready
    }
    bench.unpark(1);
    bench.hand();
    bench.end(0, Outcome::Succeeded, 6);
    QCOMPARE(bench.hand(), (Tasks{1, 2}));
    bench.end(1);
    bench.end(2);
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerReopening::reopenedEarlierStageHoldsLaterOnesBack()
{
    Bench bench(1);
    bench.list.add().add({.stage = 1}).add({.stage = 1}).add({.stage = 2});
    bench.begin();
    bench.hand();
    bench.end(0);
    const Tasks handed = bench.hand(); // stage 1 has begun
    QVERIFY(!handed.empty() && handed[0] == 1);
    bench.reopen({0});
    bench.end(1);
    QCOMPARE(bench.hand(), Tasks{0}); // before the rest of stage 1, as its place in the list says
    bench.end(0, Outcome::Failed, 2);
    QCOMPARE(bench.hand(), Tasks{2});
    bench.reopen({1});
    bench.end(2);
    QCOMPARE(bench.hand(), Tasks{1});
    bench.reopen({0});
    bench.end(1, Outcome::Succeeded, 2);
    QCOMPARE(bench.hand(), Tasks{0}); // of stage 0: 3 of stage 2 waits for it
    QVERIFY(bench.hand().empty());
    bench.end(0, Outcome::Succeeded, 3);
    QCOMPARE(bench.hand(), Tasks{3});
    bench.end(3);
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerReopening::addedToThePresentStage()
{
    Bench bench(2);
    bench.list.addMany(2);
    bench.begin();
    bench.hand();
    bench.extend({.position = 2});
    bench.end(0);
    QCOMPARE(bench.hand(), Tasks{2});
    bench.end(1);
    QVERIFY(!bench.scheduler.complete());
    bench.end(2);
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerReopening::addedBehindABarrier()
{
    Bench bench(4);
    bench.list.add();
    bench.begin();
    bench.hand();
    bench.extend({.stage = 2, .position = 1}); // stage 1 has no tasks
    bench.extend({.stage = 3, .position = 2});
    QVERIFY(bench.hand().empty());
    bench.end(0);
    QCOMPARE(bench.hand(), Tasks{1});
    bench.end(1);
    QCOMPARE(bench.hand(), Tasks{2});
}

void TestSchedulerReopening::addedToAnEarlierStage()
{
    Bench bench(1);
    bench.list.add().add({.stage = 1}).add({.stage = 2});
    bench.begin();
    bench.hand();
    bench.end(0);
    QCOMPARE(bench.hand(), Tasks{1});
    bench.extend({.stage = 0, .position = 3});
    bench.end(1);
    QCOMPARE(bench.hand(), Tasks{3}); // stage 2 waits for it
    QVERIFY(bench.hand().empty());
    bench.end(3);
    QCOMPARE(bench.hand(), Tasks{2});
}

void TestSchedulerReopening::addedWhenAllIsDone()
{
    Bench bench(4);
    bench.list.add().add({.stage = 1});
    bench.begin();
    for (const std::uint32_t task : {0U, 1U}) {
        bench.hand();
        bench.end(task);
    }
    QVERIFY(bench.scheduler.complete());
    bench.extend({.stage = 1, .position = 2});
    QVERIFY(!bench.scheduler.complete());
    QCOMPARE(bench.hand(), Tasks{2});
    bench.end(2);
    bench.extend({.stage = 2, .position = 3});
    QCOMPARE(bench.hand(), Tasks{3});
    bench.end(3);
    QVERIFY(bench.scheduler.complete());

    Bench empty;
    empty.begin(); // a run that begins without tasks
    QVERIFY(empty.scheduler.complete());
    empty.extend({.stage = 1});
    QCOMPARE(empty.hand(), Tasks{0});
}

void TestSchedulerReopening::addedAfterFailedAndSucceededOnes()
{
    Bench bench(4);
    bench.list.addMany(3);
    bench.begin();
    bench.park(2);
    bench.hand();
    bench.end(0);
    bench.end(1, Outcome::Failed);
    bench.extend({}, {0});
    bench.extend({}, {0, 1});
    bench.extend({}, {0, 2});
    bench.extend({}, {4});
    QCOMPARE(bench.skipped(), (Skips{{4, 1}, {6, 4}}));
    QCOMPARE(bench.hand(), Tasks{3});
    bench.unpark(2);
    bench.hand();
    bench.end(2);
    QCOMPARE(bench.hand(), Tasks{5});
    bench.end(3);
    bench.end(5);
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerReopening::addedAfterEachOther()
{
    Bench bench(4);
    bench.list.add();
    bench.begin();
    bench.hand();
    const Prerequisites last{TaskId(3)};
    const Prerequisites both{TaskId(0), TaskId(1)};
    std::vector<SchedulableTask> added(3);
    added[0].after = last.groups(); // may come later in the call
    added[1].after = both.groups();
    added[2].stage = 0;
    for (std::uint32_t i = 0; i < 3; ++i)
        added[i].position = 1 + i;
    bench.scheduler.extend(added);
    QCOMPARE(bench.hand(), Tasks{3});
    bench.end(3);
    QCOMPARE(bench.hand(), Tasks{1});
    bench.end(0);
    QVERIFY(bench.hand().empty());
    bench.end(1);
    QCOMPARE(bench.hand(), Tasks{2});
}

QTEST_APPLESS_MAIN(TestSchedulerReopening)

} // namespace tst_schedulerreopening

#include "tst_schedulerreopening.moc"

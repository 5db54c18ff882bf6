// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "editbench.h"

#include <random>
#include <set>

namespace tst_scheduleredits {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = EditBench;

} // namespace

/// Parking, withdrawal and cancelling: rows of the state table in docs/farm.md.
class TestSchedulerEdits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void parkedWhileReady();
    void parkedWhileBlockedKeepsWaiting();
    void parkedWhileItsStageHasNotBegun();
    void parkedWhileWaitingForItsBackoff();
    void staleBackoffsWakeNothing();
    void parkingTwiceAndAfterTheEnd();
    void heldInTheRecordIsParkedFromTheBeginning();
    void parkedTasksKeepTheRunOpen();
    void parkedTasksHoldTheNextStageBack();
    void parkedIsSkippedWithItsPrerequisite();
    void withdrawnAndGivenBack();
    void withdrawnTooLate();
    void withdrawnButEnded();
    void withdrawnInVainIsForgotten();
    void recallCrossesWithdrawal();
    void withdrawalTakenBack();
    void workerLostDuringWithdrawal();
    void cancelSkipsWhatComesAfter();
    void cancelOfAChainSkipsNoneOfThem();
    void cancelOpensTheNextStage();
    void cancelOfTheLastCompletes();
    void condemnedIsNotTriedAgain_data();
    void condemnedIsNotTriedAgain();
    void condemnedOnALostWorker();
    void budgetsCanChange();
    void holderIsKnown();
    void parkedAndReleasedManyTimes();
    void randomParkingLosesAndDoublesNothing();
};

void TestSchedulerEdits::parkedWhileReady()
{
    Bench bench;
    bench.list.addMany(3);
    bench.begin();
    QCOMPARE(bench.park(1), Parking::Parked);
    QVERIFY(bench.parked(1));
    QCOMPARE(bench.hand(), (Tasks{0, 2}));
    QVERIFY(bench.hand().empty());
    bench.unpark(1);
    QVERIFY(!bench.parked(1));
    QCOMPARE(bench.hand(), Tasks{1});
}

void TestSchedulerEdits::parkedWhileBlockedKeepsWaiting()
{
    Bench bench;
    bench.list.add().add({}, {0}).add({}, {0});
    bench.begin();
    QCOMPARE(bench.park(1), Parking::Parked);
    QCOMPARE(bench.park(2), Parking::Parked);
    bench.unpark(1); // still waits for 0
    QCOMPARE(bench.hand(), Tasks{0});
    bench.end(0);
    QCOMPARE(bench.hand(), Tasks{1});
    bench.unpark(2); // 0 has succeeded while it was parked
    QCOMPARE(bench.hand(), Tasks{2});
}

void TestSchedulerEdits::parkedWhileItsStageHasNotBegun()
{
    Bench bench;
    bench.list.add().add({.stage = 1}).add({.stage = 1});
    bench.begin();
    QCOMPARE(bench.park(1), Parking::Parked);
    QCOMPARE(bench.park(2), Parking::Parked);
    bench.unpark(1);
    QCOMPARE(bench.hand(), Tasks{0});
    bench.end(0);
    QCOMPARE(bench.hand(), Tasks{1});
    bench.unpark(2);
    QCOMPARE(bench.hand(), Tasks{2});
}

void TestSchedulerEdits::parkedWhileWaitingForItsBackoff()
{
    Bench bench(8, {.firstBackoff = 100ms});
    bench.list.add({.budget = {.allowed = {3, 0, 0, 0}}});
    bench.begin();
    QCOMPARE(bench.hand(), Tasks{0});
    bench.end(0, Outcome::Failed);
    QCOMPARE(bench.park(0), Parking::Parked);
    QVERIFY(bench.hand(start + 1s).empty());
    bench.unpark(0);
    QCOMPARE(handedTo(bench.scheduler.assignments(start + 1s), workerA), Keys{key(0, 2)});
}

void TestSchedulerEdits::staleBackoffsWakeNothing()
{
    Bench bench(8, {.firstBackoff = 100ms});
    bench.list.add({.budget = {.allowed = {3, 0, 0, 0}}});
    bench.begin();
    bench.hand();
    bench.end(0, Outcome::Failed); // until 100 ms
    bench.park(0);
    bench.unpark(0);
    QCOMPARE(bench.hand(start + 10ms), Tasks{0});
    bench.end(0, Outcome::Failed, 2, start + 10ms); // until 210 ms
    QVERIFY(bench.hand(start + 150ms).empty());
    QCOMPARE(bench.hand(start + 210ms), Tasks{0});
}

void TestSchedulerEdits::parkingTwiceAndAfterTheEnd()
{
    Bench bench;
    bench.list.addMany(2);
    bench.begin();
    QCOMPARE(bench.park(0), Parking::Parked);
    QCOMPARE(bench.park(0), Parking::Parked);
    bench.unpark(0);
    bench.unpark(0);
    QCOMPARE(bench.hand(), (Tasks{0, 1}));
    QCOMPARE(bench.park(0), Parking::Awaited);
    bench.scheduler.attemptStarted(workerA, key(1));
    QCOMPARE(bench.park(1), Parking::Running);
    bench.end(1);
    QCOMPARE(bench.park(1), Parking::Done);
    QVERIFY(!bench.parked(1));
    bench.unpark(1);
    QVERIFY(bench.hand().empty());
}

void TestSchedulerEdits::heldInTheRecordIsParkedFromTheBeginning()
{
    Bench bench;
    bench.list.add({.state = TaskState::Held})
        .add({.state = TaskState::Held}, {2})
        .add()
        .add({.state = TaskState::Cancelled})
        .add({}, {3});
    bench.begin();
    QVERIFY(bench.parked(0) && bench.parked(1));
    QCOMPARE(bench.skipped(), (Skips{{4, 3}}));
    QCOMPARE(bench.hand(), Tasks{2});
    bench.unpark(0);
    bench.unpark(1);
    QCOMPARE(bench.hand(), Tasks{0});
    bench.end(2);
    QCOMPARE(bench.hand(), Tasks{1});
}

void TestSchedulerEdits::parkedTasksKeepTheRunOpen()
{
    Bench bench;
    bench.list.addMany(2);
    bench.begin();
    bench.park(1);
    bench.hand();
    bench.end(0);
    QVERIFY(!bench.scheduler.complete());
    QVERIFY(bench.scheduler.recalls().empty());
    bench.unpark(1);
    bench.hand();
    bench.end(1);
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerEdits::parkedTasksHoldTheNextStageBack()
{
    Bench bench;
    bench.list.addMany(2).add({.stage = 1});
    bench.begin();
    bench.park(1);
    bench.hand();
    bench.end(0);
    QVERIFY(bench.hand().empty());
    bench.unpark(1);
    QCOMPARE(bench.hand(), Tasks{1});
    bench.end(1);
    QCOMPARE(bench.hand(), Tasks{2});
}

void TestSchedulerEdits::parkedIsSkippedWithItsPrerequisite()
{
    Bench bench;
    bench.list.add().add({}, {0}).add({}, {1});
    bench.begin();
    bench.park(1);
    bench.hand();
    bench.end(0, Outcome::Failed);
    QCOMPARE(bench.skipped(), (Skips{{1, 0}, {2, 1}}));
    QVERIFY(!bench.parked(1));
    QVERIFY(bench.scheduler.complete());
    bench.unpark(1);
    QVERIFY(bench.hand().empty());
    QCOMPARE(bench.park(1), Parking::Done);
}

void TestSchedulerEdits::withdrawnAndGivenBack()
{
    Bench bench;
    bench.list.addMany(2);
    bench.begin();
    bench.hand();
    QCOMPARE(bench.park(0), Parking::Awaited);
    QVERIFY(!bench.parked(0));
    QCOMPARE(bench.scheduler.outstanding(), std::size_t{2});
    bench.scheduler.withdrawn(workerA, Keys{key(0)}, Keys{key(0)});
    QVERIFY(bench.parked(0));
    QCOMPARE(bench.scheduler.outstanding(), std::size_t{1});
    QVERIFY(bench.hand().empty());
    bench.unpark(0);
    QCOMPARE(handedTo(bench.scheduler.assignments(start), workerA), Keys{key(0)}); // same number
}

void TestSchedulerEdits::withdrawnTooLate()
{
    Bench bench;
    bench.list.addMany(2);
    bench.begin();
    bench.hand();
    bench.park(0);
    bench.park(1);
    bench.scheduler.withdrawn(workerA, Keys{key(0), key(1)}, {});
    QVERIFY(!bench.parked(0));
    // The answer is over: what happens to it now parks nothing.
    bench.scheduler.returned(workerA, Keys{key(1)});
    QVERIFY(!bench.parked(1));
    QCOMPARE(bench.hand(), Tasks{1});
    QVERIFY(bench.scheduler.attemptStarted(workerA, key(0)));
    QCOMPARE(bench.end(0, Outcome::Interrupted)->disposition, Disposition::Requeue);
    QCOMPARE(bench.hand(), Tasks{0});
}

void TestSchedulerEdits::withdrawnButEnded()
{
    // The end stands in a report that comes before the answer.
    for (const Outcome outcome : {Outcome::Succeeded, Outcome::Failed, Outcome::Interrupted}) {
        Bench bench(1, {.firstBackoff = 0ms});
        bench.list.add({.budget = {.allowed = {1, 0, 0, 0}}});
        bench.begin();
        bench.hand();
        bench.park(0);
        QVERIFY(bench.end(0, outcome).has_value());
        bench.scheduler.withdrawn(workerA, Keys{key(0)}, {});
        QVERIFY(!bench.parked(0));
        // Its next attempt is not concerned.
        QCOMPARE(bench.hand(start + 1s), outcome == Outcome::Succeeded ? Tasks{} : Tasks{0});
        bench.scheduler.withdrawn(workerA, Keys{key(0)}, Keys{key(0)});
        QVERIFY(!bench.parked(0));
        QCOMPARE(bench.scheduler.complete(), outcome == Outcome::Succeeded);
    }
}

void TestSchedulerEdits::withdrawnInVainIsForgotten()
{
    Bench bench;
    bench.list.add();
    bench.begin();
    bench.hand();
    bench.park(0);
    QVERIFY(bench.scheduler.attemptStarted(workerA, key(0)));
    for (const Scheduler::Held& held : bench.scheduler.groupLost(workerA)) {
        QVERIFY(held.started);
        bench.end(0, Outcome::Interrupted);
    }
    QVERIFY(!bench.parked(0));
    bench.scheduler.groupJoined(workerB, 1);
    QCOMPARE(bench.hand(), Tasks{0});
}

void TestSchedulerEdits::recallCrossesWithdrawal()
{
    for (const bool recallFirst : {true, false}) {
        Bench bench(1);
        bench.list.addMany(4);
        bench.begin();
        bench.hand();
        bench.scheduler.groupJoined(workerB, 1);
        bench.hand();
        QCOMPARE(bench.park(1), Parking::Awaited);
        if (recallFirst) { // the worker gives it back by the recall and has it no more afterwards
            bench.scheduler.returned(workerA, Keys{key(1)});
            QVERIFY(bench.parked(1));
            bench.scheduler.withdrawn(workerA, Keys{key(1)}, {});
        } else {
            bench.scheduler.withdrawn(workerA, Keys{key(1)}, Keys{key(1)});
            bench.scheduler.returned(workerA, {});
        }
        QVERIFY(bench.parked(1));
        const Tasks handed = bench.hand();
        QVERIFY(!std::ranges::count(handed, 1U));
        bench.scheduler.withdrawn(workerA, Keys{key(1)}, Keys{key(1)}); // a second answer
        QVERIFY(bench.parked(1));
        const std::size_t held = bench.scheduler.outstanding();
        bench.unpark(1);
        QVERIFY(bench.scheduler.outstanding() == held);
    }
}

void TestSchedulerEdits::withdrawalTakenBack()
{
    Bench bench;
    bench.list.add();
    bench.begin();
    bench.hand();
    bench.park(0);
    bench.unpark(0);
    bench.scheduler.withdrawn(workerA, Keys{key(0)}, Keys{key(0)});
    QVERIFY(!bench.parked(0));
    QCOMPARE(bench.hand(), Tasks{0});
}

void TestSchedulerEdits::workerLostDuringWithdrawal()
{
    Bench bench;
    bench.list.addMany(3);
    bench.begin();
    bench.hand();
    bench.scheduler.attemptStarted(workerA, key(2));
    QCOMPARE(bench.park(0), Parking::Awaited);
    QCOMPARE(bench.park(2), Parking::Running);
    QCOMPARE(bench.scheduler.groupLost(workerA).size(), std::size_t{3});
    QVERIFY(bench.parked(0));
    QVERIFY(!bench.parked(1));
    QVERIFY(bench.end(2, Outcome::Lost).has_value());
    bench.scheduler.withdrawn(workerA, Keys{key(0)}, Keys{key(0)}); // from beyond
    QVERIFY(bench.parked(0));
    bench.scheduler.groupJoined(workerB, 4);
    QCOMPARE(bench.hand(start + 1s), (Tasks{1, 2}));
    bench.unpark(0);
    QCOMPARE(bench.hand(start + 1s), Tasks{0});
}

void TestSchedulerEdits::cancelSkipsWhatComesAfter()
{
    Bench bench;
    bench.list.add().add({}, {0}).add({}, {1}).add();
    bench.begin();
    bench.park(0);
    bench.cancel({0});
    QCOMPARE(bench.skipped(), (Skips{{1, 0}, {2, 1}}));
    QCOMPARE(bench.hand(), Tasks{3});
    QCOMPARE(bench.park(0), Parking::Done);
    bench.end(3);
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerEdits::cancelOfAChainSkipsNoneOfThem()
{
    Bench bench;
    bench.list.add().add({}, {0}).add({}, {1}).add({}, {2});
    bench.begin();
    for (const std::uint32_t task : {0U, 1U, 2U})
        QCOMPARE(bench.park(task), Parking::Parked);
    bench.cancel({0, 1, 2});
    QCOMPARE(bench.skipped(), (Skips{{3, 2}}));
    QVERIFY(bench.scheduler.complete());
}

void TestSchedulerEdits::cancelOpensTheNextStage()
{
    Bench bench;
    bench.list.add().add().add({.stage = 1});
    bench.begin();
    bench.park(0);
    bench.park(1);
    bench.cancel({0});
    QVERIFY(bench.hand().empty());
    bench.cancel({1});
    QCOMPARE(bench.hand(), Tasks{2});
}

void TestSchedulerEdits::cancelOfTheLastCompletes()
{
    Bench bench;
    bench.list.addMany(2).add({.stage = 3});
    bench.begin();
    for (const std::uint32_t task : {0U, 1U, 2U})
        bench.park(task);
    bench.cancel({0, 1, 2});
    QVERIFY(bench.scheduler.complete());
    QVERIFY(bench.hand().empty());
    QVERIFY(bench.skipped().empty());
}

void TestSchedulerEdits::condemnedIsNotTriedAgain_data()
{
    QTest::addColumn<int>("outcome");
    for (const Outcome outcome :
         {Outcome::Succeeded, Outcome::Failed, Outcome::Signalled, Outcome::TimedOut,
          Outcome::Cancelled, Outcome::Interrupted, Outcome::Lost, Outcome::NotStarted})
        QTest::newRow(std::string(outcomeName(outcome)).c_str()) << static_cast<int>(outcome);
}

/// Its end may have been on its way when it was to be killed.
void TestSchedulerEdits::condemnedIsNotTriedAgain()
{
    QFETCH(int, outcome);
    const auto ended = static_cast<Outcome>(outcome);
    for (const bool startKnown : {true, false}) {
        Bench bench(1, {.firstBackoff = 0ms});
        bench.list.add({.budget = {.allowed = {9, 9, 9, 9}}}).add({}, {0});
        bench.begin();
        bench.hand();
        if (startKnown)
            bench.scheduler.attemptStarted(workerA, key(0));
        bench.scheduler.condemn(TaskId(0));
        const auto verdict = bench.end(0, ended);
        QVERIFY(verdict.has_value());
        QCOMPARE(verdict->disposition, Disposition::Final);
        const bool succeeded = ended == Outcome::Succeeded;
        QCOMPARE(bench.skipped(), succeeded ? Skips{} : (Skips{{1, 0}}));
        QCOMPARE(bench.hand(start + 1s), succeeded ? Tasks{1} : Tasks{});
        bench.reopen({0}); // a new life: it may fail again
        QCOMPARE(bench.hand(start + 1s), succeeded ? Tasks{} : Tasks{0});
        if (!succeeded)
            QCOMPARE(bench.end(0, Outcome::Failed, 2)->disposition, Disposition::Retry);
    }
}

void TestSchedulerEdits::condemnedOnALostWorker()
{
    Bench bench;
    bench.list.add({.budget = {.allowed = {9, 9, 9, 9}}}).add();
    bench.begin();
    bench.hand();
    bench.scheduler.condemn(TaskId(0)); // the worker did not give it back: it runs
    const auto held = bench.scheduler.groupLost(workerA);
    QCOMPARE(held.size(), std::size_t{2});
    QVERIFY(held[0].started && held[0].key == key(0));
    QVERIFY(!held[1].started);
    QCOMPARE(bench.end(0, Outcome::Lost)->disposition, Disposition::Final);
    bench.scheduler.groupJoined(workerB, 4);
    QCOMPARE(bench.hand(start + 1s), Tasks{1});
}

void TestSchedulerEdits::budgetsCanChange()
{
    Bench bench(1, {.firstBackoff = 0ms});
    bench.list.add();
    bench.begin();
    bench.park(0);
    bench.scheduler.setBudget(TaskId(0), {.allowed = {1, 0, 0, 0}});
    bench.unpark(0);
    bench.hand();
    QCOMPARE(bench.end(0, Outcome::Failed)->disposition, Disposition::Retry);
    bench.hand(start + 1s);
    QCOMPARE(bench.end(0, Outcome::Failed, 2)->disposition, Disposition::Final);
}

void TestSchedulerEdits::holderIsKnown()
{
    Bench bench;
    bench.list.addMany(2);
    QVERIFY(!bench.scheduler.held(TaskId(0)));
    bench.begin();
    QVERIFY(!bench.scheduler.held(TaskId(0)));
    bench.hand();
    QVERIFY(bench.scheduler.held(TaskId(0)) == std::pair(workerA, key(0)));
    bench.scheduler.attemptStarted(workerA, key(0));
    QVERIFY(bench.scheduler.held(TaskId(0)) == std::pair(workerA, key(0)));
    bench.end(0);
    QVERIFY(!bench.scheduler.held(TaskId(0)));
    QVERIFY(!bench.scheduler.held(TaskId(2))); // not known
}

/// The ready queue forgets parked tasks late: they must neither double nor hide others.
void TestSchedulerEdits::parkedAndReleasedManyTimes()
{
    Bench bench(1);
    bench.list.addMany(3);
    bench.begin();
    for (int round = 0; round < 100; ++round) {
        bench.park(0);
        bench.park(2);
        if (round % 3 == 0)
            bench.park(0);
        bench.unpark(2);
        bench.unpark(0);
    }
    Tasks order;
    for (int round = 0; round < 5; ++round) {
        const auto keys = handedTo(bench.scheduler.assignments(start), workerA);
        for (const AttemptKey& handed : keys) {
            order.push_back(handed.task.value());
            // Handed out and given back, several times over.
            for (int again = 0; again < 3; ++again) {
                bench.scheduler.returned(workerA, Keys{handed});
                bench.park(handed.task.value());
                bench.unpark(handed.task.value());
                QCOMPARE(bench.scheduler.outstanding(), keys.size() - 1);
                QVERIFY(std::ranges::count(bench.hand(), handed.task.value()) == 1);
            }
        }
        for (const AttemptKey& handed : keys)
            QVERIFY(bench.end(handed.task.value()).has_value());
    }
    std::ranges::sort(order);
    QCOMPARE(order, (Tasks{0, 1, 2}));
    QVERIFY(bench.scheduler.complete());
    QCOMPARE(bench.scheduler.outstanding(), std::size_t{0});
}

void TestSchedulerEdits::randomParkingLosesAndDoublesNothing()
{
    std::mt19937 random(77);
    Bench bench(2);
    constexpr std::uint32_t count = 40;
    bench.list.addMany(count);
    bench.begin();
    std::set<std::uint32_t> atWorker;
    std::set<std::uint32_t> done;
    for (int step = 0; step < 20'000; ++step) {
        const std::uint32_t task = static_cast<std::uint32_t>(random() % count);
        switch (random() % 5) {
        case 0: bench.park(task); break;
        case 1: bench.unpark(task); break;
        case 2:
            for (const std::uint32_t handed : bench.hand()) {
                QVERIFY(!done.contains(handed) && !bench.parked(handed));
                QVERIFY(atWorker.insert(handed).second);
            }
            break;
        case 3:
            if (atWorker.erase(task) == 1) {
                bench.scheduler.withdrawn(workerA, Keys{key(task)}, Keys{key(task)});
                QVERIFY(!bench.scheduler.held(TaskId(task)));
            }
            break;
        default:
            if (random() % 100 == 0 && atWorker.erase(task) == 1) {
                QVERIFY(bench.end(task).has_value());
                done.insert(task);
            }
        }
        QCOMPARE(bench.scheduler.outstanding(), atWorker.size());
    }
    QVERIFY(!done.empty() && done.size() < count);
    for (std::uint32_t task = 0; task < count; ++task)
        bench.unpark(task);
    while (!bench.scheduler.complete()) {
        for (const std::uint32_t handed : bench.hand())
            QVERIFY(atWorker.insert(handed).second && !done.contains(handed));
        QVERIFY(!atWorker.empty()); // else a task was lost
        const std::uint32_t task = *atWorker.begin();
        atWorker.erase(task);
        QVERIFY(bench.end(task).has_value());
        done.insert(task);
    }
    QCOMPARE(done.size(), std::size_t{count});
}

QTEST_APPLESS_MAIN(TestSchedulerEdits)

} // namespace tst_scheduleredits

#include "tst_scheduleredits.moc"

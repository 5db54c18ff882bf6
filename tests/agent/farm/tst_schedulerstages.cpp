// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "schedulertesting.h"

namespace tst_schedulerstages {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const GroupId workerA(1);
const SteadyTime start = at(0ms);

using Tasks = std::vector<std::uint32_t>;

} // namespace

/// Stages, prerequisites across them, and what a resumed list begins with.
class TestSchedulerStages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void stagesWaitForEverythingBefore();
    void emptyStagesArePassed();
    void failuresOpenTheNextStageToo();
    void prerequisiteMayComeLaterInTheList();
    void prerequisitesReachAcrossStages();
    void manyComeAfterMany();
    void manyAreSkippedAfterManyFailures();
    void resumedStatesAreRespected();
    void resumedFailureSkipsAtBegin();
    void resumedCountsGoOn();
};

void TestSchedulerStages::stagesWaitForEverythingBefore()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add().add().add({.stage = 1}).add({.stage = 2}).add({.stage = 1});
    scheduler.begin();
    scheduler.groupJoined(workerA, 8);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{0, 1}));
    attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start);
    QVERIFY(scheduler.assignments(start).empty());
    attemptFinished(scheduler, workerA, key(1), Outcome::Succeeded, 1ms, start);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{2, 4}));
    attemptFinished(scheduler, workerA, key(4), Outcome::Succeeded, 1ms, start);
    attemptFinished(scheduler, workerA, key(2), Outcome::Succeeded, 1ms, start);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{3});
}

void TestSchedulerStages::emptyStagesArePassed()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({.stage = 3}).add({.stage = 6}); // barriers in a row
    scheduler.begin();
    scheduler.groupJoined(workerA, 8);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{0});
    attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{1});
}

void TestSchedulerStages::failuresOpenTheNextStageToo()
{
    Scheduler scheduler;
    // 1 is skipped with 0; that ends stage 0 as well. 3 is skipped out of its stage before it begins.
    ListBuilder(scheduler).add().add({}, {0}).add({.stage = 1}).add({.stage = 1}, {1});
    scheduler.begin();
    scheduler.groupJoined(workerA, 8);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{0});
    attemptFinished(scheduler, workerA, key(0), Outcome::TimedOut, 1ms, start);
    QCOMPARE(scheduler.takeSkipped().size(), std::size_t{2});
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{2});
    attemptFinished(scheduler, workerA, key(2), Outcome::Succeeded, 1ms, start);
    QVERIFY(scheduler.complete());
}

void TestSchedulerStages::prerequisiteMayComeLaterInTheList()
{
    Scheduler scheduler;
    ListBuilder(scheduler).add({}, {2}).add({}, {0}).add();
    scheduler.begin();
    scheduler.groupJoined(workerA, 8);
    for (const std::uint32_t expected : {2U, 0U, 1U}) {
        QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{expected});
        attemptFinished(scheduler, workerA, key(expected), Outcome::Succeeded, 1ms, start);
    }
    QVERIFY(scheduler.complete());
}

void TestSchedulerStages::prerequisitesReachAcrossStages()
{
    Scheduler scheduler;
    // 2 waits for 0 of an earlier stage, 3 for 2 of its own, 4 of a later stage for 3.
    ListBuilder(scheduler)
        .add()
        .add()
        .add({.stage = 1}, {0})
        .add({.stage = 1}, {2})
        .add({.stage = 2}, {3, 0});
    scheduler.begin();
    scheduler.groupJoined(workerA, 8);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{0, 1}));
    attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start);
    QVERIFY(scheduler.assignments(start).empty()); // 2 is unblocked, its stage has not begun
    attemptFinished(scheduler, workerA, key(1), Outcome::Failed, 1ms, start);
    for (const std::uint32_t expected : {2U, 3U, 4U}) {
        QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{expected});
        attemptFinished(scheduler, workerA, key(expected), Outcome::Succeeded, 1ms, start);
    }
    QVERIFY(scheduler.complete());
    QVERIFY(scheduler.takeSkipped().empty());
}

/// Would not end if every pair of tasks took time.
void TestSchedulerStages::manyComeAfterMany()
{
    constexpr std::uint32_t count = 100'000;
    Scheduler scheduler;
    TaskGroup ids;
    for (std::uint32_t i = 0; i < count; ++i) {
        scheduler.add({.position = i});
        ids.emplace_back(i);
    }
    const std::vector<SharedGroup> after{std::make_shared<const TaskGroup>(std::move(ids))};
    for (std::uint32_t i = 0; i < count; ++i)
        scheduler.add({.position = count + i, .after = after});
    scheduler.begin();
    scheduler.groupJoined(workerA, 2 * count);
    QCOMPARE(tasksOf(scheduler.assignments(start)).back(), count - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        QVERIFY(scheduler.assignments(start).empty());
        attemptFinished(scheduler, workerA, key(i), Outcome::Succeeded, 1ms, start);
    }
    QCOMPARE(tasksOf(scheduler.assignments(start)).size(), std::size_t(count));
}

void TestSchedulerStages::manyAreSkippedAfterManyFailures()
{
    constexpr std::uint32_t count = 100'000;
    Scheduler scheduler;
    TaskGroup ids;
    for (std::uint32_t i = 0; i < count; ++i) {
        scheduler.add({.position = i});
        ids.emplace_back(i);
    }
    const std::vector<SharedGroup> after{std::make_shared<const TaskGroup>(std::move(ids))};
    for (std::uint32_t i = 0; i < count; ++i)
        scheduler.add({.position = count + i, .after = after});
    scheduler.begin();
    scheduler.groupJoined(workerA, count);
    scheduler.assignments(start);
    for (std::uint32_t i = 0; i < count; ++i)
        attemptFinished(scheduler, workerA, key(count - 1 - i), Outcome::Failed, 1ms, start);
    const std::vector<SkippedTask> skipped = scheduler.takeSkipped();
    QCOMPARE(skipped.size(), std::size_t(count));
    QCOMPARE(skipped.back().because, TaskId(count - 1));
    QVERIFY(scheduler.complete());

    // Done again together, and one that nobody repeats is to blame once more.
    std::vector<TaskId> reopened;
    for (std::uint32_t i = 1; i < 2 * count; ++i)
        reopened.emplace_back(i);
    scheduler.reopen(reopened);
    const std::vector<SkippedTask> again = scheduler.takeSkipped();
    QCOMPARE(again.size(), std::size_t(count));
    QCOMPARE(again.front().because, TaskId(0));
}

void TestSchedulerStages::resumedStatesAreRespected()
{
    Scheduler scheduler;
    ListBuilder(scheduler)
        .add({.state = TaskState::Succeeded})
        .add({.state = TaskState::Failed})
        .add({.state = TaskState::Skipped})
        .add({.state = TaskState::Removed})
        .add({.state = TaskState::Queued})
        .add({.attempts = 1}) // was cut off
        .add({}, {0})         // its prerequisite is done already
        .add({.stage = 1, .state = TaskState::Succeeded})
        .add({.stage = 1}, {7});
    scheduler.begin();
    scheduler.groupJoined(workerA, 16);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{4, 5, 6}));
    for (const AttemptKey& done : {key(4), key(5, 2), key(6)})
        attemptFinished(scheduler, workerA, done, Outcome::Succeeded, 1ms, start);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{8});
    attemptFinished(scheduler, workerA, key(8), Outcome::Succeeded, 1ms, start);
    QVERIFY(scheduler.complete());
    QVERIFY(scheduler.takeSkipped().empty());
}

void TestSchedulerStages::resumedFailureSkipsAtBegin()
{
    Scheduler scheduler;
    ListBuilder(scheduler)
        .add({}, {3})
        .add({.stage = 1}, {0})
        .add({.stage = 2})
        .add({.state = TaskState::Failed});
    scheduler.begin();
    QCOMPARE(scheduler.takeSkipped().size(), std::size_t{2});
    scheduler.groupJoined(workerA, 16);
    QCOMPARE(tasksOf(scheduler.assignments(start)), Tasks{2});
}

void TestSchedulerStages::resumedCountsGoOn()
{
    Scheduler scheduler({.firstBackoff = 100ms});
    ListBuilder(scheduler).add(
        {.budget = {.allowed = {3, 0, 0, 0}}, .retriesUsed = {2, 0, 0, 0}, .attempts = 7});
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    QCOMPARE(handedTo(scheduler.assignments(start), workerA), std::vector{key(0, 8)});
    auto verdict = attemptFinished(scheduler, workerA, key(0, 8), Outcome::Failed, 1ms, start);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdict->disposition, Disposition::Retry);
    QVERIFY(scheduler.assignments(start + 400ms - 1ns).empty());
    QCOMPARE(handedTo(scheduler.assignments(start + 400ms), workerA), std::vector{key(0, 9)});
    verdict = attemptFinished(scheduler, workerA, key(0, 9), Outcome::Failed, 1ms, start);
    QVERIFY(verdict.has_value());
    QCOMPARE(verdict->disposition, Disposition::Final);
}

QTEST_APPLESS_MAIN(TestSchedulerStages)

} // namespace tst_schedulerstages

#include "tst_schedulerstages.moc"

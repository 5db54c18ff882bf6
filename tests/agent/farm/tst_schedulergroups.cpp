// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "schedulertesting.h"

#include <vector>

namespace tst_schedulergroups {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const GroupId groupA(4);
const GroupId groupB(8);
const SteadyTime noon = at(0s);
using HandedKeys = std::vector<AttemptKey>;

} // namespace

/// Worker groups whose slots come and go, and who cannot always be spoken to.
class TestSchedulerGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slotsMayChange();
    void withoutSlotsAllIsCalledBack();
    void unreachableGroupKeepsWhatItHolds();
    void recallOfAGroupThatWentAwayIsForgotten();
    void handedBackWithoutARecall();
    void heldByTellsWhatIsStartedAndCondemned();
    void outstandingIsCountedByGroup();
    void whatIsFoundAtAGroupIsItsOwn();
    void whatRunsIsNotSkipped();
    void nothingFollowsFromAnEndThatIsNotRecorded();
};

void TestSchedulerGroups::slotsMayChange()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(6);
    scheduler.begin();
    scheduler.groupJoined(groupA, 0);
    QVERIFY(scheduler.assignments(noon).empty());
    scheduler.setSlots(groupA, 2);
    QCOMPARE(scheduler.slotCount(), std::size_t{2});
    QCOMPARE(handedTo(scheduler.assignments(noon), groupA).size(), std::size_t{4}); // two ahead
    scheduler.setSlots(groupA, 5);
    QCOMPARE(handedTo(scheduler.assignments(noon), groupA).size(), std::size_t{1});
    scheduler.setSlots(groupA, 1);
    QVERIFY(scheduler.assignments(noon).empty()); // it keeps what it has
    QCOMPARE(scheduler.slotCount(), std::size_t{1});
    scheduler.groupLost(groupA);
    QCOMPARE(scheduler.slotCount(), std::size_t{0});
}

void TestSchedulerGroups::withoutSlotsAllIsCalledBack()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2);
    scheduler.begin();
    scheduler.groupJoined(groupA, 2);
    scheduler.assignments(noon);
    QVERIFY(scheduler.recalls().empty());
    scheduler.setSlots(groupA, 0);
    const auto orders = scheduler.recalls();
    QCOMPARE(orders.size(), std::size_t{1});
    QCOMPARE(orders.front().count, 2U);
    scheduler.returned(groupA, HandedKeys{key(1)});
    QCOMPARE(scheduler.recalls().size(), std::size_t{1}); // perhaps there is more
    scheduler.returned(groupA, {});
    QVERIFY(scheduler.recalls().empty());
    scheduler.groupJoined(groupB, 1);
    QCOMPARE(handedTo(scheduler.assignments(noon), groupB), HandedKeys{key(1)});
}

void TestSchedulerGroups::unreachableGroupKeepsWhatItHolds()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(9);
    scheduler.begin();
    scheduler.groupJoined(groupA, 1);
    scheduler.groupJoined(groupB, 1);
    scheduler.assignments(noon);
    QCOMPARE(scheduler.outstanding(groupA), 2U);
    scheduler.setUnreachable(groupA, true);
    QVERIFY(attemptFinished(scheduler, groupA, key(0), Outcome::Succeeded, 1ms, noon));
    QVERIFY(handedTo(scheduler.assignments(noon), groupA).empty());
    scheduler.setSlots(groupA, 0);
    QVERIFY(scheduler.recalls().empty());
    for (const RecallOrder& order : scheduler.recallAll())
        QVERIFY(order.group != groupA);
    QCOMPARE(scheduler.outstanding(groupA), 1U);
    scheduler.setSlots(groupA, 1);
    scheduler.setUnreachable(groupA, false);
    QVERIFY(!handedTo(scheduler.assignments(noon), groupA).empty());
}

void TestSchedulerGroups::recallOfAGroupThatWentAwayIsForgotten()
{
    Scheduler scheduler({.feeding = {.maxPrefetch = 9}});
    ListBuilder(scheduler).addMany(5);
    scheduler.begin();
    scheduler.groupJoined(groupA, 2);
    scheduler.assignments(noon);
    while (scheduler.outstanding(groupA) < 5) {
        scheduler.setSlots(groupA, 5);
        scheduler.assignments(noon);
    }
    scheduler.setSlots(groupA, 1);
    scheduler.groupJoined(groupB, 1);
    QCOMPARE(scheduler.recalls().size(), std::size_t{1});
    QVERIFY(scheduler.recalls().empty()); // under way
    scheduler.setUnreachable(groupA, true);
    QVERIFY(scheduler.recalls().empty());
    scheduler.setUnreachable(groupA, false);
    QCOMPARE(scheduler.recalls().size(), std::size_t{1}); // nobody will answer the first one
}

void TestSchedulerGroups::handedBackWithoutARecall()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2);
    scheduler.begin();
    scheduler.groupJoined(groupA, 2);
    scheduler.assignments(noon);
    QVERIFY(scheduler.attemptStarted(groupA, key(0)));
    QVERIFY(!scheduler.handedBack(groupA, HandedKeys{key(0)})); // it runs
    QVERIFY(!scheduler.handedBack(groupB, HandedKeys{key(1)}));
    QVERIFY(scheduler.handedBack(groupA, HandedKeys{key(1), key(0)}));
    QCOMPARE(handedTo(scheduler.assignments(noon), groupA), HandedKeys{key(1)});
}

void TestSchedulerGroups::heldByTellsWhatIsStartedAndCondemned()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(4);
    scheduler.begin();
    scheduler.groupJoined(groupA, 3);
    scheduler.assignments(noon);
    scheduler.groupJoined(groupB, 1);
    scheduler.assignments(noon);
    scheduler.attemptStarted(groupA, key(0));
    scheduler.condemn(TaskId(2));
    const auto held = scheduler.heldBy(groupA);
    QCOMPARE(held.size(), std::size_t{3});
    QVERIFY(held[0].started && !held[0].condemned);
    QVERIFY(!held[1].started);
    QCOMPARE(held[2].key, key(2));
    QVERIFY(held[2].started && held[2].condemned); // its end must be recorded
    QCOMPARE(scheduler.heldBy(groupB).size(), std::size_t{1});
    QVERIFY(scheduler.heldBy(GroupId(99)).empty());
}

void TestSchedulerGroups::outstandingIsCountedByGroup()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(3);
    scheduler.begin();
    scheduler.groupJoined(groupA, 2);
    scheduler.groupJoined(groupB, 1);
    QVERIFY(scheduler.knows(groupA) && !scheduler.knows(GroupId(1)));
    scheduler.assignments(noon);
    QCOMPARE(scheduler.outstanding(groupA), 2U);
    QCOMPARE(scheduler.outstanding(groupB), 1U);
    QCOMPARE(scheduler.outstanding(GroupId(1)), 0U);
    attemptFinished(scheduler, groupA, key(0), Outcome::Succeeded, 1ms, noon);
    QCOMPARE(scheduler.outstanding(groupA), 1U);
}

void TestSchedulerGroups::whatIsFoundAtAGroupIsItsOwn()
{
    Scheduler scheduler;
    ListBuilder list(scheduler);
    list.add().add({.attempts = 1}).add({}, {0}).add({.state = TaskState::Held}).add();
    list.add({.state = TaskState::Succeeded});
    scheduler.begin();
    scheduler.groupJoined(groupA, 4);
    scheduler.groupJoined(groupB, 4);
    QVERIFY(scheduler.adopt(groupA, key(0), true));
    QVERIFY(!scheduler.adopt(groupB, key(0), false)); // somebody else's
    QVERIFY(!scheduler.adopt(groupA, key(1), false)); // its first attempt has ended
    QVERIFY(scheduler.adopt(groupA, key(1, 2), false));
    QVERIFY(scheduler.adopt(groupB, key(2), false)); // before what it comes after is done
    QVERIFY(!scheduler.adopt(groupB, key(3), false));
    QVERIFY(!scheduler.adopt(groupB, key(5), false));
    QVERIFY(!scheduler.adopt(groupB, key(6), false));
    QCOMPARE(scheduler.outstanding(), std::size_t{3});
    QCOMPARE(scheduler.outstanding(groupA), 2U);
    QCOMPARE(tasksOf(scheduler.assignments(noon)), std::vector<std::uint32_t>{4});
    QVERIFY(!scheduler.attemptStarted(groupA, key(0))); // it has
    QVERIFY(scheduler.attemptStarted(groupA, key(1, 2)));
    QVERIFY(attemptFinished(scheduler, groupA, key(0), Outcome::Succeeded, 1ms, noon));
    QVERIFY(attemptFinished(scheduler, groupB, key(2), Outcome::Succeeded, 1ms, noon));
    QVERIFY(scheduler.assignments(noon).empty());
}

/// By the record a task runs whose prerequisite was reopened and failed since: it may end.
void TestSchedulerGroups::whatRunsIsNotSkipped()
{
    Scheduler scheduler;
    ListBuilder list(scheduler);
    list.add({.state = TaskState::Failed}).add({.state = TaskState::Running}, {0}).add({}, {0});
    scheduler.begin();
    QCOMPARE(scheduler.takeSkipped().size(), std::size_t{1}); // the third
    scheduler.groupJoined(groupA, 1);
    QVERIFY(scheduler.adopt(groupA, key(1), true));
    QVERIFY(!scheduler.adopt(groupA, key(1), true));
    QVERIFY(attemptFinished(scheduler, groupA, key(1), Outcome::Succeeded, 1ms, noon));
    QVERIFY(scheduler.complete());
}

void TestSchedulerGroups::nothingFollowsFromAnEndThatIsNotRecorded()
{
    Scheduler scheduler;
    ListBuilder list(scheduler);
    RetryBudget once;
    once.allowed = {1, 1, 1, 1};
    list.add({.budget = once}).add().add({}, {1}).add({.stage = 1});
    scheduler.begin();
    scheduler.groupJoined(groupA, 4);
    QCOMPARE(tasksOf(scheduler.assignments(noon)), (std::vector<std::uint32_t>{0, 1}));
    const auto lost = scheduler.attemptEnded(groupA, key(0), Outcome::Lost, 1ms);
    QVERIFY(lost && lost->disposition == Disposition::Retry);
    QVERIFY(scheduler.attemptEnded(groupA, key(1), Outcome::Succeeded, 1ms));
    QCOMPARE(scheduler.outstanding(), std::size_t{0});
    QCOMPARE(scheduler.unrecordedEnds(), std::size_t{2});
    QVERIFY(!scheduler.held(TaskId(0)));
    QCOMPARE(scheduler.park(TaskId(1)), Parking::Ending);
    QVERIFY(scheduler.assignments(noon + 1h).empty());
    QVERIFY(!scheduler.attemptEnded(groupA, key(1), Outcome::Succeeded, 1ms)); // told twice
    scheduler.endRecorded(TaskId(0), noon);
    scheduler.endRecorded(TaskId(1), noon);
    scheduler.endRecorded(TaskId(1), noon);
    QCOMPARE(scheduler.unrecordedEnds(), std::size_t{0});
    QCOMPARE(handedTo(scheduler.assignments(noon), groupA), (HandedKeys{key(0, 2), key(2)}));
}

QTEST_APPLESS_MAIN(TestSchedulerGroups)

} // namespace tst_schedulergroups

#include "tst_schedulergroups.moc"

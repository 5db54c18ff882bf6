// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "schedulertesting.h"

#include <vector>

namespace tst_schedulercrews {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const CrewId crewA(4);
const CrewId crewB(8);
const SteadyTime noon = at(0s);
using HandedKeys = std::vector<AttemptKey>;

} // namespace

/// Crews whose slots come and go, and who cannot always be spoken to.
class TestSchedulerCrews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slotsMayChange();
    void withoutSlotsAllIsCalledBack();
    void awayCrewKeepsWhatItHolds();
    void recallOfACrewThatWentAwayIsForgotten();
    void handedBackWithoutARecall();
    void heldByTellsWhatIsStartedAndCondemned();
    void outstandingIsCountedByCrew();
    void whatIsFoundAtACrewIsItsOwn();
    void whatRunsIsNotSkipped();
    void nothingFollowsFromAnEndThatIsNotRecorded();
};

void TestSchedulerCrews::slotsMayChange()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(6);
    scheduler.begin();
    scheduler.crewJoined(crewA, 0);
    QVERIFY(scheduler.assignments(noon).empty());
    scheduler.setSlots(crewA, 2);
    QCOMPARE(scheduler.slotCount(), std::size_t{2});
    QCOMPARE(handedTo(scheduler.assignments(noon), crewA).size(), std::size_t{4}); // two ahead
    scheduler.setSlots(crewA, 5);
    QCOMPARE(handedTo(scheduler.assignments(noon), crewA).size(), std::size_t{1});
    scheduler.setSlots(crewA, 1);
    QVERIFY(scheduler.assignments(noon).empty()); // it keeps what it has
    QCOMPARE(scheduler.slotCount(), std::size_t{1});
    scheduler.crewLost(crewA);
    QCOMPARE(scheduler.slotCount(), std::size_t{0});
}

void TestSchedulerCrews::withoutSlotsAllIsCalledBack()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2);
    scheduler.begin();
    scheduler.crewJoined(crewA, 2);
    scheduler.assignments(noon);
    QVERIFY(scheduler.recalls().empty());
    scheduler.setSlots(crewA, 0);
    const auto orders = scheduler.recalls();
    QCOMPARE(orders.size(), std::size_t{1});
    QCOMPARE(orders.front().count, 2U);
    scheduler.returned(crewA, HandedKeys{key(1)});
    QCOMPARE(scheduler.recalls().size(), std::size_t{1}); // perhaps there is more
    scheduler.returned(crewA, {});
    QVERIFY(scheduler.recalls().empty());
    scheduler.crewJoined(crewB, 1);
    QCOMPARE(handedTo(scheduler.assignments(noon), crewB), HandedKeys{key(1)});
}

void TestSchedulerCrews::awayCrewKeepsWhatItHolds()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(9);
    scheduler.begin();
    scheduler.crewJoined(crewA, 1);
    scheduler.crewJoined(crewB, 1);
    scheduler.assignments(noon);
    QCOMPARE(scheduler.outstanding(crewA), 2U);
    scheduler.setAway(crewA, true);
    QVERIFY(attemptFinished(scheduler, crewA, key(0), Outcome::Succeeded, 1ms, noon));
    QVERIFY(handedTo(scheduler.assignments(noon), crewA).empty());
    scheduler.setSlots(crewA, 0);
    QVERIFY(scheduler.recalls().empty());
    for (const RecallOrder& order : scheduler.recallAll())
        QVERIFY(order.crew != crewA);
    QCOMPARE(scheduler.outstanding(crewA), 1U);
    scheduler.setSlots(crewA, 1);
    scheduler.setAway(crewA, false);
    QVERIFY(!handedTo(scheduler.assignments(noon), crewA).empty());
}

void TestSchedulerCrews::recallOfACrewThatWentAwayIsForgotten()
{
    Scheduler scheduler({.feeding = {.maxPrefetch = 9}});
    ListBuilder(scheduler).addMany(5);
    scheduler.begin();
    scheduler.crewJoined(crewA, 2);
    scheduler.assignments(noon);
    while (scheduler.outstanding(crewA) < 5) {
        scheduler.setSlots(crewA, 5);
        scheduler.assignments(noon);
    }
    scheduler.setSlots(crewA, 1);
    scheduler.crewJoined(crewB, 1);
    QCOMPARE(scheduler.recalls().size(), std::size_t{1});
    QVERIFY(scheduler.recalls().empty()); // under way
    scheduler.setAway(crewA, true);
    QVERIFY(scheduler.recalls().empty());
    scheduler.setAway(crewA, false);
    QCOMPARE(scheduler.recalls().size(), std::size_t{1}); // nobody will answer the first one
}

void TestSchedulerCrews::handedBackWithoutARecall()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(2);
    scheduler.begin();
    scheduler.crewJoined(crewA, 2);
    scheduler.assignments(noon);
    QVERIFY(scheduler.attemptStarted(crewA, key(0)));
    QVERIFY(!scheduler.handedBack(crewA, HandedKeys{key(0)})); // it runs
    QVERIFY(!scheduler.handedBack(crewB, HandedKeys{key(1)}));
    QVERIFY(scheduler.handedBack(crewA, HandedKeys{key(1), key(0)}));
    QCOMPARE(handedTo(scheduler.assignments(noon), crewA), HandedKeys{key(1)});
}

void TestSchedulerCrews::heldByTellsWhatIsStartedAndCondemned()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(4);
    scheduler.begin();
    scheduler.crewJoined(crewA, 3);
    scheduler.assignments(noon);
    scheduler.crewJoined(crewB, 1);
    scheduler.assignments(noon);
    scheduler.attemptStarted(crewA, key(0));
    scheduler.condemn(TaskId(2));
    const auto held = scheduler.heldBy(crewA);
    QCOMPARE(held.size(), std::size_t{3});
    QVERIFY(held[0].started && !held[0].condemned);
    QVERIFY(!held[1].started);
    QCOMPARE(held[2].key, key(2));
    QVERIFY(held[2].started && held[2].condemned); // its end must be recorded
    QCOMPARE(scheduler.heldBy(crewB).size(), std::size_t{1});
    QVERIFY(scheduler.heldBy(CrewId(99)).empty());
}

void TestSchedulerCrews::outstandingIsCountedByCrew()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(3);
    scheduler.begin();
    scheduler.crewJoined(crewA, 2);
    scheduler.crewJoined(crewB, 1);
    QVERIFY(scheduler.knows(crewA) && !scheduler.knows(CrewId(1)));
    scheduler.assignments(noon);
    QCOMPARE(scheduler.outstanding(crewA), 2U);
    QCOMPARE(scheduler.outstanding(crewB), 1U);
    QCOMPARE(scheduler.outstanding(CrewId(1)), 0U);
    attemptFinished(scheduler, crewA, key(0), Outcome::Succeeded, 1ms, noon);
    QCOMPARE(scheduler.outstanding(crewA), 1U);
}

void TestSchedulerCrews::whatIsFoundAtACrewIsItsOwn()
{
    Scheduler scheduler;
    ListBuilder list(scheduler);
    list.add().add({.attempts = 1}).add({}, {0}).add({.state = TaskState::Held}).add();
    list.add({.state = TaskState::Succeeded});
    scheduler.begin();
    scheduler.crewJoined(crewA, 4);
    scheduler.crewJoined(crewB, 4);
    QVERIFY(scheduler.adopt(crewA, key(0), true));
    QVERIFY(!scheduler.adopt(crewB, key(0), false)); // somebody else's
    QVERIFY(!scheduler.adopt(crewA, key(1), false)); // its first attempt has ended
    QVERIFY(scheduler.adopt(crewA, key(1, 2), false));
    QVERIFY(scheduler.adopt(crewB, key(2), false)); // before what it comes after is done
    QVERIFY(!scheduler.adopt(crewB, key(3), false));
    QVERIFY(!scheduler.adopt(crewB, key(5), false));
    QVERIFY(!scheduler.adopt(crewB, key(6), false));
    QCOMPARE(scheduler.outstanding(), std::size_t{3});
    QCOMPARE(scheduler.outstanding(crewA), 2U);
    QCOMPARE(tasksOf(scheduler.assignments(noon)), std::vector<std::uint32_t>{4});
    QVERIFY(!scheduler.attemptStarted(crewA, key(0))); // it has
    QVERIFY(scheduler.attemptStarted(crewA, key(1, 2)));
    QVERIFY(attemptFinished(scheduler, crewA, key(0), Outcome::Succeeded, 1ms, noon));
    QVERIFY(attemptFinished(scheduler, crewB, key(2), Outcome::Succeeded, 1ms, noon));
    QVERIFY(scheduler.assignments(noon).empty());
}

/// By the record a task runs whose prerequisite was reopened and failed since: it may end.
void TestSchedulerCrews::whatRunsIsNotSkipped()
{
    Scheduler scheduler;
    ListBuilder list(scheduler);
    list.add({.state = TaskState::Failed}).add({.state = TaskState::Running}, {0}).add({}, {0});
    scheduler.begin();
    QCOMPARE(scheduler.takeSkipped().size(), std::size_t{1}); // the third
    scheduler.crewJoined(crewA, 1);
    QVERIFY(scheduler.adopt(crewA, key(1), true));
    QVERIFY(!scheduler.adopt(crewA, key(1), true));
    QVERIFY(attemptFinished(scheduler, crewA, key(1), Outcome::Succeeded, 1ms, noon));
    QVERIFY(scheduler.complete());
}

void TestSchedulerCrews::nothingFollowsFromAnEndThatIsNotRecorded()
{
    Scheduler scheduler;
    ListBuilder list(scheduler);
    RetryBudget once;
    once.allowed = {1, 1, 1, 1};
    list.add({.budget = once}).add().add({}, {1}).add({.stage = 1});
    scheduler.begin();
    scheduler.crewJoined(crewA, 4);
    QCOMPARE(tasksOf(scheduler.assignments(noon)), (std::vector<std::uint32_t>{0, 1}));
    const auto lost = scheduler.attemptEnded(crewA, key(0), Outcome::Lost, 1ms);
    QVERIFY(lost && lost->disposition == Disposition::Retry);
    QVERIFY(scheduler.attemptEnded(crewA, key(1), Outcome::Succeeded, 1ms));
    QCOMPARE(scheduler.outstanding(), std::size_t{0});
    QCOMPARE(scheduler.unrecordedEnds(), std::size_t{2});
    QVERIFY(!scheduler.held(TaskId(0)));
    QCOMPARE(scheduler.park(TaskId(1)), Parking::Ending);
    QVERIFY(scheduler.assignments(noon + 1h).empty());
    QVERIFY(!scheduler.attemptEnded(crewA, key(1), Outcome::Succeeded, 1ms)); // told twice
    scheduler.endRecorded(TaskId(0), noon);
    scheduler.endRecorded(TaskId(1), noon);
    scheduler.endRecorded(TaskId(1), noon);
    QCOMPARE(scheduler.unrecordedEnds(), std::size_t{0});
    QCOMPARE(handedTo(scheduler.assignments(noon), crewA), (HandedKeys{key(0, 2), key(2)}));
}

QTEST_APPLESS_MAIN(TestSchedulerCrews)

} // namespace tst_schedulercrews

#include "tst_schedulercrews.moc"

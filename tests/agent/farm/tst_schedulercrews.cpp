// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "schedulertesting.h"

#include <vector>

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

QTEST_APPLESS_MAIN(TestSchedulerCrews)
#include "tst_schedulercrews.moc"

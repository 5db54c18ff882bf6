// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "feedingsimulation.h"
#include "schedulertesting.h"

#include <numeric>
#include <random>

namespace tst_schedulerfeeding {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const SteadyTime start = at(0ms);
const GroupId workerA(0);
const GroupId workerB(1);
const GroupId workerC(2);
const GroupId workerD(3);

using Duration = FeedingSimulation::Duration;
using Tasks = std::vector<std::uint32_t>;

/// Teaches the scheduler that a worker's tasks take so long: hands out one, ends it.
void teach(Scheduler& scheduler, GroupId rank, AttemptKey held, Duration runTime)
{
    QVERIFY(attemptFinished(scheduler, rank, held, Outcome::Succeeded, runTime, start).has_value());
}

bool startedOnce(const FeedingSimulation& simulation)
{
    return std::ranges::all_of(simulation.starts(), [](std::uint32_t times) { return times == 1; });
}

} // namespace

/// How far ahead workers are fed, what is called back, and what that makes of the whole run.
class TestSchedulerFeeding : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slotsAreFilledInTurnBeforeAnythingIsPrefetched();
    void manySlotsAreSharedOutEvenly();
    void unknownRunTimesPrefetchOneASlot();
    void shortTasksArePrefetchedDeep();
    void longTasksPrefetchLittle();
    void prefetchHasALimit();
    void endOfListIsNotPrefetched();
    void idleSlotRecallsHalfOfTheMostLaden();
    void oneRecallAtATime();
    void recallInVainWaitsForAReport();
    void lostWorkerEndsItsRecall();
    void nothingIsRecalledWhileSomethingIsReady();
    void recallAllAsksEveryone();
    void longTaskDoesNotHoldUpThoseBehindIt();
    void randomRunTimesStayNearTheOptimum_data();
    void randomRunTimesStayNearTheOptimum();
    void prefetchHidesTheWayToTheMaster();
};

void TestSchedulerFeeding::slotsAreFilledInTurnBeforeAnythingIsPrefetched()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(6);
    scheduler.begin();
    for (const GroupId rank : {workerA, workerB, workerC})
        scheduler.groupJoined(rank, 1);
    const auto handed = scheduler.assignments(start);
    QCOMPARE(handedTo(handed, workerA), std::vector{key(0)});
    QCOMPARE(handedTo(handed, workerB), std::vector{key(1)});
    QCOMPARE(handedTo(handed, workerC), std::vector{key(2)});
    QVERIFY(scheduler.assignments(start).empty());
}

void TestSchedulerFeeding::manySlotsAreSharedOutEvenly()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(4);
    scheduler.begin();
    scheduler.groupJoined(workerA, 8);
    scheduler.groupJoined(workerB, 2);
    const auto handed = scheduler.assignments(start);
    QCOMPARE(handedTo(handed, workerA), (std::vector{key(0), key(2)}));
    QCOMPARE(handedTo(handed, workerB), (std::vector{key(1), key(3)}));
}

void TestSchedulerFeeding::unknownRunTimesPrefetchOneASlot()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(1'000);
    scheduler.begin();
    scheduler.groupJoined(workerA, 3);
    scheduler.groupJoined(workerB, 1);
    const auto handed = scheduler.assignments(start);
    QCOMPARE(handedTo(handed, workerA).size(), std::size_t{6});
    QCOMPARE(handedTo(handed, workerB).size(), std::size_t{2});
}

void TestSchedulerFeeding::shortTasksArePrefetchedDeep()
{
    Scheduler scheduler({.feeding = {.horizon = 50ms}});
    ListBuilder(scheduler).addMany(10'000);
    scheduler.begin();
    scheduler.groupJoined(workerA, 2);
    scheduler.assignments(start);
    teach(scheduler, workerA, key(0), 1ms);
    scheduler.assignments(start);
    QCOMPARE(scheduler.outstanding(), std::size_t{2 + 2 * 50});
    // The mean moves towards longer ones: less is held.
    for (std::uint32_t task = 1; task <= 60; ++task)
        teach(scheduler, workerA, key(task), 10ms);
    scheduler.assignments(start);
    const std::size_t held = scheduler.outstanding();
    QVERIFY2(held >= 2 + 2 * 5 && held < 60, qPrintable(QString::number(held)));
}

void TestSchedulerFeeding::longTasksPrefetchLittle()
{
    Scheduler scheduler({.feeding = {.horizon = 50ms}});
    ListBuilder(scheduler).addMany(10'000);
    scheduler.begin();
    scheduler.groupJoined(workerA, 4);
    scheduler.assignments(start);
    teach(scheduler, workerA, key(0), 1h);
    scheduler.assignments(start);
    QCOMPARE(scheduler.outstanding(), std::size_t{8}); // one a slot
}

void TestSchedulerFeeding::prefetchHasALimit()
{
    Scheduler scheduler({.feeding = {.horizon = 50ms, .maxPrefetch = 100}});
    ListBuilder(scheduler).addMany(10'000);
    scheduler.begin();
    scheduler.groupJoined(workerA, 4);
    scheduler.assignments(start);
    teach(scheduler, workerA, key(0), 0us); // quicker than can be measured
    scheduler.assignments(start);
    QCOMPARE(scheduler.outstanding(), std::size_t{104});
}

void TestSchedulerFeeding::endOfListIsNotPrefetched()
{
    Scheduler scheduler({.feeding = {.horizon = 50ms}});
    ListBuilder(scheduler).addMany(64);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.groupJoined(workerB, 1);
    std::vector<std::size_t> unstarted;
    // Both workers end one task after the other; what A holds beyond its slot is noted.
    std::map<GroupId, std::deque<AttemptKey>> held;
    const auto deal = [&] {
        for (const Assignment& assignment : scheduler.assignments(start))
            std::ranges::copy(assignment.keys, std::back_inserter(held[assignment.group]));
        unstarted.push_back(held[workerA].empty() ? 0 : held[workerA].size() - 1);
    };
    deal();
    while (!scheduler.complete()) {
        for (const GroupId rank : {workerA, workerB}) {
            if (held[rank].empty())
                continue;
            teach(scheduler, rank, held[rank].front(), 1ms);
            held[rank].pop_front();
        }
        deal();
    }
    QVERIFY(*std::ranges::max_element(unstarted) >= 8); // a quarter of what was ready
    QCOMPARE(unstarted.back(), std::size_t{0});
    QVERIFY(std::ranges::is_sorted(unstarted.begin() + 2, unstarted.end(), std::greater<>()));
}

void TestSchedulerFeeding::idleSlotRecallsHalfOfTheMostLaden()
{
    Scheduler scheduler({.feeding = {.maxPrefetch = 9}});
    ListBuilder(scheduler).addMany(21);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    teach(scheduler, workerA, key(0), 1us);
    // All of the list must get there, in spite of the share that A may hold.
    while (!scheduler.assignments(start).empty()) {}
    const std::size_t held = scheduler.outstanding();
    QVERIFY(held >= 10);
    // What is left in the queue goes to B and C, then C idles.
    scheduler.groupJoined(workerB, 20);
    scheduler.assignments(start);
    scheduler.groupJoined(workerC, 1);
    scheduler.assignments(start);
    const auto orders = scheduler.recalls();
    QCOMPARE(orders.size(), std::size_t{1});
    QCOMPARE(orders[0].group, workerA);
    QCOMPARE(orders[0].count, static_cast<std::uint32_t>((held - 1 + 1) / 2));
}

void TestSchedulerFeeding::oneRecallAtATime()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(6);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    while (!scheduler.assignments(start).empty()) {}
    QCOMPARE(scheduler.outstanding(), std::size_t{2});
    scheduler.groupJoined(workerB, 8);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{2, 3, 4, 5}));
    QCOMPARE(scheduler.recalls().size(), std::size_t{1});
    QVERIFY(scheduler.recalls().empty()); // under way
    scheduler.returned(workerA, std::vector{key(1)});
    QVERIFY(scheduler.recalls().empty()); // something is ready now
    QCOMPARE(handedTo(scheduler.assignments(start), workerB), std::vector{key(1)});
    QVERIFY(scheduler.recalls().empty()); // nobody holds more than its slots
}

void TestSchedulerFeeding::recallInVainWaitsForAReport()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(8);
    scheduler.begin();
    scheduler.groupJoined(workerA, 2);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{0, 1, 2, 3}));
    scheduler.groupJoined(workerB, 8);
    QCOMPARE(tasksOf(scheduler.assignments(start)), (Tasks{4, 5, 6, 7}));
    QCOMPARE(scheduler.recalls().size(), std::size_t{1});
    scheduler.returned(workerA, {}); // it had started them meanwhile
    QVERIFY(scheduler.recalls().empty());
    QVERIFY(attemptFinished(scheduler, workerB, key(4), Outcome::Succeeded, 1ms, start));
    QVERIFY(scheduler.recalls().empty()); // A has told nothing new
    QVERIFY(attemptFinished(scheduler, workerA, key(0), Outcome::Succeeded, 1ms, start));
    const auto orders = scheduler.recalls();
    QCOMPARE(orders.size(), std::size_t{1});
    QCOMPARE(orders[0].group, workerA);
    QCOMPARE(orders[0].count, 1U);
}

void TestSchedulerFeeding::lostWorkerEndsItsRecall()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(12);
    scheduler.begin();
    scheduler.groupJoined(workerA, 2);
    scheduler.groupJoined(workerB, 2);
    const auto handed = scheduler.assignments(start);
    QCOMPARE(handedTo(handed, workerA).size(), std::size_t{4});
    QCOMPARE(handedTo(handed, workerB).size(), std::size_t{3});
    scheduler.groupJoined(workerC, 6);
    QCOMPARE(scheduler.assignments(start).size(), std::size_t{1});
    auto orders = scheduler.recalls();
    QCOMPARE(orders.size(), std::size_t{1});
    QCOMPARE(orders[0].group, workerA);
    QCOMPARE(scheduler.groupLost(workerA).size(), std::size_t{4}); // never answers
    scheduler.groupJoined(workerD, 4);
    QCOMPARE(tasksOf(scheduler.assignments(start)).size(), std::size_t{4}); // D has a slot left
    orders = scheduler.recalls();
    QCOMPARE(orders.size(), std::size_t{1});
    QCOMPARE(orders[0].group, workerB);
    QCOMPARE(orders[0].count, 1U);
}

void TestSchedulerFeeding::nothingIsRecalledWhileSomethingIsReady()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(100);
    scheduler.begin();
    scheduler.groupJoined(workerA, 1);
    scheduler.assignments(start);
    scheduler.groupJoined(workerB, 1);
    QVERIFY(scheduler.recalls().empty());
}

void TestSchedulerFeeding::recallAllAsksEveryone()
{
    Scheduler scheduler;
    ListBuilder(scheduler).addMany(100);
    scheduler.begin();
    for (const GroupId rank : {workerA, workerB, workerC})
        scheduler.groupJoined(rank, 2);
    const auto handed = scheduler.assignments(start);
    scheduler.setHeld(true);
    const auto orders = scheduler.recallAll();
    QCOMPARE(orders.size(), std::size_t{3});
    for (const RecallOrder& order : orders) {
        const auto keys = handedTo(handed, order.group);
        QCOMPARE(std::size_t{order.count}, keys.size()); // those that run are not given back
        scheduler.returned(order.group, std::span(keys).subspan(2));
    }
    QCOMPARE(scheduler.outstanding(), std::size_t{6});
    QVERIFY(scheduler.assignments(start).empty());
}

void TestSchedulerFeeding::longTaskDoesNotHoldUpThoseBehindIt()
{
    std::vector<Duration> runTimes(41, 50ms);
    runTimes.front() = 5s;
    FeedingSimulation simulation({}, {1, 1}, runTimes, 200us);
    const Duration makespan = simulation.run();
    QVERIFY(startedOnce(simulation));
    QVERIFY(simulation.recallCount() > 0);
    // The long one is the first to start; all others fit beside it on the other worker.
    QVERIFY2(makespan <= 5s + 1ms, qPrintable(QString::number(makespan.count())));

    // Beside a second long one, somebody who is sent behind either of them must come back too.
    runTimes.assign(41, 1ms);
    runTimes[3] = runTimes[20] = 3s;
    FeedingSimulation two({}, {1, 1, 1}, runTimes, 200us);
    const Duration second = two.run();
    QVERIFY(startedOnce(two));
    QVERIFY2(second <= 3s + 100ms, qPrintable(QString::number(second.count())));
}

void TestSchedulerFeeding::randomRunTimesStayNearTheOptimum_data()
{
    QTest::addColumn<int>("longestMs");
    QTest::addColumn<int>("workers");
    QTest::addColumn<int>("slots");
    for (const int longest : {2, 20, 200, 2'000}) {
        for (const auto& [workers, slots] : {std::pair{2, 1}, {3, 2}, {8, 1}, {5, 4}}) {
            QTest::addRow("up to %d ms on %d x %d", longest, workers, slots)
                << longest << workers << slots;
        }
    }
}

void TestSchedulerFeeding::randomRunTimesStayNearTheOptimum()
{
    QFETCH(int, longestMs);
    QFETCH(int, workers);
    QFETCH(int, slots);
    const auto allSlots = static_cast<std::uint32_t>(workers * slots);
    const auto longestUs = static_cast<std::uint32_t>(longestMs) * 1'000U;
    constexpr Duration latency = 100us;
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        std::mt19937 random(seed);
        std::vector<Duration> runTimes(20 + random() % 400);
        // Mostly short ones, some as long as can be.
        for (Duration& runTime : runTimes) {
            const std::uint32_t most = random() % 8 == 0 ? longestUs : 1'000U;
            runTime = Duration(100 + random() % most);
        }
        FeedingSimulation simulation(
            {}, std::vector(static_cast<std::size_t>(workers), static_cast<std::uint32_t>(slots)),
            runTimes, latency);
        const Duration makespan = simulation.run();
        QVERIFY(startedOnce(simulation));

        const Duration work = std::accumulate(runTimes.begin(), runTimes.end(), Duration{});
        const Duration longest = *std::ranges::max_element(runTimes);
        // Slots that never idle while something waits end by then, in whatever order tasks start.
        const Duration neverIdle = (work + longest * (allSlots - 1)) / allSlots;
        const Duration greedy = greedyMakespan(allSlots, runTimes);
        // Near the end a slot waits for an answer or a recall now and then.
        const Duration slack = 60 * latency;
        QVERIFY2(makespan <= neverIdle + slack,
                 qPrintable(QStringLiteral("seed %1: %2 us, bound %3 us, greedy %4 us")
                                .arg(seed)
                                .arg(makespan.count())
                                .arg(neverIdle.count())
                                .arg(greedy.count())));
        QVERIFY(makespan <= greedy + longest + slack);
        QVERIFY(makespan >= work / allSlots);
    }
}

void TestSchedulerFeeding::prefetchHidesTheWayToTheMaster()
{
    const std::vector<Duration> runTimes(20'000, 100us);
    const auto work = Duration(20'000 * 100 / 4);
    FeedingSimulation fed({}, {2, 2}, runTimes, 2ms);
    const Duration makespan = fed.run();
    QVERIFY(startedOnce(fed));
    QVERIFY2(makespan < work * 11 / 10, qPrintable(QString::number(makespan.count())));
    QVERIFY(fed.mostUnstarted() > 100);

    FeedingSimulation unfed({.feeding = {.maxPrefetch = 0}}, {2, 2}, runTimes, 2ms);
    QVERIFY(unfed.run() > work * 10);
    QCOMPARE(unfed.mostUnstarted(), std::size_t{0});
    QCOMPARE(unfed.recallCount(), std::size_t{0});
}

QTEST_APPLESS_MAIN(TestSchedulerFeeding)

} // namespace tst_schedulerfeeding

#include "tst_schedulerfeeding.moc"

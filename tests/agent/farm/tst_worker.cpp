// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "workerbench.h"

#include <algorithm>
#include <memory>
#include <set>
#include <variant>

namespace tst_worker {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

using Bench = WorkerBench;
using Tasks = std::vector<std::uint32_t>;

/// The table of phases in worker.h, slots, recalls, reports.
class TestWorker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void greetsWithHello();
    void welcomeMakesTheExecutorOnce();
    void executorIsMadeWhileHelloIsUnderWay();
    void executorOfAnotherWelcomeIsMadeAnew();
    void executorThatFailsBeforeTheWelcomeIsMadeAnew();
    void startsInOrderAndNeverMoreThanItsSlots();
    void slotsAreUsedAgain();
    void launchCarriesCommandAndSettings();
    void recallGivesTheLastOnesFirst();
    void recallOfMoreThanThereIs();
    void haltGivesAllBackAndKills();
    void lossOfTheRankForgetsAll();
    void anotherRankIsTakenWhenNothingLives();
    void reportsOfAnEarlierHoldingAreNotSent();
    void messagesOfAnotherHoldingAreDropped();
    void waitsWithoutARank();
    void greetsUntilItIsWelcomed();
    void goodbyeWithoutARank();
    void executorFailureIsTold();
    void goodbyeAnswersWhenNothingLives();
    void goodbyeWhileDropping();
    void abandonKillsAndSaysNothing();
    void abandonBeforeWelcome();
    void nothingHappensAfterTheEnd();
    void startIsReportedOnce();
    void startAndEndInOneReportIsAnEnd();
    void endsAreGatheredForTwoMilliseconds();
    void fullReportIsDueAtOnce();
    void emptyQueueReportsAtOnce();
    void largeOutputReportsAtOnce();
    void idleWhenNothingRunsOrWaits();
};

void TestWorker::greetsWithHello()
{
    Bench bench(3);
    const auto messages = bench.sent();
    const Hello* hello = only<Hello>(messages);
    QVERIFY(hello);
    QCOMPARE(*hello, (Hello{.host = "node", .pid = 4711, .slotCount = 3}));
    QCOMPARE(bench.sentAs.back().first, Epoch(2));
    QVERIFY(bench.sentAs.back().second == bench.held);
    QCOMPARE(bench.executorsMade, 0);
    bench.assign(0, 1); // before the welcome
    QVERIFY(bench.polled().empty());
    QVERIFY(!bench.worker.over());
}

void TestWorker::welcomeMakesTheExecutorOnce()
{
    Bench bench;
    bench.welcome();
    QCOMPARE(bench.executorsMade, 1);
    QCOMPARE(bench.welcomed.directory, std::string("/work"));
    QCOMPARE(bench.executorRank, Rank(3));
    bench.assign(0, 1);
    bench.welcome(); // the answer to a Hello that was said again
    QCOMPARE(bench.executorsMade, 1);
    QCOMPARE(bench.launchedTasks(), Tasks{0});
    bench.assign(1, 1);
    QCOMPARE(bench.launchedTasks(), Tasks{0}); // its slot is not free
}

/// A rank's new holder begins as soon as it is welcomed.
void TestWorker::executorIsMadeWhileHelloIsUnderWay()
{
    Bench bench(1, true, {}, Welcome{.run = "run", .directory = "/work"});
    QCOMPARE(bench.executorsMade, 0); // Hello leaves first
    bench.worker.poll();
    bench.worker.poll();
    QCOMPARE(bench.executorsMade, 1);
    QCOMPARE(bench.welcomed.directory, std::string("/work"));
    QCOMPARE(bench.executorRank, Rank(3));
    bench.welcome();
    QCOMPARE(bench.executorsMade, 1);
    bench.assign(0, 1);
    QCOMPARE(bench.launchedTasks(), Tasks{0});
}

void TestWorker::executorOfAnotherWelcomeIsMadeAnew()
{
    Bench bench(1, true, {}, Welcome{.run = "run", .directory = "/elsewhere"});
    bench.worker.poll();
    bench.welcome();
    QCOMPARE(bench.executorsMade, 2);
    QCOMPARE(bench.welcomed.directory, std::string("/work"));
}

void TestWorker::executorThatFailsBeforeTheWelcomeIsMadeAnew()
{
    Bench bench(1, true, {}, Welcome{.run = "run", .directory = "/work"});
    bench.worker.poll();
    bench.executor->tellFailed("no program");
    bench.worker.poll();
    QCOMPARE(bench.executorsMade, 1);
    QVERIFY(!bench.worker.over());
    bench.welcome();
    QCOMPARE(bench.executorsMade, 2);
    bench.executor->tellFailed("no program"); // now there is somebody to be told
    QVERIFY(bench.worker.over());
}

void TestWorker::startsInOrderAndNeverMoreThanItsSlots()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 5);
    bench.assign(9, 2);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    bench.end(1);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 2}));
    for (const std::uint32_t task : {0U, 2U, 3U, 4U, 9U})
        bench.end(task);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 2, 3, 4, 9, 10}));
}

void TestWorker::slotsAreUsedAgain()
{
    Bench bench(3);
    bench.welcome();
    bench.assign(0, 20);
    std::set<SlotIndex> used;
    for (std::uint32_t i = 0; i < 3; ++i) {
        QCOMPARE(bench.executor->launches[i].slot, SlotIndex(i));
        used.insert(bench.executor->launches[i].slot);
    }
    std::vector<std::uint32_t> running{0, 1, 2};
    for (std::uint32_t next = 3; next < 20; ++next) {
        const std::uint32_t ending = running[next * 7 % 3];
        const SlotIndex freed = bench.executor->launches[ending].slot;
        bench.end(ending);
        QCOMPARE(bench.executor->launches.size(), std::size_t{next + 1});
        QCOMPARE(bench.executor->launches.back().slot, freed);
        std::ranges::replace(running, ending, next);
    }
    QCOMPARE(used.size(), std::size_t{3});
}

void TestWorker::launchCarriesCommandAndSettings()
{
    Bench bench;
    TaskSettings settings;
    settings.timeout = 7ms;
    bench.settings = std::make_shared<const TaskSettings>(settings);
    bench.welcome();
    bench.assign(42, 1);
    QCOMPARE(bench.executor->launches.size(), std::size_t{1});
    const Launch& launch = bench.executor->launches.front();
    QCOMPARE(launch.key, key(42));
    QCOMPARE(launch.command, std::string("command 42"));
    QVERIFY(launch.settings == bench.settings);
}

void TestWorker::recallGivesTheLastOnesFirst()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 5);
    bench.sent();
    bench.receive(Recall{2});
    auto messages = bench.sent();
    const Returned* returned = only<Returned>(messages);
    QVERIFY(returned);
    QCOMPARE(returned->keys, (std::vector{key(4), key(3)}));
    bench.end(0);
    bench.end(1);
    bench.end(2);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 2})); // what was given back does not start
}

void TestWorker::recallOfMoreThanThereIs()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 2);
    bench.sent();
    bench.receive(Recall{100});
    auto messages = bench.sent();
    QVERIFY(only<Returned>(messages));
    QCOMPARE(only<Returned>(messages)->keys, std::vector{key(1)}); // 0 runs
    bench.receive(Recall{1});
    messages = bench.sent();
    QVERIFY(only<Returned>(messages)); // an empty answer is an answer
    QVERIFY(only<Returned>(messages)->keys.empty());
}

void TestWorker::haltGivesAllBackAndKills()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 4);
    bench.sent();
    bench.receive(Halt{});
    auto messages = bench.sent();
    QVERIFY(only<Returned>(messages));
    QCOMPARE(only<Returned>(messages)->keys, (std::vector{key(3), key(2)}));
    QCOMPARE(bench.executor->stopAllReasons, std::vector{StopReason::Interrupted});
    bench.end(0, Outcome::Interrupted);
    bench.end(1, Outcome::Interrupted);
    bench.executor->tellAllStopped();
    messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{2});
    QCOMPARE(only<Report>(messages)->finished[0].result.outcome, Outcome::Interrupted);
    QVERIFY(!bench.worker.over());
}

void TestWorker::lossOfTheRankForgetsAll()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 4);
    bench.begin(0);
    bench.sent();
    QVERIFY(!bench.worker.hasStopped(bench.held));
    bench.worker.drop();
    QCOMPARE(bench.executor->stopAllReasons, std::vector{StopReason::Interrupted});
    QVERIFY(bench.worker.idle());
    QVERIFY(!bench.worker.rests());
    QVERIFY(!bench.worker.hasStopped(bench.held));
    bench.end(0, Outcome::Interrupted);
    bench.end(1, Outcome::Interrupted);
    bench.assign(7, 1); // was on its way
    bench.clock.advance(1s);
    QVERIFY(bench.polled().empty());
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    bench.executor->tellAllStopped();
    QVERIFY(bench.worker.rests());
    QVERIFY(bench.worker.hasStopped(bench.held));
    bench.assign(8, 1);
    bench.clock.advance(1s);
    QVERIFY(bench.polled().empty()); // a standby says nothing
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    QVERIFY(!bench.worker.over());
}

void TestWorker::anotherRankIsTakenWhenNothingLives()
{
    for (const bool other : {false, true}) {
        Bench bench(2);
        bench.welcome();
        bench.assign(0, 4);
        bench.sent();
        const HeldRank old = bench.held;
        if (other)
            bench.held.rank = Rank(5);
        bench.takeAgain();
        QVERIFY(!bench.worker.hasStopped(old));
        QCOMPARE(bench.executor->stopAllReasons.size(), std::size_t{1});
        QVERIFY(bench.polled().empty()); // not a word until nothing lives
        bench.executor->tellAllStopped();
        QVERIFY(only<Hello>(bench.sent()));
        QVERIFY(bench.sentAs.back().second == bench.held);
        bench.welcome();
        QVERIFY(bench.worker.hasStopped(old));
        QVERIFY(!bench.worker.hasStopped(bench.held));
        QCOMPARE(bench.executorsMade, other ? 2 : 1); // tasks are told the rank
        bench.assign(10, 3);
        const std::size_t before = other ? 0 : 2;
        QCOMPARE(bench.executor->launches.size(), before + 2);
        QCOMPARE(bench.executor->launches[before].slot, SlotIndex(0)); // all slots are free
        bench.end(10);
        bench.clock.advance(2ms);
        const auto messages = bench.polled();
        QVERIFY(only<Report>(messages));
        QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{1});
        QVERIFY(bench.sentAs.back().second == bench.held);
    }
}

void TestWorker::reportsOfAnEarlierHoldingAreNotSent()
{
    Bench bench(1);
    bench.welcome();
    bench.assign(0, 3);
    bench.begin(0);
    bench.end(0); // waits to be reported
    bench.begin(1);
    bench.sent();
    bench.takeAgain();
    bench.end(1, Outcome::Interrupted);
    bench.executor->tellAllStopped();
    bench.welcome();
    bench.clock.advance(50ms);
    bench.sent();
    QVERIFY(bench.polled().empty());
}

void TestWorker::messagesOfAnotherHoldingAreDropped()
{
    Bench bench;
    bench.welcome();
    bench.sent();
    const HeldRank own = bench.held;
    for (const HeldRank& held :
         {HeldRank{Rank(3), Incarnation(2)}, HeldRank{Rank(2), Incarnation(1)}}) {
        bench.held = held;
        bench.assign(0, 1);
        bench.receive(Halt{});
    }
    bench.held = own;
    bench.epoch = Epoch(1);
    bench.assign(0, 1);
    bench.receive(Halt{});
    bench.receive(Goodbye{});
    QVERIFY(bench.executor->launches.empty());
    QVERIFY(bench.executor->stopAllReasons.empty());
    QVERIFY(bench.sent().empty());
    bench.epoch = Epoch(2);
    bench.assign(0, 1);
    QCOMPARE(bench.launchedTasks(), Tasks{0});
}

void TestWorker::waitsWithoutARank()
{
    Bench bench(2, false);
    bench.welcome();
    bench.assign(0, 1);
    bench.clock.advance(1s);
    QVERIFY(bench.polled().empty());
    QCOMPARE(bench.executorsMade, 0);
    bench.worker.drop(); // it has none
    bench.worker.take(bench.held);
    QVERIFY(only<Hello>(bench.sent()));
    bench.worker.drop(); // before it was welcomed
    bench.welcome();
    bench.clock.advance(1s);
    QVERIFY(bench.polled().empty());
    QCOMPARE(bench.executorsMade, 0);
}

void TestWorker::greetsUntilItIsWelcomed()
{
    Bench bench;
    int hellos = 0;
    for (int ms = 0; ms < 200; ++ms) {
        for (const FarmMessage& message : bench.polled())
            hellos += std::holds_alternative<Hello>(message) ? 1 : 0;
        bench.clock.advance(1ms);
    }
    QCOMPARE(hellos, 6); // at 0, 10, 30, 70, 120 and 170 ms
    bench.welcome();
    bench.clock.advance(1s);
    QVERIFY(bench.polled().empty());
}

void TestWorker::goodbyeWithoutARank()
{
    Bench bench(1, false);
    bench.held = {};
    bench.receive(Goodbye{.losses = true});
    QVERIFY(only<Left>(bench.sent()));
    QVERIFY(bench.worker.over());
    QVERIFY(bench.worker.losses());
    bench.worker.take({Rank(1), Incarnation(2)}); // too late
    QVERIFY(bench.sent().empty());
}

void TestWorker::executorFailureIsTold()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 2);
    bench.sent();
    bench.executor->tellFailed("no guardian");
    const auto messages = bench.sent();
    QVERIFY(only<Broken>(messages));
    QCOMPARE(only<Broken>(messages)->reason, std::string("no guardian"));
    QVERIFY(bench.worker.over());
    QCOMPARE(bench.worker.end(), WorkerEnd::Broken);
    bench.executor->tellFailed("again");
    QVERIFY(bench.polled().empty());
}

void TestWorker::goodbyeAnswersWhenNothingLives()
{
    Bench bench;
    bench.welcome();
    bench.sent();
    bench.receive(Goodbye{});
    QCOMPARE(bench.executor->stopAllReasons.size(), std::size_t{1});
    QVERIFY(bench.polled().empty()); // processes that tasks left behind still live
    QVERIFY(!bench.worker.over());
    bench.executor->tellAllStopped();
    const auto messages = bench.sent();
    QVERIFY(only<Left>(messages));
    QVERIFY(bench.worker.over());
    QCOMPARE(bench.worker.end(), WorkerEnd::Dismissed);
}

void TestWorker::goodbyeWhileDropping()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 1);
    bench.worker.drop();
    bench.sent();
    bench.receive(Goodbye{});
    bench.end(0, Outcome::Interrupted);
    bench.executor->tellAllStopped();
    const auto messages = bench.sent();
    QVERIFY(only<Left>(messages)); // and no Hello
    QVERIFY(bench.worker.over());
}

void TestWorker::abandonKillsAndSaysNothing()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 2);
    bench.sent();
    bench.worker.abandon();
    QCOMPARE(bench.executor->stopAllReasons, std::vector{StopReason::Interrupted});
    QVERIFY(!bench.worker.over());
    bench.worker.abandon(); // once is enough
    bench.end(0, Outcome::Interrupted);
    QCOMPARE(bench.launchedTasks(), Tasks{0});
    bench.executor->tellAllStopped();
    QVERIFY(bench.worker.over());
    QCOMPARE(bench.worker.end(), WorkerEnd::Abandoned);
    QCOMPARE(bench.executor->stopAllReasons.size(), std::size_t{1});
    QVERIFY(bench.polled().empty());
}

void TestWorker::abandonBeforeWelcome()
{
    Bench bench;
    bench.worker.abandon();
    QVERIFY(bench.worker.over());
    QCOMPARE(bench.worker.end(), WorkerEnd::Abandoned);
    bench.welcome();
    QCOMPARE(bench.executorsMade, 0);
}

void TestWorker::nothingHappensAfterTheEnd()
{
    Bench bench;
    bench.welcome();
    bench.receive(Goodbye{});
    bench.executor->tellAllStopped();
    bench.sent();
    bench.assign(0, 1);
    bench.receive(Recall{1});
    bench.receive(Halt{});
    bench.receive(Goodbye{});
    bench.takeAgain();
    bench.welcome();
    bench.worker.drop();
    bench.clock.advance(24h);
    QVERIFY(bench.polled().empty());
    QVERIFY(bench.executor->launches.empty());
    QCOMPARE(bench.worker.end(), WorkerEnd::Dismissed);
}

void TestWorker::startIsReportedOnce()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 2);
    bench.sent();
    QVERIFY(bench.polled().empty()); // assigned is not started
    const WallTime startedAt = bench.clock.wallNow();
    bench.begin(1);
    auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->started,
             (std::vector{StartedAttempt{key(1), SlotIndex(1), startedAt}}));
    QVERIFY(only<Report>(messages)->finished.empty());
    QVERIFY(bench.polled().empty());
    bench.begin(0);
    messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->started.size(), std::size_t{1});
    QCOMPARE(only<Report>(messages)->started[0].key, key(0));
}

void TestWorker::startAndEndInOneReportIsAnEnd()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 1);
    bench.sent();
    bench.begin(0);
    bench.end(0);
    const auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QVERIFY(only<Report>(messages)->started.empty());
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{1});
    QCOMPARE(only<Report>(messages)->finished[0].key, key(0));
    QCOMPARE(only<Report>(messages)->finished[0].result.elapsed.count(), 5'000L);
}

void TestWorker::endsAreGatheredForTwoMilliseconds()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 10);
    bench.sent();
    bench.end(0);
    QVERIFY(bench.polled().empty());
    bench.clock.advance(1ms);
    bench.end(1);
    bench.clock.advance(999us);
    QVERIFY(bench.polled().empty());
    bench.clock.advance(1us);
    const auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{2});
    bench.clock.advance(2ms);
    QVERIFY(bench.polled().empty()); // all is told
}

void TestWorker::fullReportIsDueAtOnce()
{
    Bench bench(1);
    bench.welcome();
    bench.assign(0, 1'000);
    bench.sent();
    for (std::uint32_t task = 0; task < 511; ++task)
        bench.end(task);
    QVERIFY(bench.polled().empty());
    bench.end(511);
    const auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{512});
}

void TestWorker::emptyQueueReportsAtOnce()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 3);
    bench.sent();
    bench.end(0); // the queue is empty now
    const auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{1});
}

void TestWorker::largeOutputReportsAtOnce()
{
    Bench bench(1);
    bench.welcome();
    bench.assign(0, 10);
    bench.sent();
    const std::string output(600'000, 'x');
    for (const std::uint32_t task : {0U, 1U}) {
        QVERIFY(bench.polled().empty());
        AttemptResult result = resultOf(Outcome::Succeeded);
        result.standardOutput = {.head = output, .tail = {}, .totalBytes = output.size()};
        bench.executor->tellFinished(key(task), std::move(result));
    }
    const auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished[1].result.standardOutput.head, output);
}

void TestWorker::idleWhenNothingRunsOrWaits()
{
    Bench bench;
    QVERIFY(bench.worker.idle());
    bench.welcome();
    bench.assign(0, 2);
    QVERIFY(!bench.worker.idle());
    bench.end(0);
    QVERIFY(!bench.worker.idle());
    bench.end(1);
    QVERIFY(bench.worker.idle());
}

QTEST_APPLESS_MAIN(TestWorker)

} // namespace tst_worker

#include "tst_worker.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "workerbench.h"

#include <algorithm>
#include <memory>
#include <set>
#include <variant>

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = WorkerBench;
using Tasks = std::vector<std::uint32_t>;

} // namespace

/// The table of phases in worker.h, slots, recalls, reports, and what silence means.
class TestWorker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void greetsWithHello();
    void welcomeMakesTheExecutorOnce();
    void startsInOrderAndNeverMoreThanItsSlots();
    void slotsAreUsedAgain();
    void launchCarriesCommandAndSettings();
    void recallGivesTheLastOnesFirst();
    void recallOfMoreThanThereIs();
    void haltGivesAllBackAndKills();
    void fenceForgetsAllAndGreetsAgain();
    void reportsOfAnEarlierLifeAreNotSent();
    void messagesOfAnotherLifeAreDropped();
    void executorFailureIsTold();
    void goodbyeAnswersWhenNothingLives();
    void goodbyeWhileFenced();
    void abandonKillsAndSaysNothing();
    void abandonBeforeWelcome();
    void nothingHappensAfterTheEnd();
    void startIsReportedOnce();
    void startAndEndInOneReportIsAnEnd();
    void endsAreGatheredForTwoMilliseconds();
    void fullReportIsDueAtOnce();
    void emptyQueueReportsAtOnce();
    void largeOutputReportsAtOnce();
    void beatsWhenNothingElseIsSent();
    void silenceOfTheMasterEndsTheWork();
    void silenceEndsTheGreetingToo();
    void ownLatenessIsNotTheMastersSilence();
    void idleWhenNothingRunsOrWaits();
};

void TestWorker::greetsWithHello()
{
    Bench bench(3);
    const auto messages = bench.sent();
    const Hello* hello = only<Hello>(messages);
    QVERIFY(hello);
    QCOMPARE(*hello, (Hello{.host = "node", .hostKey = "here", .pid = 4711, .slotCount = 3}));
    QCOMPARE(bench.sentAs.back().first, Epoch(0));
    QCOMPARE(bench.sentAs.back().second, Incarnation(0));
    QCOMPARE(bench.executorsMade, 0);
    bench.assign(0, 1); // before the welcome: of no life
    QVERIFY(bench.polled().empty());
    QVERIFY(!bench.worker.over());
}

void TestWorker::welcomeMakesTheExecutorOnce()
{
    Bench bench;
    bench.welcome();
    QCOMPARE(bench.executorsMade, 1);
    QCOMPARE(bench.welcomed.directory, std::string("/work"));
    QCOMPARE(bench.welcomedEpoch, Epoch(2));
    bench.welcome(2); // not asked for
    QCOMPARE(bench.executorsMade, 1);
    bench.sent();
    bench.incarnation = Incarnation(1);
    bench.assign(0, 1);
    QCOMPARE(bench.launchedTasks(), Tasks{0}); // still of its first life
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

void TestWorker::fenceForgetsAllAndGreetsAgain()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 4);
    bench.begin(0);
    bench.sent();
    bench.receive(Fence{});
    QCOMPARE(bench.executor->stopAllReasons, std::vector{StopReason::Interrupted});
    QVERIFY(bench.worker.idle());
    bench.end(0, Outcome::Interrupted);
    bench.end(1, Outcome::Interrupted);
    QVERIFY(bench.polled().empty()); // not a word until nothing lives
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    bench.executor->tellAllStopped();
    auto messages = bench.sent();
    QVERIFY(only<Hello>(messages));
    bench.receive(Fence{}); // another of its old life on the way
    QVERIFY(bench.polled().empty());

    bench.welcome(2);
    QCOMPARE(bench.executorsMade, 1);
    bench.assign(10, 3);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 10, 11}));
    QCOMPARE(bench.executor->launches[2].slot, SlotIndex(0)); // all slots are free again
    QCOMPARE(bench.executor->launches[3].slot, SlotIndex(1));
    bench.end(10);
    bench.clock.advance(2ms);
    messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{1});
    QCOMPARE(bench.sentAs.back().second, Incarnation(2));
}

void TestWorker::reportsOfAnEarlierLifeAreNotSent()
{
    Bench bench(1);
    bench.welcome();
    bench.assign(0, 3);
    bench.begin(0);
    bench.end(0); // waits to be reported
    bench.sent();
    bench.receive(Fence{});
    bench.end(1, Outcome::Interrupted);
    bench.executor->tellAllStopped();
    bench.welcome(2);
    bench.clock.advance(50ms);
    for (const FarmMessage& message : bench.polled()) {
        if (const Report* report = std::get_if<Report>(&message))
            QVERIFY(report->started.empty() && report->finished.empty());
    }
}

void TestWorker::messagesOfAnotherLifeAreDropped()
{
    Bench bench;
    bench.welcome(3);
    bench.sent();
    bench.incarnation = Incarnation(2);
    bench.assign(0, 1);
    bench.receive(Fence{});
    bench.receive(Goodbye{});
    bench.incarnation = Incarnation(3);
    bench.epoch = Epoch(1);
    bench.assign(0, 1);
    bench.receive(Halt{});
    QVERIFY(bench.executor->launches.empty());
    QVERIFY(bench.executor->stopAllReasons.empty());
    QVERIFY(bench.sent().empty());
    bench.epoch = Epoch(2);
    bench.assign(0, 1);
    QCOMPARE(bench.launchedTasks(), Tasks{0});
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

void TestWorker::goodbyeWhileFenced()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 1);
    bench.receive(Fence{});
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
    bench.receive(Fence{});
    bench.receive(Goodbye{});
    bench.welcome(2);
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

void TestWorker::beatsWhenNothingElseIsSent()
{
    Bench bench;
    bench.welcome();
    bench.sent();
    int beats = 0;
    for (int tenth = 0; tenth < 100; ++tenth) {
        bench.clock.advance(100ms);
        bench.receive(Beat{});
        for (const FarmMessage& message : bench.polled())
            beats += std::holds_alternative<Beat>(message) ? 1 : 0;
    }
    QCOMPARE(beats, 10); // ten in the time after which silence counts
}

void TestWorker::silenceOfTheMasterEndsTheWork()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 1);
    for (int tenth = 0; tenth < 300; ++tenth) {
        bench.clock.advance(100ms);
        bench.worker.poll();
    }
    QVERIFY(bench.executor->stopAllReasons.empty()); // exactly three times the limit: not longer
    bench.receive(Beat{});
    for (int tenth = 0; tenth < 300; ++tenth) {
        bench.clock.advance(100ms);
        bench.worker.poll();
    }
    QVERIFY(bench.executor->stopAllReasons.empty());
    bench.clock.advance(1ms);
    bench.worker.poll();
    QCOMPARE(bench.executor->stopAllReasons.size(), std::size_t{1});
    bench.executor->tellAllStopped();
    QVERIFY(bench.worker.over());
    QCOMPARE(bench.worker.end(), WorkerEnd::Abandoned);
}

void TestWorker::silenceEndsTheGreetingToo()
{
    Bench bench;
    for (int tenth = 0; tenth <= 300 && !bench.worker.over(); ++tenth) {
        bench.clock.advance(100ms);
        bench.worker.poll();
    }
    QVERIFY(bench.worker.over());
    QCOMPARE(bench.worker.end(), WorkerEnd::Abandoned);
}

void TestWorker::ownLatenessIsNotTheMastersSilence()
{
    Bench bench;
    bench.welcome();
    for (int tenth = 0; tenth < 200; ++tenth) {
        bench.clock.advance(100ms);
        bench.worker.poll();
    }
    bench.clock.advance(1h); // stopped and continued
    bench.worker.poll();
    QVERIFY(bench.executor->stopAllReasons.empty());
    // What was heard on waking up does not make the master's next silence longer.
    bench.clock.advance(1h);
    bench.receive(Beat{});
    bench.worker.poll();
    for (int tenth = 0; tenth <= 301; ++tenth) {
        bench.clock.advance(100ms);
        bench.worker.poll();
    }
    QCOMPARE(bench.executor->stopAllReasons.size(), std::size_t{1});
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
#include "tst_worker.moc"

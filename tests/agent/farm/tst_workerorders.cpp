// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "workerbench.h"

namespace tst_workerorders {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = WorkerBench;
using Tasks = std::vector<std::uint32_t>;
using Keys = std::vector<AttemptKey>;

/// For so long a worker that was stopped starts nothing.
constexpr auto caution = 200ms;

} // namespace

/// What operators have a worker do, and its caution after it was stopped itself.
class TestWorkerOrders : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withdrawGivesWhatHasNotStarted();
    void withdrawInVainIsAnswered();
    void withdrawAfterRecall();
    void withdrawnAttemptsCanComeAgain();
    void stopKillsWhatRuns();
    void stopOfOthersIsIgnored();
    void interruptionOfWhatHasNotStartedEndsIt();
    void cancellationLeavesWhatHasNotStarted();
    void worldsAreHandedOn();
    void peekIsAnsweredWithItsNumber();
    void peekAnswersOfAnEarlierHoldingAreHarmless();
    void outputIsHandedToWhoeverAsks();
    void ordersOutsideOfWorkAreIgnored();
    void wokenWorkerStartsNothingForAMoment();
    void suspendedWorkerStartsAndReportsNothing();
    void suspendedWorkerForgetsWhenItIsDropped();
    void wokenWorkerNoticesBeforeItsNextPoll();
    void wokenWorkerThatWasGivenUpStartsNothing();
    void wokenWorkerGivesBackWhatItHoldsBack();
    void shortLatenessHoldsNothingBack();
};

void TestWorkerOrders::withdrawGivesWhatHasNotStarted()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 6);
    bench.sent();
    bench.receive(Withdraw{{key(4), key(1), key(3), key(9), key(5, 2)}});
    const auto messages = bench.sent();
    QVERIFY(only<Withdrawn>(messages));
    QCOMPARE(only<Withdrawn>(messages)->keys, (Keys{key(3), key(4)})); // 1 runs
    for (const std::uint32_t task : {0U, 1U, 2U, 5U})
        bench.end(task);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 2, 5}));
    QVERIFY(bench.executor->stopped.empty());
    QVERIFY(bench.worker.idle());
}

void TestWorkerOrders::withdrawInVainIsAnswered()
{
    Bench bench;
    bench.welcome();
    bench.sent();
    for (const Withdraw& order : {Withdraw{}, Withdraw{{key(7)}}}) {
        bench.receive(order);
        const auto messages = bench.sent();
        QVERIFY(only<Withdrawn>(messages)); // the master waits for it
        QVERIFY(only<Withdrawn>(messages)->keys.empty());
    }
}

void TestWorkerOrders::withdrawAfterRecall()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 4);
    bench.sent();
    bench.receive(Recall{2});
    bench.receive(Withdraw{{key(1), key(2), key(3)}});
    const auto messages = bench.sent();
    QCOMPARE(messages.size(), std::size_t{2});
    QCOMPARE(std::get<Returned>(messages[0]).keys, (Keys{key(3), key(2)}));
    QCOMPARE(std::get<Withdrawn>(messages[1]).keys, Keys{key(1)}); // each is given back once
}

void TestWorkerOrders::withdrawnAttemptsCanComeAgain()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 3);
    bench.receive(Withdraw{{key(1)}});
    bench.assign(1, 1); // as another command
    bench.end(0);
    bench.end(2);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 2, 1}));
}

void TestWorkerOrders::stopKillsWhatRuns()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 3);
    bench.sent();
    bench.receive(Stop{{key(1)}});
    QCOMPARE(bench.executor->stopped, Keys{key(1)});
    QCOMPARE(bench.executor->stopReasons, std::vector{StopReason::Cancelled});
    QVERIFY(bench.executor->stopAllReasons.empty());
    QVERIFY(bench.sent().empty()); // its end is the answer
    bench.end(1, Outcome::Cancelled);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 2}));
    bench.clock.advance(10ms);
    const auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{1});
    QCOMPARE(only<Report>(messages)->finished[0].result.outcome, Outcome::Cancelled);
}

void TestWorkerOrders::stopOfOthersIsIgnored()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 2);
    bench.end(0);
    bench.receive(Stop{{key(0), key(1, 2), key(5)}}); // over, another attempt, never here
    QVERIFY(bench.executor->stopped.empty());
    bench.receive(Stop{{key(0), key(1)}});
    QCOMPARE(bench.executor->stopped, Keys{key(1)});
}

// The others of its world have begun: it would be waited for.
void TestWorkerOrders::interruptionOfWhatHasNotStartedEndsIt()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 5);
    bench.sent();
    bench.receive(
        Stop{.keys = {key(1), key(2), key(4), key(9)}, .reason = StopReason::Interrupted});
    QCOMPARE(bench.executor->stopped, Keys{key(1)}); // it runs
    QCOMPARE(bench.executor->stopReasons, std::vector{StopReason::Interrupted});
    bench.clock.advance(10ms);
    const auto messages = bench.polled();
    const auto* report = only<Report>(messages);
    QVERIFY(report);
    QCOMPARE(report->finished.size(), std::size_t{2});
    for (const std::size_t which : {0U, 1U}) {
        QCOMPARE(report->finished[which].key, key(which == 0 ? 2 : 4));
        QCOMPARE(report->finished[which].result.outcome, Outcome::Interrupted);
    }
    bench.end(0);
    bench.end(1, Outcome::Interrupted);
    bench.end(3);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 3}));
    bench.receive(Stop{.keys = {key(2)}, .reason = StopReason::Interrupted}); // said again
    bench.clock.advance(10ms);
    QCOMPARE(only<Report>(bench.polled())->finished.size(), std::size_t{3}); // each once
    QVERIFY(bench.worker.idle());
}

void TestWorkerOrders::cancellationLeavesWhatHasNotStarted()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 2);
    bench.receive(Stop{.keys = {key(0), key(1)}, .reason = StopReason::Cancelled});
    bench.end(0, Outcome::Cancelled);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1})); // it is withdrawn, if at all
}

void TestWorkerOrders::worldsAreHandedOn()
{
    Bench bench;
    bench.welcome();
    const auto start = std::make_shared<const WorldStart>(
        WorldStart{.world = 2, .generation = 5, .first = Rank(3), .holders = {ProcessorId(3)}});
    TaskSettings settings;
    settings.seat = WorldSeat{2, Rank(3)};
    bench.receive(Assign{{{.key = key(0),
                           .command = "./solver",
                           .settings = std::make_shared<const TaskSettings>(settings),
                           .world = start}}});
    QCOMPARE(bench.executor->launches.size(), std::size_t{1});
    const Launch& launch = bench.executor->launches.front();
    QVERIFY(launch.world && *launch.world == *start);
    QVERIFY(launch.settings->seat == settings.seat);
    bench.assign(1, 1);
    bench.end(0);
    QVERIFY(!bench.executor->launches.back().world);
}

void TestWorkerOrders::peekIsAnsweredWithItsNumber()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 2);
    bench.sent();
    const OutputQuery query{.key = key(1), .standardOutputFrom = 5, .standardErrorFrom = 6};
    bench.receive(Peek{7, query});
    bench.receive(Peek{8, {.key = key(0)}});
    QVERIFY(bench.sent().empty());
    QCOMPARE(bench.executor->peeks.size(), std::size_t{2});
    QCOMPARE(bench.executor->peeks[0].first, query);
    OutputAnswer answer{.key = key(0), .known = true, .running = true};
    answer.standardError = {.offset = 1, .bytes = "x", .totalBytes = 2};
    bench.executor->peeks[1].second(answer); // in any order
    auto messages = bench.sent();
    QVERIFY(only<Peeked>(messages));
    QCOMPARE(*only<Peeked>(messages), (Peeked{.number = 8, .answer = answer}));
    bench.executor->peeks[0].second(OutputAnswer{.key = key(1)});
    messages = bench.sent();
    QCOMPARE(only<Peeked>(messages)->number, 7U);
}

void TestWorkerOrders::peekAnswersOfAnEarlierHoldingAreHarmless()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 1);
    bench.receive(Peek{1, {.key = key(0)}});
    bench.worker.drop();
    bench.sent();
    bench.executor->peeks[0].second(OutputAnswer{.key = key(0)});
    QVERIFY(bench.sent().empty()); // the master has given it up
}

void TestWorkerOrders::ordersOutsideOfWorkAreIgnored()
{
    Bench bench;
    bench.welcome();
    bench.assign(0, 2);
    bench.worker.drop();
    bench.sent();
    bench.receive(Withdraw{{key(1)}});
    bench.receive(Stop{{key(0)}});
    bench.receive(Peek{1, {.key = key(0)}});
    QVERIFY(bench.sent().empty());
    QVERIFY(bench.executor->stopped.empty());
    QVERIFY(bench.executor->peeks.empty());
}

void TestWorkerOrders::wokenWorkerStartsNothingForAMoment()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 4);
    bench.worker.poll();
    bench.clock.advance(5'001ms); // it was stopped
    bench.worker.poll();
    bench.end(0);
    bench.end(1);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    for (int hundredth = 0; hundredth < 20; ++hundredth) {
        bench.clock.advance(caution / 20 - 1ms);
        bench.polled();
        QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    }
    bench.clock.advance(20ms); // the time is over
    bench.polled();
    bench.polled(); // a report may come first
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 2, 3}));
}

/// What runs goes on, what is said to it is taken when it is not suspended any more.
void TestWorkerOrders::suspendedWorkerStartsAndReportsNothing()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 3);
    bench.polled();
    bench.sent();
    bench.worker.suspend(true);
    bench.end(0);
    bench.receive(Stop{{key(1)}});
    for (int tenth = 0; tenth < 50; ++tenth) {
        bench.clock.advance(100ms);
        QVERIFY(bench.polled().empty());
    }
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    QVERIFY(bench.executor->stopped.empty());
    bench.worker.suspend(false);
    QCOMPARE(bench.executor->stopped, Keys{key(1)});
    QVERIFY(!bench.polled().empty());
    bench.polled();
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 2}));
}

void TestWorkerOrders::suspendedWorkerForgetsWhenItIsDropped()
{
    Bench bench(2);
    bench.welcome();
    bench.assign(0, 1);
    bench.polled();
    bench.worker.suspend(true);
    bench.receive(Stop{{key(0)}});
    bench.worker.drop();
    QCOMPARE(bench.executor->stopAllReasons.size(), std::size_t(1)); // at once
    bench.worker.suspend(false);
    QVERIFY(bench.executor->stopped.empty());
}

/// The first thing after waking up may be a message, or the end of an attempt.
void TestWorkerOrders::wokenWorkerNoticesBeforeItsNextPoll()
{
    Bench bench(1);
    bench.welcome();
    bench.assign(0, 2);
    bench.worker.poll();
    bench.clock.advance(8s);
    bench.end(0);
    bench.assign(7, 1);
    QCOMPARE(bench.launchedTasks(), Tasks{0});
    for (int tenth = 0; tenth < 25; ++tenth) {
        bench.polled();
        bench.clock.advance(10ms);
    }
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
    bench.end(1);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 7})); // caution is over
}

void TestWorkerOrders::wokenWorkerThatWasGivenUpStartsNothing()
{
    Bench bench(1);
    bench.welcome();
    bench.assign(0, 3);
    bench.worker.poll();
    bench.clock.advance(30s);
    bench.end(0);
    bench.worker.poll();
    bench.takeAgain(); // its tasks run elsewhere, but it has got the rank again
    bench.executor->tellAllStopped();
    bench.clock.advance(5s);
    bench.worker.poll();
    QCOMPARE(bench.launchedTasks(), Tasks{0});
    bench.welcome();
    bench.assign(1, 1);
    bench.clock.advance(caution);
    bench.polled();
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
}

void TestWorkerOrders::wokenWorkerGivesBackWhatItHoldsBack()
{
    Bench bench(2);
    bench.welcome();
    bench.worker.poll();
    bench.clock.advance(6s);
    bench.assign(0, 4); // was on its way
    QVERIFY(bench.executor->launches.empty());
    bench.sent();
    bench.receive(Withdraw{{key(0), key(2)}});
    const auto messages = bench.sent();
    QVERIFY(only<Withdrawn>(messages));
    QCOMPARE(only<Withdrawn>(messages)->keys, (Keys{key(0), key(2)}));
    bench.worker.poll();
    bench.clock.advance(caution);
    bench.polled();
    QCOMPARE(bench.launchedTasks(), (Tasks{1, 3}));
}

void TestWorkerOrders::shortLatenessHoldsNothingBack()
{
    Bench bench(1);
    bench.welcome();
    bench.assign(0, 2);
    bench.worker.poll();
    bench.clock.advance(5s); // not longer than it may be
    bench.end(0);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1}));
}

// Fails if who prints output has to be the chief, or waits for ever for an executor that has gone.
void TestWorkerOrders::outputIsHandedToWhoeverAsks()
{
    WorkerBench bench;
    const auto ask = [&bench](FarmMessage message) {
        bench.worker.receive(ProcessorId(2),
                             {.epoch = bench.epoch, .held = {}, .message = std::move(message)});
    };
    const auto answered = [&bench] {
        const auto sent = bench.transport.takeSent();
        if (sent.size() != 1 || sent.front().to != ProcessorId(2))
            return OutputFetched{};
        return std::get<OutputFetched>(decode(sent.front().message)->message);
    };
    bench.transport.takeSent();
    ask(FetchOutput{.number = 4, .query = {.key = key(0)}});
    QCOMPARE(answered().number, 4U); // not known: nothing runs here yet
    bench.welcome();
    bench.transport.takeSent();
    ask(FetchOutput{.number = 5, .query = {.key = key(1), .standardOutputFrom = 7}, .wait = true});
    QCOMPARE(bench.executor->fetches.size(), std::size_t(1));
    QVERIFY(bench.executor->fetches.front().wait);
    bench.executor->fetches.front().answer(
        {.answer = {.key = key(1), .known = true}, .problem = {}});
    const OutputFetched first = answered();
    QVERIFY(first.number == 5 && first.output.answer.known);
    ask(ReleaseOutput{key(1)});
    QCOMPARE(bench.executor->released, std::vector{key(1)});
    ask(FetchOutput{.number = 6, .query = {.key = key(2)}, .wait = true});
    bench.worker.take({Rank(1), Incarnation(1)}); // another rank: another executor
    bench.executor->tellAllStopped();
    bench.held = {Rank(1), Incarnation(1)};
    bench.transport.takeSent();
    bench.welcome();
    const OutputFetched last = answered();
    QVERIFY(last.number == 6 && !last.output.answer.known);
}

QTEST_APPLESS_MAIN(TestWorkerOrders)

} // namespace tst_workerorders

#include "tst_workerorders.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Attempts that a signal ends about when the run is interrupted, whichever is heard of first.
#include "farm/interruption.h"
#include "masterbench.h"
#include "workerbench.h"

#include <QTest>

#include <csignal>

namespace tst_interruption {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;
using namespace std::chrono_literals;

namespace {

constexpr HoldingPolicy signalsAlone{.grace = 300ms};
constexpr HoldingPolicy inAllocation{.grace = 300ms, .allFailures = true};
constexpr std::int32_t shellsSigterm = 128 + SIGTERM;
const Rank one{1};

/// @return the outcome that a worker has reported, if it has reported one
std::optional<Outcome> reported(const std::vector<FarmMessage>& messages)
{
    for (const FarmMessage& message : messages) {
        if (const auto* report = std::get_if<Report>(&message); report && !report->finished.empty())
            return report->finished.front().result.outcome;
    }
    return std::nullopt;
}

} // namespace

class TestInterruption : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void verdicts_data();
    void verdicts();
    void signalBeforeTheInterruptionIsHeard();
    void signalAfterTheInterruptionWasHeard();
    void withoutAnInterruptionItHasFailed();
    void slotIsFreeMeanwhile();
    void inAnAllocationEveryFailureWaits();
    void nothingStartsWhileTheRunIsKilled();
    void heldEndsStandInTheResyncCall();
    void masterKnowsBetterThanAWorkerThatHasNotHeard();
    void processorsLostInTheKillingBurnNoRetry();
};

void TestInterruption::verdicts_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("whenAsked");
    QTest::addColumn<bool>("whenKilling");
    const auto row = [](const char* name, Outcome outcome, int code, bool asked, bool killing) {
        QTest::newRow(name) << int(outcome) << code << asked << killing;
    };
    row("succeeded", Outcome::Succeeded, 0, false, false);
    row("failed", Outcome::Failed, 1, false, true);
    row("SIGTERM", Outcome::Signalled, SIGTERM, true, true);
    row("SIGKILL", Outcome::Signalled, SIGKILL, true, true);
    row("SIGUSR1", Outcome::Signalled, SIGUSR1, true, true);
    row("its shell's SIGTERM", Outcome::Failed, shellsSigterm, true, true);
    row("crashed", Outcome::Signalled, SIGSEGV, false, true);
    row("its shell's crash", Outcome::Failed, 128 + SIGSEGV, false, true);
    row("timed out", Outcome::TimedOut, 0, false, false);
    row("cancelled", Outcome::Cancelled, 0, false, false);
    row("lost", Outcome::Lost, 0, false, true);
    row("not started", Outcome::NotStarted, 2, false, false);
}

void TestInterruption::verdicts()
{
    QFETCH(int, outcome);
    QFETCH(int, code);
    QFETCH(bool, whenAsked);
    QFETCH(bool, whenKilling);
    AttemptResult result;
    result.outcome = static_cast<Outcome>(outcome);
    result.code = code;
    QCOMPARE(judged(result, Interruption::None), result);
    QCOMPARE(judged(result, Interruption::Asked).outcome == Outcome::Interrupted, whenAsked);
    QCOMPARE(judged(result, Interruption::Killing).outcome == Outcome::Interrupted, whenKilling);
}

void TestInterruption::signalBeforeTheInterruptionIsHeard()
{
    for (const auto& [outcome, code] : {std::pair(Outcome::Signalled, std::int32_t{SIGTERM}),
                                        std::pair(Outcome::Failed, shellsSigterm)}) {
        WorkerBench bench(1, true, signalsAlone);
        bench.welcome();
        bench.assign(0, 1);
        bench.end(0, outcome, code);
        QVERIFY(!reported(bench.polled()));
        bench.clock.advance(200ms);
        QVERIFY(!reported(bench.polled()));
        bench.worker.interruptionHeard(Interruption::Asked);
        QCOMPARE(reported(bench.polled()), Outcome::Interrupted);
    }
}

void TestInterruption::signalAfterTheInterruptionWasHeard()
{
    WorkerBench bench(1, true, signalsAlone);
    bench.welcome();
    bench.assign(0, 1);
    bench.worker.interruptionHeard(Interruption::Asked);
    bench.clock.advance(10s);
    bench.end(0, Outcome::Signalled, SIGTERM);
    QCOMPARE(reported(bench.polled()), Outcome::Interrupted);
}

void TestInterruption::withoutAnInterruptionItHasFailed()
{
    WorkerBench bench(1, true, signalsAlone);
    bench.welcome();
    bench.assign(0, 1);
    bench.end(0, Outcome::Signalled, SIGTERM);
    bench.clock.advance(299ms);
    QVERIFY(!reported(bench.polled()));
    bench.clock.advance(1ms);
    QCOMPARE(reported(bench.polled()), Outcome::Signalled);
    bench.worker.interruptionHeard(Interruption::Killing); // what was told stays
    QVERIFY(!reported(bench.polled()));
}

void TestInterruption::slotIsFreeMeanwhile()
{
    WorkerBench bench(1, true, signalsAlone);
    bench.welcome();
    bench.assign(0, 2);
    bench.end(0, Outcome::Signalled, SIGKILL);
    QCOMPARE(bench.launchedTasks(), (std::vector<std::uint32_t>{0, 1}));
    bench.end(1, Outcome::Signalled, SIGSEGV); // no signal of those who end allocations
    QCOMPARE(reported(bench.polled()), Outcome::Signalled);
}

void TestInterruption::inAnAllocationEveryFailureWaits()
{
    WorkerBench bench(1, true, inAllocation);
    bench.welcome();
    bench.assign(0, 3);
    bench.end(0, Outcome::Succeeded);
    bench.clock.advance(2ms);
    QCOMPARE(reported(bench.polled()), Outcome::Succeeded);
    bench.end(1, Outcome::Failed, 3); // how it answers SIGTERM
    QVERIFY(!reported(bench.polled()));
    bench.end(2, Outcome::Lost); // its guardian was killed
    QVERIFY(!reported(bench.polled()));
    bench.worker.interruptionHeard(Interruption::Killing);
    const auto messages = bench.polled();
    QVERIFY(only<Report>(messages));
    QCOMPARE(only<Report>(messages)->finished.size(), std::size_t{2});
    for (const FinishedAttempt& end : only<Report>(messages)->finished)
        QCOMPARE(end.result.outcome, Outcome::Interrupted);
}

void TestInterruption::nothingStartsWhileTheRunIsKilled()
{
    WorkerBench bench(1, true, signalsAlone);
    bench.welcome();
    bench.assign(0, 2);
    bench.worker.interruptionHeard(Interruption::Killing);
    bench.end(0, Outcome::Signalled, SIGTERM);
    bench.assign(2, 1);
    bench.polled();
    QCOMPARE(bench.launchedTasks(), (std::vector<std::uint32_t>{0}));
}

void TestInterruption::heldEndsStandInTheResyncCall()
{
    WorkerBench bench(1, true, signalsAlone);
    bench.welcome();
    bench.assign(0, 1);
    bench.end(0, Outcome::Signalled, SIGTERM);
    QVERIFY(!bench.worker.idle());
    bench.sent();
    bench.lead(ProcessorId(1), {});
    bench.leadership = LeadershipNumber(7);
    bench.receive(ResyncCall{.era = Era(1)});
    const auto messages = bench.sent();
    const auto* hello = std::get_if<Hello>(&messages.back());
    QVERIFY(hello);
    QCOMPARE(hello->standing.ended, (std::vector{key(0)}));
}

void TestInterruption::masterKnowsBetterThanAWorkerThatHasNotHeard()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.begin(one, key(0));
    bench.master->interrupt();
    bench.master->interrupt();
    bench.say(one, Returned{});
    bench.end(one, key(0), Outcome::Failed);
    bench.settle();
    const auto ends = bench.recorded<AttemptFinished>();
    QCOMPARE(ends.size(), std::size_t{1});
    QCOMPARE(ends.front().result.outcome, Outcome::Interrupted);
    QCOMPARE(ends.front().disposition, Disposition::Requeue);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
}

void TestInterruption::processorsLostInTheKillingBurnNoRetry()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.begin(one, key(0));
    bench.master->interrupt();
    bench.master->interrupt();
    bench.gone(one);
    bench.settle();
    QCOMPARE(bench.recorded<AttemptFinished>().at(0).disposition, Disposition::Requeue);
    QCOMPARE(bench.state.task(TaskId(0)).retriesUsed, (std::array<std::uint16_t, 4>{}));
}

QTEST_APPLESS_MAIN(TestInterruption)

} // namespace tst_interruption

#include "tst_interruption.moc"

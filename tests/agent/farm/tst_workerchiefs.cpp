// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "workerbench.h"

#include <algorithm>
#include <variant>

namespace tst_workerchiefs {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Tasks = std::vector<std::uint32_t>;
using StandingKeys = std::vector<AttemptKey>;
const ProcessorId groupSchedulerA(1);
const ProcessorId groupSchedulerB(2);

/// A worker that group scheduler A has welcomed, in era 1.
struct LedBench : WorkerBench {
    explicit LedBench(std::uint32_t slots = 1) : WorkerBench(slots, false)
    {
        lead(groupSchedulerA, LeadershipNumber(4));
        worker.take(held);
        call(1);
        welcome();
        sent();
    }
    void call(std::uint64_t era) { receive(ResyncCall{Era(era)}); }
};

/// @return the standing of the only Hello; empty with a failure when there is none
Standing standingIn(const std::vector<FarmMessage>& messages)
{
    const Hello* const hello = only<Hello>(messages);
    if (!hello)
        QTest::qFail("not one Hello", __FILE__, __LINE__);
    return hello ? hello->standing : Standing{};
}

} // namespace

/// A worker whose chief is a group scheduler, and changes.
class TestWorkerChiefs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsResultsThatAreDropped();
    void helloGoesToTheChiefAndEchoesTheResyncCall();
    void theMasterIsAskedForNoLeadership();
    void onlyTheChiefIsHeard();
    void changeOfChiefStopsNothing();
    void standingSaysWhatItHolds();
    void reportsAreToldAgainUntilNoted();
    void nothingIsReportedBeforeTheWelcome();
    void olderErasAndLeadershipsAreRefused();
    void masterDismissesWhoeverLeads();
    void brokenIsToldToBoth();
    void anotherRankBeginsWithNothing();
};

void TestWorkerChiefs::helloGoesToTheChiefAndEchoesTheResyncCall()
{
    WorkerBench bench(1, false);
    bench.lead(groupSchedulerA, LeadershipNumber(4));
    bench.worker.take(bench.held);
    QVERIFY(only<Hello>(bench.sent()));
    QCOMPARE(bench.leaderships.back(), LeadershipNumber(0));
    bench.welcome(); // without a resynchronisation call: of another leadership
    QCOMPARE(bench.executorsMade, 0);
    bench.receive(ResyncCall{Era(1)});
    QVERIFY(standingIn(bench.sent()) == Standing{});
    QCOMPARE(bench.leaderships.back(), LeadershipNumber(4));
    bench.receive(ResyncCall{Era(1)}); // said again, as the answer was on its way
    QVERIFY(bench.sent().empty());
    bench.clock.advance(50ms);
    QVERIFY(only<Hello>(bench.polled()));
    bench.welcome();
    QCOMPARE(bench.executorsMade, 1);
    bench.clock.advance(50ms);
    QVERIFY(bench.polled().empty());
}

void TestWorkerChiefs::theMasterIsAskedForNoLeadership()
{
    WorkerBench bench;
    bench.welcome();
    bench.assign(0, 1);
    bench.sent();
    bench.begin(0);
    bench.end(0);
    const auto messages = bench.polled();
    const Report* const report = only<Report>(messages);
    QVERIFY(report);
    QCOMPARE(report->number, std::uint64_t{1}); // it may have another chief later
    QCOMPARE(bench.leaderships.back(), LeadershipNumber(0));
}

void TestWorkerChiefs::onlyTheChiefIsHeard()
{
    LedBench bench;
    bench.chief = groupSchedulerB; // who is not
    bench.assign(0, 1);
    bench.receive(ResyncCall{Era(2)});
    bench.chief = ProcessorId(0);
    bench.assign(0, 1);
    bench.chief = groupSchedulerA;
    bench.leadership = LeadershipNumber(5);
    bench.assign(0, 1);
    QVERIFY(bench.worker.idle());
    QVERIFY(bench.sent().empty());
    bench.leadership = LeadershipNumber(4);
    bench.assign(0, 1);
    QVERIFY(!bench.worker.idle());
}

void TestWorkerChiefs::changeOfChiefStopsNothing()
{
    LedBench bench;
    bench.assign(0, 2);
    bench.begin(0);
    bench.lead(groupSchedulerB, LeadershipNumber(9));
    QVERIFY(standingIn(bench.sent()) == Standing{}); // not called yet
    bench.end(0);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1})); // what waits starts
    QVERIFY(bench.executor->stopped.empty() && bench.executor->stopAllReasons.empty());
    bench.call(2);
    bench.sent();
    bench.welcome();
    QCOMPARE(bench.executorsMade, 1);
    bench.assign(5, 1);
    bench.end(1);
    QCOMPARE(bench.launchedTasks(), (Tasks{0, 1, 5}));
}

void TestWorkerChiefs::standingSaysWhatItHolds()
{
    LedBench bench;
    bench.assign(0, 4);
    bench.begin(0);
    bench.end(0);
    bench.polled(); // reported, not noted
    bench.clock.advance(3ms);
    QVERIFY(only<Report>(bench.polled()));
    bench.begin(1);
    bench.end(1); // not reported
    bench.lead(groupSchedulerB, LeadershipNumber(9));
    bench.sent();
    bench.call(2);
    const Standing standing = standingIn(bench.sent());
    QCOMPARE(standing.running, StandingKeys{key(2)});
    QCOMPARE(standing.queued, StandingKeys{key(3)});
    QCOMPARE(standing.ended, (StandingKeys{key(0), key(1)}));
    QCOMPARE(bench.leaderships.back(), LeadershipNumber(9));
}

void TestWorkerChiefs::reportsAreToldAgainUntilNoted()
{
    LedBench bench;
    for (const std::uint32_t task : {0U, 1U, 2U}) {
        bench.assign(task, 1);
        bench.begin(task);
        bench.end(task);
        const auto messages = bench.polled();
        const Report* const report = only<Report>(messages);
        QVERIFY(report);
        QCOMPARE(report->number, std::uint64_t{task + 1});
    }
    bench.receive(Noted{1});
    bench.assign(7, 1);
    bench.begin(7);
    bench.polled(); // the start, number 4
    bench.lead(groupSchedulerB, LeadershipNumber(9));
    bench.call(2);
    bench.sent();
    bench.welcome();
    const auto again = bench.sent();
    QCOMPARE(again.size(), std::size_t{3}); // 2 to 4
    const auto* second = std::get_if<Report>(&again.front());
    QVERIFY(second && second->number == 2);
    QCOMPARE(second->finished.front().key, key(1));
    QCOMPARE(bench.leaderships.back(), LeadershipNumber(9));
    const auto next = bench.polled(); // what runs, anew
    const Report* const report = only<Report>(next);
    QVERIFY(report && report->number == 5);
    QCOMPARE(report->started.front().key, key(7));
    bench.receive(Noted{5});
    bench.lead(groupSchedulerA, LeadershipNumber(20));
    bench.call(3);
    QVERIFY(standingIn({bench.sent().back()}).ended.empty());
    bench.welcome();
    QVERIFY(bench.sent().empty());
}

void TestWorkerChiefs::nothingIsReportedBeforeTheWelcome()
{
    LedBench bench;
    bench.assign(0, 1);
    bench.lead(groupSchedulerB, LeadershipNumber(9));
    bench.call(2);
    bench.sent();
    bench.begin(0);
    bench.end(0);
    QVERIFY(bench.polled().empty());
    bench.receive(Recall{1});
    bench.welcome();
    const auto messages = bench.polled();
    // The recall came in the same leadership: it was answered.
    QVERIFY(std::ranges::any_of(messages, [](const FarmMessage& message) {
        const auto* report = std::get_if<Report>(&message);
        return report && report->finished.size() == 1;
    }));
}

// A group scheduler that was deposed may be its chief once more by a late view: what that one dealt
// belongs to somebody else by now.
void TestWorkerChiefs::olderErasAndLeadershipsAreRefused()
{
    LedBench bench;
    bench.lead(groupSchedulerB, LeadershipNumber(2));
    bench.call(3);
    bench.welcome();
    bench.sent();
    bench.lead(groupSchedulerA, LeadershipNumber(4));
    bench.sent();
    bench.call(1);
    bench.assign(0, 1);
    bench.leadership = LeadershipNumber(70);
    bench.call(2); // as in an era that came between
    bench.welcome();
    bench.assign(0, 1);
    QVERIFY(bench.sent().empty());
    QVERIFY(bench.worker.idle());
    bench.lead(groupSchedulerB, LeadershipNumber(2));
    bench.sent();
    bench.call(3); // was answered, and forgotten by whom it was said to
    QVERIFY(bench.sent().empty());
    bench.leadership = LeadershipNumber(5);
    bench.call(3);
    QVERIFY(only<Hello>(bench.sent()));
    bench.welcome();
    bench.assign(0, 1);
    QVERIFY(!bench.worker.idle());
}

void TestWorkerChiefs::masterDismissesWhoeverLeads()
{
    LedBench bench;
    bench.receive(Goodbye{}); // only the master may
    QVERIFY(!bench.worker.over());
    bench.worker.receive(ProcessorId(0), {.epoch = bench.epoch, .held = {}, .message = Goodbye{}});
    bench.executor->tellAllStopped();
    QVERIFY(bench.worker.over());
    const auto sent = bench.transport.takeSent();
    QCOMPARE(sent.size(), std::size_t{1});
    QCOMPARE(sent.front().to, ProcessorId(0));
    QVERIFY(std::holds_alternative<Left>(decode(sent.front().message)->message));
}

void TestWorkerChiefs::brokenIsToldToBoth()
{
    LedBench bench;
    bench.executor->tellFailed("no guardian");
    const auto sent = bench.transport.takeSent();
    QCOMPARE(sent.size(), std::size_t{2});
    QCOMPARE(sent[0].to, groupSchedulerA);
    QCOMPARE(sent[1].to, ProcessorId(0));
    for (const auto& item : sent) {
        const Result<Envelope> envelope = decode(item.message);
        QVERIFY(envelope.ok());
        const auto* broken = std::get_if<Broken>(&envelope->message);
        QVERIFY(broken && broken->reason == "no guardian");
    }
}

void TestWorkerChiefs::anotherRankBeginsWithNothing()
{
    LedBench bench;
    bench.assign(0, 2);
    bench.begin(0);
    bench.polled();
    bench.takeAgain();
    bench.executor->tellAllStopped();
    bench.sent();
    bench.leadership = LeadershipNumber(6);
    bench.call(1);
    QVERIFY(standingIn(bench.sent()) == Standing{});
    bench.welcome();
    QVERIFY(bench.sent().empty()); // no report of the last holding
}

// What it has told and nobody has noted, and what it was about to tell.
void TestWorkerChiefs::countsResultsThatAreDropped()
{
    WorkerBench bench(3);
    bench.welcome();
    QCOMPARE(bench.worker.resultsDropped(), std::size_t(0));
    bench.assign(0, 4);
    bench.end(0);
    bench.polled();
    const std::uint64_t noted = 1;
    bench.receive(Noted{.upTo = noted});
    bench.end(1);
    bench.clock.advance(1s);
    bench.polled();
    bench.end(2);
    bench.worker.drop();
    QCOMPARE(bench.worker.resultsDropped(), std::size_t(2));
}

QTEST_APPLESS_MAIN(TestWorkerChiefs)

} // namespace tst_workerchiefs

#include "tst_workerchiefs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "masterbench.h"

namespace tst_masterranks {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Phase = Master::Phase;
using Keys = std::vector<AttemptKey>;

const Rank one(1);
const Rank two(2);
const Rank three(3);

} // namespace

/// Who holds which rank, as the master is told, and what it makes of it.
class TestMasterRanks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingIsHandedOutBeforeTheSystemHasStarted();
    void rankIsTakenOver();
    void resultsOfAnEarlierHoldingDoNotCount();
    void helloWaitsUntilItsHoldingIsKnown();
    void helloOfAnotherHoldingIsNotHeard();
    void helloSaidAgainIsWelcomedAgain();
    void lossOfAnotherHoldingChangesNothing();
    void closedRankGetsNoWork();
    void processorsWithoutARankAreDismissedToo();
    void lostProcessorsAreNotWaitedFor();
    void systemEventsAreRecordedUntilTheEnd();
};

void TestMasterRanks::nothingIsHandedOutBeforeTheSystemHasStarted()
{
    MasterBench bench(Epoch(1), {}, false);
    bench.open(1);
    bench.hello(one);
    bench.settle();
    QCOMPARE(bench.sent<Welcome>(one).size(), std::size_t{1});
    QCOMPARE(bench.master->phase(), Phase::Opening);
    QVERIFY(bench.handed(one).empty());
    bench.master->begin();
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0)});
}

void TestMasterRanks::rankIsTakenOver()
{
    MasterBench bench;
    bench.open(2);
    bench.hello(one);
    bench.hello(two);
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0)});
    bench.begin(one, key(0));
    bench.gone(one, LossCause::Silent);
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>(),
             (std::vector{ProcessorLost{one, Incarnation(1), LossCause::Silent}}));
    bench.gone(three);
    bench.hold(one, Incarnation(2));
    bench.settle();
    bench.hello(one);
    bench.settle();
    QCOMPARE(bench.sent<Welcome>(one).size(), std::size_t{2});
    QCOMPARE(bench.handed(one), Keys{key(0, 2)});
    QCOMPARE(bench.recorded<ProcessorJoined>().back().rank, one);
    QCOMPARE(bench.recorded<ProcessorJoined>().back().incarnation, Incarnation(2));
}

void TestMasterRanks::resultsOfAnEarlierHoldingDoNotCount()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.begin(one, key(0));
    bench.gone(one);
    bench.hold(one, Incarnation(2));
    bench.hello(one);
    bench.settle();
    AttemptResult result;
    result.outcome = Outcome::Succeeded;
    for (const std::uint32_t attempt : {1U, 2U}) {
        bench.say(one, Report{.started = {}, .finished = {{key(0, attempt), SlotIndex(0), result}}},
                  Incarnation(1));
    }
    bench.settle();
    QCOMPARE(bench.recorded<AttemptFinished>().size(), std::size_t{1}); // Lost
    QCOMPARE(bench.state.unfinished(), std::size_t{1});
    bench.end(one, key(0, 2));
    bench.settle();
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{1});
}

void TestMasterRanks::helloWaitsUntilItsHoldingIsKnown()
{
    MasterBench bench;
    bench.open(1);
    bench.say(one, Hello{.host = "node", .pid = 1, .slotCount = 1}, Incarnation(2));
    bench.settle();
    QVERIFY(bench.sent<Welcome>(one).empty());
    QVERIFY(bench.recorded<ProcessorJoined>().empty());
    bench.master->rankLost(one, Incarnation(1), LossCause::Gone);
    bench.hold(one, Incarnation(2));
    QCOMPARE(bench.sent<Welcome>(one).size(), std::size_t{1});
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorJoined>().size(), std::size_t{1});
    QCOMPARE(bench.recorded<ProcessorJoined>().back().incarnation, Incarnation(2));
    QCOMPARE(bench.handed(one), Keys{key(0)});
}

// What was said for a holding that never came to be is not taken for another one.
void TestMasterRanks::helloOfAnotherHoldingIsNotHeard()
{
    MasterBench bench;
    bench.open(1);
    bench.say(one, Hello{.host = "node", .pid = 1, .slotCount = 1}, Incarnation(2));
    bench.master->rankLost(one, Incarnation(1), LossCause::Gone);
    bench.hold(one, Incarnation(3));
    bench.settle();
    QVERIFY(bench.sent<Welcome>(one).empty());
    bench.hello(one);
    QCOMPARE(bench.sent<Welcome>(one).size(), std::size_t{1});
}

void TestMasterRanks::helloSaidAgainIsWelcomedAgain()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.begin(one, key(0));
    QCOMPARE(bench.handed(one), Keys{key(0)});
    bench.hello(one);
    bench.settle();
    QCOMPARE(bench.sent<Welcome>(one).size(), std::size_t{2});
    QVERIFY(bench.handed(one).empty()); // it has what it has
    QCOMPARE(bench.recorded<ProcessorJoined>().size(), std::size_t{1});
}

void TestMasterRanks::lossOfAnotherHoldingChangesNothing()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.master->rankLost(one, Incarnation(2), LossCause::Gone);
    bench.master->rankLost(Rank(9), Incarnation(1), LossCause::Gone);
    bench.settle();
    QVERIFY(bench.recorded<ProcessorLost>().empty());
    bench.gone(one);
    bench.gone(one);
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1});
}

void TestMasterRanks::closedRankGetsNoWork()
{
    MasterBench bench;
    bench.open(6);
    bench.master->setOpen(two, false); // before it is there
    bench.hello(one);
    bench.hello(two);
    bench.settle();
    QVERIFY(bench.handed(two).empty());
    const Keys first = bench.handed(one);
    QVERIFY(first.size() > 1); // one runs, others wait
    bench.master->setOpen(one, false);
    bench.settle();
    QCOMPARE(bench.sent<Recall>(one).size(), std::size_t{1});
    bench.say(one, Returned{{first.begin() + 1, first.end()}});
    bench.settle();
    QVERIFY(bench.handed(one).empty());
    bench.master->setOpen(two, true);
    bench.settle();
    QVERIFY(!bench.handed(two).empty());
    bench.end(one, key(0)); // what ran there counts
    bench.settle();
    QVERIFY(bench.handed(one).empty());
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{1});
}

void TestMasterRanks::processorsWithoutARankAreDismissedToo()
{
    MasterBench bench;
    bench.open(0);
    bench.master->rankLost(three, Incarnation(1), LossCause::Gone); // it lives, without a rank
    bench.settle();
    QCOMPARE(bench.sent<Goodbye>(three).size(), std::size_t{1});
    bench.leave(one);
    bench.leave(two);
    bench.settle();
    QVERIFY(!bench.master->over());
    bench.leave(three);
    bench.settle();
    QVERIFY(bench.master->over());
    QVERIFY(!bench.master->losses());
}

void TestMasterRanks::lostProcessorsAreNotWaitedFor()
{
    MasterBench bench;
    bench.open(0);
    bench.gone(three);
    bench.settle();
    QVERIFY(bench.sent<Goodbye>(three).empty());
    QCOMPARE(bench.sent<Goodbye>(one), std::vector{Goodbye{.losses = true}});
    bench.leave(one);
    bench.gone(two); // in the middle of the dismissal
    bench.settle();
    QVERIFY(bench.master->over());
    QVERIFY(bench.master->losses());
}

void TestMasterRanks::systemEventsAreRecordedUntilTheEnd()
{
    MasterBench bench;
    bench.open(0);
    bench.master->record({Notice{.severity = Severity::Information, .text = "before"}});
    bench.settle();
    bench.master->record({Notice{.severity = Severity::Information, .text = "after"}});
    bench.settle();
    QCOMPARE(bench.recorded<Notice>().size(), std::size_t{1});
    QVERIFY(std::holds_alternative<RunClosed>(bench.journal.record().back().payload));
}

QTEST_APPLESS_MAIN(TestMasterRanks)

} // namespace tst_masterranks

#include "tst_masterranks.moc"

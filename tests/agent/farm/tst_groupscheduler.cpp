// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "groupschedulerbench.h"

namespace tst_groupscheduler {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

/// The tables of phases in docs/farm.md: how a group scheduler comes to lead, deals, and what it tells of
/// ranks that are lost.
class TestGroupScheduler : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void callsMasterAndRanksUntilTheyAnswer();
    void leadsAtOnceWhenNothingIsToBeClaimed();
    void waitsForEveryRankThatMayClaim();
    void nobodysClaimsGoBackOrAreLost();
    void lossOfARankEndsTheResync();
    void endsThatWereNotNotedCountAfterTheResync();
    void whatNobodyBelievesARankToHoldIsStopped();
    void dealsSlotsFirst();
    void reportsCarryRanksAndAreNoted();
    void reportsOfEarlierHoldingsAreDropped();
    void lostRankLeavesItsUnstartedToOthers();
    void newHolderIsCalledAndWelcomed();
    void lossIsToldBeforeTheNextHolder();
    void closedRankGivesBackAndGetsNothing();
    void idleRankGetsWhatAnotherHasWaiting();
    void brokenWorkerIsALostRank();
    void rankThatHadAnotherChiefTellsAnew();
    void resyncCallOfTheMasterBeginsAnew();
    void whoCallsIsHeardAtOnceByAMasterThatAsks();
    void anotherMasterIsToldWhatItsRecordLacks();
    void messagesOfOtherLeadershipsAreDropped();
};

void TestGroupScheduler::callsMasterAndRanksUntilTheyAnswer()
{
    GroupSchedulerBench bench;
    bench.groupScheduler.poll();
    QCOMPARE(bench.up<GroupHello>().size(), std::size_t{1});
    bench.groupScheduler.poll();
    QVERIFY(bench.up<GroupHello>().empty()); // not again at once
    bench.clock.advance(50ms);
    bench.groupScheduler.poll();
    QCOMPARE(bench.up<GroupHello>().size(), std::size_t{1});
    QVERIFY(bench.down<ResyncCall>(five).empty()); // in no era yet
    bench.hello(five);
    QVERIFY(bench.down<Welcome>(five).empty());

    bench.resync();
    QCOMPARE(bench.down<ResyncCall>(five), std::vector{ResyncCall{Era(1)}});
    bench.clock.advance(50ms);
    bench.groupScheduler.poll();
    QCOMPARE(bench.down<ResyncCall>(five), std::vector{ResyncCall{Era(1)}});
    bench.hello(five);
    QCOMPARE(bench.down<Welcome>(five), (std::vector{Welcome{.run = "run", .directory = "/work"}}));
    bench.clock.advance(50ms);
    bench.groupScheduler.poll();
    QVERIFY(bench.down<ResyncCall>(five).empty());
    QVERIFY(bench.up<GroupHello>().empty());
    QCOMPARE(bench.down<ResyncCall>(six).size(), std::size_t{3});
}

void TestGroupScheduler::leadsAtOnceWhenNothingIsToBeClaimed()
{
    GroupSchedulerBench bench;
    bench.resync();
    bench.groupScheduler.poll();
    QVERIFY(bench.groupScheduler.leads());
    QCOMPARE(bench.up<Resynced>().size(), std::size_t{1});
    bench.hello(six);
    bench.groupScheduler.poll();
    QCOMPARE(bench.told(), Words{"6 joined"});
}

void TestGroupScheduler::waitsForEveryRankThatMayClaim()
{
    GroupSchedulerBench bench;
    bench.resync({{key(1), five}, {key(2), {}}, {key(3), {}}});
    bench.hello(five, {.running = {key(1)}, .queued = {key(2)}, .ended = {}});
    bench.hello(six);
    bench.groupScheduler.poll();
    QVERIFY(!bench.groupScheduler.leads());
    QVERIFY(bench.up<Resynced>().empty());
    bench.hello(seven, {.running = {key(3)}, .queued = {}, .ended = {}});
    bench.groupScheduler.poll();
    QVERIFY(bench.groupScheduler.leads());
    QCOMPARE(bench.told(), (Words{"5 joined", "6 joined", "7 joined"})); // all claimed
    bench.end(seven, 3);
    bench.end(five, 2);
    bench.poll();
    QCOMPARE(bench.told(), (Words{"7 ended 3", "5 ended 2"}));
}

void TestGroupScheduler::nobodysClaimsGoBackOrAreLost()
{
    GroupSchedulerBench bench;
    bench.resync({{key(1), five}, {key(2), {}}, {key(3), six}});
    bench.hello(five, {.running = {}, .queued = {}, .ended = {key(1)}});
    bench.hello(six);
    bench.hello(seven);
    bench.groupScheduler.poll();
    const Words told = bench.told();
    QVERIFY(std::ranges::count(told, "returned 2") == 1);
    QVERIFY(std::ranges::count(told, "6 lost 3") == 1);
    QCOMPARE(told.size(), std::size_t{5}); // and three have joined
    QCOMPARE(bench.up<Resynced>().size(), std::size_t{1});
    bench.end(five, 1);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 ended 1"});
}

void TestGroupScheduler::lossOfARankEndsTheResync()
{
    GroupSchedulerBench bench;
    bench.resync({{key(1), five}, {key(2), {}}});
    bench.hello(six);
    bench.hello(seven);
    bench.groupScheduler.poll();
    QVERIFY(!bench.groupScheduler.leads());
    bench.lose(five);
    bench.groupScheduler.poll();
    QVERIFY(bench.groupScheduler.leads());
    const Words told = bench.told();
    QVERIFY(std::ranges::count(told, "5 lost 1") == 1);
    QVERIFY(std::ranges::count(told, "returned 2") == 1);
}

// The last group scheduler died with reports that the master had not noted.
void TestGroupScheduler::endsThatWereNotNotedCountAfterTheResync()
{
    GroupSchedulerBench bench;
    bench.resync({{key(1), five}});
    bench.hello(five, {.running = {}, .queued = {}, .ended = {key(1)}});
    bench.hello(six);
    bench.hello(seven);
    bench.groupScheduler.poll();
    bench.told();
    bench.numbers[five] = 8;
    bench.end(five, 1);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 ended 1"});
    bench.order(GroupNoted{bench.lastReport});
    QCOMPARE(bench.down<Noted>(five), std::vector{Noted{9}});
}

void TestGroupScheduler::whatNobodyBelievesARankToHoldIsStopped()
{
    GroupSchedulerBench bench;
    bench.resync();
    bench.hello(five, {.running = {key(1)}, .queued = {key(2)}, .ended = {key(3)}});
    QCOMPARE(bench.down<Stop>(five), std::vector{Stop{{key(1)}}});
    QCOMPARE(bench.down<Withdraw>(five), std::vector{Withdraw{{key(2)}}});
    bench.say(five, Withdrawn{{key(2)}});
    bench.end(five, 1);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 joined"}); // none of it is told
    QVERIFY(bench.up<Withdrawn>().empty());
}

void TestGroupScheduler::dealsSlotsFirst()
{
    GroupSchedulerBench bench;
    bench.lead(2);
    bench.assign({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    bench.poll();
    // Two slots each, one to each rank in turn; and of the rest a share of half.
    const Numbers atFive = bench.handed(five);
    QCOMPARE(Numbers(atFive.begin(), atFive.begin() + 2), (Numbers{0, 3}));
    const Numbers atSeven = bench.handed(seven);
    QCOMPARE(Numbers(atSeven.begin(), atSeven.begin() + 2), (Numbers{2, 5}));
    QVERIFY(bench.groupScheduler.book().waiting() >= 2);
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{10});
}

void TestGroupScheduler::reportsCarryRanksAndAreNoted()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.begin(five, 0);
    bench.end(six, 1);
    bench.end(five, 0);
    bench.poll();
    QCOMPARE(bench.told(), (Words{"5 started 0", "6 ended 1", "5 ended 0"}));
    QVERIFY(bench.down<Noted>(five).empty());
    bench.order(GroupNoted{bench.lastReport});
    QCOMPARE(bench.down<Noted>(five), std::vector{Noted{2}});
    QCOMPARE(bench.down<Noted>(six), std::vector{Noted{1}});
    QVERIFY(bench.down<Noted>(seven).empty());
    bench.order(GroupNoted{bench.lastReport});
    QVERIFY(bench.down<Noted>(five).empty());
    bench.end(five, 0); // once more
    bench.poll();
    QVERIFY(bench.told().empty());
}

void TestGroupScheduler::reportsOfEarlierHoldingsAreDropped()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.hold(five, Incarnation(2));
    bench.hello(five);
    bench.poll();
    bench.told();
    bench.held[five] = Incarnation(1);
    bench.end(five, 0);
    bench.poll();
    QVERIFY(bench.told().empty());
}

void TestGroupScheduler::lostRankLeavesItsUnstartedToOthers()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    bench.poll();
    const Numbers atFive = bench.handed(five);
    QVERIFY(atFive.size() > 1);
    bench.handed(six);
    bench.begin(five, atFive.front());
    bench.lose(five);
    bench.poll();
    QCOMPARE(bench.told(), (Words{"5 started 0", "5 lost 0"}));
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{11});
    bench.end(six, 1);
    bench.end(six, 4);
    bench.poll();
    const Numbers next = bench.handed(six);
    QVERIFY(!next.empty());
    QCOMPARE(next.front(), atFive[1]); // before what came later
}

void TestGroupScheduler::newHolderIsCalledAndWelcomed()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.lose(five);
    bench.down<ResyncCall>(five);
    bench.hold(five, Incarnation(2));
    QCOMPARE(bench.down<ResyncCall>(five).size(), std::size_t{1});
    bench.hello(five);
    QCOMPARE(bench.down<Welcome>(five).size(), std::size_t{2});
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 joined"});
}

// Else the record would say that the new holder has lost what it never had.
void TestGroupScheduler::lossIsToldBeforeTheNextHolder()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.begin(five, 0);
    bench.hold(five, Incarnation(2));
    bench.hello(five);
    bench.poll();
    const auto reports = bench.up<GroupReport>();
    QCOMPARE(reports.size(), std::size_t{2});
    QVERIFY(reports[0].joined.empty());
    QCOMPARE(reports[0].reports.back().report.finished.size(), std::size_t{1});
    QCOMPARE(reports[1].joined.size(), std::size_t{1});
    QCOMPARE(reports[1].joined.front().held, (HeldRank{five, Incarnation(2)}));
    QCOMPARE(reports[1].joined.front().holder, ProcessorId(5));
}

void TestGroupScheduler::closedRankGivesBackAndGetsNothing()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.groupScheduler.setOpen(five, false);
    bench.assign({0, 1});
    bench.poll();
    QVERIFY(bench.handed(five).empty());
    bench.groupScheduler.setOpen(five, true);
    bench.groupScheduler.setOpen(six, false);
    bench.poll();
    QCOMPARE(bench.down<Recall>(six).size(), std::size_t{1});
    bench.say(six, Returned{{key(0)}});
    bench.poll();
    QCOMPARE(bench.handed(five), Numbers{0});
    QVERIFY(bench.told().empty());
}

void TestGroupScheduler::idleRankGetsWhatAnotherHasWaiting()
{
    GroupSchedulerBench bench;
    bench.resync({{key(1), {}}, {key(2), {}}, {key(3), {}}, {key(4), {}}, {key(5), {}}});
    bench.hello(five,
                {.running = {key(1)}, .queued = {key(2), key(3), key(4), key(5)}, .ended = {}});
    bench.hello(six);
    bench.hello(seven);
    bench.poll();
    QCOMPARE(bench.down<Recall>(five), std::vector{Recall{2}});
    bench.told();
    bench.say(five, Returned{{key(5), key(4)}});
    bench.poll();
    // Their commands are not known here: the master deals them again.
    QCOMPARE(bench.told(), (Words{"returned 4", "returned 5"}));
}

void TestGroupScheduler::brokenWorkerIsALostRank()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.begin(five, 0);
    bench.say(five, Broken{"no guardian"});
    bench.poll();
    QCOMPARE(bench.told(), (Words{"5 started 0", "5 lost 0"}));
    bench.lose(five);
    bench.poll();
    QVERIFY(bench.told().empty());
}

// What was sent to it meanwhile it has dropped.
void TestGroupScheduler::rankThatHadAnotherChiefTellsAnew()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3});
    bench.poll();
    bench.begin(five, 0);
    const LeadershipNumber before = bench.calls[five];
    bench.say(five, Hello{.host = "node", .pid = 5, .slotCount = 1}, LeadershipNumber());
    bench.poll();
    QVERIFY(!bench.down<ResyncCall>(five).empty());
    QVERIFY(bench.calls[five] > before);
    bench.say(five, Report{.started = {}, .finished = {}, .number = 9}, before); // dropped
    bench.assign({4});
    bench.poll();
    QVERIFY(std::ranges::count(bench.handed(five), 4U) == 0);
    bench.told();
    bench.hello(five); // it holds nothing any more
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 lost 0"}); // and has not joined again
    QVERIFY(!bench.handed(five).empty());
}

/// A successor asks when it begins to listen; what was said before may be lost.
void TestGroupScheduler::whoCallsIsHeardAtOnceByAMasterThatAsks()
{
    GroupSchedulerBench bench;
    for (int said = 0; said < 4; ++said) { // seldom by now
        bench.groupScheduler.poll();
        bench.clock.advance(50ms);
    }
    bench.groupScheduler.poll();
    bench.up<GroupHello>();
    const LeadershipNumber leadership = bench.leadership;
    bench.order(GroupResyncCall{}, LeadershipNumber());
    bench.groupScheduler.poll();
    QCOMPARE(bench.up<GroupHello>().size(), std::size_t{1});
    QCOMPARE(bench.leadership, leadership); // it goes on
    bench.groupScheduler.poll();
    QVERIFY(bench.up<GroupHello>().empty());
}

void TestGroupScheduler::resyncCallOfTheMasterBeginsAnew()
{
    GroupSchedulerBench bench;
    bench.groupScheduler.poll();
    bench.order(GroupResyncCall{}, LeadershipNumber());
    QCOMPARE(bench.up<GroupHello>().size(), std::size_t{1}); // it is calling anyway
    bench.lead();
    bench.up<GroupHello>();
    bench.assign({0, 1, 2, 3});
    bench.poll();
    const LeadershipNumber before = bench.leadership;
    bench.order(GroupResyncCall{}, LeadershipNumber());
    QVERIFY(!bench.groupScheduler.leads());
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{0});
    QCOMPARE(bench.up<GroupHello>().size(), std::size_t{1});
    bench.resync({{key(0), {}}, {key(3), {}}});
    QVERIFY(bench.leadership > before);
    bench.hello(five, {.running = {key(0)}, .queued = {}, .ended = {}});
    bench.hello(six);
    bench.hello(seven);
    bench.poll();
    QVERIFY(bench.groupScheduler.leads());
    const Words told = bench.told();
    QVERIFY(std::ranges::count(told, "returned 3") == 1);
    QVERIFY(std::ranges::count(told, "5 joined") == 1);
}

// The master has died: its successor knows what is recorded, the ranks know more.
void TestGroupScheduler::anotherMasterIsToldWhatItsRecordLacks()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3});
    bench.poll();
    bench.begin(five, 0);
    bench.poll();
    bench.told();
    const ProcessorId successor(1);
    bench.groupScheduler.setMaster(successor);
    bench.groupScheduler.setMaster(successor); // nothing new
    bench.groupScheduler.poll();
    bench.up<GroupReport>();
    bench.down<ResyncCall>(five);
    bench.order(
        Resync{.run = "run", .directory = "/work", .era = Era(100), .attempts = {}}); // late
    QVERIFY(bench.down<ResyncCall>(five).empty());
    bench.master = successor;
    bench.order(Resync{.run = "run",
                       .directory = "/work",
                       .era = Era(1ULL << 32U),
                       .byRecord = true,
                       .attempts = {{key(0), five}, {key(9), six}}});
    QCOMPARE(bench.down<ResyncCall>(five).back().era, Era(1ULL << 32U));
    bench.hello(five, {.running = {key(0)}, .queued = {key(3)}, .ended = {}});
    bench.hello(six, {.running = {key(1)}, .queued = {}, .ended = {key(7)}});
    bench.groupScheduler.poll();
    QVERIFY(bench.up<Resynced>().empty()); // seven may hold something, too
    bench.hello(seven, {});
    bench.groupScheduler.poll();
    QCOMPARE(bench.up<Resynced>().size(), std::size_t{1});
    AttemptKeys claimed;
    Words words;
    for (const GroupReport& report : bench.up<GroupReport>()) {
        claimed.insert(claimed.end(), report.claimed.begin(), report.claimed.end());
        for (const RankReport& ofRank : report.reports) {
            for (const FinishedAttempt& one : ofRank.report.finished)
                words.push_back("lost " + std::to_string(one.key.task.value()));
        }
    }
    std::ranges::sort(claimed);
    QCOMPARE(claimed, (AttemptKeys{key(1), key(3), key(7)}));
    QCOMPARE(words, Words{"lost 9"}); // nobody has it
    QVERIFY(bench.down<Stop>(six).empty());
    QVERIFY(bench.down<Withdraw>(five).empty());
    bench.end(six, 7);
    bench.begin(six, 1);
    bench.poll();
    QCOMPARE(bench.told(), (Words{"6 ended 7", "6 started 1"}));
}

void TestGroupScheduler::messagesOfOtherLeadershipsAreDropped()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.order(Recall{1}, bench.leadership.next());
    bench.order(Recall{1}, LeadershipNumber());
    QVERIFY(bench.up<Returned>().empty());
    bench.groupScheduler.receive(ProcessorId(3),
                                 {.epoch = Epoch(2),
                                  .held = {},
                                  .message = Recall{1},
                                  .group = GroupId(5),
                                  .leadership = bench.leadership});
    bench.groupScheduler.receive(ProcessorId(0),
                                 {.epoch = Epoch(1),
                                  .held = {},
                                  .message = Recall{1},
                                  .group = GroupId(5),
                                  .leadership = bench.leadership});
    QVERIFY(bench.up<Returned>().empty());
    bench.order(Recall{1});
    QCOMPARE(bench.up<Returned>().size(), std::size_t{1});
    bench.assign({0});
    bench.poll();
    bench.say(five, Report{.started = {{key(0), SlotIndex(0), {}}}, .finished = {}, .number = 1},
              bench.calls[five].next());
    bench.poll();
    QVERIFY(bench.told().empty());
}

QTEST_APPLESS_MAIN(TestGroupScheduler)

} // namespace tst_groupscheduler

#include "tst_groupscheduler.moc"

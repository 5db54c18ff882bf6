// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "foremanbench.h"

namespace tst_foreman {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

/// The tables of phases in docs/farm.md: how a foreman comes to lead, deals, and what it tells of
/// ranks that are lost.
class TestForeman : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void callsMasterAndRanksUntilTheyAnswer();
    void leadsAtOnceWhenNothingIsToBeClaimed();
    void waitsForEveryRankThatMayClaim();
    void nobodysClaimsGoBackOrAreLost();
    void lossOfARankEndsTheMuster();
    void endsThatWereNotNotedCountAfterTheMuster();
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
    void rollCallOfTheMasterBeginsAnew();
    void whoCallsIsHeardAtOnceByAMasterThatAsks();
    void anotherMasterIsToldWhatItsRecordLacks();
    void messagesOfOtherTermsAreDropped();
};

void TestForeman::callsMasterAndRanksUntilTheyAnswer()
{
    ForemanBench bench;
    bench.foreman.poll();
    QCOMPARE(bench.up<CrewHello>().size(), std::size_t{1});
    bench.foreman.poll();
    QVERIFY(bench.up<CrewHello>().empty()); // not again at once
    bench.clock.advance(50ms);
    bench.foreman.poll();
    QCOMPARE(bench.up<CrewHello>().size(), std::size_t{1});
    QVERIFY(bench.down<RollCall>(five).empty()); // in no era yet
    bench.hello(five);
    QVERIFY(bench.down<Welcome>(five).empty());

    bench.muster();
    QCOMPARE(bench.down<RollCall>(five), std::vector{RollCall{1}});
    bench.clock.advance(50ms);
    bench.foreman.poll();
    QCOMPARE(bench.down<RollCall>(five), std::vector{RollCall{1}});
    bench.hello(five);
    QCOMPARE(bench.down<Welcome>(five), (std::vector{Welcome{.run = "run", .directory = "/work"}}));
    bench.clock.advance(50ms);
    bench.foreman.poll();
    QVERIFY(bench.down<RollCall>(five).empty());
    QVERIFY(bench.up<CrewHello>().empty());
    QCOMPARE(bench.down<RollCall>(six).size(), std::size_t{3});
}

void TestForeman::leadsAtOnceWhenNothingIsToBeClaimed()
{
    ForemanBench bench;
    bench.muster();
    bench.foreman.poll();
    QVERIFY(bench.foreman.leads());
    QCOMPARE(bench.up<Mustered>().size(), std::size_t{1});
    bench.hello(six);
    bench.foreman.poll();
    QCOMPARE(bench.told(), Words{"6 joined"});
}

void TestForeman::waitsForEveryRankThatMayClaim()
{
    ForemanBench bench;
    bench.muster({{key(1), five}, {key(2), {}}, {key(3), {}}});
    bench.hello(five, {.running = {key(1)}, .queued = {key(2)}, .ended = {}});
    bench.hello(six);
    bench.foreman.poll();
    QVERIFY(!bench.foreman.leads());
    QVERIFY(bench.up<Mustered>().empty());
    bench.hello(seven, {.running = {key(3)}, .queued = {}, .ended = {}});
    bench.foreman.poll();
    QVERIFY(bench.foreman.leads());
    QCOMPARE(bench.told(), (Words{"5 joined", "6 joined", "7 joined"})); // all claimed
    bench.end(seven, 3);
    bench.end(five, 2);
    bench.poll();
    QCOMPARE(bench.told(), (Words{"7 ended 3", "5 ended 2"}));
}

void TestForeman::nobodysClaimsGoBackOrAreLost()
{
    ForemanBench bench;
    bench.muster({{key(1), five}, {key(2), {}}, {key(3), six}});
    bench.hello(five, {.running = {}, .queued = {}, .ended = {key(1)}});
    bench.hello(six);
    bench.hello(seven);
    bench.foreman.poll();
    const Words told = bench.told();
    QVERIFY(std::ranges::count(told, "returned 2") == 1);
    QVERIFY(std::ranges::count(told, "6 lost 3") == 1);
    QCOMPARE(told.size(), std::size_t{5}); // and three have joined
    QCOMPARE(bench.up<Mustered>().size(), std::size_t{1});
    bench.end(five, 1);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 ended 1"});
}

void TestForeman::lossOfARankEndsTheMuster()
{
    ForemanBench bench;
    bench.muster({{key(1), five}, {key(2), {}}});
    bench.hello(six);
    bench.hello(seven);
    bench.foreman.poll();
    QVERIFY(!bench.foreman.leads());
    bench.lose(five);
    bench.foreman.poll();
    QVERIFY(bench.foreman.leads());
    const Words told = bench.told();
    QVERIFY(std::ranges::count(told, "5 lost 1") == 1);
    QVERIFY(std::ranges::count(told, "returned 2") == 1);
}

// The last foreman died with reports that the master had not noted.
void TestForeman::endsThatWereNotNotedCountAfterTheMuster()
{
    ForemanBench bench;
    bench.muster({{key(1), five}});
    bench.hello(five, {.running = {}, .queued = {}, .ended = {key(1)}});
    bench.hello(six);
    bench.hello(seven);
    bench.foreman.poll();
    bench.told();
    bench.numbers[five] = 8;
    bench.end(five, 1);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 ended 1"});
    bench.order(CrewNoted{bench.lastReport});
    QCOMPARE(bench.down<Noted>(five), std::vector{Noted{9}});
}

void TestForeman::whatNobodyBelievesARankToHoldIsStopped()
{
    ForemanBench bench;
    bench.muster();
    bench.hello(five, {.running = {key(1)}, .queued = {key(2)}, .ended = {key(3)}});
    QCOMPARE(bench.down<Stop>(five), std::vector{Stop{{key(1)}}});
    QCOMPARE(bench.down<Withdraw>(five), std::vector{Withdraw{{key(2)}}});
    bench.say(five, Withdrawn{{key(2)}});
    bench.end(five, 1);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 joined"}); // none of it is told
    QVERIFY(bench.up<Withdrawn>().empty());
}

void TestForeman::dealsSlotsFirst()
{
    ForemanBench bench;
    bench.lead(2);
    bench.assign({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    bench.poll();
    // Two slots each, one to each rank in turn; and of the rest a share of half.
    const Numbers atFive = bench.handed(five);
    QCOMPARE(Numbers(atFive.begin(), atFive.begin() + 2), (Numbers{0, 3}));
    const Numbers atSeven = bench.handed(seven);
    QCOMPARE(Numbers(atSeven.begin(), atSeven.begin() + 2), (Numbers{2, 5}));
    QVERIFY(bench.foreman.book().waiting() >= 2);
    QCOMPARE(bench.foreman.book().held(), std::size_t{10});
}

void TestForeman::reportsCarryRanksAndAreNoted()
{
    ForemanBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.begin(five, 0);
    bench.end(six, 1);
    bench.end(five, 0);
    bench.poll();
    QCOMPARE(bench.told(), (Words{"5 started 0", "6 ended 1", "5 ended 0"}));
    QVERIFY(bench.down<Noted>(five).empty());
    bench.order(CrewNoted{bench.lastReport});
    QCOMPARE(bench.down<Noted>(five), std::vector{Noted{2}});
    QCOMPARE(bench.down<Noted>(six), std::vector{Noted{1}});
    QVERIFY(bench.down<Noted>(seven).empty());
    bench.order(CrewNoted{bench.lastReport});
    QVERIFY(bench.down<Noted>(five).empty());
    bench.end(five, 0); // once more
    bench.poll();
    QVERIFY(bench.told().empty());
}

void TestForeman::reportsOfEarlierHoldingsAreDropped()
{
    ForemanBench bench;
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

void TestForeman::lostRankLeavesItsUnstartedToOthers()
{
    ForemanBench bench;
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
    QCOMPARE(bench.foreman.book().held(), std::size_t{11});
    bench.end(six, 1);
    bench.end(six, 4);
    bench.poll();
    const Numbers next = bench.handed(six);
    QVERIFY(!next.empty());
    QCOMPARE(next.front(), atFive[1]); // before what came later
}

void TestForeman::newHolderIsCalledAndWelcomed()
{
    ForemanBench bench;
    bench.lead();
    bench.lose(five);
    bench.down<RollCall>(five);
    bench.hold(five, Incarnation(2));
    QCOMPARE(bench.down<RollCall>(five).size(), std::size_t{1});
    bench.hello(five);
    QCOMPARE(bench.down<Welcome>(five).size(), std::size_t{2});
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 joined"});
}

// Else the record would say that the new holder has lost what it never had.
void TestForeman::lossIsToldBeforeTheNextHolder()
{
    ForemanBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.begin(five, 0);
    bench.hold(five, Incarnation(2));
    bench.hello(five);
    bench.poll();
    const auto reports = bench.up<CrewReport>();
    QCOMPARE(reports.size(), std::size_t{2});
    QVERIFY(reports[0].joined.empty());
    QCOMPARE(reports[0].reports.back().report.finished.size(), std::size_t{1});
    QCOMPARE(reports[1].joined.size(), std::size_t{1});
    QCOMPARE(reports[1].joined.front().held, (HeldRank{five, Incarnation(2)}));
    QCOMPARE(reports[1].joined.front().holder, ProcessorId(5));
}

void TestForeman::closedRankGivesBackAndGetsNothing()
{
    ForemanBench bench;
    bench.lead();
    bench.foreman.setOpen(five, false);
    bench.assign({0, 1});
    bench.poll();
    QVERIFY(bench.handed(five).empty());
    bench.foreman.setOpen(five, true);
    bench.foreman.setOpen(six, false);
    bench.poll();
    QCOMPARE(bench.down<Recall>(six).size(), std::size_t{1});
    bench.say(six, Returned{{key(0)}});
    bench.poll();
    QCOMPARE(bench.handed(five), Numbers{0});
    QVERIFY(bench.told().empty());
}

void TestForeman::idleRankGetsWhatAnotherHasWaiting()
{
    ForemanBench bench;
    bench.muster({{key(1), {}}, {key(2), {}}, {key(3), {}}, {key(4), {}}, {key(5), {}}});
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

void TestForeman::brokenWorkerIsALostRank()
{
    ForemanBench bench;
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
void TestForeman::rankThatHadAnotherChiefTellsAnew()
{
    ForemanBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3});
    bench.poll();
    bench.begin(five, 0);
    const std::uint64_t before = bench.calls[five];
    bench.say(five, Hello{.host = "node", .pid = 5, .slotCount = 1}, 0);
    bench.poll();
    QVERIFY(!bench.down<RollCall>(five).empty());
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
void TestForeman::whoCallsIsHeardAtOnceByAMasterThatAsks()
{
    ForemanBench bench;
    for (int said = 0; said < 4; ++said) { // seldom by now
        bench.foreman.poll();
        bench.clock.advance(50ms);
    }
    bench.foreman.poll();
    bench.up<CrewHello>();
    const std::uint64_t term = bench.term;
    bench.order(CrewRollCall{}, 0);
    bench.foreman.poll();
    QCOMPARE(bench.up<CrewHello>().size(), std::size_t{1});
    QCOMPARE(bench.term, term); // it goes on
    bench.foreman.poll();
    QVERIFY(bench.up<CrewHello>().empty());
}

void TestForeman::rollCallOfTheMasterBeginsAnew()
{
    ForemanBench bench;
    bench.foreman.poll();
    bench.order(CrewRollCall{}, 0);
    QCOMPARE(bench.up<CrewHello>().size(), std::size_t{1}); // it is calling anyway
    bench.lead();
    bench.up<CrewHello>();
    bench.assign({0, 1, 2, 3});
    bench.poll();
    const std::uint64_t before = bench.term;
    bench.order(CrewRollCall{}, 0);
    QVERIFY(!bench.foreman.leads());
    QCOMPARE(bench.foreman.book().held(), std::size_t{0});
    QCOMPARE(bench.up<CrewHello>().size(), std::size_t{1});
    bench.muster({{key(0), {}}, {key(3), {}}});
    QVERIFY(bench.term > before);
    bench.hello(five, {.running = {key(0)}, .queued = {}, .ended = {}});
    bench.hello(six);
    bench.hello(seven);
    bench.poll();
    QVERIFY(bench.foreman.leads());
    const Words told = bench.told();
    QVERIFY(std::ranges::count(told, "returned 3") == 1);
    QVERIFY(std::ranges::count(told, "5 joined") == 1);
}

// The master has died: its successor knows what is recorded, the ranks know more.
void TestForeman::anotherMasterIsToldWhatItsRecordLacks()
{
    ForemanBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3});
    bench.poll();
    bench.begin(five, 0);
    bench.poll();
    bench.told();
    const ProcessorId heir(1);
    bench.foreman.setMaster(heir);
    bench.foreman.setMaster(heir); // nothing new
    bench.foreman.poll();
    bench.up<CrewReport>();
    bench.down<RollCall>(five);
    bench.order(Muster{.run = "run", .directory = "/work", .era = 100, .attempts = {}}); // late
    QVERIFY(bench.down<RollCall>(five).empty());
    bench.master = heir;
    bench.order(Muster{.run = "run",
                       .directory = "/work",
                       .era = 1ULL << 32U,
                       .byRecord = true,
                       .attempts = {{key(0), five}, {key(9), six}}});
    QCOMPARE(bench.down<RollCall>(five).back().era, 1ULL << 32U);
    bench.hello(five, {.running = {key(0)}, .queued = {key(3)}, .ended = {}});
    bench.hello(six, {.running = {key(1)}, .queued = {}, .ended = {key(7)}});
    bench.foreman.poll();
    QVERIFY(bench.up<Mustered>().empty()); // seven may hold something, too
    bench.hello(seven, {});
    bench.foreman.poll();
    QCOMPARE(bench.up<Mustered>().size(), std::size_t{1});
    AttemptKeys claimed;
    Words words;
    for (const CrewReport& report : bench.up<CrewReport>()) {
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

void TestForeman::messagesOfOtherTermsAreDropped()
{
    ForemanBench bench;
    bench.lead();
    bench.order(Recall{1}, bench.term + 1);
    bench.order(Recall{1}, 0);
    QVERIFY(bench.up<Returned>().empty());
    bench.foreman.receive(ProcessorId(3),
                          {.epoch = Epoch(2),
                           .held = {},
                           .message = Recall{1},
                           .crew = CrewId(5),
                           .term = bench.term});
    bench.foreman.receive(ProcessorId(0),
                          {.epoch = Epoch(1),
                           .held = {},
                           .message = Recall{1},
                           .crew = CrewId(5),
                           .term = bench.term});
    QVERIFY(bench.up<Returned>().empty());
    bench.order(Recall{1});
    QCOMPARE(bench.up<Returned>().size(), std::size_t{1});
    bench.assign({0});
    bench.poll();
    bench.say(five, Report{.started = {{key(0), SlotIndex(0), {}}}, .finished = {}, .number = 1},
              bench.calls[five] + 1);
    bench.poll();
    QVERIFY(bench.told().empty());
}

QTEST_APPLESS_MAIN(TestForeman)

} // namespace tst_foreman

#include "tst_foreman.moc"

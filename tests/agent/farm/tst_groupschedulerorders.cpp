// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "groupschedulerbench.h"

namespace tst_groupschedulerorders {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

/// What the master asks of a group scheduler: one answer for all its ranks, whatever happens to them.
class TestGroupSchedulerOrders : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recallTakesTheQueueFirst();
    void recallBeyondTheQueueAsksTheRanks();
    void recallIsAnsweredThoughARankIsLost();
    void recallOfAllGivesUpWhatComesLater();
    void recallIsAnsweredThoughARankHadAnotherChief();
    void withdrawOfEverything();
    void withdrawIsAnsweredThoughARankIsLost();
    void withdrawIsSaidAgainToWhoHadAnotherChief();
    void whatIsKeptIsTakenForRunning();
    void stopGoesToWhoHoldsIt();
    void peekGoesToWhoHoldsIt();
    void peekOfALostRankIsAnswered();
    void haltGivesAllUp();
    void whoJoinsAfterAHaltIsHaltedToo();
};

void TestGroupSchedulerOrders::recallTakesTheQueueFirst()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    bench.poll();
    const std::size_t waiting = bench.groupScheduler.book().waiting();
    QVERIFY(waiting >= 2);
    bench.order(Recall{2});
    QCOMPARE(bench.up<Returned>(), std::vector{Returned({{key(9), key(8)}})});
    QVERIFY(bench.down<Recall>(five).empty());
    QCOMPARE(bench.groupScheduler.book().waiting(), waiting - 2);
}

void TestGroupSchedulerOrders::recallBeyondTheQueueAsksTheRanks()
{
    GroupSchedulerBench bench;
    bench.resync({{key(1), {}}, {key(2), {}}, {key(3), {}}});
    bench.hello(five, {.running = {key(1)}, .queued = {key(2), key(3)}, .ended = {}});
    bench.hello(six);
    bench.hello(seven);
    bench.groupScheduler.setOpen(six, false);
    bench.groupScheduler.setOpen(seven, false); // nobody idles
    bench.poll();
    bench.told();
    bench.order(Recall{1});
    QCOMPARE(bench.down<Recall>(five), std::vector{Recall{1}});
    QVERIFY(bench.up<Returned>().empty());
    bench.say(five, Returned{{key(3)}});
    // As nobody here has the command, the master has it back by a report.
    QCOMPARE(bench.told(), Words{"returned 3"});
    QCOMPARE(bench.up<Returned>(), std::vector{Returned{}});
}

void TestGroupSchedulerOrders::recallIsAnsweredThoughARankIsLost()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.order(Recall{3});
    for (const Rank rank : {five, six, seven})
        QCOMPARE(bench.down<Recall>(rank).size(), std::size_t{1});
    bench.say(five, Returned{});
    bench.say(seven, Returned{{key(2)}});
    QVERIFY(bench.up<Returned>().empty());
    bench.lose(six);
    QCOMPARE(bench.up<Returned>(), std::vector{Returned({{key(2), key(1)}})});
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{1});
}

// The run is to end, or nobody of the worker group gets work.
void TestGroupSchedulerOrders::recallOfAllGivesUpWhatComesLater()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.handed(five);
    bench.order(Recall{3});
    for (const Rank rank : {five, six, seven})
        bench.say(rank, Returned{}); // all run, but have not said so
    QCOMPARE(bench.up<Returned>(), std::vector{Returned{}});
    bench.lose(six);
    bench.poll();
    QVERIFY(bench.handed(five).empty());
    QCOMPARE(bench.told(), Words{"returned 1"});
    bench.assign({7}); // work again
    bench.end(five, 0);
    bench.poll();
    QCOMPARE(bench.handed(five), Numbers{7});
}

void TestGroupSchedulerOrders::recallIsAnsweredThoughARankHadAnotherChief()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0});
    bench.poll();
    bench.order(Recall{1});
    QVERIFY(bench.up<Returned>().empty());
    bench.say(five, Hello{.host = "node", .pid = 5, .slotCount = 1}, LeadershipNumber());
    QCOMPARE(bench.up<Returned>(), std::vector{Returned{}});
    bench.hello(five); // it has dropped what it was sent
    bench.poll();
    QCOMPARE(bench.told(), Words{"returned 0"});
}

void TestGroupSchedulerOrders::withdrawOfEverything()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    bench.poll();
    const Numbers atFive = bench.handed(five);
    bench.begin(five, 0);
    bench.order(Withdraw{{key(9), key(0), key(1), key(33)}});
    QVERIFY(bench.down<Withdraw>(five).empty()); // it runs there
    QCOMPARE(bench.down<Withdraw>(six), std::vector{Withdraw{{key(1)}}});
    QVERIFY(bench.up<Withdrawn>().empty());
    bench.say(six, Withdrawn{{key(1)}});
    QCOMPARE(bench.up<Withdrawn>(), std::vector{Withdrawn({{key(9), key(1)}})});
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{8});
    bench.order(Withdraw{{key(33)}});
    QCOMPARE(bench.up<Withdrawn>(), std::vector{Withdrawn{}});
    QVERIFY(!atFive.empty());
}

void TestGroupSchedulerOrders::withdrawIsAnsweredThoughARankIsLost()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.order(Withdraw{{key(0), key(1)}});
    bench.say(five, Withdrawn{{key(0)}});
    bench.lose(six); // it had not started it: it is here again, and given
    QCOMPARE(bench.up<Withdrawn>(), std::vector{Withdrawn({{key(0), key(1)}})});
    bench.poll();
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{1});
    QVERIFY(bench.told().empty());
}

void TestGroupSchedulerOrders::withdrawIsSaidAgainToWhoHadAnotherChief()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0});
    bench.poll();
    bench.order(Withdraw{{key(0)}});
    QCOMPARE(bench.down<Withdraw>(five).size(), std::size_t{1});
    bench.say(five, Hello{.host = "node", .pid = 5, .slotCount = 1}, LeadershipNumber());
    QVERIFY(bench.up<Withdrawn>().empty());
    bench.hello(five, {.running = {}, .queued = {key(0)}, .ended = {}});
    QCOMPARE(bench.down<Withdraw>(five), std::vector{Withdraw{{key(0)}}});
    bench.say(five, Withdrawn{{key(0)}});
    QCOMPARE(bench.up<Withdrawn>(), std::vector{Withdrawn{{key(0)}}});
}

// A task that is to be killed must not be dealt again when its rank is lost before it has said that
// it runs.
void TestGroupSchedulerOrders::whatIsKeptIsTakenForRunning()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0});
    bench.poll();
    bench.order(Withdraw{{key(0)}});
    bench.say(five, Withdrawn{});
    QCOMPARE(bench.up<Withdrawn>(), std::vector{Withdrawn{}});
    bench.lose(five);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 lost 0"});
}

void TestGroupSchedulerOrders::stopGoesToWhoHoldsIt()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.begin(five, 0);
    bench.order(Stop{{key(0), key(1), key(44)}});
    QCOMPARE(bench.down<Stop>(five), std::vector{Stop{{key(0)}}});
    QCOMPARE(bench.down<Stop>(six), std::vector{Stop{{key(1)}}});
    QVERIFY(bench.down<Stop>(seven).empty());
}

void TestGroupSchedulerOrders::peekGoesToWhoHoldsIt()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    const Peek peek{.number = 8, .query = {.key = key(1), .standardOutputFrom = 4}};
    bench.order(peek);
    QCOMPARE(bench.down<Peek>(six), std::vector{peek});
    const Peeked answer{.number = 8, .answer = {.key = key(1), .known = true}};
    bench.say(five, answer); // not who was asked
    QVERIFY(bench.up<Peeked>().empty());
    bench.say(six, answer);
    QCOMPARE(bench.up<Peeked>(), std::vector{answer});
    bench.say(six, answer);
    QVERIFY(bench.up<Peeked>().empty());

    bench.order(Peek{.number = 9, .query = {.key = key(77)}});
    const auto unknown = bench.up<Peeked>();
    QCOMPARE(unknown.size(), std::size_t{1});
    QCOMPARE(unknown.front().number, 9U);
    QVERIFY(!unknown.front().answer.known);
    QCOMPARE(unknown.front().answer.key, key(77));
}

void TestGroupSchedulerOrders::peekOfALostRankIsAnswered()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2});
    bench.poll();
    bench.order(Peek{.number = 8, .query = {.key = key(1)}});
    bench.lose(five);
    QVERIFY(bench.up<Peeked>().empty());
    bench.lose(six);
    const auto answers = bench.up<Peeked>();
    QCOMPARE(answers.size(), std::size_t{1});
    QVERIFY(!answers.front().answer.known);
}

void TestGroupSchedulerOrders::haltGivesAllUp()
{
    GroupSchedulerBench bench;
    bench.lead();
    bench.assign({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    bench.poll();
    const std::size_t waiting = bench.groupScheduler.book().waiting();
    bench.order(Halt{});
    const auto returned = bench.up<Returned>();
    QCOMPARE(returned.size(), std::size_t{1});
    QCOMPARE(returned.front().keys.size(), waiting);
    for (const Rank rank : {five, six, seven})
        QCOMPARE(bench.down<Halt>(rank).size(), std::size_t{1});
    bench.say(five, Returned{{key(3)}});
    bench.end(five, 0, Outcome::Interrupted);
    bench.handed(five);
    bench.poll();
    QCOMPARE(bench.told(), (Words{"5 ended 0", "returned 3"}));
    QVERIFY(bench.handed(five).empty());
    QVERIFY(bench.up<Returned>().empty());
}

void TestGroupSchedulerOrders::whoJoinsAfterAHaltIsHaltedToo()
{
    GroupSchedulerBench bench;
    bench.resync({{key(1), {}}});
    bench.hello(five);
    bench.hello(six);
    bench.lose(seven);
    bench.poll();
    bench.order(Halt{});
    bench.hold(seven, Incarnation(2));
    bench.hello(seven);
    QCOMPARE(bench.down<Halt>(seven).size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(TestGroupSchedulerOrders)

} // namespace tst_groupschedulerorders

#include "tst_groupschedulerorders.moc"

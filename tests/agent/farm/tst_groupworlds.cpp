// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "groupschedulerbench.h"

#include <algorithm>

namespace tst_groupworlds {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

/// The attempt at a rank of a world; tasks have any number.
AssignedTask seated(std::uint32_t task, Rank rank)
{
    TaskSettings settings;
    settings.seat = WorldSeat{0, rank};
    auto start = std::make_shared<WorldStart>();
    start->first = five;
    start->holders = {ProcessorId(5), ProcessorId(6), ProcessorId(7)};
    return {.key = key(task),
            .command = "./solver",
            .settings = std::make_shared<const TaskSettings>(std::move(settings)),
            .world = std::move(start)};
}

AssignedTask plain(std::uint32_t task)
{
    return {.key = key(task),
            .command = "c",
            .settings = std::make_shared<TaskSettings>(),
            .world = {}};
}

Numbers dealtTo(GroupBook& book, Rank rank)
{
    Numbers numbers;
    for (const auto& [to, tasks] : book.deal(0)) {
        for (const AssignedTask& task : tasks) {
            if (to == rank)
                numbers.push_back(task.key.task.value());
        }
    }
    return numbers;
}

/// A group scheduler that leads ranks 5, 6 and 7, or the first two of them, and is given the world on all three: tasks 0, 1, 2.
struct WorldBench : GroupSchedulerBench {
    explicit WorldBench(bool allAreThere = true)
    {
        if (allAreThere) {
            lead();
        } else {
            resync();
            hello(five);
            hello(six);
            groupScheduler.poll();
            told();
        }
        order(Assign{{seated(2, seven), seated(0, five), seated(1, six)}});
        poll();
    }
};

} // namespace

/// Ranks of worlds go to their holders and to nobody else. What breaks it: one that begins elsewhere, waits behind other tasks, or
/// is neither at a rank nor given back.
class TestGroupWorlds : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void dealtWhateverTheLoad();
    void dealtBesideReservedTasks();
    void waitForTheirHolders();
    void comeBackFromALostHolder();
    void givenUpAndTakenOut();
    void schedulerDealsWithTheStart();
    void schedulerWaitsForAHolder();
    void interruptedWhileTheyWait();
    void cancelledWhileTheyWait();
    void haltedWhileTheyWait();
};

void TestGroupWorlds::dealtWhateverTheLoad()
{
    GroupBook book;
    book.join(five, 1);
    book.join(six, 1);
    for (const std::uint32_t task : {10U, 11U, 12U, 13U})
        book.place(six, key(task), true); // more than it has slots
    book.enqueue({plain(20), seated(1, six), seated(0, six)});
    QCOMPARE(dealtTo(book, six), (Numbers{1, 0}));
    QCOMPARE(book.holder(key(1)), std::optional(six));
    QCOMPARE(book.holder(key(20)), std::optional(five));
    QCOMPARE(book.loads().at(six).outstanding, 6U);
}

void TestGroupWorlds::dealtBesideReservedTasks()
{
    GroupBook book;
    book.join(five, 1);
    book.enqueue({plain(20), seated(0, five)});
    const auto dealt = book.deal(1); // one that waits is wanted back
    QCOMPARE(dealt.size(), std::size_t{1});
    QCOMPARE(dealt.front().second.size(), std::size_t{1});
    QCOMPARE(dealt.front().second.front().key, key(0));
}

void TestGroupWorlds::waitForTheirHolders()
{
    GroupBook book;
    book.join(five, 4);
    book.enqueue({seated(1, six), seated(0, five)});
    QCOMPARE(dealtTo(book, five), (Numbers{0})); // five has room for both
    QVERIFY(!book.holder(key(1)));
    QCOMPARE(book.held(), std::size_t{2});
    book.join(six, 1);
    book.setOpen(six, false);
    QVERIFY(book.deal(0).empty());
    book.setOpen(six, true);
    book.setUnreachable(six, true);
    QVERIFY(book.deal(0).empty());
    book.setUnreachable(six, false);
    QCOMPARE(dealtTo(book, six), (Numbers{1}));
    QVERIFY(book.deal(0).empty()); // once
}

void TestGroupWorlds::comeBackFromALostHolder()
{
    GroupBook book;
    book.join(five, 2);
    book.join(six, 2);
    book.enqueue({seated(0, five), seated(1, five), plain(20), plain(21)});
    book.deal(0);
    QVERIFY(book.started(five, key(1)));
    const RankLeavings left = book.lost(five);
    QCOMPARE(left.started, AttemptKeys{key(1)});
    book.setUnreachable(six, true);
    book.setUnreachable(six, false);
    const Numbers atSix = dealtTo(book, six);
    QVERIFY(std::ranges::count(atSix, 0U) == 0); // waits for who holds its rank next
    QVERIFY(!book.holder(key(0)));
    book.join(five, 2);
    const Numbers atFive = dealtTo(book, five);
    QCOMPARE(atFive.front(), 0U);
    QVERIFY(book.returned(five, AttemptKeys{key(0)}).empty());
    QCOMPARE(dealtTo(book, five), (Numbers{0}));
}

void TestGroupWorlds::givenUpAndTakenOut()
{
    GroupBook book;
    book.enqueue({seated(0, five), plain(20), seated(1, six), seated(2, seven)});
    QCOMPARE(book.waiting(), std::size_t{4});
    QCOMPARE(book.takeOut({key(1), key(20), key(30)}), (AttemptKeys{key(20), key(1)}));
    QCOMPARE(book.held(), std::size_t{2});
    QCOMPARE(book.giveUp(1), AttemptKeys{key(2)});
    QCOMPARE(book.giveUp(9), AttemptKeys{key(0)});
    QCOMPARE(book.held(), std::size_t{0});
    QCOMPARE(book.waiting(), std::size_t{0});
}

void TestGroupWorlds::schedulerDealsWithTheStart()
{
    WorldBench bench;
    for (const auto& [rank, task] :
         {std::pair(five, 0U), std::pair(six, 1U), std::pair(seven, 2U)}) {
        const auto assigned = bench.down<Assign>(rank);
        QCOMPARE(assigned.size(), std::size_t{1});
        QCOMPARE(assigned.front().tasks.size(), std::size_t{1});
        const AssignedTask& got = assigned.front().tasks.front();
        QCOMPARE(got.key, key(task));
        QVERIFY(got.world && *got.world == *seated(task, rank).world);
        QCOMPARE(got.settings->seat->rank, rank);
    }
    bench.order(Stop{.keys = {key(0), key(2)}, .reason = StopReason::Interrupted});
    for (const auto& [rank, task] : {std::pair(five, 0U), std::pair(seven, 2U)})
        QCOMPARE(bench.down<Stop>(rank),
                 (std::vector{Stop{.keys = {key(task)}, .reason = StopReason::Interrupted}}));
    QVERIFY(bench.down<Stop>(six).empty());
    bench.end(five, 0, Outcome::Interrupted);
    bench.poll();
    QCOMPARE(bench.told(), Words{"5 ended 0"}); // and given back by nobody
}

void TestGroupWorlds::schedulerWaitsForAHolder()
{
    WorldBench bench(false);
    QCOMPARE(bench.handed(five), Numbers{0});
    QCOMPARE(bench.handed(six), Numbers{1});
    bench.clock.advance(10s);
    bench.poll();
    QVERIFY(bench.told().empty());
    bench.hello(seven);
    bench.poll();
    QCOMPARE(bench.handed(seven), Numbers{2});
}

// The world goes back to its start: nobody is left that could begin with the old one.
void TestGroupWorlds::interruptedWhileTheyWait()
{
    WorldBench bench(false);
    bench.order(Stop{.keys = {key(0), key(1), key(2)}, .reason = StopReason::Interrupted});
    QCOMPARE(bench.down<Stop>(five).size(), std::size_t{1});
    QCOMPARE(bench.down<Stop>(six).size(), std::size_t{1});
    bench.poll();
    QCOMPARE(bench.told(), Words{"returned 2"});
    bench.order(Stop{.keys = {key(2)}, .reason = StopReason::Interrupted}); // said again
    bench.hello(seven);
    bench.poll();
    QCOMPARE(bench.told(), Words{"7 joined"});
    QVERIFY(bench.handed(seven).empty());
}

// What an operator cancels is withdrawn; an order to stop concerns what runs.
void TestGroupWorlds::cancelledWhileTheyWait()
{
    WorldBench bench(false);
    bench.order(Stop{.keys = {key(2)}, .reason = StopReason::Cancelled});
    bench.poll();
    QVERIFY(bench.told().empty());
    bench.order(Withdraw{{key(2)}});
    QCOMPARE(bench.up<Withdrawn>(), std::vector{Withdrawn({{key(2)}})});
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{2});
}

// Who gives all up gives these up, too: else the run would not end.
void TestGroupWorlds::haltedWhileTheyWait()
{
    WorldBench bench(false);
    bench.order(Halt{});
    for (const Rank rank : {five, six}) {
        QCOMPARE(bench.down<Halt>(rank).size(), std::size_t{1});
        bench.say(rank, Returned{});
    }
    QCOMPARE(bench.up<Returned>(), std::vector{Returned({{key(2)}})});
    bench.hello(seven);
    bench.poll();
    QVERIFY(bench.handed(seven).empty());
    bench.lose(six); // and what comes back later
    bench.poll();
    const Words told = bench.told();
    QVERIFY(std::ranges::count(told, "returned 1") == 1);
    QCOMPARE(bench.groupScheduler.book().held(), std::size_t{1});
}

QTEST_APPLESS_MAIN(TestGroupWorlds)

} // namespace tst_groupworlds

#include "tst_groupworlds.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farm/groupbook.h"
#include "schedulertesting.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tst_groupbook {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using tasuki::farm::testing::key;

namespace {

const Rank rankA(3);
const Rank rankB(4);
using BookKeys = std::vector<AttemptKey>;

std::vector<AssignedTask> bookTasks(std::uint32_t first, std::uint32_t count)
{
    std::vector<AssignedTask> tasks;
    for (std::uint32_t task = first; task < first + count; ++task)
        tasks.push_back({key(task), "c" + std::to_string(task), std::make_shared<TaskSettings>()});
    return tasks;
}

/// What is dealt to a rank now, of all that is dealt.
BookKeys dealtTo(const std::vector<std::pair<Rank, std::vector<AssignedTask>>>& dealt, Rank rank)
{
    BookKeys keys;
    for (const auto& [to, tasks] : dealt) {
        for (const AssignedTask& task : tasks) {
            if (to == rank)
                keys.push_back(task.key);
        }
    }
    return keys;
}

GroupBook bookOfTwo(std::uint32_t tasks)
{
    GroupBook book;
    book.join(rankA, 1);
    book.join(rankB, 1);
    book.enqueue(bookTasks(0, tasks));
    return book;
}

} // namespace

/// Who of a worker group holds what, and who is fed.
class TestGroupBook : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void dealsInOrderAndLittleAhead();
    void whatIsReservedIsNotDealt();
    void closedAndUnreachableRanksGetNothing();
    void lostRankLeavesWhatItHad();
    void whatWasPlacedHasNoCommand();
    void keepOnlyTakesTheRest();
    void endsAndReturnsCountForTheHolderAlone();
    void queueIsGivenUpFromItsEnd();
    void recallsForSomebodyElse();
};

void TestGroupBook::dealsInOrderAndLittleAhead()
{
    GroupBook book = bookOfTwo(10);
    const auto dealt = book.deal(0);
    QCOMPARE(dealtTo(dealt, rankA), (BookKeys{key(0), key(2)}));
    QCOMPARE(dealtTo(dealt, rankB), (BookKeys{key(1), key(3)}));
    QVERIFY(book.deal(0).empty()); // nobody knows how long they take: one ahead a slot
    QCOMPARE(book.waiting(), std::size_t{6});
    QVERIFY(book.started(rankA, key(0)));
    QVERIFY(book.finished(rankA, key(0), 1ms));
    QCOMPARE(dealtTo(book.deal(0), rankA), BookKeys{key(4)});
    QCOMPARE(book.holder(key(4)), std::optional(rankA));
    QVERIFY(!book.holder(key(9)));
}

void TestGroupBook::whatIsReservedIsNotDealt()
{
    GroupBook book = bookOfTwo(3);
    const auto dealt = book.deal(2);
    QCOMPARE(dealtTo(dealt, rankA), BookKeys{key(0)});
    QVERIFY(dealtTo(dealt, rankB).empty());
    QVERIFY(book.deal(5).empty());
}

void TestGroupBook::closedAndUnreachableRanksGetNothing()
{
    GroupBook book = bookOfTwo(4);
    book.setOpen(rankA, false);
    QVERIFY(dealtTo(book.deal(0), rankA).empty());
    book.setOpen(rankA, true);
    book.setUnreachable(rankA, true);
    QVERIFY(book.deal(0).empty());
    QVERIFY(book.recalls().empty()); // and nobody is asked for it
    book.setUnreachable(rankA, false);
    QVERIFY(!dealtTo(book.deal(0), rankA).empty());
    book.setOpen(rankA, false);
    QCOMPARE(book.recalls(), (Recalls<Rank>{{rankA, 1}}));
    QVERIFY(book.recalls().empty()); // once
    book.recallAnswered(rankA, false, true);
    QVERIFY(book.recalls().empty()); // in vain: it runs
}

void TestGroupBook::lostRankLeavesWhatItHad()
{
    GroupBook book = bookOfTwo(8);
    book.deal(0);
    book.started(rankA, key(0));
    const RankLeavings leavings = book.lost(rankA);
    QCOMPARE(leavings.started, BookKeys{key(0)});
    QVERIFY(leavings.unknown.empty());
    QVERIFY(!book.knows(rankA));
    QCOMPARE(book.held(), std::size_t{7});
    QVERIFY(!book.finished(rankA, key(2), 1ms));
    book.finished(rankB, key(1), 1h);
    book.finished(rankB, key(3), 1h);
    const auto dealt = book.deal(0);
    QCOMPARE(dealtTo(dealt, rankB).front(), key(2)); // before what waits behind it
    QCOMPARE(dealt.front().second.front().command, std::string("c2"));
}

void TestGroupBook::whatWasPlacedHasNoCommand()
{
    GroupBook book = bookOfTwo(0);
    book.place(rankA, key(1), true);
    book.place(rankA, key(2), false);
    book.place(rankA, key(3), false);
    QVERIFY(book.isStarted(key(1)) && !book.isStarted(key(2)));
    QCOMPARE(book.returned(rankA, BookKeys{key(3), key(1)}), BookKeys{key(3)});
    const RankLeavings leavings = book.lost(rankA);
    QCOMPARE(leavings.started, BookKeys{key(1)});
    QCOMPARE(leavings.unknown, BookKeys{key(2)});
    QCOMPARE(book.held(), std::size_t{0});
}

void TestGroupBook::keepOnlyTakesTheRest()
{
    GroupBook book = bookOfTwo(0);
    for (const std::uint32_t task : {1U, 2U, 3U})
        book.place(rankA, key(task), task == 1);
    book.place(rankB, key(4), true);
    const RankLeavings leavings = book.keepOnly(rankA, {key(2), key(9)});
    QCOMPARE(leavings.started, BookKeys{key(1)});
    QCOMPARE(leavings.unknown, BookKeys{key(3)});
    QCOMPARE(book.holder(key(2)), std::optional(rankA));
    QCOMPARE(book.holder(key(4)), std::optional(rankB));
    QCOMPARE(book.loads().at(rankA).outstanding, 1U);
}

void TestGroupBook::endsAndReturnsCountForTheHolderAlone()
{
    GroupBook book = bookOfTwo(2);
    book.deal(0);
    QVERIFY(!book.started(rankB, key(0)));
    QVERIFY(!book.finished(rankB, key(0), 1ms));
    QVERIFY(!book.withdrawn(rankB, key(0)));
    QVERIFY(book.returned(rankB, BookKeys{key(0)}).empty());
    QCOMPARE(book.waiting(), std::size_t{0});
    QVERIFY(book.withdrawn(rankA, key(0)));
    QVERIFY(!book.withdrawn(rankA, key(0)));
    QVERIFY(book.returned(rankB, BookKeys{key(1)}).empty());
    QCOMPARE(book.waiting(), std::size_t{1});
    QCOMPARE(book.loads().at(rankA).outstanding, 0U);
}

void TestGroupBook::queueIsGivenUpFromItsEnd()
{
    GroupBook book = bookOfTwo(5);
    QCOMPARE(book.giveUp(2), (BookKeys{key(4), key(3)}));
    QCOMPARE(book.takeOut({key(0), key(4)}), BookKeys{key(0)});
    QCOMPARE(book.giveUp(9), (BookKeys{key(2), key(1)}));
    QCOMPARE(book.held(), std::size_t{0});
}

void TestGroupBook::recallsForSomebodyElse()
{
    GroupBook book = bookOfTwo(0);
    for (const std::uint32_t task : {0U, 1U, 2U, 3U})
        book.place(rankA, key(task), false);
    for (const std::uint32_t task : {4U, 5U})
        book.place(rankB, key(task), false);
    QCOMPARE(book.recallsFor(2), (Recalls<Rank>{{rankA, 2}}));
    QCOMPARE(book.recallsFor(4), (Recalls<Rank>{{rankA, 3}, {rankB, 1}}));
    // All of it: also what may be about to start.
    QCOMPARE(book.recallsFor(6), (Recalls<Rank>{{rankA, 4}, {rankB, 2}}));
    book.recallAnswered(rankA, true, false);
    QVERIFY(book.loads().at(rankA).recallUnderWay);
    book.recallAnswered(rankA, true, true);
    QVERIFY(!book.loads().at(rankA).recallUnderWay);
}

QTEST_APPLESS_MAIN(TestGroupBook)

} // namespace tst_groupbook

#include "tst_groupbook.moc"

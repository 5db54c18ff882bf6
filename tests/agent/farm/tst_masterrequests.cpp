// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/masterrequests.h"
#include "schedulertesting.h"

#include <QTest>

#include <memory>
#include <variant>

namespace tst_masterrequests {

using namespace tasuki;
using namespace tasuki::farm;
using tasuki::farm::testing::key;

namespace {

const Rank near(5);
const Rank far(6);
using RequestKeys = std::vector<AttemptKey>;

/// A worker group of two ranks with a slot each: each runs an attempt and holds one more, and some wait.
struct RequestBench {
    explicit RequestBench(std::uint32_t waiting)
    {
        for (const Rank rank : {near, far})
            book.join(rank, 1);
        book.place(near, key(0), true);
        book.place(far, key(1), true);
        book.place(near, key(2), false);
        book.place(far, key(3), false);
        std::vector<AssignedTask> tasks;
        for (std::uint32_t task = 4; task < 4 + waiting; ++task)
            tasks.push_back({key(task), "true", std::make_shared<TaskSettings>()});
        book.enqueue(std::move(tasks));
    }

    GroupBook book;
    MasterRequests requests{book};
};

/// @return what an answer gives back
template <class Kind>
RequestKeys keysOf(const FarmMessage& answer)
{
    const auto* of = std::get_if<Kind>(&answer);
    return of != nullptr ? of->keys : RequestKeys{key(99)};
}

} // namespace

/// What breaks it: an answer before all ranks have given theirs, or one that is never given; attempts that are
/// dealt again though the master has been promised them.
class TestMasterRequests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRecallTakesTheQueueFirst()
    {
        RequestBench bench(2);
        QVERIFY(bench.requests.recall(2).empty());
        const auto answers = bench.requests.takeFinished();
        QCOMPARE(answers.size(), 1U);
        QCOMPARE(keysOf<Returned>(answers.front()).size(), 2U);
        QVERIFY(bench.requests.takeFinished().empty());
    }

    void aRecallWaitsForAllRanks()
    {
        RequestBench bench(0);
        const auto recalls = bench.requests.recall(2);
        QCOMPARE(recalls.size(), 2U);
        QCOMPARE(bench.requests.reserved(), 2U);
        for (const Rank rank : {near, far}) {
            QVERIFY(bench.requests.takeFinished().empty());
            bench.requests.returned(rank, false);
        }
        QCOMPARE(bench.requests.takeFinished().size(), 1U);
        QCOMPARE(bench.requests.reserved(), 0U);
    }

    void whoWillNotAnswerIsNotAwaited()
    {
        RequestBench bench(0);
        bench.requests.recall(2);
        bench.requests.returned(near, false);
        bench.requests.forget(far);
        QCOMPARE(bench.requests.takeFinished().size(), 1U);
    }

    void anEarlierAnswerIsNotTheOneThatIsDue()
    {
        RequestBench bench(0);
        bench.requests.ask(near); // the group scheduler's own
        bench.requests.recall(1);
        bench.requests.returned(near, false);
        QVERIFY(bench.requests.takeFinished().empty());
        QVERIFY(bench.book.loads().at(near).recallUnderWay);
        bench.requests.returned(near, false);
        QCOMPARE(bench.requests.takeFinished().size(), 1U);
        QVERIFY(!bench.book.loads().at(near).recallUnderWay);
    }

    void aWithdrawalNamesWhatItGot()
    {
        RequestBench bench(1);
        const RequestKeys wanted{key(0), key(2), key(3), key(4)};
        const auto asked = bench.requests.withdraw(wanted); // 0 runs, 4 waits
        QCOMPARE(asked.size(), 2U);
        QVERIFY(asked.at(near) == RequestKeys{key(2)});
        bench.requests.withdrawn(near, RequestKeys{key(2)});
        QVERIFY(bench.requests.takeFinished().empty());
        bench.requests.withdrawn(far, {}); // it runs by now
        const auto answers = bench.requests.takeFinished();
        QCOMPARE(answers.size(), 1U);
        QVERIFY((keysOf<Withdrawn>(answers.front()) == RequestKeys{key(4), key(2)}));
        QVERIFY(bench.book.isStarted(key(3)));
    }

    void aWithdrawalWaitsForTheNextHolder()
    {
        RequestBench bench(0);
        bench.requests.withdraw(RequestKeys{key(2)});
        bench.requests.forget(near);
        QVERIFY(bench.requests.takeFinished().empty());
        QCOMPARE(bench.requests.askAgain(near).size(), 1U);
        QVERIFY(bench.requests.askAgain(far).empty());
        bench.requests.lost(near);
        QCOMPARE(bench.requests.takeFinished().size(), 1U);
    }

    void theMasterHearsNothingOfTheGroupSchedulersOwn()
    {
        RequestBench bench(0);
        bench.requests.withdrawFrom(far, {key(3)});
        QVERIFY(bench.requests.askAgain(far) == std::vector<RequestKeys>{RequestKeys{key(3)}});
        bench.requests.withdrawn(far, RequestKeys{key(3)});
        QVERIFY(bench.requests.takeFinished().empty());
        QVERIFY(bench.requests.askAgain(far).empty());
    }

    void whatComesBackGoesToTheMaster_data()
    {
        QTest::addColumn<bool>("halts");
        QTest::addColumn<bool>("assigns");
        QTest::addColumn<quint32>("given");
        QTest::newRow("nothing is wanted") << false << false << 0U;
        QTest::newRow("halted") << true << false << 2U;
        QTest::newRow("halted, then work") << true << true << 2U;
    }
    void whatComesBackGoesToTheMaster()
    {
        QFETCH(bool, halts);
        QFETCH(bool, assigns);
        QFETCH(quint32, given);
        RequestBench bench(0);
        if (halts)
            bench.requests.halt();
        QCOMPARE(bench.requests.halted(), halts);
        bench.requests.takeFinished();
        if (assigns)
            bench.requests.assigned();
        bench.book.enqueue({{key(7), "true", std::make_shared<TaskSettings>()},
                            {key(8), "true", std::make_shared<TaskSettings>()}});
        QCOMPARE(bench.requests.takeUnasked().size(), std::size_t{given});
    }

    void whatIsPromisedStaysUntilItIsGiven()
    {
        RequestBench bench(0);
        bench.requests.recall(9); // all: what comes back is the master's
        bench.book.enqueue({{key(7), "true", std::make_shared<TaskSettings>()}});
        QVERIFY(bench.requests.takeUnasked().empty());
        bench.requests.returned(near, false);
        bench.requests.returned(far, false);
        const auto answers = bench.requests.takeFinished();
        QVERIFY(keysOf<Returned>(answers.at(0)) == RequestKeys{key(7)});
        bench.book.enqueue({{key(8), "true", std::make_shared<TaskSettings>()}});
        QCOMPARE(bench.requests.takeUnasked().size(), 1U);
        bench.requests.assigned(); // it hands out again
        bench.book.enqueue({{key(9), "true", std::make_shared<TaskSettings>()}});
        QVERIFY(bench.requests.takeUnasked().empty());
    }

    void anotherLeadershipKnowsOfNothing()
    {
        RequestBench bench(0);
        bench.requests.recall(2);
        bench.requests.withdraw(RequestKeys{key(2)});
        bench.requests.halt();
        bench.requests.clear();
        QVERIFY(bench.requests.takeFinished().empty());
        QVERIFY(bench.requests.askAgain(near).empty());
        QCOMPARE(bench.requests.reserved(), 0U);
        QVERIFY(!bench.requests.halted());
    }
};

QTEST_APPLESS_MAIN(TestMasterRequests)

} // namespace tst_masterrequests

#include "tst_masterrequests.moc"

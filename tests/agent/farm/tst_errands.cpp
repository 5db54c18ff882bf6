// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/errands.h"
#include "schedulertesting.h"

#include <QTest>

#include <memory>
#include <variant>

namespace tst_errands {

using namespace tasuki;
using namespace tasuki::farm;
using tasuki::farm::testing::key;

namespace {

const Rank near(5);
const Rank far(6);
using ErrandKeys = std::vector<AttemptKey>;

/// A crew of two ranks with a slot each: each runs an attempt and holds one more, and some wait.
struct ErrandBench {
    explicit ErrandBench(std::uint32_t waiting)
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

    CrewBook book;
    Errands errands{book};
};

/// @return what an answer gives back
template <class Kind>
ErrandKeys keysOf(const FarmMessage& answer)
{
    const auto* of = std::get_if<Kind>(&answer);
    return of != nullptr ? of->keys : ErrandKeys{key(99)};
}

} // namespace

/// What breaks it: an answer before all ranks have given theirs, or one that is never given; attempts that are
/// dealt again though the master has been promised them.
class TestErrands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRecallTakesTheQueueFirst()
    {
        ErrandBench bench(2);
        QVERIFY(bench.errands.recall(2).empty());
        const auto answers = bench.errands.takeFinished();
        QCOMPARE(answers.size(), 1U);
        QCOMPARE(keysOf<Returned>(answers.front()).size(), 2U);
        QVERIFY(bench.errands.takeFinished().empty());
    }

    void aRecallWaitsForAllRanks()
    {
        ErrandBench bench(0);
        const auto recalls = bench.errands.recall(2);
        QCOMPARE(recalls.size(), 2U);
        QCOMPARE(bench.errands.reserved(), 2U);
        for (const Rank rank : {near, far}) {
            QVERIFY(bench.errands.takeFinished().empty());
            bench.errands.returned(rank, false);
        }
        QCOMPARE(bench.errands.takeFinished().size(), 1U);
        QCOMPARE(bench.errands.reserved(), 0U);
    }

    void whoWillNotAnswerIsNotAwaited()
    {
        ErrandBench bench(0);
        bench.errands.recall(2);
        bench.errands.returned(near, false);
        bench.errands.forget(far);
        QCOMPARE(bench.errands.takeFinished().size(), 1U);
    }

    void anEarlierAnswerIsNotTheOneThatIsDue()
    {
        ErrandBench bench(0);
        bench.errands.ask(near); // the foreman's own
        bench.errands.recall(1);
        bench.errands.returned(near, false);
        QVERIFY(bench.errands.takeFinished().empty());
        QVERIFY(bench.book.loads().at(near).recallUnderWay);
        bench.errands.returned(near, false);
        QCOMPARE(bench.errands.takeFinished().size(), 1U);
        QVERIFY(!bench.book.loads().at(near).recallUnderWay);
    }

    void aWithdrawalNamesWhatItGot()
    {
        ErrandBench bench(1);
        const ErrandKeys wanted{key(0), key(2), key(3), key(4)};
        const auto asked = bench.errands.withdraw(wanted); // 0 runs, 4 waits
        QCOMPARE(asked.size(), 2U);
        QVERIFY(asked.at(near) == ErrandKeys{key(2)});
        bench.errands.withdrawn(near, ErrandKeys{key(2)});
        QVERIFY(bench.errands.takeFinished().empty());
        bench.errands.withdrawn(far, {}); // it runs by now
        const auto answers = bench.errands.takeFinished();
        QCOMPARE(answers.size(), 1U);
        QVERIFY((keysOf<Withdrawn>(answers.front()) == ErrandKeys{key(4), key(2)}));
        QVERIFY(bench.book.isStarted(key(3)));
    }

    void aWithdrawalWaitsForTheNextHolder()
    {
        ErrandBench bench(0);
        bench.errands.withdraw(ErrandKeys{key(2)});
        bench.errands.forget(near);
        QVERIFY(bench.errands.takeFinished().empty());
        QCOMPARE(bench.errands.askAgain(near).size(), 1U);
        QVERIFY(bench.errands.askAgain(far).empty());
        bench.errands.lost(near);
        QCOMPARE(bench.errands.takeFinished().size(), 1U);
    }

    void theMasterHearsNothingOfTheForemansOwn()
    {
        ErrandBench bench(0);
        bench.errands.withdrawFrom(far, {key(3)});
        QVERIFY(bench.errands.askAgain(far) == std::vector<ErrandKeys>{ErrandKeys{key(3)}});
        bench.errands.withdrawn(far, ErrandKeys{key(3)});
        QVERIFY(bench.errands.takeFinished().empty());
        QVERIFY(bench.errands.askAgain(far).empty());
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
        ErrandBench bench(0);
        if (halts)
            bench.errands.halt();
        QCOMPARE(bench.errands.halted(), halts);
        bench.errands.takeFinished();
        if (assigns)
            bench.errands.assigned();
        bench.book.enqueue({{key(7), "true", std::make_shared<TaskSettings>()},
                            {key(8), "true", std::make_shared<TaskSettings>()}});
        QCOMPARE(bench.errands.takeUnasked().size(), std::size_t{given});
    }

    void whatIsPromisedStaysUntilItIsGiven()
    {
        ErrandBench bench(0);
        bench.errands.recall(9); // all: what comes back is the master's
        bench.book.enqueue({{key(7), "true", std::make_shared<TaskSettings>()}});
        QVERIFY(bench.errands.takeUnasked().empty());
        bench.errands.returned(near, false);
        bench.errands.returned(far, false);
        const auto answers = bench.errands.takeFinished();
        QVERIFY(keysOf<Returned>(answers.at(0)) == ErrandKeys{key(7)});
        bench.book.enqueue({{key(8), "true", std::make_shared<TaskSettings>()}});
        QCOMPARE(bench.errands.takeUnasked().size(), 1U);
        bench.errands.assigned(); // it hands out again
        bench.book.enqueue({{key(9), "true", std::make_shared<TaskSettings>()}});
        QVERIFY(bench.errands.takeUnasked().empty());
    }

    void anotherTermKnowsOfNothing()
    {
        ErrandBench bench(0);
        bench.errands.recall(2);
        bench.errands.withdraw(ErrandKeys{key(2)});
        bench.errands.halt();
        bench.errands.clear();
        QVERIFY(bench.errands.takeFinished().empty());
        QVERIFY(bench.errands.askAgain(near).empty());
        QCOMPARE(bench.errands.reserved(), 0U);
        QVERIFY(!bench.errands.halted());
    }
};

QTEST_APPLESS_MAIN(TestErrands)

} // namespace tst_errands

#include "tst_errands.moc"

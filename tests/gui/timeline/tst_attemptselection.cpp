// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "storefeeder.h"
#include "timeline/attemptselection.h"

namespace tst_attemptselection {

using namespace tasuki;

namespace {

/// Three lanes; the middle one is empty. Tasks 0, 1, 2 in the first from 0, 10 and 20 ms on; task 3 in the
/// last from 12 ms on.
struct Fixture {
    StoreFeeder feeder;
    AttemptSelection selection;
    WallTime now = StoreFeeder::at(100);

    Fixture()
    {
        for (int rank = 0; rank < 3; ++rank)
            feeder.join(rank, 1, "a");
        for (int i = 0; i < 3; ++i)
            feeder.add(0, i * 10, i * 10 + 8);
        feeder.add(2, 12, 18);
    }
    void select(std::uint32_t task, std::optional<std::uint32_t> attempt = std::nullopt)
    {
        selection.set(TaskId(task),
                      attempt ? std::optional(AttemptKey{TaskId(task), AttemptNumber(*attempt)})
                              : std::nullopt);
        selection.find(&feeder.store, now);
    }
    /// @return the number of a task; none: -1
    static int numberOf(const std::optional<PlacedAttempt>& placed)
    {
        return placed ? static_cast<int>(placed->attempt.key.task.value()) : -1;
    }
    [[nodiscard]] int inLane(int step, std::size_t row = 0, double ms = 0) const
    {
        return numberOf(selection.inNextLane(feeder.store, now, step, row, StoreFeeder::at(ms)));
    }
    [[nodiscard]] int inTime(int step) const
    {
        return numberOf(selection.inTime(feeder.store, now, step));
    }
};

} // namespace

/// What breaks it: a neighbour in the wrong lane or at the wrong side; a task whose attempts are not
/// found again after the store has changed.
class TestAttemptSelection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void neighbours_data()
    {
        QTest::addColumn<int>("task");
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<int>("above");
        QTest::addColumn<int>("below");
        QTest::newRow("first") << 0 << -1 << 1 << -1 << 3;
        QTest::newRow("in between") << 1 << 0 << 2 << -1 << 3;
        QTest::newRow("last") << 2 << 1 << -1 << -1 << 3;
        QTest::newRow("over an empty lane") << 3 << -1 << -1 << 1 << -1;
    }
    void neighbours()
    {
        QFETCH(int, task);
        Fixture f;
        f.select(static_cast<std::uint32_t>(task));
        QTEST(f.inTime(-1), "before");
        QTEST(f.inTime(1), "after");
        QTEST(f.inLane(-1), "above");
        QTEST(f.inLane(1), "below");
    }

    void withoutASelection()
    {
        Fixture f;
        QVERIFY(!f.selection.chosen());
        QCOMPARE(f.inTime(1), -1);
        QCOMPARE(f.inLane(1, 0, 25), 2);
        QCOMPARE(f.inLane(1, 1, 25), 3);
        QCOMPARE(f.inLane(-1, 1, 5), 0);
    }

    void oneAttemptIsMeant()
    {
        Fixture f;
        AttemptFinished again{.key = {TaskId(1), AttemptNumber(2)},
                              .rank = Rank(1),
                              .slot = SlotIndex(0),
                              .disposition = Disposition::Final,
                              .result = {}};
        again.result.startedAt = StoreFeeder::at(40);
        again.result.elapsed = std::chrono::milliseconds(5);
        f.select(1);
        QCOMPARE(f.selection.attempts().size(), std::size_t(1));
        f.feeder.apply(again);
        f.selection.find(&f.feeder.store, f.now);
        QCOMPARE(f.selection.attempts().size(), std::size_t(2));
        QCOMPARE(f.selection.chosen()->row, std::size_t(1)); // the latest
        QVERIFY(f.selection.isMeant({TaskId(1), AttemptNumber(1)}));
        f.select(1, 1);
        QCOMPARE(f.selection.chosen()->row, std::size_t(0));
        QVERIFY(f.selection.isMeant({TaskId(1), AttemptNumber(1)}));
        QVERIFY(!f.selection.isMeant({TaskId(1), AttemptNumber(2)}));
        f.selection.find(nullptr, f.now);
        QVERIFY(f.selection.attempts().empty() && !f.selection.chosen());
        QCOMPARE(f.selection.task(), std::optional(TaskId(1)));
    }
};

QTEST_APPLESS_MAIN(TestAttemptSelection)

} // namespace tst_attemptselection

#include "tst_attemptselection.moc"

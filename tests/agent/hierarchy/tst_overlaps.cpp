// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_overlaps {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;

namespace {

constexpr std::uint32_t self = 5; ///< holds seat 2, in the second subcluster
const Holding seat2{SeatId(2), Incarnation(1)};

/// The table of its subcluster after it has become something.
Tables tablesWith(
    const MembershipView& view, Health health, std::uint32_t processor = self,
    const std::function<void(MemberRow&)>& change = [](MemberRow&) {})
{
    const SubclusterId subcluster = view.subclusterOf(ProcessorId(processor));
    return {.clusters = {clusterAfter(view, subcluster.value(),
                                      [&](ClusterTable& table) {
                                          table.writer = ProcessorId(4);
                                          MemberRow& row = *table.member(ProcessorId(processor));
                                          row.health = health;
                                          row.cause = HealthCause::Silent;
                                          if (isUnreachable(health))
                                              row.seat.reset();
                                          change(row);
                                      })},
            .system = nullptr};
}

/// One whose subcluster's master is on another host and can be silent to it.
struct Far : Stage {
    explicit Far(std::uint32_t number = self) : Stage(number, {}, {0, 1, 2, 3, 4, 6, 7})
    {
        sent.clear();
    }
    /// Time passes in which it is answered.
    void live(std::chrono::nanoseconds time)
    {
        run(time, [this] { answer(4, following(stampOf(0))); });
    }
};

} // namespace

/// Who finds out, and is told, that a processor went on in its place after it had been given up.
class TestOverlaps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isFoundByATable();
    void isFoundByABanishment();
    void isFoundWhenItIsLetIn();
    void isConcludedFromWhenItLapsed();
    void isProvenByTheRecord();
    void normalLossesAreNone_data();
    void normalLossesAreNone();
    void isSaidToWhoToldIt();
    void isToldOnce();
    void isPassedOn();
    void whoKnowsSaysSinceWhen();
    void sharesOfDriftAreAllowed_data();
    void sharesOfDriftAreAllowed();
    void clocksThatStandStillAreNotTrustedAlone();
};

// Its lease holds by its clock, but others have given its seat on.
void TestOverlaps::isFoundByATable()
{
    Far stage;
    stage.live(1s);
    QCOMPARE(stage.membership.holding(), seat2);
    stage.hear(4, tablesWith(stage.membership.view(), Health::Lost));
    QCOMPARE(stage.fencings, 1);
    QCOMPARE(stage.overlaps.size(), std::size_t(1));
    QCOMPARE(stage.overlaps.front(),
             (Overlap{.processor = ProcessorId(self), .holding = seat2, .certain = true}));
}

void TestOverlaps::isFoundByABanishment()
{
    Far stage;
    stage.live(1s);
    stage.hear(4, Banish{.lostFor = 15s});
    QCOMPARE(stage.overlaps.size(), std::size_t(1));
    QVERIFY(stage.overlaps.front().certain);
    QCOMPARE(stage.overlaps.front().holding, seat2);
}

// It was condemned, as far as it heard, long after others had it for lost: the word had waited.
void TestOverlaps::isFoundWhenItIsLetIn()
{
    Far stage;
    stage.live(1s);
    stage.hear(4, tablesWith(stage.membership.view(), Health::Condemned));
    QCOMPARE(stage.fencings, 1);
    QVERIFY(stage.overlaps.empty());
    stage.membership.comeBack();
    stage.run(200ms);
    stage.hear(0, Banish{.life = Life(1), .lostFor = 15s}); // its former life
    QCOMPARE(stage.overlaps.size(), std::size_t(1));
    QVERIFY(stage.overlaps.front().certain);
    stage.hear(0, Banish{.life = Life(1), .lostFor = 15s});
    QCOMPARE(stage.overlaps.size(), std::size_t(1));
}

void TestOverlaps::normalLossesAreNone_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("condemned, its lease still holds") << 0;
    QTest::newRow("banished, its life is not over yet") << 1;
    QTest::newRow("its lease was over before") << 2;
    QTest::newRow("it was stopped meanwhile, and knows") << 3;
    QTest::newRow("an operator wanted it") << 4;
    QTest::newRow("it holds nothing") << 5;
}

void TestOverlaps::normalLossesAreNone()
{
    QFETCH(int, kind);
    constexpr std::uint32_t standby = 7;
    Far stage(kind == 5 ? standby : self);
    stage.live(1s);
    const auto tables = [&](Health health, HealthCause cause = HealthCause::Silent) {
        return tablesWith(stage.membership.view(), health, kind == 5 ? standby : self,
                          [cause](MemberRow& row) { row.cause = cause; });
    };
    switch (kind) {
    case 0: stage.hear(4, tables(Health::Condemned)); break;
    case 1: stage.hear(4, Banish{}); break;
    case 2:
        stage.run(20s); // nobody answers: it lapses after 2.5 s, and is given up after 4
        stage.hear(4, Banish{.lostFor = 16s});
        break;
    case 3:
        stage.clock.advance(20s);
        stage.hear(4, Banish{.lostFor = 16s});
        break;
    case 4: stage.hear(4, tables(Health::Lost, HealthCause::Ordered)); break;
    case 5: stage.hear(4, tables(Health::Lost)); break;
    }
    QCOMPARE(stage.fencings, 1);
    QVERIFY(stage.overlaps.empty());
}

// By its own clock it lapsed after others had given it up: that clock was slow, or stood still.
void TestOverlaps::isConcludedFromWhenItLapsed()
{
    Far stage;
    stage.live(1s);
    stage.run(10s);
    QCOMPARE(stage.membership.standing(), Standing::Lapsed);
    stage.hear(4, Banish{.lostFor = 16s});
    QCOMPARE(stage.overlaps.size(), std::size_t(1));
    QCOMPARE(stage.overlaps.front(), (Overlap{.processor = ProcessorId(self), .holding = seat2}));
}

// A commit of the system master was refused while it was cut off. That it was given up before, by more than is
// measured, it need not hear then.
void TestOverlaps::isProvenByTheRecord()
{
    for (const bool slept : {false, true}) {
        Stage stage(0, {}, {4, 5, 6, 7});
        stage.run(500ms, [&] { stage.follow({1, 2, 3, 4, 5, 6, 7}); });
        QVERIFY(stage.membership.actsAsSystemMaster());
        if (slept)
            stage.clock.advance(20s);
        stage.membership.giveUpPlace();
        QCOMPARE(stage.fencings, 1);
        QVERIFY(stage.overlaps.empty()); // nobody is heard who could be told
        stage.membership.comeBack();
        stage.run(16s);
        stage.hear(4, Banish{.life = Life(1), .lostFor = 16s});
        QCOMPARE(stage.overlaps.size(), std::size_t(slept ? 0 : 1));
        if (!slept)
            QVERIFY(stage.overlaps.front().led && stage.overlaps.front().certain);
    }
}

// Some may be lost; also by who does not come back.
void TestOverlaps::isSaidToWhoToldIt()
{
    Far stage;
    stage.live(1s);
    stage.hear(4, Banish{.lostFor = 15s});
    stage.sent.clear();
    stage.run(1s);
    QVERIFY(stage.sent.empty()); // it is not known yet what does not count
    stage.membership.tellOverlap(3);
    stage.run(2s);
    QCOMPARE(stage.count<Overlap>(4), std::size_t(10));
    QCOMPARE(
        last<Overlap>(stage, 4),
        (Overlap{.processor = ProcessorId(self), .holding = seat2, .certain = true, .refused = 3}));
    stage.membership.tellOverlap(3);
    stage.run(1s);
    QCOMPARE(stage.count<Overlap>(4), std::size_t(10));
}

void TestOverlaps::isToldOnce()
{
    Stage stage(0);
    stage.membership.poll();
    QVERIFY(stage.membership.actsAsSystemMaster());
    const Overlap overlap{.processor = ProcessorId(self), .holding = seat2, .refused = 2};
    for (int i = 0; i < 3; ++i)
        stage.hear(self, overlap);
    stage.hear(4, overlap); // passed on, too
    QCOMPARE(stage.overlapsTold, std::vector{overlap});
    stage.hear(self, Overlap{.processor = ProcessorId(self), .life = Life(2), .holding = seat2},
               Life(3));
    QCOMPARE(stage.overlapsTold.size(), std::size_t(2));
    // What there is not.
    stage.hear(self, Overlap{.processor = ProcessorId(99)});
    stage.hear(self,
               Overlap{.processor = ProcessorId(self),
                       .life = Life(9),
                       .holding = Holding{SeatId(99), Incarnation(1)}});
    QCOMPARE(stage.overlapsTold.size(), std::size_t(2));
}

void TestOverlaps::isPassedOn()
{
    Stage stage(4);
    stage.membership.poll();
    const Overlap overlap{.processor = ProcessorId(self), .holding = seat2};
    stage.hear(self, overlap);
    QCOMPARE(stage.count<Overlap>(0), std::size_t(1));
    stage.hear(6, overlap); // who says it of another one has passed it on
    QCOMPARE(stage.count<Overlap>(0), std::size_t(1));
    QVERIFY(stage.overlapsTold.empty());
}

void TestOverlaps::whoKnowsSaysSinceWhen()
{
    Stage stage(6);
    stage.membership.poll();
    stage.hear(4, tablesWith(stage.membership.view(), Health::Condemned));
    stage.hear(self, Beat{.number = 1});
    QVERIFY(last<Banish>(stage, self));
    QVERIFY(!last<Banish>(stage, self)->lostFor);
    stage.hear(4, tablesWith(stage.membership.view(), Health::Lost));
    stage.clock.advance(2s);
    stage.hear(self, Beat{.number = 2});
    QCOMPARE(last<Banish>(stage, self)->lostFor, std::chrono::microseconds(2s));
    stage.hear(4, tablesWith(stage.membership.view(), Health::Alive, self, [](MemberRow& row) {
                   row.life = Life(2);
               }));
    stage.clock.advance(1s);
    stage.hear(self, Rejoin{.processor = ProcessorId(self), .life = Life(2), .number = 7}, Life(2));
    QCOMPARE(last<Admission>(stage, self)->lostFor, std::chrono::microseconds(3s));
}

void TestOverlaps::sharesOfDriftAreAllowed_data()
{
    QTest::addColumn<int>("lapsedFor"); ///< ms, by its own clock
    QTest::addColumn<int>("lostFor");   ///< by that of who says so
    QTest::addColumn<int>("byTheWall");
    QTest::addColumn<bool>("overlap");
    QTest::newRow("longer ago than it was given up") << 58000 << 56500 << 58000 << false;
    QTest::newRow("as long") << 10000 << 10000 << 10000 << false;
    QTest::newRow("by what clocks differ that are as assumed") << 56000 << 58000 << 56000 << false;
    QTest::newRow("more than that") << 56000 << 59500 << 56000 << true;
    QTest::newRow("far more") << 2000 << 16000 << 2000 << true;
    QTest::newRow("the wall's clock says more") << 2000 << 16000 << 17000 << true;
    QTest::newRow("the wall's clock was set back") << 58000 << 56500 << -9000 << false;
}

void TestOverlaps::sharesOfDriftAreAllowed()
{
    QFETCH(int, lapsedFor);
    QFETCH(int, lostFor);
    QFETCH(bool, overlap);
    OverlapBook book{ProcessorId(3)};
    const SteadyTime then{1000s};
    QFETCH(int, byTheWall);
    const WallTime wall{1000000s};
    book.stopped(Life(1), seat2, false, then, wall, false);
    const auto found = book.judge(then + std::chrono::milliseconds(lapsedFor),
                                  wall + std::chrono::milliseconds(byTheWall),
                                  std::chrono::milliseconds(lostFor), 100ms);
    QCOMPARE(found.has_value(), overlap);
    if (found)
        QVERIFY(!found->certain);
}

// It gave itself up as it was condemned, and was lost for the others later. Its clock says that this was at once.
void TestOverlaps::clocksThatStandStillAreNotTrustedAlone()
{
    const SteadyTime then{1000s};
    const WallTime wall{1000000s};
    for (const auto waited : {3010ms, 100ms}) {
        OverlapBook book{ProcessorId(3)};
        book.stopped(Life(1), seat2, false, then, wall, true);
        QCOMPARE(book.judge(then, wall + waited, 3s, 100ms).has_value(), waited < 3s);
    }
}

QTEST_APPLESS_MAIN(TestOverlaps)

} // namespace tst_overlaps

#include "tst_overlaps.moc"

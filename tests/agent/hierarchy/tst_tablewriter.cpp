// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "resyncing.h"

#include "hierarchy/membershipview.h"

#include <array>
#include <set>

namespace tst_tablewriter {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

SteadyTime at(std::chrono::nanoseconds time) { return SteadyTime{} + 100s + time; }

constexpr ProcessorId master(0);

/// An I/O processor, ranks 0 to 2 on 1 to 3, standbys 4 and 5; all expected.
ClusterTable firstTable(const ClusterRules& rules = {})
{
    std::vector<Place> places(6);
    const std::vector<SeatKind> seats{SeatKind::Active, SeatKind::Active, SeatKind::Active,
                                      SeatKind::Io};
    for (std::uint32_t number = 0; number < places.size(); ++number) {
        places[number] = {.subcluster = {},
                          .unit = {},
                          .kind = number == 0 ? ProcessorKind::Io
                              : number < 4    ? ProcessorKind::Active
                                              : ProcessorKind::Standby,
                          .seat = number == 0 ? std::optional(SeatId(3))
                              : number < 4    ? std::optional(SeatId(number - 1))
                                              : std::nullopt};
    }
    return MembershipView(places, seats, {}, std::array{rules}).cluster(SubclusterId(0));
}

struct Fixture {
    explicit Fixture(const ClusterRules& rules = {}, std::uint32_t ready = 6)
        : membership(master, firstTable(rules), at(0s))
    {
        for (std::uint32_t number = 0; number < ready; ++number)
            see(number, Observation::Ready);
    }

    void see(std::uint32_t processor, Observation what, HealthCause cause = HealthCause::None,
             std::chrono::nanoseconds when = 0s, std::chrono::microseconds since = 0us)
    {
        membership.observe({ProcessorId(processor), what, cause, since}, at(when));
    }
    void die(std::uint32_t processor, std::chrono::nanoseconds when = 0s)
    {
        see(processor, Observation::Gone, HealthCause::Gone, when, 3us);
    }
    [[nodiscard]] const MemberRow& row(std::uint32_t processor) const
    {
        return *membership.draft().member(ProcessorId(processor));
    }
    [[nodiscard]] const SeatRow& seat(std::uint32_t number) const
    {
        return *membership.draft().seat(SeatId(number));
    }
    /// @return the number of who has a seat; -1: nobody
    [[nodiscard]] int holder(std::uint32_t number) const
    {
        const MemberRow* const held = membership.draft().holder(SeatId(number));
        return held == nullptr ? -1 : static_cast<int>(held->processor.value());
    }

    TableWriter membership;
};

} // namespace

class TestTableWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void upWhenAllAreReady();
    void takeoverByTheFirstStandby();
    void promotedStandbyComesFirst();
    void vacantUntilAStandbyIsReady();
    void drainedStandbyIsLeftAlone();
    void intensity();
    void minimum();
    void leftIsNoLoss();
    void condemnedThenGone();
    void leaseOver();
    void takenByWhoHasIt();
    void timesAddUp();
    void nextMasterCountsOn();
    void newTerms();
    void publishedOnce();
    void olderIncarnationsAreNotGivenOut();
    void goesOnFromWhatIsRecorded_data();
    void goesOnFromWhatIsRecorded();
    void vacantSeatGoesOnFromWhatIsRecorded();
    void unknownProcessors();
    void noSeatsBeforeAllFollow();
};

// Fails if a seat is given out that a former writer may have given to somebody else, of whom this one
// does not know.
void TestTableWriter::noSeatsBeforeAllFollow()
{
    ClusterTable table = firstTable();
    for (MemberRow& row : table.members)
        row.health = Health::Alive;
    table.version = {.term = TableTerm(7), .revision = 3};
    TableWriter membership(master, table, at(0s));
    QCOMPARE(membership.unsynced(), (std::set{ProcessorId(4), ProcessorId(5)}));
    const auto die = [&](std::uint32_t number) {
        membership.observe({ProcessorId(number), Observation::Gone, HealthCause::Gone, 0us},
                           at(0s));
    };
    die(1);
    QVERIFY(membership.draft().holder(SeatId(0)) == nullptr);
    // The former writer had given it to 4, which says so while it still has that table.
    membership.heardOf({SeatId(0), Incarnation(2)});
    membership.follows(ProcessorId(4), TableTerm(7), at(0s));
    QVERIFY(membership.draft().holder(SeatId(0)) == nullptr);
    membership.follows(ProcessorId(4), TableTerm(8), at(0s));
    QVERIFY(membership.draft().holder(SeatId(0)) == nullptr);
    die(5); // who is lost is not waited for
    die(2);
    QCOMPARE(membership.draft().holder(SeatId(0))->processor, ProcessorId(4));
    QCOMPARE(membership.draft().seat(SeatId(0))->incarnation, Incarnation(3));
}

void TestTableWriter::upWhenAllAreReady()
{
    Fixture fixture({}, 5);
    QCOMPARE(fixture.membership.draft().state, ClusterState::Starting);
    fixture.see(5, Observation::Ready);
    QCOMPARE(fixture.membership.draft().state, ClusterState::Up);
}

void TestTableWriter::takeoverByTheFirstStandby()
{
    Fixture fixture;
    fixture.die(2);
    QCOMPARE(fixture.row(2).health, Health::Lost);
    QCOMPARE(fixture.row(2).cause, HealthCause::Gone);
    QCOMPARE(fixture.row(2).detection, 3us);
    QVERIFY(!fixture.row(2).seat);
    QCOMPARE(fixture.holder(1), 4);
    QCOMPARE(fixture.seat(1).incarnation, Incarnation(2));
    QCOMPARE(fixture.seat(1).previous, std::optional(ProcessorId(2)));
    QVERIFY(!fixture.seat(1).taken);
    QCOMPARE(fixture.membership.takeSeated(), std::vector{ProcessorId(4)});
    QVERIFY(fixture.membership.takeSeated().empty());
    fixture.die(4);
    QCOMPARE(fixture.holder(1), 5);
    QCOMPARE(fixture.seat(1).incarnation, Incarnation(3));
    fixture.die(0); // the place of the I/O processor is a seat like the others, but nobody is left
    QCOMPARE(fixture.holder(3), -1);
}

void TestTableWriter::promotedStandbyComesFirst()
{
    ClusterTable table = firstTable();
    table.member(ProcessorId(5))->promoted = 1;
    for (MemberRow& row : table.members)
        row.health = Health::Alive;
    TableWriter membership(master, table, at(0s));
    tasuki::hierarchy::testing::resync(membership);
    membership.observe({ProcessorId(1), Observation::Gone, HealthCause::Gone, 0us}, at(0s));
    QCOMPARE(membership.draft().holder(SeatId(0))->processor, ProcessorId(5));
}

void TestTableWriter::vacantUntilAStandbyIsReady()
{
    Fixture fixture({}, 4);
    fixture.die(1);
    QCOMPARE(fixture.holder(0), -1);
    QVERIFY(!fixture.seat(0).givenUp);
    QCOMPARE(fixture.seat(0).incarnation, Incarnation(1));
    fixture.see(5, Observation::Ready);
    QCOMPARE(fixture.holder(0), 5);
    QCOMPARE(fixture.seat(0).incarnation, Incarnation(2));
}

void TestTableWriter::drainedStandbyIsLeftAlone()
{
    Fixture fixture;
    fixture.membership.carryOut(DrainOrder{ProcessorId(4), true}, at(0s));
    fixture.die(1);
    QCOMPARE(fixture.holder(0), 5);
    fixture.die(2);
    QCOMPARE(fixture.holder(1), -1);
    fixture.membership.carryOut(DrainOrder{ProcessorId(4), false}, at(0s));
    QCOMPARE(fixture.holder(1), 4);
}

void TestTableWriter::intensity()
{
    Fixture fixture({.restarts = 1, .within = 60s});
    fixture.die(1, 0s);
    QCOMPARE(fixture.holder(0), 4);
    fixture.die(2, 60s); // still within
    QVERIFY(fixture.seat(1).givenUp);
    QCOMPARE(fixture.holder(1), -1);
    fixture.die(3, 60s + 1ns);
    QVERIFY(!fixture.seat(2).givenUp);
    QCOMPARE(fixture.holder(2), 5);
    QVERIFY(fixture.seat(1).givenUp); // for good
}

void TestTableWriter::minimum()
{
    Fixture fixture({.minimum = 3});
    fixture.membership.carryOut(DrainOrder{ProcessorId(4), true}, at(0s));
    fixture.membership.carryOut(DrainOrder{ProcessorId(5), true}, at(0s));
    QCOMPARE(fixture.membership.draft().state, ClusterState::Up);
    fixture.die(3);
    QCOMPARE(fixture.membership.draft().heldRanks(), std::size_t(2));
    QCOMPARE(fixture.membership.draft().state, ClusterState::Down);
    fixture.membership.carryOut(DrainOrder{ProcessorId(5), false}, at(1s));
    QCOMPARE(fixture.membership.draft().state, ClusterState::Up);
}

void TestTableWriter::leftIsNoLoss()
{
    Fixture fixture;
    fixture.see(1, Observation::Left);
    QCOMPARE(fixture.row(1).health, Health::Left);
    QCOMPARE(fixture.row(1).cause, HealthCause::None);
    QCOMPARE(fixture.holder(0), 4);
    fixture.die(1); // as was to be expected
    QCOMPARE(fixture.row(1).health, Health::Left);
    fixture.see(4, Observation::Left);
    fixture.see(5, Observation::Left);
    QCOMPARE(fixture.holder(0), -1);
    QVERIFY(!fixture.seat(0).givenUp);
}

void TestTableWriter::condemnedThenGone()
{
    Fixture fixture;
    fixture.see(2, Observation::Silent, HealthCause::Stopped, 1s, 1'000'100us);
    QCOMPARE(fixture.row(2).health, Health::Condemned);
    QCOMPARE(fixture.holder(1), 2); // until it is dead
    QCOMPARE(fixture.membership.condemned(), std::vector{ProcessorId(2)});
    fixture.see(2, Observation::Back);
    QCOMPARE(fixture.row(2).health, Health::Condemned);
    fixture.die(2, 1s);
    QCOMPARE(fixture.row(2).health, Health::Lost);
    QCOMPARE(fixture.row(2).cause, HealthCause::Stopped);
    QCOMPARE(fixture.row(2).detection, 1'000'100us); // from its last sign of life
    QVERIFY(fixture.membership.condemned().empty());
    QCOMPARE(fixture.holder(1), 4);
}

void TestTableWriter::leaseOver()
{
    Fixture fixture;
    fixture.see(2, Observation::LeaseOver);
    QCOMPARE(fixture.row(2).health, Health::Alive);
    fixture.see(2, Observation::Silent, HealthCause::Silent);
    fixture.see(2, Observation::Unfenced, HealthCause::None, 1s);
    fixture.see(2, Observation::Unfenced, HealthCause::None, 2s); // begins no new time
    QVERIFY(fixture.membership.leasesOver(at(4s), 3s).empty());
    QCOMPARE(fixture.membership.leasesOver(at(4s + 1ns), 3s), std::vector{ProcessorId(2)});
    fixture.see(2, Observation::LeaseOver, HealthCause::None, 5s);
    QCOMPARE(fixture.row(2).health, Health::Lost);
    QCOMPARE(fixture.row(2).cause, HealthCause::Silent);
    QVERIFY(fixture.membership.leasesOver(at(99s), 3s).empty());
    QCOMPARE(fixture.holder(1), 4);
}

void TestTableWriter::takenByWhoHasIt()
{
    Fixture fixture;
    fixture.die(2, 1s);
    const Holding holding{SeatId(1), Incarnation(2)};
    fixture.membership.taken(ProcessorId(5), holding, at(2s));
    fixture.membership.taken(ProcessorId(4), {SeatId(1), Incarnation(1)}, at(2s));
    fixture.membership.taken(ProcessorId(4), {SeatId(0), Incarnation(2)}, at(2s));
    fixture.membership.taken(ProcessorId(4), {SeatId(99), Incarnation(2)}, at(2s));
    fixture.membership.taken(ProcessorId(99), holding, at(2s));
    QVERIFY(!fixture.seat(1).taken);
    fixture.membership.taken(ProcessorId(4), holding, at(1s + 20ms));
    QVERIFY(fixture.seat(1).taken);
    QCOMPARE(fixture.seat(1).takeover, 20'000us);
    fixture.membership.taken(ProcessorId(4), holding, at(9s));
    QCOMPARE(fixture.seat(1).takeover, 20'000us);
}

// Fails if a loss is dated when it was written down, or a takeover counts from anything but the verdict.
void TestTableWriter::timesAddUp()
{
    constexpr WallTime noon(1'000'000s);
    Fixture fixture;
    fixture.see(2, Observation::Silent, HealthCause::Silent, 2s, 1'000'000us);
    fixture.die(2, 2s + 30ms); // killed, and seen to have ended
    fixture.membership.taken(ProcessorId(4), {SeatId(1), Incarnation(2)}, at(2s + 50ms));
    fixture.die(5, 3s);
    fixture.see(3, Observation::Left, HealthCause::None, 4s);
    fixture.see(1, Observation::Unwanted, HealthCause::Ordered, 5s);
    fixture.die(1, 6s);
    fixture.see(0, Observation::Returned, HealthCause::Silent, 7s);
    const ClusterTablePtr table = fixture.membership.publish(at(10s), noon + 10s);
    const auto row = [&](std::uint32_t number) { return *table->member(ProcessorId(number)); };
    QCOMPARE(row(2).lostAt, std::optional(noon + 1s));
    QCOMPARE(row(2).detection, 1'000'000us);
    QCOMPARE(table->seat(SeatId(1))->takeover, 50'000us); // the kill is part of it
    QCOMPARE(row(5).lostAt, std::optional(noon + 3s - 3us));
    QCOMPARE(row(3).lostAt, std::optional(noon + 4s));
    QCOMPARE(row(3).detection, notKnown); // it said so
    QCOMPARE(row(1).lostAt, std::optional(noon + 6s - 3us));
    QCOMPARE(row(1).detection, notKnown); // it was wanted
    QVERIFY(!row(0).lostAt);              // all that it says is that its life is over
    QCOMPARE(row(0).detection, notKnown);
    QVERIFY(!row(4).lostAt);
}

// Fails if what a lost cluster master has decided is not counted by the next one.
void TestTableWriter::nextMasterCountsOn()
{
    constexpr WallTime noon(1'000'000s);
    Fixture fixture;
    fixture.die(2, 2s);
    ClusterTable table = *fixture.membership.publish(at(2s), noon);
    QCOMPARE(table.seat(SeatId(1))->takeover, notKnown);
    TableWriter next(ProcessorId(1), table, at(500s)); // of another process: another clock
    next.taken(ProcessorId(4), {SeatId(1), Incarnation(2)}, at(501s));
    QCOMPARE(next.publish(at(502s), noon + 1100ms)->seat(SeatId(1))->takeover, 100'000us);
    // Of hosts whose clocks are apart nothing is made up.
    TableWriter apart(ProcessorId(1), table, at(500s));
    apart.taken(ProcessorId(4), {SeatId(1), Incarnation(2)}, at(501s));
    QCOMPARE(apart.publish(at(501s), noon - 5s)->seat(SeatId(1))->takeover, notKnown);
    // What was condemned by one and has died under the next.
    fixture.see(3, Observation::Stuck, HealthCause::Stuck, 3s, 10'000us);
    table = *fixture.membership.publish(at(3s), noon + 1s);
    TableWriter third(ProcessorId(1), table, at(0s));
    third.observe({ProcessorId(3), Observation::Gone, HealthCause::Gone, 0us}, at(1s));
    third.follows(ProcessorId(5), third.draft().version.term, at(1s));
    third.taken(ProcessorId(5), {SeatId(2), Incarnation(2)}, at(1s));
    const ClusterTablePtr last = third.publish(at(1s), noon + 3s);
    QCOMPARE(last->member(ProcessorId(3))->lostAt, std::optional(noon + 990ms));
    QCOMPARE(last->seat(SeatId(2))->takeover, 2'000'000us);
}

void TestTableWriter::newTerms()
{
    ClusterTable table = firstTable();
    table.version = {.term = TableTerm(7), .revision = 12};
    TableWriter next(ProcessorId(3), table, at(0s));
    QVERIFY(next.changed());
    const ClusterTablePtr published = next.publish(at(0s), WallTime{});
    QCOMPARE(published->version, (Version{TableTerm(8), 1}));
    QCOMPARE(published->writer, ProcessorId(3));
    QVERIFY(published->version > table.version);
    // A foreign writer may not know of terms that cluster masters have begun meanwhile.
    TableWriter foreign(ProcessorId(9), table, at(0s),
                        termBeyond(generationOf(table.version.term), 0));
    TableWriter third(ProcessorId(4), *published, at(0s));
    const ClusterTablePtr theirs = third.publish(at(0s), WallTime{});
    const ClusterTablePtr decided = foreign.publish(at(0s), WallTime{});
    QVERIFY(decided->version > theirs->version);
    TableWriter again(ProcessorId(9), *decided, at(0s),
                      termBeyond(generationOf(decided->version.term), 0));
    QVERIFY(again.publish(at(0s), WallTime{})->version.term > decided->version.term.next());
}

void TestTableWriter::publishedOnce()
{
    Fixture fixture;
    const Version first = fixture.membership.publish(at(0s), WallTime{})->version;
    QVERIFY(!fixture.membership.changed());
    fixture.see(3, Observation::Back); // nothing new
    fixture.membership.carryOut(DrainOrder{ProcessorId(3), false}, at(0s));
    QVERIFY(!fixture.membership.changed());
    fixture.see(3, Observation::Late, HealthCause::Late);
    QCOMPARE(fixture.row(3).health, Health::Suspect);
    QVERIFY(fixture.membership.changed());
    QCOMPARE(fixture.membership.publish(at(0s), WallTime{})->version,
             (Version{first.term, first.revision + 1}));
}

void TestTableWriter::olderIncarnationsAreNotGivenOut()
{
    // 4 was given the seat by a master that died before anybody else heard of it.
    Fixture fixture;
    fixture.membership.heardOf({SeatId(1), Incarnation(2)});
    QCOMPARE(fixture.seat(1).incarnation, Incarnation(3));
    QVERIFY(!fixture.seat(1).taken);
    fixture.membership.heardOf({SeatId(1), Incarnation(1)});
    fixture.membership.heardOf({SeatId(77), Incarnation(9)});
    QCOMPARE(fixture.seat(1).incarnation, Incarnation(3));
    fixture.die(2);
    QCOMPARE(fixture.seat(1).incarnation, Incarnation(4));
}

void TestTableWriter::goesOnFromWhatIsRecorded_data()
{
    QTest::addColumn<RecordedSeat>("recorded");
    QTest::addColumn<int>("incarnation"); // of seat 1, which processor 2 has as incarnation 1
    const auto seat = [](std::uint32_t incarnation, std::optional<ProcessorId> holder) {
        return RecordedSeat{SeatId(1), Incarnation(incarnation), holder};
    };
    QTest::newRow("as it is") << seat(1, ProcessorId(2)) << 1;
    QTest::newRow("an older one") << seat(0, ProcessorId(4)) << 1;
    QTest::newRow("held by another one") << seat(1, ProcessorId(4)) << 2;
    QTest::newRow("let go of") << seat(1, std::nullopt) << 2;
    QTest::newRow("given to another one") << seat(2, ProcessorId(4)) << 3;
    QTest::newRow("given to the same one again") << seat(4, ProcessorId(2)) << 5;
    QTest::newRow("no seat") << RecordedSeat{SeatId(77), Incarnation(9), {}} << 1;
}

void TestTableWriter::goesOnFromWhatIsRecorded()
{
    QFETCH(RecordedSeat, recorded);
    QFETCH(int, incarnation);
    Fixture fixture;
    const Incarnation expected(static_cast<std::uint32_t>(incarnation));
    fixture.membership.publish(at(0s), WallTime{});
    fixture.membership.recall(recorded);
    QCOMPARE(fixture.seat(1).incarnation, expected);
    QCOMPARE(fixture.holder(1), 2);
    QCOMPARE(fixture.membership.changed(), expected != Incarnation(1));
    QCOMPARE(fixture.seat(1).taken, expected == Incarnation(1)); // else its holder says so first
    QVERIFY(!isBehind(fixture.membership.draft(), recorded));
    fixture.die(2);
    QCOMPARE(fixture.seat(1).incarnation, expected.next());
}

/// Of a seat that nobody has the next holding comes after the recorded one.
void TestTableWriter::vacantSeatGoesOnFromWhatIsRecorded()
{
    Fixture fixture({}, 4); // no standby is ready
    fixture.die(2);
    fixture.membership.recall({SeatId(1), Incarnation(2), ProcessorId(4)});
    QCOMPARE(fixture.seat(1).incarnation, Incarnation(2));
    QCOMPARE(fixture.holder(1), -1);
    fixture.see(5, Observation::Ready);
    QCOMPARE(fixture.holder(1), 5);
    QCOMPARE(fixture.seat(1).incarnation, Incarnation(3));
}

void TestTableWriter::unknownProcessors()
{
    Fixture fixture;
    fixture.membership.publish(at(0s), WallTime{});
    fixture.die(6);
    QVERIFY(!fixture.membership.changed());
}

QTEST_APPLESS_MAIN(TestTableWriter)

} // namespace tst_tablewriter

#include "tst_tablewriter.moc"

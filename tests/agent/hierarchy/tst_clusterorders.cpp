// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "resyncing.h"

#include "hierarchy/membershipview.h"
#include "hierarchy/tree.h"

#include <array>

namespace tst_clusterorders {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

SteadyTime at(std::chrono::nanoseconds time) { return SteadyTime{} + 100s + time; }

/// Two I/O processors 0 and 1, ranks 0 and 1 on 2 and 3, standbys 4 and 5; all are alive.
ClusterTable liveTable(const ClusterRules& rules)
{
    std::vector<Place> places(6);
    const std::array seats{SeatKind::Active, SeatKind::Active, SeatKind::Io, SeatKind::Io};
    for (std::uint32_t number = 0; number < places.size(); ++number) {
        places[number].kind = number < 2 ? ProcessorKind::Io
            : number < 4                 ? ProcessorKind::Active
                                         : ProcessorKind::Standby;
        if (number < 4)
            places[number].seat = SeatId(number < 2 ? number + 2 : number - 2);
    }
    ClusterTable table =
        MembershipView(places, seats, {}, std::array{rules}).cluster(SubclusterId(0));
    for (MemberRow& row : table.members)
        row.health = Health::Alive;
    table.state = ClusterState::Up;
    return table;
}

struct Fixture {
    explicit Fixture(const ClusterRules& rules = {})
        : membership(ProcessorId(0), liveTable(rules), at(0s))
    {
        tasuki::hierarchy::testing::resync(membership);
        membership.publish(at(0s), WallTime{});
    }

    void want(const TableOrder& order, std::chrono::nanoseconds when = 0s)
    {
        membership.carryOut(order, at(when));
    }
    void die(std::uint32_t processor, std::chrono::nanoseconds when = 0s,
             HealthCause cause = HealthCause::Gone)
    {
        membership.observe({ProcessorId(processor), Observation::Gone, cause, 0us}, at(when));
    }
    void stop(std::uint32_t processor, std::chrono::nanoseconds when = 0s)
    {
        membership.observe(
            {ProcessorId(processor), Observation::Unwanted, HealthCause::Ordered, 0us}, at(when));
        die(processor, when);
    }
    /// A processor says that it has let go of a seat.
    void letGo(std::uint32_t processor, std::uint32_t incarnation = 1)
    {
        const auto held = row(processor).seat;
        membership.vacated(ProcessorId(processor),
                           {held.value_or(SeatId(0)), Incarnation(incarnation)}, at(0s));
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

/// What cluster masters make of orders.
class TestClusterOrders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drainedKeepsItsSeat();
    void promotedInFront();
    void holderBecomesStandby();
    void withoutAnotherStandbyTheSeatIsVacant();
    void deathWhileLettingGo();
    void lettingGoTwice();
    void whoHasLapsedGetsItsSeatAgain();
    void whoIsCondemnedDoesNot();
    void whoseEndWasSeen();
    void changedItsMind();
    void standbyBecomesActive();
    void standbyBecomesIo();
    void whoIsActiveTakesNoIo();
    void givenUpSeatIsTakenByOrder();
    void whatCannotBeIsLeft();
    void ordersAreNoFaults();
    void stopIsNoAlarm();
    void rulesCountAtOnce();
    void takeoversAreHandedOn();
    void numbers();
};

void TestClusterOrders::drainedKeepsItsSeat()
{
    Fixture fixture({.minimum = 2});
    fixture.want(DrainOrder{ProcessorId(2), true});
    QVERIFY(fixture.row(2).drained);
    QCOMPARE(fixture.holder(0), 2);
    QCOMPARE(fixture.membership.draft().state, ClusterState::Up);
    fixture.die(2);
    QCOMPARE(fixture.holder(0), 4);
}

void TestClusterOrders::promotedInFront()
{
    Fixture fixture;
    fixture.want(PromoteOrder{ProcessorId(5)});
    QCOMPARE(clusterMaster(fixture.membership.draft()), std::optional(ProcessorId(5)));
    fixture.want(PromoteOrder{ProcessorId(1)});
    QCOMPARE(clusterMaster(fixture.membership.draft()), std::optional(ProcessorId(1)));
    fixture.die(2);
    QCOMPARE(fixture.holder(0), 5); // before the standby 4
}

void TestClusterOrders::holderBecomesStandby()
{
    Fixture fixture;
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Standby});
    QCOMPARE(fixture.row(2).kind, ProcessorKind::Standby);
    QVERIFY(fixture.row(2).vacating);
    QCOMPARE(fixture.holder(0), 2); // until it says that it does nothing in it any more
    QCOMPARE(fixture.membership.takeSeated(), std::vector{ProcessorId(2)});
    fixture.letGo(2);
    QVERIFY(!fixture.row(2).vacating && !fixture.row(2).seat);
    QCOMPARE(fixture.holder(0), 4);
    QCOMPARE(fixture.seat(0).incarnation, Incarnation(2));
    QCOMPARE(fixture.seat(0).previous, std::optional(ProcessorId(2)));
    QCOMPARE(fixture.membership.takeSeated(), std::vector{ProcessorId(4)});
    fixture.die(4); // it is a standby like the others now, the first one
    QCOMPARE(fixture.holder(0), 2);
}

void TestClusterOrders::withoutAnotherStandbyTheSeatIsVacant()
{
    Fixture fixture;
    fixture.die(4);
    fixture.die(5);
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Standby});
    fixture.letGo(2);
    QCOMPARE(fixture.holder(0), -1);
    QVERIFY(!fixture.seat(0).givenUp);
    fixture.want(DrainOrder{ProcessorId(3), true}); // whatever happens it does not come back
    QCOMPARE(fixture.holder(0), -1);
    fixture.die(3);
    QCOMPARE(fixture.holder(1), 2);
}

void TestClusterOrders::deathWhileLettingGo()
{
    Fixture fixture;
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Standby});
    fixture.die(2);
    QCOMPARE(fixture.holder(0), 4);
    QVERIFY(!fixture.row(2).vacating);
}

void TestClusterOrders::lettingGoTwice()
{
    Fixture fixture;
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Standby});
    fixture.letGo(2, 7);
    QCOMPARE(fixture.holder(0), 2);
    fixture.letGo(2);
    fixture.membership.vacated(ProcessorId(2), {SeatId(0), Incarnation(1)}, at(1s));
    fixture.membership.vacated(ProcessorId(4), {SeatId(0), Incarnation(1)}, at(1s));
    fixture.membership.vacated(ProcessorId(4), {SeatId(9), Incarnation(2)}, at(1s));
    fixture.membership.vacated(ProcessorId(9), {SeatId(0), Incarnation(2)}, at(1s));
    QCOMPARE(fixture.holder(0), 4);
}

// Whose lease was over begins anew in its seat, under another number, whatever it did under the last one.
void TestClusterOrders::whoHasLapsedGetsItsSeatAgain()
{
    Fixture fixture({.restarts = 1});
    fixture.want(DrainOrder{ProcessorId(2), true}); // which gets no other one
    for (std::uint32_t time = 1; time < 4; ++time) {
        fixture.letGo(2, time);
        fixture.letGo(2, time); // said again
        QCOMPARE(fixture.holder(0), 2);
        QCOMPARE(fixture.seat(0).incarnation, Incarnation(time + 1));
        QVERIFY(!fixture.seat(0).taken && !fixture.seat(0).open && !fixture.seat(0).givenUp);
        QCOMPARE(fixture.membership.takeSeated(), std::vector{ProcessorId(2)});
    }
    // Nobody was lost: that counts nowhere.
    QVERIFY(!fixture.seat(0).previous);
    fixture.membership.taken(ProcessorId(2), {SeatId(0), Incarnation(4)}, at(1s));
    QCOMPARE(fixture.seat(0).takeover, notKnown);
    fixture.die(2);
    QCOMPARE(fixture.holder(0), 4);
    QVERIFY(!fixture.seat(0).givenUp);
}

void TestClusterOrders::whoIsCondemnedDoesNot()
{
    Fixture fixture;
    fixture.membership.observe(
        {ProcessorId(2), Observation::Silent, HealthCause::Silent, 1'000'000us}, at(0s));
    QCOMPARE(fixture.row(2).health, Health::Condemned);
    fixture.letGo(2);
    QVERIFY(!fixture.row(2).seat);
    QCOMPARE(fixture.holder(0), 4);
    QCOMPARE(fixture.seat(0).incarnation, Incarnation(2));
}

// Who has ended need not be waited for, whatever else is not known of it.
void TestClusterOrders::whoseEndWasSeen()
{
    Fixture fixture;
    fixture.die(2);
    QVERIFY(fixture.row(2).ended);
    fixture.membership.observe({ProcessorId(5), Observation::Left, HealthCause::None, 0us}, at(0s));
    QVERIFY(fixture.row(5).ended);
    for (const Observation what : {Observation::Silent, Observation::LeaseOver})
        fixture.membership.observe({ProcessorId(3), what, HealthCause::Silent, 1us}, at(4s));
    QCOMPARE(fixture.row(3).health, Health::Lost);
    QVERIFY(!fixture.row(3).ended);
    fixture.membership.observe(
        {ProcessorId(1), Observation::Returned, HealthCause::Silent, 1us, Life(2)}, at(5s));
    QCOMPARE(fixture.row(1).health, Health::Fenced);
    QVERIFY(!fixture.row(1).ended);
}

void TestClusterOrders::changedItsMind()
{
    // Active again before it has let go: it gets the seat back, but under another number.
    Fixture fixture;
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Standby});
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Active});
    QVERIFY(fixture.row(2).vacating);
    fixture.letGo(2);
    QCOMPARE(fixture.holder(0), 2);
    QCOMPARE(fixture.seat(0).incarnation, Incarnation(2));
    QVERIFY(!fixture.row(2).vacating);
}

void TestClusterOrders::standbyBecomesActive()
{
    Fixture fixture;
    fixture.want(DrainOrder{ProcessorId(4), true});
    fixture.want(DrainOrder{ProcessorId(5), true});
    fixture.die(2);
    QCOMPARE(fixture.holder(0), -1);
    fixture.want(KindOrder{ProcessorId(5), ProcessorKind::Active}); // drained: not now
    QCOMPARE(fixture.row(5).kind, ProcessorKind::Standby);
    fixture.want(DrainOrder{ProcessorId(5), false});
    QCOMPARE(fixture.holder(0), 5); // as a standby
    fixture.want(KindOrder{ProcessorId(5), ProcessorKind::Active});
    QCOMPARE(fixture.row(5).kind, ProcessorKind::Active);
    QVERIFY(!fixture.row(5).vacating);
    QCOMPARE(fixture.holder(0), 5);
}

void TestClusterOrders::standbyBecomesIo()
{
    Fixture fixture({.restarts = 0});
    fixture.die(1); // nobody takes over
    QVERIFY(fixture.seat(3).givenUp);
    fixture.want(KindOrder{ProcessorId(4), ProcessorKind::Io});
    QCOMPARE(fixture.holder(3), 4);
    QCOMPARE(fixture.row(4).kind, ProcessorKind::Io);
    QVERIFY(!fixture.seat(3).givenUp);
}

void TestClusterOrders::whoIsActiveTakesNoIo()
{
    // 2 is to give its rank back and then to hold one again; meanwhile an I/O place is vacant.
    Fixture fixture;
    fixture.want(DrainOrder{ProcessorId(4), true});
    fixture.want(DrainOrder{ProcessorId(5), true});
    fixture.die(1);
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Standby});
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Active});
    fixture.letGo(2);
    QCOMPARE(fixture.holder(0), 2);
    QCOMPARE(fixture.holder(3), -1);
}

void TestClusterOrders::givenUpSeatIsTakenByOrder()
{
    Fixture fixture({.restarts = 1});
    fixture.die(2);
    fixture.die(3);
    QVERIFY(fixture.seat(1).givenUp);
    fixture.want(KindOrder{ProcessorId(5), ProcessorKind::Active});
    QCOMPARE(fixture.holder(1), 5);
    QVERIFY(!fixture.seat(1).givenUp);
}

void TestClusterOrders::whatCannotBeIsLeft()
{
    Fixture fixture;
    fixture.die(5);
    fixture.membership.publish(at(0s), WallTime{});
    fixture.want(KindOrder{ProcessorId(4), ProcessorKind::Active}); // no vacant rank
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Io});     // holds a rank
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::DedicatedMaster});
    fixture.want(KindOrder{ProcessorId(5), ProcessorKind::Active}); // dead
    fixture.want(PromoteOrder{ProcessorId(5)});
    fixture.want(PromoteOrder{ProcessorId(77)});
    fixture.want(DrainOrder{ProcessorId(77), true});
    fixture.want(KindOrder{ProcessorId(77), ProcessorKind::Standby});
    QVERIFY(!fixture.membership.changed());
}

void TestClusterOrders::ordersAreNoFaults()
{
    Fixture fixture({.restarts = 1});
    fixture.want(KindOrder{ProcessorId(2), ProcessorKind::Standby});
    fixture.letGo(2);
    QCOMPARE(fixture.holder(0), 4);
    fixture.stop(4);
    QCOMPARE(fixture.holder(0), 2);
    fixture.die(3); // the first that counts
    QCOMPARE(fixture.holder(1), 5);
    fixture.stop(5);
    QCOMPARE(fixture.holder(1), -1);
    QVERIFY(!fixture.seat(1).givenUp);
}

void TestClusterOrders::stopIsNoAlarm()
{
    Fixture fixture;
    fixture.stop(2);
    QCOMPARE(fixture.row(2).health, Health::Lost);
    QCOMPARE(fixture.row(2).cause, HealthCause::Ordered);
    QCOMPARE(fixture.holder(0), 4);
}

void TestClusterOrders::rulesCountAtOnce()
{
    Fixture fixture({.minimum = 1});
    fixture.die(4);
    fixture.die(5);
    fixture.die(2);
    QCOMPARE(fixture.membership.draft().state, ClusterState::Up);
    fixture.want(RulesOrder{SubclusterId(0), {.minimum = 2}});
    QCOMPARE(fixture.membership.draft().state, ClusterState::Down);
    fixture.membership.publish(at(0s), WallTime{});
    fixture.want(RulesOrder{SubclusterId(0), {.minimum = 2}});
    QVERIFY(!fixture.membership.changed());
    fixture.want(RulesOrder{SubclusterId(0), {.minimum = 1}});
    QCOMPARE(fixture.membership.draft().state, ClusterState::Up);
}

void TestClusterOrders::takeoversAreHandedOn()
{
    Fixture fixture({.restarts = 2, .within = 60s});
    fixture.die(2, 0s);
    const ClusterTablePtr published = fixture.membership.publish(at(40s), WallTime{});
    QCOMPARE(published->takeovers, std::vector<std::chrono::microseconds>{40s});
    // The successor has known it for ten seconds, and writes it then.
    TableWriter next(ProcessorId(1), *published, at(40s));
    tasuki::hierarchy::testing::resync(next);
    next.observe({ProcessorId(3), Observation::Gone, HealthCause::Gone, 0us}, at(50s));
    QCOMPARE(next.draft().holder(SeatId(1))->processor, ProcessorId(5));
    const ClusterTablePtr second = next.publish(at(50s), WallTime{});
    QCOMPARE(second->takeovers, (std::vector<std::chrono::microseconds>{50s, 0s}));
    // After 70 s the first is forgotten, the second is not.
    TableWriter third(ProcessorId(1), *second, at(50s));
    tasuki::hierarchy::testing::resync(third);
    QCOMPARE(third.publish(at(70s), WallTime{})->takeovers,
             std::vector<std::chrono::microseconds>{20s});
    // Were they not counted on, a third one would be within the limit.
    TableWriter fourth(ProcessorId(1), *second, at(50s));
    tasuki::hierarchy::testing::resync(fourth);
    fourth.carryOut(RulesOrder{SubclusterId(0), {.restarts = 2, .within = 60s}}, at(50s));
    ClusterTable revived = fourth.draft();
    revived.member(ProcessorId(2))->health = Health::Alive;
    TableWriter fifth(ProcessorId(1), revived, at(50s));
    tasuki::hierarchy::testing::resync(fifth);
    fifth.observe({ProcessorId(5), Observation::Gone, HealthCause::Gone, 0us}, at(51s));
    QVERIFY(fifth.draft().seat(SeatId(1))->givenUp);
}

void TestClusterOrders::numbers()
{
    Fixture fixture;
    constexpr ProcessorId issuer(7);
    const auto drain = [](std::uint64_t number, bool drained) {
        return NumberedOrder{number, DrainOrder{ProcessorId(2), drained}};
    };
    QVERIFY(fixture.membership.carryOut(issuer, drain(5, true), at(0s)));
    QCOMPARE(fixture.membership.draft().ordered, (OrderMark{issuer, 5}));
    QVERIFY(!fixture.membership.carryOut(issuer, drain(5, false), at(0s)));
    QVERIFY(!fixture.membership.carryOut(issuer, drain(4, false), at(0s)));
    QVERIFY(fixture.row(2).drained);
    QVERIFY(fixture.membership.carryOut(issuer, drain(6, false), at(0s)));
    // Another one counts its own.
    QVERIFY(fixture.membership.carryOut(ProcessorId(8), drain(1, true), at(0s)));
    QCOMPARE(fixture.membership.draft().ordered, (OrderMark{ProcessorId(8), 1}));
    // What changes nothing is marked too: who wants it must see that it is done.
    fixture.membership.publish(at(0s), WallTime{});
    QVERIFY(fixture.membership.carryOut(ProcessorId(8), drain(2, true), at(0s)));
    QVERIFY(fixture.membership.changed());
}

QTEST_APPLESS_MAIN(TestClusterOrders)

} // namespace tst_clusterorders

#include "tst_clusterorders.moc"

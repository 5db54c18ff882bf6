// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/changes.h"
#include "hierarchy/tablewriter.h"

#include "domain/systemstate.h"

#include <array>

namespace tst_changes {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

/// One subcluster: processor 0 is I/O, 1 and 2 hold ranks, 3 is a standby.
MembershipView smallView()
{
    const std::vector<Place> places{{SubclusterId(0), UnitId(0), ProcessorKind::Io, SeatId(2)},
                                    {SubclusterId(0), UnitId(0), ProcessorKind::Active, SeatId(0)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Active, SeatId(1)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Standby}};
    const std::vector<SeatKind> seats{SeatKind::Active, SeatKind::Active, SeatKind::Io};
    return {places, seats, SystemTable{}, std::array{ClusterRules{.minimum = 2}}};
}

/// A cluster master and what it makes known.
struct Cluster {
    MembershipView view = smallView();
    SteadyTime now{};
    WallTime wall{1000s};
    TableWriter membership{ProcessorId(0), view.cluster(SubclusterId(0)), now};

    std::vector<EventPayload> events()
    {
        const MembershipView before = view;
        view.adopt(membership.publish(now, wall));
        return changesBetween(before, view);
    }
    void observe(std::uint32_t processor, Observation what, HealthCause cause = HealthCause::None,
                 std::chrono::microseconds since = {})
    {
        membership.observe({ProcessorId(processor), what, cause, since}, now);
    }
    void allReady()
    {
        for (std::uint32_t i = 0; i < 4; ++i)
            observe(i, Observation::Ready);
        events();
    }
};

} // namespace

/// What the record says of what membership agents decide.
class TestChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void start();
    void takeover();
    void nobodyIsLeft();
    void vacantWhenThatIsDecided();
    void mastersFollow();
    void handedOverByOrder();
};

void TestChanges::start()
{
    Cluster cluster;
    for (std::uint32_t i = 0; i < 4; ++i)
        cluster.observe(i, Observation::Ready);
    const auto events = cluster.events();
    QCOMPARE(events.size(), std::size_t(5));
    for (std::uint32_t i = 0; i < 4; ++i)
        QCOMPARE(std::get<HealthChanged>(events[i]),
                 (HealthChanged{ProcessorId(i), Health::Alive, HealthCause::None, notKnown}));
    QCOMPARE(std::get<SubclusterChanged>(events[4]),
             (SubclusterChanged{SubclusterId(0), ClusterState::Up, ""}));
    const auto masters = mastersOf(cluster.view);
    QCOMPARE(masters.size(), std::size_t(4));
    QCOMPARE(std::get<MasterChanged>(masters[1]),
             (MasterChanged{MasterRole::Unit, 1, ProcessorId(2)}));
}

void TestChanges::takeover()
{
    Cluster cluster;
    cluster.allReady();
    cluster.observe(1, Observation::Gone, HealthCause::Gone, 3ms);
    auto events = cluster.events();
    QCOMPARE(events.size(), std::size_t(1)); // the seat is told when somebody has it
    QCOMPARE(std::get<HealthChanged>(events[0]),
             (HealthChanged{ProcessorId(1), Health::Lost, HealthCause::Gone, 3ms,
                            WallTime(1000s) - 3ms}));
    cluster.now += 7ms;
    cluster.membership.taken(ProcessorId(3), {SeatId(0), Incarnation(2)}, cluster.now);
    events = cluster.events();
    QCOMPARE(events.size(), std::size_t(1));
    QCOMPARE(std::get<SeatTaken>(events[0]),
             (SeatTaken{SeatId(0), Incarnation(2), ProcessorId(3), ProcessorId(1), 3ms, 7ms}));
}

void TestChanges::nobodyIsLeft()
{
    Cluster cluster;
    cluster.allReady();
    cluster.observe(3, Observation::Gone, HealthCause::Gone);
    cluster.events();
    cluster.observe(2, Observation::Silent, HealthCause::Stopped);
    QCOMPARE(std::get<HealthChanged>(cluster.events().at(0)).health, Health::Condemned);
    cluster.observe(2, Observation::Gone, HealthCause::Gone);
    const auto events = cluster.events();
    QCOMPARE(events.size(), std::size_t(3));
    QCOMPARE(std::get<HealthChanged>(events[0]).cause, HealthCause::Stopped);
    QCOMPARE(std::get<SeatVacated>(events[1]), (SeatVacated{SeatId(1), ProcessorId(2), false}));
    const auto& down = std::get<SubclusterChanged>(events[2]);
    QCOMPARE(down.subcluster, SubclusterId(0));
    QCOMPARE(down.state, ClusterState::Down);
    QCOMPARE(down.cause.text(),
             std::string("1 rank is held; policy restart: the run starts again"));
}

// Fails if a new cluster master raises an alarm for a seat that a standby gets a moment later, or the
// subcluster goes down for that moment.
void TestChanges::vacantWhenThatIsDecided()
{
    Cluster cluster;
    cluster.allReady();
    TableWriter next(ProcessorId(1), cluster.view.cluster(SubclusterId(0)), cluster.now);
    const auto published = [&] {
        const MembershipView before = cluster.view;
        cluster.view.adopt(next.publish(cluster.now, cluster.wall));
        return changesBetween(before, cluster.view);
    };
    next.observe({ProcessorId(2), Observation::Gone, HealthCause::Gone, 0us}, cluster.now);
    for (const EventPayload& event : published()) {
        QVERIFY(!std::holds_alternative<SeatVacated>(event));
        QVERIFY(!std::holds_alternative<SubclusterChanged>(event));
    }
    QVERIFY(next.draft().seat(SeatId(1))->open);
    // The standby dies before it follows: now it is decided.
    next.observe({ProcessorId(3), Observation::Gone, HealthCause::Gone, 0us}, cluster.now);
    int vacated = 0;
    int down = 0;
    for (const EventPayload& event : published()) {
        vacated += std::holds_alternative<SeatVacated>(event) ? 1 : 0;
        down += std::holds_alternative<SubclusterChanged>(event) ? 1 : 0;
    }
    QCOMPARE(vacated, 1);
    QCOMPARE(down, 1);
    // Who goes on from an open seat decides of it, also when nobody is to be resynchronised.
    ClusterTable open = next.draft();
    open.seat(SeatId(1))->open = true;
    const TableWriter last(ProcessorId(0), open, cluster.now);
    QVERIFY(!last.draft().seat(SeatId(1))->open);
}

void TestChanges::mastersFollow()
{
    Cluster cluster;
    cluster.allReady();
    cluster.observe(2, Observation::Gone, HealthCause::Gone);
    const auto events = cluster.events();
    QCOMPARE(std::get<MasterChanged>(events.back()),
             (MasterChanged{MasterRole::Unit, 1, ProcessorId(3)}));
}

void TestChanges::handedOverByOrder()
{
    Cluster cluster;
    cluster.allReady();
    cluster.membership.carryOut(KindOrder{ProcessorId(1), ProcessorKind::Standby}, cluster.now);
    QVERIFY(cluster.events().empty());
    cluster.membership.vacated(ProcessorId(1), {SeatId(0), Incarnation(1)}, cluster.now);
    QVERIFY(cluster.events().empty()); // until 3 has it; no alarm
    // Before that 1 takes over another rank: nobody is told to hold two.
    cluster.observe(2, Observation::Gone, HealthCause::Gone, 3ms);
    QCOMPARE(cluster.events().size(), std::size_t(2)); // lost, and another unit master
    cluster.membership.taken(ProcessorId(1), {SeatId(1), Incarnation(2)}, cluster.now);
    auto events = cluster.events();
    QCOMPARE(events.size(), std::size_t(2));
    QCOMPARE(std::get<SeatVacated>(events[0]), (SeatVacated{SeatId(0), ProcessorId(1), false}));
    QCOMPARE(std::get<SeatTaken>(events[1]).holder, ProcessorId(1));
    cluster.membership.taken(ProcessorId(3), {SeatId(0), Incarnation(2)}, cluster.now);
    events = cluster.events();
    QCOMPARE(events.size(), std::size_t(1));
    const auto taken = std::get<SeatTaken>(events[0]);
    QCOMPARE(taken.previous, std::optional(ProcessorId(1)));
    QCOMPARE(taken.detection, notKnown); // nothing was to be detected
}

QTEST_APPLESS_MAIN(TestChanges)

} // namespace tst_changes

#include "tst_changes.moc"

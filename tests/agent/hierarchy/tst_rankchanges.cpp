// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/rankchanges.h"
#include "hierarchy/tablewriter.h"

#include <array>
#include <functional>

namespace tst_rankchanges {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

using Changes = std::vector<RankChange>;

/// One subcluster: processor 0 is I/O, 1 and 2 hold ranks, 3 is a standby.
MembershipView rankedView()
{
    const std::vector<Place> places{{SubclusterId(0), UnitId(0), ProcessorKind::Io, SeatId(2)},
                                    {SubclusterId(0), UnitId(0), ProcessorKind::Active, SeatId(0)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Active, SeatId(1)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Standby}};
    const std::vector<SeatKind> seats{SeatKind::Active, SeatKind::Active, SeatKind::Io};
    return {places, seats, SystemTable{}, std::array{ClusterRules{.minimum = 1}}};
}

/// A cluster master and what follows from each of its tables.
struct RankedCluster {
    MembershipView view = rankedView();
    TableWriter membership{ProcessorId(0), view.cluster(SubclusterId(0)), SteadyTime{}};

    RankedCluster()
    {
        for (std::uint32_t i = 0; i < 4; ++i)
            membership.observe({ProcessorId(i), Observation::Ready}, SteadyTime{});
        changes();
    }
    Changes changes()
    {
        const MembershipView before = view;
        view.adopt(membership.publish(SteadyTime{}, WallTime{}));
        return rankChanges(before, view);
    }
    Changes after(std::uint32_t processor, Observation what, HealthCause cause = HealthCause::None)
    {
        membership.observe({ProcessorId(processor), what, cause, {}}, SteadyTime{});
        return changes();
    }
};

} // namespace

/// What those who give work are told.
class TestRankChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstHolders();
    void takeover();
    void causes_data();
    void causes();
    void suspectsGetNoWork();
    void drainedGetNoWork();
    void downClustersGetNoWork();
    void nothingForSeatsThatAreNoRanks();
    void holdersAreAwaited_data();
    void holdersAreAwaited();
};

void TestRankChanges::firstHolders()
{
    QCOMPARE(ranksOf(rankedView()),
             (Changes{RankHeld{Rank(0), ProcessorId(1), Incarnation(1)},
                      RankHeld{Rank(1), ProcessorId(2), Incarnation(1)}}));
}

void TestRankChanges::takeover()
{
    RankedCluster cluster;
    QCOMPARE(cluster.after(1, Observation::Gone, HealthCause::Gone),
             (Changes{RankLost{Rank(0), Incarnation(1), LossCause::Gone},
                      RankHeld{Rank(0), ProcessorId(3), Incarnation(2)}}));
    // The standby has it: nothing new for those who give work.
    cluster.membership.taken(ProcessorId(3), {SeatId(0), Incarnation(2)}, SteadyTime{});
    QCOMPARE(cluster.changes(), Changes{});
    QCOMPARE(cluster.after(2, Observation::Gone, HealthCause::Gone),
             (Changes{RankLost{Rank(1), Incarnation(1), LossCause::Gone}})); // no standby is left
}

void TestRankChanges::causes_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<int>("cause");
    QTest::addColumn<int>("lost");
    const auto row = [](const char* name, Observation what, HealthCause cause, LossCause lost) {
        QTest::newRow(name) << int(what) << int(cause) << int(lost);
    };
    row("gone", Observation::Gone, HealthCause::Gone, LossCause::Gone);
    row("killed as it was silent", Observation::Gone, HealthCause::Silent, LossCause::Silent);
    row("killed as it was stopped", Observation::Gone, HealthCause::Stopped, LossCause::Silent);
    row("left", Observation::Left, HealthCause::None, LossCause::Left);
}

void TestRankChanges::causes()
{
    QFETCH(int, what);
    QFETCH(int, cause);
    QFETCH(int, lost);
    RankedCluster cluster;
    const Changes changes = cluster.after(2, Observation(what), HealthCause(cause));
    QVERIFY(!changes.empty());
    QCOMPARE(changes.front(), RankChange(RankLost{Rank(1), Incarnation(1), LossCause(lost)}));
}

void TestRankChanges::suspectsGetNoWork()
{
    RankedCluster cluster;
    QCOMPARE(cluster.after(1, Observation::Late), (Changes{RankOpened{Rank(0), false}}));
    QCOMPARE(cluster.after(1, Observation::Back), (Changes{RankOpened{Rank(0), true}}));
}

void TestRankChanges::drainedGetNoWork()
{
    RankedCluster cluster;
    cluster.membership.carryOut(DrainOrder{ProcessorId(2), true}, SteadyTime{});
    QCOMPARE(cluster.changes(), (Changes{RankOpened{Rank(1), false}}));
    cluster.membership.carryOut(DrainOrder{ProcessorId(2), false}, SteadyTime{});
    QCOMPARE(cluster.changes(), (Changes{RankOpened{Rank(1), true}}));
}

void TestRankChanges::downClustersGetNoWork()
{
    MembershipView view = rankedView();
    ClusterTable table = view.cluster(SubclusterId(0));
    table.state = ClusterState::Down;
    ++table.version.revision;
    const MembershipView before = view;
    QVERIFY(view.adopt(std::make_shared<const ClusterTable>(table)));
    QCOMPARE(rankChanges(before, view),
             (Changes{RankOpened{Rank(0), false}, RankOpened{Rank(1), false}}));
    QCOMPARE(ranksOf(view).size(), std::size_t(4)); // both held, both closed
}

void TestRankChanges::nothingForSeatsThatAreNoRanks()
{
    RankedCluster cluster;
    const Changes changes = cluster.after(0, Observation::Gone, HealthCause::Gone);
    for (const RankChange& change : changes)
        QVERIFY(!std::holds_alternative<RankLost>(change));
}

void TestRankChanges::holdersAreAwaited_data()
{
    using Change = std::function<void(ClusterTable&)>;
    QTest::addColumn<Change>("change");
    QTest::addColumn<bool>("awaited");
    const auto row = [](const char* name, bool awaited, Change change) {
        QTest::newRow(name) << std::move(change) << awaited;
    };
    const auto vacate = [](ClusterTable& table) {
        table.members[1].health = Health::Lost;
        table.members[1].seat.reset();
        table.seats[0].previous = ProcessorId(1);
    };
    const auto vacant = [&](const char* name, bool awaited, Change change) {
        row(name, awaited, [vacate, change](ClusterTable& table) {
            vacate(table);
            change(table);
        });
    };
    row("all are held", false, [](ClusterTable&) {});
    vacant("a standby lives", true, [](ClusterTable&) {});
    vacant("it is late", true, [](ClusterTable& t) { t.members[3].health = Health::Suspect; });
    vacant("it is lost", false, [](ClusterTable& t) { t.members[3].health = Health::Lost; });
    vacant("it is drained", false, [](ClusterTable& t) { t.members[3].drained = true; });
    vacant("it holds another one", false, [](ClusterTable& t) {
        t.members[0].seat.reset();
        t.members[3].seat = SeatId(2);
    });
    vacant("it let go of this one", false,
           [](ClusterTable& t) { t.seats[0].previous = ProcessorId(3); });
    vacant("given up", false, [](ClusterTable& t) { t.seats[0].givenUp = true; });
    vacant("not looked at yet", true, [](ClusterTable& t) {
        t.members[3].health = Health::Lost;
        t.seats[0].open = true;
    });
    vacant("nobody is left to look", false, [](ClusterTable& t) {
        for (MemberRow& member : t.members)
            member.health = Health::Lost;
        t.seats[0].open = true;
    });
}

void TestRankChanges::holdersAreAwaited()
{
    QFETCH(std::function<void(ClusterTable&)>, change);
    QFETCH(bool, awaited);
    RankedCluster cluster;
    ClusterTable table = cluster.view.cluster(SubclusterId(0));
    change(table);
    ++table.version.revision;
    QVERIFY(cluster.view.adopt(std::make_shared<const ClusterTable>(table)));
    QCOMPARE(holdersAwaited(cluster.view), awaited);
}

QTEST_APPLESS_MAIN(TestRankChanges)

} // namespace tst_rankchanges

#include "tst_rankchanges.moc"

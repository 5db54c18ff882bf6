// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_membershiprecord {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;

namespace {

/// Rank 0 is held by processor 1, rank 2 by processor 5 of the other subcluster, both as incarnation 1.
constexpr SeatId near(0);
constexpr SeatId far(2);

const SeatRow& seat(const Stage& stage, SeatId id)
{
    const MembershipView& view = stage.membership.view();
    return *view.cluster(*view.subclusterOf(id)).seat(id);
}

/// What the master of the second subcluster would publish.
Tables theirs(const Stage& stage, Incarnation incarnation)
{
    ClusterTable table = stage.membership.view().cluster(SubclusterId(1));
    ++table.version.revision;
    table.seat(far)->incarnation = incarnation;
    return {.clusters = {std::make_shared<const ClusterTable>(std::move(table))},
            .system = nullptr};
}

} // namespace

/// A successor has read more in the record than its tables say.
class TestMembershipRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ownSubclusterAtOnce();
    void saidUntilTheTableShowsIt();
    void clusterMasterGoesOnFromThere();
    void nobodyElseWrites();
    void onlyTheSystemMasterSaysIt();
};

void TestMembershipRecord::ownSubclusterAtOnce()
{
    Stage stage(0);
    const RecordedSeat recorded{near, Incarnation(2), ProcessorId(3)};
    QVERIFY(isBehind(stage.membership.view(), recorded));
    stage.membership.recall({recorded});
    QVERIFY(!isBehind(stage.membership.view(), recorded));
    QCOMPARE(seat(stage, near).incarnation, Incarnation(3)); // 3 may have had it as incarnation 2
    QVERIFY(!isBehind(stage.membership.view(), {SeatId(99), Incarnation(9), {}}));
}

void TestMembershipRecord::saidUntilTheTableShowsIt()
{
    Stage stage(0);
    const RecordedSeat recorded{far, Incarnation(2), ProcessorId(7)};
    stage.membership.recall({{near, Incarnation(1), ProcessorId(1)}, recorded});
    QCOMPARE(stage.count<Recorded>(4), std::size_t(1)); // at once
    const auto said = std::ranges::find_if(
        stage.sent, [](const auto& item) { return std::holds_alternative<Recorded>(item.second); });
    QCOMPARE(std::get<Recorded>(said->second), Recorded{{recorded}}); // the other one is known
    stage.run(400ms, [&] { stage.beat({1, 2, 3, 4}); });
    QVERIFY(stage.count<Recorded>(4) >= 4 && stage.count<Recorded>(4) <= 6);
    stage.hear(4, theirs(stage, Incarnation(3)));
    stage.sent.clear();
    stage.run(300ms, [&] { stage.beat({1, 2, 3, 4}); });
    QCOMPARE(stage.count<Recorded>(4), std::size_t(0));
}

void TestMembershipRecord::clusterMasterGoesOnFromThere()
{
    Stage stage(4);
    stage.hear(0,
               Recorded{{{far, Incarnation(2), ProcessorId(7)},
                         {near, Incarnation(7), ProcessorId(3)}, // not its own
                         {SeatId(99), Incarnation(7), ProcessorId(99)}}});
    QCOMPARE(seat(stage, far).incarnation, Incarnation(3));
    QCOMPARE(seat(stage, near).incarnation, Incarnation(1));
}

/// Of a subcluster in which nobody lives any more the system master writes the table.
void TestMembershipRecord::nobodyElseWrites()
{
    Stage stage(0);
    ClusterTable table = stage.membership.view().cluster(SubclusterId(1));
    ++table.version.revision;
    for (MemberRow& row : table.members) {
        row.health = Health::Lost;
        row.seat.reset();
    }
    stage.hear(
        4, Tables{.clusters = {std::make_shared<const ClusterTable>(table)}, .system = nullptr});
    const RecordedSeat recorded{far, Incarnation(2), ProcessorId(7)};
    stage.membership.recall({recorded});
    QCOMPARE(seat(stage, far).incarnation, Incarnation(2));
    QVERIFY(!isBehind(stage.membership.view(), recorded));
}

void TestMembershipRecord::onlyTheSystemMasterSaysIt()
{
    Stage stage(1);
    stage.membership.recall({{far, Incarnation(2), ProcessorId(7)}});
    stage.run(300ms, [&] { stage.beat({0}); });
    for (std::uint32_t number = 0; number < 8; ++number)
        QCOMPARE(stage.count<Recorded>(number), std::size_t(0));
}

QTEST_APPLESS_MAIN(TestMembershipRecord)

} // namespace tst_membershiprecord

#include "tst_membershiprecord.moc"

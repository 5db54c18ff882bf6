// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "keeperstage.h"

namespace tst_keeperrecord {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;

namespace {

/// Rank 0 is held by processor 1, rank 2 by processor 5 of the other subcluster, both as incarnation 1.
constexpr SeatId near(0);
constexpr SeatId far(2);

const SeatRow& seat(const Stage& stage, SeatId id)
{
    const Picture& picture = stage.keeper.picture();
    return *picture.cluster(*picture.subclusterOf(id)).seat(id);
}

/// What the master of the second subcluster would publish.
Tables theirs(const Stage& stage, Incarnation incarnation)
{
    ClusterTable table = stage.keeper.picture().cluster(SubclusterId(1));
    ++table.version.revision;
    table.seat(far)->incarnation = incarnation;
    return {.clusters = {std::make_shared<const ClusterTable>(std::move(table))},
            .system = nullptr};
}

} // namespace

/// A successor has read more in the record than its tables say.
class TestKeeperRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ownSubclusterAtOnce();
    void saidUntilTheTableShowsIt();
    void clusterMasterGoesOnFromThere();
    void nobodyElseWrites();
    void onlyTheSystemMasterSaysIt();
};

void TestKeeperRecord::ownSubclusterAtOnce()
{
    Stage stage(0);
    const RecordedSeat recorded{near, Incarnation(2), ProcessorId(3)};
    QVERIFY(isBehind(stage.keeper.picture(), recorded));
    stage.keeper.recall({recorded});
    QVERIFY(!isBehind(stage.keeper.picture(), recorded));
    QCOMPARE(seat(stage, near).incarnation, Incarnation(3)); // 3 may have had it as incarnation 2
    QVERIFY(!isBehind(stage.keeper.picture(), {SeatId(99), Incarnation(9), {}}));
}

void TestKeeperRecord::saidUntilTheTableShowsIt()
{
    Stage stage(0);
    const RecordedSeat recorded{far, Incarnation(2), ProcessorId(7)};
    stage.keeper.recall({{near, Incarnation(1), ProcessorId(1)}, recorded});
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

void TestKeeperRecord::clusterMasterGoesOnFromThere()
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
void TestKeeperRecord::nobodyElseWrites()
{
    Stage stage(0);
    ClusterTable table = stage.keeper.picture().cluster(SubclusterId(1));
    ++table.version.revision;
    for (MemberRow& row : table.members) {
        row.health = Health::Lost;
        row.seat.reset();
    }
    stage.hear(
        4, Tables{.clusters = {std::make_shared<const ClusterTable>(table)}, .system = nullptr});
    const RecordedSeat recorded{far, Incarnation(2), ProcessorId(7)};
    stage.keeper.recall({recorded});
    QCOMPARE(seat(stage, far).incarnation, Incarnation(2));
    QVERIFY(!isBehind(stage.keeper.picture(), recorded));
}

void TestKeeperRecord::onlyTheSystemMasterSaysIt()
{
    Stage stage(1);
    stage.keeper.recall({{far, Incarnation(2), ProcessorId(7)}});
    stage.run(300ms, [&] { stage.beat({0}); });
    for (std::uint32_t number = 0; number < 8; ++number)
        QCOMPARE(stage.count<Recorded>(number), std::size_t(0));
}

QTEST_APPLESS_MAIN(TestKeeperRecord)

} // namespace tst_keeperrecord

#include "tst_keeperrecord.moc"

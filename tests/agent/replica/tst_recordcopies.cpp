// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "replica/recordcopies.h"

#include <memory>
#include <string>
#include <vector>

namespace tst_recordcopies {

using namespace tasuki;
using namespace tasuki::hierarchy;
using Presence = replica::Peer::Presence;

namespace {

/// Two subclusters, the first one's rows not in the order of succession: 0 and 1 are active, 2 is a
/// dedicated master; 3 and 4 are of the second. All are alive.
MembershipView aliveView()
{
    const SubclusterId left(0);
    const SubclusterId right(1);
    const std::vector<Place> places{{left, UnitId(0), ProcessorKind::Active, SeatId(0)},
                                    {left, UnitId(0), ProcessorKind::Active, SeatId(1)},
                                    {left, UnitId(0), ProcessorKind::DedicatedMaster, SeatId(4)},
                                    {right, UnitId(1), ProcessorKind::Active, SeatId(2)},
                                    {right, UnitId(1), ProcessorKind::Active, SeatId(3)}};
    const std::vector<SeatKind> seats{SeatKind::Active, SeatKind::Active, SeatKind::Active,
                                      SeatKind::Active, SeatKind::Master};
    MembershipView view(places, seats, SystemTable{});
    for (const SubclusterId subcluster : {left, right}) {
        ClusterTable table = view.cluster(subcluster);
        ++table.version.revision;
        for (MemberRow& row : table.members)
            row.health = Health::Alive;
        view.adopt(std::make_shared<const ClusterTable>(table));
    }
    SystemTable system = view.system();
    ++system.version.revision;
    system.started = true;
    view.adopt(std::make_shared<const SystemTable>(system));
    return view;
}

void setHealth(MembershipView& view, std::uint32_t number, Health health)
{
    ClusterTable table = view.cluster(view.subclusterOf(ProcessorId(number)));
    ++table.version.revision;
    table.member(ProcessorId(number))->health = health;
    view.adopt(std::make_shared<const ClusterTable>(table));
}

/// Processors 0 and 2 are on host a, where the record is; 1 and 3 on b; 4 on c.
const RecordReach reach{.original = {.host = "a", .path = "/r"},
                        .sees = {true, false, true, false, false},
                        .hosts = {"a", "b", "a", "b", "c"}};

std::string orderOf(const std::vector<replica::Peer>& peers)
{
    std::string text;
    for (const replica::Peer& peer : peers)
        text += std::to_string(peer.processor.value()) + (peer.fit ? "+ " : " ");
    return text;
}

} // namespace

/// Who is to keep a copy of the record.
class TestRecordCopies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ofTheOriginal();
    void ofACopy();
    void notBeforeTheStart();
    void presence();
};

void TestRecordCopies::ofTheOriginal()
{
    const MembershipView view = aliveView();
    QCOMPARE(orderOf(copyPeers(reach, reach.original, view, ProcessorId(2))),
             std::string("0 1+ 3+ 4+ "));
    QCOMPARE(orderOf(copyPeers(reach, reach.original, view, ProcessorId(0))),
             std::string("2 1+ 3+ 4+ "));
}

/// The original is to be brought up to date first; those of the copy's own host can open it.
void TestRecordCopies::ofACopy()
{
    const RecordPlace copy{.host = "b", .path = "/r", .original = false};
    QCOMPARE(orderOf(copyPeers(reach, copy, aliveView(), ProcessorId(1))),
             std::string("2+ 0+ 3 4+ "));
}

void TestRecordCopies::notBeforeTheStart()
{
    MembershipView view = aliveView();
    SystemTable system = view.system();
    ++system.version.revision;
    system.started = false;
    view.adopt(std::make_shared<const SystemTable>(system));
    QCOMPARE(orderOf(copyPeers(reach, reach.original, view, ProcessorId(0))),
             std::string("2 1 3 4 "));
}

void TestRecordCopies::presence()
{
    MembershipView view = aliveView();
    const auto presenceOf = [&view](Health health) {
        setHealth(view, 3, health);
        for (const replica::Peer& peer : copyPeers(reach, reach.original, view, ProcessorId(0))) {
            if (peer.processor == ProcessorId(3))
                return peer.presence;
        }
        return Presence::There;
    };
    QCOMPARE(presenceOf(Health::Suspect), Presence::Doubtful);
    QCOMPARE(presenceOf(Health::Condemned), Presence::Doubtful);
    QCOMPARE(presenceOf(Health::Alive), Presence::There);
    QCOMPARE(presenceOf(Health::Lost), Presence::Gone);
    QCOMPARE(presenceOf(Health::Fenced), Presence::Gone);
    QCOMPARE(presenceOf(Health::Left), Presence::Gone);
}

QTEST_APPLESS_MAIN(TestRecordCopies)

} // namespace tst_recordcopies

#include "tst_recordcopies.moc"

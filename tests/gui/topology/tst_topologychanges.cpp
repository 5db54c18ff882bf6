// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "sampletopology.h"
#include "topology/topologychanges.h"

namespace tst_topologychanges {

using namespace tasuki;
using namespace tasuki::testing;
using config::Topology;
using config::TopologyField;
using Kind = TopologyChange::Kind;

namespace {

TopologyChange changed(const char* subcluster, TopologyField field, const char* before,
                       const char* after)
{
    return {.kind = Kind::Changed,
            .subcluster = subcluster,
            .field = field,
            .before = before,
            .after = after};
}

} // namespace

/// What breaks it: a setting that changes without being told, or is told of another subcluster.
class TestTopologyChanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsEverySetting();
    void tellsWhatComesAndGoes();
    void tellsANewName();
    void tellsWhatMoves();
};

void TestTopologyChanges::tellsEverySetting()
{
    const Topology before = sampleTopology();
    QVERIFY(topologyChanges(before, before).empty());
    Topology after = before;
    after.heartbeat = std::chrono::milliseconds(200);
    after.suspectAfter = 4;
    after.lostAfter = 12;
    after.policy = DownPolicy::Stop;
    after.rejoin = false;
    config::SubclusterSpec& spec = after.subclusters[0];
    spec.active = 5;
    spec.standby = 2;
    spec.io = 0;
    spec.minimum = 3;
    spec.restarts = {.count = 9, .within = std::chrono::seconds(10)};
    spec.units.reset();
    spec.hosts = {"node0", "node1"};
    spec.dedicatedMaster = true;
    const std::vector<TopologyChange> expected{
        changed("", TopologyField::HeartbeatMs, "100", "200"),
        changed("", TopologyField::SuspectAfter, "3", "4"),
        changed("", TopologyField::LostAfter, "10", "12"),
        changed("", TopologyField::Policy, "restart", "stop"),
        changed("", TopologyField::Rejoin, "true", "false"),
        changed("antenna", TopologyField::Active, "4", "5"),
        changed("antenna", TopologyField::Standby, "1", "2"),
        changed("antenna", TopologyField::Io, "1", "0"),
        changed("antenna", TopologyField::Minimum, "2", "3"),
        changed("antenna", TopologyField::RestartCount, "3", "9"),
        changed("antenna", TopologyField::RestartWithinS, "60", "10"),
        changed("antenna", TopologyField::Units, "2", ""),
        changed("antenna", TopologyField::Hosts, "node0", "node0, node1"),
        changed("antenna", TopologyField::DedicatedMaster, "false", "true"),
    };
    QVERIFY(topologyChanges(before, after) == expected);
}

void TestTopologyChanges::tellsWhatComesAndGoes()
{
    const Topology before = sampleTopology();
    Topology after = before;
    after.subclusters.erase(after.subclusters.begin());
    after.subclusters.emplace_back().name = "display";
    after.subclusters[0].minimum = 4;
    const std::vector<TopologyChange> expected{
        {.kind = Kind::Removed, .subcluster = "antenna"},
        changed("filter", TopologyField::Minimum, "1", "4"),
        {.kind = Kind::Added, .subcluster = "display"},
    };
    QVERIFY(topologyChanges(before, after) == expected);
}

void TestTopologyChanges::tellsANewName()
{
    const Topology before = sampleTopology();
    Topology after = before;
    after.subclusters[1].name = "sieve";
    const std::vector<TopologyChange> renamed{
        changed("sieve", TopologyField::Name, "filter", "sieve")};
    QVERIFY(topologyChanges(before, after) == renamed);
    // With other processors too it is another one.
    after.subclusters[1].active = 9;
    const std::vector<TopologyChange> another{{.kind = Kind::Removed, .subcluster = "filter"},
                                              {.kind = Kind::Added, .subcluster = "sieve"}};
    QVERIFY(topologyChanges(before, after) == another);
}

void TestTopologyChanges::tellsWhatMoves()
{
    const Topology before = sampleTopology();
    Topology after = before;
    std::swap(after.subclusters[0], after.subclusters[1]);
    const std::vector<TopologyChange> expected{{.kind = Kind::Moved, .subcluster = "filter"},
                                               {.kind = Kind::Moved, .subcluster = "antenna"}};
    QVERIFY(topologyChanges(before, after) == expected);
    // What goes before others moves none of them.
    after = before;
    after.subclusters.erase(after.subclusters.begin());
    const std::vector<TopologyChange> removed{{.kind = Kind::Removed, .subcluster = "antenna"}};
    QVERIFY(topologyChanges(before, after) == removed);
}

QTEST_APPLESS_MAIN(TestTopologyChanges)

} // namespace tst_topologychanges

#include "tst_topologychanges.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "sampletopology.h"
#include "topology/topologymerge.h"

namespace tst_topologymerge {

using namespace tasuki;
using namespace tasuki::testing;
using config::Topology;
using config::TopologyField;

/// What breaks it: an edit of one that goes because another one has edited something else, or a value
/// that both have edited and nobody is asked about.
class TestTopologyMerge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsBothEdits();
    void findsConflicts();
    void sameEditsAreNoConflict();
    void othersSubclusters();
};

void TestTopologyMerge::keepsBothEdits()
{
    const Topology base = sampleTopology();
    Topology mine = base;
    mine.subclusters[0].minimum = 3;
    mine.policy = DownPolicy::Stop;
    Topology theirs = base;
    theirs.subclusters[0].restarts.count = 7;
    theirs.heartbeat = std::chrono::milliseconds(50);
    const auto merge = mergeTopologies(base, mine, theirs);
    QVERIFY(merge && merge->conflicts.empty());
    Topology both = mine;
    both.subclusters[0].restarts.count = 7;
    both.heartbeat = theirs.heartbeat;
    QVERIFY(merge->merged == both);
    QCOMPARE(merge->taken.size(), std::size_t{2});
    QVERIFY(merge->taken[0] == (TopologyPlace{{}, TopologyField::HeartbeatMs}));
    QVERIFY(merge->taken[1] == (TopologyPlace{0, TopologyField::RestartCount}));
}

void TestTopologyMerge::findsConflicts()
{
    const Topology base = sampleTopology();
    Topology mine = base;
    mine.subclusters[1].minimum = 3;
    Topology theirs = base;
    theirs.subclusters[1].minimum = 4;
    const auto merge = mergeTopologies(base, mine, theirs);
    QVERIFY(merge && merge->taken.empty());
    QCOMPARE(merge->conflicts.size(), std::size_t{1});
    QVERIFY(merge->conflicts[0] == (TopologyPlace{1, TopologyField::Minimum}));
    QCOMPARE(merge->merged.subclusters[1].minimum, 3U);
}

void TestTopologyMerge::sameEditsAreNoConflict()
{
    const Topology base = sampleTopology();
    Topology both = base;
    both.lostAfter = 20;
    const auto merge = mergeTopologies(base, both, both);
    QVERIFY(merge && merge->taken.empty() && merge->conflicts.empty());
    QVERIFY(merge->merged == both);
}

void TestTopologyMerge::othersSubclusters()
{
    const Topology base = sampleTopology();
    Topology theirs = base;
    theirs.subclusters.pop_back();
    QVERIFY(!mergeTopologies(base, base, theirs));
    theirs = base;
    theirs.subclusters[1].name = "other";
    QVERIFY(!mergeTopologies(base, base, theirs));
}

QTEST_APPLESS_MAIN(TestTopologyMerge)

} // namespace tst_topologymerge

#include "tst_topologymerge.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/tableflow.h"

namespace tst_tableflow {

using namespace tasuki;
using namespace tasuki::hierarchy;

namespace {

MembershipView threeSubclusters()
{
    std::vector<Place> places;
    for (std::uint32_t number = 0; number < 3; ++number)
        places.push_back({.subcluster = SubclusterId(number), .unit = UnitId(number)});
    return {places, {}, {}};
}

} // namespace

class TestTableFlow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nobodyIsToldWhatItHasSaid();
    void clearedIsEmpty();
    void newer();
};

void TestTableFlow::nobodyIsToldWhatItHasSaid()
{
    const MembershipView view = threeSubclusters();
    TableFlow flow;
    QVERIFY(flow.empty());
    QVERIFY(isEmpty(flow.tablesFor(ProcessorId(1), view)));
    flow.changed(SubclusterId(0), std::nullopt);
    flow.changed(SubclusterId(2), ProcessorId(1));
    const Tables back = flow.tablesFor(ProcessorId(1), view);
    QCOMPARE(back.clusters, std::vector{view.clusterPtr(SubclusterId(0))});
    QVERIFY(back.system == nullptr);
    QCOMPARE(flow.tablesFor(ProcessorId(2), view).clusters,
             (std::vector{view.clusterPtr(SubclusterId(0)), view.clusterPtr(SubclusterId(2))}));
    flow.changed(SubclusterId(2), std::nullopt); // the newest counts
    QCOMPARE(flow.tablesFor(ProcessorId(1), view).clusters.size(), std::size_t(2));
    flow.systemChanged(ProcessorId(2));
    QVERIFY(flow.tablesFor(ProcessorId(2), view).system == nullptr);
    QCOMPARE(flow.tablesFor(ProcessorId(1), view).system, view.systemPtr());
}

void TestTableFlow::clearedIsEmpty()
{
    const MembershipView view = threeSubclusters();
    TableFlow flow;
    flow.changed(SubclusterId(0), std::nullopt);
    flow.systemChanged(std::nullopt);
    QVERIFY(!flow.empty());
    flow.clear();
    QVERIFY(flow.empty());
    QVERIFY(isEmpty(flow.tablesFor(ProcessorId(1), view)));
}

void TestTableFlow::newer()
{
    MembershipView view = threeSubclusters();
    const Versions before = view.versions();
    QVERIFY(isEmpty(newerThan(before, view)));
    ClusterTable table = view.cluster(SubclusterId(1));
    ++table.version.revision;
    QVERIFY(view.adopt(std::make_shared<const ClusterTable>(table)));
    QCOMPARE(newerThan(before, view).clusters, std::vector{view.clusterPtr(SubclusterId(1))});
    // Who knows less than all tables has the rest at no version at all.
    QCOMPARE(newerThan({}, view).clusters.size(), std::size_t(3));
    QCOMPARE(newerThan({}, view).system, view.systemPtr());
}

QTEST_APPLESS_MAIN(TestTableFlow)

} // namespace tst_tableflow

#include "tst_tableflow.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/tree.h"

#include <algorithm>
#include <random>

namespace tst_tree {

using namespace tasuki;
using namespace tasuki::hierarchy;

namespace {

using Kinds = std::vector<ProcessorKind>;
constexpr auto dedicated = ProcessorKind::DedicatedMaster;
constexpr auto io = ProcessorKind::Io;
constexpr auto active = ProcessorKind::Active;
constexpr auto standby = ProcessorKind::Standby;

/// @param each  kinds of the processors of a subcluster, two units of equal size
MembershipView viewOf(std::uint32_t subclusters, const Kinds& each)
{
    std::vector<Place> places;
    const auto size = static_cast<std::uint32_t>(each.size());
    for (std::uint32_t number = 0; number < subclusters * size; ++number) {
        const std::uint32_t in = number % size;
        places.push_back({.subcluster = SubclusterId(number / size),
                          .unit = UnitId(number / size * 2 + in * 2 / size),
                          .kind = each[in]});
    }
    return {places, {}, {}};
}

/// Changes a processor's row.
void change(MembershipView& view, std::uint32_t processor,
            const std::function<void(MemberRow&)>& how)
{
    ClusterTable table = view.cluster(view.subclusterOf(ProcessorId(processor)));
    how(*table.member(ProcessorId(processor)));
    ++table.version.revision;
    QVERIFY(view.adopt(std::make_shared<const ClusterTable>(table)));
}

void lose(MembershipView& view, std::uint32_t processor)
{
    change(view, processor, [](MemberRow& row) { row.health = Health::Lost; });
}

std::vector<ProcessorId> ids(std::initializer_list<std::uint32_t> numbers)
{
    std::vector<ProcessorId> out;
    for (const std::uint32_t number : numbers)
        out.emplace_back(number);
    return out;
}

/// Every living one hangs below the one system master, and parents know their children.
void checkTree(const MembershipView& view)
{
    std::size_t systemMasters = 0;
    std::size_t living = 0;
    for (std::uint32_t number = 0; number < view.processorCount(); ++number) {
        const ProcessorId processor(number);
        const Position position = positionOf(view, processor);
        if (!view.member(processor).living()) {
            QCOMPARE(position, Position{});
            continue;
        }
        ++living;
        systemMasters += position.systemMaster ? 1 : 0;
        QCOMPARE(position.parent.has_value(), !position.systemMaster);
        QVERIFY(!position.systemMaster || position.clusterMaster);
        QVERIFY(!position.clusterMaster || position.unitMaster);
        QVERIFY(std::ranges::is_sorted(position.children));
        for (const ProcessorId child : position.children)
            QCOMPARE(positionOf(view, child).parent, std::optional(processor));
        int depth = 0;
        for (auto parent = position.parent; parent; parent = positionOf(view, *parent).parent)
            QVERIFY(++depth <= 3);
        if (position.parent) {
            const Position above = positionOf(view, *position.parent);
            QCOMPARE(std::ranges::count(above.children, processor), 1);
        }
    }
    QCOMPARE(systemMasters, std::size_t(living == 0 ? 0 : 1));
}

} // namespace

class TestTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mastersInTheOrderOfKinds();
    void promotedOnesComeFirst();
    void deaths();
    void wholeSubclusterDead();
    void unitWithoutMembers();
    void condemnedMastersStay();
    void randomViews();
};

void TestTree::mastersInTheOrderOfKinds()
{
    // The kinds stand against the numbers.
    const MembershipView view = viewOf(2, {standby, active, io, standby, io, dedicated});
    const ClusterTable& second = view.cluster(SubclusterId(1));
    QCOMPARE(unitMaster(second, UnitId(2)), std::optional(ProcessorId(8)));
    QCOMPARE(unitMaster(second, UnitId(3)), std::optional(ProcessorId(11)));
    QCOMPARE(clusterMaster(second), std::optional(ProcessorId(11)));
    QCOMPARE(systemMaster(view), std::optional(ProcessorId(5)));
    QCOMPARE(positionOf(view, ProcessorId(5)).children, ids({2, 3, 4, 11}));
    QCOMPARE(positionOf(view, ProcessorId(11)).children, ids({8, 9, 10}));
    QCOMPARE(positionOf(view, ProcessorId(8)).children, ids({6, 7}));
    QCOMPARE(positionOf(view, ProcessorId(7)).parent, std::optional(ProcessorId(8)));
    checkTree(view);
}

void TestTree::promotedOnesComeFirst()
{
    MembershipView view = viewOf(2, {io, active, active, standby});
    change(view, 3, [](MemberRow& row) { row.promoted = 1; });
    QCOMPARE(systemMaster(view), std::optional(ProcessorId(3)));
    QCOMPARE(unitMaster(view.cluster(SubclusterId(0)), UnitId(0)), std::optional(ProcessorId(0)));
    change(view, 2, [](MemberRow& row) { row.promoted = 2; });
    QCOMPARE(systemMaster(view), std::optional(ProcessorId(2)));
    checkTree(view);
}

void TestTree::deaths()
{
    MembershipView view = viewOf(2, {io, active, active, standby});
    lose(view, 4);
    QCOMPARE(clusterMaster(view.cluster(SubclusterId(1))), std::optional(ProcessorId(5)));
    QCOMPARE(positionOf(view, ProcessorId(0)).children, ids({1, 2, 5}));
    lose(view, 5);
    QCOMPARE(clusterMaster(view.cluster(SubclusterId(1))), std::optional(ProcessorId(6)));
    lose(view, 0);
    QCOMPARE(systemMaster(view), std::optional(ProcessorId(1)));
    checkTree(view);
}

void TestTree::wholeSubclusterDead()
{
    MembershipView view = viewOf(3, {active, active});
    lose(view, 0);
    lose(view, 1);
    QCOMPARE(clusterMaster(view.cluster(SubclusterId(0))), std::nullopt);
    QCOMPARE(systemMaster(view), std::optional(ProcessorId(2)));
    checkTree(view);
    for (const std::uint32_t number : {2U, 3U, 4U, 5U})
        lose(view, number);
    QCOMPARE(systemMaster(view), std::nullopt);
    checkTree(view);
}

void TestTree::unitWithoutMembers()
{
    MembershipView view = viewOf(1, {active, active, active, active});
    lose(view, 2);
    lose(view, 3);
    QCOMPARE(unitMaster(view.cluster(SubclusterId(0)), UnitId(1)), std::nullopt);
    QCOMPARE(unitMaster(view.cluster(SubclusterId(0)), UnitId(77)), std::nullopt);
    QCOMPARE(positionOf(view, ProcessorId(0)).children, ids({1}));
}

void TestTree::condemnedMastersStay()
{
    // Two would decide if another one began before its end is sure.
    MembershipView view = viewOf(1, {io, active});
    change(view, 0, [](MemberRow& row) { row.health = Health::Condemned; });
    QCOMPARE(clusterMaster(view.cluster(SubclusterId(0))), std::optional(ProcessorId(0)));
}

void TestTree::randomViews()
{
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        Kinds kinds(1 + random() % 7);
        for (ProcessorKind& kind : kinds)
            kind = static_cast<ProcessorKind>(random() % 4);
        MembershipView view = viewOf(1 + random() % 4, kinds);
        for (std::uint32_t number = 0; number < view.processorCount(); ++number) {
            change(view, number, [&](MemberRow& row) {
                row.health = static_cast<Health>(random() % 7);
                row.promoted = random() % 5 == 0 ? random() % 3 : 0;
            });
        }
        checkTree(view);
    }
}

QTEST_APPLESS_MAIN(TestTree)

} // namespace tst_tree

#include "tst_tree.moc"

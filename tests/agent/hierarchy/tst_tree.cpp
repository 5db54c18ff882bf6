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
Picture pictureOf(std::uint32_t subclusters, const Kinds& each)
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
void change(Picture& picture, std::uint32_t processor, const std::function<void(MemberRow&)>& how)
{
    ClusterTable table = picture.cluster(picture.subclusterOf(ProcessorId(processor)));
    how(*table.member(ProcessorId(processor)));
    ++table.version.revision;
    QVERIFY(picture.adopt(std::make_shared<const ClusterTable>(table)));
}

void lose(Picture& picture, std::uint32_t processor)
{
    change(picture, processor, [](MemberRow& row) { row.health = Health::Lost; });
}

std::vector<ProcessorId> ids(std::initializer_list<std::uint32_t> numbers)
{
    std::vector<ProcessorId> out;
    for (const std::uint32_t number : numbers)
        out.emplace_back(number);
    return out;
}

/// Every living one hangs below the one system master, and parents know their children.
void checkTree(const Picture& picture)
{
    std::size_t systemMasters = 0;
    std::size_t living = 0;
    for (std::uint32_t number = 0; number < picture.processorCount(); ++number) {
        const ProcessorId processor(number);
        const Position position = positionOf(picture, processor);
        if (!picture.member(processor).living()) {
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
            QCOMPARE(positionOf(picture, child).parent, std::optional(processor));
        int depth = 0;
        for (auto parent = position.parent; parent; parent = positionOf(picture, *parent).parent)
            QVERIFY(++depth <= 3);
        if (position.parent) {
            const Position above = positionOf(picture, *position.parent);
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
    void randomPictures();
};

void TestTree::mastersInTheOrderOfKinds()
{
    // The kinds stand against the numbers.
    const Picture picture = pictureOf(2, {standby, active, io, standby, io, dedicated});
    const ClusterTable& second = picture.cluster(SubclusterId(1));
    QCOMPARE(unitMaster(second, UnitId(2)), std::optional(ProcessorId(8)));
    QCOMPARE(unitMaster(second, UnitId(3)), std::optional(ProcessorId(11)));
    QCOMPARE(clusterMaster(second), std::optional(ProcessorId(11)));
    QCOMPARE(systemMaster(picture), std::optional(ProcessorId(5)));
    QCOMPARE(positionOf(picture, ProcessorId(5)).children, ids({2, 3, 4, 11}));
    QCOMPARE(positionOf(picture, ProcessorId(11)).children, ids({8, 9, 10}));
    QCOMPARE(positionOf(picture, ProcessorId(8)).children, ids({6, 7}));
    QCOMPARE(positionOf(picture, ProcessorId(7)).parent, std::optional(ProcessorId(8)));
    checkTree(picture);
}

void TestTree::promotedOnesComeFirst()
{
    Picture picture = pictureOf(2, {io, active, active, standby});
    change(picture, 3, [](MemberRow& row) { row.promoted = 1; });
    QCOMPARE(systemMaster(picture), std::optional(ProcessorId(3)));
    QCOMPARE(unitMaster(picture.cluster(SubclusterId(0)), UnitId(0)),
             std::optional(ProcessorId(0)));
    change(picture, 2, [](MemberRow& row) { row.promoted = 2; });
    QCOMPARE(systemMaster(picture), std::optional(ProcessorId(2)));
    checkTree(picture);
}

void TestTree::deaths()
{
    Picture picture = pictureOf(2, {io, active, active, standby});
    lose(picture, 4);
    QCOMPARE(clusterMaster(picture.cluster(SubclusterId(1))), std::optional(ProcessorId(5)));
    QCOMPARE(positionOf(picture, ProcessorId(0)).children, ids({1, 2, 5}));
    lose(picture, 5);
    QCOMPARE(clusterMaster(picture.cluster(SubclusterId(1))), std::optional(ProcessorId(6)));
    lose(picture, 0);
    QCOMPARE(systemMaster(picture), std::optional(ProcessorId(1)));
    checkTree(picture);
}

void TestTree::wholeSubclusterDead()
{
    Picture picture = pictureOf(3, {active, active});
    lose(picture, 0);
    lose(picture, 1);
    QCOMPARE(clusterMaster(picture.cluster(SubclusterId(0))), std::nullopt);
    QCOMPARE(systemMaster(picture), std::optional(ProcessorId(2)));
    checkTree(picture);
    for (const std::uint32_t number : {2U, 3U, 4U, 5U})
        lose(picture, number);
    QCOMPARE(systemMaster(picture), std::nullopt);
    checkTree(picture);
}

void TestTree::unitWithoutMembers()
{
    Picture picture = pictureOf(1, {active, active, active, active});
    lose(picture, 2);
    lose(picture, 3);
    QCOMPARE(unitMaster(picture.cluster(SubclusterId(0)), UnitId(1)), std::nullopt);
    QCOMPARE(unitMaster(picture.cluster(SubclusterId(0)), UnitId(77)), std::nullopt);
    QCOMPARE(positionOf(picture, ProcessorId(0)).children, ids({1}));
}

void TestTree::condemnedMastersStay()
{
    // Two would decide if another one began before its end is sure.
    Picture picture = pictureOf(1, {io, active});
    change(picture, 0, [](MemberRow& row) { row.health = Health::Condemned; });
    QCOMPARE(clusterMaster(picture.cluster(SubclusterId(0))), std::optional(ProcessorId(0)));
}

void TestTree::randomPictures()
{
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        Kinds kinds(1 + random() % 7);
        for (ProcessorKind& kind : kinds)
            kind = static_cast<ProcessorKind>(random() % 4);
        Picture picture = pictureOf(1 + random() % 4, kinds);
        for (std::uint32_t number = 0; number < picture.processorCount(); ++number) {
            change(picture, number, [&](MemberRow& row) {
                row.health = static_cast<Health>(random() % 7);
                row.promoted = random() % 5 == 0 ? random() % 3 : 0;
            });
        }
        checkTree(picture);
    }
}

QTEST_APPLESS_MAIN(TestTree)

} // namespace tst_tree

#include "tst_tree.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/enumeration.h"
#include "plan/nodeclasses.h"
#include "plan/search.h"
#include "planning.h"

#include <algorithm>
#include <random>
#include <set>

namespace tst_search {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;

namespace {

std::vector<Allocation> allOf(const Environment& environment, std::uint32_t tasks)
{
    std::vector<Allocation> all;
    [[maybe_unused]] const bool whole =
        Enumeration(environment, tasks).visit({}, [&all](const Allocation& allocation) {
            all.push_back(allocation);
            return true;
        });
    return all;
}

/// A runtime that tells allocations apart: the weight of the node times the task's.
class Weigher final : public Predictor {
public:
    explicit Weigher(const Environment& environment) : m_environment(environment) {}

    void predict(std::span<const Allocation> allocations, std::span<double> timesUs) override
    {
        for (std::size_t index = 0; index < allocations.size(); ++index) {
            timesUs[index] = 0.0;
            for (std::size_t task = 0; task < allocations[index].size(); ++task)
                timesUs[index] += static_cast<double>(task + 1)
                    / m_environment.nodes[allocations[index][task].value()].speed;
        }
    }
    [[nodiscard]] std::size_t lanes() const override { return 3; }
    [[nodiscard]] std::unique_ptr<Predictor> clone() const override
    {
        return std::make_unique<Weigher>(m_environment);
    }

private:
    const Environment& m_environment;
};

Ranking searched(const Environment& environment, std::uint32_t tasks, SearchLimits limits,
                 const std::stop_token& stop = {})
{
    std::atomic<std::uint64_t> tried = 0;
    Ranking ranking = search(environment, tasks, Weigher(environment), limits, stop, tried);
    [&] { QCOMPARE(tried.load(), ranking.tried()); }();
    return ranking;
}

std::uint64_t countOf(const Environment& environment, std::uint32_t tasks)
{
    return Enumeration(environment, tasks).count()->saturated();
}

} // namespace

class TestSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void permutations();
    void slotsOfNodes_data();
    void slotsOfNodes();
    void identicalNodes();
    void linksTellNodesApart();
    void canonicalOnesStandForAll();
    void beginningsCoverAll();
    void countsWhatNobodyCanTry_data();
    void countsWhatNobodyCanTry();
    void countingStops();
    void unfinishedIsSaid_data();
    void unfinishedIsSaid();
    void rankingIsSorted();
    void threadsAndSharesAgree();
    void stops();
    void showsWhatIsWanted();
    void tooFewSlots();
    void equalTimesHaveAnOrder();
};

void TestSearch::permutations()
{
    const Environment environment = environmentOf({1.0, 0.5, 0.25, 0.125});
    const auto all = allOf(environment, 4);
    QCOMPARE(all.size(), std::size_t(24));
    QCOMPARE(countOf(environment, 4), std::uint64_t(24));
    QVERIFY(std::ranges::is_sorted(all));
    QCOMPARE(std::set<Allocation>(all.begin(), all.end()).size(), std::size_t(24));
    QCOMPARE(all.front(), nodes({0, 1, 2, 3}));
    QCOMPARE(countOf(environmentOf({1, 2, 3, 4, 5, 6, 7, 8}), 8), std::uint64_t(40320));
    QCOMPARE(allOf(environment, 2).size(), std::size_t(12));
}

void TestSearch::slotsOfNodes_data()
{
    QTest::addColumn<quint32>("slots0");
    QTest::addColumn<quint32>("slots1");
    QTest::addColumn<quint32>("tasks");
    QTest::addColumn<quint64>("count");
    QTest::newRow("two and one for three") << 2U << 1U << 3U << quint64(3);
    QTest::newRow("two and two for three") << 2U << 2U << 3U << quint64(6);
    QTest::newRow("two and two for two") << 2U << 2U << 2U << quint64(4);
    QTest::newRow("none fits") << 1U << 1U << 3U << quint64(0);
}

void TestSearch::slotsOfNodes()
{
    QFETCH(quint32, slots0);
    QFETCH(quint32, slots1);
    QFETCH(quint32, tasks);
    QFETCH(quint64, count);
    Environment environment = environmentOf({1.0, 0.5});
    environment.nodes[0].slots = slots0;
    environment.nodes[1].slots = slots1;
    QCOMPARE(quint64(allOf(environment, tasks).size()), count);
    QCOMPARE(quint64(countOf(environment, tasks)), count);
}

void TestSearch::identicalNodes()
{
    const Environment environment = environmentOf({1.0, 0.25, 0.25, 1.0, 0.25});
    QCOMPARE(nodeClasses(environment), (std::vector<std::uint32_t>{0, 1, 1, 0, 1}));
    // Which class each of four tasks gets: words of two letters with at most 2 and 3 of each.
    QCOMPARE(allOf(environment, 4).size(), std::size_t(10));
    QCOMPARE(countOf(environment, 4), std::uint64_t(10));
    // 32 identical nodes: one allocation, not 32!.
    Environment many;
    for (int node = 0; node < 32; ++node)
        many.nodes.push_back({.name = std::to_string(node)});
    QCOMPARE(countOf(many, 32), std::uint64_t(1));
    QCOMPARE(allOf(many, 32).size(), std::size_t(1));
}

void TestSearch::linksTellNodesApart()
{
    Environment environment = environmentOf({1.0, 1.0, 1.0});
    environment.links.resize(9);
    environment.links[environment.indexOf(Node(0), Node(2))] = LinkSpec{.a0Us = 1.0};
    QCOMPARE(nodeClasses(environment), (std::vector<std::uint32_t>{0, 1, 2}));
    environment.links[environment.indexOf(Node(2), Node(0))] = LinkSpec{.a0Us = 1.0};
    QCOMPARE(nodeClasses(environment), (std::vector<std::uint32_t>{0, 1, 0}));
    environment.nodes[2].slots = 2;
    QCOMPARE(nodeClasses(environment), (std::vector<std::uint32_t>{0, 1, 2}));
}

// Random environments: swapping identical nodes in the canonical allocations gives every allocation
// there is, and none twice.
void TestSearch::canonicalOnesStandForAll()
{
    std::mt19937_64 random(20261121);
    for (int round = 0; round < 60; ++round) {
        Environment environment;
        Environment different;
        const std::size_t count = 1 + random() % 4;
        for (std::size_t node = 0; node < count; ++node) {
            const NodeSpec spec{.name = std::to_string(node),
                                .speed = random() % 2 == 0 ? 1.0 : 0.5,
                                .slots = static_cast<std::uint32_t>(1 + random() % 2)};
            environment.nodes.push_back(spec);
            different.nodes.push_back(spec);
            different.nodes.back().speed += 0.01 * static_cast<double>(node);
        }
        const auto tasks = static_cast<std::uint32_t>(1 + random() % 4);
        const auto classes = nodeClasses(environment);
        const auto kindOf = [&classes](const Allocation& allocation) {
            // Nodes by class and by which task came to them first.
            std::vector<std::pair<std::uint32_t, std::size_t>> kind;
            for (const Node node : allocation) {
                const auto first = std::ranges::find(allocation, node) - allocation.begin();
                kind.emplace_back(classes[node.value()], static_cast<std::size_t>(first));
            }
            return kind;
        };
        std::set<std::vector<std::pair<std::uint32_t, std::size_t>>> canonical;
        for (const Allocation& allocation : allOf(environment, tasks))
            QVERIFY(canonical.insert(kindOf(allocation)).second);
        std::set<std::vector<std::pair<std::uint32_t, std::size_t>>> all;
        for (const Allocation& allocation : allOf(different, tasks))
            all.insert(kindOf(allocation));
        QVERIFY(canonical == all);
        QCOMPARE(countOf(environment, tasks), std::uint64_t(canonical.size()));
    }
}

void TestSearch::beginningsCoverAll()
{
    Environment environment = environmentOf({1.0, 0.5, 0.5, 0.25});
    environment.nodes[0].slots = 3;
    const Enumeration enumeration(environment, 5);
    for (const std::size_t atLeast : {1U, 2U, 7U, 50U, 100000U}) {
        const auto begins = enumeration.beginnings(atLeast);
        std::vector<Allocation> all;
        std::uint64_t counted = 0;
        for (const Allocation& begin : begins) {
            counted += enumeration.count(begin)->saturated();
            QVERIFY(enumeration.visit(begin, [&all](const Allocation& allocation) {
                all.push_back(allocation);
                return true;
            }));
        }
        QVERIFY(all == allOf(environment, 5));
        QCOMPARE(counted, std::uint64_t(all.size()));
    }
}

void TestSearch::countsWhatNobodyCanTry_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<bool>("alike");
    QTest::addColumn<quint32>("slots");
    QTest::addColumn<quint32>("tasks");
    QTest::addColumn<QString>("count");
    QTest::newRow("12!") << 12 << false << 1U << 12U << "479,001,600";
    QTest::newRow("20!") << 20 << false << 1U << 20U << "2,432,902,008,176,640,000";
    QTest::newRow("21!") << 21 << false << 1U << 21U << "about 10^20"; // 5.1 x 10^19
    QTest::newRow("64!") << 64 << false << 1U << 64U << "about 10^89";
    QTest::newRow("2^62") << 2 << false << 62U << 62U << "4,611,686,018,427,387,904";
    QTest::newRow("64!/16!^4") << 4 << false << 16U << 64U << "about 10^36";
    // Bell numbers: partitions into any number of parts.
    QTest::newRow("B 10") << 10 << true << 10U << 10U << "115,975";
    QTest::newRow("B 25") << 25 << true << 25U << 25U << "4,638,590,332,229,999,353";
    // 32 pairs: 64! / (2^32 32!).
    QTest::newRow("pairs") << 32 << true << 2U << 64U << "about 10^44";
    QTest::newRow("alike") << 1000 << true << 1U << 1000U << "1";
    QTest::newRow("1000!") << 1000 << false << 1U << 1000U << "about 10^2568";
}

// Fails if time or memory grow as the number of sets of nodes: 2^20 took gigabytes.
void TestSearch::countsWhatNobodyCanTry()
{
    QFETCH(int, nodes);
    QFETCH(bool, alike);
    QFETCH(quint32, slots);
    QFETCH(quint32, tasks);
    QFETCH(QString, count);
    Environment environment;
    for (int node = 0; node < nodes; ++node)
        environment.nodes.push_back({.name = std::to_string(node),
                                     .speed = alike ? 1.0 : 1.0 + 0.001 * node,
                                     .slots = slots});
    const auto counted = Enumeration(environment, tasks).count();
    QVERIFY(counted.has_value());
    QCOMPARE(QString::fromStdString(counted->text()), count);
}

void TestSearch::countingStops()
{
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!Enumeration(environmentOf({1, 2, 3}), 3).count({}, stop.get_token()).has_value());
}

void TestSearch::unfinishedIsSaid_data()
{
    QTest::addColumn<quint64>("tried");
    QTest::addColumn<quint64>("all");
    QTest::addColumn<QString>("text");
    const auto most = std::numeric_limits<quint64>::max();
    QTest::newRow("all") << quint64(24) << quint64(24) << "";
    QTest::newRow("one is left") << quint64(23) << quint64(24)
                                 << "not all were tried: best so far of 23 of 24";
    QTest::newRow("of many") << quint64(5'242'880) << quint64(20'922'789'888'000)
                             << "not all were tried: best so far of 5,242,880 of "
                                "20,922,789,888,000";
    QTest::newRow("of more than can be told") << quint64(7) << quint64(most)
                                              << "not all were tried: best so far of 7 of more "
                                                 "than 10^18";
}

void TestSearch::unfinishedIsSaid()
{
    QFETCH(quint64, tried);
    QFETCH(quint64, all);
    QFETCH(QString, text);
    const AllocationCount count(all);
    QCOMPARE(isUnfinished(tried, count), !text.isEmpty());
    QCOMPARE(QString::fromStdString(unfinishedText(tried, count)), text);
    QVERIFY(isUnfinished(tried, std::nullopt));
}

void TestSearch::rankingIsSorted()
{
    const Environment environment = environmentOf({1.0, 0.5, 0.25, 0.2});
    const Ranking ranking = searched(environment, 4, {.keep = 100});
    const auto best = ranking.best();
    QCOMPARE(best.size(), std::size_t(24));
    QVERIFY(std::ranges::is_sorted(best, comesBefore));
    // The largest task on the fastest node: 4/1 + 3/0.5 + 2/0.25 + 1/0.2, and the other way round.
    QCOMPARE(best.front().allocation, nodes({3, 2, 1, 0}));
    QCOMPARE(best.front().timeUs, 4.0 + 6.0 + 8.0 + 5.0);
    QCOMPARE(ranking.worst().allocation, nodes({0, 1, 2, 3}));
    QCOMPARE(ranking.worst().timeUs, 1.0 + 4.0 + 12.0 + 20.0);
    QCOMPARE(ranking.spread(), (37.0 - 23.0) / 23.0);
    QCOMPARE(ranking.meanUs(), 2.5 * (1.0 + 2.0 + 4.0 + 5.0)); // each task on each node in turn
    const auto three = searched(environment, 4, {.keep = 3}).best();
    QCOMPARE(three.size(), std::size_t(3));
    for (std::size_t index = 0; index < three.size(); ++index)
        QCOMPARE(three[index].allocation, best[index].allocation);
}

void TestSearch::threadsAndSharesAgree()
{
    Environment environment = environmentOf({1.0, 0.5, 0.25, 0.2, 0.2, 3.0});
    environment.nodes[1].slots = 2;
    const Ranking alone = searched(environment, 6, {.keep = 50});
    QCOMPARE(alone.tried(), countOf(environment, 6));
    for (const std::uint32_t threads : {1U, 3U}) {
        for (const std::uint32_t shares : {1U, 2U, 5U}) {
            Ranking together(50);
            for (std::uint32_t share = 0; share < shares; ++share)
                together.add(
                    searched(environment, 6,
                             {.keep = 50, .threads = threads, .share = share, .shares = shares}));
            QCOMPARE(together.tried(), alone.tried());
            QCOMPARE(together.worst().allocation, alone.worst().allocation);
            const auto best = together.best();
            const auto expected = alone.best();
            QCOMPARE(best.size(), expected.size());
            for (std::size_t index = 0; index < best.size(); ++index)
                QCOMPARE(best[index].allocation, expected[index].allocation);
        }
    }
}

// What was tried until then is the answer.
void TestSearch::stops()
{
    std::stop_source stop;
    stop.request_stop();
    const Environment environment = environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    const Ranking partial = searched(environment, 10, {.keep = 5, .threads = 2}, stop.get_token());
    QVERIFY(partial.tried() > 0);
    QVERIFY(partial.tried() <= 6);
    QVERIFY(!partial.best().empty());
}

// What has been found so far is told when somebody wants it, and then it is a part of the result.
void TestSearch::showsWhatIsWanted()
{
    const Environment environment = environmentOf({1, 2, 3, 4, 5, 6});
    std::atomic<std::uint64_t> tried = 0;
    RankingBoard board(10);
    const auto run = [&] {
        return search(environment, 6, Weigher(environment), {.keep = 10, .threads = 2}, {}, tried,
                      &board);
    };
    const Ranking unwatched = run();
    QCOMPARE(board.shown().tried(), std::uint64_t(0));
    board.want();
    const Ranking ranking = run();
    QCOMPARE(ranking.tried(), unwatched.tried());
    const Ranking shown = board.shown();
    // Each thread shows its first handful, if it came to have one.
    QVERIFY(shown.tried() == 3 || shown.tried() == 6);
    QVERIFY(shown.best().front().timeUs >= ranking.best().front().timeUs);
    QVERIFY(shown.worst().timeUs <= ranking.worst().timeUs);
}

void TestSearch::tooFewSlots()
{
    QVERIFY(checkRoom(environmentOf({1.0, 1.0}), 2));
    const auto room = checkRoom(environmentOf({1.0, 1.0}), 3);
    QVERIFY(!room.ok());
    QCOMPARE(room.error().kind, ErrorKind::Input);
    QCOMPARE(QString::fromStdString(room.error().message),
             QStringLiteral("the trace has 3 tasks, the nodes have 2 slots"));
}

void TestSearch::equalTimesHaveAnOrder()
{
    Ranking forwards(2);
    Ranking backwards(2);
    const std::vector<Allocation> allocations{nodes({0, 1}), nodes({1, 0}), nodes({1, 2})};
    for (std::size_t index = 0; index < 3; ++index) {
        forwards.add(allocations[index], 5.0);
        backwards.add(allocations[2 - index], 5.0);
    }
    for (const Ranking* ranking : {&forwards, &backwards}) {
        QCOMPARE(ranking->best().size(), std::size_t(2));
        QCOMPARE(ranking->best()[0].allocation, allocations[0]);
        QCOMPARE(ranking->best()[1].allocation, allocations[1]);
        QCOMPARE(ranking->worst().allocation, allocations[2]);
        QCOMPARE(ranking->spread(), 0.0);
    }
}

QTEST_GUILESS_MAIN(TestSearch)

} // namespace tst_search

#include "tst_search.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "searchsimulation.h"

#include "plan/enumeration.h"

#include <thread>

namespace tst_sharedsearch {

using namespace tasuki;
using namespace tasuki::planning;
using namespace tasuki::planning::testing;
using namespace std::chrono_literals;

/// What breaks it: a share that is lost or counted twice, a rank that waits for ever, or one that
/// believes what it must not.
class TestSharedSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aloneWithoutTransport();
    void ranksFindTheSame_data();
    void ranksFindTheSame();
    void moreRanksThanWork();
    void progressGrowsToTheTotal();
    void stopBeforeAnything();
    void stopWhileSearching();
    void stopOfAnotherRankIsItsOwn();
    void onlyRankZeroStopsOthers();
    void garbageIsIgnored();
    void foundIsForRankZero();
    void goneWhileSearching();
};

void TestSharedSearch::aloneWithoutTransport()
{
    for (const std::uint32_t threads : {1U, 3U}) {
        const ManualClock clock;
        const auto environment = sixNodes();
        auto gate = std::make_shared<Gate>(Gate::open);
        SharedSearch search({.environment = environment,
                             .predictor = gatedPredictor(environment, gate),
                             .tasks = tasks,
                             .keep = keep,
                             .threads = threads},
                            nullptr, clock, lostAfter);
        QVERIFY(comesTrue([&search] {
            search.poll();
            return search.over();
        }));
        QVERIFY(search.whole());
        QVERIFY(search.lost().empty());
        QCOMPARE(difference(search.ranking(), expected(1)), QString());
        QCOMPARE(search.tried(), plan::Enumeration(*environment, tasks).count()->saturated());
    }
}

void TestSharedSearch::ranksFindTheSame_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("threads");
    for (const int ranks : {1, 2, 3, 5}) {
        for (const int threads : {1, 2})
            QTest::addRow("%d ranks of %d", ranks, threads) << ranks << threads;
    }
}

void TestSharedSearch::ranksFindTheSame()
{
    QFETCH(int, ranks);
    QFETCH(int, threads);
    SearchSimulation simulation(static_cast<std::size_t>(ranks), Gate::open,
                                static_cast<std::uint32_t>(threads));
    QVERIFY(simulation.runToTheEnd());
    for (int rank = 0; rank < ranks; ++rank) {
        QVERIFY(simulation.at(static_cast<std::size_t>(rank)).whole());
        QVERIFY(simulation.at(static_cast<std::size_t>(rank)).lost().empty());
    }
    QCOMPARE(difference(simulation.at(0).ranking(), expected(1)), QString());
    QCOMPARE(simulation.at(0).tried(), simulation.at(0).ranking().tried());
}

// Ranks that have nothing to try say so.
void TestSharedSearch::moreRanksThanWork()
{
    const auto environment = std::make_shared<plan::Environment>();
    environment->nodes = {{.name = "a"}, {.name = "b", .speed = 0.5}};
    ManualClock clock;
    SimulatedNetwork network(5, clock, 1);
    std::vector<std::unique_ptr<SharedSearch>> searches;
    for (int rank = 0; rank < 5; ++rank) {
        searches.push_back(std::make_unique<SharedSearch>(
            SearchJob{.environment = environment,
                      .predictor = gatedPredictor(environment, std::make_shared<Gate>(Gate::open)),
                      .tasks = 2},
            &network.at(ProcessorId(rank)), clock, lostAfter));
    }
    const auto allOver = [&] {
        for (const auto& search : searches)
            search->poll();
        clock.advance(1ms);
        return std::ranges::all_of(searches, [](const auto& search) { return search->over(); });
    };
    QVERIFY(comesTrue(allOver));
    QVERIFY(searches[0]->whole());
    QCOMPARE(searches[0]->ranking().tried(), std::uint64_t{2});
    QCOMPARE(searches[0]->ranking().best().size(), std::size_t{2});
}

void TestSharedSearch::progressGrowsToTheTotal()
{
    SearchSimulation simulation(3, 2);
    // Two handfuls of each.
    QVERIFY(simulation.runUntilHeld(2 * lanes));
    simulation.run(500ms);
    QCOMPARE(simulation.at(0).tried(), std::uint64_t{3 * 2 * lanes});
    QVERIFY(!simulation.at(0).over());
    simulation.openAll();
    std::uint64_t latest = 0;
    QVERIFY(simulation.runUntil([&] {
        const std::uint64_t now = simulation.at(0).tried();
        const bool grows = now >= latest;
        latest = grows ? now : ~std::uint64_t{0};
        return simulation.at(0).over();
    }));
    QCOMPARE(latest, plan::Enumeration(*sixNodes(), tasks).count()->saturated());
}

void TestSharedSearch::stopBeforeAnything()
{
    SearchSimulation simulation(3, 0);
    simulation.at(0).stop();
    simulation.run(200ms);
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    // Each rank has ended with the handful that it was at.
    QCOMPARE(simulation.at(0).ranking().tried(), std::uint64_t{3 * lanes});
    QVERIFY(!simulation.at(0).whole());
    QVERIFY(simulation.at(0).lost().empty());
    QVERIFY(!simulation.at(0).ranking().best().empty());
}

void TestSharedSearch::stopWhileSearching()
{
    SearchSimulation simulation(5, 4);
    QVERIFY(simulation.runUntilHeld(4 * lanes));
    simulation.at(0).stop();
    simulation.at(0).stop(); // again changes nothing
    simulation.run(200ms);
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    QCOMPARE(simulation.at(0).ranking().tried(), std::uint64_t{5 * 5 * lanes});
    for (std::size_t rank = 0; rank < 5; ++rank)
        QVERIFY(!simulation.at(rank).whole());
}

void TestSharedSearch::stopOfAnotherRankIsItsOwn()
{
    SearchSimulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    simulation.at(1).stop();
    simulation.run(200ms);
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    QVERIFY(!simulation.at(0).whole());
    QVERIFY(!simulation.at(1).whole());
    QVERIFY(simulation.at(2).whole());
    QVERIFY(simulation.at(0).lost().empty());
    const std::uint64_t others = expected(3, {1}).tried();
    QCOMPARE(simulation.at(0).ranking().tried(), others + 2 * lanes);
}

void TestSharedSearch::onlyRankZeroStopsOthers()
{
    for (const int sender : {0, 1}) {
        SearchSimulation simulation(3, 1);
        QVERIFY(simulation.runUntilHeld(lanes));
        simulation.network().at(ProcessorId(sender)).send(ProcessorId(2), encode(Stop{}));
        // Nor does anybody stop rank 0.
        simulation.network().at(ProcessorId(2)).send(ProcessorId(0), encode(Stop{}));
        simulation.run(200ms);
        simulation.openAll();
        QVERIFY(simulation.runToTheEnd());
        QCOMPARE(simulation.at(2).whole(), sender == 1);
        QCOMPARE(simulation.at(0).whole(), sender == 1);
        QVERIFY(simulation.at(1).whole());
        const std::uint64_t all = expected(3).tried();
        const std::uint64_t stopped = expected(3, {2}).tried() + 2 * lanes;
        QCOMPARE(simulation.at(0).ranking().tried(), sender == 1 ? all : stopped);
    }
}

void TestSharedSearch::garbageIsIgnored()
{
    SearchSimulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    plan::Ranking foreign(keep);
    foreign.add(plan::Allocation(tasks, plan::Node(99)), 0.001);
    Found several{.ranking = expected(1), .whole = true};
    const Message cut = encode(several).substr(0, 200);
    for (const Message& garbage : {Message(), Message("garbage"), Message(100'000, 'F'), cut,
                                   encode(Found{.ranking = foreign, .whole = true}),
                                   encode(Tried{.allocations = 1}) + "more"}) {
        for (int from = 0; from < 3; ++from) {
            for (int to = 0; to < 3; ++to)
                simulation.network().at(ProcessorId(from)).send(ProcessorId(to), garbage);
        }
    }
    simulation.run(300ms);
    QVERIFY(!simulation.at(0).over());
    QCOMPARE(simulation.at(0).tried(), std::uint64_t{3 * lanes});
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    QVERIFY(simulation.at(0).whole());
    QCOMPARE(difference(simulation.at(0).ranking(), expected(3)), QString());
}

// A well-formed one that comes to another rank, or from rank 0 itself, is nobody's, and rank 0 is
// heard as before.
void TestSharedSearch::foundIsForRankZero()
{
    for (const bool stops : {false, true}) {
        SearchSimulation simulation(3, 1);
        QVERIFY(simulation.runUntilHeld(lanes));
        const Message found = encode(Found{.ranking = expected(3, {0, 1}), .whole = true});
        for (const auto& [from, to] : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 2)})
            simulation.network().at(ProcessorId(from)).send(ProcessorId(to), found);
        simulation.run(300ms);
        if (stops)
            simulation.at(0).stop();
        simulation.run(300ms);
        simulation.openAll();
        QVERIFY(simulation.runToTheEnd());
        for (std::size_t rank = 0; rank < 3; ++rank)
            QCOMPARE(simulation.at(rank).whole(), !stops);
        if (stops)
            QCOMPARE(simulation.at(0).ranking().tried(), std::uint64_t{3 * 2 * lanes});
        else
            QCOMPARE(difference(simulation.at(0).ranking(), expected(3)), QString());
    }
}

// The threads that search end with the object, long before they have tried everything.
void TestSharedSearch::goneWhileSearching()
{
    const ManualClock clock;
    const auto environment = sixNodes();
    auto gate = std::make_shared<Gate>(1);
    auto search = std::make_unique<SharedSearch>(
        SearchJob{.environment = environment,
                  .predictor = gatedPredictor(environment, gate),
                  .tasks = tasks,
                  .threads = 2},
        nullptr, clock, lostAfter);
    QVERIFY(comesTrue([&search] { return search->tried() == lanes; }));
    const std::jthread letter([&gate](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            gate->let(1);
            std::this_thread::sleep_for(1ms);
        }
    });
    search.reset();
    QVERIFY(gate->passed() < expected(1).tried() / lanes / 2);
}

QTEST_APPLESS_MAIN(TestSharedSearch)

} // namespace tst_sharedsearch

#include "tst_sharedsearch.moc"

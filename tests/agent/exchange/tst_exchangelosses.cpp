// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "exchangesimulation.h"
#include "merge/mapmerger.h"
#include "shared/merge/randommaps.h"

#include <random>

namespace tst_exchangelosses {

using namespace tasuki;
using namespace tasuki::merge;
using namespace tasuki::merge::testing;
using LastWords = SimulatedNetwork::LastWords;

namespace {

std::vector<MergeMap> someMaps(std::size_t ranks, std::uint64_t seed)
{
    RandomMaps random(seed);
    std::vector<MergeMap> maps;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        maps.push_back(random.map(Law(Law::Kind::Last), ScoreRule::None, 1 + random.below(10)));
    return maps;
}

ProcessorId rankOf(std::size_t number)
{
    return ProcessorId(static_cast<ProcessorId::Representation>(number));
}

} // namespace

/// Exchanges in which ranks die or stop. What breaks it: survivors that wait for the dead, end
/// with different maps or lack what one of them had; a result that nobody keeps, or two sides that
/// both keep one.
class TestExchangeLosses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deathAtEveryMoment_data();
    void deathAtEveryMoment();
    void severalDeaths();
    void silentDeaths();
    void deathOfTheCloser();
    void stoppedRankIsLeftBehind();
    void completeOnlyWithEverybody();
    void partitionedSidesDoNotBothFinish();
};

void TestExchangeLosses::deathAtEveryMoment_data()
{
    QTest::addColumn<std::size_t>("ranks");
    QTest::addColumn<bool>("lastWords");
    for (const std::size_t ranks : {2U, 3U, 4U, 5U, 8U}) {
        for (const bool delivered : {false, true})
            QTest::addRow("%zu ranks, last words %s", ranks, delivered ? "delivered" : "lost")
                << ranks << delivered;
    }
}

// Each rank dies at each step of the exchange: in every round, before, between and after them.
void TestExchangeLosses::deathAtEveryMoment()
{
    QFETCH(std::size_t, ranks);
    QFETCH(bool, lastWords);
    const auto maps = someMaps(ranks, ranks);
    ExchangeSimulation undisturbed({.maps = maps});
    QVERIFY(undisturbed.run());
    const std::size_t steps = undisturbed.steps();
    QVERIFY(steps > 10);
    // Many ranks take many steps: some of them, others for each victim.
    const std::size_t stride = ranks < 6 ? 1 : 11;
    for (std::size_t victim = 0; victim < ranks; ++victim) {
        for (std::size_t moment = victim % stride; moment < steps; moment += stride) {
            ExchangeSimulation simulation({.maps = maps});
            for (std::size_t i = 0; i < moment; ++i)
                simulation.step();
            simulation.kill(rankOf(victim), lastWords ? LastWords::Delivered : LastWords::Lost);
            const bool ended = simulation.run();
            const std::string problem = simulation.problem();
            QVERIFY2(ended && problem.empty(),
                     (problem + "; victim " + std::to_string(victim) + " at step "
                      + std::to_string(moment))
                         .c_str());
        }
    }
}

void TestExchangeLosses::severalDeaths()
{
    std::size_t deaths = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        const std::size_t ranks = 3 + random() % 10;
        ExchangeSimulation simulation({.maps = someMaps(ranks, seed), .seed = seed});
        // Who dies before all know all processes, is silent to some.
        while (!simulation.allHaveBegun())
            simulation.step();
        const std::size_t most = 1 + random() % (ranks - 1);
        for (std::size_t victim = 0; victim < most; ++victim) {
            for (std::size_t pause = random() % 30; pause > 0; --pause)
                simulation.step();
            // Low ranks more often: they coordinate.
            const ProcessorId rank = rankOf(random() % 2 == 0 ? victim % ranks : random() % ranks);
            if (!simulation.survives(rank))
                continue;
            simulation.kill(rank, random() % 2 == 0 ? LastWords::Delivered : LastWords::Lost);
            ++deaths;
        }
        const bool ended = simulation.run();
        const std::string problem = simulation.problem();
        QVERIFY2(ended && problem.empty(), (problem + "; seed " + std::to_string(seed)).c_str());
    }
    QVERIFY(deaths > 400);
}

// Nobody sees the processes end, as on other hosts. A minority could not go on then.
void TestExchangeLosses::silentDeaths()
{
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        std::mt19937_64 random(seed);
        const std::size_t ranks = 3 + random() % 8;
        ExchangeSimulation simulation(
            {.maps = someMaps(ranks, seed), .seed = seed, .processesAreWatched = false});
        const std::size_t most = (ranks - 1) / 2;
        for (std::size_t victim = 0; victim < most; ++victim) {
            for (std::size_t pause = random() % 30; pause > 0; --pause)
                simulation.step();
            simulation.kill(rankOf(random() % 2 == 0 ? victim : random() % ranks),
                            random() % 2 == 0 ? LastWords::Delivered : LastWords::Lost);
        }
        const bool ended = simulation.run();
        const std::string problem = simulation.problem();
        QVERIFY2(ended && problem.empty(), (problem + "; seed " + std::to_string(seed)).c_str());
    }
}

// The rank that is to keep the result dies over it: the next one is asked, and has the same.
void TestExchangeLosses::deathOfTheCloser()
{
    const auto maps = someMaps(4, 1);
    ExchangeSimulation simulation({.maps = maps, .closes = false});
    while (simulation.closers.empty())
        simulation.step();
    QCOMPARE(simulation.closers, std::vector<ProcessorId>{ProcessorId(0)});
    const Digest first = simulation.at(ProcessorId(0)).result().digest();
    simulation.kill(ProcessorId(0), LastWords::Lost);
    for (int i = 0; i < 2000 && simulation.closers.size() < 2; ++i)
        simulation.step();
    QCOMPARE(simulation.closers.back(), ProcessorId(1));
    QCOMPARE(simulation.at(ProcessorId(1)).result().digest(), first);
    simulation.at(ProcessorId(1)).finish(true);
    QVERIFY(simulation.run());
    const std::string problem = simulation.problem();
    QVERIFY2(problem.empty(), problem.c_str());
}

void TestExchangeLosses::stoppedRankIsLeftBehind()
{
    for (const int stopped : {0, 2}) {
        ExchangeSimulation simulation({.maps = someMaps(4, 7), .processesAreWatched = false});
        for (int i = 0; i < 6; ++i)
            simulation.step();
        simulation.network().pause(ProcessorId(stopped));
        const auto others = [&] {
            for (int rank = 0; rank < 4; ++rank) {
                if (rank != stopped && !simulation.at(ProcessorId(rank)).over())
                    return false;
            }
            return true;
        };
        for (int i = 0; i < 100'000 && !others(); ++i)
            simulation.step();
        QVERIFY(others());
        QCOMPARE(simulation.closers.size(), std::size_t{1});
        simulation.network().resume(ProcessorId(stopped));
        QVERIFY(simulation.run());
        QVERIFY(simulation.at(ProcessorId(stopped)).failure().has_value());
        QCOMPARE(simulation.closers.size(), std::size_t{1});
        const ProcessorId other(stopped == 0 ? 1 : 0);
        QVERIFY(!simulation.at(other).failure() && !simulation.at(other).complete());
    }
}

// A result that was agreed on by all is complete though a rank dies right after; one that was not,
// may lack something.
void TestExchangeLosses::completeOnlyWithEverybody()
{
    const auto maps = someMaps(4, 3);
    ExchangeSimulation early({.maps = maps});
    early.kill(ProcessorId(3), LastWords::Lost);
    QVERIFY(early.run());
    QVERIFY(!early.at(ProcessorId(0)).complete());

    ExchangeSimulation late({.maps = maps, .closes = false});
    while (late.closers.empty())
        late.step();
    late.kill(ProcessorId(3), LastWords::Lost);
    late.at(ProcessorId(0)).finish(true);
    QVERIFY(late.run());
    QVERIFY(late.at(ProcessorId(1)).complete());
}

void TestExchangeLosses::partitionedSidesDoNotBothFinish()
{
    for (const int small : {1, 2}) {
        ExchangeSimulation simulation({.maps = someMaps(4, 9), .processesAreWatched = false});
        for (int i = 0; i < 3; ++i)
            simulation.step();
        // The small side holds the highest ranks: on a tie the side of rank 0 goes on.
        for (int one = 0; one < 4 - small; ++one) {
            for (int other = 4 - small; other < 4; ++other)
                simulation.network().cut(ProcessorId(one), ProcessorId(other));
        }
        QVERIFY(simulation.run());
        QCOMPARE(simulation.closers, std::vector<ProcessorId>{ProcessorId(0)});
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(simulation.at(ProcessorId(rank)).failure().has_value(), rank >= 4 - small);
    }
}

QTEST_APPLESS_MAIN(TestExchangeLosses)

} // namespace tst_exchangelosses

#include "tst_exchangelosses.moc"

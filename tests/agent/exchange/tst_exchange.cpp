// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "exchangesimulation.h"
#include "merge/mapmerger.h"
#include "shared/merge/randommaps.h"

namespace tst_exchange {

using namespace tasuki;
using namespace tasuki::merge;
using namespace tasuki::merge::testing;

namespace {

std::vector<MergeMap> randomMaps(const Law& law, ScoreRule rule, std::size_t ranks,
                                 std::uint64_t seed)
{
    RandomMaps random(seed);
    std::vector<MergeMap> maps;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        maps.push_back(random.map(law, rule, random.below(10)));
    return maps;
}

MergeMap unionOf(const std::vector<MergeMap>& maps)
{
    MergeMap all = maps.front();
    for (const MergeMap& map : maps)
        all = merged(all, map);
    return all.folded();
}

ProcessorId rankOf(std::size_t number)
{
    return ProcessorId(static_cast<ProcessorId::Representation>(number));
}

} // namespace

/// Exchanges without losses. What breaks it: a rank that misses what another brought, laws that
/// depend on the way that maps took, trimming that is not that of the union.
class TestExchange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCountAgrees();
    void conflictingValues();
    void trimsLikeTheUnion();
    void counterexample();
    void totalsAreTrimmedByTheTotal();
    void schedulesAreExplained();
    void sparingSendsLess();
    void resultThatDependsOnTheWayIsFound();
};

void TestExchange::everyCountAgrees()
{
    for (std::size_t ranks = 1; ranks <= 17; ++ranks) {
        for (const Law& law : allLaws()) {
            const auto maps = randomMaps(law, ScoreRule::None, ranks, ranks);
            ExchangeSimulation simulation({.maps = maps, .seed = ranks});
            QVERIFY2(simulation.run(), simulation.problem().c_str());
            const std::string problem = simulation.problem();
            QVERIFY2(problem.empty(), problem.c_str());
            const std::string found = difference(simulation.at(ProcessorId(0)).result(),
                                                 unionOf(maps));
            QVERIFY2(found.empty(), (law.name() + ": " + found).c_str());
            QCOMPARE(simulation.closers, std::vector<ProcessorId>{ProcessorId(0)});
            for (std::size_t rank = 0; rank < ranks; ++rank)
                QVERIFY(simulation.at(rankOf(rank)).complete());
        }
    }
}

// One key, another value on every rank: the article's program ends with different maps here.
void TestExchange::conflictingValues()
{
    for (const std::size_t ranks : {2U, 3U, 4U, 6U, 8U, 12U}) {
        for (const Law& law : allLaws()) {
            std::vector<MergeMap> maps;
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                const std::string value = std::to_string((rank * 7) % ranks);
                MapBuilder builder(law);
                builder.put(
                    {.key = "key",
                     .value = value,
                     .stamp = {.time = rank % 3, .origin = static_cast<std::uint32_t>(rank)}});
                maps.push_back(builder.build());
            }
            ExchangeSimulation simulation({.maps = maps, .seed = ranks});
            QVERIFY(simulation.run());
            const std::string problem = simulation.problem();
            QVERIFY2(problem.empty(), problem.c_str());
            QCOMPARE(simulation.at(ProcessorId(0)).result().digest(), unionOf(maps).digest());
            QCOMPARE(simulation.at(ProcessorId(0)).result().size(), std::size_t{1});
        }
    }
}

void TestExchange::trimsLikeTheUnion()
{
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        for (const Law& law : allLaws()) {
            if (law.keepsOrigins())
                continue;
            for (const ScoreRule rule : {ScoreRule::None, ScoreRule::Number}) {
                const auto maps = randomMaps(law, rule, 12, seed);
                const std::size_t keep = seed % 6;
                // Integers beyond 2^53 are among the values.
                ExchangeSimulation simulation({.maps = maps,
                                               .keep = keep,
                                               .score = rule,
                                               .exactScores = rule == ScoreRule::None,
                                               .seed = seed});
                QVERIFY(simulation.run());
                const std::string problem = simulation.problem();
                QVERIFY2(problem.empty(), problem.c_str());
                const std::string found = difference(simulation.at(ProcessorId(5)).result(),
                                                     trimmed(unionOf(maps), keep));
                QVERIFY2(found.empty(), (law.name() + ": " + found).c_str());
            }
        }
    }
}

// What is trimmed away in a round may have been the winner: it is not trimmed away in rounds.
void TestExchange::counterexample()
{
    const std::vector<MergeMap> maps = trimCounterexample();
    ExchangeSimulation simulation({.maps = maps, .keep = 1, .score = ScoreRule::Number});
    QVERIFY(simulation.run());
    const MergeMap& result = simulation.at(ProcessorId(1)).result();
    QCOMPARE(result.size(), std::size_t{1});
    QCOMPARE(std::string(result.entry(0).key), std::string("y"));
}

void TestExchange::totalsAreTrimmedByTheTotal()
{
    const Law law(Law::Kind::Sum);
    std::vector<MergeMap> maps;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        MapBuilder builder(law);
        // Three small parts make more than one that is larger than each of them.
        for (const auto& [key, value] : {std::pair{"many", "4"}, std::pair{"one", "9"}}) {
            if (rank == 0 || key == std::string("many"))
                builder.put({.key = key,
                             .value = value,
                             .stamp = {.time = 1, .origin = rank},
                             .score = scoreOf(ScoreRule::Number, value)});
        }
        maps.push_back(builder.build());
    }
    ExchangeSimulation simulation({.maps = maps, .keep = 1, .score = ScoreRule::Number});
    QVERIFY(simulation.run());
    const MergeMap& result = simulation.at(ProcessorId(2)).result();
    QCOMPARE(result.size(), std::size_t{1});
    QCOMPARE(std::string(result.entry(0).key), std::string("many"));
    QCOMPARE(std::string(result.entry(0).value), std::string("12"));
}

void TestExchange::schedulesAreExplained()
{
    const Law law(Law::Kind::Last);
    for (const auto& [ranks, word] :
         {std::pair{8U, "butterfly"}, std::pair{6U, "dissemination"}, std::pair{1U, "nobody"}}) {
        ExchangeSimulation simulation({.maps = randomMaps(law, ScoreRule::None, ranks, 1)});
        QVERIFY(simulation.run());
        QCOMPARE(simulation.viewReasons.size(), std::size_t{1});
        QVERIFY2(simulation.viewReasons.front().find(word) != std::string::npos,
                 simulation.viewReasons.front().c_str());
    }
}

void TestExchange::sparingSendsLess()
{
    const auto sent = [](std::size_t valueBytes) {
        std::vector<MergeMap> maps;
        for (std::uint32_t rank = 0; rank < 5; ++rank) {
            MapBuilder builder{Law(Law::Kind::Last)};
            const std::string value(valueBytes, 'v');
            for (int entry = 0; entry < 10; ++entry) {
                const std::string key = std::to_string(rank) + '/' + std::to_string(entry);
                builder.put({.key = key, .value = value});
            }
            maps.push_back(builder.build());
        }
        ExchangeSimulation simulation({.maps = maps, .chunkBytes = 100'000});
        if (!simulation.run() || !simulation.problem().empty())
            qFatal("%s", simulation.problem().c_str());
        return static_cast<double>(simulation.sentBytes) / static_cast<double>(valueBytes);
    };
    // Rounds of 1, 2 and 4 maps; the last one needs but 1 of them: 5 (1 + 2 + 1) maps of 10.
    QVERIFY2(sent(10'000) < 210, std::to_string(sent(10'000)).c_str());
    QVERIFY2(sent(1'000) > 340, std::to_string(sent(1'000)).c_str()); // too small to be worth it
}

// Scores that no rule has given: what each rank trims away depends on whose map it meets first.
void TestExchange::resultThatDependsOnTheWayIsFound()
{
    const Law last(Law::Kind::Last);
    std::vector<MergeMap> maps;
    for (const Entry& entry : {Entry{.key = "x", .value = "a", .stamp = {.time = 2}, .score = 1},
                               Entry{.key = "x", .value = "b", .stamp = {.time = 1}, .score = 10},
                               Entry{.key = "y", .value = "z", .stamp = {.time = 1}, .score = 5}}) {
        MapBuilder builder(last);
        builder.put(entry);
        maps.push_back(builder.build());
    }
    ExchangeSimulation simulation({.maps = maps, .keep = 1});
    QVERIFY(simulation.run());
    QVERIFY(simulation.closers.empty());
    for (std::size_t rank = 0; rank < 3; ++rank)
        QVERIFY(!simulation.at(rankOf(rank)).safe());
    const std::string text = simulation.at(ProcessorId(0)).failure()->text();
    QVERIFY2(text.find("holds another map") != std::string::npos, text.c_str());
}

QTEST_APPLESS_MAIN(TestExchange)

} // namespace tst_exchange

#include "tst_exchange.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "merge/mapmerger.h"
#include "merge/trim.h"
#include "randommaps.h"

namespace tst_trim {

using namespace tasuki;
using namespace tasuki::merge;
using namespace tasuki::merge::testing;

namespace {

/// Merges maps one after the other, trimming after each, or at the end only.
MergeMap unionOf(const std::vector<MergeMap>& maps, std::size_t keep, bool inRounds)
{
    MergeMap all(maps.front().law());
    for (const MergeMap& map : maps) {
        all = merged(all, inRounds ? trimmed(map, keep) : map);
        if (inRounds)
            all = trimmed(all, keep);
    }
    return trimmed(all, keep);
}

} // namespace

class TestTrim : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheBest();
    void counterexample();
    void inRoundsWhereExact_data();
    void inRoundsWhereExact();
    void scores();
    void largeIntegersAreNotExact();
};

void TestTrim::keepsTheBest()
{
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        RandomMaps random(seed);
        const MergeMap map = random.map(Law(Law::Kind::MaxNumber), ScoreRule::Number, 30);
        const auto keep = static_cast<std::size_t>(random.below(10));
        std::vector<Entry> sorted;
        for (std::size_t index = 0; index < map.size(); ++index)
            sorted.push_back(map.entry(index));
        std::sort(sorted.begin(), sorted.end(), [](const Entry& first, const Entry& second) {
            return keepOrder(first, second) > 0;
        });
        sorted.resize(std::min(keep, sorted.size()));
        std::sort(sorted.begin(), sorted.end(),
                  [](const Entry& first, const Entry& second) { return first.key < second.key; });
        const MergeMap best = trimmed(map, keep);
        QCOMPARE(best.size(), sorted.size());
        for (std::size_t index = 0; index < sorted.size(); ++index)
            QVERIFY(best.entry(index).same(sorted[index]));
    }
}

// Law min, the score not that of the law: what is trimmed away would have won.
void TestTrim::counterexample()
{
    const std::vector<MergeMap> ranks = trimCounterexample();
    const MergeMap atTheEnd = unionOf(ranks, 1, false);
    QCOMPARE(std::string(atTheEnd.entry(0).key), std::string("y"));
    const MergeMap inRounds = unionOf(ranks, 1, true);
    QCOMPARE(std::string(inRounds.entry(0).key), std::string("x")); // and its value has lost
    QCOMPARE(std::string(inRounds.entry(0).value), std::string("b"));
    QVERIFY(!trimsInRounds(Law(Law::Kind::Min), ScoreRule::Number, true));
}

void TestTrim::inRoundsWhereExact_data()
{
    QTest::addColumn<int>("law");
    QTest::addColumn<int>("rule");
    const auto laws = allLaws();
    for (std::size_t law = 0; law < laws.size(); ++law) {
        for (const ScoreRule rule : {ScoreRule::None, ScoreRule::Number}) {
            if (trimsInRounds(laws[law], rule, true))
                QTest::addRow("%s, score %d", laws[law].name().c_str(), static_cast<int>(rule))
                    << static_cast<int>(law) << static_cast<int>(rule);
        }
    }
}

void TestTrim::inRoundsWhereExact()
{
    QFETCH(int, law);
    QFETCH(int, rule);
    const Law tried = allLaws()[static_cast<std::size_t>(law)];
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        RandomMaps random(seed);
        std::vector<MergeMap> maps;
        bool exact = true;
        for (int rank = 0; rank < 5; ++rank) {
            maps.push_back(random.map(tried, static_cast<ScoreRule>(rule), random.below(10)));
            for (std::size_t index = 0; index < maps.back().size(); ++index) {
                const Entry entry = maps.back().entry(index);
                exact = exact && scoreIsExact(static_cast<ScoreRule>(rule), entry.value);
            }
        }
        if (!exact)
            continue;
        const auto keep = static_cast<std::size_t>(1 + random.below(5));
        const std::string found = difference(unionOf(maps, keep, true), unionOf(maps, keep, false));
        QVERIFY2(
            found.empty(),
            qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromStdString(found))));
    }
}

void TestTrim::scores()
{
    QCOMPARE(scoreOf(ScoreRule::None, "12"), 0.0);
    QCOMPARE(scoreOf(ScoreRule::Number, "-1.5"), -1.5);
    QVERIFY(scoreOf(ScoreRule::Number, "none") < -1e308);
}

void TestTrim::largeIntegersAreNotExact()
{
    QVERIFY(scoreIsExact(ScoreRule::Number, "9007199254740992"));
    QVERIFY(!scoreIsExact(ScoreRule::Number, "9007199254740993"));
    QVERIFY(scoreIsExact(ScoreRule::Number, "0.1"));
    QVERIFY(!trimsInRounds(Law(Law::Kind::MaxNumber), ScoreRule::Number, false));
}

QTEST_GUILESS_MAIN(TestTrim)

} // namespace tst_trim

#include "tst_trim.moc"

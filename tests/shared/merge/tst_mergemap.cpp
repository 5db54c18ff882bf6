// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "merge/mapmerger.h"
#include "randommaps.h"

#include <map>

namespace tst_mergemap {

using namespace tasuki;
using namespace tasuki::merge;
using namespace tasuki::merge::testing;

namespace {

MergeMap numbered(int first, int count, std::size_t valueBytes, std::uint64_t time = 1)
{
    MapBuilder builder{Law(Law::Kind::Last)};
    for (int number = first; number < first + count; ++number) {
        const std::string key =
            QString::number(number).rightJustified(6, QLatin1Char('0')).toStdString();
        const std::string value(valueBytes, static_cast<char>('a' + number % 26));
        builder.put({.key = key, .value = value, .stamp = {.time = time, .origin = 0}});
    }
    return builder.build();
}

} // namespace

class TestMergeMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void empty();
    void findsWhatWasPut();
    void equalsAnOrdinaryMap();
    void tellsMapsApart();
    void mergesWithoutCopying();
    void keepsNoDeadBytes();
    void foldedKeepsTheRest();
};

void TestMergeMap::empty()
{
    const MergeMap nothing{Law(Law::Kind::Last)};
    QVERIFY(nothing.empty());
    QVERIFY(!nothing.find(""));
    const MergeMap some = numbered(0, 3, 2);
    QCOMPARE(merged(nothing, some).digest(), some.digest());
    QCOMPARE(merged(some, nothing).digest(), some.digest());
    QVERIFY(merged(nothing, nothing).empty());
    QVERIFY(nothing.digest() != MergeMap(Law(Law::Kind::First)).digest());
}

void TestMergeMap::findsWhatWasPut()
{
    MapBuilder builder{Law(Law::Kind::Max)};
    const std::string zeros("a\0b", 3);
    builder.put({.key = "", .value = ""});
    builder.put({.key = zeros, .value = "zero"});
    builder.put({.key = "a", .value = zeros});
    const MergeMap map = builder.build();
    QCOMPARE(map.size(), std::size_t(3));
    QCOMPARE(std::string(map.find("")->value), std::string());
    QCOMPARE(std::string(map.find(zeros)->value), std::string("zero"));
    QCOMPARE(std::string(map.find("a")->value), zeros);
    QVERIFY(!map.find("b"));
    QCOMPARE(map.bytes(), std::uint64_t(3 * 5 + 3 + 4 + 1 + 3)); // numbers of one byte each
}

// Many random maps, merged in a random order, beside std::map.
void TestMergeMap::equalsAnOrdinaryMap()
{
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        RandomMaps random(seed);
        MergeMap all{Law(Law::Kind::Last)};
        std::map<std::string, std::pair<Stamp, std::string>> model;
        for (int round = 0; round < 5; ++round) {
            const MergeMap next = random.map(all.law(), ScoreRule::None, random.below(20));
            for (std::size_t index = 0; index < next.size(); ++index) {
                const Entry entry = next.entry(index);
                const auto value = std::pair(entry.stamp, std::string(entry.value));
                const auto [at, isNew] = model.emplace(entry.key, value);
                at->second = std::max(at->second, value);
            }
            all = merged(all, next);
        }
        QCOMPARE(all.size(), model.size());
        std::size_t index = 0;
        for (const auto& [key, value] : model) {
            const Entry entry = all.entry(index++);
            QCOMPARE(std::string(entry.key), key);
            QCOMPARE(std::string(entry.value), value.second);
            QVERIFY(entry.stamp == value.first);
        }
    }
}

void TestMergeMap::tellsMapsApart()
{
    const auto one = [](std::string_view key, std::string_view value, Stamp stamp, double score) {
        MapBuilder builder{Law(Law::Kind::Last)};
        builder.put({.key = key, .value = value, .stamp = stamp, .score = score});
        return builder.build().digest();
    };
    const Digest base = one("ab", "c", {1, 1}, 0.0);
    QCOMPARE(one("ab", "c", {1, 1}, 0.0), base);
    QVERIFY(one("a", "bc", {1, 1}, 0.0) != base);
    QVERIFY(one("ab", "d", {1, 1}, 0.0) != base);
    QVERIFY(one("ab", "c", {2, 1}, 0.0) != base);
    QVERIFY(one("ab", "c", {1, 2}, 0.0) != base);
    QVERIFY(one("ab", "c", {1, 1}, 1.0) != base);
    QCOMPARE(base.hex().size(), std::size_t(32));
}

void TestMergeMap::mergesWithoutCopying()
{
    const MergeMap mine = numbered(0, 100, 1000);
    const MergeMap theirs = numbered(100, 100, 1000);
    const MergeMap both = merged(mine, theirs);
    QCOMPARE(both.entry(0).value.data(), mine.entry(0).value.data());
    // What is equal already is not kept a second time.
    const MergeMap again = merged(both, theirs);
    QCOMPARE(again.heldBytes(), both.heldBytes());
}

void TestMergeMap::keepsNoDeadBytes()
{
    MergeMap map = numbered(0, 1000, 4000);
    const std::uint64_t once = map.heldBytes();
    for (std::uint64_t time = 2; time < 12; ++time)
        map = merged(map, numbered(0, 1000, 4000, time));
    QCOMPARE(map.size(), std::size_t(1000));
    QCOMPARE(map.entry(7).stamp.time, std::uint64_t(11));
    QVERIFY2(map.heldBytes() < 3 * once,
             qPrintable(QStringLiteral("%1 of %2").arg(map.heldBytes()).arg(once)));
}

void TestMergeMap::foldedKeepsTheRest()
{
    const MergeMap plain = numbered(0, 10, 3);
    QCOMPARE(plain.folded().digest(), plain.digest());
    QVERIFY(MergeMap(Law(Law::Kind::Sum)).folded().empty());
}

QTEST_GUILESS_MAIN(TestMergeMap)

} // namespace tst_mergemap

#include "tst_mergemap.moc"

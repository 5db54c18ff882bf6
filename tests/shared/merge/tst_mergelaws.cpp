// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "merge/mapmerger.h"
#include "randommaps.h"

namespace tst_mergelaws {

using namespace tasuki;
using namespace tasuki::merge;
using namespace tasuki::merge::testing;

class TestMergeLaws : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hold_data();
    void hold();
    void winners_data();
    void winners();
    void sumCountsEachOriginOnce();
    void sumAddsWithinAnOrigin();
    void namesAreKnown();
};

void TestMergeLaws::hold_data()
{
    QTest::addColumn<int>("law");
    QTest::addColumn<int>("rule");
    const auto laws = allLaws();
    for (std::size_t law = 0; law < laws.size(); ++law) {
        QTest::addRow("%s", laws[law].name().c_str()) << static_cast<int>(law) << 0;
        QTest::addRow("%s, scored", laws[law].name().c_str()) << static_cast<int>(law) << 1;
    }
}

// Commutative, associative and idempotent, to the last bit of value, stamp and score.
void TestMergeLaws::hold()
{
    QFETCH(int, law);
    QFETCH(int, rule);
    const Law tried = allLaws()[static_cast<std::size_t>(law)];
    const auto score = static_cast<ScoreRule>(rule);
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        RandomMaps random(seed);
        const MergeMap a = random.map(tried, score, random.below(12));
        const MergeMap b = random.map(tried, score, random.below(12));
        const MergeMap c = random.map(tried, score, random.below(12));
        const auto equal = [seed](const MergeMap& first, const MergeMap& second, const char* what) {
            const std::string found = difference(first, second);
            if (found.empty())
                return true;
            qWarning("seed %llu: %s: %s", static_cast<unsigned long long>(seed), what,
                     found.c_str());
            return false;
        };
        const MergeMap ab = merged(a, b);
        QVERIFY(equal(ab, merged(b, a), "commutative"));
        QVERIFY(equal(merged(ab, c), merged(a, merged(b, c)), "associative"));
        QVERIFY(equal(merged(a, a), a, "idempotent"));
        QVERIFY(equal(merged(ab, b), ab, "again"));
        QVERIFY(equal(merged(ab, merged(b, c)), merged(ab, c), "overlapping"));
    }
}

void TestMergeLaws::winners_data()
{
    QTest::addColumn<QByteArray>("law");
    QTest::addColumn<QByteArray>("winner");
    QTest::newRow("first") << QByteArray("first") << QByteArray("9");
    QTest::newRow("last") << QByteArray("last") << QByteArray("8");
    QTest::newRow("min") << QByteArray("min") << QByteArray("10");
    QTest::newRow("max") << QByteArray("max") << QByteArray("9");
    QTest::newRow("min-number") << QByteArray("min-number") << QByteArray("8");
    QTest::newRow("max-number") << QByteArray("max-number") << QByteArray("10");
}

void TestMergeLaws::winners()
{
    QFETCH(QByteArray, law);
    QFETCH(QByteArray, winner);
    const auto one = [&law](std::string_view value, std::uint64_t time, std::uint32_t origin) {
        MapBuilder builder(*Law::named(law.toStdString()));
        builder.put({.key = "x", .value = value, .stamp = {.time = time, .origin = origin}});
        return builder.build();
    };
    const MergeMap all = merged(merged(one("9", 1, 2), one("10", 2, 0)), one("8", 2, 1));
    QCOMPARE(all.size(), std::size_t(1));
    QCOMPARE(QByteArray::fromStdString(std::string(all.find("x")->value)), winner);
    // Numbers of any size.
    for (const auto& [large, small] :
         {std::pair("1e400", "9"), {"1", "-1e400"}, {"2e400", "1e400"}}) {
        const QByteArray kept = law == "max-number" ? large : law == "min-number" ? small : "";
        if (kept.isEmpty())
            continue;
        for (const auto& both : {merged(one(large, 1, 0), one(small, 2, 1)),
                                 merged(one(large, 2, 1), one(small, 1, 0))})
            QCOMPARE(QByteArray::fromStdString(std::string(both.find("x")->value)), kept);
    }
    // Numbers that are equal but written otherwise: the same everywhere, whatever comes first.
    QCOMPARE(merged(one("1.0", 1, 0), one("1", 1, 0)).digest(),
             merged(one("1", 1, 0), one("1.0", 1, 0)).digest());
}

void TestMergeLaws::sumCountsEachOriginOnce()
{
    const auto one = [](std::string_view value, std::uint32_t origin) {
        MapBuilder builder{Law(Law::Kind::Sum)};
        builder.put({.key = "x", .value = value, .stamp = {.time = 1, .origin = origin}});
        return builder.build();
    };
    const MergeMap a = one("5", 0);
    const MergeMap b = one("7", 1);
    const MergeMap c = one("-20", 2);
    const MergeMap all = merged(merged(a, b), merged(merged(b, c), a)); // b and a come twice
    QCOMPARE(all.size(), std::size_t(3));
    QCOMPARE(all.folded().size(), std::size_t(1));
    QCOMPARE(std::string(all.folded().find("x")->value), std::string("-8"));
}

void TestMergeLaws::sumAddsWithinAnOrigin()
{
    MapBuilder builder{Law(Law::Kind::Sum)};
    for (std::uint64_t time = 1; time <= 3; ++time)
        builder.put({.key = "x", .value = "0.5", .stamp = {.time = time, .origin = 4}});
    builder.put({.key = "y", .value = "9223372036854775807", .stamp = {.time = 1, .origin = 4}});
    builder.put({.key = "y", .value = "9223372036854775807", .stamp = {.time = 2, .origin = 5}});
    const MergeMap map = builder.build();
    QCOMPARE(map.size(), std::size_t(3));
    QCOMPARE(std::string(map.folded().find("x")->value), std::string("1.5"));
    QCOMPARE(std::string(map.folded().find("y")->value), std::string("18446744073709551614"));
}

void TestMergeLaws::namesAreKnown()
{
    for (const std::string& name : Law::names())
        QCOMPARE(Law::named(name)->name(), name);
    const auto unknown = Law::named("medium");
    QVERIFY(!unknown.ok());
    QVERIFY(unknown.error().text().find("'medium'") != std::string::npos);
    QVERIFY(unknown.error().text().find("max-number") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestMergeLaws)

} // namespace tst_mergelaws

#include "tst_mergelaws.moc"

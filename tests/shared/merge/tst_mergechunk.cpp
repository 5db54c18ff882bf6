// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "merge/chunk.h"
#include "merge/chunkformat.h"
#include "merge/digest.h"
#include "merge/mapmerger.h"
#include "randommaps.h"

namespace tst_mergechunk {

using namespace tasuki;
using namespace tasuki::merge;
using namespace tasuki::merge::testing;

namespace {

Block block(std::string bytes) { return std::make_shared<const std::string>(std::move(bytes)); }

std::string wholeChunk(const MergeMap& map)
{
    return *ChunkWriter(map).next(std::numeric_limits<std::uint64_t>::max());
}

std::string join(std::initializer_list<std::string> parts)
{
    std::string all;
    for (const std::string& part : parts)
        all += part;
    return all;
}

/// A chunk that says it has so many entries, its check sum right.
std::string forged(std::uint64_t count, const std::string& rest)
{
    std::string chunk(format::magic);
    format::appendFixed(chunk, 0);
    format::appendFixed(chunk, count);
    chunk += rest;
    format::storeFixed(chunk.data() + format::magic.size(),
                       checkSum(std::string_view(chunk).substr(format::summedFrom)));
    return chunk;
}

/// Goes through all of a chunk.
Result<void> readChunk(std::string bytes)
{
    auto reader = ChunkReader::open(block(std::move(bytes)));
    if (!reader)
        return reader.error();
    while (!reader->done()) {
        if (const auto item = reader->next(); !item)
            return item.error();
    }
    return {};
}

} // namespace

class TestMergeChunk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundTrip_data();
    void roundTrip();
    void allLengths();
    void truncated();
    void flippedBits();
    void hostile_data();
    void hostile();
    void wrongOrder();
};

void TestMergeChunk::roundTrip_data()
{
    QTest::addColumn<quint64>("target");
    for (const quint64 target : {0, 1, 7, 100, 1000000})
        QTest::addRow("%llu bytes", static_cast<unsigned long long>(target)) << target;
}

void TestMergeChunk::roundTrip()
{
    QFETCH(quint64, target);
    for (const Law& law : allLaws()) {
        RandomMaps random(target);
        const MergeMap map = random.map(law, ScoreRule::Number, 40);
        MapMerger merger{MergeMap(law)};
        ChunkWriter writer(map);
        std::size_t chunks = 0;
        while (auto chunk = writer.next(target)) {
            ++chunks;
            QVERIFY(merger.add(block(std::move(*chunk))));
        }
        QVERIFY(writer.done());
        QVERIFY(target > 1 || chunks == map.size() || map.entry(0).key.empty());
        QCOMPARE(merger.taken(), std::uint64_t(map.size()));
        QCOMPARE(difference(*merger.finish(), map), std::string());
    }
}

// Lengths at which the numbers of the layout grow, in keys and in values.
void TestMergeChunk::allLengths()
{
    MapBuilder builder{Law(Law::Kind::Last)};
    const std::size_t lengths[] = {0, 1, 127, 128, 300, 16'383, 16'384, 70'000, 5'000'000};
    for (const std::size_t length : lengths) {
        std::string bytes(length, '\0');
        for (std::size_t index = 0; index < length; ++index)
            bytes[index] = static_cast<char>(index * 7 % 256);
        builder.put({.key = bytes, .value = "short", .stamp = {~std::uint64_t{0}, 7}});
        builder.put({.key = "v" + std::to_string(length),
                     .value = bytes,
                     .stamp = {0, ~std::uint32_t{0}},
                     .score = -1e300});
    }
    const MergeMap map = builder.build();
    QCOMPARE(map.size(), 2 * std::size(lengths));
    MapMerger merger{MergeMap(map.law())};
    ChunkWriter writer(map);
    while (auto chunk = writer.next(1000))
        QVERIFY(merger.add(block(std::move(*chunk))));
    QCOMPARE(difference(*merger.finish(), map), std::string());
}

void TestMergeChunk::truncated()
{
    RandomMaps random(1);
    const std::string chunk = wholeChunk(random.map(Law(Law::Kind::Last), ScoreRule::None, 20));
    QVERIFY(readChunk(chunk));
    for (std::size_t length = 0; length < chunk.size(); ++length) {
        const auto read = readChunk(chunk.substr(0, length));
        QVERIFY(!read.ok());
        QCOMPARE(read.error().kind, ErrorKind::Damaged);
    }
    QVERIFY(!readChunk(chunk + "x"));
}

void TestMergeChunk::flippedBits()
{
    RandomMaps random(2);
    const std::string chunk = wholeChunk(random.map(Law(Law::Kind::Last), ScoreRule::None, 20));
    for (std::size_t bit = 0; bit < 8 * chunk.size(); ++bit) {
        std::string flipped = chunk;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
        QVERIFY2(!readChunk(std::move(flipped)), qPrintable(QString::number(bit)));
    }
}

void TestMergeChunk::hostile_data()
{
    QTest::addColumn<QByteArray>("chunk");
    const auto row = [](const char* name, std::uint64_t count, const std::string& rest) {
        QTest::newRow(name) << QByteArray::fromStdString(forged(count, rest));
    };
    using namespace std::string_literals;
    const std::string good = "\1\1\0\0\0kv"s; // key and value of one byte each
    const std::string huge = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"s;
    const auto most = std::numeric_limits<std::uint64_t>::max();
    row("no entries", 0, "");
    row("no entries, but bytes", 0, good);
    row("2^64 - 1 entries", most, good);
    row("two entries in one record", 2, good);
    row("nothing", 1, "");
    row("half a record", 1, "\1\1\0\0\0k"s);
    row("a huge key", 1, join({huge, "\1\0\0\0kv"s}));
    row("a huge value", 1, join({"\1"s, huge, "\0\0\0kv"s}));
    row("key and value overflow", 1, join({huge, huge, "\0\0\0kv"s}));
    row("a number of 65 bits", 1,
        join({"\1\1"s, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\2"s, "\0\0kv"s}));
    row("a number without end", 1, join({std::string(14, '\x80'), "kv"s}));
    row("a number longer than it need be", 1, "\1\1\x80\0\0\0kv"s);
    row("an origin of 33 bits", 1, "\1\1\0\x80\x80\x80\x80\x10\0kv"s);
    row("a score that is neither there nor not", 1, "\1\1\0\0\2kv"s);
    row("half a score", 1, "\1\1\0\0\1\1\1\1"s);
    row("a score that is no number", 1, join({"\1\1\0\0\1"s, std::string(8, '\xff'), "kv"s}));
    row("no score, said the long way", 1, join({"\1\1\0\0\1"s, std::string(8, '\0'), "kv"s}));
    row("bytes left over", 1, join({good, "x"s}));
}

void TestMergeChunk::hostile()
{
    QFETCH(QByteArray, chunk);
    QVERIFY(readChunk(forged(1, std::string("\1\1\0\0\0kv", 7))));
    const auto read = readChunk(chunk.toStdString());
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, ErrorKind::Damaged);
}

void TestMergeChunk::wrongOrder()
{
    const auto one = [](std::string_view key, std::uint32_t origin) {
        MapBuilder builder{Law(Law::Kind::Sum)};
        builder.put({.key = key, .value = "1", .stamp = {1, origin}});
        return block(wholeChunk(builder.build()));
    };
    MapMerger backwards{MergeMap(Law(Law::Kind::Sum))};
    QVERIFY(backwards.add(one("b", 0)));
    QVERIFY(!backwards.add(one("a", 0)));
    MapMerger twice{MergeMap(Law(Law::Kind::Sum))};
    QVERIFY(twice.add(one("b", 0)));
    QVERIFY(twice.add(one("b", 1)));
    QVERIFY(!twice.add(one("b", 1)));
    MapMerger otherLaw{MergeMap(Law(Law::Kind::Last))};
    QVERIFY(otherLaw.add(one("b", 0)));
    QVERIFY(!otherLaw.add(one("b", 1)));
}

QTEST_GUILESS_MAIN(TestMergeChunk)

} // namespace tst_mergechunk

#include "tst_mergechunk.moc"

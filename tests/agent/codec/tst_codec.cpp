// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "codec/domainfields.h"

#include <random>

namespace tst_codec {

using namespace tasuki;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace example {

enum class Colour : std::uint8_t { Red, Green, Blue };
constexpr Colour lastOf(codec::Of<Colour>) { return Colour::Blue; }

struct Leaf {
    std::int32_t number = 0;
    bool operator==(const Leaf&) const = default;
};

struct Tree {
    Colour colour = Colour::Red;
    std::variant<Leaf, std::string> what;
    std::optional<std::int64_t> perhaps;
    std::vector<std::shared_ptr<const Leaf>> leaves;
    std::array<std::uint16_t, 2> pair{};
    std::chrono::milliseconds time{};
};

void fields(auto& a, codec::Is<Leaf> auto& m)
{
    a(m.number);
    a.require(m.number != 13);
}

void fields(auto& a, codec::Is<Tree> auto& m)
{
    a(m.colour, m.what, m.perhaps, m.leaves, m.pair, m.time);
}

} // namespace example

using example::Colour;
using example::Leaf;
using example::Tree;

namespace {

template <class T>
bool comesBack(T value)
{
    T back{};
    return codec::decode(codec::encode(value), back) && back == value;
}

template <class Stored, class Wanted>
bool fits(Stored value)
{
    Wanted back{};
    return codec::decode(codec::encode(value), back);
}

} // namespace

/// What breaks it: a number that changes on its way, or bytes that nobody can have written and that are believed.
class TestCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersComeBack()
    {
        for (unsigned bit = 0; bit < 64; ++bit) {
            const std::uint64_t power = std::uint64_t{1} << bit;
            for (const std::uint64_t number : {power - 1, power, power + 1, ~power}) {
                QVERIFY(comesBack(number));
                QVERIFY(comesBack(static_cast<std::int64_t>(number)));
                QVERIFY(comesBack(static_cast<std::int32_t>(number)));
                QVERIFY(comesBack(static_cast<std::uint16_t>(number)));
            }
        }
        QCOMPARE(codec::encode(std::uint32_t{127}).size(), std::size_t{1});
        QCOMPARE(codec::encode(std::int32_t{-1}).size(), std::size_t{1});
        QCOMPARE(codec::encode(std::uint64_t{1} << 63U).size(), std::size_t{10});
    }

    void whatDoesNotFitIsRefused()
    {
        QVERIFY((fits<std::uint32_t, std::uint16_t>(65'535)));
        QVERIFY((!fits<std::uint32_t, std::uint16_t>(65'536)));
        QVERIFY((!fits<std::int64_t, std::int32_t>(std::int64_t{1} << 31)));
        QVERIFY((fits<std::int64_t, std::int32_t>(-(std::int64_t{1} << 31))));
        QVERIFY((!fits<std::uint32_t, bool>(2)));
        QVERIFY((!fits<std::uint32_t, Colour>(3)));
        QVERIFY((!fits<std::int32_t, Leaf>(13))); // by its own requirement
        std::uint64_t number = 0;
        QVERIFY(!codec::decode(std::string(10, '\xff'), number));
        QVERIFY(!codec::decode(std::string(9, '\xff') + '\x02', number)); // a 65th bit
        QVERIFY(codec::decode(std::string(9, '\xff') + '\x01', number));
        QCOMPARE(number, ~std::uint64_t{0});
    }

    void whatIsSharedIsSharedAgain()
    {
        const auto one = std::make_shared<const Leaf>(Leaf{1});
        const auto other = std::make_shared<const Leaf>(Leaf{2});
        const Tree tree{.colour = Colour::Blue,
                        .what = std::string("x\0y", 3),
                        .perhaps = -5,
                        .leaves = {one, other, nullptr, one},
                        .pair = {7, 65'535},
                        .time = -3ms};
        Tree back;
        QVERIFY(codec::decode(codec::encode(tree), back));
        QCOMPARE(back.colour, tree.colour);
        QVERIFY(back.what == tree.what && back.perhaps == tree.perhaps && back.pair == tree.pair);
        QCOMPARE(back.time, tree.time);
        QCOMPARE(back.leaves.size(), std::size_t{4});
        QVERIFY(back.leaves[0] == back.leaves[3] && back.leaves[0] != back.leaves[1]);
        QCOMPARE(*back.leaves[0], *one);
        QCOMPARE(*back.leaves[1], *other);
        QVERIFY(back.leaves[2] == nullptr);
    }

    void aSharedValueThatWasNotSentIsRefused()
    {
        std::vector<std::shared_ptr<const Leaf>> leaves;
        QVERIFY(!codec::decode(std::string("\x01\x02", 2), leaves)); // the second one first
        // A number that stands for a value of another type.
        std::pair<std::shared_ptr<const Leaf>, std::shared_ptr<const EventId>> two;
        QVERIFY(codec::decode(std::string("\x01\x02\x02\x03\x04", 5), two));
        QVERIFY(!codec::decode(std::string("\x01\x02\x01", 3), two));
    }

    void bytesBehindTheValueAreRefused()
    {
        Leaf leaf;
        QVERIFY(codec::decode(codec::encode(Leaf{5}), leaf));
        QVERIFY(!codec::decode(codec::encode(Leaf{5}) + '\0', leaf));
        QVERIFY(!codec::decode("", leaf));
    }

    void aLengthThatThereIsNotTakesNoMemory()
    {
        std::vector<std::string> texts;
        QVERIFY(!codec::decode("\xff\xff\xff\xff\xff\xff\x7f", texts));
        QVERIFY(texts.capacity() < 100);
        std::string text;
        QVERIFY(!codec::decode("\xff\xff\xff\xff\x7f"
                               "abc",
                               text));
    }

    void resultsOfAttemptsComeBack()
    {
        AttemptResult result;
        for (int number = 0; number <= static_cast<int>(Outcome::NotStarted); ++number) {
            result.outcome = static_cast<Outcome>(number);
            QVERIFY(comesBack(result));
        }
        for (const std::int32_t code : {std::numeric_limits<std::int32_t>::min(), -1, 0, 255,
                                        std::numeric_limits<std::int32_t>::max()}) {
            result.code = code;
            QVERIFY(comesBack(result));
        }
        result.startedAt = endOfTimes - 1us;
        result.elapsed = longestTime;
        result.usage = {.user = longestTime,
                        .system = 0us,
                        .maxResidentKiB = std::numeric_limits<std::uint64_t>::max()};
        QVERIFY(comesBack(result));
        result.standardOutput = {
            .head = "\0\xff\xfe\n\0"s, .tail = "\x80"s, .totalBytes = 1ULL << 60U};
        result.standardError = {
            .head = std::string(3U << 20U, '\0'), .tail = {}, .totalBytes = 3U << 20U};
        QVERIFY(comesBack(result));
        result.standardOutput = {.head = {}, .tail = {}, .totalBytes = 12}; // all of it was dropped
        QVERIFY(comesBack(result));
        QCOMPARE(result.standardOutput.droppedBytes(), std::uint64_t{12});
    }

    void resultsOutOfRangeAreRefused()
    {
        const auto refuses = [](const auto& change) {
            AttemptResult wrong;
            change(wrong);
            AttemptResult back;
            return !codec::decode(codec::encode(wrong), back);
        };
        using M = AttemptResult;
        static constexpr std::chrono::microseconds tooLong = std::chrono::microseconds::max();
        QVERIFY(refuses([](M& m) { m.outcome = Outcome(8); }));
        QVERIFY(refuses([](M& m) { m.outcome = Outcome(255); }));
        QVERIFY(refuses([](M& m) { m.elapsed = -1us; }));
        QVERIFY(refuses([](M& m) { m.elapsed = tooLong; }));
        QVERIFY(refuses([](M& m) { m.startedAt = WallTime(tooLong); }));
        QVERIFY(refuses([](M& m) { m.startedAt = WallTime(-1us); }));
        QVERIFY(refuses([](M& m) { m.usage.user = tooLong; }));
        QVERIFY(refuses([](M& m) { m.usage.user = -1us; }));
        QVERIFY(refuses([](M& m) { m.usage.system = -1us; }));
        QVERIFY(refuses([](M& m) { m.standardOutput.head = "x"; }));
        QVERIFY(refuses(
            [](M& m) { m.standardError = {.head = "abc", .tail = "def", .totalBytes = 5}; }));
    }

    void anyBytesGiveAValueOrNone()
    {
        std::mt19937 random(5);
        int good = 0;
        for (int round = 0; round < 20'000; ++round) {
            std::string bytes(random() % 24, '\0');
            for (char& byte : bytes)
                byte = static_cast<char>(random() % (round % 2 == 0 ? 256 : 4));
            Tree tree;
            good += codec::decode(bytes, tree) ? 1 : 0;
        }
        QVERIFY(good > 0);
    }
};

QTEST_APPLESS_MAIN(TestCodec)

} // namespace tst_codec

#include "tst_codec.moc"

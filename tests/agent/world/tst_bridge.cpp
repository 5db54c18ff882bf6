// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "moveannounced.h"
#include "world/bridge.h"
#include "world/endpoint.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tst_bridge {

using namespace std::string_literals;
using namespace tasuki;
using namespace tasuki::world;

namespace {

std::string someBytes(std::uint32_t seed, std::size_t size)
{
    std::string bytes(size, '\0');
    std::uint32_t state = seed;
    for (char& byte : bytes) {
        state = state * 1'664'525U + 1'013'904'223U;
        byte = static_cast<char>(state >> 24U);
    }
    return bytes;
}

/// Two hosts, the first half of the ranks on the first one: a memory each, a bridge and, when it is asked for, an end for each
/// rank. What bridges say to each other waits until the test moves it.
class TwoHosts {
public:
    struct Word {
        std::string records; ///< empty: so many bytes are taken
        std::uint64_t taken = 0;
    };
    using Way = std::pair<WorldRank, WorldRank>; ///< who says it, and to whom

    explicit TwoHosts(std::uint32_t ranks, Bridge::Limits limits = {}) : m_ranks(ranks)
    {
        for (const bool second : {false, true}) {
            m_memories.push_back(
                std::make_unique<Result<Segment>>(Segment::create({.ranks = ranks})));
            for (WorldRank rank = 0; rank < ranks; ++rank)
                memory(second)->setRemote(rank, isSecond(rank) != second);
        }
        for (WorldRank me = 0; me < ranks; ++me) {
            bridges.push_back(std::make_unique<Bridge>(
                *memory(isSecond(me)), me,
                Bridge::Ports{.send =
                                  [this, me](WorldRank to, std::string records) {
                                      longest = std::max(longest, records.size());
                                      words[{me, to}].push_back({std::move(records), 0});
                                  },
                              .taken =
                                  [this, me](WorldRank from, std::uint64_t bytes) {
                                      words[{me, from}].push_back({{}, bytes});
                                  }},
                limits));
        }
    }
    [[nodiscard]] bool isSecond(WorldRank rank) const { return rank >= m_ranks / 2; }
    [[nodiscard]] const Segment& memoryOf(WorldRank rank) const { return *memory(isSecond(rank)); }
    Endpoint& end(WorldRank rank)
    {
        auto& one = m_ends[rank];
        if (!one)
            one = std::make_unique<Endpoint>(
                std::move(*Segment::open(memoryOf(rank).path())), rank,
                Endpoint::Options{.longestSleep = std::chrono::milliseconds(100)});
        return *one;
    }
    /// The first word of a way arrives. @return whether it was sound
    bool arrive(const Way& way)
    {
        auto& queue = words[way];
        Word word = std::move(queue.front());
        queue.pop_front();
        if (word.records.empty()) {
            bridges[way.second]->taken(way.first, word.taken);
            return true;
        }
        return bridges[way.second]->deliver(way.first, std::move(word.records)).ok();
    }
    [[nodiscard]] std::vector<Way> waysInUse() const
    {
        std::vector<Way> ways;
        for (const auto& [way, queue] : words) {
            if (!queue.empty())
                ways.push_back(way);
        }
        return ways;
    }
    /// The agent of a rank does what there is to do.
    void move(WorldRank rank)
    {
        tasuki::world::testing::moveAnnounced(memoryOf(rank), rank, *bridges[rank]);
    }
    /// Everybody does what there is to do, once.
    bool step()
    {
        bool sound = true;
        for (WorldRank rank = 0; rank < m_ranks; ++rank) {
            if (m_ends.contains(rank))
                m_ends[rank]->progress();
            move(rank);
        }
        for (const Way& way : waysInUse())
            sound = arrive(way) && sound;
        return sound;
    }
    /// What is under way arrives.
    void settle()
    {
        do
            step();
        while (!waysInUse().empty());
    }
    /// Bytes of records that a rank has sent to another one and that wait here.
    [[nodiscard]] std::size_t underWay(const Way& way) const
    {
        std::size_t bytes = 0;
        const auto found = words.find(way);
        if (found != words.end()) {
            for (const Word& word : found->second)
                bytes += word.records.size();
        }
        return bytes;
    }

    std::map<Way, std::deque<Word>> words;
    std::vector<std::unique_ptr<Bridge>> bridges; ///< by rank
    std::size_t longest = 0;                      ///< stretch of records

private:
    [[nodiscard]] const Result<Segment>& memory(bool second) const
    {
        return *m_memories[second ? 1 : 0];
    }

    std::uint32_t m_ranks;
    std::vector<std::unique_ptr<Result<Segment>>> m_memories;
    std::map<WorldRank, std::unique_ptr<Endpoint>> m_ends;
};

/// A message of one rank to another, and whether it has come as it was sent. Messages of a pair have tags 0, 1, ...
struct Letter {
    WorldRank from = 0;
    WorldRank to = 0;
    std::int32_t tag = 0;
    SendMode mode = SendMode::Standard;
    std::string bytes;
    std::string buffer = {};
    Sending sending = {};
    Receiving receiving = {};

    void send(TwoHosts& hosts)
    {
        sending = {.data = bytes.data(), .bytes = bytes.size()};
        hosts.end(from).send(to, {.context = 1, .source = std::int32_t(from), .tag = tag}, mode,
                             sending);
    }
    /// Of this sender, whichever comes first.
    void receive(TwoHosts& hosts)
    {
        buffer.resize(bytes.size());
        receiving = {.buffer = buffer.data(), .capacity = buffer.size()};
        hosts.end(to).receive({1, std::int32_t(from), Pattern::any}, receiving);
    }
    [[nodiscard]] bool isThrough() const { return sending.done && receiving.done; }
    [[nodiscard]] bool isRight() const
    {
        return receiving.envelope.tag == tag && receiving.bytes == bytes.size() && buffer == bytes;
    }
};

/// @return the records as a bridge says them
std::string stretchOf(const std::vector<std::string>& records)
{
    std::string stretch;
    for (const std::string& record : records) {
        for (unsigned byte = 0; byte < 4; ++byte)
            stretch += static_cast<char>((record.size() >> (8 * byte)) & 0xFFU);
        stretch += record;
    }
    return stretch;
}

std::string firstRecord(const Segment& memory, WorldRank from, WorldRank to)
{
    Ring ring = memory.ring(from, to);
    if (ring.isEmpty())
        return "none";
    const RingPieces pieces = ring.front();
    std::string record(pieces.firstBytes + pieces.secondBytes, '\0');
    copyOutOf(pieces, 0, record.data(), record.size());
    ring.pop();
    return record;
}

} // namespace

/// What breaks it: records that overtake each other, are lost when there is no room, or are taken without being sound.
class TestBridge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothWaysInOrder();
    void whoIsNotReadStops();
    void stretchesAreBounded();
    void drained();
    void unsoundRecordsAreRefused_data();
    void unsoundRecordsAreRefused();
    void whoeverCannotSendIsRefused();
    void whatFindsNoRoomIsDropped();
    void allOrders();
};

void TestBridge::bothWaysInOrder()
{
    TwoHosts hosts(2);
    std::deque<Letter> letters;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{8'192}, std::size_t{8'193},
          std::size_t{100'000}, std::size_t{1} << 20U, std::size_t{7}}) {
        for (const WorldRank from : {0U, 1U}) {
            const auto tag = static_cast<std::int32_t>(letters.size() / 2);
            letters.push_back({.from = from,
                               .to = 1 - from,
                               .tag = tag,
                               .mode = tag % 3 == 0 ? SendMode::Synchronous : SendMode::Standard,
                               .bytes = someBytes(std::uint32_t(tag), size)});
        }
    }
    for (Letter& letter : letters) {
        letter.send(hosts);
        letter.receive(hosts);
    }
    const auto isThrough = [](const Letter& letter) { return letter.isThrough(); };
    for (int round = 0; round < 10'000 && !std::ranges::all_of(letters, isThrough); ++round)
        QVERIFY(hosts.step());
    for (const Letter& letter : letters)
        QVERIFY2(letter.isThrough() && letter.isRight(), std::to_string(letter.tag).c_str());
    hosts.settle();
    QVERIFY(hosts.bridges[0]->isDrained() && hosts.bridges[1]->isDrained());
}

// Nobody reads: the sender's bridge stops at its window, then its program at its ring, and all of it comes when it is read.
void TestBridge::whoIsNotReadStops()
{
    constexpr Bridge::Limits limits{.window = 20'000, .stretch = 3'000};
    constexpr std::size_t wholeRecord = 4 + sizeof(MessageHead) + 1'000;
    TwoHosts hosts(2, limits);
    std::deque<Letter> letters;
    for (std::int32_t tag = 0; tag < 500; ++tag) {
        letters.push_back(
            {.from = 0, .to = 1, .tag = tag, .bytes = someBytes(std::uint32_t(tag), 1'000)});
        letters.back().send(hosts);
    }
    for (int round = 0; round < 100; ++round) {
        hosts.end(0).progress();
        hosts.move(0);
    }
    const std::size_t sent = hosts.underWay({0, 1});
    QVERIFY(sent >= limits.window && sent < limits.window + wholeRecord);
    QVERIFY(!hosts.end(0).isFlushed() && !letters.back().sending.done);
    QVERIFY(!hosts.bridges[0]->isDrained());
    // What is delivered fills the ring of the receiver, whose program does not read it.
    for (int round = 0; round < 500; ++round) {
        hosts.end(0).progress();
        hosts.move(0);
        for (const auto& way : hosts.waysInUse())
            QVERIFY(hosts.arrive(way));
    }
    QVERIFY(!hosts.end(0).isFlushed());
    const auto done = std::ranges::count_if(letters,
                                            [](const Letter& one) { return one.sending.done; });
    QVERIFY(std::size_t(done) * wholeRecord
            < 2 * hosts.memoryOf(0).ring(0, 1).longest() + limits.window + 2 * wholeRecord);
    for (Letter& letter : letters)
        letter.receive(hosts);
    for (int round = 0; round < 10'000 && !letters.back().receiving.done; ++round)
        QVERIFY(hosts.step());
    for (const Letter& letter : letters)
        QVERIFY2(letter.isThrough() && letter.isRight(), std::to_string(letter.tag).c_str());
    QVERIFY(hosts.end(0).isFlushed());
    hosts.settle();
    QVERIFY(hosts.bridges[0]->isDrained());
}

void TestBridge::stretchesAreBounded()
{
    constexpr Bridge::Limits limits{.window = 1U << 20U, .stretch = 3'000};
    TwoHosts hosts(2, limits);
    std::deque<Letter> letters;
    for (std::int32_t tag = 0; tag < 40; ++tag) {
        letters.push_back({.from = 0, .to = 1, .tag = tag, .bytes = someBytes(1, 1'000)});
        letters.back().send(hosts);
    }
    hosts.move(0);
    QVERIFY(hosts.longest >= limits.stretch
            && hosts.longest < limits.stretch + 4 + sizeof(MessageHead) + 1'000);
    const std::size_t whole = 40 * (4 + sizeof(MessageHead) + 1'000);
    QCOMPARE(hosts.underWay({0, 1}), whole);
}

void TestBridge::drained()
{
    TwoHosts hosts(2);
    Bridge& bridge = *hosts.bridges[0];
    hosts.move(0);
    QVERIFY(bridge.isDrained());
    Letter letter{.from = 0, .to = 1, .bytes = "hello"};
    letter.send(hosts);
    hosts.move(0);
    QVERIFY(!bridge.isDrained());
    QVERIFY(hosts.arrive({0, 1}));
    QVERIFY(!bridge.isDrained()); // that it is there is not known here
    QVERIFY(hosts.arrive({1, 0}));
    QVERIFY(bridge.isDrained());
    bridge.taken(1, 1'000); // said once too often: nothing is under way
    QVERIFY(bridge.isDrained());
    QVERIFY(hosts.waysInUse().empty());
}

void TestBridge::unsoundRecordsAreRefused_data()
{
    QTest::addColumn<QByteArray>("records");
    const auto row = [](const char* name, const std::string& records) {
        QTest::newRow(name) << QByteArray::fromStdString(records);
    };
    const std::string sound = stretchOf({"sound"});
    row("half a length", "\x01\0"s);
    row("a length alone", "\x01\0\0\0"s);
    row("cut off", stretchOf({"abcdef"}).substr(0, 9));
    row("cut off behind a sound one", sound + stretchOf({"abcdef"}).substr(0, 9));
    row("half a length behind a sound one", sound + "\x01\0\0"s);
    row("longer than a ring", stretchOf({std::string(64 * 1024 - 7, 'x')}));
    row("longer than a ring behind a sound one",
        sound + stretchOf({std::string(64 * 1024 - 7, 'x')}));
    row("as long as can be", sound + "\xFF\xFF\xFF\xFFrest"s);
}

void TestBridge::unsoundRecordsAreRefused()
{
    QFETCH(QByteArray, records);
    TwoHosts hosts(2);
    const Result<void> delivered = hosts.bridges[1]->deliver(0, records.toStdString());
    QVERIFY(!delivered.ok());
    QVERIFY(delivered.error().kind == ErrorKind::Protocol);
    QVERIFY(hosts.memoryOf(1).ring(0, 1).isEmpty());
    QVERIFY(hosts.waysInUse().empty()); // nothing is said to be taken
    const std::string longest(hosts.memoryOf(1).ring(0, 1).longest(), 'y');
    QVERIFY(hosts.bridges[1]->deliver(0, stretchOf({longest})).ok());
    QVERIFY(firstRecord(hosts.memoryOf(1), 0, 1) == longest);
    QCOMPARE(hosts.words[TwoHosts::Way(1, 0)].front().taken, std::uint64_t{longest.size() + 4});
}

void TestBridge::whoeverCannotSendIsRefused()
{
    TwoHosts hosts(4);
    const std::string sound = stretchOf({"sound"});
    for (const WorldRank from : {2U, 3U, 4U, 0xFFFF'FFFFU}) { // of this host, and nobody
        const Result<void> delivered = hosts.bridges[3]->deliver(from, sound);
        QVERIFY(!delivered.ok() && delivered.error().kind == ErrorKind::Protocol);
    }
    QVERIFY(hosts.memoryOf(3).ring(2, 3).isEmpty() && hosts.memoryOf(3).ring(3, 3).isEmpty());
    QVERIFY(hosts.bridges[3]->deliver(1, sound).ok());
    QCOMPARE(firstRecord(hosts.memoryOf(3), 1, 3), std::string("sound"));
    QVERIFY(hosts.bridges[3]->deliver(1, {}).ok()); // nothing at all is sound
    QCOMPARE(firstRecord(hosts.memoryOf(3), 1, 3), std::string("none"));
}

// Its program has ended: what the ring has no room for counts, also a stretch that is half in it.
void TestBridge::whatFindsNoRoomIsDropped()
{
    TwoHosts hosts(2);
    const std::string stretch = stretchOf({std::string(20'000, 'x'), std::string(20'000, 'y')});
    for (int time = 0; time < 5; ++time)
        QVERIFY(hosts.bridges[1]->deliver(0, stretch).ok());
    auto& said = hosts.words[TwoHosts::Way(1, 0)];
    QCOMPARE(said.size(), std::size_t{1});
    hosts.bridges[1]->dropIncoming();
    QCOMPARE(said.size(), std::size_t{5});
    for (const TwoHosts::Word& word : said)
        QCOMPARE(word.taken, std::uint64_t{stretch.size()});
    hosts.bridges[1]->dropIncoming();
    hosts.move(1);
    QCOMPARE(said.size(), std::size_t{5}); // each once
}

// Whoever is quick or slow, the messages of each pair come whole and in order.
void TestBridge::allOrders()
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&random](std::size_t limit) { return random() % limit; };
        TwoHosts hosts(4, {.window = 1 + below(100'000), .stretch = 1 + below(30'000)});
        std::map<TwoHosts::Way, std::deque<Letter>> letters;
        for (WorldRank from = 0; from < 4; ++from) {
            for (WorldRank to = 0; to < 4; ++to) {
                auto& ofPair = letters[{from, to}];
                for (std::int32_t tag = 0; tag < 12; ++tag) {
                    const std::size_t size = below(8) == 0 ? below(300'000) : below(12'000);
                    ofPair.push_back(
                        {.from = from,
                         .to = to,
                         .tag = tag,
                         .mode = below(4) == 0 ? SendMode::Synchronous : SendMode::Standard,
                         .bytes = someBytes(seed + std::uint32_t(tag), size)});
                }
            }
        }
        std::map<TwoHosts::Way, std::size_t> sent;
        std::map<TwoHosts::Way, std::size_t> awaited;
        const auto beginOne = [&](auto& counts, auto begin) {
            const TwoHosts::Way way(WorldRank(below(4)), WorldRank(below(4)));
            if (counts[way] < letters[way].size())
                begin(letters[way][counts[way]++]);
        };
        for (int step = 0; step < 4'000; ++step) {
            const std::vector<TwoHosts::Way> ways = hosts.waysInUse();
            switch (below(6)) {
            case 0: beginOne(sent, [&](Letter& one) { one.send(hosts); }); break;
            case 1: beginOne(awaited, [&](Letter& one) { one.receive(hosts); }); break;
            case 2: hosts.end(WorldRank(below(4))).progress(); break;
            case 3: hosts.move(below(4)); break;
            default:
                if (!ways.empty())
                    QVERIFY(hosts.arrive(ways[below(ways.size())]));
            }
        }
        bool all = false;
        for (int round = 0; round < 20'000 && !all; ++round) {
            all = true;
            for (auto& [way, ofPair] : letters) {
                while (sent[way] < ofPair.size())
                    ofPair[sent[way]++].send(hosts);
                while (awaited[way] < ofPair.size())
                    ofPair[awaited[way]++].receive(hosts);
                for (const Letter& one : ofPair)
                    all = all && one.isThrough();
            }
            QVERIFY(hosts.step());
        }
        for (const auto& [way, ofPair] : letters) {
            for (const Letter& one : ofPair)
                QVERIFY2(one.isThrough() && one.isRight(),
                         ("seed " + std::to_string(seed) + ", " + std::to_string(way.first) + " to "
                          + std::to_string(way.second) + ", message " + std::to_string(one.tag))
                             .c_str());
        }
        hosts.settle();
        for (const auto& bridge : hosts.bridges)
            QVERIFY(bridge->isDrained());
    }
}

QTEST_APPLESS_MAIN(TestBridge)

} // namespace tst_bridge

#include "tst_bridge.moc"

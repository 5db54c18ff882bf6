// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "world/endpoint.h"
#include "worldhostbench.h"

#include <array>
#include <atomic>
#include <set>
#include <thread>

namespace tst_worldhost {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::worldhost;
using tasuki::world::Endpoint;
using tasuki::world::Pattern;
using tasuki::world::ProgramPhase;
using tasuki::world::Receiving;
using tasuki::world::Segment;
using tasuki::world::Sending;
using tasuki::world::WorldRank;
using tasuki::worldhost::testing::WorldHostBench;

namespace {

std::unique_ptr<Endpoint> programOf(WorldHostBench& bench, std::uint32_t processor, WorldRank rank)
{
    auto memory = Segment::open(bench.pathOf(processor));
    if (!memory)
        qFatal("%s", memory.error().text().c_str());
    return std::make_unique<Endpoint>(std::move(*memory), rank, Endpoint::Options{});
}

/// A message that a program on this thread sends, or waits for.
struct Post {
    explicit Post(std::string content) : bytes(std::move(content)) {}
    explicit Post(std::size_t room) : bytes(room, '\0') {}
    void send(Endpoint& end, WorldRank to, std::int32_t tag = 0)
    {
        sending = {.data = bytes.data(), .bytes = bytes.size()};
        end.send(to, {1, std::int32_t(end.me()), tag}, world::SendMode::Standard, sending);
    }
    void receive(Endpoint& end)
    {
        receiving = {.buffer = bytes.data(), .capacity = bytes.size()};
        end.receive({1, Pattern::any, Pattern::any}, receiving);
    }

    std::string bytes;
    Sending sending = {};
    Receiving receiving = {};
};

constexpr WorldKey firstStart{0, 0};

/// Ranks 0 and 1 on two hosts, with their memory.
struct TwoRanks : WorldHostBench {
    TwoRanks() : WorldHostBench({"a", "b"})
    {
        joinAll(startOf({0, 1}));
        settle();
    }
};

} // namespace

/// What breaks it: a rank that waits for memory for ever, words of an earlier start that count, a rank that has ended and stops
/// others.
class TestWorldHost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneMemoryAHost();
    void aHostAlone();
    void askedBeforeTheOtherBegins();
    void askedBeforeItIsMade();
    void askedNowAndThen();
    void memoryThatIsNone_data();
    void memoryThatIsNone();
    void moreRanksThanFit();
    void leftBeforeTheMemoryIsThere();
    void laterStartForgetsEarlier();
    void earlyRecordsAreKept_data();
    void earlyRecordsAreKept();
    void recordsOfEarlierStartsAreNotKept();
    void whatHasEndedTakesAndDrops();
    void whatWaitsForWhoEndsIsDropped();
    void earlyRecordsOfWhoEndsAreDropped();
    void sentBeforeTheEnd();
    void phases();
    void wordsOfNobody();
    void programsOfTwoHosts();
    void whoStaysOutside_data();
    void whoStaysOutside();
    void programsAreShown();
};

void TestWorldHost::oneMemoryAHost()
{
    WorldHostBench bench({"a", "a", "a", "b", "b"});
    bench.joinAll(WorldHostBench::startOf({1, 0, 3, 4, 2}));
    QVERIFY(bench.joined.empty()); // not from inside join()
    bench.settle();
    const std::string atA = bench.pathOf(1);
    const std::string atB = bench.pathOf(3);
    QVERIFY(!atA.empty() && !atB.empty() && atA != atB);
    QVERIFY(bench.haveOneMemory(0, 1));
    QVERIFY(bench.haveOneMemory(2, 1));
    QVERIFY(WorldHostBench::isOneMemory(bench.pathOf(4), atB));
    const auto remote = [](const std::string& path) {
        const auto memory = Segment::open(path);
        std::set<WorldRank> ranks;
        for (WorldRank rank = 0; memory.ok() && rank < memory->layout().ranks; ++rank) {
            if (memory->isRemote(rank))
                ranks.insert(rank);
        }
        return ranks;
    };
    QVERIFY(remote(atA) == (std::set<WorldRank>{2, 3}));
    QVERIFY(remote(atB) == (std::set<WorldRank>{0, 1, 4}));
    for (const std::string& path : {atA, atB})
        QCOMPARE(Segment::open(path)->layout().ranks, 5U);
}

void TestWorldHost::aHostAlone()
{
    WorldHostBench bench({"a", "a"});
    bench.joinAll(WorldHostBench::startOf({0, 1}));
    bench.settle();
    const auto first = programOf(bench, 0, 0);
    const auto second = programOf(bench, 1, 1);
    Post sent(std::string("hello"));
    Post got(5);
    sent.send(*first, 1);
    got.receive(*second);
    while (!got.receiving.done)
        second->progress();
    QCOMPARE(got.bytes, sent.bytes);
    bench.settle();
    const std::size_t before = bench.log.size();
    QVERIFY(bench.told<Records>(1).empty()); // the agents have nothing to do with it
    bench[1].receive(ProcessorId(0),
                     {firstStart, Records{.from = 0, .to = 1, .bytes = "nonsense"}});
    bench.settle();
    QCOMPARE(bench.log.size(), before);
}

void TestWorldHost::askedBeforeTheOtherBegins()
{
    WorldHostBench bench({"a", "a"});
    const WorldStart start = WorldHostBench::startOf({0, 1});
    bench.join(1, start);
    bench.settle();
    QVERIFY(bench.joined.empty());
    bench.join(0, start);
    bench.settle();
    QVERIFY(!bench.pathOf(0).empty());
    QVERIFY(bench.haveOneMemory(1, 0));
}

void TestWorldHost::askedBeforeItIsMade()
{
    WorldHostBench bench({"a", "a", "a"});
    bench.joinAll(WorldHostBench::startOf({0, 1, 2}));
    bench.poll();
    QVERIFY(bench.deliver()); // is asked, and has not made it
    QVERIFY(bench.joined.empty() && bench.said.empty());
    bench.runPosted();
    QCOMPARE(bench.told<Memory>(1).size(), std::size_t{1}); // without being asked again
    QCOMPARE(bench.told<Memory>(2).size(), std::size_t{1});
    bench.deliver();
    QVERIFY(!bench.pathOf(0).empty());
    QVERIFY(bench.haveOneMemory(1, 0));
    QVERIFY(bench.haveOneMemory(2, 0));
    bench.settle();
    QCOMPARE(bench.joined[1].size(), std::size_t{1});
}

void TestWorldHost::askedNowAndThen()
{
    WorldHostBench bench({"a", "a"});
    bench.join(1, WorldHostBench::startOf({0, 1}));
    QVERIFY(bench.poll());
    for (int time = 0; time < 10; ++time)
        QVERIFY(!bench.poll()); // not at once
    bench.clock.advance(1s);
    QVERIFY(bench.poll());
    const auto asked = bench.told<MemoryWanted>(0);
    QCOMPARE(asked.size(), std::size_t{2});
    QCOMPARE(asked.front().first, ProcessorId(1));
}

void TestWorldHost::memoryThatIsNone_data()
{
    QTest::addColumn<QByteArray>("path"); ///< empty: of a world of three
    QTest::newRow("not there") << QByteArray("/nowhere/at/all");
    QTest::newRow("something else") << QByteArray("/dev/null");
    QTest::newRow("of another world") << QByteArray();
}

void TestWorldHost::memoryThatIsNone()
{
    QFETCH(QByteArray, path);
    const auto other = Segment::create({.ranks = 3});
    WorldHostBench bench({"a", "a"});
    bench.join(1, WorldHostBench::startOf({0, 1}));
    const std::string told = path.isEmpty() ? other->path() : path.toStdString();
    bench[1].receive(ProcessorId(0), {firstStart, Memory{told}});
    QCOMPARE(bench.joined[1].size(), std::size_t{1});
    QVERIFY(!bench.joined[1].front().ok());
    QVERIFY(bench.joined[1].front().error().text().find(told) != std::string::npos);
    QVERIFY(bench[1].phaseOf(firstStart) == ProgramPhase::Outside);
    bench.settle();
    QCOMPARE(bench.joined[1].size(), std::size_t{1}); // told once
    QVERIFY(bench.log.empty());                       // and nobody is asked any more
}

void TestWorldHost::moreRanksThanFit()
{
    WorldHostBench bench({"a"});
    bench.join(0, WorldHostBench::startOf(std::vector<std::uint32_t>(Segment::mostRanks + 1, 0)));
    bench.settle();
    QCOMPARE(bench.joined[0].size(), std::size_t{1});
    QVERIFY(!bench.joined[0].front().ok());
    QCOMPARE(bench.joined[0].front().error().message,
             std::string("a world has at most 4096 ranks"));
}

void TestWorldHost::leftBeforeTheMemoryIsThere()
{
    WorldHostBench bench({"a", "a"});
    bench.joinAll(WorldHostBench::startOf({0, 1}));
    bench[0].left(firstStart);
    bench[1].left(firstStart);
    bench[1].left({5, 5}); // never heard of
    bench.settle();
    QVERIFY(bench.joined.empty() && bench.log.empty());
}

void TestWorldHost::laterStartForgetsEarlier()
{
    WorldHostBench bench({"a", "a"});
    bench.joinAll(WorldHostBench::startOf({0, 1}));
    bench.settle();
    const std::string before = bench.pathOf(0);
    QVERIFY(Segment::open(before).ok());
    const auto program = programOf(bench, 0, 0);
    QVERIFY(bench[0].phaseOf(firstStart) == ProgramPhase::Inside);
    bench.joined.clear();
    bench.join(1, WorldHostBench::startOf({0, 1}, 3));
    bench.join(1, WorldHostBench::startOf({0, 1}, 7));
    bench.join(1, WorldHostBench::startOf({0, 1}, 7, 1)); // of another world
    bench.join(0, WorldHostBench::startOf({0, 1}, 7));
    QVERIFY(bench[0].phaseOf(firstStart) == ProgramPhase::Outside);
    QVERIFY(!Segment::open(before).ok());           // its memory is gone with it
    for (const std::uint32_t generation : {0U, 3U}) // words that were under way
        bench[1].receive(ProcessorId(0), {{0, generation}, Memory{before}});
    QVERIFY(bench.joined.empty());
    bench.settle();
    QCOMPARE(bench.joined[1].size(), std::size_t{1}); // the one that its host begins, too
    QVERIFY(bench.haveOneMemory(1, 0));
}

void TestWorldHost::earlyRecordsAreKept_data()
{
    QTest::addColumn<bool>("joins");
    QTest::newRow("before it is to begin") << false;
    QTest::newRow("before its memory is there") << true;
}

void TestWorldHost::earlyRecordsAreKept()
{
    QFETCH(bool, joins);
    WorldHostBench bench({"a", "b", "b"});
    const WorldStart start = WorldHostBench::startOf({0, 1, 2});
    bench.join(0, start);
    if (joins)
        bench.join(2, start);
    QVERIFY(bench.until([&] { return !bench.pathOf(0).empty(); }));
    const auto first = programOf(bench, 0, 0);
    Post sent(std::string("early"));
    Post later(std::string("later"));
    sent.send(*first, 2);
    QVERIFY(bench.until([&] { return !bench.told<Records>(2).empty(); }));
    bench.settle();
    QVERIFY(bench.told<RecordsTaken>(0).empty());
    bench.join(1, start);
    if (!joins)
        bench.join(2, start);
    later.send(*first, 2);
    QVERIFY(bench.until([&] { return !bench.pathOf(2).empty(); }));
    const auto third = programOf(bench, 2, 2);
    for (const Post* expected : {&sent, &later}) {
        Post got(5);
        got.receive(*third);
        QVERIFY(bench.until([&] { return third->progress(), got.receiving.done; }));
        QCOMPARE(got.bytes, expected->bytes);
    }
}

// Nobody will ever begin with them.
void TestWorldHost::recordsOfEarlierStartsAreNotKept()
{
    WorldHostBench bench({"a", "b"});
    bench.joinAll(WorldHostBench::startOf({0, 1}, 4));
    bench.settle();
    const Records records{.from = 0, .to = 1, .bytes = std::string("\x01\0\0\0x", 5)};
    bench[1].receive(ProcessorId(0), {{0, 3}, records});
    bench.join(1, WorldHostBench::startOf({0, 1}, 3)); // comes late, too
    bench.settle();
    QVERIFY(bench.told<RecordsTaken>(0).empty());
}

void TestWorldHost::whatHasEndedTakesAndDrops()
{
    TwoRanks bench;
    bench[1].left(firstStart);
    const auto first = programOf(bench, 0, 0);
    std::vector<Post> posts(3'000, Post(std::string(1'000, 'x'))); // more than any window
    for (Post& post : posts)
        post.send(*first, 1);
    QVERIFY(!posts.back().sending.done);
    QVERIFY(bench.until([&] { return first->progress(), posts.back().sending.done; }));
    bench[1].receive(ProcessorId(0),
                     {firstStart, Records{.from = 0, .to = 1, .bytes = std::string(77, 'y')}});
    const auto taken = bench.told<RecordsTaken>(0);
    QCOMPARE(taken.back().second, (RecordsTaken{.from = 0, .to = 1, .bytes = 77}));
}

// Its ring was full when it ended.
void TestWorldHost::whatWaitsForWhoEndsIsDropped()
{
    TwoRanks bench;
    const auto first = programOf(bench, 0, 0);
    std::vector<Post> posts(3'000, Post(std::string(1'000, 'x')));
    for (Post& post : posts)
        post.send(*first, 1);
    const auto underWay = [&] {
        std::uint64_t bytes = 0;
        for (const auto& [from, records] : bench.told<Records>(1))
            bytes += records.bytes.size();
        for (const auto& [from, taken] : bench.told<RecordsTaken>(0))
            bytes -= taken.bytes;
        return bytes;
    };
    const world::Bridge::Limits limits;
    QVERIFY(bench.until([&] { return first->progress(), underWay() >= limits.window; }));
    bench.settle();
    QVERIFY(!posts.back().sending.done);
    bench[1].left(firstStart);
    QVERIFY(bench.until([&] { return first->progress(), posts.back().sending.done; }));
}

// It was stopped before its memory was there.
void TestWorldHost::earlyRecordsOfWhoEndsAreDropped()
{
    WorldHostBench bench({"a", "b", "b"});
    bench.join(2, WorldHostBench::startOf({0, 1, 2}));
    for (const std::uint32_t to : {2U, 1U}) // and some that are not for it
        bench[2].receive(ProcessorId(0),
                         {firstStart, Records{.from = 0, .to = to, .bytes = "12345"}});
    QVERIFY(bench.told<RecordsTaken>(0).empty());
    bench[2].left(firstStart);
    const auto taken = bench.told<RecordsTaken>(0);
    QCOMPARE(taken.size(), std::size_t{1});
    QCOMPARE(taken.front().second, (RecordsTaken{.from = 0, .to = 2, .bytes = 5}));
}

void TestWorldHost::sentBeforeTheEnd()
{
    TwoRanks bench;
    const auto second = programOf(bench, 1, 1);
    Post sent(std::string("the last words"));
    {
        const auto first = programOf(bench, 0, 0);
        sent.send(*first, 1);
        first->end();
    }
    bench[0].left(firstStart);
    Post got(sent.bytes.size());
    got.receive(*second);
    QVERIFY(bench.until([&] { return second->progress(), got.receiving.done; }));
    QCOMPARE(got.bytes, sent.bytes);
}

void TestWorldHost::phases()
{
    TwoRanks bench;
    QVERIFY(bench[0].phaseOf(firstStart) == ProgramPhase::Outside);
    const auto first = programOf(bench, 0, 0);
    QVERIFY(bench[0].phaseOf(firstStart) == ProgramPhase::Inside);
    QVERIFY(bench[1].phaseOf(firstStart) == ProgramPhase::Outside);
    first->end();
    QVERIFY(bench[0].phaseOf(firstStart) == ProgramPhase::Over);
    QVERIFY(bench[0].phaseOf({0, 1}) == ProgramPhase::Outside);
    QVERIFY(bench[0].phaseOf({1, 0}) == ProgramPhase::Outside);
}

void TestWorldHost::wordsOfNobody()
{
    TwoRanks bench;
    const std::string sound("\x01\0\0\0x", 5);
    const std::size_t before = bench.log.size();
    const auto say = [&](std::uint32_t from, auto word, WorldKey key = firstStart) {
        bench[1].receive(ProcessorId(from), {key, std::move(word)});
    };
    say(2, Records{.from = 0, .to = 1, .bytes = sound}); // there is no such processor
    say(4'000'000'000U, MemoryWanted{});
    say(0, Records{.from = 0, .to = 0, .bytes = sound});           // for somebody else
    say(0, Records{.from = 2, .to = 1, .bytes = sound});           // there is no such rank
    say(0, Records{.from = 1, .to = 1, .bytes = sound});           // of itself
    say(0, Records{.from = 0, .to = 1, .bytes = sound.substr(1)}); // cut off
    say(0, RecordsTaken{.from = 1, .to = 7, .bytes = 5});
    say(0, RecordsTaken{.from = 1, .to = 0, .bytes = 5});
    say(0, RecordsTaken{.from = 1, .to = 0, .bytes = 5}, {9, 9});
    say(0, MemoryWanted{}, {9, 9});
    say(0, Memory{"/dev/null"}); // it has one
    say(0, Memory{"/dev/null"}, {9, 9});
    say(0, Input{.from = 0, .bytes = "x", .end = false});
    say(0, Input{.from = 0, .bytes = "x", .end = false}, {9, 9});
    bench.settle();
    QCOMPARE(bench.log.size(), before);
    QCOMPARE(bench.joined[1].size(), std::size_t{1});
    const auto memory = Segment::open(bench.pathOf(1));
    QVERIFY(memory->ring(0, 1).isEmpty() && memory->ring(1, 1).isEmpty());
    say(0, Records{.from = 0, .to = 1, .bytes = sound});
    QVERIFY(!memory->ring(0, 1).isEmpty());
    QCOMPARE(bench.told<RecordsTaken>(0).size(), std::size_t{1});
}

// Four programs on two hosts, each a thread: everybody sends to everybody, and to itself.
void TestWorldHost::programsOfTwoHosts()
{
    constexpr WorldRank ranks = 4;
    const std::array<std::size_t, 5> sizes{0, 1, 9'000, 100, std::size_t{1} << 20U};
    WorldHostBench bench({"a", "b", "a", "b"});
    bench.joinAll(WorldHostBench::startOf({0, 1, 2, 3}));
    bench.settle();
    std::atomic<std::uint32_t> over{0};
    std::atomic<std::uint32_t> right{0};
    const auto program = [&](WorldRank me) {
        const auto end = programOf(bench, me, me);
        std::vector<Post> sent;
        std::vector<Post> got;
        sent.reserve(ranks * sizes.size());
        for (WorldRank to = 0; to < ranks; ++to) {
            for (const std::size_t size : sizes)
                sent.emplace_back(std::string(size, char('a' + me * ranks + to)));
        }
        for (std::size_t i = 0; i < sent.size(); ++i)
            sent[i].send(*end, WorldRank(i / sizes.size()), std::int32_t(i % sizes.size()));
        got.reserve(sent.size());
        bool same = true;
        for (WorldRank from = 0; from < ranks; ++from) {
            for (const std::size_t size : sizes) {
                Post& one = got.emplace_back(size);
                one.receiving = {.buffer = one.bytes.data(), .capacity = size};
                end->receive({1, std::int32_t(from), Pattern::any}, one.receiving);
                end->wait(
                    "MPI_Recv", [&] { return one.receiving.done; }, [] {}, [] {});
                same = same && one.bytes == std::string(size, char('a' + from * ranks + me))
                    && one.receiving.bytes == size;
            }
        }
        for (const Post& one : sent)
            end->wait(
                "MPI_Wait", [&] { return one.sending.done; }, [] {}, [] {});
        right += same ? 1 : 0;
        ++over;
        // Others may still wait for what this one has to say.
        end->wait(
            "MPI_Finalize", [&] { return over == ranks; }, [] {}, [] {});
    };
    std::vector<std::thread> programs;
    for (WorldRank rank = 0; rank < ranks; ++rank)
        programs.emplace_back(program, rank);
    const bool all = bench.until([&] { return over == ranks; });
    if (!all)
        qFatal("programs wait for each other");
    for (std::thread& one : programs)
        one.join();
    QCOMPARE(right.load(), ranks);
}

void TestWorldHost::whoStaysOutside_data()
{
    QTest::addColumn<bool>("first");
    QTest::newRow("before others are inside") << true;
    QTest::newRow("after that") << false;
}

// Fails if ranks wait for one that will not come, or more than one is told.
void TestWorldHost::whoStaysOutside()
{
    QFETCH(bool, first);
    WorldHostBench bench({"a", "a", "b"});
    bench.joinAll(WorldHostBench::startOf({0, 1, 2}));
    bench.settle();
    if (first)
        bench[1].leftOutside(firstStart);
    const auto second = programOf(bench, 2, 2);
    bench.settle();
    if (!first)
        bench[1].leftOutside(firstStart);
    bench.settle();
    QCOMPARE(bench.hopeless.size(), std::size_t(1));
    QCOMPARE(bench.hopeless[2],
             (std::vector<std::string>{
                 "rank 1 has ended without MPI_Init, and the others wait for it"}));
}

// Fails if who leads is told something else than what a program does.
void TestWorldHost::programsAreShown()
{
    WorldHostBench bench({"a", "b"});
    WorldStart start = WorldHostBench::startOf({0, 1});
    start.first = Rank(4); // of all ranks of the system
    bench.joinAll(start);
    bench.settle();
    const auto end = programOf(bench, 1, 1);
    Post post(std::string(100, 'x'));
    bench.clock.advance(std::chrono::seconds(2));
    bench.settle();
    QVERIFY(bench.shown[Rank(5)].program.state == ProgramState::Running);
    for (int i = 0; i < 30; ++i)
        post.send(*end, 0);
    bench.clock.advance(std::chrono::seconds(2));
    bench.settle();
    const RankProgram& shown = bench.shown[Rank(5)].program;
    QCOMPARE(shown.messages, std::uint64_t(30));
    QCOMPARE(shown.bytes, std::uint64_t(3000));
    QVERIFY(shown.messagesPerSecond > 5 && shown.messagesPerSecond < 30);
    end->end();
    bench.clock.advance(std::chrono::seconds(2));
    bench.settle();
    QVERIFY(bench.shown[Rank(5)].program.state == ProgramState::Over);
    QVERIFY(bench.shown[Rank(4)].program.state == ProgramState::Outside);
}

QTEST_APPLESS_MAIN(TestWorldHost)

} // namespace tst_worldhost

#include "tst_worldhost.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTest>

#include "support/manualexecutor.h"
#include "world/endpoint.h"
#include "worldhost/worldexecutor.h"
#include "worldhostbench.h"

#include <array>
#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace tst_worldlives {

using namespace tasuki;
using namespace tasuki::worldhost;
using tasuki::worldhost::testing::WorldHostBench;

namespace {

WorldStart keptStart(const std::vector<std::uint32_t>& holders, bool goesOn = false)
{
    WorldStart start = WorldHostBench::startOf(holders);
    start.logMb = 1;
    start.goesOn = goesOn;
    return start;
}

/// A process that is a rank, as the kernel sees it, and sleeps.
class Sleeper {
public:
    Sleeper(const std::string& path, world::WorldRank rank)
    {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0)
            qFatal("no pipe");
        m_process = ::fork();
        if (m_process == 0) {
            auto segment = world::Segment::open(path);
            const bool lives = segment.ok() && segment->live(rank).ok();
            const char told = lives ? 'y' : 'n';
            if (::write(ends[1], &told, 1) != 1)
                ::_exit(1);
            for (;;)
                ::pause();
        }
        char told = 0;
        if (::read(ends[0], &told, 1) != 1 || told != 'y')
            qFatal("no rank");
        ::close(ends[0]);
        ::close(ends[1]);
    }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;
    ~Sleeper()
    {
        ::kill(m_process, SIGKILL);
        ::waitpid(m_process, nullptr, 0);
    }
    /// @return the signal that has ended it; 0: it lives
    int endedBy()
    {
        int status = 0;
        return ::waitpid(m_process, &status, WNOHANG) == m_process && WIFSIGNALED(status)
            ? WTERMSIG(status)
            : 0;
    }

private:
    pid_t m_process = -1;
};

} // namespace

/// What breaks it: two programs that are one rank, a rank that goes on without what its life before has left, or in another world.
class TestWorldLives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesOnAtTheStandby();
    void replayIsTold();
    void killedWhereNothingIsKept();
    void formerProgramIsEnded();
    void notAllIsKept();
    void goesOnAtAnotherHost_data();
    void goesOnAtAnotherHost();
    void notaryIsLost();
    void ends_data();
    void ends();
};

// Fails if a standby does not find the memory when who made it is lost.
void TestWorldLives::goesOnAtTheStandby()
{
    WorldHostBench bench({"a", "a", "a"});
    bench.joinAll(keptStart({0, 1}));
    bench.settle();
    QVERIFY(!bench.pathOf(0).empty());
    {
        world::Endpoint first(std::move(*world::Segment::open(bench.pathOf(0))), 0, {});
        world::Sending sending{.data = "hello", .bytes = 5};
        first.send(1, {7, 0, 3}, world::SendMode::Standard, sending);
    }
    bench.lose(0);
    bench.join(2, keptStart({2, 1}, true));
    QVERIFY(bench.until([&] { return !bench.pathOf(2).empty(); }));
    auto segment = world::Segment::open(bench.pathOf(2));
    QVERIFY(segment.ok());
    QVERIFY(segment->stream(0, 1).written.load() > 5);
    QVERIFY(bench.hosts[2]->phaseOf({0, 0}) == world::ProgramPhase::Outside);
}

// Fails if who leads is not told when a rank has done again what was lost, also where it ends soon after, or hears it of a first life.
void TestWorldLives::replayIsTold()
{
    WorldHostBench bench({"a", "a", "a"});
    bench.joinAll(keptStart({0, 1}));
    bench.settle();
    const auto nextLook = [&bench] {
        bench.clock.advance(std::chrono::seconds(2));
        bench.settle();
    };
    auto segment = world::Segment::open(bench.pathOf(0));
    segment->status(1).beyondAt.store(1);
    nextLook();
    QVERIFY(!bench.shown.at(Rank(1)).replayTook);
    bench.lose(1);
    const auto begun = bench.clock.now();
    bench.join(2, keptStart({0, 2}, true));
    QVERIFY(bench.until([&] { return !bench.pathOf(2).empty(); }));
    world::ProgramStatus& status = segment->status(1);
    QCOMPARE(status.beyondAt.load(), std::uint64_t{0});
    status.replayed.store(30);
    status.toReplay.store(100);
    nextLook();
    QVERIFY(bench.shown.at(Rank(1)).program.replayed == 30U && !bench.shown.at(Rank(1)).replayTook);
    status.replayed.store(100);
    status.beyondAt.store(world::steadyMilliseconds());
    const auto age = bench.clock.now() - begun;
    bench.hosts[2]->left({0, 0});
    bench.settle();
    const auto took = bench.shown.at(Rank(1)).replayTook;
    QVERIFY(took && *took <= age && *took > age - std::chrono::milliseconds(500));
}

// Fails if a world that is to survive losses fails where a program is killed and nothing is kept, or if one that has failed by
// itself, or has no standbys, begins again.
void TestWorldLives::killedWhereNothingIsKept()
{
    AttemptResult killed;
    killed.outcome = Outcome::Signalled;
    killed.code = SIGKILL;
    AttemptResult failedItself;
    failedItself.outcome = Outcome::Failed;
    failedItself.code = 1;
    for (const auto& [logMb, hasStandbys, survives] :
         {std::tuple{0U, false, false}, {0U, true, true}, {1U, false, true}}) {
        WorldHostBench bench({"a", "a", "a"});
        WorldStart start = WorldHostBench::startOf({0, 1});
        start.logMb = logMb;
        if (hasStandbys)
            start.standbys = {ProcessorId(2)};
        bench.joinAll(start);
        bench.settle();
        if (logMb != 0) {
            QVERIFY(bench[0].restOf({0, 0}, killed) == Rest::Kept);
            QVERIFY(world::Segment::open(bench.pathOf(0))->endKeeping());
        }
        QVERIFY(bench[0].restOf({0, 0}, killed) == (survives ? Rest::Unkept : Rest::Nothing));
        QVERIFY(bench[0].restOf({0, 0}, failedItself) == Rest::Nothing);
    }
}

// Fails if a program that was the rank goes on beside the next one.
void TestWorldLives::formerProgramIsEnded()
{
    WorldHostBench bench({"a", "a", "a"});
    bench.joinAll(keptStart({0, 1}));
    bench.settle();
    Sleeper former(bench.pathOf(0), 0);
    Sleeper other(bench.pathOf(0), 1);
    bench.join(2, keptStart({2, 1}, true));
    QVERIFY(bench.until([&] { return !bench.pathOf(2).empty(); }));
    QCOMPARE(former.endedBy(), SIGKILL);
    QCOMPARE(other.endedBy(), 0);
}

// Fails if a rank goes on without all that its life before has left.
void TestWorldLives::notAllIsKept()
{
    WorldHostBench bench({"a", "a", "a"});
    bench.joinAll(keptStart({0, 1}));
    bench.settle();
    QVERIFY(world::Segment::open(bench.pathOf(0))->endKeeping());
    bench.join(2, keptStart({2, 1}, true));
    bench.settle();
    QCOMPARE(bench.joined[2].size(), std::size_t{1});
    QVERIFY(!bench.joined[2].front().ok());
    const std::string told = bench.joined[2].front().error().text();
    QVERIFY2(told.find("not all messages of its world are kept") != std::string::npos,
             told.c_str());
}

/// A rank's end while the processors go on with what they have to do.
class MovedEnd {
public:
    MovedEnd(WorldHostBench& bench, std::uint32_t processor, world::WorldRank rank)
        : m_bench(bench), m_end(std::move(*world::Segment::open(bench.pathOf(processor))), rank, {})
    {
        m_end.beginCall();
    }
    world::Endpoint& operator*() { return m_end; }
    /// In a thread of its own: it may wait for its processor.
    bool send(world::WorldRank to, const std::string& bytes)
    {
        std::atomic<bool> done = false;
        std::thread program([&] {
            world::Sending sending{.data = bytes.data(), .bytes = bytes.size()};
            m_end.send(to, {7, static_cast<std::int32_t>(m_end.me()), 3}, world::SendMode::Standard,
                       sending);
            done = true;
        });
        const bool came = m_bench.until([&] { return done.load(); });
        program.join();
        return came;
    }
    std::string receive()
    {
        std::string buffer(1'000, '\0');
        world::Receiving receiving{.buffer = buffer.data(), .capacity = buffer.size()};
        m_end.receive({.context = 7}, receiving);
        if (!m_bench.until([&] {
                m_end.progress(world::Endpoint::Look::Waits);
                return receiving.done;
            }))
            return "nothing";
        buffer.resize(receiving.bytes);
        return buffer;
    }

private:
    WorldHostBench& m_bench;
    world::Endpoint m_end;
};

void TestWorldLives::goesOnAtAnotherHost_data()
{
    QTest::addColumn<bool>("sendsSomethingElse");
    QTest::newRow("the same") << false;
    QTest::newRow("something else") << true;
}

// Fails if a rank whose host is lost is not given the same at another one, or nobody sees that it does something else.
void TestWorldLives::goesOnAtAnotherHost()
{
    QFETCH(bool, sendsSomethingElse);
    WorldHostBench bench({"a", "b", "c"});
    WorldStart start = keptStart({0, 1});
    start.standbys = {ProcessorId(2)};
    bench.joinAll(start);
    QVERIFY(bench.until([&] { return !bench.pathOf(0).empty() && !bench.pathOf(1).empty(); }));
    MovedEnd other(bench, 1, 1);
    {
        MovedEnd rank(bench, 0, 0);
        QVERIFY(other.send(0, "input"));
        QCOMPARE(rank.receive(), std::string("input"));
        QCOMPARE((*rank).decide(world::ValueKind::Clock, [] { return 4711; }), 4711);
        QVERIFY(rank.send(1, "one"));
        QCOMPARE(other.receive(), std::string("one"));
    }
    QVERIFY(!bench.told<Notes>(2).empty());
    bench.lose(0);
    start.holders = {ProcessorId(2), ProcessorId(1)};
    start.standbys.clear();
    start.goesOn = true;
    bench.join(2, start);
    QVERIFY(bench.until([&] { return !bench.pathOf(2).empty(); }));
    MovedEnd next(bench, 2, 0);
    QCOMPARE(next.receive(), std::string("input"));
    QCOMPARE((*next).decide(world::ValueKind::Clock, [] { return 1; }), 4711);
    QVERIFY(next.send(1, sendsSomethingElse ? "two" : "one"));
    if (sendsSomethingElse) {
        QVERIFY(bench.until([&] { return !bench.hopeless[2].empty(); }));
        AttemptResult result;
        result.outcome = Outcome::Cancelled;
        QVERIFY(bench[2].restOf({0, 0}, result) == Rest::Broken);
        return;
    }
    QVERIFY(next.send(1, "two"));
    QCOMPARE(other.receive(), std::string("two"));
    QVERIFY(other.send(0, "more"));
    QCOMPARE(next.receive(), std::string("more"));
}

// Fails if a rank waits for ever for a processor that would keep what decides it, and is lost.
void TestWorldLives::notaryIsLost()
{
    WorldHostBench bench({"a", "b", "c"});
    WorldStart start = keptStart({0, 1});
    start.standbys = {ProcessorId(2)};
    bench.lose(2);
    bench.joinAll(start);
    QVERIFY(bench.until([&] { return !bench.pathOf(0).empty() && !bench.pathOf(1).empty(); }));
    MovedEnd rank(bench, 0, 0);
    MovedEnd other(bench, 1, 1);
    QCOMPARE((*rank).decide(world::ValueKind::Clock, [] { return 4711; }), 4711);
    QVERIFY(rank.send(1, "one"));
    QCOMPARE(other.receive(), std::string("one"));
}

void TestWorldLives::ends_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("repeats");
    QTest::addColumn<bool>("differs");
    QTest::addColumn<QList<int>>("told");
    constexpr auto number = [](Outcome outcome) { return static_cast<int>(outcome); };
    const int lost = number(Outcome::Lost);
    const int signalled = number(Outcome::Signalled);
    const int interrupted = number(Outcome::Interrupted);
    QTest::newRow("crashes at one place")
        << signalled << SIGSEGV << false << false << QList<int>{lost, lost, signalled};
    QTest::newRow("hangs") << number(Outcome::TimedOut) << 0 << false << false
                           << QList<int>{lost, lost, number(Outcome::TimedOut)};
    QTest::newRow("killed while it replays")
        << signalled << SIGKILL << true << false << QList<int>{lost, lost, lost, lost, lost};
    QTest::newRow("killed while it replays, again and again")
        << signalled << SIGKILL << true << false << QList<int>(19, lost) + QList<int>{signalled};
    QTest::newRow("crashes while it replays")
        << signalled << SIGSEGV << true << false << QList<int>{interrupted};
    QTest::newRow("fails while it replays")
        << number(Outcome::Failed) << 1 << true << false << QList<int>{interrupted};
    QTest::newRow("fails") << number(Outcome::Failed) << 1 << false << false
                           << QList<int>{number(Outcome::Failed)};
    QTest::newRow("differs") << number(Outcome::Failed) << 1 << false << true
                             << QList<int>{interrupted};
    QTest::newRow("is cancelled") << number(Outcome::Cancelled) << 0 << false << false
                                  << QList<int>{number(Outcome::Cancelled)};
}

// Fails if a rank that can go on does not, or one that cannot is tried for ever.
void TestWorldLives::ends()
{
    QFETCH(int, outcome);
    QFETCH(int, code);
    QFETCH(bool, repeats);
    QFETCH(bool, differs);
    QFETCH(QList<int>, told);
    WorldHostBench bench({"a"});
    auto made = std::make_unique<ManualExecutor>();
    ManualExecutor* const inner = made.get();
    WorldExecutor executor(
        {.self = ProcessorId(0), .library = "/lib/world.so", .preloaded = {}, .post = bench.post()},
        std::move(made), *bench.hosts[0]);
    QList<int> ended;
    executor.setCallbacks({.started = [](AttemptKey, WallTime) {},
                           .finished =
                               [&ended](AttemptKey, const AttemptResult& result) {
                                   ended.append(static_cast<int>(result.outcome));
                               },
                           .failed = [](const std::string&) {}});
    for (qsizetype life = 0; life < told.size(); ++life) {
        TaskSettings settings;
        settings.seat = WorldSeat{.world = 0, .rank = Rank(0), .logMb = 1};
        const AttemptKey key{TaskId(0), AttemptNumber(static_cast<std::uint32_t>(life + 1))};
        executor.start({.key = key,
                        .slot = SlotIndex(0),
                        .command = "./solver",
                        .settings = std::make_shared<const TaskSettings>(settings),
                        .world = std::make_shared<const WorldStart>(keptStart({0}, life != 0))});
        bench.settle();
        QCOMPARE(inner->launches.size(), static_cast<std::size_t>(life + 1));
        const auto& variables = inner->launches.back().settings->environment;
        const auto numbered = std::ranges::find(variables, "TASUKI_WORLD_LIFE",
                                                [](const auto& one) { return one.first; });
        QVERIFY(numbered != variables.end() && numbered->second == std::to_string(life + 1));
        const auto path = std::ranges::find(variables, "TASUKI_WORLD",
                                            [](const auto& one) { return one.first; });
        auto segment = world::Segment::open(path->second);
        world::ProgramStatus& shown = segment->status(0);
        shown.phase.store(world::ProgramPhase::Inside);
        shown.toReplay.store(repeats ? 10 : 0);
        shown.differs.store(differs ? 1 : 0);
        AttemptResult result;
        result.outcome = static_cast<Outcome>(outcome);
        result.code = code;
        inner->tellFinished(key, result);
    }
    QCOMPARE(ended, told);
}

QTEST_APPLESS_MAIN(TestWorldLives)

} // namespace tst_worldlives

#include "tst_worldlives.moc"

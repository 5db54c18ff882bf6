// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "support/manualexecutor.h"
#include "world/endpoint.h"
#include "worldhost/worldexecutor.h"
#include "worldhostbench.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace tst_worldexecutor {

using namespace tasuki;
using namespace tasuki::worldhost;
using tasuki::worldhost::testing::WorldHostBench;

namespace {

using Environment = decltype(TaskSettings::environment);

constexpr AttemptKey keyOf(std::uint32_t task) { return {TaskId(task), AttemptNumber(1)}; }

/// Processor 1's executor, in a launch of three on one host, with the test as what starts programs.
struct Bench : WorldHostBench {
    explicit Bench(const std::string& preloaded = {}) : WorldHostBench({"a", "a", "a"})
    {
        auto made = std::make_unique<ManualExecutor>();
        inner = made.get();
        executor = std::make_unique<WorldExecutor>(WorldExecutor::Setup{.self = ProcessorId(1),
                                                                        .library = "/lib/world.so",
                                                                        .preloaded = preloaded,
                                                                        .post = post()},
                                                   std::move(made), *hosts[1]);
        executor->setCallbacks(
            {.started = [this](AttemptKey key, WallTime) { started.push_back(key); },
             .finished =
                 [this](AttemptKey key, AttemptResult result) {
                     ended.emplace_back(key, std::move(result));
                 },
             .failed = [](const std::string&) {},
             .connected = [this](AttemptKey,
                                 std::vector<UniqueFd> ends) { connected = std::move(ends); }});
    }
    /// The processor is to begin as a rank of a world; task and rank have the same number.
    void start(const WorldStart& begin, std::uint32_t rank, Environment environment = {})
    {
        TaskSettings settings;
        settings.environment = std::move(environment);
        settings.seat = WorldSeat{begin.world,
                                  Rank(begin.first.value() + static_cast<std::int32_t>(rank))};
        executor->start({.key = keyOf(rank),
                         .slot = SlotIndex(0),
                         .command = "./solver",
                         .settings = std::make_shared<const TaskSettings>(std::move(settings)),
                         .world = std::make_shared<const WorldStart>(begin)});
    }
    /// The last value that the only program has of a variable.
    std::string variable(const std::string& name)
    {
        std::string last = "unset";
        if (inner->launches.size() != 1)
            return "not one program";
        for (const auto& [known, value] : inner->launches.front().settings->environment) {
            if (known == name)
                last = value;
        }
        return last;
    }
    /// How the only attempt that ended did so.
    std::optional<AttemptResult> end()
    {
        return ended.size() == 1 ? std::optional(ended.front().second) : std::nullopt;
    }
    [[nodiscard]] Outcome outcome() { return end() ? end()->outcome : Outcome::Lost; }

    ManualExecutor* inner = nullptr;
    std::unique_ptr<WorldExecutor> executor;
    std::vector<AttemptKey> started;
    std::vector<UniqueFd> connected;
    std::vector<std::pair<AttemptKey, AttemptResult>> ended;
};

WorldStart startAt(const std::vector<std::uint32_t>& holders, std::uint32_t world = 0)
{
    WorldStart start = WorldHostBench::startOf(holders, 0, world);
    start.first = Rank(10); // of the system
    return start;
}

AttemptResult resultOf(Outcome outcome)
{
    AttemptResult result;
    result.outcome = outcome;
    return result;
}

} // namespace

/// What breaks it: a program that begins without its memory or as somebody else's rank, an attempt whose end is told twice, never,
/// or from inside start().
class TestWorldExecutor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void othersAreNotTouched();
    void whatProgramsAreTold();
    void whatIsPreloaded_data();
    void whatIsPreloaded();
    void whoReadsStandardInput_data();
    void whoReadsStandardInput();
    void beginsWhenTheMemoryIsThere();
    void stoppedBeforeTheMemoryIsThere_data();
    void stoppedBeforeTheMemoryIsThere();
    void allAreStopped();
    void withoutMemory();
    void successInsideMpiIsNone_data();
    void successInsideMpiIsNone();
    void whoDoesNotHoldTheRank_data();
    void whoDoesNotHoldTheRank();
    void whoDoesNotHoldTheRankAndIsGone();
    void goneWhileItWaits();
};

void TestWorldExecutor::othersAreNotTouched()
{
    Bench bench("/lib/tracer.so");
    const auto settings = std::make_shared<const TaskSettings>();
    bench.executor->start(
        {.key = keyOf(5), .slot = SlotIndex(2), .command = "true", .settings = settings});
    QCOMPARE(bench.inner->launches.size(), std::size_t{1});
    QCOMPARE(bench.inner->launches.front().command, std::string("true"));
    QVERIFY(bench.inner->launches.front().settings == settings);
    std::vector<UniqueFd> ends(1);
    ends[0].reset(::dup(0));
    const int end = ends[0].get();
    bench.inner->tellConnected(keyOf(5), std::move(ends));
    QCOMPARE(bench.connected.size(), std::size_t{1});
    QCOMPARE(bench.connected[0].get(), end);
    bench.inner->tellStarted(keyOf(5), {});
    QCOMPARE(bench.started, std::vector{keyOf(5)});
    bench.executor->stop(keyOf(5), StopReason::Cancelled);
    QCOMPARE(bench.inner->stopped, std::vector{keyOf(5)});
    bench.inner->tellFinished(keyOf(5), resultOf(Outcome::Succeeded));
    QVERIFY(bench.outcome() == Outcome::Succeeded);
}

void TestWorldExecutor::whatProgramsAreTold()
{
    Bench bench;
    const WorldStart start = startAt({0, 2, 1});
    bench.join(0, start);
    bench.start(start, 2, {{"COLOUR", "blue"}});
    bench.settle();
    QVERIFY(WorldHostBench::isOneMemory(bench.variable("TASUKI_WORLD"), bench.pathOf(0)));
    QVERIFY(world::Segment::open(bench.variable("TASUKI_WORLD")).ok());
    QCOMPARE(bench.variable("TASUKI_WORLD_RANK"), std::string("2"));
    QCOMPARE(bench.variable("TASUKI_WORLD_SIZE"), std::string("3"));
    QCOMPARE(bench.variable("COLOUR"), std::string("blue"));
    QCOMPARE(bench.inner->launches.front().command, std::string("./solver"));
    QCOMPARE(bench.inner->launches.front().key, keyOf(2));
    bench.inner->tellStarted(keyOf(2), {});
    QCOMPARE(bench.started, std::vector{keyOf(2)});
}

void TestWorldExecutor::whatIsPreloaded_data()
{
    QTest::addColumn<QByteArray>("usual"); ///< of all tasks
    QTest::addColumn<QList<QByteArray>>("ofTask");
    QTest::addColumn<QByteArray>("expected");
    using List = QList<QByteArray>;
    QTest::newRow("nothing else") << QByteArray() << List{} << QByteArray("/lib/world.so");
    QTest::newRow("of all tasks") << QByteArray("/lib/t.so") << List{}
                                  << QByteArray("/lib/t.so:/lib/world.so");
    QTest::newRow("of the task") << QByteArray() << List{"/own.so"}
                                 << QByteArray("/own.so:/lib/world.so");
    QTest::newRow("the task's instead")
        << QByteArray("/lib/t.so") << List{"/own.so"} << QByteArray("/own.so:/lib/world.so");
    QTest::newRow("the task's last one")
        << QByteArray("/lib/t.so") << List{"/own.so", "/a.so:/b.so"}
        << QByteArray("/a.so:/b.so:/lib/world.so");
    QTest::newRow("the task wants none")
        << QByteArray("/lib/t.so") << List{""} << QByteArray("/lib/world.so");
}

// What traces calls hands them on: it comes before the library that answers them.
void TestWorldExecutor::whatIsPreloaded()
{
    QFETCH(QByteArray, usual);
    QFETCH(QList<QByteArray>, ofTask);
    QFETCH(QByteArray, expected);
    Bench bench(usual.toStdString());
    Environment environment;
    for (const QByteArray& value : ofTask)
        environment.emplace_back("LD_PRELOAD", value.toStdString());
    bench.start(startAt({1}), 0, environment);
    bench.settle();
    QCOMPARE(bench.variable("LD_PRELOAD"), expected.toStdString());
}

void TestWorldExecutor::whoReadsStandardInput_data()
{
    QTest::addColumn<quint32>("world");
    QTest::addColumn<quint32>("rank");
    QTest::addColumn<bool>("reads");
    QTest::newRow("rank 0 of the first world") << 0U << 0U << true;
    QTest::newRow("another rank") << 0U << 1U << false;
    QTest::newRow("another world") << 1U << 0U << false;
}

void TestWorldExecutor::whoReadsStandardInput()
{
    QFETCH(quint32, world);
    QFETCH(quint32, rank);
    QFETCH(bool, reads);
    Bench bench;
    const WorldStart start = startAt(rank == 0 ? std::vector{1U, 0U} : std::vector{0U, 1U}, world);
    bench.join(0, start);
    bench.start(start, rank);
    bench.settle();
    QCOMPARE(bench.inner->launches.size(), std::size_t{1});
    const std::string& command = bench.inner->launches.front().command;
    if (!reads) {
        QCOMPARE(command, std::string("./solver"));
        return;
    }
    QVERIFY2(command.starts_with("exec </proc/") && command.ends_with("; ./solver"),
             command.c_str());
    const std::string path = command.substr(6, command.find(';') - 6);
    QVERIFY2(std::filesystem::exists(path), path.c_str());
}

void TestWorldExecutor::beginsWhenTheMemoryIsThere()
{
    Bench bench;
    const WorldStart start = startAt({0, 1});
    bench.start(start, 1);
    bench.settle();
    QVERIFY(bench.inner->launches.empty() && bench.ended.empty());
    bench.join(0, start);
    bench.settle();
    QCOMPARE(bench.inner->launches.size(), std::size_t{1});
    bench.executor->stop(keyOf(1), StopReason::Interrupted); // it runs: the inner one's
    QCOMPARE(bench.inner->stopped, std::vector{keyOf(1)});
    QVERIFY(bench.ended.empty());
    bench.inner->tellFinished(keyOf(1), resultOf(Outcome::Interrupted));
    QVERIFY(bench.outcome() == Outcome::Interrupted);
}

void TestWorldExecutor::stoppedBeforeTheMemoryIsThere_data()
{
    QTest::addColumn<bool>("cancelled");
    QTest::newRow("interrupted") << false;
    QTest::newRow("cancelled") << true;
}

void TestWorldExecutor::stoppedBeforeTheMemoryIsThere()
{
    QFETCH(bool, cancelled);
    Bench bench;
    const WorldStart start = startAt({0, 1});
    bench.start(start, 1);
    bench.settle();
    bench.executor->stop(keyOf(1), cancelled ? StopReason::Cancelled : StopReason::Interrupted);
    QVERIFY(bench.outcome() == (cancelled ? Outcome::Cancelled : Outcome::Interrupted));
    QVERIFY(bench.end()->standardError.head.empty());
    bench.executor->stop(keyOf(1), StopReason::Cancelled); // nothing more comes of it
    bench.join(0, start);
    bench.settle();
    QVERIFY(bench.inner->launches.empty());
    QCOMPARE(bench.ended.size(), std::size_t{1});
}

void TestWorldExecutor::allAreStopped()
{
    Bench bench;
    bench.start(startAt({1}), 0);
    bench.settle();
    bench.start(startAt({0, 1}, 1), 1);
    bool done = false;
    bench.executor->stopAll(StopReason::Interrupted, [&done] { done = true; });
    QCOMPARE(bench.ended.size(), std::size_t{1});
    QCOMPARE(bench.ended.front().first, keyOf(1));
    QVERIFY(bench.outcome() == Outcome::Interrupted);
    QCOMPARE(bench.inner->stopAllReasons, std::vector{StopReason::Interrupted});
    QVERIFY(!done);
    bench.inner->tellFinished(keyOf(0), resultOf(Outcome::Interrupted));
    bench.inner->tellAllStopped();
    QVERIFY(done);
    bench.settle();
    QCOMPARE(bench.ended.size(), std::size_t{2});
    QCOMPARE(bench.inner->launches.size(), std::size_t{1});
}

void TestWorldExecutor::withoutMemory()
{
    Bench bench;
    bench.start(startAt({0, 1}), 1);
    bench[1].receive(ProcessorId(0), {{0, 0}, Memory{"/dev/null"}});
    QVERIFY(bench.outcome() == Outcome::NotStarted);
    const CapturedStream& told = bench.ended.front().second.standardError;
    QVERIFY2(told.head.starts_with("tasuki: /dev/null: ") && told.head.ends_with('\n'),
             told.head.c_str());
    QCOMPARE(told.totalBytes, std::uint64_t{told.head.size()});
    QVERIFY(bench.inner->launches.empty());
}

void TestWorldExecutor::successInsideMpiIsNone_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("expected");
    const auto row = [](const char* name, world::ProgramPhase phase, Outcome outcome,
                        Outcome expected) {
        QTest::newRow(name) << int(phase) << int(outcome) << int(expected);
    };
    using Phase = world::ProgramPhase;
    row("no program of MPI", Phase::Outside, Outcome::Succeeded, Outcome::Succeeded);
    row("without MPI_Finalize", Phase::Inside, Outcome::Succeeded, Outcome::Failed);
    row("in order", Phase::Over, Outcome::Succeeded, Outcome::Succeeded);
    row("cancelled inside", Phase::Inside, Outcome::Cancelled, Outcome::Cancelled);
    row("stopped inside", Phase::Inside, Outcome::Interrupted, Outcome::Interrupted);
}

// The others wait for it, and would for ever.
void TestWorldExecutor::successInsideMpiIsNone()
{
    QFETCH(int, phase);
    QFETCH(int, outcome);
    QFETCH(int, expected);
    Bench bench;
    bench.start(startAt({1}), 0);
    bench.settle();
    const auto memory = world::Segment::open(bench.variable("TASUKI_WORLD"));
    QVERIFY(memory.ok());
    memory->status(0).phase.store(static_cast<world::ProgramPhase>(phase));
    bench.inner->tellFinished(keyOf(0), resultOf(static_cast<Outcome>(outcome)));
    QCOMPARE(int(bench.outcome()), expected);
    QCOMPARE(bench.end()->code != 0, expected == int(Outcome::Failed));
}

void TestWorldExecutor::whoDoesNotHoldTheRank_data()
{
    QTest::addColumn<QList<quint32>>("holders");
    QTest::addColumn<quint32>("rank");
    QTest::newRow("another one") << QList<quint32>{0, 2} << 1U;
    QTest::newRow("another one of two") << QList<quint32>{0, 1} << 0U;
    QTest::newRow("no such rank") << QList<quint32>{0, 1} << 2U;
    QTest::newRow("nobody") << QList<quint32>{} << 0U;
    QTest::newRow("before the first") << QList<quint32>{0, 1} << 0xFFFF'FFFFU;
}

// A start that the loss of a holder has overtaken.
void TestWorldExecutor::whoDoesNotHoldTheRank()
{
    QFETCH(QList<quint32>, holders);
    QFETCH(quint32, rank);
    Bench bench;
    bench.start(startAt({holders.begin(), holders.end()}), rank);
    QVERIFY(bench.ended.empty()); // not from inside start()
    QVERIFY(bench.runPosted());
    QVERIFY(bench.outcome() == Outcome::Interrupted);
    QCOMPARE(bench.ended.front().first, keyOf(rank));
    bench.settle();
    QCOMPARE(bench.ended.size(), std::size_t{1});
    QVERIFY(bench.inner->launches.empty());
    QVERIFY(bench.log.empty());      // nobody is asked for memory
    bench.start(startAt({1}, 1), 0); // it can begin as another one
    bench.settle();
    QCOMPARE(bench.inner->launches.size(), std::size_t{1});
}

void TestWorldExecutor::whoDoesNotHoldTheRankAndIsGone()
{
    Bench bench;
    bench.start(startAt({0, 2}), 1);
    bench.executor.reset();
    QVERIFY(bench.runPosted());
    QVERIFY(bench.ended.empty());
}

void TestWorldExecutor::goneWhileItWaits()
{
    Bench bench;
    const WorldStart start = startAt({0, 1});
    bench.start(start, 1);
    bench.poll();
    bench.executor.reset();
    bench.join(0, start);
    bench.settle();
    QVERIFY(bench.ended.empty());
    QVERIFY(!bench.pathOf(0).empty());
}

QTEST_APPLESS_MAIN(TestWorldExecutor)

} // namespace tst_worldexecutor

#include "tst_worldexecutor.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "masterbench.h"

#include <algorithm>
#include <set>

namespace tst_worlds {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using tasuki::farm::testing::MasterBench;
using tasuki::farm::testing::openingOf;

namespace {

const std::vector<Rank> allRanks{Rank(1), Rank(2), Rank(3)};

/// What opens a run: tasks that may run anywhere, then a world.
std::vector<EventPayload> openingWith(std::uint32_t tasks, const std::vector<Rank>& ranks,
                                      std::uint32_t logMb)
{
    std::vector<EventPayload> opening = openingOf(tasks);
    const auto links = std::make_shared<const TaskLinks>(TaskLinks{.label = "solver", .after = {}});
    for (const Rank rank : ranks) {
        TaskSettings settings;
        settings.seat = WorldSeat{.world = 0, .rank = rank, .logMb = logMb};
        Task task;
        task.command = "./solver";
        task.settings = std::make_shared<const TaskSettings>(settings);
        task.links = links;
        task.position = tasks;
        opening.push_back(TaskAdded{TaskId(tasks++), std::move(task)});
    }
    return opening;
}

struct Bench : MasterBench {
    explicit Bench(std::uint32_t tasks = 0, const std::vector<Rank>& ranks = allRanks,
                   MasterOptions options = {}, std::uint32_t logMb = 0)
        : MasterBench(Epoch(1), std::move(options))
    {
        master->open(openingWith(tasks, ranks, logMb));
    }
    void allHello()
    {
        for (const Rank rank : allRanks)
            hello(rank);
        settle();
    }
    /// The rank of a world that a rank was given since it was last asked for; none: nothing.
    std::optional<AssignedTask> given(Rank rank)
    {
        for (const Assign& message : sent<Assign>(rank)) {
            for (const AssignedTask& task : message.tasks) {
                if (task.world)
                    return task;
            }
        }
        return std::nullopt;
    }
    /// All ranks are given the world, and begin.
    /// @return which start it is
    std::uint32_t beginAll()
    {
        std::set<std::uint32_t> generations;
        for (const Rank rank : allRanks) {
            const auto task = given(rank);
            if (!task)
                return 0;
            generations.insert(task->world->generation + 1);
            keys[rank] = task->key;
            begin(rank, task->key);
        }
        settle();
        return generations.size() == 1 ? *generations.begin() : 0;
    }
    /// What a rank is told to stop.
    std::optional<StopReason> stopped(Rank rank)
    {
        const std::vector<Stop> stops = sent<Stop>(rank);
        return stops.empty() ? std::nullopt : std::optional(stops.front().reason);
    }
    [[nodiscard]] TaskState stateOf(std::uint32_t task) const
    {
        return state.task(TaskId(task)).state;
    }

    std::map<Rank, AttemptKey> keys;
};

} // namespace

/// What breaks it: a rank that begins without the others, or goes on without one.
class TestWorlds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allBeginTogether();
    void otherTasksStayAway();
    void oneFails();
    void oneIsLost();
    void oneIsLostBeforeItBegins();
    void oneIsLostAfterAnotherHasEnded();
    void lostWhileTheRunDrains();
    void repeatedAsAWhole();
    void oneGoesOnAlone();
    void replayIsRecordedOnce();
    void programThatWasKilledGoesOn();
    void whoCannotGoOnTakesAllBack();
    void goesOnAsOftenAsItIsLost();
    void nobodyHoldsARank();
};

void TestWorlds::allBeginTogether()
{
    Bench bench;
    bench.hello(Rank(1));
    bench.hello(Rank(3));
    bench.settle();
    QVERIFY(!bench.given(Rank(1)) && !bench.given(Rank(3)));
    bench.hello(Rank(2));
    bench.settle();
    for (const Rank rank : allRanks) {
        const auto task = bench.given(rank);
        QVERIFY2(task, std::to_string(rank.value()).c_str());
        const WorldStart& start = *task->world;
        QCOMPARE(start.first, Rank(1));
        QVERIFY(start.holders
                == std::vector<ProcessorId>({ProcessorId(1), ProcessorId(2), ProcessorId(3)}));
        QCOMPARE(task->settings->seat->rank, rank);
        bench.end(rank, task->key);
    }
    bench.settle();
    QVERIFY(bench.master->end() == RunEnd::Complete);
}

void TestWorlds::otherTasksStayAway()
{
    Bench bench(4, {Rank(1), Rank(2)});
    bench.allHello();
    QVERIFY(bench.given(Rank(1)) && bench.given(Rank(2)));
    QVERIFY(!bench.handed(Rank(3)).empty());
    for (const Rank rank : {Rank(1), Rank(2)})
        QVERIFY(bench.handed(rank).empty());
}

void TestWorlds::oneFails()
{
    Bench bench;
    bench.allHello();
    QCOMPARE(bench.beginAll(), 1U);
    bench.end(Rank(2), bench.keys[Rank(2)], Outcome::Failed);
    bench.settle();
    for (const Rank rank : {Rank(1), Rank(3)}) {
        QVERIFY(bench.stopped(rank) == StopReason::Cancelled);
        bench.end(rank, bench.keys[rank], Outcome::Cancelled);
    }
    bench.settle();
    QVERIFY(bench.stateOf(1) == TaskState::Failed);
    QVERIFY(bench.stateOf(0) == TaskState::Cancelled && bench.stateOf(2) == TaskState::Cancelled);
    QVERIFY(bench.master->end() == RunEnd::Complete);
}

void TestWorlds::oneIsLost()
{
    Bench bench;
    bench.allHello();
    QCOMPARE(bench.beginAll(), 1U);
    bench.master->awaitHolders(true);
    bench.gone(Rank(2));
    bench.settle();
    for (const Rank rank : {Rank(1), Rank(3)}) {
        QVERIFY(bench.stopped(rank) == StopReason::Interrupted);
        bench.end(rank, bench.keys[rank], Outcome::Interrupted);
    }
    bench.settle();
    QVERIFY(!bench.given(Rank(1)));
    bench.hold(Rank(2), Incarnation(2));
    bench.hello(Rank(2));
    bench.settle();
    QVERIFY(bench.beginAll() > 1U);
    for (const Rank rank : allRanks)
        bench.end(rank, bench.keys[rank]);
    bench.settle();
    QVERIFY(bench.master->end() == RunEnd::Complete);
}

// An order that did not arrive is said again.
void TestWorlds::oneIsLostBeforeItBegins()
{
    Bench bench;
    bench.allHello();
    const auto first = bench.given(Rank(1));
    QVERIFY(first && bench.given(Rank(2)) && bench.given(Rank(3)));
    bench.begin(Rank(1), first->key);
    bench.master->awaitHolders(true);
    bench.gone(Rank(2)); // nobody has heard that it began
    bench.settle();
    QVERIFY(bench.stopped(Rank(1)) == StopReason::Interrupted);
    QVERIFY(bench.stopped(Rank(3)) == StopReason::Interrupted);
    bench.end(Rank(3), {TaskId(2), AttemptNumber(1)}, Outcome::Interrupted);
    bench.pass(2s);
    QVERIFY(bench.stopped(Rank(1)) == StopReason::Interrupted);
    QVERIFY(!bench.stopped(Rank(3)));
    bench.end(Rank(1), first->key, Outcome::Interrupted);
    bench.hold(Rank(2), Incarnation(2));
    bench.hello(Rank(2));
    bench.settle();
    QVERIFY(bench.beginAll() > 1U);
}

void TestWorlds::oneIsLostAfterAnotherHasEnded()
{
    Bench bench;
    bench.allHello();
    QCOMPARE(bench.beginAll(), 1U);
    bench.end(Rank(1), bench.keys[Rank(1)]);
    bench.end(Rank(2), bench.keys[Rank(2)]);
    bench.settle();
    bench.master->awaitHolders(true);
    bench.gone(Rank(3));
    bench.hold(Rank(3), Incarnation(2));
    bench.hello(Rank(3));
    bench.settle();
    QCOMPARE(bench.recorded<TaskReopened>().size(), std::size_t(2));
    QVERIFY(bench.beginAll() > 1U);
}

void TestWorlds::lostWhileTheRunDrains()
{
    Bench bench;
    bench.allHello();
    QCOMPARE(bench.beginAll(), 1U);
    bench.master->interrupt();
    bench.gone(Rank(1));
    bench.settle();
    for (const Rank rank : {Rank(2), Rank(3)}) {
        QVERIFY(bench.stopped(rank) == StopReason::Interrupted);
        bench.end(rank, bench.keys[rank], Outcome::Interrupted);
    }
    bench.settle();
    QVERIFY(bench.master->end() == RunEnd::Interrupted);
    QCOMPARE(bench.state.count(TaskState::Queued), std::size_t(3));
}

void TestWorlds::repeatedAsAWhole()
{
    MasterOptions options;
    options.staysOpen = true;
    Bench bench(0, allRanks, options);
    bench.allHello();
    QCOMPARE(bench.beginAll(), 1U);
    for (const Rank rank : allRanks)
        bench.end(rank, bench.keys[rank]);
    bench.settle();
    bool accepted = false;
    bench.master->operate("ann", RepeatTasks{{{TaskId(1), bench.state.task(TaskId(1)).revision}}},
                          [&](const CommandAnswer& answer) { accepted = answer.accepted; });
    bench.settle();
    QVERIFY(accepted);
    QCOMPARE(bench.recorded<TaskReopened>().size(), std::size_t(3));
    QVERIFY(bench.beginAll() > 1U);
}

/// A world whose messages are kept.
struct KeptBench : Bench {
    KeptBench() : Bench(0, allRanks, {}, 64) { allHello(); }
    /// A rank's program is killed. @return what it gets next, if nobody else gets anything
    std::optional<AssignedTask> goesOn(Rank rank)
    {
        end(rank, keys[rank], Outcome::Lost);
        settle();
        return onlyGiven(rank);
    }
    /// Nobody is told to stop, and nobody but one rank gets anything.
    std::optional<AssignedTask> onlyGiven(Rank rank)
    {
        std::optional<AssignedTask> found;
        for (const Rank one : allRanks) {
            const auto task = given(one);
            if (stopped(one) || (task.has_value() && one != rank))
                return std::nullopt;
            if (task)
                found = task;
        }
        return found;
    }
};

void TestWorlds::oneGoesOnAlone()
{
    KeptBench bench;
    QCOMPARE(bench.beginAll(), 1U);
    QCOMPARE(bench.recorded<WorldStarted>().size(), std::size_t(1));
    bench.end(Rank(3), bench.keys[Rank(3)]); // what it has sent is kept
    bench.settle();
    bench.master->awaitHolders(true);
    bench.gone(Rank(2));
    bench.settle();
    QVERIFY(!bench.onlyGiven(Rank(2)));
    bench.hold(Rank(2), Incarnation(2));
    bench.hello(Rank(2));
    bench.settle();
    const auto next = bench.onlyGiven(Rank(2));
    QVERIFY(next && next->world->goesOn && next->world->generation == 0);
    QCOMPARE(next->key, (AttemptKey{TaskId(1), AttemptNumber(2)}));
    QCOMPARE(next->world->holders.size(), std::size_t(3));
    QCOMPARE(next->world->logMb, 64U);
    bench.begin(Rank(2), next->key);
    for (const Rank rank : {Rank(1), Rank(2)})
        bench.end(rank, rank == Rank(2) ? next->key : bench.keys[rank]);
    bench.settle();
    QVERIFY(bench.master->end() == RunEnd::Complete);
    QCOMPARE(bench.recorded<WorldStarted>().size(), std::size_t(1));
    QVERIFY(bench.recorded<TaskReopened>().empty());
}

// Fails if the record does not have, once each, that a rank does again what was lost, and that it is through with that.
void TestWorlds::replayIsRecordedOnce()
{
    KeptBench bench;
    QCOMPARE(bench.beginAll(), 1U);
    const auto next = bench.goesOn(Rank(2));
    QVERIFY(next);
    bench.master->replays(Rank(2), next->key.number, notKnown); // sooner than its begin
    bench.settle();
    QVERIFY(bench.recorded<RankReplays>().empty());
    bench.begin(Rank(2), next->key);
    bench.settle();
    for (const auto took : {notKnown, notKnown, 2'000'000us, 2'000'000us, notKnown}) {
        bench.master->replays(Rank(2), next->key.number, took);
        bench.settle();
    }
    bench.master->replays(Rank(2), AttemptNumber(1), 1us); // of the life before
    bench.master->replays(Rank(99), AttemptNumber(1), 1us);
    bench.settle();
    RankReplays expected{.key = next->key, .rank = Rank(2)};
    const std::vector<RankReplays> recorded = bench.recorded<RankReplays>();
    QCOMPARE(recorded.size(), std::size_t{2});
    QVERIFY(recorded.front() == expected);
    expected.took = 2s;
    QVERIFY(recorded.back() == expected && *bench.state.replayOf(next->key.task) == expected);
}

void TestWorlds::programThatWasKilledGoesOn()
{
    KeptBench bench;
    QCOMPARE(bench.beginAll(), 1U);
    bench.end(Rank(1), bench.keys[Rank(1)], Outcome::Lost);
    bench.end(Rank(2), bench.keys[Rank(2)], Outcome::Lost);
    bench.end(Rank(3), bench.keys[Rank(3)], Outcome::Lost);
    bench.settle();
    for (const Rank rank : allRanks) {
        const auto next = bench.given(rank);
        QVERIFY(next && next->world->goesOn && next->world->generation == 0);
    }
}

void TestWorlds::whoCannotGoOnTakesAllBack()
{
    KeptBench bench;
    QCOMPARE(bench.beginAll(), 1U);
    const auto next = bench.goesOn(Rank(2));
    QVERIFY(next && next->world->goesOn);
    bench.end(Rank(2), next->key, Outcome::Interrupted);
    bench.settle();
    for (const Rank rank : {Rank(1), Rank(3)}) {
        QVERIFY(bench.stopped(rank) == StopReason::Interrupted);
        bench.end(rank, bench.keys[rank], Outcome::Interrupted);
    }
    bench.settle();
    QVERIFY(bench.beginAll() > 1U);
    QCOMPARE(bench.recorded<WorldStarted>().size(), std::size_t(2));
    QVERIFY(std::ranges::any_of(bench.recorded<Notice>(), [](const Notice& notice) {
        return notice.text.text().starts_with("world solver goes back to its start");
    }));
    // It is the new start that the next loss goes on in.
    const auto later = bench.goesOn(Rank(1));
    QVERIFY(later && later->world->goesOn
            && later->world->generation == bench.recorded<WorldStarted>().back().generation);
}

void TestWorlds::goesOnAsOftenAsItIsLost()
{
    KeptBench bench;
    QCOMPARE(bench.beginAll(), 1U);
    AttemptKey key = bench.keys[Rank(1)];
    for (int i = 0; i < 20; ++i) {
        bench.end(Rank(1), key, Outcome::Lost);
        bench.settle();
        const auto next = bench.onlyGiven(Rank(1));
        QVERIFY2(next && next->world->goesOn, std::to_string(i).c_str());
        key = next->key;
    }
}

void TestWorlds::nobodyHoldsARank()
{
    Bench bench;
    bench.hello(Rank(1));
    bench.hello(Rank(2));
    bench.gone(Rank(3));
    bench.settle();
    QVERIFY(bench.master->end() == RunEnd::Interrupted);
    const std::vector<Notice> notices = bench.recorded<Notice>();
    QVERIFY(std::ranges::any_of(notices, [](const Notice& notice) {
        return notice.text.text().starts_with("world solver waits for its rank 2, which no");
    }));
}

QTEST_APPLESS_MAIN(TestWorlds)

} // namespace tst_worlds

#include "tst_worlds.moc"

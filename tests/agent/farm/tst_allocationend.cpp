// SPDX-License-Identifier: GPL-3.0-or-later
// What starts before an end of the allocation that is known, who is warned, and how the run ends.
#include "farm/allocationend.h"
#include "farm/forecast.h"
#include "masterbench.h"

#include <QTest>

#include <csignal>
#include <string>

namespace tst_allocationend {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;
using namespace std::chrono_literals;
using Phase = Master::Phase;

namespace {

const Rank one{1};

Task taskOf(std::string command, TaskSettings settings = {}, std::string label = {})
{
    Task task;
    task.command = std::move(command);
    task.settings = std::make_shared<const TaskSettings>(std::move(settings));
    if (!label.empty()) {
        TaskLinks links;
        links.label = std::move(label);
        task.links = std::make_shared<const TaskLinks>(std::move(links));
    }
    return task;
}

TaskSettings taking(std::chrono::milliseconds time)
{
    TaskSettings settings;
    settings.expectedTime = time;
    return settings;
}

TaskSettings warned(int number, std::chrono::milliseconds before)
{
    TaskSettings settings;
    settings.warning = EndWarning{.signalNumber = number, .before = before};
    return settings;
}

/// A master in an allocation that ends so long after its beginning, margin not included.
struct AllocationBench : MasterBench {
    explicit AllocationBench(std::chrono::milliseconds usable)
        : MasterBench(Epoch(1), optionsOf(usable))
    {}

    static MasterOptions optionsOf(std::chrono::milliseconds usable)
    {
        MasterOptions options;
        options.endsAt = ManualClock().now() + usable + AllocationEnd::margin;
        return options;
    }
    void openWith(std::vector<Task> tasks)
    {
        std::vector<EventPayload> opening = openingOf(0);
        for (std::uint32_t i = 0; i < tasks.size(); ++i) {
            tasks[i].position = i;
            opening.push_back(TaskAdded{TaskId(i), std::move(tasks[i])});
        }
        master->open(std::move(opening));
        hello(one);
        settle();
    }
    /// A task runs so long and succeeds.
    void run(std::uint32_t task, std::chrono::milliseconds time)
    {
        begin(one, key(task));
        pass(time);
        AttemptResult result;
        result.outcome = Outcome::Succeeded;
        result.elapsed = time;
        Report report;
        report.finished.push_back({key(task), SlotIndex(0), std::move(result)});
        say(one, std::move(report));
        settle();
    }
};

} // namespace

class TestAllocationEnd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void forecastsDeclaredThenGroupThenAll();
    void forecastIsThe95thOfTheLatest();
    void fits();
    void warnsWhoWillNotEnd();
    void lateTasksAreNotHandedOut();
    void learntTimesAreKept();
    void shorterOnesFillTheEnd();
    void nothingIsPrefetchedThatMayBeLate();
    void whatRunsIsInterruptedInTime();
    void warningGoesOut();
    void withoutAnEndAllIsAsEver();
};

void TestAllocationEnd::forecastsDeclaredThenGroupThenAll()
{
    Forecast forecast;
    QVERIFY(!forecast.of(taskOf("./fit 1")));
    QCOMPARE(*forecast.of(taskOf("./fit 1", taking(5s))), 5s);
    forecast.learn(taskOf("./fit 2"), 2s);
    forecast.learn(taskOf("./fit 3", {}, "long"), 60s);
    QCOMPARE(*forecast.of(taskOf("./fit 1")), 2s);
    QCOMPARE(*forecast.of(taskOf("./other", {}, "long")), 60s);
    QCOMPARE(*forecast.of(taskOf("./other")), 60s); // the longest of both
    QCOMPARE(*forecast.of(taskOf("./fit 1", taking(5s))), 5s);
}

void TestAllocationEnd::forecastIsThe95thOfTheLatest()
{
    Forecast forecast;
    for (int i = 0; i < 100; ++i)
        forecast.learn(taskOf("a"), 1h);
    for (int i = 1; i <= 100; ++i)
        forecast.learn(taskOf("a"), std::chrono::seconds(i));
    QCOMPARE(*forecast.of(taskOf("a")), 95s);
}

void TestAllocationEnd::fits()
{
    const SteadyTime now = ManualClock().now();
    AllocationEnd end(now + 10s + AllocationEnd::margin);
    const auto fit = [&](const Task& task) { return end.fit(task, now); };
    end.started(key(0), taskOf("a", taking(2s)), now);
    QCOMPARE(fit(taskOf("a")), Fit::SlotOnly); // nobody knows
    QCOMPARE(fit(taskOf("a", taking(3s))), Fit::Ahead);
    QCOMPARE(fit(taskOf("a", taking(3'334ms))),
             Fit::SlotOnly); // behind two like it, it may be late
    QCOMPARE(fit(taskOf("a", taking(10s))), Fit::SlotOnly);
    QCOMPARE(fit(taskOf("a", taking(10'001ms))), Fit::Late);
    end.started(key(1), taskOf("a"), now);
    QCOMPARE(fit(taskOf("a", taking(1s))), Fit::SlotOnly); // nobody knows when a slot is free
    QCOMPARE(fit(taskOf("a", taking(100ms))), Fit::Ahead);
    end.ended(key(1));
    QCOMPARE(fit(taskOf("a", taking(1s))), Fit::Ahead);
    end.started(key(2), taskOf("a", taking(4s)), now);
    QCOMPARE(fit(taskOf("a", taking(1s))), Fit::SlotOnly);
    QCOMPARE(end.fit(taskOf("a"), now + 10s), Fit::Late);
}

void TestAllocationEnd::warnsWhoWillNotEnd()
{
    const SteadyTime now = ManualClock().now();
    AllocationEnd end(now + 100s + AllocationEnd::margin);
    TaskSettings short50 = warned(SIGUSR2, 60s);
    short50.expectedTime = 50s;
    end.started(key(0), taskOf("a", warned(SIGUSR1, 60s)), now);
    end.started(key(1), taskOf("a", short50), now);
    end.started(key(2), taskOf("a"), now);
    end.started(key(3), taskOf("a", warned(SIGUSR1, 30s)), now);
    end.ended(key(3));
    QVERIFY(end.warningsDue(now + 39s).empty());
    const auto due = end.warningsDue(now + 40s);
    QCOMPARE(due.size(), std::size_t{1});
    QCOMPARE(due.front().key, key(0));
    QCOMPARE(due.front().signalNumber, SIGUSR1);
    QVERIFY(end.warningsDue(now + 41s).empty());                 // once; the other one ends in time
    QCOMPARE(end.warningsDue(now + 51s).size(), std::size_t{1}); // it did not
    QVERIFY(end.warningsDue(now + 99s).empty());
}

void TestAllocationEnd::lateTasksAreNotHandedOut()
{
    AllocationBench bench(10s);
    bench.openWith({taskOf("a", taking(20s)), taskOf("b", taking(20s))});
    QVERIFY(bench.handed(one).empty());
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Interrupted); // at once: the allocation is given back
    QVERIFY(bench.master->endedByAllocation());
    QCOMPARE(bench.state.count(TaskState::Queued), std::size_t{2});
    const auto notices = bench.recorded<Notice>();
    QVERIFY(!notices.empty());
    QCOMPARE(notices.back().text.text(),
             std::string("the allocation ends: interrupted, 2 tasks are left"));
}

void TestAllocationEnd::learntTimesAreKept()
{
    AllocationBench bench(10s);
    bench.openWith({taskOf("fit 1"), taskOf("fit 2"), taskOf("fit 3")});
    bench.handed(one);
    bench.run(0, 4s);
    QCOMPARE(bench.handed(one).size(), std::size_t{1});
    bench.run(1, 4s);
    QVERIFY(bench.handed(one).empty()); // 2 s are left
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{2});
}

void TestAllocationEnd::shorterOnesFillTheEnd()
{
    AllocationBench bench(10s);
    bench.openWith({taskOf("a", taking(8s)), taskOf("b", taking(8s)), taskOf("c", taking(1s))});
    QCOMPARE(bench.handed(one), std::vector{key(0)});
    bench.run(0, 8s);
    QCOMPARE(bench.handed(one), std::vector{key(2)});
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.run(2, 1s);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
}

void TestAllocationEnd::nothingIsPrefetchedThatMayBeLate()
{
    for (const auto& [usable, prefetches] :
         {std::pair(14'900ms, false), std::pair(15'100ms, true)}) {
        AllocationBench bench(usable);
        bench.openWith({taskOf("a", taking(5s)), taskOf("b", taking(5s)), taskOf("c", taking(5s)),
                        taskOf("d", taking(5s))});
        auto handed = bench.handed(one);
        bench.begin(one, key(0));
        bench.settle();
        for (const AttemptKey& more : bench.handed(one))
            handed.push_back(more);
        QCOMPARE(handed.size() > 1, prefetches);
    }
}

void TestAllocationEnd::whatRunsIsInterruptedInTime()
{
    AllocationBench bench(10s);
    bench.openWith({taskOf("a"), taskOf("b")});
    bench.begin(one, key(0));
    bench.pass(9'900ms);
    QVERIFY(bench.sent<Halt>(one).empty());
    bench.pass(200ms);
    QCOMPARE(bench.sent<Halt>(one).size(), std::size_t{1});
    QCOMPARE(bench.master->phase(), Phase::Killing);
    bench.say(one, Returned{});
    bench.end(one, key(0), Outcome::Interrupted);
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QVERIFY(bench.master->endedByAllocation());
    QCOMPARE(bench.state.count(TaskState::Queued), std::size_t{2});
}

void TestAllocationEnd::warningGoesOut()
{
    AllocationBench bench(10s);
    bench.openWith({taskOf("a", warned(SIGUSR1, 4s))});
    bench.begin(one, key(0));
    bench.pass(5'900ms);
    QVERIFY(bench.sent<Warn>(one).empty());
    bench.pass(200ms);
    const auto warnings = bench.sent<Warn>(one);
    QCOMPARE(warnings.size(), std::size_t{1});
    QCOMPARE(warnings.front().keys, std::vector{key(0)});
    QCOMPARE(warnings.front().signalNumber, SIGUSR1);
    bench.pass(2s);
    QVERIFY(bench.sent<Warn>(one).empty());
}

void TestAllocationEnd::withoutAnEndAllIsAsEver()
{
    MasterBench bench;
    bench.open(4);
    bench.hello(one);
    bench.settle();
    QVERIFY(bench.handed(one).size() > 1);
    QVERIFY(!bench.master->endedByAllocation());
}

QTEST_APPLESS_MAIN(TestAllocationEnd)

} // namespace tst_allocationend

#include "tst_allocationend.moc"

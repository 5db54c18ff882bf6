// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/runsummary.h"
#include "sessionbench.h"

#include <random>

namespace tst_runsummary {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;
using std::chrono::microseconds;

namespace {

/// A live run with two slots at rank 0. Time passes for agent and window alike.
struct Bench : SessionBench {
    explicit Bench(std::uint32_t tasks, std::uint32_t slots = 2)
    {
        session->addSink(meter);
        hear();
        begin(tasks, slots);
    }
    ~Bench() { session->removeSink(meter); }

    void pass(microseconds time)
    {
        at += time;
        clock.advance(time);
        hear();
    }
    [[nodiscard]] RunSummary summary() const { return summarize(*session, meter); }

    ActivityMeter meter;

private:
    void hear() { Q_EMIT source->heard(at); }
};

bool about(std::optional<double> value, double wanted, double tolerance = 0.001)
{
    return value && std::abs(*value - wanted) <= tolerance;
}

bool about(std::optional<microseconds> value, microseconds wanted)
{
    return value && std::abs((*value - wanted).count()) <= 1'000;
}

} // namespace

class TestRunSummary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingYet();
    void counts();
    void utilisation();
    void windowForgets();
    void rate();
    void remainingByMean();
    void remainingByRate();
    void over();
    void lostAndJoined();
    void aNewLife();
    void bruteForce();
    void monitor();
};

void TestRunSummary::nothingYet()
{
    SessionBench bench;
    const ActivityMeter meter;
    const RunSummary summary = summarize(*bench.session, meter);
    QCOMPARE(summary.total, std::size_t(0));
    QVERIFY(!summary.rate);
    QVERIFY(!summary.utilisation);
    QVERIFY(!summary.recentUtilisation);
    QVERIFY(!summary.remaining);
    QVERIFY(!summary.elapsed);
    QVERIFY(!summary.dataAge);
}

void TestRunSummary::counts()
{
    Bench bench(8);
    bench.happen({bench.ended(0), bench.ended(1, 1, Outcome::Failed), bench.started(2),
                  TaskHeld{.id = TaskId(3)}, TaskCancelled{.id = TaskId(4)},
                  TaskSkipped{.id = TaskId(5), .because = TaskId(1)},
                  TaskRemoved{.id = TaskId(6)}});
    const RunSummary summary = bench.summary();
    QCOMPARE(summary.total, std::size_t(7));
    QCOMPARE(summary.queued, std::size_t(1));
    QCOMPARE(summary.held, std::size_t(1));
    QCOMPARE(summary.running, std::size_t(1));
    QCOMPARE(summary.succeeded, std::size_t(1));
    QCOMPARE(summary.failed, std::size_t(1));
    QCOMPARE(summary.skipped, std::size_t(1));
    QCOMPARE(summary.cancelled, std::size_t(1));
    QCOMPARE(summary.done(), std::size_t(4));
    QCOMPARE(summary.slots, 2U);
    QCOMPARE(summary.busySlots, 1U);
    QVERIFY(summary.current);
    QVERIFY(!summary.over);
    bench.source->setState(ConnectionState::Waiting);
    QVERIFY(!bench.summary().current);
}

void TestRunSummary::utilisation()
{
    Bench bench(10);
    bench.happen({bench.started(0)});
    bench.pass(4s);
    QVERIFY(about(bench.summary().utilisation, 0.5));
    QVERIFY(about(bench.summary().recentUtilisation, 0.5));
    bench.happen({bench.ended(0, 1, Outcome::Succeeded, 4s)});
    QVERIFY(about(bench.summary().utilisation, 0.5));
    bench.pass(4s);
    QVERIFY(about(bench.summary().utilisation, 0.25));
    QVERIFY(about(bench.summary().recentUtilisation, 0.25));
    // An end of which nobody told the start.
    bench.happen({bench.ended(1, 1, Outcome::Succeeded, 4s)});
    QVERIFY(about(bench.summary().utilisation, 0.5));
    QVERIFY(about(bench.summary().recentUtilisation, 0.5));
    QCOMPARE(bench.summary().elapsed, std::optional<microseconds>(8s));
}

void TestRunSummary::windowForgets()
{
    Bench bench(10);
    bench.happen({bench.started(0), bench.started(1)});
    bench.pass(5s);
    bench.happen(
        {bench.ended(0, 1, Outcome::Succeeded, 5s), bench.ended(1, 1, Outcome::Failed, 5s)});
    bench.pass(30s);
    QVERIFY(about(bench.summary().recentUtilisation, 0.0));
    QVERIFY(about(bench.summary().utilisation, 5.0 / 35.0));
    QVERIFY(about(bench.summary().rate, 0.0));
    const auto rank = bench.meter.rank(Rank(0), bench.at);
    QCOMPARE(rank.ended, std::uint64_t(2));
    QCOMPARE(rank.failed, std::uint64_t(1));
    QCOMPARE(rank.recentShare, 0.0);
}

void TestRunSummary::rate()
{
    Bench bench(1'000);
    for (std::uint32_t id = 0; id < 100; ++id) {
        bench.pass(100ms);
        bench.happen({bench.ended(id, 1, Outcome::Succeeded, 100ms)});
    }
    QVERIFY(about(bench.summary().rate, 10.0, 0.3));
    // A retry is no end of a task.
    bench.happen({bench.ended(100, 1, Outcome::Failed, 1ms, Disposition::Retry)});
    QVERIFY(about(bench.summary().rate, 10.0, 0.3));
    QCOMPARE(bench.meter.tasksDone(), std::uint64_t(100));
}

void TestRunSummary::remainingByMean()
{
    Bench bench(12);
    QVERIFY(!bench.summary().remaining); // nothing to base it on
    bench.pass(10s);
    bench.happen(
        {bench.ended(0, 1, Outcome::Succeeded, 10s), bench.ended(1, 1, Outcome::Succeeded, 10s)});
    // Ten tasks of 10 s in two slots.
    QVERIFY(about(bench.summary().remaining, 50s));
    bench.happen({bench.started(2), bench.started(3)});
    bench.pass(4s);
    QVERIFY(about(bench.summary().remaining, 46s));
    // What runs longer than others did is not expected to give time back.
    bench.pass(60s);
    QVERIFY(about(bench.summary().remaining, 40s));
    std::vector<EventPayload> held;
    for (std::uint32_t id = 4; id < 12; ++id)
        held.emplace_back(TaskHeld{.id = TaskId(id)});
    bench.happen(std::move(held));
    QVERIFY(about(bench.summary().remaining, 0s));
}

void TestRunSummary::remainingByRate()
{
    Bench bench(1'000);
    // 20 tasks a second, although each of them runs but a millisecond.
    for (std::uint32_t id = 0; id < 200; ++id) {
        bench.pass(50ms);
        bench.happen({bench.ended(id, 1, Outcome::Succeeded, 1ms)});
    }
    const auto remaining = bench.summary().remaining;
    QVERIFY(remaining);
    QVERIFY2(*remaining > 38s && *remaining < 42s, qPrintable(QString::number(remaining->count())));
}

void TestRunSummary::over()
{
    Bench bench(1);
    bench.happen({bench.ended(0, 1, Outcome::Succeeded, 0s)});
    bench.pass(1s);
    bench.happen({RunClosed{.end = RunEnd::Complete, .elapsed = 90s}});
    bench.pass(1h);
    const RunSummary summary = bench.summary();
    QVERIFY(summary.over);
    QCOMPARE(summary.elapsed, std::optional<microseconds>(90s));
    QCOMPARE(summary.remaining, std::optional<microseconds>(0s));
    QVERIFY(!summary.rate);
    QVERIFY(about(summary.utilisation, 0.0));
}

void TestRunSummary::lostAndJoined()
{
    Bench bench(10);
    bench.happen({bench.started(0), bench.started(1)});
    bench.pass(4s);
    bench.happen({bench.ended(0, 1, Outcome::Lost, 0s, Disposition::Retry),
                  bench.ended(1, 1, Outcome::Lost, 0s, Disposition::Retry),
                  ProcessorLost{.rank = Rank(0), .incarnation = Incarnation(1)}});
    QCOMPARE(bench.summary().slots, 0U);
    QVERIFY(!bench.summary().recentUtilisation);
    QVERIFY(!bench.summary().remaining);
    bench.pass(4s); // nobody was there to be idle
    QVERIFY(about(bench.summary().utilisation, 1.0));
    bench.happen({ProcessorJoined{
        .rank = Rank(0), .incarnation = Incarnation(2), .host = "h", .pid = 1, .slots = 4}});
    bench.pass(4s);
    QCOMPARE(bench.summary().slots, 4U);
    QVERIFY(about(bench.summary().utilisation, 8.0 / 24.0));
}

void TestRunSummary::aNewLife()
{
    Bench bench(10);
    bench.happen({bench.started(0)});
    bench.pass(5s);
    bench.happen({bench.ended(0, 1, Outcome::Interrupted, 5s, Disposition::Requeue)});
    bench.pass(3s); // nobody knows how long it lived on
    bench.happen({RunOpened{}});
    QCOMPARE(bench.summary().busySlots, 0U);
    QCOMPARE(bench.summary().slots, 0U);
    QVERIFY(!bench.summary().utilisation);
    QCOMPARE(bench.summary().elapsed, std::optional<microseconds>(5s));
    bench.pass(2s);
    QCOMPARE(bench.summary().elapsed, std::optional<microseconds>(7s));
    bench.happen({RunClosed{.end = RunEnd::Interrupted, .elapsed = 2s}});
    QCOMPARE(bench.summary().elapsed, std::optional<microseconds>(7s));
}

void TestRunSummary::bruteForce()
{
    // Attempts of random lengths at random times: the meter against intervals added up.
    struct Interval {
        WallTime from;
        WallTime to;
    };
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        std::mt19937 random(seed);
        Bench bench(5'000, 8);
        const WallTime opened = bench.at;
        std::vector<Interval> done;
        std::map<std::uint32_t, WallTime> running;
        std::uint32_t next = 0;
        for (int step = 0; step < 2'000; ++step) {
            bench.pass(microseconds(random() % 40'000));
            if (running.size() < 8 && random() % 2 == 0) {
                running[next] = bench.at;
                bench.happen({bench.started(next++)});
            } else if (!running.empty()) {
                auto which = running.begin();
                std::advance(which, random() % running.size());
                bench.happen(
                    {bench.ended(which->first, 1, Outcome::Succeeded, bench.at - which->second)});
                done.push_back({which->second, bench.at});
                running.erase(which);
            }
            if (step % 50 != 0)
                continue;
            double recent = 0;
            double all = 0;
            const auto overlap = [](WallTime from, WallTime to, WallTime begin) {
                return std::max(0.0, static_cast<double>((to - std::max(from, begin)).count()));
            };
            const WallTime begin = std::max(opened, bench.at - ActivityMeter::window);
            for (const Interval& interval : done) {
                recent += overlap(interval.from, interval.to, begin);
                all += overlap(interval.from, interval.to, opened);
            }
            for (const auto& [id, since] : running) {
                recent += overlap(since, bench.at, begin);
                all += overlap(since, bench.at, opened);
            }
            const auto spanOf = [&](WallTime from) {
                return static_cast<double>((bench.at - from).count()) * 8;
            };
            if (bench.at == opened)
                continue;
            // The window may begin up to a quarter of a second earlier.
            QVERIFY(about(bench.summary().recentUtilisation, recent / spanOf(begin), 0.03));
            QVERIFY(about(bench.summary().utilisation, all / spanOf(opened), 0.0001));
        }
    }
}

void TestRunSummary::monitor()
{
    Bench bench(3);
    RunSummaryMonitor monitor(*bench.session, bench.meter);
    int changes = 0;
    connect(&monitor, &RunSummaryMonitor::changed, this, [&] { ++changes; });
    monitor.refresh();
    QCOMPARE(changes, 1);
    QCOMPARE(monitor.summary(), bench.summary());
    monitor.refresh();
    QCOMPARE(changes, 1);
    bench.source->setState(ConnectionState::Waiting);
    QCOMPARE(changes, 2); // not current any more: at once
    QVERIFY(!monitor.summary().current);
    bench.pass(1s);
    QTRY_COMPARE(changes, 3); // by itself
}

QTEST_GUILESS_MAIN(TestRunSummary)

} // namespace tst_runsummary

#include "tst_runsummary.moc"

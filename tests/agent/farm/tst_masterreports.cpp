// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

#include <chrono>
#include <limits>

namespace tst_masterreports {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Bench = OperationsBench;

} // namespace

/// What workers say of their attempts: output on request, run times.
class TestMasterReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void peekOfARunningTask();
    void peekOfNothing();
    void peekOfALostWorker();
    void peekOfTasksThatAreNotInTheSchedulerYet();
    void absurdRunTimesDoNotStopTheRun();
};

void TestMasterReports::peekOfARunningTask()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.hello(two, 1);
    bench.settle();
    std::vector<OutputAnswer> answers;
    const auto note = [&](OutputAnswer answer) { answers.push_back(std::move(answer)); };
    const OutputQuery query{.key = key(1), .standardOutputFrom = 10, .standardErrorFrom = 20};
    bench.master->peek(query, note);
    bench.master->peek(query, note);
    const auto asked = bench.sent<Peek>(two);
    QCOMPARE(asked.size(), std::size_t{2});
    QCOMPARE(asked[0].query, query);
    QVERIFY(asked[0].number != asked[1].number);
    QVERIFY(answers.empty());
    OutputAnswer said{.key = key(1), .known = true, .running = true};
    said.standardOutput = {.offset = 10, .bytes = "abc", .totalBytes = 13};
    bench.say(one, Peeked{asked[1].number, said}); // it was not asked
    bench.say(two, Peeked{99, said});
    QVERIFY(answers.empty());
    bench.say(two, Peeked{asked[1].number, said});
    QCOMPARE(answers, std::vector{said});
    bench.say(two, Peeked{asked[1].number, said});
    QCOMPARE(answers.size(), std::size_t{1});
    bench.say(two, Peeked{asked[0].number, OutputAnswer{.key = key(1)}});
    QCOMPARE(answers.size(), std::size_t{2});
    QVERIFY(!answers[1].known);
}

void TestMasterReports::peekOfNothing()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.settle();
    std::vector<OutputAnswer> answers;
    const auto peek = [&](AttemptKey wanted) {
        bench.master->peek({.key = wanted},
                           [&](OutputAnswer answer) { answers.push_back(std::move(answer)); });
    };
    for (const AttemptKey& wanted : {key(0, 2), key(1), key(2), key(0xFFFFFFFFU)}) {
        answers.clear();
        peek(wanted);
        QCOMPARE(answers, std::vector{OutputAnswer{.key = wanted}});
    }
    QVERIFY(bench.sent<Peek>(one).empty());
    bench.end(one, key(0));
    answers.clear();
    peek(key(0));
    QCOMPARE(answers.size(), std::size_t{1});
}

void TestMasterReports::peekOfALostWorker()
{
    Bench bench("echo 0\necho 1\n");
    bench.hello(one, 1);
    bench.hello(two, 1);
    bench.settle();
    std::vector<OutputAnswer> answers;
    for (const std::uint32_t task : {0U, 1U, 0U}) {
        bench.master->peek({.key = key(task)},
                           [&](OutputAnswer answer) { answers.push_back(std::move(answer)); });
    }
    const auto asked = bench.sent<Peek>(one);
    bench.gone(one);
    bench.hold(one, Incarnation(2)); // somebody takes over
    bench.hello(one, 1);
    QCOMPARE(answers.size(), std::size_t{2});
    for (const OutputAnswer& answer : answers)
        QCOMPARE(answer, OutputAnswer{.key = key(0)});
    bench.say(one, Peeked{asked[0].number, OutputAnswer{.key = key(0), .known = true}});
    QCOMPARE(answers.size(), std::size_t{2});
    bench.leave(two);
    QCOMPARE(answers.size(), std::size_t{3});
}

void TestMasterReports::peekOfTasksThatAreNotInTheSchedulerYet()
{
    MasterBench early;
    early.open(3);
    early.hello(one);
    int unknown = 0;
    const auto note = [&](const OutputAnswer& answer) { unknown += answer.known ? 0 : 1; };
    early.master->peek({.key = key(0)}, note);
    early.master->interrupt(); // ends before it has begun: nothing is ever scheduled
    early.master->peek({.key = key(0)}, note);
    early.journal.commit();
    QCOMPARE(early.state.tasks().size(), std::size_t{3});
    early.master->peek({.key = key(2)}, note);
    QCOMPARE(unknown, 3);
}

/// What a worker says cannot make the record impossible.
void TestMasterReports::absurdRunTimesDoNotStopTheRun()
{
    std::string list;
    for (int task = 0; task < 40; ++task)
        list += "#TASUKI retries=1\ntrue\n";
    Bench bench(list);
    bench.hello(one, 40);
    bench.settle();
    for (std::uint32_t task = 0; task < 40; ++task) {
        AttemptResult result;
        result.outcome = task % 3 == 0 ? Outcome::Failed : Outcome::Succeeded;
        result.elapsed = std::chrono::microseconds::max();
        if (task % 2 == 0)
            result.elapsed /= 8;
        bench.say(one, Report{.started = {}, .finished = {{key(task), SlotIndex(0), result}}});
    }
    bench.pass(1'000ms);
    for (std::uint32_t task = 0; task < 40; task += 3) {
        AttemptResult result;
        result.outcome = Outcome::Succeeded;
        result.elapsed = std::chrono::microseconds(std::numeric_limits<std::int64_t>::min());
        bench.say(one, Report{.started = {}, .finished = {{key(task, 2), SlotIndex(0), result}}});
    }
    bench.settle();
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{40});
    for (const AttemptFinished& ended : bench.recorded<AttemptFinished>())
        QVERIFY(ended.result.elapsed >= 0us
                && ended.result.elapsed <= std::chrono::hours(24 * 3'660));
    QCOMPARE(bench.master->end(), RunEnd::Complete);
    // Likely ones are left alone.
    Bench likely("true\n");
    likely.hello(one, 1);
    likely.settle();
    AttemptResult result;
    result.outcome = Outcome::Succeeded;
    result.elapsed = 400h;
    likely.say(one, Report{.started = {}, .finished = {{key(0), SlotIndex(0), result}}});
    likely.settle();
    QVERIFY(likely.recorded<AttemptFinished>().front().result.elapsed == 400h);
}

QTEST_APPLESS_MAIN(TestMasterReports)

} // namespace tst_masterreports

#include "tst_masterreports.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "masterbench.h"

namespace tst_master {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Phase = Master::Phase;
using Keys = std::vector<AttemptKey>;

const Rank one(1);
const Rank two(2);
const Rank three(3);

} // namespace

/// The phases and the consequences of losses, as docs/farm.md has them.
class TestMaster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingIsHandedOutBeforeTheListIsCommitted();
    void aRunFromTheBeginningToTheEnd();
    void emptyListEndsAtOnceForThoseToComeToo();
    void goneWorkerIsForgottenAndItsTasksGoElsewhere();
    void interruptOnceLetsRunningTasksFinish();
    void interruptTwiceKills();
    void interruptWhileOpening();
    void interruptedAfterTheLastTaskIsComplete();
    void withoutWorkersTheRunIsInterrupted();
    void holdersToComeAreAwaited();
    void lastWorkerGoneAfterTheLastTaskIsComplete();
    void brokenWorkerIsNoticed();
    void brokenWorkerAfterTheEndIsNotRecorded();
    void stalledRecordStopsTheHandOut();
    void stalledRecordCanBeLeft();
    void recordThatRecoversLateChangesNothing();
    void dismissalHasALimit();
    void workersOfOtherEpochsAreNotHeard();
    void strangersAreNotHeard();
    void largeHandOutsAreSplit();
    void onlyChosenTasksRun();
    void onlyChosenTasksWithRetries();
};

void TestMaster::nothingIsHandedOutBeforeTheListIsCommitted()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    QCOMPARE(bench.sent<Welcome>(one).size(), std::size_t{1});
    bench.master->poll();
    QCOMPARE(bench.master->phase(), Phase::Opening);
    QVERIFY(bench.handed(one).empty());
    bench.journal.commit();
    QCOMPARE(bench.master->phase(), Phase::Opening);
    bench.master->poll();
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.master->poll();
    QCOMPARE(bench.handed(one), Keys{key(0)});
}

void TestMaster::aRunFromTheBeginningToTheEnd()
{
    MasterBench bench;
    bench.open(3);
    for (const Rank rank : {one, two, three})
        bench.hello(rank);
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0)});
    QCOMPARE(bench.handed(two), Keys{key(1)});
    QCOMPARE(bench.handed(three), Keys{key(2)});
    bench.begin(two, key(1));
    bench.master->poll();
    QVERIFY(!bench.journal.hurried());
    bench.end(one, key(0));
    bench.end(two, key(1), Outcome::Failed);
    bench.master->poll();
    QVERIFY(bench.journal.hurried()); // idle slots, and what may follow waits for the record
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.end(three, key(2));
    bench.master->poll();
    QCOMPARE(bench.master->phase(), Phase::Running); // until the record says that all is done
    bench.journal.commit();
    bench.master->poll();
    QCOMPARE(bench.master->phase(), Phase::Closing);
    QVERIFY(bench.sent<Goodbye>(one).empty()); // not before the record is complete
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    QCOMPARE(bench.master->end(), RunEnd::Complete);
    for (const Rank rank : {one, two, three}) {
        QVERIFY(!bench.master->over());
        QCOMPARE(bench.sent<Goodbye>(rank), std::vector{Goodbye{.losses = false}});
        bench.leave(rank);
        bench.settle();
    }
    QVERIFY(bench.master->over());
    QCOMPARE(bench.recorded<AttemptStarted>().size(), std::size_t{1});
    QCOMPARE(bench.recorded<AttemptFinished>().size(), std::size_t{3});
    QCOMPARE(bench.recorded<RunClosed>().size(), std::size_t{1});
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{2});
    QCOMPARE(bench.state.count(TaskState::Failed), std::size_t{1});
    QCOMPARE(std::size_t(bench.published), bench.journal.record().size());
    QVERIFY(std::holds_alternative<RunClosed>(bench.journal.record().back().payload));
}

void TestMaster::emptyListEndsAtOnceForThoseToComeToo()
{
    MasterBench bench;
    bench.open(0);
    bench.hello(one);
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    bench.leave(one);
    bench.settle();
    QVERIFY(!bench.master->over()); // two and three are on their way
    for (const Rank rank : {two, three}) {
        bench.hello(rank);
        QVERIFY(bench.sent<Welcome>(rank).empty());
        QCOMPARE(bench.sent<Goodbye>(rank).size(), std::size_t{1});
        bench.leave(rank);
    }
    bench.settle();
    QVERIFY(bench.master->over());
}

void TestMaster::goneWorkerIsForgottenAndItsTasksGoElsewhere()
{
    MasterBench bench;
    bench.open(2);
    bench.hello(one, 2);
    bench.settle();
    QCOMPARE(bench.handed(one), (Keys{key(0), key(1)}));
    bench.begin(one, key(0));
    bench.gone(one);
    QVERIFY(bench.transport.hasForgotten(MasterBench::holderOf(one)));
    bench.hello(two, 2);
    bench.settle();
    QCOMPARE(bench.handed(two), (Keys{key(0, 2), key(1, 1)}));
    const auto ends = bench.recorded<AttemptFinished>();
    QCOMPARE(ends.size(), std::size_t{1});
    QCOMPARE(ends[0].result.outcome, Outcome::Lost);
    QCOMPARE(ends[0].disposition, Disposition::Retry);
    QCOMPARE(bench.recorded<ProcessorLost>(),
             (std::vector{ProcessorLost{one, Incarnation(1), LossCause::Gone}}));
    QVERIFY(bench.master->losses());
}

void TestMaster::interruptOnceLetsRunningTasksFinish()
{
    MasterBench bench;
    bench.open(20);
    for (const Rank rank : {two, three}) {
        bench.hello(rank);
        bench.gone(rank);
    }
    bench.hello(one, 2);
    bench.settle();
    QCOMPARE(bench.handed(one).size(), std::size_t{4});
    bench.master->interrupt();
    QCOMPARE(bench.master->phase(), Phase::Draining);
    QCOMPARE(bench.sent<Recall>(one), std::vector{Recall{4}});
    bench.say(one, Returned{{key(3), key(2)}});
    bench.end(one, key(0), Outcome::Failed);
    bench.settle();
    QVERIFY(bench.handed(one).empty());
    QCOMPARE(bench.master->phase(), Phase::Draining);
    QVERIFY(bench.sent<Halt>(one).empty());
    bench.end(one, key(1));
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QCOMPARE(bench.state.unfinished(), std::size_t{18});
    QCOMPARE(bench.recorded<RunClosed>().at(0).end, RunEnd::Interrupted);
}

void TestMaster::interruptTwiceKills()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.begin(one, key(0));
    bench.master->interrupt();
    bench.master->interrupt();
    QCOMPARE(bench.master->phase(), Phase::Killing);
    QCOMPARE(bench.sent<Halt>(one).size(), std::size_t{1});
    bench.master->interrupt(); // nothing more to do
    QCOMPARE(bench.master->phase(), Phase::Killing);
    bench.say(one, Returned{});
    bench.end(one, key(0), Outcome::Interrupted);
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QCOMPARE(bench.recorded<AttemptFinished>().at(0).disposition, Disposition::Requeue);
    QCOMPARE(bench.state.count(TaskState::Queued), std::size_t{1});
}

void TestMaster::interruptWhileOpening()
{
    MasterBench bench;
    bench.open(5);
    bench.hello(one);
    bench.master->interrupt();
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QVERIFY(bench.handed(one).empty());
    QCOMPARE(bench.state.count(TaskState::Queued), std::size_t{5}); // the list is in the record
}

void TestMaster::interruptedAfterTheLastTaskIsComplete()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.master->interrupt();
    bench.end(one, key(0));
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Complete);
}

void TestMaster::withoutWorkersTheRunIsInterrupted()
{
    MasterBench bench;
    bench.open(1);
    for (const Rank rank : {one, two, three})
        bench.hello(rank);
    bench.settle();
    bench.gone(two);
    bench.gone(three);
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.gone(one);
    bench.settle();
    QVERIFY(bench.master->over());
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QCOMPARE(bench.recorded<Notice>().size(), std::size_t{1});
}

void TestMaster::holdersToComeAreAwaited()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.master->awaitHolders(true);
    for (const Rank rank : {one, two, three})
        bench.gone(rank);
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    QVERIFY(bench.recorded<Notice>().empty());
    bench.master->awaitHolders(false);
    bench.settle();
    QVERIFY(bench.master->phase() >= Phase::Closing);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
}

void TestMaster::lastWorkerGoneAfterTheLastTaskIsComplete()
{
    for (const bool interrupted : {false, true}) {
        MasterBench bench;
        bench.open(1);
        for (const Rank rank : {one, two, three})
            bench.hello(rank);
        bench.settle();
        if (interrupted)
            bench.master->interrupt();
        bench.end(one, key(0));
        for (const Rank rank : {one, two, three})
            bench.gone(rank);
        bench.settle();
        QVERIFY(bench.master->over());
        QCOMPARE(bench.master->end(), RunEnd::Complete);
        QVERIFY(bench.recorded<Notice>().empty());
    }
}

void TestMaster::brokenWorkerIsNoticed()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.hello(two);
    bench.settle();
    bench.begin(one, key(0));
    bench.say(one, Broken{"no guardian"});
    bench.settle();
    QCOMPARE(bench.recorded<Notice>().size(), std::size_t{1});
    QCOMPARE(bench.recorded<Notice>()[0].severity, Severity::Failure);
    QVERIFY(bench.recorded<Notice>()[0].text.text().find("no guardian") != std::string::npos);
    QCOMPARE(bench.handed(two), Keys{key(0, 2)});
}

void TestMaster::brokenWorkerAfterTheEndIsNotRecorded()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.hello(two);
    bench.settle();
    bench.end(one, key(0));
    bench.journal.commit();
    bench.master->poll();
    QCOMPARE(bench.master->phase(), Phase::Closing);
    bench.say(two, Broken{"no guardian"});
    bench.settle();
    bench.say(one, Broken{"no guardian"});
    bench.settle();
    QVERIFY(std::holds_alternative<RunClosed>(bench.journal.record().back().payload));
    QVERIFY(bench.recorded<Notice>().empty());
}

void TestMaster::stalledRecordStopsTheHandOut()
{
    MasterBench bench;
    bench.open(2);
    bench.hello(one);
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0)});
    bench.journal.stall();
    bench.end(one, key(0));
    bench.pass(2'000ms);
    QVERIFY(bench.handed(one).empty());
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{0}); // not in the record yet
    bench.journal.recover();
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(1)});
    QCOMPARE(bench.state.count(TaskState::Succeeded), std::size_t{1});
    QCOMPARE(bench.stalls, (std::vector{true, false}));
    // Whoever looks at the record later finds out: it is an alarm.
    QCOMPARE(bench.state.alarms().all().size(), std::size_t{1});
    QCOMPARE(bench.recorded<Notice>().size(), std::size_t{1});
    QVERIFY(bench.recorded<Notice>().front().text.text().find("no space left")
            != std::string::npos);
}

void TestMaster::stalledRecordCanBeLeft()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.journal.stall();
    bench.end(one, key(0));
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.master->interrupt();
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Draining);
    bench.master->interrupt();
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Killing);
    QVERIFY(bench.sent<Goodbye>(one).empty());
    bench.master->interrupt();
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted); // what is not in the record is not done
    QCOMPARE(bench.sent<Goodbye>(one).size(), std::size_t{1});
}

void TestMaster::recordThatRecoversLateChangesNothing()
{
    MasterBench bench;
    bench.open(1);
    bench.hello(one);
    bench.settle();
    bench.journal.stall();
    bench.end(one, key(0));
    bench.settle();
    for (int i = 0; i < 3; ++i)
        bench.master->interrupt();
    bench.leave(one);
    bench.pass(5'100ms);
    QVERIFY(bench.master->over());
    bench.journal.recover();
    bench.journal.commit();
    QVERIFY(bench.master->over());
    QCOMPARE(bench.sent<Goodbye>(one).size(), std::size_t{1});
}

void TestMaster::dismissalHasALimit()
{
    MasterBench bench;
    bench.open(0);
    bench.hello(one);
    bench.settle();
    bench.pass(5'000ms);
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    bench.pass(100ms);
    QVERIFY(bench.master->over());
}

void TestMaster::workersOfOtherEpochsAreNotHeard()
{
    MasterBench bench(Epoch(5));
    bench.open(1);
    bench.hello(one);
    bench.settle();
    AttemptResult result;
    result.outcome = Outcome::Succeeded;
    for (const std::uint32_t epoch : {0U, 4U, 6U}) {
        bench.master->receive(
            ProcessorId(1),
            {.epoch = Epoch(epoch),
             .held = {one, Incarnation(1)},
             .message = Report{.started = {}, .finished = {{key(0), SlotIndex(0), result}}}});
    }
    bench.settle();
    QVERIFY(bench.recorded<AttemptFinished>().empty());
}

void TestMaster::strangersAreNotHeard()
{
    MasterBench bench;
    bench.open(1);
    const ProcessorId stranger(9);
    for (const Rank rank : {Rank(9), one}) { // a rank that there is not; another one's
        bench.master->receive(stranger,
                              {.epoch = Epoch(1),
                               .held = {rank, Incarnation(1)},
                               .message = Hello{.host = {}, .pid = 1, .slotCount = 1}});
    }
    bench.master->receive(stranger, {.epoch = Epoch(1), .held = {}, .message = Left{}});
    bench.settle();
    QVERIFY(bench.recorded<ProcessorJoined>().empty());
    // A worker's message that only a master may send is no reason to stumble.
    bench.hello(one);
    bench.say(one, Halt{});
    bench.say(one, Assign{});
    bench.settle();
    QCOMPARE(bench.handed(one), Keys{key(0)});
}

void TestMaster::largeHandOutsAreSplit()
{
    MasterBench bench;
    bench.open(3'000);
    bench.hello(one, 3'000);
    bench.settle();
    const auto messages = bench.sent<Assign>(one);
    QCOMPARE(messages.size(), std::size_t{3});
    std::uint32_t next = 0;
    for (const Assign& message : messages) {
        QVERIFY(message.tasks.size() <= 1'024);
        for (const AssignedTask& task : message.tasks)
            QCOMPARE(task.key, key(next++));
    }
    QCOMPARE(next, 3'000U);
}

// Fails if others are handed out, if the run waits for them, or is said to be complete without them.
void TestMaster::onlyChosenTasksRun()
{
    MasterOptions options;
    options.only = {{TaskId(1), TaskId(1)}, {TaskId(3), TaskId(3)}};
    MasterBench bench(Epoch(1), options);
    std::vector<EventPayload> opening = openingOf(5);
    auto& after = std::get<TaskAdded>(opening[3]).task; // task 2 waits for task 1
    after.links = std::make_shared<const TaskLinks>(TaskLinks{.label = {}, .after = {TaskId(1)}});
    bench.master->open(std::move(opening));
    bench.hello(one, 8);
    bench.settle();
    const AttemptNumber first(1);
    QCOMPARE(bench.handed(one), (Keys{{TaskId(1), first}, {TaskId(3), first}}));
    bench.end(one, {TaskId(3), first});
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    bench.end(one, {TaskId(1), first});
    bench.settle();
    QCOMPARE(bench.handed(one), (Keys{{TaskId(2), first}}));
    bench.end(one, {TaskId(2), first}, Outcome::Failed);
    bench.settle();
    QCOMPARE(bench.recorded<RunClosed>().size(), std::size_t{1});
    QCOMPARE(bench.recorded<RunClosed>().front().end, RunEnd::Interrupted);
    QCOMPARE(bench.state.count(TaskState::Queued), std::size_t{2});
    QVERIFY(bench.recorded<TaskHeld>().empty()); // the next life does them
}

// Fails if the run ends while a task waits to be tried again.
void TestMaster::onlyChosenTasksWithRetries()
{
    MasterOptions options;
    options.only = {{TaskId(0), TaskId(0)}};
    MasterBench bench(Epoch(1), options);
    RetryBudget budget;
    budget.allowed.fill(1);
    bench.open(2, budget);
    bench.hello(one);
    bench.settle();
    QCOMPARE(bench.handed(one).size(), std::size_t{1});
    bench.end(one, {TaskId(0), AttemptNumber(1)}, Outcome::Failed);
    bench.settle();
    QVERIFY(bench.recorded<RunClosed>().empty());
    bench.pass(2s);
    QCOMPARE(bench.handed(one), (Keys{{TaskId(0), AttemptNumber(2)}}));
    bench.end(one, {TaskId(0), AttemptNumber(2)});
    bench.settle();
    QCOMPARE(bench.recorded<RunClosed>().front().end, RunEnd::Interrupted);
}

QTEST_APPLESS_MAIN(TestMaster)

} // namespace tst_master

#include "tst_master.moc"

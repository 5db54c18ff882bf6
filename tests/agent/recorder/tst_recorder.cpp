// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "recorderbench.h"
#include "support/settled.h"

#include <algorithm>
#include <numeric>
#include <thread>

namespace tst_recorder {

using namespace std::chrono_literals;
using namespace tasuki;
using tasuki::testing::RecorderBench;

/// Group commit, order, a full disk, and the end, with the real thread of the recorder.
class TestRecorder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void identitiesCountUpWithinTheEpoch();
    void timesAreTheClocks();
    void eventsAreToldInOrderOnceAndAfterTheStore();
    void eventsThatComeDuringACommitMakeTheNextOne();
    void batchesAreSplitAtTheLimit();
    void manyEventsFromABusyReactor();
    void failureStallsAndTheSameBatchIsTriedAgain();
    void goesOnWithinAnEpoch();
    void newEpochBeginsAnew();
    void eachStallIsToldOnce();
    void destructionCommitsWhatIsLeft();
    void whatIsHurriedDoesNotWait();
    void destructionCommitsAllBatches();
    void destructionWhileStalledDoesNotHang();
    void destructionWithoutEventsDoesNotHang();
    void whatIsDroppedIsNeitherStoredNorTold();
    void whatIsHeldIsNeitherStoredNorTold();
    void whatIsHeldCanBeDropped();
    void postedCallsAfterDestructionDoNothing();
    void callbacksMayAppend();
    void callbacksMayBeLeftOut();
};

void TestRecorder::identitiesCountUpWithinTheEpoch()
{
    RecorderBench bench;
    QCOMPARE(bench.recorder->epoch(), Epoch(3));
    QCOMPARE(bench.recorder->append(Notice{}), (EventId{Epoch(3), Sequence(1)}));
    QCOMPARE(bench.recorder->append(Notice{}), (EventId{Epoch(3), Sequence(2)}));
    QCOMPARE(bench.recorder->uncommitted(), std::size_t{2});
    QVERIFY(bench.runUntilCommitted(2));
    QCOMPARE(bench.recorder->uncommitted(), std::size_t{0});
    QCOMPARE(bench.recorder->append(Notice{}), (EventId{Epoch(3), Sequence(3)}));
}

void TestRecorder::timesAreTheClocks()
{
    RecorderBench bench;
    bench.clock.advance(5s);
    const WallTime first = bench.clock.wallNow();
    bench.append(1);
    bench.clock.advance(3us);
    bench.append(1);
    QVERIFY(bench.runUntilCommitted(2));
    QVERIFY(bench.committed[0].monotonic == 5s); // since the recorder was made
    QVERIFY(bench.committed[0].wallTime == first);
    QVERIFY(bench.committed[1].monotonic == 5s + 3us);
    QVERIFY(bench.committed[1].wallTime == first + 3us);
}

void TestRecorder::eventsAreToldInOrderOnceAndAfterTheStore()
{
    RecorderBench bench;
    for (int round = 0; round < 20; ++round) {
        bench.append(1 + round % 7);
        bench.posts.runAll();
        QVERIFY(bench.committed.size() <= bench.store.stored().size());
        QCOMPARE(bench.recorder->uncommitted() + bench.committed.size(),
                 static_cast<std::size_t>(bench.appended));
    }
    QVERIFY(bench.runUntilCommitted(static_cast<std::size_t>(bench.appended)));
    QCOMPARE(bench.committed.size(), static_cast<std::size_t>(bench.appended));
    QVERIFY(RecorderBench::inOrder(bench.committed));
    QVERIFY(bench.store.stored() == bench.committed);
}

void TestRecorder::eventsThatComeDuringACommitMakeTheNextOne()
{
    RecorderBench bench;
    bench.store.setBlocked(true);
    bench.append(1);
    QVERIFY(bench.store.waitForCalls(1));
    bench.append(100);
    QCOMPARE(bench.posts.runAll(), std::size_t{0});
    bench.store.setBlocked(false);
    QVERIFY(bench.runUntilCommitted(101));
    QCOMPARE(bench.store.sizes(), (std::vector<std::size_t>{1, 100}));
    QCOMPARE(bench.batches, (std::vector<std::size_t>{1, 100}));
}

void TestRecorder::batchesAreSplitAtTheLimit()
{
    Recorder::Options options = RecorderBench::quick();
    options.maxBatch = 10;
    RecorderBench bench(options);
    bench.store.setBlocked(true);
    bench.append(1);
    QVERIFY(bench.store.waitForCalls(1));
    bench.append(35);
    bench.store.setBlocked(false);
    QVERIFY(bench.runUntilCommitted(36));
    QCOMPARE(bench.store.sizes(), (std::vector<std::size_t>{1, 10, 10, 10, 5}));
    QVERIFY(RecorderBench::inOrder(bench.committed));
}

void TestRecorder::manyEventsFromABusyReactor()
{
    Recorder::Options options = RecorderBench::quick();
    options.maxBatch = 64;
    RecorderBench bench(options);
    for (int round = 0; round < 2'000; ++round) {
        bench.append(5);
        bench.posts.runAll();
    }
    QVERIFY(bench.runUntilCommitted(10'000));
    QVERIFY(RecorderBench::inOrder(bench.committed));
    const auto sizes = bench.store.sizes();
    QVERIFY(*std::ranges::max_element(sizes) <= 64);
    QCOMPARE(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), std::size_t{10'000});
    QVERIFY(sizes.size() < 2'000); // gathered, not one by one
}

void TestRecorder::failureStallsAndTheSameBatchIsTriedAgain()
{
    RecorderBench bench;
    bench.store.setFull(true);
    bench.append(3);
    QVERIFY(bench.posts.runUntil([&] { return bench.stalls.size() == 1; }));
    QCOMPARE(bench.stalls[0].kind, ErrorKind::NoSpace);
    const std::vector<Event> refused = bench.store.offered();
    bench.append(4);
    QVERIFY(bench.store.waitForCalls(5));
    QVERIFY(bench.store.offered() == refused); // what came later must not overtake it
    QVERIFY(bench.store.stored().empty());
    bench.posts.runAll();
    QVERIFY(bench.committed.empty());
    QCOMPARE(bench.recorder->uncommitted(), std::size_t{7});
    QCOMPARE(bench.stalls.size(), std::size_t{1});
    QCOMPARE(bench.resumptions, 0);

    bench.store.setFull(false);
    QVERIFY(bench.posts.runUntil([&] { return bench.resumptions == 1; }));
    QVERIFY(bench.committed.empty()); // told that it goes on before what went on
    QVERIFY(bench.runUntilCommitted(7));
    QVERIFY(RecorderBench::inOrder(bench.committed));
    QVERIFY(bench.store.stored() == bench.committed);
    QCOMPARE(bench.stalls.size(), std::size_t{1});
    QCOMPARE(bench.resumptions, 1);
}

void TestRecorder::goesOnWithinAnEpoch()
{
    Recorder::Options options = RecorderBench::quick();
    options.after = {Epoch(3), Sequence(41)};
    options.elapsed = 5s;
    RecorderBench bench(options);
    const EventId first{Epoch(3), Sequence(42)};
    QCOMPARE(bench.recorder->append(SystemStarted{}), first);
    bench.clock.advance(2s);
    bench.recorder->append(SystemStarted{});
    QVERIFY(bench.posts.runUntil([&] { return bench.committed.size() == 2; }));
    QCOMPARE(bench.committed[0].id, first);
    QCOMPARE(bench.committed[0].monotonic, std::chrono::nanoseconds(5s));
    QCOMPARE(bench.committed[1].id, (EventId{Epoch(3), Sequence(43)}));
    QCOMPARE(bench.committed[1].monotonic, std::chrono::nanoseconds(7s));
}

void TestRecorder::newEpochBeginsAnew()
{
    Recorder::Options options = RecorderBench::quick();
    options.after = {Epoch(2), Sequence(41)};
    RecorderBench bench(options);
    QCOMPARE(bench.recorder->append(SystemStarted{}), (EventId{Epoch(3), Sequence(1)}));
}

void TestRecorder::eachStallIsToldOnce()
{
    RecorderBench bench;
    for (int stall = 1; stall <= 3; ++stall) {
        bench.store.setFull(true);
        bench.append(2);
        QVERIFY(bench.posts.runUntil([&] { return bench.stalls.size() == std::size_t(stall); }));
        bench.store.setFull(false);
        QVERIFY(bench.runUntilCommitted(std::size_t(stall) * 2));
        QCOMPARE(bench.resumptions, stall);
    }
    QVERIFY(RecorderBench::inOrder(bench.committed));
}

void TestRecorder::destructionCommitsWhatIsLeft()
{
    Recorder::Options options;
    options.pause = 1h; // nobody waits for it
    RecorderBench bench(options);
    bench.append(5);
    bench.recorder.reset();
    QCOMPARE(bench.store.stored().size(), std::size_t{5});
    QVERIFY(RecorderBench::inOrder(bench.store.stored()));
}

void TestRecorder::whatIsHurriedDoesNotWait()
{
    Recorder::Options options;
    options.pause = 1h;
    RecorderBench bench(options);
    bench.recorder->hurry(); // there is nothing: what comes later waits
    bench.append(2);
    testing::waitUntilOthersSleep();
    QCOMPARE(bench.store.calls(), std::size_t{0});
    bench.recorder->hurry();
    bench.recorder->hurry();
    QVERIFY(bench.runUntilCommitted(2));
    bench.append(1);
    testing::waitUntilOthersSleep();
    QCOMPARE(bench.store.calls(), std::size_t{1});
}

void TestRecorder::destructionCommitsAllBatches()
{
    Recorder::Options options = RecorderBench::quick();
    options.maxBatch = 4;
    RecorderBench bench(options);
    bench.store.setBlocked(true);
    bench.append(1);
    QVERIFY(bench.store.waitForCalls(1));
    bench.append(21);
    bench.store.setBlocked(false);
    bench.recorder.reset();
    QCOMPARE(bench.store.stored().size(), std::size_t{22});
    QVERIFY(RecorderBench::inOrder(bench.store.stored()));
}

void TestRecorder::destructionWhileStalledDoesNotHang()
{
    Recorder::Options options = RecorderBench::quick();
    options.retryPause = 1h;
    RecorderBench bench(options);
    bench.store.setFull(true);
    bench.append(3);
    QVERIFY(bench.posts.runUntil([&] { return !bench.stalls.empty(); }));
    bench.append(3);
    bench.recorder.reset();
    QVERIFY(bench.store.stored().empty());
    QCOMPARE(bench.store.calls(), std::size_t{1});
}

void TestRecorder::destructionWithoutEventsDoesNotHang()
{
    for (int i = 0; i < 50; ++i) {
        RecorderBench bench;
        bench.recorder.reset();
        QCOMPARE(bench.store.calls(), std::size_t{0});
    }
}

// Its master leads no more: another one may record by now, and read what this one has stored.
void TestRecorder::whatIsDroppedIsNeitherStoredNorTold()
{
    RecorderBench bench;
    bench.append(2);
    QVERIFY(bench.store.waitForCalls(1));
    bench.store.setBlocked(true);
    bench.append(3);
    QVERIFY(bench.store.waitForCalls(2)); // is under way
    bench.append(4);
    std::thread later([&bench, self = ::gettid()] {
        testing::waitUntilAsleep(self); // it waits for what is under way
        bench.store.setBlocked(false);
    });
    bench.recorder->drop();
    later.join();
    QCOMPARE(bench.store.stored().size(), std::size_t{5});
    bench.posts.runAll();
    QVERIFY(bench.committed.empty());
    bench.recorder.reset();
    QCOMPARE(bench.store.calls(), std::size_t{2});
}

/// Also what was being stored when that began. Afterwards all is as if nothing had been.
void TestRecorder::whatIsHeldIsNeitherStoredNorTold()
{
    RecorderBench bench;
    bench.store.setBlocked(true);
    bench.append(2);
    QVERIFY(bench.store.waitForCalls(1));
    bench.recorder->hold(true);
    bench.append(3);
    bench.recorder->hurry();
    bench.store.setBlocked(false);
    testing::waitUntilOthersSleep();
    bench.posts.runAll();
    QCOMPARE(bench.store.calls(), std::size_t{1});
    QVERIFY(bench.committed.empty());
    QCOMPARE(bench.recorder->uncommitted(), std::size_t{5});
    bench.recorder->hold(false);
    QCOMPARE(bench.committed.size(), std::size_t{2});
    QVERIFY(bench.runUntilCommitted(5));
    QVERIFY(RecorderBench::inOrder(bench.committed));
    QCOMPARE(bench.recorder->uncommitted(), std::size_t{0});
}

void TestRecorder::whatIsHeldCanBeDropped()
{
    RecorderBench bench;
    bench.recorder->hold(true);
    bench.append(2);
    testing::waitUntilOthersSleep();
    bench.recorder->drop();
    bench.recorder->hold(false);
    bench.posts.runAll();
    QCOMPARE(bench.store.calls(), std::size_t{0});
    QVERIFY(bench.committed.empty());
}

void TestRecorder::postedCallsAfterDestructionDoNothing()
{
    RecorderBench bench;
    bench.append(2);
    QVERIFY(bench.store.waitForCalls(1));
    bench.recorder.reset();
    QVERIFY(bench.posts.runAll() >= 1); // was under way
    QVERIFY(bench.committed.empty());

    RecorderBench stalled;
    stalled.store.setFull(true);
    stalled.append(2);
    QVERIFY(stalled.store.waitForCalls(2));
    stalled.recorder.reset();
    QVERIFY(stalled.posts.runAll() >= 1);
    QVERIFY(stalled.stalls.empty());
}

void TestRecorder::callbacksMayAppend()
{
    RecorderBench bench;
    int told = 0;
    bench.recorder->setCallbacks({.committed =
                                      [&](std::vector<Event> events) {
                                          told += static_cast<int>(events.size());
                                          if (bench.appended < 10)
                                              bench.append(1);
                                      },
                                  .stalled = {},
                                  .resumed = {}});
    bench.append(1);
    QVERIFY(bench.posts.runUntil([&] { return told == 10; }));
    QVERIFY(RecorderBench::inOrder(bench.store.stored()));
}

void TestRecorder::callbacksMayBeLeftOut()
{
    RecorderBench bench;
    bench.recorder->setCallbacks({});
    bench.store.setFull(true);
    bench.append(1);
    QVERIFY(bench.store.waitForCalls(2));
    bench.store.setFull(false);
    QVERIFY(bench.posts.runUntil([&] { return bench.recorder->uncommitted() == 0; }));
    QCOMPARE(bench.store.stored().size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(TestRecorder)

} // namespace tst_recorder

#include "tst_recorder.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "planning.h"

#include <set>
#include <vector>

namespace tst_replay {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;
using Call = trace::MpiCall;

/// Cases worked out by hand. Links: 60 us + 0.08 us a byte where nothing else is said.
class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paper_data();
    void paper();
    void waitShrinksWithAFasterSender();
    void ownTimesOfCalls();
    void rendezvous();
    void rendezvousReceivesOnlyWait();
    void synchronousSend();
    void nonBlocking();
    void lateWait();
    void rendezvousNonBlocking();
    void sendrecv();
    void barrier();
    void bcast();
    void reduce();
    void allreduce();
    void gatherAndScatter();
    void alltoall();
    void allgather();
    void subCommunicator();
    void messagesOfOnePairQueue();
    void cardsQueue();
    void cardsQueueAtTheReceiver();
    void bursts();
    void sendBuffers();
    void lanesDoNotMix();
    void lostMessage();
    void unknownCalls();
    void spillPasses();
    void statesOfTheUserAreComputation();
    void deadlockIsAnError();
    void collectiveMismatch();
};

void TestReplay::paper_data()
{
    QTest::addColumn<double>("speed0");
    QTest::addColumn<double>("speed1");
    QTest::addColumn<double>("receiveEnd");
    QTest::newRow("as traced") << 1.0 << 1.0 << 2034.36;
    QTest::newRow("sender of half the speed") << 0.5 << 1.0 << 3369.36;
    QTest::newRow("receiver of a tenth") << 1.0 << 0.1 << 11890.0;
}

void TestReplay::paper()
{
    QFETCH(double, speed0);
    QFETCH(double, speed1);
    QFETCH(double, receiveEnd);
    Replaying replaying(paperTrace(), environmentOf({speed0, speed1}));
    QVERIFY(replaying.compiled.ok());
    QCOMPARE(replaying.callEnd(1), receiveEnd);
    QCOMPARE(replaying.runtime(), receiveEnd);
}

void TestReplay::waitShrinksWithAFasterSender()
{
    // Four times as fast: sends at 333.75, the message is there at 1033.11, before its receive.
    Replaying replaying(paperTrace(), environmentOf({4.0, 1.0}));
    QCOMPARE(replaying.callEnd(1), 1189.0);
}

// Receives that waited for nothing have a time of their own, which the node's speed divides.
void TestReplay::ownTimesOfCalls()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 130).sends(1, 1000);
    maker.call(0, Call::Send, 1000, 1020).sends(1, 1000);
    maker.call(1, Call::Recv, 500, 540).receives(0); // there already: 40 us of its own
    maker.call(1, Call::Recv, 900, 1200).receives(0);
    Replaying replaying(maker.make(), environmentOf({1.0, 0.5}));
    // 1000 us to the call, then 40 at half speed.
    QCOMPARE(replaying.callEnd(2), 1080.0);
    // 1080 + (900 - 540) / 0.5 = 1800 us; the message came at 1000 + 140; its own time is as that
    // of the other one.
    QCOMPARE(replaying.callEnd(3), 1880.0);
    QCOMPARE(replaying.callEnd(1), 1020.0);
}

// Larger than eager_bytes: the message travels when both are there, and both then go on.
void TestReplay::rendezvous()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 3000).sends(1, 100'000);
    maker.call(1, Call::Recv, 1000, 3000).receives(0);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.callEnd(0), 1000.0 + 60.0 + 8000.0);
    QCOMPARE(replaying.callEnd(1), 9060.0);
    Replaying slow(maker.make(), environmentOf({0.05, 1.0}));
    QCOMPARE(slow.callEnd(1), 2000.0 + 8060.0);
}

// A message that waits for its receive comes while that lasts: a slow node waits no longer.
void TestReplay::rendezvousReceivesOnlyWait()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 9160).sends(1, 100'000);
    maker.call(0, Call::Send, 10'000, 29'060).sends(1, 100'000);
    maker.call(1, Call::Recv, 0, 9160).receives(0);
    maker.call(1, Call::Recv, 20'000, 29'060).receives(0); // later than messages take
    Replaying replaying(maker.make(), environmentOf({1.0, 0.5}));
    QCOMPARE(replaying.callEnd(2), 100.0 + 8060.0);
    QCOMPARE(replaying.callEnd(3), 8160.0 + 2 * 10'840.0 + 8060.0);
}

void TestReplay::synchronousSend()
{
    TraceMaker maker(2);
    maker.call(0, Call::Ssend, 100, 1200).sends(1, 1000);
    maker.call(1, Call::Recv, 1000, 1200).receives(0);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.callEnd(0), 1140.0);
    QCOMPARE(replaying.callEnd(1), 1140.0);
}

// Computation between Irecv and Wait hides the message's way.
void TestReplay::nonBlocking()
{
    TraceMaker maker(2);
    maker.call(0, Call::Isend, 100, 110, {.requests = {5}}).sends(1, 1000, 5);
    maker.call(0, Call::Wait, 400, 402, {.requests = {5}});
    maker.call(1, Call::Irecv, 50, 52, {.requests = {3}});
    maker.call(1, Call::Wait, 152, 300, {.requests = {3}}).receives(0, 3);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.callEnd(3), 240.0); // 100 + 60 + 80; the Wait was called at 150
    QCOMPARE(replaying.callEnd(0), 110.0);
    QCOMPARE(replaying.callEnd(1), 400.0);
}

void TestReplay::lateWait()
{
    TraceMaker maker(2);
    maker.call(0, Call::Isend, 100, 110, {.requests = {5}}).sends(1, 1000, 5);
    maker.call(0, Call::Isend, 1100, 1110, {.requests = {6}}).sends(1, 1000, 6);
    maker.call(1, Call::Irecv, 50, 50, {.requests = {3}});
    maker.call(1, Call::Waitall, 1050, 1060, {.requests = {3}}).receives(0, 3);
    maker.call(1, Call::Recv, 1060, 1300).receives(0); // tells how long a message travels
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.callEnd(3), 1060.0); // long there; 10 us of its own
    QCOMPARE(replaying.callEnd(4), 1240.0);
}

void TestReplay::rendezvousNonBlocking()
{
    TraceMaker maker(2);
    maker.call(0, Call::Isend, 100, 100, {.requests = {1}}).sends(1, 100'000, 1);
    maker.call(0, Call::Waitall, 200, 9000, {.requests = {1}});
    maker.call(1, Call::Irecv, 500, 500, {.requests = {1}});
    maker.call(1, Call::Wait, 600, 9000, {.requests = {1}}).receives(0, 1);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    // Both posted at 500; the message takes 8060 us; both Waits end with it.
    QCOMPARE(replaying.callEnd(3), 8560.0);
    QCOMPARE(replaying.callEnd(1), 8560.0);
}

void TestReplay::sendrecv()
{
    TraceMaker maker(2);
    maker.call(0, Call::Sendrecv, 100, 500).sends(1, 1000).receives(1);
    maker.call(1, Call::Sendrecv, 300, 320).sends(0, 1000).receives(0);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.callEnd(0), 440.0);
    QCOMPARE(replaying.callEnd(1), 320.0); // what came at 240 was there already
}

// Dissemination among three: two rounds. The latest one comes at 300.
void TestReplay::barrier()
{
    TraceMaker maker(3);
    for (std::uint32_t task = 0; task < 3; ++task)
        maker.call(task, Call::Barrier, 100 * (task + 1), 500);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0, 1.0}));
    // Round 0: task 0 hears 2 at 360, task 1 hears 0 at 200 (its own begin; 160 is earlier), task 2
    // hears 1 at 300 (260 is earlier). Round 1, distance 2: 0 hears 1, 1 hears 2, 2 hears 0.
    QCOMPARE(replaying.callEnd(0), 360.0);
    QCOMPARE(replaying.callEnd(1), 360.0);
    QCOMPARE(replaying.callEnd(2), 420.0);
}

// Binomial tree from task 1: 1 -> 3, 1 -> 2, 3 -> 0 (places 0 -> 2, 0 -> 1, 2 -> 3).
void TestReplay::bcast()
{
    TraceMaker maker(4);
    for (std::uint32_t task = 0; task < 4; ++task)
        maker.call(task, Call::Bcast, 100, 900, {.root = 1, .bytes = 1000});
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0, 1.0, 1.0}));
    QCOMPARE(replaying.callEnd(1), 100.0);
    QCOMPARE(replaying.callEnd(3), 240.0);
    QCOMPARE(replaying.callEnd(2), 240.0);
    QCOMPARE(replaying.callEnd(0), 380.0);
}

// The same tree inwards, root 0: 1 -> 0, 3 -> 2, then 2 -> 0.
void TestReplay::reduce()
{
    TraceMaker maker(4);
    for (std::uint32_t task = 0; task < 4; ++task)
        maker.call(task, Call::Reduce, task == 3 ? 700 : 100, 900, {.root = 0, .bytes = 1000});
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0, 1.0, 1.0}));
    QCOMPARE(replaying.callEnd(1), 100.0);
    QCOMPARE(replaying.callEnd(3), 700.0);
    QCOMPARE(replaying.callEnd(2), 840.0);
    QCOMPARE(replaying.callEnd(0), 980.0);
}

void TestReplay::allreduce()
{
    TraceMaker maker(2);
    maker.call(0, Call::Allreduce, 100, 600, {.bytes = 1000});
    maker.call(1, Call::Allreduce, 400, 600, {.bytes = 1000});
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.callEnd(0), 540.0);
    QCOMPARE(replaying.callEnd(1), 400.0);
}

void TestReplay::gatherAndScatter()
{
    TraceMaker maker(3);
    for (std::uint32_t task = 0; task < 3; ++task) {
        maker.call(task, Call::Gather, 100 + 100 * task, 600, {.root = 0, .bytes = 1000});
        maker.call(task, Call::Scatter, 1000, 1600, {.root = 0, .bytes = 2000});
    }
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0, 1.0}));
    QCOMPARE(replaying.callEnd(0), 440.0); // waits for task 2, which sends at 300
    QCOMPARE(replaying.callEnd(2), 200.0);
    QCOMPARE(replaying.callEnd(4), 300.0);
    QCOMPARE(replaying.callEnd(1), 840.0);         // 440 + 400 us of computation
    QCOMPARE(replaying.callEnd(3), 840.0 + 220.0); // 60 + 160
    QCOMPARE(replaying.callEnd(5), 1060.0);
}

// Two rounds of three: each hears the one behind it, then the next.
void TestReplay::alltoall()
{
    TraceMaker maker(3);
    for (std::uint32_t task = 0; task < 3; ++task)
        maker.call(task, Call::Alltoall, 100 + 100 * task, 900, {.bytes = 1000});
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0, 1.0}));
    // Round 1: 0 hears 2 at 440, 1 hears 0 at 240, 2 hears 1 at 340. Round 2: 0 hears 1 (sent at
    // 240) at 380, so 440; 1 hears 2 (sent at 340) at 480; 2 hears 0 (sent at 440) at 580.
    QCOMPARE(replaying.callEnd(0), 440.0);
    QCOMPARE(replaying.callEnd(1), 480.0);
    QCOMPARE(replaying.callEnd(2), 580.0);
}

// Ring of three, two rounds.
void TestReplay::allgather()
{
    TraceMaker maker(3);
    for (std::uint32_t task = 0; task < 3; ++task)
        maker.call(task, Call::Allgather, 100 + 100 * task, 900, {.bytes = 1000});
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0, 1.0}));
    // Round 1 as above; round 2: 0 hears 2 (sent at 340, 80 us behind the first one, which came at
    // 440), 1 hears 0 (sent at 440) at 580, 2 hears 1 (sent at 240, 80 us behind the first one).
    QCOMPARE(replaying.callEnd(0), 520.0);
    QCOMPARE(replaying.callEnd(1), 580.0);
    QCOMPARE(replaying.callEnd(2), 420.0);
}

// Tasks 0 and 2 alone; task 1 does not wait for them.
void TestReplay::subCommunicator()
{
    TraceMaker maker(3);
    maker.call(0, Call::Barrier, 100, 500, {.communicator = 7});
    maker.call(1, Call::Barrier, 150, 160, {.communicator = 9});
    maker.call(2, Call::Barrier, 400, 500, {.communicator = 7});
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0, 1.0}));
    QCOMPARE(replaying.callEnd(0), 460.0);
    QCOMPARE(replaying.callEnd(2), 400.0);
    QCOMPARE(replaying.callEnd(1), 160.0);
}

void TestReplay::messagesOfOnePairQueue()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 100).sends(1, 10'000);
    maker.call(0, Call::Send, 110, 110).sends(1, 1000);
    maker.call(1, Call::Recv, 50, 2000).receives(0);
    maker.call(1, Call::Recv, 2000, 2100).receives(0);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.callEnd(2), 960.0);
    QCOMPARE(replaying.callEnd(3), 1040.0); // 80 us of the link behind the first one
}

void TestReplay::cardsQueue()
{
    TraceMaker maker(3);
    maker.call(0, Call::Send, 100, 100).sends(1, 10'000);
    maker.call(0, Call::Send, 100, 100).sends(2, 10'000);
    maker.call(1, Call::Recv, 50, 2000).receives(0);
    maker.call(2, Call::Recv, 50, 2000).receives(0);
    Environment environment = environmentOf({1.0, 1.0, 1.0});
    Replaying free(maker.make(), environment);
    QCOMPARE(free.callEnd(2), 960.0);
    QCOMPARE(free.callEnd(3), 960.0);
    environment.nodes[0].egressUsPerByte = 0.05;
    Replaying queued(maker.make(), environment);
    QCOMPARE(queued.callEnd(2), 960.0);
    // The card passes both, packet by packet: 20,000 bytes of 0.05 us after 100, then a0.
    QCOMPARE(queued.callEnd(3), 1160.0);
}

// Two nodes send to a third, whose card is the bottleneck: the second message waits for the first.
void TestReplay::cardsQueueAtTheReceiver()
{
    TraceMaker maker(3);
    maker.call(0, Call::Send, 100, 100).sends(2, 10'000);
    maker.call(1, Call::Send, 200, 200).sends(2, 10'000);
    maker.call(2, Call::Recv, 0, 900).receives(0);
    maker.call(2, Call::Recv, 900, 2000).receives(1);
    Environment environment = environmentOf({1.0, 1.0, 1.0}, 60.0, 0.02);
    environment.nodes[2].ingressUsPerByte = 0.1;
    Replaying replaying(maker.make(), environment);
    QCOMPARE(replaying.callEnd(2), 100.0 + 1000.0 + 60.0);
    QCOMPARE(replaying.callEnd(3), 1100.0 + 1000.0 + 60.0);
}

// A token bucket of 4000 bytes: the first message finds it full, the second one what has come in
// meanwhile.
void TestReplay::bursts()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 1000, 1000).sends(1, 6'000);
    maker.call(0, Call::Send, 1100, 1100).sends(1, 3'000);
    maker.call(0, Call::Send, 9000, 9000).sends(1, 3'000);
    maker.call(1, Call::Recv, 0, 1500).receives(0);
    maker.call(1, Call::Recv, 1500, 2000).receives(0);
    maker.call(1, Call::Recv, 2000, 9500).receives(0);
    Environment environment = environmentOf({1.0, 1.0}, 60.0, 0.1);
    environment.linkDefault.burstBytes = 4'000;
    Replaying replaying(maker.make(), environment);
    QCOMPARE(replaying.callEnd(3), 1000.0 + 60.0 + 200.0); // 2000 bytes had to wait
    // All 9000 bytes since 1000 are through at 1900, but for the 4000 of the burst.
    QCOMPARE(replaying.callEnd(4), 1900.0 - 400.0 + 60.0);
    QCOMPARE(replaying.callEnd(5), 9060.0); // the bucket is full again
}

// A sender may go on when what is left of its messages fits in its buffer.
void TestReplay::sendBuffers()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 100).sends(1, 50'000);
    maker.call(0, Call::Send, 100, 100).sends(1, 30'000);
    maker.call(0, Call::Send, 20'000, 40'000).sends(1, 100'000);
    maker.call(1, Call::Recv, 100, 5000).receives(0);
    maker.call(1, Call::Recv, 5000, 9000).receives(0);
    maker.call(1, Call::Recv, 9000, 40'000).receives(0);
    Environment environment = environmentOf({1.0, 1.0}, 60.0, 0.1);
    Replaying unknown(maker.make(), environment);
    QCOMPARE(unknown.callEnd(1), 100.0);
    QCOMPARE(unknown.callEnd(2), 20'000.0 + 60.0 + 10'000.0);
    environment.sendBufferBytes = 60'000;
    Replaying limited(maker.make(), environment);
    QCOMPARE(limited.callEnd(0), 100.0);
    // 80,000 bytes are through at 8100; 20,000 have to be before the sender goes on.
    QCOMPARE(limited.callEnd(1), 2100.0);
    // 19,900 us of computation later; the last 60,000 bytes need not be waited for.
    QCOMPARE(limited.callEnd(2), 22'000.0 + 4'000.0);
    QCOMPARE(limited.callEnd(5), 22'000.0 + 10'060.0);
}

// Many allocations at once give what each gives alone.
void TestReplay::lanesDoNotMix()
{
    TraceMaker maker(3);
    maker.call(0, Call::Send, 1000, 1010).sends(1, 5000);
    maker.call(0, Call::Send, 1020, 1030).sends(2, 200'000);
    maker.call(1, Call::Recv, 500, 1500).receives(0);
    maker.call(1, Call::Barrier, 2500, 3000);
    maker.call(2, Call::Recv, 300, 1500).receives(0);
    maker.call(2, Call::Barrier, 1800, 3000);
    maker.call(0, Call::Barrier, 2000, 3000);
    for (const bool cards : {false, true}) {
        Environment environment = environmentOf({1.0, 0.5, 0.25, 2.0}, 40.0, 0.01);
        environment.links.resize(16);
        environment.links[1] = LinkSpec{.a0Us = 500.0, .a1UsPerByte = 0.5};
        environment.nodes[1].ingressUsPerByte = cards ? 0.3 : 0.0;
        Replaying replaying(maker.make(), environment);
        std::vector<Allocation> allocations;
        for (std::uint32_t first = 0; first < 4; ++first) {
            for (std::uint32_t second = 0; second < 4; ++second)
                allocations.push_back(nodes({first, second, (first + 1) % 4}));
        }
        allocations.pop_back(); // no multiple of the lanes
        std::vector<double> together(allocations.size());
        replaying.model.predict(allocations, together);
        std::set<double> different;
        for (std::size_t index = 0; index < allocations.size(); ++index) {
            QCOMPARE(predictOne(replaying.model, allocations[index]), together[index]);
            different.insert(together[index]);
        }
        QVERIFY(different.size() >= 4);
    }
}

// A call whose message has no other end takes its time, whatever the node.
void TestReplay::lostMessage()
{
    TraceMaker maker(2);
    maker.call(0, Call::Recv, 100, 150).receives(1);
    maker.ends(0, 200);
    maker.ends(1, 10);
    Replaying replaying(maker.make(), environmentOf({0.5, 1.0}));
    QCOMPARE(replaying.runtime(), 200.0 + 50.0 + 100.0);
}

void TestReplay::unknownCalls()
{
    TraceMaker maker(1);
    maker.named(0, "MPI_Comm_split", 100, 150);
    maker.ends(0, 200);
    Replaying replaying(maker.make(), environmentOf({0.5}));
    QCOMPARE(replaying.runtime(), 200.0 + 50.0 + 100.0);
}

// The tracer's own pause takes as long on every node.
void TestReplay::spillPasses()
{
    TraceMaker maker(1);
    maker.named(0, "TRACER_SPILL", 100, 150);
    maker.ends(0, 200);
    Replaying replaying(maker.make(), environmentOf({0.5}));
    QCOMPARE(replaying.runtime(), 200.0 + 50.0 + 100.0);
}

void TestReplay::statesOfTheUserAreComputation()
{
    TraceMaker maker(2);
    maker.named(0, "solve", 0, 400);
    maker.call(0, Call::Send, 100, 110).sends(1, 1000);
    maker.call(1, Call::Recv, 0, 300).receives(0);
    maker.ends(0, 400);
    Replaying replaying(maker.make(), environmentOf({0.5, 1.0}));
    QCOMPARE(replaying.callEnd(2), 200.0 + 140.0);
    QCOMPARE(replaying.runtime(), 800.0);
}

// Both send first: fine while messages are eager, for ever when they wait for their receives.
void TestReplay::deadlockIsAnError()
{
    TraceMaker maker(2);
    for (std::uint32_t task = 0; task < 2; ++task) {
        maker.call(task, Call::Send, 100, 110).sends(1 - task, 5000);
        maker.call(task, Call::Recv, 110, 300).receives(1 - task);
    }
    Environment environment = environmentOf({1.0, 1.0});
    QVERIFY(Replaying(maker.make(), environment).compiled.ok());
    environment.eagerBytes = 4999;
    const Replaying stuck(maker.make(), environment);
    QVERIFY(!stuck.compiled.ok());
    QCOMPARE(stuck.compiled.error().kind, ErrorKind::Input);
    QVERIFY(stuck.compiled.error().text().find("task 0") != std::string::npos);
    QVERIFY(stuck.compiled.error().remedy.find("eager_bytes") != std::string::npos);
}

void TestReplay::collectiveMismatch()
{
    TraceMaker maker(2);
    maker.call(0, Call::Barrier, 100, 300);
    maker.call(1, Call::Bcast, 100, 250, {.root = 0});
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.compiled->warnings.size(), std::size_t(1));
    QCOMPARE(replaying.runtime(), 300.0);
}

QTEST_GUILESS_MAIN(TestReplay)

} // namespace tst_replay

#include "tst_replay.moc"

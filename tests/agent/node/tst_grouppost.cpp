// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "node/grouppost.h"
#include "support/manualclock.h"
#include "support/manualexecutor.h"
#include "support/recordingtransport.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace tst_grouppost {

using namespace tasuki;
using namespace tasuki::hierarchy;

namespace {

const ProcessorId postMaster(0);

/// Two subclusters: processor 0 is I/O and 1 holds rank 0; 2 is I/O, 3 and 4 hold ranks 1 and 2.
MembershipView postView()
{
    const SubclusterId left(0);
    const SubclusterId right(1);
    const std::vector<Place> places{{left, UnitId(0), ProcessorKind::Io, SeatId(3)},
                                    {left, UnitId(0), ProcessorKind::Active, SeatId(0)},
                                    {right, UnitId(1), ProcessorKind::Io, SeatId(4)},
                                    {right, UnitId(1), ProcessorKind::Active, SeatId(1)},
                                    {right, UnitId(1), ProcessorKind::Active, SeatId(2)}};
    const std::vector<SeatKind> seats{SeatKind::Active, SeatKind::Active, SeatKind::Active,
                                      SeatKind::Io, SeatKind::Io};
    return {places, seats, SystemTable{}};
}

/// A processor's post, with what it and its worker send.
struct PostBench {
    explicit PostBench(std::uint32_t number)
        : transport(ProcessorId(number), 5),
          worker({.epoch = Epoch(1), .host = "h", .pid = 1, .slotCount = 1}, transport, clock,
                 postMaster,
                 [](Rank, const farm::Welcome&) { return std::make_unique<ManualExecutor>(); }),
          post({.epoch = Epoch(1), .master = postMaster}, view, worker, transport, clock)
    {}

    /// A processor's row in the second subcluster changes.
    void change(std::uint32_t number, auto change)
    {
        ClusterTable table = view.cluster(SubclusterId(1));
        ++table.version.revision;
        change(*table.member(ProcessorId(number)));
        view.adopt(std::make_shared<const ClusterTable>(table));
        post.changed(view);
    }
    void kill(std::uint32_t number)
    {
        change(number, [](MemberRow& row) {
            row.health = Health::Lost;
            row.seat.reset();
        });
    }
    /// @return to whom Hello was said last
    std::optional<ProcessorId> greeted()
    {
        std::optional<ProcessorId> to;
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            const Result<farm::Envelope> envelope = farm::decode(item.message);
            if (envelope && std::holds_alternative<farm::Hello>(envelope->message))
                to = item.to;
        }
        return to;
    }

    MembershipView view = postView();
    ManualClock clock;
    RecordingTransport transport;
    farm::Worker worker;
    GroupPost post;
};

} // namespace

/// Who leads whom, by a processor's own view.
class TestGroupPost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mastersOwnSubclusterHasNoGroupScheduler();
    void clusterMasterIsGroupScheduler();
    void groupSchedulerKnowsItsRanks();
    void nextClusterMasterTakesOver();
    void deposedGroupSchedulerIsDropped();
    void lostProcessorsAreForgotten();
    void nobodyLeadsWhenTheRunIsOver();
    void speaksAgainToWhoCameBack();
    void leadsNobodyWhenFenced();
    void leadsNobodyBeyondItsLease();
    void leadsAllWhenTheMasterBeginsAnew();
    void dropsWhatWasSaidBeforeItCameBack();
    void groupSchedulerHearsAfterwardsWhatWasHeld();
};

void TestGroupPost::mastersOwnSubclusterHasNoGroupScheduler()
{
    for (const std::uint32_t number : {0U, 1U}) {
        PostBench bench(number);
        QVERIFY(!bench.post.groupScheduler());
        bench.worker.take({Rank(0), Incarnation(1)});
        QCOMPARE(bench.greeted(), std::optional(postMaster));
    }
}

void TestGroupPost::clusterMasterIsGroupScheduler()
{
    PostBench leader(2);
    QVERIFY(leader.post.groupScheduler());
    PostBench led(3);
    QVERIFY(!led.post.groupScheduler());
    led.worker.take({Rank(1), Incarnation(1)});
    QCOMPARE(led.greeted(), std::optional(ProcessorId(2)));
}

void TestGroupPost::groupSchedulerKnowsItsRanks()
{
    PostBench bench(2);
    QVERIFY(bench.post.poll());
    bench.transport.takeSent();
    bench.post.receive(
        postMaster,
        {.epoch = Epoch(1),
         .held = {},
         .message = farm::Resync{.run = "r", .directory = "/", .era = farm::Era(1), .attempts = {}},
         .group = farm::GroupId(1),
         .leadership = farm::LeadershipNumber(1)});
    const auto sent = bench.transport.takeSent();
    QCOMPARE(sent.size(), std::size_t{2}); // a resynchronisation call each
    QCOMPARE(sent[0].to, ProcessorId(3));
    QCOMPARE(sent[1].to, ProcessorId(4));
    bench.kill(4);
    QVERIFY(bench.transport.takeSent().empty());
}

void TestGroupPost::nextClusterMasterTakesOver()
{
    PostBench next(3);
    PostBench other(4);
    other.worker.take({Rank(2), Incarnation(1)});
    next.kill(2);
    other.kill(2);
    QVERIFY(next.post.groupScheduler());
    QVERIFY(!other.post.groupScheduler());
    QCOMPARE(other.greeted(), std::optional(ProcessorId(3)));
}

void TestGroupPost::deposedGroupSchedulerIsDropped()
{
    PostBench bench(2);
    bench.change(4, [](MemberRow& row) { row.promoted = 1; });
    QVERIFY(!bench.post.groupScheduler());
    bench.change(2, [](MemberRow& row) { row.promoted = 2; });
    QVERIFY(bench.post.groupScheduler());
    // Its next leadership is another one.
    bench.post.poll();
    farm::LeadershipNumber leadership;
    for (const auto& item : bench.transport.takeSent()) {
        const auto envelope = farm::decode(item.message);
        if (envelope && std::holds_alternative<farm::GroupHello>(envelope->message))
            leadership = envelope->leadership;
    }
    QVERIFY(leadership > farm::LeadershipNumber(1));
}

void TestGroupPost::lostProcessorsAreForgotten()
{
    PostBench bench(3);
    bench.kill(2);
    QVERIFY(bench.transport.hasForgotten(ProcessorId(2)));
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(4)));
    bench.change(4, [](MemberRow& row) { row.health = Health::Left; });
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(4))); // what it waits for may still leave
}

void TestGroupPost::nobodyLeadsWhenTheRunIsOver()
{
    PostBench bench(2);
    bench.post.dismiss();
    QVERIFY(!bench.post.groupScheduler());
    bench.kill(4);
    QVERIFY(!bench.post.groupScheduler());
    QVERIFY(!bench.post.poll());
}

void TestGroupPost::speaksAgainToWhoCameBack()
{
    PostBench bench(0);
    bench.kill(3);
    QVERIFY(bench.transport.hasForgotten(ProcessorId(3)));
    const auto back = [&bench](Life life) {
        bench.change(3, [life](MemberRow& row) {
            row.health = Health::Alive;
            row.kind = ProcessorKind::Standby;
            row.life = life;
        });
    };
    back(Life(2));
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(3)));
    back(Life(3)); // lost and back between two views
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(3)));
}

void TestGroupPost::leadsNobodyWhenFenced()
{
    PostBench bench(2);
    QVERIFY(bench.post.groupScheduler() != nullptr);
    bench.post.stepDown();
    QVERIFY(bench.post.groupScheduler() == nullptr);
    // What it is told when it is let in again says who leads.
    bench.change(4, [](MemberRow& row) { row.drained = true; });
    QVERIFY(bench.post.groupScheduler() != nullptr);
}

/// Suspended it says nothing; what was lapsed begins in another leadership.
void TestGroupPost::leadsNobodyBeyondItsLease()
{
    PostBench bench(2);
    QVERIFY(bench.post.groupScheduler());
    bench.post.suspend(true);
    bench.transport.takeSent();
    bench.clock.advance(std::chrono::seconds(5));
    QVERIFY(!bench.post.poll());
    QVERIFY(bench.transport.takeSent().empty());
    bench.post.suspend(false);
    QVERIFY(bench.post.poll()); // it calls the master again

    bench.post.suspend(true);
    bench.post.stepDown();
    bench.change(3, [](MemberRow&) {});
    QVERIFY(!bench.post.groupScheduler());
    bench.post.suspend(false);
    QVERIFY(bench.post.groupScheduler());
}

/// Fails if nobody leads the ranks of the subcluster that the master has led itself.
void TestGroupPost::leadsAllWhenTheMasterBeginsAnew()
{
    PostBench bench(0);
    QVERIFY(!bench.post.groupScheduler());
    bench.post.masterBeginsAnew();
    QVERIFY(bench.post.groupScheduler());
}

/// What is under way is dropped on this side too, and nobody stays forgotten but who is unreachable.
void TestGroupPost::dropsWhatWasSaidBeforeItCameBack()
{
    PostBench bench(0);
    bench.kill(3);
    bench.post.reconnect();
    QVERIFY(bench.transport.wasForgotten(ProcessorId(4)));
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(4)));
    QVERIFY(bench.transport.hasForgotten(ProcessorId(3)));
    QVERIFY(!bench.transport.wasForgotten(ProcessorId(0)));
}

void TestGroupPost::groupSchedulerHearsAfterwardsWhatWasHeld()
{
    PostBench bench(2);
    bench.post.poll();
    bench.transport.takeSent();
    const auto resync = [&bench] {
        bench.post.receive(
            postMaster,
            {.epoch = Epoch(1),
             .held = {},
             .message =
                 farm::Resync{.run = "r", .directory = "/", .era = farm::Era(1), .attempts = {}},
             .group = farm::GroupId(1),
             .leadership = farm::LeadershipNumber(1)});
    };
    bench.post.suspend(true);
    resync();
    QVERIFY(bench.transport.takeSent().empty());
    bench.post.suspend(false);
    QCOMPARE(bench.transport.takeSent().size(), std::size_t{2}); // a resynchronisation call each

    bench.post.suspend(true);
    resync();
    bench.post.stepDown(); // it was said to a group scheduler who is none any more
    bench.post.suspend(false);
    QVERIFY(bench.post.groupScheduler());
    QVERIFY(bench.transport.takeSent().empty());
}

QTEST_APPLESS_MAIN(TestGroupPost)

} // namespace tst_grouppost

#include "tst_grouppost.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "deskbench.h"
#include "farm/groupdesk.h"
#include "farm/rankdesk.h"

#include <QTest>

namespace tst_masterdesks {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const Rank alone(1);
const ProcessorId aloneHolder(1);
const GroupId gang(4);
const ProcessorId gangChief(4);

/// Both desks of a master; each test drives one of them.
struct BothDesks : DeskBench {
    explicit BothDesks(MasterOptions options = {}) : DeskBench(std::move(options)) {}

    void hello(Incarnation incarnation = Incarnation(1))
    {
        ranks.receive(aloneHolder,
                      {.epoch = Epoch(1),
                       .held = {alone, incarnation},
                       .message = Hello{.host = "node", .pid = 9, .slotCount = 2}});
    }
    void say(FarmMessage message, std::uint64_t leadership = 1)
    {
        groups.receive(gangChief,
                       {.epoch = Epoch(1),
                        .held = {},
                        .message = std::move(message),
                        .group = gang,
                        .leadership = LeadershipNumber(leadership)});
    }

    RankDesk ranks{master, operations};
    GroupDesk groups{master, ranks, operations};
};

} // namespace

/// What breaks it: a Hello that is lost because it came too early; a rank that stays after its holder;
/// a group scheduler that gets work before it has resynchronised, or is believed in a leadership of old.
class TestMasterDesks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHolderIsWelcomedOnce()
    {
        BothDesks desks;
        desks.run(0);
        desks.ranks.held(alone, aloneHolder, Incarnation(1));
        desks.hello();
        QCOMPARE(desks.sentOf<Welcome>().size(), 1U);
        QCOMPARE(desks.master.scheduler.slotCount(), 2U);
        desks.hello(); // the Welcome may still be on its way
        QCOMPARE(desks.sentOf<Welcome>().size(), 1U);
        QCOMPARE(desks.recorded<ProcessorJoined>().size(), 1U);
    }

    void aHelloThatCameTooEarlyIsKept()
    {
        BothDesks desks;
        desks.run(0);
        desks.ranks.held(alone, aloneHolder, Incarnation(1));
        desks.hello(Incarnation(2));
        QVERIFY(desks.sentOf<Welcome>().empty());
        desks.ranks.held(alone, aloneHolder, Incarnation(2));
        QCOMPARE(desks.sentOf<Welcome>().size(), 1U);
    }

    void aLossIsRecordedOnce()
    {
        BothDesks desks;
        desks.run(2);
        desks.ranks.held(alone, aloneHolder, Incarnation(1));
        desks.hello();
        desks.ranks.lost(alone, Incarnation(7), LossCause::Gone); // of another holding
        QVERIFY(desks.recorded<ProcessorLost>().empty());
        desks.ranks.lost(alone, Incarnation(1), LossCause::Gone);
        desks.ranks.left(aloneHolder);
        QCOMPARE(desks.recorded<ProcessorLost>().size(), 1U);
        QCOMPARE(desks.master.scheduler.slotCount(), 0U);
    }

    void whoIsNotConfirmedIsLost()
    {
        BothDesks before;
        before.run(0);
        before.ranks.held(alone, aloneHolder, Incarnation(1));
        before.hello();
        before.journal.commit();
        RunState& state = before.state;
        MemoryJournal journal(Epoch(1), before.clock);
        journal.become(before.journal.record());
        journal.takeOver();
        MasterState after({}, state, before.transport, journal, before.clock);
        RankDesk ranks(after, before.operations);
        QCOMPARE(after.roster.count(Member::State::Present), 1U);
        ranks.loseUnconfirmed();
        QCOMPARE(after.roster.count(Member::State::Present), 0U);
        journal.commit();
        QCOMPARE(journal.recorded<ProcessorLost>().size(), 1U);
    }

    void aGroupSchedulerGetsWorkWhenItHasResynced()
    {
        BothDesks desks;
        desks.run(0);
        desks.groups.formed(gang, {Rank(4), Rank(5)});
        desks.groups.led(gang, gangChief);
        QCOMPARE(desks.sentOf<GroupResyncCall>().size(), 1U);
        desks.say(GroupHello{});
        const auto resyncs = desks.sentOf<Resync>();
        QCOMPARE(resyncs.size(), 1U);
        QCOMPARE(resyncs.front().era, Era(1));
        desks.say(GroupHello{}); // once more
        QVERIFY(desks.sentOf<Resync>().empty());
        QVERIFY(!desks.master.scheduler.knows(gang));
        desks.say(Resynced{}, 9); // of a leadership that is not known
        QVERIFY(!desks.master.roster.group(gang)->isResynced());
        GroupReport report;
        report.number = 5;
        report.joined.push_back({.held = {Rank(5), Incarnation(1)},
                                 .holder = ProcessorId(5),
                                 .hello = {.host = "node", .pid = 5, .slotCount = 3}});
        desks.say(std::move(report));
        desks.say(Resynced{});
        QVERIFY(desks.master.roster.group(gang)->isResynced());
        QCOMPARE(desks.master.scheduler.slotCount(), 3U);
        QCOMPARE(desks.recorded<ProcessorJoined>().size(), 1U);
    }

    void erasBeginBeyondThoseOfEarlierMasters()
    {
        MasterOptions options;
        options.term = Term(2);
        BothDesks desks(std::move(options));
        desks.run(0);
        desks.groups.formed(gang, {Rank(4)});
        desks.groups.led(gang, gangChief);
        desks.say(GroupHello{});
        QCOMPARE(desks.sentOf<Resync>().at(0).era, Era((std::uint64_t{2} << 32U) + 1));
    }

    void aGroupWithoutALeaderLosesWhatItHolds()
    {
        BothDesks desks;
        desks.run(2);
        desks.groups.formed(gang, {Rank(4), Rank(5)});
        desks.groups.led(gang, gangChief);
        desks.handOutTo(gang);
        desks.master.attempts.takeReport(gang, Rank(5), true, desks.startOf(key(0)));
        desks.groups.led(gang, std::nullopt);
        QCOMPARE(desks.recorded<AttemptFinished>().size(), 1U);
        QCOMPARE(desks.master.scheduler.outstanding(), 0U);
        QVERIFY(!desks.master.scheduler.knows(gang));
    }

    void gathersWhatTheRecordDoesNotSay()
    {
        BothDesks desks;
        desks.master.course.takesOver = true;
        desks.groups.formed(gang, {Rank(4)});
        desks.groups.led(gang, gangChief);
        desks.say(GroupHello{});
        QVERIFY(desks.sentOf<Resync>().empty()); // nothing can be said yet
        desks.run(2);
        desks.groups.adoptRecorded();
        QVERIFY(!desks.groups.gathered());
        desks.groups.answerEarly();
        const auto resyncs = desks.sentOf<Resync>();
        QCOMPARE(resyncs.size(), 1U);
        QVERIFY(resyncs.front().byRecord);
        GroupReport report;
        report.number = 1;
        report.claimed = {key(1), key(0, 3)};
        desks.say(std::move(report));
        const auto stops = desks.sentOf<Stop>();
        QCOMPARE(stops.size(), 1U);
        QVERIFY(stops.front().keys == std::vector{key(0, 3)}); // not its turn
        QVERIFY(desks.master.scheduler.held(TaskId(1)).has_value());
        desks.say(Resynced{});
        QVERIFY(desks.groups.gathered());
    }
};

QTEST_APPLESS_MAIN(TestMasterDesks)

} // namespace tst_masterdesks

#include "tst_masterdesks.moc"

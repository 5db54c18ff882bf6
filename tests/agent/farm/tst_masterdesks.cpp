// SPDX-License-Identifier: GPL-3.0-or-later
#include "deskbench.h"
#include "farm/crewdesk.h"
#include "farm/rankdesk.h"

#include <QTest>

namespace tst_masterdesks {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const Rank alone(1);
const ProcessorId aloneHolder(1);
const CrewId gang(4);
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
    void say(FarmMessage message, std::uint64_t term = 1)
    {
        crews.receive(gangChief,
                      {.epoch = Epoch(1),
                       .held = {},
                       .message = std::move(message),
                       .crew = gang,
                       .term = term});
    }

    RankDesk ranks{master, operations};
    CrewDesk crews{master, ranks, operations};
};

} // namespace

/// What breaks it: a Hello that is lost because it came too early; a rank that stays after its holder;
/// a foreman that gets work before it has mustered, or is believed in a term of old.
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

    void aForemanGetsWorkWhenItHasMustered()
    {
        BothDesks desks;
        desks.run(0);
        desks.crews.formed(gang, {Rank(4), Rank(5)});
        desks.crews.led(gang, gangChief);
        QCOMPARE(desks.sentOf<CrewRollCall>().size(), 1U);
        desks.say(CrewHello{});
        const auto musters = desks.sentOf<Muster>();
        QCOMPARE(musters.size(), 1U);
        QCOMPARE(musters.front().era, 1U);
        desks.say(CrewHello{}); // once more
        QVERIFY(desks.sentOf<Muster>().empty());
        QVERIFY(!desks.master.scheduler.knows(gang));
        desks.say(Mustered{}, 9); // of a term that is not known
        QVERIFY(!desks.master.roster.crew(gang)->isMustered());
        CrewReport report;
        report.number = 5;
        report.joined.push_back({.held = {Rank(5), Incarnation(1)},
                                 .holder = ProcessorId(5),
                                 .hello = {.host = "node", .pid = 5, .slotCount = 3}});
        desks.say(std::move(report));
        desks.say(Mustered{});
        QVERIFY(desks.master.roster.crew(gang)->isMustered());
        QCOMPARE(desks.master.scheduler.slotCount(), 3U);
        QCOMPARE(desks.recorded<ProcessorJoined>().size(), 1U);
    }

    void erasBeginBeyondThoseOfEarlierMasters()
    {
        MasterOptions options;
        options.reign = 2;
        BothDesks desks(std::move(options));
        desks.run(0);
        desks.crews.formed(gang, {Rank(4)});
        desks.crews.led(gang, gangChief);
        desks.say(CrewHello{});
        QCOMPARE(desks.sentOf<Muster>().at(0).era, (std::uint64_t{2} << 32U) + 1);
    }

    void aCrewWithoutALeaderLosesWhatItHolds()
    {
        BothDesks desks;
        desks.run(2);
        desks.crews.formed(gang, {Rank(4), Rank(5)});
        desks.crews.led(gang, gangChief);
        desks.handOutTo(gang);
        desks.master.attempts.takeReport(gang, Rank(5), true, desks.startOf(key(0)));
        desks.crews.led(gang, std::nullopt);
        QCOMPARE(desks.recorded<AttemptFinished>().size(), 1U);
        QCOMPARE(desks.master.scheduler.outstanding(), 0U);
        QVERIFY(!desks.master.scheduler.knows(gang));
    }

    void gathersWhatTheRecordDoesNotSay()
    {
        BothDesks desks;
        desks.master.course.takesOver = true;
        desks.crews.formed(gang, {Rank(4)});
        desks.crews.led(gang, gangChief);
        desks.say(CrewHello{});
        QVERIFY(desks.sentOf<Muster>().empty()); // nothing can be said yet
        desks.run(2);
        desks.crews.adoptRecorded();
        QVERIFY(!desks.crews.gathered());
        desks.crews.answerEarly();
        const auto musters = desks.sentOf<Muster>();
        QCOMPARE(musters.size(), 1U);
        QVERIFY(musters.front().byRecord);
        CrewReport report;
        report.number = 1;
        report.claimed = {key(1), key(0, 3)};
        desks.say(std::move(report));
        const auto stops = desks.sentOf<Stop>();
        QCOMPARE(stops.size(), 1U);
        QVERIFY(stops.front().keys == std::vector{key(0, 3)}); // not its turn
        QVERIFY(desks.master.scheduler.held(TaskId(1)).has_value());
        desks.say(Mustered{});
        QVERIFY(desks.crews.gathered());
    }
};

QTEST_APPLESS_MAIN(TestMasterDesks)

} // namespace tst_masterdesks

#include "tst_masterdesks.moc"

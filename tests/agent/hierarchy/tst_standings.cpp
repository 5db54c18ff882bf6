// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_standings {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

const Holding held{SeatId(2), Incarnation(1)};
constexpr std::chrono::milliseconds beatTime{100};

/// Processor 5, a rank below 4; the system master, 0, is on another host. It has been answered just now.
struct Member : Stage {
    explicit Member(const MembershipOptions& options = {}) : Stage(5, options, {0, 1, 2, 3})
    {
        membership.poll();
        answered();
    }
    void answered() { answer(4, following(stampOf(0))); }
    /// It is stopped for longer than leases last.
    void stall()
    {
        clock.advance(2600ms);
        membership.poll();
    }
    /// Nobody answers for so long.
    void lapse() { run(2600ms); }
    /// What 4 publishes.
    void tell(const std::function<void(ClusterTable&)>& change)
    {
        hear(4,
             Tables{.clusters = {clusterAfter(membership.view(), 1, change)}, .system = nullptr});
    }
    void seatAgain()
    {
        tell([](ClusterTable& table) { table.seat(SeatId(2))->incarnation = Incarnation(2); });
    }
};

/// The system master, of whose subclusters one is elsewhere; a majority follows it.
struct Leader : Stage {
    Leader() : Stage(0, {}, {4, 5, 6, 7}, startingView())
    {
        run(200ms, [&] { follow({1, 2, 3, 4}); });
    }
};

} // namespace

/// What a processor may do by its lease: a test for each row of the table in docs/membership.md.
class TestStandings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lapsesWhenItsLeaseIsOver();
    void tablesAreNoLease();
    void lapsesWhenTheGrantIsOver();
    void systemMasterLapsesSooner();
    void isSuspendedWhenItWasLateItself();
    void suspendedGoesOnInItsSeat();
    void suspendedTakesNoOtherSeat();
    void suspendedLapses();
    void stallBeforeTheLeaseWasRenewedExcusesNothing();
    void lapsedSaysThatItHasStopped();
    void lapsedTakesItsSeatAgain();
    void lapsedLosesItsSeat();
    void lapsedStopsFirst();
    void lapsedIsNotMute();
    void answersOfOthersAreNoLease();
    void answersOfWhoAsksAreALease();
    void lapsedForTooLongIsOver();
    void isFenced_data();
    void isFenced();
    void systemMasterIsValidByThoseAlone();
    void killsNobodyForOthers_data();
    void killsNobodyForOthers();
    void killsNobodyAfterAStall();
    void deafOnesAreSilent();
    void whoIsNotDeaf_data();
    void whoIsNotDeaf();
    void lapsedHaveTheTimeToHearOfAMajority();
};

void TestStandings::lapsesWhenItsLeaseIsOver()
{
    Member stage;
    stage.run(2450ms);
    QVERIFY(stage.standings.empty());
    QCOMPARE(stage.membership.holding(), std::optional(held));
    stage.run(100ms);
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    QVERIFY(!stage.membership.holding());
    QCOMPARE(stage.letGo, std::vector{held});
    QCOMPARE(stage.fencings, 0);
}

// Fails if a table that was on its way for any time, from whomever, lengthens the lease.
void TestStandings::tablesAreNoLease()
{
    Member stage;
    stage.run(2s);
    stage.hear(6,
               Tables{.clusters = {},
                      .system = systemAfter(stage.membership.view(), [](SystemTable& system) {
                          system.votersToBe = processors({0, 1, 2, 3, 4, 5, 6, 7});
                      })});
    stage.run(550ms);
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
}

// Who is answered, but by somebody whom no majority follows.
void TestStandings::lapsesWhenTheGrantIsOver()
{
    Member stage;
    const SteadyTime granted = stage.clock.now();
    const auto answered = [&] {
        BeatReply reply = Stage::following(stage.stampOf(0));
        reply.grantAge = std::chrono::ceil<std::chrono::microseconds>(stage.clock.now() - granted);
        stage.answer(4, reply);
    };
    stage.run(2950ms, answered);
    QVERIFY(stage.standings.empty());
    stage.run(100ms, answered);
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    QCOMPARE(stage.letGo, std::vector{held});
    // What another one has, whom it does not follow, is none for it.
    Member other;
    const SteadyTime last = other.clock.now();
    other.run(3100ms, [&] {
        BeatReply reply = Stage::following(other.stampOf(0));
        reply.grantAge = std::chrono::ceil<std::chrono::microseconds>(other.clock.now() - last);
        other.answer(4, reply);
        other.hear(6, Ask{});
        other.answer(6, Stage::following(other.stampOf(3)));
    });
    QVERIFY(other.count<Beat>(6) > 10);
    QCOMPARE(other.standings, std::vector{Standing::Lapsed});
}

void TestStandings::systemMasterLapsesSooner()
{
    Leader stage;
    stage.run(2350ms, [&] { stage.follow({1}); });
    QVERIFY(stage.standings.empty());
    QVERIFY(stage.membership.actsAsSystemMaster());
    stage.run(200ms, [&] { stage.follow({1}); });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    QVERIFY(!stage.membership.actsAsSystemMaster());
    QVERIFY(!stage.membership.changeSettings({.heartbeat = 200ms}).ok());
    QVERIFY(!stage.membership.order(DrainOrder{ProcessorId(2), true}).ok());
}

void TestStandings::isSuspendedWhenItWasLateItself()
{
    Member stage;
    stage.stall();
    QCOMPARE(stage.standings, std::vector{Standing::Suspended});
    QCOMPARE(stage.membership.holding(), std::optional(held));
    QVERIFY(stage.letGo.empty());
    QCOMPARE(stage.fencings, 0);
    // What comes before it polls must not find it Valid either.
    Member other;
    other.clock.advance(2600ms);
    other.hear(4, Ask{});
    QCOMPARE(other.standings, std::vector{Standing::Suspended});
    // A system master stops leading.
    Leader leader;
    leader.clock.advance(2700ms);
    leader.membership.poll();
    QCOMPARE(leader.standings, std::vector{Standing::Suspended});
    QVERIFY(!leader.membership.actsAsSystemMaster());
    QVERIFY(leader.membership.holding().has_value());
}

void TestStandings::suspendedGoesOnInItsSeat()
{
    Member stage;
    stage.run(200ms);
    stage.stall();
    // Words from before it was stopped say nothing of now.
    QVERIFY(!stage.unanswered[ProcessorId(4)].empty());
    std::erase_if(stage.unanswered[ProcessorId(4)], [&](std::uint64_t number) {
        return number == stage.unanswered[ProcessorId(4)].back();
    });
    stage.answered();
    stage.membership.poll();
    QCOMPARE(stage.standings, std::vector{Standing::Suspended});
    stage.run(100ms);
    stage.answered();
    stage.membership.poll();
    QCOMPARE(stage.standings, (std::vector{Standing::Suspended, Standing::Valid}));
    QCOMPARE(stage.membership.holding(), std::optional(held));
    QVERIFY(stage.letGo.empty());
    QCOMPARE(stage.count<Vacated>(4), std::size_t(0));
}

void TestStandings::suspendedTakesNoOtherSeat()
{
    Member stage;
    stage.stall();
    stage.seatAgain(); // somebody else may have had it meanwhile
    QVERIFY(!stage.membership.holding());
    QCOMPARE(stage.count<Taken>(4), std::size_t(0));
    stage.run(100ms);
    stage.answered();
    stage.run(100ms);
    QCOMPARE(stage.membership.holding(), (std::optional(Holding{SeatId(2), Incarnation(2)})));
}

void TestStandings::suspendedLapses()
{
    const std::chrono::milliseconds patience = MembershipOptions{}.suspendedBeats * beatTime;
    Member stage;
    stage.stall();
    stage.run(patience - 50ms);
    QCOMPARE(stage.standings, std::vector{Standing::Suspended});
    stage.run(100ms);
    QCOMPARE(stage.standings, (std::vector{Standing::Suspended, Standing::Lapsed}));
    QVERIFY(!stage.membership.holding());
    QCOMPARE(stage.letGo, std::vector{held});
    QCOMPARE(stage.fencings, 0);
}

// Fails if who was late some time is excused for what nobody has answered since.
void TestStandings::stallBeforeTheLeaseWasRenewedExcusesNothing()
{
    Member stage;
    stage.clock.advance(2s);
    stage.membership.poll();
    stage.run(100ms);
    stage.answered();
    stage.run(2600ms);
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
}

void TestStandings::lapsedSaysThatItHasStopped()
{
    Member stage;
    stage.lapse();
    stage.run(300ms);
    QCOMPARE(stage.count<Vacated>(4), std::size_t(0)); // it still does something in it
    stage.membership.hasStopped(held);
    QCOMPARE(stage.count<Vacated>(4), std::size_t(1));
    stage.run(300ms);
    QVERIFY(stage.count<Vacated>(4) >= 3); // with each beat
    stage.seatAgain();
    const std::size_t said = stage.count<Vacated>(4);
    stage.run(300ms);
    QCOMPARE(stage.count<Vacated>(4), said);
    QVERIFY(!stage.membership.holding()); // its lease is over still
}

void TestStandings::lapsedTakesItsSeatAgain()
{
    Member stage;
    stage.lapse();
    stage.membership.hasStopped(held);
    stage.run(100ms);
    stage.answered();
    stage.membership.poll();
    QCOMPARE(stage.standings, (std::vector{Standing::Lapsed, Standing::Valid}));
    QVERIFY(!stage.membership.holding()); // in which it has let go of it
    stage.sent.clear();
    stage.tell([](ClusterTable& table) {
        table.seat(SeatId(2))->incarnation = Incarnation(2);
        table.seat(SeatId(2))->taken = false;
    });
    QCOMPARE(stage.membership.holding(), (std::optional(Holding{SeatId(2), Incarnation(2)})));
    QCOMPARE(stage.count<Taken>(4), std::size_t(1));
    QCOMPARE(stage.letGo.size(), std::size_t(1));
    QCOMPARE(stage.fencings, 0);
    QCOMPARE(stage.life, Life(1));
}

void TestStandings::lapsedLosesItsSeat()
{
    Member stage;
    stage.lapse();
    stage.membership.hasStopped(held);
    stage.tell([](ClusterTable& table) {
        table.member(ProcessorId(5))->seat.reset();
        table.member(ProcessorId(7))->seat = SeatId(2);
        table.seat(SeatId(2))->incarnation = Incarnation(2);
    });
    stage.run(100ms);
    stage.answered();
    stage.run(100ms);
    QCOMPARE(stage.membership.standing(), Standing::Valid);
    QVERIFY(!stage.membership.holding());
    QCOMPARE(stage.fencings, 0);
}

void TestStandings::lapsedStopsFirst()
{
    Member stage;
    stage.lapse();
    stage.run(500ms, [&] { stage.answered(); });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed}); // it still does something
    stage.membership.hasStopped(held);
    stage.run(100ms, [&] { stage.answered(); });
    QCOMPARE(stage.membership.standing(), Standing::Valid);
}

// Fails if who has no majority cannot gather one.
void TestStandings::lapsedIsNotMute()
{
    Member stage;
    stage.lapse();
    stage.sent.clear();
    stage.run(1s);
    // To who was above, to who was system master, and to each of the others now and then.
    QVERIFY(stage.count<Beat>(4) >= 9);
    QVERIFY(stage.count<Beat>(0) >= 9);
    for (const std::uint32_t other : {1U, 2U, 3U, 6U, 7U})
        QVERIFY(stage.count<Beat>(other) >= 1 && stage.count<Beat>(other) <= 3);
    for (const auto& [to, message] : stage.sent) {
        if (const auto* const beat = std::get_if<Beat>(&message))
            QVERIFY(beat->lapsed);
    }
    stage.beat({6});
    QCOMPARE(stage.count<BeatReply>(6), std::size_t(1));
    // It follows, and is counted.
    BeatReply reply = Stage::following(stage.stampOf(0));
    reply.grantAge = reply.soleAge = 10s;
    stage.answer(4, reply);
    stage.sent.clear();
    stage.run(100ms);
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    const auto support = last<Beat>(stage, 4)->support;
    QVERIFY(support && support->newest.leader == ProcessorId(0));
    QCOMPARE(support->first, 1U);
    QCOMPARE(support->steps.size(), std::size_t(1));
    // Who is valid says so.
    stage.membership.hasStopped(held);
    stage.run(200ms, [&] { stage.answered(); });
    stage.sent.clear();
    stage.run(500ms, [&] { stage.answered(); });
    QCOMPARE(stage.count<Beat>(0), std::size_t(0));
    QVERIFY(!last<Beat>(stage, 4)->lapsed);
}

// Whom it asks when it has lapsed may not know what those above it do.
void TestStandings::answersOfOthersAreNoLease()
{
    Member stage;
    stage.lapse();
    stage.membership.hasStopped(held);
    stage.run(1s, [&] {
        for (const std::uint32_t other : {0U, 3U, 6U})
            stage.answer(other, Stage::following(stage.stampOf(0)));
    });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
}

// The system master, which looks after it when the one between is gone, answers one beat at a time.
void TestStandings::answersOfWhoAsksAreALease()
{
    Member stage;
    stage.lapse();
    stage.membership.hasStopped(held);
    int polls = 0;
    stage.run(1s, [&] {
        if (++polls % 20 == 0)
            stage.hear(0, Ask{});
        auto& unanswered = stage.unanswered[ProcessorId(0)];
        if (unanswered.size() > 1)
            unanswered.resize(1);
        stage.answer(0, Stage::following(stage.stampOf(0)));
    });
    QCOMPARE(stage.standings, (std::vector{Standing::Lapsed, Standing::Valid}));
}

void TestStandings::lapsedForTooLongIsOver()
{
    Member stage;
    stage.lapse();
    stage.run(119s);
    QCOMPARE(stage.fencings, 0);
    stage.run(2s);
    QCOMPARE(stage.fencings, 1);
    stage.membership.comeBack(); // there is nobody to ask
    stage.run(200ms);
    QCOMPARE(stage.refusals, 1);
    QCOMPARE(stage.membership.wayBack(), WayBack::State::Over);
    stage.sent.clear();
    stage.run(1s);
    QVERIFY(stage.sent.empty());
}

void TestStandings::isFenced_data()
{
    QTest::addColumn<Standing>("standing");
    QTest::addColumn<int>("how"); // -1: banished; else its health by the table
    for (const auto& [standing, name] :
         {std::pair(Standing::Valid, "valid"), std::pair(Standing::Suspended, "suspended"),
          std::pair(Standing::Lapsed, "lapsed")}) {
        QTest::addRow("%s, banished", name) << standing << -1;
        QTest::addRow("%s, condemned", name) << standing << static_cast<int>(Health::Condemned);
        QTest::addRow("%s, lost", name) << standing << static_cast<int>(Health::Lost);
    }
}

void TestStandings::isFenced()
{
    QFETCH(Standing, standing);
    QFETCH(int, how);
    Member stage;
    if (standing == Standing::Suspended)
        stage.stall();
    if (standing == Standing::Lapsed)
        stage.lapse();
    QCOMPARE(stage.membership.standing(), standing);
    QCOMPARE(stage.fencings, 0);
    stage.hear(4, Banish{.life = Life(0)}); // of an earlier life
    QCOMPARE(stage.fencings, 0);
    if (how < 0)
        stage.hear(4, Banish{});
    else
        stage.tell([how](ClusterTable& table) {
            table.member(ProcessorId(5))->health = static_cast<Health>(how);
        });
    QCOMPARE(stage.fencings, 1);
    QVERIFY(stage.membership.fenced());
    QVERIFY(!stage.membership.holding());
    QCOMPARE(stage.membership.wayBack(), WayBack::State::Fenced);
    stage.membership.comeBack();
    QCOMPARE(stage.life, Life(2));
}

// Fails if a system master goes on by those of whom some may follow another one that acts meanwhile.
void TestStandings::systemMasterIsValidByThoseAlone()
{
    Leader stage;
    stage.run(2700ms, [&] { stage.follow({1}); });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    stage.membership.hasStopped(stage.letGo.front());
    const TableTerm before = stage.membership.view().system().version.term;
    Beat beat = stage.beatOf(4);
    // Of which it has heard, and does not have the tables.
    beat.generation = Generation(generationOf(before).value() + 5);
    stage.hear(4, beat);
    stage.run(1s, [&] { stage.follow({1, 2, 3, 4}, false); });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    stage.run(300ms, [&] { stage.follow({1, 2, 3, 4}); });
    QCOMPARE(stage.standings, (std::vector{Standing::Lapsed, Standing::Valid}));
    QVERIFY(stage.membership.actsAsSystemMaster());
    // What it writes comes after all that another one may have written.
    QVERIFY(generationOf(stage.membership.view().system().version.term) > beat.generation);
    QVERIFY(generationOf(stage.membership.view().cluster(SubclusterId(0)).version.term)
            >= generationOf(stage.membership.view().system().version.term));
}

void TestStandings::killsNobodyForOthers_data()
{
    QTest::addColumn<Standing>("standing");
    QTest::newRow("valid") << Standing::Valid;
    QTest::newRow("suspended") << Standing::Suspended;
    QTest::newRow("lapsed") << Standing::Lapsed;
}

// The word may be old, of somebody who takes this one for well.
void TestStandings::killsNobodyForOthers()
{
    QFETCH(Standing, standing);
    Member stage;
    if (standing == Standing::Suspended)
        stage.stall();
    if (standing == Standing::Lapsed)
        stage.lapse();
    stage.hear(4, Fence{{ProcessorId(7)}});
    QCOMPARE(stage.killed.size(), std::size_t(standing == Standing::Valid ? 1 : 0));
}

// Whom it is to kill was stopped with it, perhaps: it has the time to give itself up.
void TestStandings::killsNobodyAfterAStall()
{
    Member brief;
    brief.run(50ms);
    brief.clock.advance(250ms); // short lateness is none
    brief.hear(4, Fence{{ProcessorId(7)}});
    QCOMPARE(brief.killed, std::vector{ProcessorId(7)});
    Member stage;
    stage.clock.advance(500ms);
    stage.hear(4, Fence{{ProcessorId(7)}});
    QVERIFY(stage.killed.empty());
    stage.run(950ms, [&] { stage.answered(); });
    stage.hear(4, Fence{{ProcessorId(7)}});
    QVERIFY(stage.killed.empty());
    QVERIFY(stage.standings.empty());
    stage.run(100ms, [&] { stage.answered(); });
    stage.hear(4, Fence{{ProcessorId(7)}});
    QCOMPARE(stage.killed, std::vector{ProcessorId(7)});
}

// Fails if who hears nobody, and beats, keeps its place for ever.
void TestStandings::deafOnesAreSilent()
{
    Leader stage;
    const auto deaf = [&] {
        stage.follow({1, 2, 4});
        Beat beat = stage.beatOf(3);
        beat.lapsed = true;
        stage.hear(3, beat);
    };
    stage.run(1700ms, deaf); // it has the time to hear that there is a majority
    QCOMPARE(stage.health(3), Health::Alive);
    stage.run(700ms, deaf);
    QCOMPARE(stage.health(3), Health::Suspect);
    QVERIFY(stage.killed.empty());
    stage.run(500ms, deaf);
    QCOMPARE(stage.health(3), Health::Condemned);
    QVERIFY(!stage.killed.empty());
    QCOMPARE(std::set(stage.killed.begin(), stage.killed.end()), std::set{ProcessorId(3)});
}

void TestStandings::whoIsNotDeaf_data()
{
    QTest::addColumn<bool>("hears");    // now and then it is valid
    QTest::addColumn<bool>("majority"); // the system master has one
    QTest::newRow("hears") << true << true;
    QTest::newRow("nobody has a majority") << false << false;
}

void TestStandings::whoIsNotDeaf()
{
    QFETCH(bool, hears);
    QFETCH(bool, majority);
    Leader stage;
    int step = 0;
    stage.run(5s, [&] {
        if (majority)
            stage.follow({1, 2, 4});
        else
            stage.beat({1, 2, 4});
        Beat beat = stage.beatOf(3);
        beat.lapsed = !hears || ++step % 200 != 0;
        stage.hear(3, beat);
    });
    QCOMPARE(stage.health(3), Health::Alive);
    QVERIFY(stage.killed.empty());
    QCOMPARE(stage.membership.standing() == Standing::Valid, majority);
}

void TestStandings::lapsedHaveTheTimeToHearOfAMajority()
{
    Leader stage;
    const auto lapsed = [&] {
        Beat beat = stage.beatOf(3);
        beat.lapsed = true;
        stage.hear(3, beat);
    };
    stage.run(5s, [&] {
        stage.beat({1, 2, 4});
        lapsed();
    });
    for (const Holding& holding : stage.letGo)
        stage.membership.hasStopped(holding); // so that it may act again
    stage.run(1700ms, [&] {
        stage.follow({1, 2, 4});
        lapsed();
    });
    QCOMPARE(stage.health(3), Health::Alive);
    stage.run(1500ms, [&] {
        stage.follow({1, 2, 4});
        lapsed();
    });
    QCOMPARE(stage.health(3), Health::Condemned);
}

QTEST_APPLESS_MAIN(TestStandings)

} // namespace tst_standings

#include "tst_standings.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_succession {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

/// Whether somebody was killed, perhaps more than once, and nobody but processor 0.
bool onlyTheFirst(const std::vector<ProcessorId>& killed)
{
    return !killed.empty()
        && std::ranges::all_of(killed, [](ProcessorId one) { return one == ProcessorId(0); });
}

} // namespace

/// The system master, processor 0, is gone or silent; processors 1 and 2 come next, in its subcluster.
class TestSuccession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void successorOfWhoIsGone();
    void successorOfTwo();
    void othersFollowTheSuccessor();
    void silentIsKilledFirst();
    void stoppedOnesInARowAreNotWaitedForLong();
    void answersKeepTheMaster();
    void lateSuccessorAccusesNobody();
    void silenceReachesEverybody();
    void aMajorityGoesOn();
    void candidateBuriesWhomOnlyThoseFollowWhoCameBack();
    void halfWithoutTheFirstDoesNot();
    void whoIsHeardOfAgainIsPutBack();
    void aMinorityEndsItsSystemMaster();
    void repliesOfLaterOnesAreNoSignOfLife();
    void silenceIsWaitedForWhereThatIsWanted();
    void othersCannotAccuse();
    void witnessOfItsEnd();
    void lastOfItsSubcluster();
    void candidateIsTrustedItself();
};

void TestSuccession::successorOfWhoIsGone()
{
    Stage stage(1);
    QVERIFY(!stage.membership.position().systemMaster);
    stage.end(0);
    QVERIFY(stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.health(0), Health::Lost);
    QVERIFY(stage.killed.empty());
    // The standby gets the place of the I/O processor, but not before it follows.
    const auto seat = [&] { return stage.membership.view().member(ProcessorId(3)).seat; };
    QVERIFY(!seat());
    QVERIFY(stage.count<Tables>(3) > 0);
    stage.beat({2, 3, 4});
    QCOMPARE(seat(), std::optional(SeatId(4)));
    // It hears of no other subcluster's master yet, and asks.
    stage.run(200ms, [&] { stage.beat({2, 3}); });
    QVERIFY(stage.count<Ask>(4) > 0);
    QVERIFY(stage.membership.changeSettings({.heartbeat = 200ms}).ok());
}

void TestSuccession::successorOfTwo()
{
    Stage stage(2);
    stage.end(0);
    QVERIFY(!stage.membership.position().systemMaster);
    stage.end(1);
    QVERIFY(stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.health(0), Health::Lost);
    QCOMPARE(stage.health(1), Health::Lost);
}

void TestSuccession::othersFollowTheSuccessor()
{
    Stage stage(4); // the other subcluster's master
    stage.run(200ms);
    stage.sent.clear();
    stage.end(0);
    QCOMPARE(stage.membership.position().parent, std::optional(ProcessorId(1)));
    QCOMPARE(stage.count<Beat>(1), std::size_t(1));
    // The successor sees it too: many need not tell it.
    QCOMPARE(stage.count<Observations>(1), std::size_t(0));
    QCOMPARE(stage.health(0), Health::Alive); // until a table says so
}

void TestSuccession::silentIsKilledFirst()
{
    Stage stage(1);
    stage.run(900ms);
    QVERIFY(stage.killed.empty());
    stage.run(300ms);
    QVERIFY(onlyTheFirst(stage.killed));
    QCOMPARE(stage.health(0), Health::Condemned);
    QVERIFY(!stage.membership.actsAsSystemMaster());
    QVERIFY(!stage.membership.changeSettings({.heartbeat = 200ms}).ok());
    QVERIFY(!stage.membership.order(DrainOrder{ProcessorId(2), true}).ok());
    stage.end(0);
    QVERIFY(stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.health(0), Health::Lost);
    QCOMPARE(stage.membership.view().member(ProcessorId(0)).cause, HealthCause::Silent);
}

// Each wait of its own would take longer than the leases last.
void TestSuccession::stoppedOnesInARowAreNotWaitedForLong()
{
    for (const bool stopped : {true, false}) {
        Stage stage(2);
        if (stopped)
            stage.stopped = {ProcessorId(0), ProcessorId(1)};
        stage.run(1'100ms);
        QVERIFY(stage.killed.empty());
        stage.run(300ms);
        QCOMPARE(stage.killed.empty(), !stopped); // who may only be slow is waited for
        if (!stopped)
            continue;
        QVERIFY(std::ranges::count(stage.killed, ProcessorId(0)) > 0);
        QVERIFY(std::ranges::count(stage.killed, ProcessorId(1)) > 0);
        stage.end(0);
        QVERIFY(!stage.membership.actsAsSystemMaster());
        stage.end(1);
        QVERIFY(stage.membership.actsAsSystemMaster());
    }
}

void TestSuccession::answersKeepTheMaster()
{
    // Any word of it counts: the lease may be old because of others between.
    Stage stage(1);
    for (int i = 0; i < 20; ++i) {
        stage.run(100ms);
        stage.beat({0});
    }
    QVERIFY(stage.killed.empty());
    QCOMPARE(stage.fencings, 0);
    // Who is not the successor goes to the next one meanwhile, and comes back.
    Stage other(2);
    other.run(1200ms);
    QCOMPARE(other.membership.position().parent, std::optional(ProcessorId(1)));
    QVERIFY(other.killed.empty());
    other.beat({0});
    QCOMPARE(other.membership.position().parent, std::optional(ProcessorId(0)));
}

void TestSuccession::lateSuccessorAccusesNobody()
{
    Stage stage(1);
    stage.run(200ms, [&] { stage.beat({0}); });
    stage.clock.advance(700ms); // it slept: nobody could answer what it did not say
    stage.membership.poll();
    stage.run(500ms);
    QVERIFY(stage.killed.empty());
    QVERIFY(stage.count<Beat>(0) > 3);
    stage.run(800ms);
    QVERIFY(onlyTheFirst(stage.killed));
}

// Processor 6 has no master's role. Fails if it knew of a cut only when somebody else acts.
void TestSuccession::silenceReachesEverybody()
{
    Stage stage(6);
    std::chrono::milliseconds age = 20ms;
    const auto answer = [&] {
        for (const auto& [to, message] : std::exchange(stage.sent, {})) {
            if (const Beat* const beat = std::get_if<Beat>(&message))
                stage.hear(to.value(),
                           BeatReply{.number = beat->number,
                                     .digest = stage.membership.view().digest(),
                                     .leaseAge = age,
                                     .grantAge = age,
                                     .soleAge = age});
        }
        age += age == 20ms ? 0ms : 5ms;
    };
    stage.run(3s, answer);
    QVERIFY(stage.silences.empty());
    age = 25ms; // from now on who answers hears nothing of the system master itself
    stage.run(900ms, answer);
    QVERIFY(stage.silences.empty());
    stage.run(300ms, answer);
    QCOMPARE(stage.silences, std::vector<bool>{true});
    age = 20ms;
    stage.run(200ms, answer);
    QCOMPARE(stage.silences, (std::vector<bool>{true, false}));
}

namespace {

/// Processor 4, with its subcluster on a host of its own; processor 0, whose stamp it has
/// acknowledged, is not heard of any more.
struct FarStage : Stage {
    explicit FarStage(bool othersAreHalf) : Stage(4, {}, {0, 1, 2, 3})
    {
        membership.poll();
        answer(0, following(stampOf(0)));
        if (othersAreHalf)
            return;
        hear(0,
             Tables{.clusters = {clusterAfter(membership.view(), 0,
                                              [](ClusterTable& table) {
                                                  MemberRow& row = *table.member(ProcessorId(3));
                                                  row.health = Health::Lost;
                                                  row.ended = true;
                                              })},
                    .system = nullptr});
    }

    /// Those of its host beat, and follow whom it follows.
    void follow(bool alone) { Stage::follow({5, 6, 7}, alone); }
};

} // namespace

void TestSuccession::aMajorityGoesOn()
{
    FarStage stage(false);
    stage.run(900ms, [&] { stage.follow(false); });
    QVERIFY(!stage.membership.position().systemMaster);
    stage.run(300ms, [&] { stage.follow(false); });
    QVERIFY(stage.membership.position().systemMaster); // beats may come to it
    stage.run(2300ms, [&] { stage.follow(false); });
    QCOMPARE(stage.fencings, 0);
    QVERIFY(stage.standings.empty()); // four of seven follow it
    QVERIFY(stage.membership.holding().has_value());
    QVERIFY(!stage.membership.actsAsSystemMaster());
    QVERIFY(!stage.membership.changeSettings({.heartbeat = 200ms}).ok());
    QCOMPARE(stage.health(0), Health::Alive);
    // They say that they have heard of nobody else for long; it has itself, 3.8 s ago and less.
    stage.run(200ms, [&] { stage.follow(true); });
    QVERIFY(!stage.membership.actsAsSystemMaster());
    stage.run(300ms, [&] { stage.follow(true); });
    QVERIFY(stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.health(0), Health::Lost);
    QVERIFY(stage.killed.empty());
}

/// Who is left of the system master's subcluster came back: it leads that one, but comes after the
/// candidate, and waits for the tables. Then the candidate writes them.
void TestSuccession::candidateBuriesWhomOnlyThoseFollowWhoCameBack()
{
    FarStage stage(false);
    stage.hear(0,
               Tables{.clusters = {clusterAfter(stage.membership.view(), 0,
                                                [](ClusterTable& table) {
                                                    for (const std::uint32_t number : {1U, 2U}) {
                                                        MemberRow& row = *table.member(
                                                            ProcessorId(number));
                                                        row.health = Health::Lost;
                                                        row.ended = true;
                                                        row.seat.reset();
                                                    }
                                                    MemberRow& back = *table.member(ProcessorId(3));
                                                    back.health = Health::Alive;
                                                    back.ended = false;
                                                    back.life = Life(2);
                                                })},
                      .system = systemAfter(stage.membership.view(), [](SystemTable& system) {
                          for (const std::uint32_t number : {0U, 1U, 2U, 4U, 5U, 6U, 7U})
                              system.voters.emplace_back(number);
                      })});
    stage.answer(0, Stage::following(stage.stampOf(0)));
    bool alone = false;
    const auto meanwhile = [&] {
        stage.follow(alone);
        stage.hear(3, Beat{.number = ++stage.beats, .readiness = Readiness::Ready}, Life(2));
    };
    stage.run(1200ms, meanwhile);
    QVERIFY(stage.membership.position().systemMaster);
    alone = true;
    stage.run(4s, meanwhile);
    QCOMPARE(stage.health(0), Health::Lost);
    QVERIFY(stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.membership.view().cluster(SubclusterId(0)).writer, ProcessorId(4));
    // From then on the other one writes its own.
    ClusterTable table = stage.membership.view().cluster(SubclusterId(0));
    table.version.term = table.version.term.next();
    table.writer = ProcessorId(3);
    stage.hear(3,
               Tables{.clusters = {std::make_shared<const ClusterTable>(table)}, .system = nullptr},
               Life(2));
    stage.run(500ms, meanwhile);
    QCOMPARE(stage.membership.view().cluster(SubclusterId(0)).writer, ProcessorId(3));
}

void TestSuccession::halfWithoutTheFirstDoesNot()
{
    FarStage stage(true);
    stage.run(2400ms, [&] { stage.follow(true); });
    QVERIFY(stage.membership.position().systemMaster);
    QVERIFY(stage.standings.empty());
    QVERIFY(!stage.membership.actsAsSystemMaster());
    const auto held = stage.membership.holding();
    QVERIFY(held.has_value());
    stage.run(200ms, [&] { stage.follow(true); });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    QCOMPARE(stage.letGo, std::vector{*held});
    QVERIFY(!stage.membership.holding());
    // However long that takes, it says of nobody that it is lost.
    stage.run(10s, [&] { stage.follow(true); });
    QVERIFY(!stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    QCOMPARE(stage.health(0), Health::Alive);
    QCOMPARE(stage.fencings, 0);
    QVERIFY(stage.killed.empty());
}

void TestSuccession::whoIsHeardOfAgainIsPutBack()
{
    FarStage stage(false);
    stage.run(1200ms, [&] { stage.follow(false); });
    QVERIFY(stage.membership.position().systemMaster);
    stage.hear(0, Ask{}); // it may be deaf
    QVERIFY(stage.membership.position().systemMaster);
    const std::size_t asked = stage.count<Beat>(0);
    stage.beat({0}); // an answer
    QCOMPARE(stage.count<Beat>(0), asked + 1);
    QVERIFY(stage.membership.position().systemMaster);
    stage.unanswered.clear();
    // What it is to reply says whether it may come back. It has had no majority for too long.
    const auto replies = [&](std::chrono::microseconds majorityAge) {
        stage.beat({0});
        BeatReply reply = Stage::following(stage.stampOf(0));
        reply.majorityAge = majorityAge;
        stage.answer(0, reply);
    };
    replies(2001ms);
    QVERIFY(stage.membership.position().systemMaster);
    // An old reply: its majority may be over by now.
    stage.beat({0});
    stage.run(600ms, [&] { stage.follow(false); });
    stage.unanswered[ProcessorId(0)].resize(1);
    stage.answer(0, Stage::following(stage.stampOf(0), 1401ms));
    QVERIFY(stage.membership.position().systemMaster);
    replies(2000ms);
    QVERIFY(!stage.membership.position().systemMaster);
    QCOMPARE(stage.membership.position().parent, std::optional(ProcessorId(0)));
}

void TestSuccession::aMinorityEndsItsSystemMaster()
{
    Stage stage(0, {}, {3, 4, 5, 6, 7}, startingView());
    stage.run(200ms, [&] { stage.follow({1, 2, 4}); });
    QVERIFY(stage.membership.actsAsSystemMaster());
    QVERIFY(stage.membership.view().system().started);
    stage.run(2300ms, [&] { stage.follow({1, 2}); }); // three of eight
    QVERIFY(stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.health(4), Health::Alive); // it is not for it to say that it is lost
    stage.run(300ms, [&] { stage.follow({1, 2}); });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    QVERIFY(!stage.membership.actsAsSystemMaster());
    QVERIFY(!stage.membership.holding());
    QCOMPARE(stage.letGo, (std::vector{Holding{SeatId(4), Incarnation(1)}}));
    QCOMPARE(stage.fencings, 0);
    // Where nobody takes its place it goes on.
    Stage alone(0, {.replacesSilentMaster = false}, {3, 4, 5, 6, 7});
    alone.run(3s, [&] { alone.beat({1, 2}); });
    QVERIFY(alone.standings.empty());
    QVERIFY(alone.membership.actsAsSystemMaster());
    QCOMPARE(alone.fencings, 0);
    QCOMPARE(alone.health(4), Health::Condemned);
}

void TestSuccession::silenceIsWaitedForWhereThatIsWanted()
{
    Stage stage(1, {.replacesSilentMaster = false});
    stage.run(2400ms);
    QVERIFY(stage.killed.empty());
    QVERIFY(!stage.membership.position().systemMaster);
    stage.end(0);
    QVERIFY(stage.membership.actsAsSystemMaster());
}

void TestSuccession::othersCannotAccuse()
{
    Stage stage(1);
    for (const Observation what : {Observation::Silent, Observation::Stuck}) {
        stage.hear(2, Observations{{{.processor = ProcessorId(0), .what = what}}});
        stage.run(100ms, [&] { stage.beat({0, 2}); });
    }
    QVERIFY(stage.killed.empty());
    QCOMPARE(stage.health(0), Health::Alive);
}

void TestSuccession::witnessOfItsEnd()
{
    Stage stage(1, {}, {0});
    stage.membership.poll();
    stage.answer(0, Stage::following(stage.stampOf(0)));
    stage.hear(2, Observations{{{.processor = ProcessorId(0), .what = Observation::Gone}}});
    QVERIFY(stage.membership.actsAsSystemMaster());
    // Who sees the end, and that the successor cannot, tells it.
    Stage witness(2, {}, {1});
    witness.end(0);
    QCOMPARE(witness.count<Observations>(1), std::size_t(1));
}

// Processor 4, elsewhere, takes itself for the successor sooner than processor 1 takes the first for silent.
void TestSuccession::repliesOfLaterOnesAreNoSignOfLife()
{
    Stage stage(1, {}, {4, 5, 6, 7});
    stage.run(500ms, [&] {
        stage.answer(0, Stage::following(stage.stampOf(0)));
        stage.beat({2, 3});
    });
    int step = 0;
    stage.run(1200ms, [&] {
        stage.beat({2, 3});
        if (step++ % 20 != 10)
            return;
        stage.hear(4, Ask{}); // what it is answered with it answers
        stage.answer(4, Stage::following(stage.stampOf(4, true)));
    });
    QVERIFY(stage.count<Beat>(4) > 5);
    QVERIFY(onlyTheFirst(stage.killed));
}

// Fails if nobody writes the table of a subcluster all of which is dead.
void TestSuccession::lastOfItsSubcluster()
{
    Stage stage(4);
    for (const std::uint32_t number : {1U, 2U, 3U}) {
        ClusterTable table = stage.membership.view().cluster(SubclusterId(0));
        table.member(ProcessorId(number))->health = Health::Lost;
        table.member(ProcessorId(number))->seat.reset();
        ++table.version.revision;
        stage.hear(
            0,
            Tables{.clusters = {std::make_shared<const ClusterTable>(table)}, .system = nullptr});
    }
    stage.end(0);
    QCOMPARE(stage.health(0), Health::Lost);
    QVERIFY(stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.membership.view().cluster(SubclusterId(0)).writer, ProcessorId(4));
}

/// What others trust in is who they follow, not who would take the place of that one.
void TestSuccession::candidateIsTrustedItself()
{
    FarStage stage(true);
    const auto answered = [&] { stage.beat({5, 6, 7}); };
    stage.run(1500ms, answered);
    QVERIFY(stage.membership.position().systemMaster);
    QVERIFY(!stage.membership.actsAsSystemMaster());
    // One of those that are taken for unreachable has been answered by the system master a moment ago, which
    // has little time left.
    stage.unanswered.clear();
    stage.hear(1, Beat{.number = 3, .readiness = Readiness::Ready});
    QVERIFY(!stage.unanswered[ProcessorId(1)].empty());
    BeatReply reply = Stage::following(stage.stampOf(0));
    reply.grantAge = reply.majorityAge = 1900ms;
    stage.answer(1, reply);
    stage.run(100ms, answered);
    QVERIFY(!stage.membership.actsAsSystemMaster());
    QCOMPARE(stage.health(0), Health::Alive);
    // Nor is the trust that was in that one when it fell silent.
    Stage young(4, {}, {0, 1, 2, 3});
    young.hear(0,
               Tables{.clusters = {},
                      .system = systemAfter(young.membership.view(), [](SystemTable& system) {
                          system.settings.lostAfter = 5; // sooner than trust is over
                      })});
    young.membership.poll();
    young.answer(0, Stage::following(young.stampOf(0)));
    young.run(700ms, [&] { young.beat({5, 6, 7}); });
    QVERIFY(young.membership.position().systemMaster);
    QVERIFY(!young.membership.actsAsSystemMaster());
    QCOMPARE(young.health(0), Health::Alive);
}

QTEST_APPLESS_MAIN(TestSuccession)

} // namespace tst_succession

#include "tst_succession.moc"

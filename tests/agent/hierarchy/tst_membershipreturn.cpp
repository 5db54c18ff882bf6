// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_membershipreturn {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;

namespace {

constexpr std::uint32_t self = 5; ///< a rank of the second subcluster

/// A view that is newer than that of the beginning.
/// @param change  is made to the row of a processor
MembershipView changed(MembershipView view, std::uint32_t processor,
                       const std::function<void(MemberRow&)>& change)
{
    ClusterTable table = view.cluster(view.subclusterOf(ProcessorId(processor)));
    change(*table.member(ProcessorId(processor)));
    table.version.term = table.version.term.next();
    view.adopt(std::make_shared<const ClusterTable>(table));
    return view;
}

/// The answer to somebody who asks, as a standby again.
Admission admission(std::uint32_t who, Life life, std::uint64_t number,
                    std::chrono::microseconds age = {})
{
    const MembershipView view = changed(startedView(), who, [life](MemberRow& row) {
        row.kind = ProcessorKind::Standby;
        row.seat.reset();
        row.life = life;
    });
    return {.life = life,
            .reply = {.number = number, .leaseAge = age, .grantAge = age, .soleAge = age},
            .tables = newerThan({}, view)};
}

/// One that was fenced and asks since a moment.
struct Asking : Stage {
    explicit Asking(const MembershipOptions& options = {}) : Stage(self, options)
    {
        hear(4, Banish{});
        sent.clear();
        membership.comeBack();
        membership.poll();
    }
    [[nodiscard]] std::uint64_t number() const { return last<Rejoin>(*this, 0)->number; }
};

} // namespace

/// The way of a fenced processor back.
class TestMembershipReturn : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysNothingBeforeItAsks();
    void asksInANewLife();
    void beginsWithWhatItIsTold();
    void takesNoOldAdmission();
    void mayVote();
    void remembersWhomItFollowed();
    void votesByTheSystemTableThatItGets();
    void asksAgainWhenItWasLostMeanwhile();
    void endsWhenItIsRefused();
    void endsWhenNobodyAnswers();
    void endsWhenItMayNot();
    void isLetIn();
    void getsItsSeatAgain();
    void saysThatItIsOver();
    void isNotLetInBesideWhoIsBeingFenced();
    void wasOrderedToEnd();
    void mayNot();
    void passesOnWhoAsksElsewhere();
    void earlierLivesDoNotCount();
    void comesLast();
};

void TestMembershipReturn::saysNothingBeforeItAsks()
{
    Stage stage(self);
    stage.hear(4, Banish{});
    QCOMPARE(stage.fencings, 1);
    QVERIFY(!stage.membership.holding());
    stage.sent.clear();
    stage.run(3s);
    QVERIFY(stage.sent.empty());
    QCOMPARE(stage.life, Life(1));
    // What is said to a member is not for it.
    stage.hear(4, admission(self, Life(2), 1));
    QVERIFY(stage.membership.fenced());
}

void TestMembershipReturn::asksInANewLife()
{
    Asking stage;
    QCOMPARE(stage.life, Life(2));
    stage.run(1s);
    QVERIFY(stage.count<Rejoin>(0) >= 9 && stage.count<Rejoin>(0) <= 12);
    for (const std::uint32_t other : {1U, 2U, 3U, 4U, 6U, 7U})
        QVERIFY(stage.count<Rejoin>(other) >= 1 && stage.count<Rejoin>(other) <= 2);
    QCOMPARE(last<Rejoin>(stage, 0)->life, Life(2));
    QCOMPARE(last<Rejoin>(stage, 0)->processor, ProcessorId(self));
    QVERIFY(std::ranges::all_of(
        stage.sent, [](const auto& item) { return std::holds_alternative<Rejoin>(item.second); }));
}

void TestMembershipReturn::beginsWithWhatItIsTold()
{
    Asking stage;
    const std::uint64_t number = stage.number();
    stage.sent.clear();
    stage.hear(0, admission(self, Life(2), number, 300ms));
    QVERIFY(!stage.membership.fenced());
    QCOMPARE(stage.returns, 1);
    QCOMPARE(stage.membership.view().member(ProcessorId(self)).life, Life(2));
    QVERIFY(!stage.membership.holding());
    QVERIFY(stage.count<Beat>(4) >= 1);
    // What it held is not given out again under the same number.
    QCOMPARE(last<Beat>(stage, 4)->holding, (Holding{SeatId(2), Incarnation(1)}));
    // Nobody answers: its lease is as old as that of who let it in.
    stage.run(2s);
    QCOMPARE(stage.membership.standing(), Standing::Valid);
    stage.run(300ms);
    QCOMPARE(stage.membership.standing(), Standing::Lapsed);
    QCOMPARE(stage.fencings, 1);
    // When it is lost once more, it may ask once more.
    stage.hear(4, Banish{.life = Life(2)});
    QCOMPARE(stage.fencings, 2);
    stage.membership.comeBack();
    QCOMPARE(stage.life, Life(3));
}

void TestMembershipReturn::takesNoOldAdmission()
{
    Asking stage;
    stage.hear(0, admission(self, Life(2), 999)); // to what it has never said
    QVERIFY(stage.membership.fenced());
    stage.hear(0, admission(self, Life(1), stage.number()));
    QVERIFY(stage.membership.fenced());
    stage.hear(0, admission(self, Life(3), stage.number()));
    QVERIFY(stage.membership.fenced());
    stage.hear(0,
               admission(self, Life(2), stage.number(), 2s)); // of who is about to give itself up
    QVERIFY(stage.membership.fenced());
    stage.hear(0, admission(self, Life(2), stage.number()));
    QVERIFY(!stage.membership.fenced());
}

// Fails if a majority cannot be gathered of those who came back, or are on their way: whether they count
// is for who counts them.
void TestMembershipReturn::mayVote()
{
    for (const bool back : {false, true}) {
        Asking fenced;
        Stage other(self);
        Stage& stage = back ? fenced : other;
        if (back)
            stage.hear(0, admission(self, Life(2), fenced.number()));
        stage.run(200ms);
        const auto beat = last<Beat>(stage, 4);
        QVERIFY(beat);
        stage.hear(4, BeatReply{.number = beat->number, .stamp = stage.stampOf(0)});
        stage.run(200ms);
        const auto said = last<Beat>(stage, 4)->support;
        QVERIFY(said);
        QCOMPARE(said->first, 1U);
        QCOMPARE(said->steps.size(), std::size_t(1));
        QVERIFY((static_cast<unsigned char>(said->steps[0]) & 0x80U) != 0);
    }
    // Who asks says it with what it asks.
    Asking asking;
    QCOMPARE(last<Rejoin>(asking, 0)->system, asking.membership.view().system().version);
    QVERIFY(!last<Rejoin>(asking, 0)->acknowledged);
    const auto stamp = asking.stampOf(0);
    asking.hear(0, BeatReply{.number = asking.number(), .stamp = stamp});
    asking.run(200ms);
    const auto plea = last<Rejoin>(asking, 0);
    QCOMPARE(plea->acknowledged, std::optional(Stamp{.leader = stamp.leader, .when = stamp.when}));
    QVERIFY(plea->sole);
}

// What it acknowledged in an earlier life binds it: somebody may count on that still.
void TestMembershipReturn::remembersWhomItFollowed()
{
    Stage stage(self);
    stage.membership.poll();
    stage.answer(4, Stage::following(stage.stampOf(0)));
    stage.run(200ms);
    stage.hear(4, Banish{});
    stage.membership.comeBack();
    stage.run(200ms);
    QCOMPARE(last<Rejoin>(stage, 0)->acknowledged->leader, ProcessorId(0));
    // Another one is followed when nothing is heard of that one any more.
    const auto replies = [&] { stage.hear(4, BeatReply{.number = 0, .stamp = stage.stampOf(4)}); };
    stage.run(500ms, replies);
    QCOMPARE(last<Rejoin>(stage, 0)->acknowledged->leader, ProcessorId(0));
    stage.run(1s, replies);
    QCOMPARE(last<Rejoin>(stage, 0)->acknowledged->leader, ProcessorId(4));
    QVERIFY(!last<Rejoin>(stage, 0)->sole);
    stage.run(3s, replies);
    QVERIFY(last<Rejoin>(stage, 0)->sole);
}

// Fails if who asks cannot vote as it does not know the system table by which votes count.
void TestMembershipReturn::votesByTheSystemTableThatItGets()
{
    Asking stage;
    const SystemTablePtr system = systemAfter(stage.membership.view(), [](SystemTable&) {});
    Stamp stamp = stage.stampOf(0);
    stamp.table = system->version;
    stage.hear(0, BeatReply{.number = stage.number(), .stamp = stamp});
    stage.run(200ms);
    QVERIFY(!last<Rejoin>(stage, 0)->acknowledged);
    stage.hear(0, Tables{.clusters = {}, .system = system});
    QCOMPARE(stage.membership.view().system().version, system->version);
    stage.hear(0, BeatReply{.number = stage.number(), .stamp = stamp});
    stage.run(200ms);
    QVERIFY(last<Rejoin>(stage, 0)->acknowledged.has_value());
    QCOMPARE(last<Rejoin>(stage, 0)->system, system->version);
    QVERIFY(stage.membership.fenced());
}

void TestMembershipReturn::asksAgainWhenItWasLostMeanwhile()
{
    Asking stage;
    stage.hear(0, Banish{.life = Life(1)}); // known
    QCOMPARE(stage.life, Life(2));
    stage.hear(0, Banish{.life = Life(2)});
    QCOMPARE(stage.life, Life(3));
    stage.run(200ms);
    QCOMPARE(last<Rejoin>(stage, 0)->life, Life(3));
    QCOMPARE(stage.refusals, 0);
}

void TestMembershipReturn::endsWhenItIsRefused()
{
    Asking stage;
    stage.hear(0, Banish{.life = Life(2), .forGood = true});
    QCOMPARE(stage.refusals, 1);
    stage.sent.clear();
    stage.run(2s);
    QVERIFY(stage.sent.empty());
}

void TestMembershipReturn::endsWhenNobodyAnswers()
{
    Asking stage;
    stage.run(59s);
    QCOMPARE(stage.refusals, 0);
    stage.run(2s);
    QCOMPARE(stage.refusals, 1);
    stage.sent.clear();
    stage.run(2s);
    QVERIFY(stage.sent.empty());
}

void TestMembershipReturn::endsWhenItMayNot()
{
    Stage stage(self);
    SystemTable system = stage.membership.view().system();
    system.settings.rejoin = false;
    ++system.version.revision;
    stage.hear(4, Tables{.clusters = {}, .system = std::make_shared<const SystemTable>(system)});
    stage.hear(4, Banish{});
    stage.membership.comeBack();
    QCOMPARE(stage.refusals, 1);
    QCOMPARE(stage.life, Life(1));
}

void TestMembershipReturn::isLetIn()
{
    Stage stage(0, {}, {2}, startingView());
    stage.run(200ms, [&] { stage.follow({1, 2, 3, 4}); });
    stage.hear(1, Observations{{{ProcessorId(2), Observation::Gone, HealthCause::Gone, 1us}}});
    QCOMPARE(stage.health(2), Health::Lost);
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 7}, Life(2));
    const MemberRow& row = stage.membership.view().member(ProcessorId(2));
    QCOMPARE(row.health, Health::Alive);
    QCOMPARE(row.life, Life(2));
    QCOMPARE(row.kind, ProcessorKind::Standby);
    QVERIFY(!row.seat);
    QVERIFY(stage.count<Admission>(2) == 0);
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 9}, Life(2));
    const auto told = last<Admission>(stage, 2);
    QVERIFY(told);
    QCOMPARE(told->reply.number, std::uint64_t(9));
    QCOMPARE(told->tables.clusters.size(), std::size_t(2));
    QVERIFY(told->tables.system != nullptr);
    // It is watched as others are.
    stage.run(1500ms, [&] { stage.follow({1, 3, 4}); });
    QVERIFY(stage.health(2) >= Health::Condemned);
}

void TestMembershipReturn::getsItsSeatAgain()
{
    Stage stage(0);
    stage.resync({3});
    stage.end(3);
    stage.hear(1, Observations{{{ProcessorId(2), Observation::Gone, HealthCause::Gone, 1us}}});
    const ClusterTable& before = stage.membership.view().cluster(SubclusterId(0));
    QVERIFY(before.holder(SeatId(1)) == nullptr);
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 7}, Life(2));
    const auto beats = [&] {
        stage.beat({1, 4});
        stage.hear(2, Beat{.number = ++stage.beats, .readiness = Readiness::Ready}, Life(2));
    };
    // Another one may have to write the table, and must know of it before it holds anything.
    stage.run(2900ms, beats);
    QVERIFY(!stage.membership.view().member(ProcessorId(2)).seat);
    stage.run(300ms, beats);
    const ClusterTable& after = stage.membership.view().cluster(SubclusterId(0));
    QVERIFY(after.holder(SeatId(1)) != nullptr);
    QCOMPARE(after.holder(SeatId(1))->processor, ProcessorId(2));
    QCOMPARE(after.seat(SeatId(1))->incarnation, Incarnation(2));
}

void TestMembershipReturn::saysThatItIsOver()
{
    // Its lease has run out, and nobody has seen it yet.
    Stage stage(0);
    stage.resync({3});
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 7}, Life(2));
    QCOMPARE(stage.health(2), Health::Fenced);
    const auto* const successor =
        stage.membership.view().cluster(SubclusterId(0)).holder(SeatId(1));
    QVERIFY(successor != nullptr && successor->processor == ProcessorId(3));
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 8}, Life(2));
    QCOMPARE(stage.health(2), Health::Alive);
}

void TestMembershipReturn::isNotLetInBesideWhoIsBeingFenced()
{
    Stage stage(0);
    stage.resync({3});
    stage.end(2);
    stage.elsewhere = {ProcessorId(2), ProcessorId(3)};
    stage.ended.clear();
    stage.hear(1, Observations{{{ProcessorId(3), Observation::Stuck, HealthCause::Stuck, 1us}}});
    QCOMPARE(stage.health(3), Health::Condemned);
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 7}, Life(2));
    QCOMPARE(stage.health(2), Health::Lost);
    stage.hear(1, Observations{{{ProcessorId(3), Observation::Gone, HealthCause::Gone, 1us}}});
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 8}, Life(2));
    QCOMPARE(stage.health(2), Health::Alive);
}

void TestMembershipReturn::wasOrderedToEnd()
{
    Stage stage(0);
    stage.membership.poll();
    QVERIFY(stage.membership.order(StopOrder{ProcessorId(2)}));
    stage.end(2);
    QCOMPARE(stage.health(2), Health::Lost);
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 7}, Life(2));
    QCOMPARE(last<Banish>(stage, 2), (Banish{.life = Life(2), .forGood = true}));
    QCOMPARE(stage.health(2), Health::Lost);
}

void TestMembershipReturn::mayNot()
{
    Stage stage(0);
    stage.membership.poll();
    QVERIFY(stage.membership.changeSettings({.rejoin = false}));
    stage.end(2);
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 7}, Life(2));
    QCOMPARE(last<Banish>(stage, 2), (Banish{.life = Life(2), .forGood = true}));
    QCOMPARE(stage.health(2), Health::Lost);
}

void TestMembershipReturn::passesOnWhoAsksElsewhere()
{
    Stage stage(4); // writes the table of its subcluster
    stage.resync({7});
    stage.end(6);
    stage.ended.clear();
    const Rejoin plea{.processor = ProcessorId(6), .life = Life(2), .number = 7};
    stage.sent.clear();
    stage.hear(6, plea, Life(2));
    QCOMPARE(last<Rejoin>(stage, 0), plea);
    QCOMPARE(stage.health(6), Health::Lost);
    stage.hear(5, plea);
    QCOMPARE(stage.count<Rejoin>(0), std::size_t(1));
    // The system master has said yes: who writes the table lets it in, and answers from then on.
    stage.hear(
        0,
        Observations{{{ProcessorId(6), Observation::Returned, HealthCause::Silent, 0us, Life(2)}}});
    QCOMPARE(stage.health(6), Health::Alive);
    stage.hear(6, plea, Life(2));
    QCOMPARE(stage.count<Admission>(6), std::size_t(1));
}

void TestMembershipReturn::earlierLivesDoNotCount()
{
    Stage stage(0);
    stage.resync({3});
    stage.end(2);
    stage.ended.clear();
    stage.hear(2, Rejoin{.processor = ProcessorId(2), .life = Life(2), .number = 7}, Life(2));
    QCOMPARE(stage.health(2), Health::Alive);
    // What somebody saw of the life before.
    stage.hear(
        1,
        Observations{{{ProcessorId(2), Observation::Silent, HealthCause::Silent, 1us, Life(1)}}});
    QCOMPARE(stage.health(2), Health::Alive);
    stage.sent.clear();
    stage.hear(2, Beat{.number = 8, .readiness = Readiness::Leaving}, Life(1));
    QCOMPARE(stage.health(2), Health::Alive);
    QCOMPARE(last<Banish>(stage, 2), Banish{.life = Life(1)});
    stage.hear(2, Beat{.number = 8, .readiness = Readiness::Leaving}, Life(3)); // not known yet
    QCOMPARE(stage.health(2), Health::Alive);
    QCOMPARE(stage.count<Banish>(2), std::size_t(1));
    stage.hear(2, Beat{.number = 8}, Life(2));
    QCOMPARE(stage.count<BeatReply>(2), std::size_t(1));
}

void TestMembershipReturn::comesLast()
{
    const MembershipView view = changed(startedView(), 4, [](MemberRow& row) {
        row.kind = ProcessorKind::Standby;
        row.seat.reset();
        row.life = Life(2);
    });
    QCOMPARE(clusterMaster(view.cluster(SubclusterId(1))), ProcessorId(5));
    QCOMPARE(placeInSuccession(view, ProcessorId(4)), 7U);
    QCOMPARE(placeInSuccession(view, ProcessorId(7)), 6U);
    // Also when nobody else of the first subcluster lives: another one leads meanwhile.
    MembershipView home = startedView();
    for (const std::uint32_t number : {0U, 1U, 2U, 3U}) {
        home = changed(std::move(home), number, [number](MemberRow& row) {
            row.health = number == 0 ? Health::Alive : Health::Lost;
            row.life = Life(number == 0 ? 2 : 1);
            row.seat.reset();
        });
    }
    QCOMPARE(clusterMaster(home.cluster(SubclusterId(0))), ProcessorId(0));
    QCOMPARE(systemMaster(home), ProcessorId(4));
    QCOMPARE(placeInSuccession(home, ProcessorId(0)), 7U);
    QCOMPARE(placeInSuccession(home, ProcessorId(4)), 3U);
}

QTEST_APPLESS_MAIN(TestMembershipReturn)

} // namespace tst_membershipreturn

#include "tst_membershipreturn.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_candidates {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::microseconds noMajority = 10s;

/// Processor 4, with its subcluster on a host of its own; processor 0, whose stamp it has
/// acknowledged, is not heard of any more.
struct FarStage : Stage {
    FarStage() : Stage(4, {}, {0, 1, 2, 3})
    {
        membership.poll();
        answer(0, following(stampOf(0)));
    }
    /// Somebody beats, and answers what it is asked.
    /// @param majorityAge  since when who it follows, or itself, has had no majority
    void replies(std::uint32_t by, const Stamp& stamp, std::chrono::microseconds majorityAge)
    {
        unanswered.clear();
        beat({by});
        BeatReply reply = following(stamp, majorityAge);
        reply.leaseAge = 0us;
        answer(by, reply);
    }
    /// Those of its own host.
    void othersFollow() { follow({5, 6, 7}); }
    /// The first in the order replies, which has had no majority for long.
    void hearsThePowerless()
    {
        othersFollow();
        replies(0, stampOf(0), noMajority);
    }
    [[nodiscard]] bool candidate() const { return membership.position().systemMaster; }
    [[nodiscard]] std::vector<Stamp> renounced() const
    {
        for (auto item = sent.rbegin(); item != sent.rend(); ++item) {
            if (const auto* const beat = std::get_if<Beat>(&item->second))
                return beat->renounced;
        }
        return {};
    }
};

} // namespace

/// Who may have to lead, and what follows from that it does not act yet.
class TestCandidates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysThatItIsOne();
    void grantsOfACandidate_data();
    void grantsOfACandidate();
    void whoHasNoMajorityKillsNobody();
    void whoHasAMajorityKillsWhoIsSilent();
    void powerlessOnesArePassedOver();
    void nobodyIsPassedOverWhenLinksHaveChanged();
    void whoHasAMajorityIsNotPassedOver();
    void renouncesWhatWasNotUsed();
    void doesNotRenounceWhatWasUsed();
    void renouncesWhenItIsFenced();
    void saysWhatGenerationItMayWrite();
    void successorHearsACandidateInTheLastMoment_data();
    void successorHearsACandidateInTheLastMoment();
};

void TestCandidates::saysThatItIsOne()
{
    FarStage stage;
    stage.run(1200ms, [&] { stage.follow({5, 6, 7}); });
    QVERIFY(stage.candidate());
    const Stamp said = stage.stamps.at(ProcessorId(5));
    QCOMPARE(said.leader, ProcessorId(4));
    QVERIFY(said.candidate);
    QCOMPARE(said.table, stage.membership.view().system().version);
    // A system master is none.
    Stage acting(0);
    acting.run(200ms, [&] { acting.beat({1}); });
    QCOMPARE(acting.stamps.at(ProcessorId(1)).leader, ProcessorId(0));
    QVERIFY(!acting.stamps.at(ProcessorId(1)).candidate);
}

void TestCandidates::grantsOfACandidate_data()
{
    QTest::addColumn<std::uint32_t>("self");
    QTest::addColumn<std::uint32_t>("above");
    QTest::addColumn<bool>("candidate");
    QTest::addColumn<bool>("valid");
    QTest::newRow("in a unit before it") << 2U << 1U << true << false;
    QTest::newRow("in a unit before it, the last") << 3U << 1U << true << false;
    QTest::newRow("in a unit before it, when it acts") << 2U << 1U << false << true;
    QTest::newRow("in its own unit") << 5U << 4U << true << true;
}

// Processor 4 is a candidate, 0 is silent. Fails if the lease of one that is buried with those of its unit
// can still be valid then.
void TestCandidates::grantsOfACandidate()
{
    QFETCH(std::uint32_t, self);
    QFETCH(std::uint32_t, above);
    QFETCH(bool, candidate);
    QFETCH(bool, valid);
    const bool near = self < 4;
    Stage stage(self, {},
                near ? std::initializer_list<std::uint32_t>{4, 5, 6, 7}
                     : std::initializer_list<std::uint32_t>{0, 1, 2, 3});
    const auto by = [&](std::uint32_t leader, bool isCandidate) {
        return [&stage, leader, isCandidate, who = near && leader == 0 ? 0 : above] {
            stage.answer(who, Stage::following(stage.stampOf(leader, isCandidate)));
            if (who == 1)
                stage.beat({1});
        };
    };
    stage.run(1s, by(0, false));
    stage.run(2900ms, by(4, candidate));
    QVERIFY(stage.standings.empty());
    stage.run(2s, by(4, candidate));
    QCOMPARE(stage.membership.standing(), valid ? Standing::Valid : Standing::Lapsed);
    // It is counted for the candidate in any case.
    stage.sent.clear();
    stage.run(100ms);
    QCOMPARE(stage.count<Beat>(above) > 0, true);
    for (const auto& [to, message] : stage.sent) {
        const auto* const beat = std::get_if<Beat>(&message);
        if (beat != nullptr && to == ProcessorId(above)) {
            QVERIFY(beat->support.has_value());
            QCOMPARE(beat->support->newest.leader, ProcessorId(4));
            QCOMPARE(beat->support->steps.size(), std::size_t(1));
        }
    }
}

// Processor 0 is silent on this host, and the others of it are on another one: they may have gone on
// without both, and its word is not the last.
void TestCandidates::whoHasNoMajorityKillsNobody()
{
    Stage stage(1, {}, {4, 5, 6, 7});
    const auto answered = [&](std::chrono::microseconds grantAge) {
        BeatReply reply = Stage::following(stage.stampOf(0));
        reply.grantAge = reply.soleAge = reply.majorityAge = grantAge;
        stage.answer(0, reply);
    };
    stage.run(500ms, [&] {
        answered(2000ms); // as a majority has not followed it for some time
        stage.beat({2, 3});
    });
    const auto others = [&] { stage.follow({2, 3}); };
    stage.run(1200ms, others);
    QVERIFY(stage.membership.position().systemMaster);
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    stage.run(5s, others);
    QVERIFY(stage.killed.empty());
    QCOMPARE(stage.health(0), Health::Alive);
    QVERIFY(!stage.membership.actsAsSystemMaster());
    // When a majority follows it alone it does.
    stage.membership.hasStopped(stage.letGo.front());
    stage.run(200ms, [&] { stage.follow({2, 3, 4}); });
    QCOMPARE(stage.membership.standing(), Standing::Valid);
    QVERIFY(!stage.killed.empty());
    QVERIFY(
        std::ranges::all_of(stage.killed, [](ProcessorId one) { return one == ProcessorId(0); }));
    stage.end(0);
    QVERIFY(stage.membership.actsAsSystemMaster());
}

void TestCandidates::whoHasAMajorityKillsWhoIsSilent()
{
    Stage stage(1, {}, {4, 5, 6, 7});
    stage.run(500ms, [&] {
        stage.answer(0, Stage::following(stage.stampOf(0)));
        stage.beat({2, 3});
    });
    stage.run(1200ms, [&] { stage.follow({2, 3}); });
    QVERIFY(stage.standings.empty()); // it goes on under the grant that it has
    QVERIFY(!stage.killed.empty());
    // The same where nobody is elsewhere, whatever its standing.
    Stage alone(1);
    alone.run(1200ms, [&] { alone.beat({2, 3, 4}); });
    QVERIFY(!alone.killed.empty());
}

// Of two halves neither goes on: the first in the order gathers all when they hear each other again. But
// if it cannot, the next one does.
void TestCandidates::powerlessOnesArePassedOver()
{
    FarStage stage;
    const auto others = [&] { stage.othersFollow(); };
    stage.run(5s, others);
    QVERIFY(stage.candidate());
    QCOMPARE(stage.membership.standing(), Standing::Lapsed);
    const auto heard = [&] { stage.hearsThePowerless(); };
    stage.run(50ms, heard);
    QVERIFY(!stage.candidate()); // put back, though it has no majority
    stage.run(1300ms, heard);
    QVERIFY(!stage.candidate());
    stage.run(400ms, heard);
    QVERIFY(stage.candidate()); // it had the time to gather one
    stage.run(9s, heard);
    QVERIFY(stage.candidate());
    stage.run(1500ms, heard);
    QVERIFY(!stage.candidate()); // it is its turn again
}

// Fails if who may reach all now is not tried before the time is over.
void TestCandidates::nobodyIsPassedOverWhenLinksHaveChanged()
{
    FarStage stage;
    const auto others = [&] { stage.othersFollow(); };
    const auto heard = [&] { stage.hearsThePowerless(); };
    stage.run(5s, others);
    stage.run(2s, heard);
    QVERIFY(stage.candidate());
    stage.run(1s, heard);
    QVERIFY(stage.candidate());
    stage.beat({1}); // of which nothing was heard for long
    stage.run(10ms, heard);
    QVERIFY(!stage.candidate());
    QCOMPARE(stage.membership.position().parent, std::optional(ProcessorId(0)));
}

void TestCandidates::whoHasAMajorityIsNotPassedOver()
{
    FarStage stage;
    const auto others = [&] { stage.othersFollow(); };
    const auto heard = [&] { stage.hearsThePowerless(); };
    stage.run(5s, others);
    stage.run(2500ms, heard);
    QVERIFY(stage.candidate());
    stage.replies(0, stage.stampOf(0), 2001ms);
    QVERIFY(stage.candidate());
    stage.replies(0, stage.stampOf(0), 1900ms);
    QVERIFY(!stage.candidate());
}

// Fails if who followed a candidate that never acted cannot follow another one alone for long.
void TestCandidates::renouncesWhatWasNotUsed()
{
    FarStage stage;
    stage.run(1200ms, [&] { stage.follow({5, 6, 7}); }); // half of all
    QVERIFY(stage.candidate());
    QVERIFY(stage.renounced().empty());
    const SteadyTime then = stage.clock.now();
    stage.replies(0, stage.stampOf(0), 100ms);
    QVERIFY(!stage.candidate());
    stage.run(100ms);
    QCOMPARE(stage.renounced(),
             (std::vector{Stamp{.leader = ProcessorId(4), .when = stampTime(then)}}));
    // Also in replies, and for others.
    stage.beat({5});
    const auto reply = std::ranges::find_if(stage.sent.rbegin(), stage.sent.rend(), [](auto& item) {
        return std::holds_alternative<BeatReply>(item.second);
    });
    QCOMPARE(std::get<BeatReply>(reply->second).renounced.size(), std::size_t(1));
    stage.hear(0, BeatReply{.renounced = {Stamp{ProcessorId(1), 7}}});
    stage.run(100ms);
    QCOMPARE(stage.renounced().size(), std::size_t(2));
    stage.run(4s, [&] { stage.answer(0, Stage::following(stage.stampOf(0))); });
    QVERIFY(stage.renounced().empty());
}

void TestCandidates::doesNotRenounceWhatWasUsed()
{
    FarStage stage;
    stage.hear(0,
               Tables{.clusters = {clusterAfter(stage.membership.view(), 0,
                                                [](ClusterTable& table) {
                                                    MemberRow& row = *table.member(ProcessorId(3));
                                                    row.health = Health::Lost;
                                                    row.ended = true;
                                                })},
                      .system = nullptr});
    stage.run(1500ms, [&] { stage.follow({5, 6, 7}, false); }); // four of seven
    QVERIFY(stage.candidate());
    stage.replies(0, stage.stampOf(0), 100ms);
    QVERIFY(!stage.candidate());
    stage.run(100ms);
    QVERIFY(stage.renounced().empty());
}

void TestCandidates::renouncesWhenItIsFenced()
{
    FarStage stage;
    stage.run(1200ms, [&] { stage.follow({5, 6, 7}); });
    QVERIFY(stage.candidate());
    stage.hear(0, Banish{});
    QCOMPARE(stage.fencings, 1);
    stage.membership.comeBack();
    stage.membership.poll();
    QVERIFY(std::holds_alternative<Rejoin>(stage.sent.back().second));
    const auto renounced = std::get<Rejoin>(stage.sent.back().second).renounced;
    QCOMPARE(renounced.size(), std::size_t(1));
    QCOMPARE(renounced.front().leader, ProcessorId(4));
}

// Fails if who acts again writes what a candidate that was established meanwhile has written.
void TestCandidates::saysWhatGenerationItMayWrite()
{
    FarStage stage;
    const Generation now = generationOf(stage.membership.view().system().version.term);
    stage.run(200ms, [&] { stage.follow({5, 6, 7}); });
    QCOMPARE(last<Beat>(stage, 0)->generation, now);
    stage.run(1200ms, [&] { stage.follow({5, 6, 7}); });
    QVERIFY(stage.candidate());
    QCOMPARE(last<BeatReply>(stage, 5)->generation, now.next());
    stage.hear(6, Beat{.number = ++stage.beats, .generation = Generation(9)});
    stage.run(100ms);
    stage.beat({7});
    QCOMPARE(last<BeatReply>(stage, 7)->generation, Generation(10));
    stage.replies(0, stage.stampOf(0), 100ms);
    QVERIFY(!stage.candidate());
    stage.run(100ms);
    QCOMPARE(last<Beat>(stage, 0)->generation, Generation(9));
}

void TestCandidates::successorHearsACandidateInTheLastMoment_data()
{
    QTest::addColumn<int>("step"); // of 5 ms, after whole beats
    for (const int step : {0, 1, 2, 10})
        QTest::addRow("%d ms", 5 * step) << step;
}

// Processor 0 is silent, and 4, elsewhere, is a candidate without a majority before 1, which is to follow.
// Fails if 1 follows that one in between, and has no grant then: it lapses, and kills nobody.
void TestCandidates::successorHearsACandidateInTheLastMoment()
{
    QFETCH(int, step);
    Stage stage(1, {}, {4, 5, 6, 7});
    stage.run(500ms, [&] {
        stage.answer(0, Stage::following(stage.stampOf(0)));
        stage.beat({2, 3});
    });
    int steps = 0;
    stage.run(1500ms, [&] {
        stage.follow({2, 3});
        if (steps++ % 20 != step)
            return;
        stage.hear(4, Ask{});
        BeatReply reply = Stage::following(stage.stampOf(4, true), noMajority);
        reply.leaseAge = 0us;
        stage.answer(4, reply);
    });
    QVERIFY(stage.membership.position().systemMaster);
    QVERIFY(stage.standings.empty());
    QVERIFY(!stage.killed.empty());
}

QTEST_APPLESS_MAIN(TestCandidates)

} // namespace tst_candidates

#include "tst_candidates.moc"

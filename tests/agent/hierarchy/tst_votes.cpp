// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_votes {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

/// The system master, of whose subclusters one is elsewhere; a majority follows it.
struct Leader : Stage {
    Leader() : Stage(0, {}, {4, 5, 6, 7}, startingView())
    {
        run(200ms, [&] { follow({1, 2, 3, 4}); });
    }
    /// What 4 publishes.
    void tell(const std::function<void(MemberRow&)>& change)
    {
        hear(4,
             Tables{.clusters = {clusterAfter(membership.view(), 1,
                                              [&](ClusterTable& table) {
                                                  table.writer = ProcessorId(4);
                                                  change(*table.member(ProcessorId(6)));
                                              })},
                    .system = nullptr});
    }
    [[nodiscard]] const SystemTable& system() const { return membership.view().system(); }
    /// Processor 6, which was fenced, asks.
    void plead(std::optional<Stamp> acknowledged, bool alone)
    {
        hear(6,
             Rejoin{.processor = ProcessorId(6),
                    .life = Life(2),
                    .number = ++beats,
                    .acknowledged = acknowledged,
                    .sole = alone,
                    .system = system().version},
             Life(2));
    }
};

} // namespace

/// Who counts for a system master, and that it needs a majority.
class TestVotes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beginsWithAMajority();
    void beginsAloneOnOneHost();
    void pleasAreVotes_data();
    void pleasAreVotes();
    void stampsAgeOnTheWay();
    void pleasAreAnsweredByWhatVotesCountBy();
    void whoHasEndedNeedsNoTable();
    void votersChangeInTwoSteps();
    void eachTableOfVotersBeginsAnew();
    void whoIsNotTrustedChangesNoVoters();
    void tablesOfAFormerSystemMasterHold();
    void whoIsSilentElsewhereIsLostForAMajority();
    void majorityOfBeforeSaysNothing_data();
    void majorityOfBeforeSaysNothing();
};

// Fails if a run begins of which nobody knows whether there is a majority.
void TestVotes::beginsWithAMajority()
{
    Stage stage(0, {}, {4, 5, 6, 7}, startingView());
    stage.run(2s, [&] { stage.beat({1, 2, 3, 4}); });
    QVERIFY(!stage.membership.view().system().started);
    stage.run(2s, [&] {
        stage.follow({1, 2});
        stage.beat({3, 4});
    });
    QVERIFY(!stage.membership.view().system().started); // three of eight
    QVERIFY(stage.standings.empty());
    stage.run(200ms, [&] {
        stage.follow({1, 2, 3});
        stage.beat({4});
    });
    QVERIFY(stage.membership.view().system().started);
    QVERIFY(stage.membership.actsAsSystemMaster());
    QVERIFY(stage.standings.empty());
}

void TestVotes::beginsAloneOnOneHost()
{
    Stage stage(0, {}, {}, startingView());
    stage.run(200ms, [&] { stage.beat({1, 2, 3, 4}); });
    QVERIFY(stage.membership.view().system().started);
    Stage waits(0, {.replacesSilentMaster = false}, {4, 5, 6, 7}, startingView());
    waits.run(200ms, [&] { waits.beat({1, 2, 3, 4}); });
    QVERIFY(waits.membership.view().system().started);
}

void TestVotes::pleasAreVotes_data()
{
    QTest::addColumn<int>("of"); // whose stamp it has acknowledged; -1: none
    QTest::addColumn<bool>("alone");
    QTest::addColumn<Standing>("then");
    QTest::newRow("none") << -1 << false << Standing::Lapsed;
    QTest::newRow("of another one") << 4 << true << Standing::Lapsed;
    QTest::newRow("not alone") << 0 << false << Standing::Valid;
    QTest::newRow("alone") << 0 << true << Standing::Valid;
}

// Processors 0 to 2 are three of eight; 6 wants to be let in. Fails if there can be no majority as there
// is nobody to let those in of whom it would be.
void TestVotes::pleasAreVotes()
{
    QFETCH(int, of);
    QFETCH(bool, alone);
    QFETCH(Standing, then);
    Leader stage;
    const auto few = [&] {
        stage.follow({1, 2});
        stage.beat({3, 4});
    };
    stage.run(1200ms, few); // it is not for it to let somebody in any more
    stage.sent.clear();
    std::optional<Stamp> stamp;
    stage.run(1800ms, [&] {
        few();
        if (of >= 0)
            stage.plead(stamp, alone);
        else
            stage.plead(std::nullopt, alone);
        const auto got = stage.stamps.find(ProcessorId(6));
        if (got == stage.stamps.end() || of < 0)
            return;
        stamp = got->second;
        stamp->leader = ProcessorId(static_cast<std::uint32_t>(of));
    });
    QCOMPARE(stage.membership.standing(), then);
    QVERIFY(stage.count<BeatReply>(6) > 0);
    // Only by those who follow it alone it decides about those who want to be let in.
    const auto told = last<Observations>(stage, 4);
    QCOMPARE(told.has_value(), of == 0 && alone);
    if (told) {
        QCOMPARE(told->observed.front().what, Observation::Returned);
        QCOMPARE(told->observed.front().processor, ProcessorId(6));
    }
}

// Of an old word, as it comes down after an outage, it is known how old it is at least.
void TestVotes::stampsAgeOnTheWay()
{
    Stage stage(4, {}, {0, 1, 2, 3});
    stage.membership.poll();
    BeatReply reply = Stage::following(stage.stampOf(0));
    reply.stampAge = 50ms;
    stage.answer(0, reply);
    stage.run(300ms);
    stage.beat({5});
    const auto passed = last<BeatReply>(stage, 5);
    QVERIFY(passed && passed->stamp);
    QCOMPARE(passed->stamp->leader, ProcessorId(0));
    QCOMPARE(passed->stampAge, std::chrono::microseconds(350ms));
}

void TestVotes::pleasAreAnsweredByWhatVotesCountBy()
{
    Leader stage;
    stage.run(1200ms, [&] { stage.follow({1, 2}); });
    stage.sent.clear();
    const Rejoin plea{.processor = ProcessorId(6),
                      .life = Life(2),
                      .number = 77,
                      .system = stage.system().version};
    stage.hear(6, plea, Life(2));
    const auto reply = last<BeatReply>(stage, 6);
    QVERIFY(reply && reply->stamp);
    QCOMPARE(reply->number, std::uint64_t(77));
    QCOMPARE(reply->stamp->leader, ProcessorId(0));
    QCOMPARE(reply->stamp->table, stage.system().version);
    QCOMPARE(stage.count<Tables>(6), std::size_t(0)); // it has them
    Rejoin old = plea;
    --old.system.revision;
    stage.hear(6, old, Life(2));
    const auto tables = last<Tables>(stage, 6);
    QVERIFY(tables && tables->system != nullptr);
    QCOMPARE(tables->system->version, stage.system().version);
    QVERIFY(tables->clusters.empty()); // of these it learns when it is let in
    QCOMPARE(stage.count<Admission>(6), std::size_t(0));
    QCOMPARE(stage.health(6), Health::Alive);
}

void TestVotes::whoHasEndedNeedsNoTable()
{
    Leader stage;
    const Version before = stage.system().version;
    stage.tell([](MemberRow& row) {
        row.health = Health::Lost;
        row.ended = true;
        row.seat.reset();
    });
    stage.run(1s, [&] { stage.follow({1, 2, 3, 4}); });
    QCOMPARE(stage.system().version, before);
    // Seven are left, of whom four are a majority whoever they are.
    stage.run(5s, [&] { stage.follow({1, 2, 3}); });
    QCOMPARE(stage.membership.standing(), Standing::Valid);
}

// Fails if one counts by the new voters while another one counts by the former ones.
void TestVotes::votersChangeInTwoSteps()
{
    Leader stage;
    stage.tell([](MemberRow& row) {
        row.health = Health::Lost; // nobody saw its end
        row.seat.reset();
    });
    const auto three = [&] {
        stage.follow({1, 2, 4});
        stage.beat({3});
    };
    stage.run(100ms, three);
    QVERIFY(stage.system().voters.empty());
    QCOMPARE(stage.system().votersToBe, processors({0, 1, 2, 3, 4, 5, 7}));
    stage.run(1s, three); // one of those that live does not say that it has the table
    QVERIFY(stage.system().voters.empty());
    stage.run(200ms, [&] { stage.follow({1, 2, 3, 4}); });
    QCOMPARE(stage.system().voters, processors({0, 1, 2, 3, 4, 5, 7}));
    QVERIFY(stage.system().votersToBe.empty());
    // It comes back, and is one of them when all know it.
    stage.tell([](MemberRow& row) {
        row.health = Health::Alive;
        row.life = Life(2);
    });
    stage.run(100ms, three);
    QCOMPARE(stage.system().voters, processors({0, 1, 2, 3, 4, 5, 7}));
    QCOMPARE(stage.system().votersToBe, processors({0, 1, 2, 3, 4, 5, 6, 7}));
    stage.run(200ms, [&] { stage.follow({1, 2, 3, 4}); });
    QCOMPARE(stage.system().voters, processors({0, 1, 2, 3, 4, 5, 6, 7}));
    QVERIFY(stage.system().votersToBe.empty());
    QVERIFY(stage.standings.empty());
}

// Fails if voters are those that a table names of which nobody has heard: who has only the former one would take
// one that another system master wrote meanwhile.
void TestVotes::eachTableOfVotersBeginsAnew()
{
    Leader stage;
    stage.tell([](MemberRow& row) {
        row.health = Health::Lost; // nobody saw its end
        row.seat.reset();
    });
    const auto none = [&] { stage.beat({1, 2, 3, 4}); };
    const auto all = [&] { stage.follow({1, 2, 3, 4}); };
    stage.run(100ms, none);
    const Version listed = stage.system().version;
    QVERIFY(!stage.system().votersToBe.empty());
    stage.run(3s, none);
    QCOMPARE(stage.membership.standing(), Standing::Lapsed);
    stage.membership.hasStopped(stage.letGo.back());
    all(); // all have the table, and follow by it
    stage.run(5ms);
    QCOMPARE(stage.membership.standing(), Standing::Valid);
    QVERIFY(generationOf(stage.system().version.term) > generationOf(listed.term));
    QVERIFY(stage.system().voters.empty());
    stage.run(5ms);
    QVERIFY(stage.system().voters.empty());
    stage.run(300ms, all);
    QCOMPARE(stage.system().voters, processors({0, 1, 2, 3, 4, 5, 7}));
}

void TestVotes::whoIsNotTrustedChangesNoVoters()
{
    Leader stage;
    const auto divided = [&] { stage.follow({1, 2, 3, 4}, false); };
    stage.run(1200ms, divided);
    stage.tell([](MemberRow& row) {
        row.health = Health::Lost;
        row.seat.reset();
    });
    stage.run(1s, divided);
    QVERIFY(stage.system().votersToBe.empty());
    QCOMPARE(stage.membership.standing(), Standing::Valid);
    stage.run(200ms, [&] { stage.follow({1, 2, 3, 4}); });
    QVERIFY(!stage.system().votersToBe.empty() || !stage.system().voters.empty());
}

// A former system master has said who is to vote: whoever goes on for it waits until all have that.
void TestVotes::tablesOfAFormerSystemMasterHold()
{
    Leader stage;
    stage.hear(4,
               Tables{.clusters = {},
                      .system = systemAfter(stage.membership.view(), [](SystemTable& system) {
                          system.voters = processors({0, 1, 2, 3, 4});
                          system.votersToBe = processors({0, 1, 2, 3, 4, 5, 6, 7});
                      })});
    stage.run(50ms);
    QCOMPARE(stage.system().voters, processors({0, 1, 2, 3, 4}));
    stage.run(300ms, [&] { stage.follow({1, 2, 3}); }); // a majority of both lists, not all
    QCOMPARE(stage.system().voters, processors({0, 1, 2, 3, 4}));
    QCOMPARE(stage.membership.standing(), Standing::Valid);
    stage.run(300ms, [&] { stage.follow({1, 2, 3, 4}); });
    QCOMPARE(stage.system().voters, processors({0, 1, 2, 3, 4, 5, 6, 7}));
}

void TestVotes::whoIsSilentElsewhereIsLostForAMajority()
{
    for (const bool majority : {true, false}) {
        Leader stage;
        stage.run(1400ms, [&] {
            stage.follow({1, 2});
            if (majority)
                stage.follow({3});
            else
                stage.beat({3});
        });
        QCOMPARE(stage.health(4), majority ? Health::Condemned : Health::Alive);
    }
}

void TestVotes::majorityOfBeforeSaysNothing_data()
{
    QTest::addColumn<int>("goesOn"); // for so many ms all follow, but one that is silent
    for (const int ms : {0, 20, 40, 60, 80, 100})
        QTest::addRow("%d ms", ms) << ms;
}

// Fails if who is cut off itself takes those for lost from which it was cut off, by what it heard until
// then.
void TestVotes::majorityOfBeforeSaysNothing()
{
    QFETCH(int, goesOn);
    Leader stage;
    stage.run(std::chrono::milliseconds(goesOn), [&] { stage.follow({1, 2, 3}); });
    stage.run(1500ms, [&] { stage.beat({1, 2, 3}); });
    QCOMPARE(stage.health(4), Health::Alive);
    QVERIFY(stage.killed.empty());
}

QTEST_APPLESS_MAIN(TestVotes)

} // namespace tst_votes

#include "tst_votes.moc"

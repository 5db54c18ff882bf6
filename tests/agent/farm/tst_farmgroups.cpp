// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farmhistory.h"

namespace tst_farmgroups {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

/// Three subclusters of five processors, two of them with group schedulers; one standby in each.
FarmScenario groupScenario(int seed)
{
    FarmScenario scenario{.seed = static_cast<std::uint32_t>(seed), .ranks = 15, .standbys = 3};
    scenario.groups = 2;
    scenario.leadersApart = seed % 2 == 0;
    return scenario;
}

} // namespace

/// Farms of several subclusters, with group schedulers, through deaths of ranks and of cluster masters,
/// promotions, pauses and operators' commands, over many random seeds: every task is done and counts
/// once, no attempt runs in two places, no run hangs.
class TestFarmGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingGoesWrong();
    void leadersDieAndTheirRanksWorkOn();
    void leadersChangeAndNothingIsRunAgain();
    void anythingGoesWrong();
    void leaderAndRankDieTogether();
    void wholeGroupsDie();
    void everybodyButTheMasterDies();
    void operatorsWhenAnythingGoesWrong();
    void interruptedAndResumed();
    void missingStandingIsFound();
};

void TestFarmGroups::nothingGoesWrong()
{
    for (int seed = firstSeed(); seed <= lastSeed(6); ++seed) {
        const FarmScenario scenario = groupScenario(seed);
        History history;
        live(scenario, 500, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
        QCOMPARE(history.startedAgain, 0U);
        QCOMPARE(history.leaderships, 2U);
        QCOMPARE(lostAttempts(history), std::size_t{0});
        for (const Event& event : history.record) {
            QVERIFY(!std::holds_alternative<ProcessorLost>(event.payload));
            QVERIFY(!std::holds_alternative<Notice>(event.payload));
        }
    }
}

// Who leads a worker group dies, and holds no rank: what its ranks run goes on, is not run again and not
// lost, as they tell the next one what they hold.
void TestFarmGroups::leadersDieAndTheirRanksWorkOn()
{
    std::uint32_t leaderships = 0;
    for (int seed = firstSeed(); seed <= lastSeed(40); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.leadersApart = true;
        scenario.leaderDeaths = 1 + scenario.seed % 2;
        scenario.groups = scenario.leaderDeaths == 2 ? 2 : 1; // seldom twice in one
        scenario.span = 200ms;
        History history;
        live(scenario, 600, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
        const bool ranksDied = std::ranges::any_of(history.record, [](const Event& event) {
            return std::holds_alternative<ProcessorLost>(event.payload);
        });
        QVERIFY2(ranksDied || history.startedAgain == 0U,
                 qPrintable(words(scenario, "started again")));
        QVERIFY2(ranksDied || lostAttempts(history) == 0U, qPrintable(words(scenario, "lost")));
        leaderships += history.leaderships;
    }
    QVERIFY(leaderships > 60); // else hardly anybody took over
}

void TestFarmGroups::leadersChangeAndNothingIsRunAgain()
{
    for (int seed = firstSeed(); seed <= lastSeed(40); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.leaderChanges = 1 + scenario.seed % 6;
        scenario.closings = scenario.seed % 3;
        scenario.slowLinks = scenario.seed % 2;
        scenario.span = 300ms;
        History history;
        live(scenario, 600, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
        QVERIFY2(history.startedAgain == 0U, qPrintable(words(scenario, "started again")));
        QVERIFY2(lostAttempts(history) == 0U, qPrintable(words(scenario, "lost")));
    }
}

void TestFarmGroups::anythingGoesWrong()
{
    std::uint32_t takeovers = 0;
    for (int seed = firstSeed(); seed <= lastSeed(60); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.deaths = scenario.seed % 4;
        scenario.pauses = scenario.seed % 5;
        scenario.slowLinks = scenario.seed % 3;
        scenario.breakdowns = scenario.seed % 5 == 0 ? 2 : 0;
        scenario.stalls = scenario.seed % 2;
        scenario.leaderDeaths = scenario.seed % 3;
        scenario.doubleDeaths = scenario.seed % 2;
        scenario.leaderChanges = scenario.seed % 4;
        scenario.closings = scenario.seed % 3;
        History history;
        live(scenario, 500, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete); // rank 0 works to the end
        takeovers += history.takeovers;
    }
    QVERIFY(takeovers > 20);
}

void TestFarmGroups::leaderAndRankDieTogether()
{
    for (int seed = firstSeed(); seed <= lastSeed(40); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.doubleDeaths = 2;
        scenario.span = 200ms;
        History history;
        live(scenario, 500, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
}

void TestFarmGroups::wholeGroupsDie()
{
    for (int seed = firstSeed(); seed <= lastSeed(20); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.groupDeaths = 1;
        scenario.span = 200ms;
        History history;
        live(scenario, 400, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
}

void TestFarmGroups::everybodyButTheMasterDies()
{
    int interrupted = 0;
    for (int seed = firstSeed(); seed <= lastSeed(20); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.dedicatedMaster = true;
        scenario.allDie = true;
        scenario.span = 200ms;
        History history;
        live(scenario, 500, history);
        std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, history.unfinished == 0 ? RunEnd::Complete : RunEnd::Interrupted);
        interrupted += history.unfinished == 0 ? 0 : 1;

        live(groupScenario(seed), 0, history);
        complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
    }
    QVERIFY(interrupted > 0);
}

void TestFarmGroups::operatorsWhenAnythingGoesWrong()
{
    for (int seed = firstSeed(); seed <= lastSeed(40); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.deaths = scenario.seed % 3;
        scenario.pauses = scenario.seed % 4;
        scenario.slowLinks = scenario.seed % 2;
        scenario.leaderDeaths = scenario.seed % 3;
        scenario.leaderChanges = scenario.seed % 4;
        scenario.stalls = scenario.seed % 3;
        scenario.commands = 80;
        scenario.staysOpen = scenario.seed % 2 == 0;
        History history;
        live(scenario, 500, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
}

void TestFarmGroups::interruptedAndResumed()
{
    int interrupted = 0;
    for (int seed = firstSeed(); seed <= lastSeed(40); ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.interrupts = 1 + scenario.seed % 2;
        scenario.pauses = scenario.seed % 3;
        scenario.deaths = scenario.seed % 2;
        scenario.leaderDeaths = scenario.seed % 3;
        scenario.leaderChanges = scenario.seed % 2;
        scenario.span = 250ms;
        History history;
        live(scenario, 700, history);
        std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, history.unfinished == 0 ? RunEnd::Complete : RunEnd::Interrupted);
        interrupted += history.unfinished == 0 ? 0 : 1;

        live(groupScenario(seed), 0, history);
        complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
    QVERIFY(interrupted > 10);
}

/// The same checks over a farm that does what it must not: they have to notice.
void TestFarmGroups::missingStandingIsFound()
{
    int found = 0;
    for (int seed = 1; seed <= 8; ++seed) {
        FarmScenario scenario = groupScenario(seed);
        scenario.leadersApart = true;
        scenario.leaderChanges = 4;
        scenario.span = 200ms;
        scenario.sabotage = Sabotage::NoStanding;
        History history;
        live(scenario, 600, history);
        const bool noticed = !complaintAbout(history, true).empty() || history.startedAgain != 0
            || lostAttempts(history) != 0;
        found += noticed ? 1 : 0;
    }
    QVERIFY(found >= 4);
}

QTEST_APPLESS_MAIN(TestFarmGroups)

} // namespace tst_farmgroups

#include "tst_farmgroups.moc"

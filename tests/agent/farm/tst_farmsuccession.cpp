// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farmhistory.h"

namespace tst_farmsuccession {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

/// One to three subclusters, with standbys, whose masters die.
FarmScenario scenarioOf(int seed)
{
    FarmScenario scenario{.seed = static_cast<std::uint32_t>(seed), .ranks = 15, .standbys = 3};
    scenario.groups = scenario.seed % 3;
    scenario.leadersApart = seed % 2 == 0;
    scenario.dedicatedMaster = seed % 4 == 0;
    scenario.successions = 1 + scenario.seed % 3;
    scenario.span = 300ms;
    return scenario;
}

} // namespace

/// Farms whose masters die, with what they have not recorded, and go on under the next in order, over
/// many random seeds: every task is done and counts once, no attempt runs in two places, no run hangs.
class TestFarmSuccession : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mastersDie();
    void deadMastersLeadNobody();
    void anythingGoesWrong();
    void hostsShareNoDirectory();
    void interruptedAndResumed();
    void operatorsAreNotForgotten();
    void missingStandingIsFound();
};

void TestFarmSuccession::mastersDie()
{
    std::uint32_t successions = 0;
    for (int seed = firstSeed(); seed <= lastSeed(60); ++seed) {
        const FarmScenario scenario = scenarioOf(seed);
        History history;
        live(scenario, 600, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
        successions += history.successions;
    }
    QVERIFY(successions > 60); // else hardly any died in time
}

// A master that holds no rank dies: what runs goes on, and nothing is lost or run again.
void TestFarmSuccession::deadMastersLeadNobody()
{
    for (int seed = firstSeed(); seed <= lastSeed(40); ++seed) {
        FarmScenario scenario = scenarioOf(seed);
        scenario.dedicatedMaster = true;
        scenario.successions = 1;
        scenario.span = 200ms;
        History history;
        live(scenario, 600, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
        QVERIFY2(history.startedAgain == 0U, qPrintable(words(scenario, "started again")));
        QVERIFY2(lostAttempts(history) == 0, qPrintable(words(scenario, "lost")));
    }
}

void TestFarmSuccession::anythingGoesWrong()
{
    for (int seed = firstSeed(); seed <= lastSeed(60); ++seed) {
        FarmScenario scenario = scenarioOf(seed);
        scenario.deaths = scenario.seed % 4;
        scenario.pauses = scenario.seed % 5;
        scenario.slowLinks = scenario.seed % 3;
        scenario.breakdowns = scenario.seed % 5 == 0 ? 2 : 0;
        scenario.stalls = scenario.seed % 2;
        if (scenario.groups != 0) {
            scenario.leaderDeaths = scenario.seed % 3;
            scenario.doubleDeaths = scenario.seed % 2;
            scenario.leaderChanges = scenario.seed % 4;
            scenario.closings = scenario.seed % 3;
        }
        History history;
        live(scenario, 500, history);
        const std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QVERIFY2(history.end == RunEnd::Complete || history.unfinished != 0U,
                 qPrintable(words(scenario, "not complete")));
    }
}

/// Each host has its own disk: the record goes from copy to copy, and whatever anybody was told is in
/// the last one.
void TestFarmSuccession::hostsShareNoDirectory()
{
    std::uint32_t moves = 0;
    std::size_t forgotten = 0;
    int left = 0;
    constexpr int usual = 80;
    for (int seed = firstSeed(); seed <= lastSeed(usual); ++seed) {
        FarmScenario scenario = scenarioOf(seed);
        scenario.hosts = 2 + scenario.seed % 2;
        scenario.deaths = scenario.seed % 3;
        scenario.stalls = scenario.seed % 4 == 0 ? 1 : 0;
        scenario.slowLinks = scenario.seed % 5 == 0 ? 1 : 0;
        History history;
        live(scenario, 600, history);
        const std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QVERIFY2(history.end == RunEnd::Complete || history.recordLeft,
                 qPrintable(words(scenario, "not complete")));
        moves += history.moves;
        forgotten += history.forgotten;
        left += history.recordLeft ? 1 : 0;
    }
    qInfo("%u moves, %zu events forgotten, %d runs without a record", moves, forgotten, left);
    QVERIFY(moves > usual / 2);
    QVERIFY(forgotten > 0);
    QVERIFY(left < usual / 4); // master and holder died together
}

void TestFarmSuccession::interruptedAndResumed()
{
    int interrupted = 0;
    for (int seed = firstSeed(); seed <= lastSeed(30); ++seed) {
        FarmScenario scenario = scenarioOf(seed);
        scenario.interrupts = 1 + scenario.seed % 2;
        scenario.deaths = scenario.seed % 2;
        History history;
        live(scenario, 700, history);
        std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        interrupted += history.unfinished == 0 ? 0 : 1;

        FarmScenario next = scenarioOf(seed);
        next.successions = 0;
        live(next, 0, history);
        complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
    QVERIFY(interrupted > 8);
}

/// What an operator was told is done, whoever is master.
void TestFarmSuccession::operatorsAreNotForgotten()
{
    std::uint32_t stopped = 0;
    std::uint32_t ended = 0;
    for (int seed = firstSeed(); seed <= lastSeed(60); ++seed) {
        FarmScenario scenario = scenarioOf(seed);
        scenario.deaths = scenario.seed % 3;
        scenario.pauses = scenario.seed % 4 == 0 ? 2 : 0;
        scenario.commands = 80;
        scenario.mayStop = scenario.seed % 3 == 0;
        scenario.staysOpen = scenario.seed % 2 == 0;
        History history;
        live(scenario, 500, history);
        const bool mustBeComplete = !scenario.mayStop && scenario.deaths == 0;
        const std::string complaint = complaintAbout(history, mustBeComplete);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        stopped += history.stopped;
        ended += history.unfinished == 0 ? 0U : 1U;
    }
    QVERIFY(stopped > 60);
    QVERIFY(ended > 3); // else no end was ordered in time
}

/// The same checks over a farm that does what it must not: they have to notice.
void TestFarmSuccession::missingStandingIsFound()
{
    int found = 0;
    for (int seed = 1; seed <= 8; ++seed) {
        FarmScenario scenario = scenarioOf(seed);
        scenario.dedicatedMaster = true;
        scenario.span = 150ms;
        scenario.sabotage = Sabotage::NoStanding;
        History history;
        live(scenario, 600, history);
        const bool noticed = !complaintAbout(history, true).empty() || history.startedAgain != 0
            || lostAttempts(history) != 0;
        found += noticed ? 1 : 0;
    }
    QVERIFY(found >= 4);
}

QTEST_APPLESS_MAIN(TestFarmSuccession)

} // namespace tst_farmsuccession

#include "tst_farmsuccession.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farmhistory.h"

namespace tst_farmsimulated {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

/// Whole farms, master, workers and all, through deaths, pauses, delays, full disks and
/// interruptions, over many random seeds.
class TestFarmSimulated : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingGoesWrong_data() { sizes(); }
    void nothingGoesWrong();
    void anythingGoesWrong_data() { sizes(); }
    void anythingGoesWrong();
    void everybodyElseDies();
    void everyWorkerDies();
    void fullDiskDelaysAndLosesNothing();
    void interruptedAndResumed();
    void masterDiesAndTheRunIsResumed();
    void operatorsOnAQuietFarm();
    void operatorsWhenAnythingGoesWrong();
    void operatorsEndTheRun();
    void operatorsAndADeadMaster();
    void staleResultsAreFound();
    void lostMessagesAreFound();
    void forgedRecordsAreFound();

private:
    static void sizes();
};

void TestFarmSimulated::sizes()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("tasks");
    QTest::addColumn<int>("seeds");
    QTest::newRow("4 ranks") << 4 << 250 << 40;
    QTest::newRow("64 ranks") << 64 << 1'000 << 3;
    QTest::newRow("256 ranks") << 256 << 1'500 << 1;
}

void TestFarmSimulated::nothingGoesWrong()
{
    QFETCH(int, ranks);
    QFETCH(int, tasks);
    FarmScenario scenario{.seed = 99, .ranks = static_cast<std::uint32_t>(ranks)};
    History history;
    live(scenario, static_cast<std::uint32_t>(tasks), history);
    const std::string complaint = complaintAbout(history, true);
    QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
    QCOMPARE(history.end, RunEnd::Complete);
    QCOMPARE(history.takeovers, 0U);
    for (const Event& event : history.record) {
        const auto* finished = std::get_if<AttemptFinished>(&event.payload);
        QVERIFY(!finished || finished->result.outcome != Outcome::Lost);
        QVERIFY(!std::holds_alternative<ProcessorLost>(event.payload));
        QVERIFY(!std::holds_alternative<Notice>(event.payload));
    }
}

void TestFarmSimulated::anythingGoesWrong()
{
    QFETCH(int, ranks);
    QFETCH(int, tasks);
    QFETCH(int, seeds);
    std::uint32_t takeovers = 0;
    const int first = qEnvironmentVariableIntValue("TASUKI_FIRST_SEED") + 1; // for longer searches
    for (int seed = first; seed < first + seeds; ++seed) {
        FarmScenario scenario{.seed = static_cast<std::uint32_t>(seed),
                              .ranks = static_cast<std::uint32_t>(ranks)};
        scenario.deaths = scenario.ranks / 4;
        scenario.standbys = scenario.ranks / 4;
        scenario.pauses = scenario.ranks / 2;
        scenario.slowLinks = scenario.ranks / 4;
        scenario.breakdowns = scenario.seed % 3;
        scenario.stalls = scenario.seed % 2;
        History history;
        live(scenario, static_cast<std::uint32_t>(tasks), history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete); // rank 0 works to the end
        takeovers += history.takeovers;
    }
    QVERIFY(takeovers > 0); // else nothing of interest happened
}

void TestFarmSimulated::everybodyElseDies()
{
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const FarmScenario scenario{.seed = seed, .ranks = 6, .allDie = true, .span = 200ms};
        History history;
        live(scenario, 200, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
}

void TestFarmSimulated::everyWorkerDies()
{
    int interrupted = 0;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        FarmScenario scenario{
            .seed = seed, .ranks = 5, .dedicatedMaster = true, .allDie = true, .span = 150ms};
        History history;
        live(scenario, 400, history);
        std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, history.unfinished == 0 ? RunEnd::Complete : RunEnd::Interrupted);
        interrupted += history.unfinished == 0 ? 0 : 1;

        live({.seed = seed, .ranks = 5}, 0, history);
        complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
    }
    QVERIFY(interrupted > 0);
}

void TestFarmSimulated::fullDiskDelaysAndLosesNothing()
{
    for (std::uint32_t seed = 1; seed <= 15; ++seed) {
        const FarmScenario scenario{.seed = seed, .ranks = 4, .pauses = 1, .stalls = 3};
        History history;
        live(scenario, 200, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
}

void TestFarmSimulated::interruptedAndResumed()
{
    int interrupted = 0;
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        FarmScenario scenario{.seed = seed, .ranks = 5, .interrupts = 1 + seed % 2, .span = 250ms};
        scenario.pauses = seed % 3;
        scenario.deaths = seed % 2;
        History history;
        live(scenario, 300, history);
        std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, history.unfinished == 0 ? RunEnd::Complete : RunEnd::Interrupted);
        interrupted += history.unfinished == 0 ? 0 : 1;

        live({.seed = seed, .ranks = 3, .deaths = 1}, 0, history);
        complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
    QVERIFY(interrupted > 10);
}

void TestFarmSimulated::masterDiesAndTheRunIsResumed()
{
    int cutOff = 0;
    for (std::uint32_t seed = 1; seed <= 15; ++seed) {
        FarmScenario scenario{.seed = seed, .ranks = 5, .masterDies = true, .span = 250ms};
        scenario.pauses = seed % 3;
        History history;
        live(scenario, 300, history);
        QVERIFY2(history.complaint.empty(), qPrintable(words(scenario, history.complaint)));
        if (history.record.empty())
            continue; // it died before anything was recorded: nothing to resume
        cutOff += history.unfinished == 0 ? 0 : 1;

        live({.seed = seed, .ranks = 3}, 0, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
    QVERIFY(cutOff > 5);
}

void TestFarmSimulated::operatorsOnAQuietFarm()
{
    std::vector<std::uint32_t> accepted(std::variant_size_v<OperatorCommand>);
    std::uint32_t stopped = 0;
    std::uint32_t peeked = 0;
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const FarmScenario scenario{
            .seed = seed, .ranks = 4, .commands = 60, .staysOpen = seed % 2 == 0};
        History history;
        live(scenario, 400, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
        for (std::size_t kind = 0; kind < accepted.size(); ++kind)
            accepted[kind] += history.accepted[kind];
        stopped += history.stopped;
        peeked += history.peeked;
    }
    // What is about tasks and the run: there is no hierarchy here.
    for (std::size_t kind = 0; kind <= OperatorCommand(StopRun{}).index(); ++kind)
        QVERIFY(accepted[kind] >= 5); // else nothing of interest happened
    QVERIFY(stopped >= 10);
    QVERIFY(peeked >= 10);
}

void TestFarmSimulated::operatorsWhenAnythingGoesWrong()
{
    const int first = qEnvironmentVariableIntValue("TASUKI_FIRST_SEED") + 1; // for longer searches
    for (int seed = first; seed < first + 30; ++seed) {
        FarmScenario scenario{.seed = static_cast<std::uint32_t>(seed), .ranks = 5};
        scenario.deaths = scenario.seed % 3;
        scenario.pauses = scenario.seed % 4;
        scenario.slowLinks = scenario.seed % 2;
        scenario.breakdowns = scenario.seed % 5 == 0 ? 1 : 0;
        scenario.stalls = scenario.seed % 3;
        scenario.commands = 80;
        scenario.staysOpen = scenario.seed % 2 == 0;
        History history;
        live(scenario, 300, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete); // rank 0 works to the end
    }
}

void TestFarmSimulated::operatorsEndTheRun()
{
    int interrupted = 0;
    const int first = qEnvironmentVariableIntValue("TASUKI_FIRST_SEED") + 1;
    for (int seed = first; seed < first + 20; ++seed) {
        FarmScenario scenario{.seed = static_cast<std::uint32_t>(seed), .ranks = 5};
        scenario.pauses = scenario.seed % 3;
        scenario.deaths = scenario.seed % 2;
        scenario.stalls = scenario.seed % 2;
        scenario.interrupts = scenario.seed % 4 == 0 ? 1 : 0;
        scenario.commands = 80;
        scenario.mayStop = true;
        History history;
        live(scenario, 400, history);
        std::string complaint = complaintAbout(history, false);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, history.unfinished == 0 ? RunEnd::Complete : RunEnd::Interrupted);
        interrupted += history.unfinished == 0 ? 0 : 1;

        live({.seed = scenario.seed, .ranks = 3, .deaths = 1, .commands = 20}, 0, history);
        complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
    QVERIFY(interrupted > 5);
}

void TestFarmSimulated::operatorsAndADeadMaster()
{
    for (std::uint32_t seed = 1; seed <= 15; ++seed) {
        FarmScenario scenario{.seed = seed, .ranks = 5, .commands = 60, .masterDies = true};
        scenario.pauses = seed % 3;
        History history;
        live(scenario, 400, history);
        QVERIFY2(history.complaint.empty(), qPrintable(words(scenario, history.complaint)));
        if (history.record.empty())
            continue; // it died before anything was recorded: nothing to resume

        live({.seed = seed, .ranks = 3, .commands = 20}, 0, history);
        const std::string complaint = complaintAbout(history, true);
        QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        QCOMPARE(history.end, RunEnd::Complete);
    }
}

/// The same checks over a farm that does what it must not: they have to notice.
void TestFarmSimulated::staleResultsAreFound()
{
    int sabotaged = 0;
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        FarmScenario scenario{.seed = seed, .ranks = 4, .standbys = 1, .deaths = 2, .span = 200ms};
        scenario.sabotage = Sabotage::StaleResults;
        History history;
        live(scenario, 2'000, history);
        const std::string complaint = complaintAbout(history, true);
        if (history.staleResults == 0) {
            QVERIFY2(complaint.empty(), qPrintable(words(scenario, complaint)));
        } else {
            QVERIFY2(complaint.starts_with("a result of another life counts")
                         || complaint.starts_with("a result counts twice"),
                     qPrintable(words(scenario, complaint)));
            ++sabotaged;
        }
    }
    QVERIFY(sabotaged >= 2);
}

void TestFarmSimulated::lostMessagesAreFound()
{
    FarmScenario scenario{.seed = 3, .ranks = 4};
    scenario.sabotage = Sabotage::LostMessages;
    History history;
    live(scenario, 250, history);
    QCOMPARE(complaintAbout(history, true), std::string("the run does not end"));
}

void TestFarmSimulated::forgedRecordsAreFound()
{
    History history;
    live({.seed = 5, .ranks = 4}, 60, history);
    QCOMPARE(complaintAbout(history, true), std::string());
    const auto isEnd = [](const Event& event) {
        return std::holds_alternative<AttemptFinished>(event.payload);
    };
    const auto forged = [&](auto forge) {
        History copy = history;
        forge(copy.record, std::ranges::find_if(copy.record, isEnd));
        return complaintAbout(copy, true);
    };
    using Record = std::vector<Event>;
    using Place = Record::iterator;
    const std::string twice = forged([](Record& record, Place place) {
        const Event copy = *place;
        for (auto later = place; later != record.end(); ++later)
            later->id.sequence = later->id.sequence.next();
        record.insert(place, copy);
    });
    QVERIFY(!twice.empty());
    const std::string missing = forged([](Record& record, Place place) { record.erase(place); });
    QVERIFY(!missing.empty());
    const std::string foreign = forged(
        [](Record&, Place place) { std::get<AttemptFinished>(place->payload).rank = Rank(77); });
    QCOMPARE(foreign, std::string("a result counts of a processor that is not there"));
    const std::string stale = forged([](Record&, Place place) {
        auto& captured = std::get<AttemptFinished>(place->payload).result.standardOutput;
        auto token = ExecutionToken::parse(captured.head).value();
        token.incarnation = token.incarnation.next();
        captured.head = token.text();
    });
    QVERIFY(stale.starts_with("a result of another life counts"));
    const std::string invented = forged([](Record&, Place place) {
        std::get<AttemptFinished>(place->payload).result.standardOutput = {};
    });
    QCOMPARE(invented, std::string("a result comes from nowhere"));
    const std::string edited = forged([](Record&, Place place) {
        std::get<AttemptFinished>(place->payload).result.standardError.head += " of old";
    });
    QVERIFY(edited.ends_with(" ran another command"));
    const std::string heldBefore = forged([](Record& record, Place place) {
        Event held = *place;
        held.payload = TaskHeld{std::get<AttemptFinished>(place->payload).key.task};
        for (auto later = place; later != record.end(); ++later)
            later->id.sequence = later->id.sequence.next();
        record.insert(place, held);
    });
    QVERIFY(!heldBefore.empty());
}

QTEST_APPLESS_MAIN(TestFarmSimulated)

} // namespace tst_farmsimulated

#include "tst_farmsimulated.moc"

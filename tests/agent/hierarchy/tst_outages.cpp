// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "outagecourse.h"

#include <map>
#include <string>

namespace tst_outages {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;

namespace {

int ms(std::chrono::nanoseconds time)
{
    return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

/// One row of the table of all courses.
void print(const std::string& what, const OutageFigures& figures)
{
    qInfo(
        "%-36s %6d courses, %d failed, %d without a majority, %d other system masters, %d killed; "
        "%d suspensions, %d lapses, %d lost their place, %d let in again, %d ended; "
        "one acts in %d ms, all back in %d ms",
        what.c_str(), figures.courses, figures.failed, figures.withoutMajority, figures.moved,
        static_cast<int>(figures.kills), static_cast<int>(figures.suspended),
        static_cast<int>(figures.lapsed), static_cast<int>(figures.lost),
        static_cast<int>(figures.returns), static_cast<int>(figures.ended), ms(figures.acts),
        ms(figures.back));
}

} // namespace

/// Faults of hosts that pass, from seeds; TASUKI_SIMULATION_SEEDS says how many of each row,
/// TASUKI_SIMULATION_FIRST with which to begin; TASUKI_SIMULATION_TRACE tells of each course every 100 ms.
class TestOutages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomOutages_data();
    void randomOutages();
    void rareCourses_data();
    void rareCourses();
    void noticesWhoIgnoresTheMajority();
    void noticesWhoDoesNotWait();
    void noticesWhoKeepsItsSeat();
    void noticesResultsOfOldIncarnations();
    void noticesClocksThatRunWrong();
    void cleanupTestCase();

private:
    std::map<std::string, OutageFigures> m_figures; ///< by kind of outage
};

void TestOutages::randomOutages_data()
{
    QTest::addColumn<OutageKind>("kind");
    QTest::addColumn<QString>("outage");
    for (const OutageRow& row : outageRows())
        QTest::newRow(row.name.c_str()) << row.kind << QString::fromStdString(row.outage);
}

void TestOutages::randomOutages()
{
    QFETCH(OutageKind, kind);
    QFETCH(QString, outage);
    constexpr int seedsOfEach = 12;
    const int seeds = qEnvironmentVariableIsSet("TASUKI_SIMULATION_SEEDS")
        ? qEnvironmentVariableIntValue("TASUKI_SIMULATION_SEEDS")
        : seedsOfEach;
    const int first = std::max(1, qEnvironmentVariableIntValue("TASUKI_SIMULATION_FIRST"));
    constexpr int mostTold = 5;
    OutageFigures figures;
    for (int seed = first; seed < first + seeds; ++seed) {
        const std::string wrong =
            OutageCourse(kind, static_cast<std::uint64_t>(seed), figures).run();
        if (!wrong.empty() && figures.failed <= mostTold)
            qWarning("%s\n  again: TASUKI_SIMULATION_FIRST=%d TASUKI_SIMULATION_SEEDS=1 "
                     "tst_outages \"randomOutages:%s\"",
                     wrong.c_str(), seed, QTest::currentDataTag());
    }
    print({}, figures);
    m_figures[outage.toStdString()].add(figures);
    QCOMPARE(figures.failed, 0);
}

void TestOutages::rareCourses_data()
{
    QTest::addColumn<OutageKind>("kind");
    QTest::addColumn<std::uint64_t>("seed");
    const auto row = [](const char* name, const OutageKind& kind, std::uint64_t seed) {
        QTest::newRow(name) << kind << seed;
    };
    row("stamps come down long after the outage", {Outage::Sides, Layout::OverTwo}, 537);
    row("the master of a unit ends, and its members lapse", {Outage::Sides, Layout::Within, true},
        501);
    row("those that are fenced are needed for a majority", {Outage::Sides, Layout::OverEach, true},
        124);
    row("one is heard again before anybody decides", {Outage::InARow, Layout::OverEach}, 31);
    row("what was seen is old when somebody decides", {Outage::InARow, Layout::OverEach}, 120);
    row("the same after pauses", {Outage::PauseSeveral, Layout::OverTwo}, 605);
    row("a standby is heard only by its unit master", {Outage::Sides, Layout::OverTwo}, 748);
    row("some go to and fro between two", {Outage::PauseSeveral, Layout::Within}, 78);
    for (const std::uint64_t seed : {334, 580, 677})
        row(("who takes over was stopped with those that it is to kill, " + std::to_string(seed))
                .c_str(),
            {Outage::PauseSeveral, Layout::Within}, seed);
}

/// Each of some thousand of its kind, and each of them had failed.
void TestOutages::rareCourses()
{
    QFETCH(OutageKind, kind);
    QFETCH(std::uint64_t, seed);
    OutageFigures figures;
    QCOMPARE(OutageCourse(kind, seed, figures).run(), std::string());
}

/// @return whether in one of some courses something is wrong, when the rules are broken
static bool noticed(const Sabotage& sabotage, const OutageKind& kind)
{
    OutageFigures figures;
    for (std::uint64_t seed = 1; seed <= 40 && figures.failed == 0; ++seed)
        static_cast<void>(OutageCourse(kind, seed, figures, sabotage).run());
    return figures.failed > 0;
}

void TestOutages::noticesWhoIgnoresTheMajority()
{
    QVERIFY(noticed({.everybodyAgrees = true}, {.outage = Outage::Sides}));
}

void TestOutages::noticesWhoDoesNotWait()
{
    QVERIFY(noticed({.nobodyWaits = true}, {.outage = Outage::Sides, .layout = Layout::OverEach}));
}

void TestOutages::noticesWhoKeepsItsSeat()
{
    QVERIFY(
        noticed({.lapsedKeepSeats = true}, {.outage = Outage::Sides, .layout = Layout::OverEach}));
}

void TestOutages::noticesResultsOfOldIncarnations()
{
    QVERIFY(
        noticed({.staleResultsCount = true}, {.outage = Outage::Sides, .layout = Layout::OverTwo}));
}

/// Far beyond what is assumed of clocks two may act.
void TestOutages::noticesClocksThatRunWrong()
{
    QVERIFY(noticed({}, {.outage = Outage::Sides, .layout = Layout::OverTwo, .drift = 0.6}));
}

void TestOutages::cleanupTestCase()
{
    OutageFigures all;
    for (const auto& [name, figures] : m_figures) {
        print(name, figures);
        all.add(figures);
    }
    print("all", all);
}

QTEST_APPLESS_MAIN(TestOutages)

} // namespace tst_outages

#include "tst_outages.moc"

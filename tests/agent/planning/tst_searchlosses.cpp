// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "searchsimulation.h"

namespace tst_searchlosses {

using namespace tasuki;
using namespace tasuki::planning;
using namespace tasuki::planning::testing;
using namespace std::chrono_literals;

/// What breaks it: a rank that waits for one that is gone, gives one up that is not, or hides that a
/// share is missing.
class TestSearchLosses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void silentRankIsGivenUp();
    void lateMessagesChangeNothing();
    void allOthersSilent();
    void silentRankZeroIsGivenUp();
    void rankZeroGoneAtTheEnd();
    void ownSleepIsNobodysSilence();
};

void TestSearchLosses::silentRankIsGivenUp()
{
    SearchSimulation simulation(3);
    simulation.network().kill(ProcessorId(2));
    simulation.sleeps(2);
    QVERIFY(simulation.runToTheEnd());
    QVERIFY(!simulation.at(0).whole());
    QCOMPARE(simulation.at(0).lost(), std::vector<ProcessorId>{ProcessorId(2)});
    QCOMPARE(difference(simulation.at(0).ranking(), expected(3, {2})), QString());
    // The other one has nothing to do with it.
    QVERIFY(simulation.at(1).whole());
    QVERIFY(simulation.at(1).lost().empty());
}

void TestSearchLosses::lateMessagesChangeNothing()
{
    for (const bool delivered : {false, true}) {
        SearchSimulation simulation(3, 1);
        QVERIFY(simulation.runUntilHeld(lanes));
        simulation.sleeps(2);
        simulation.run(lostAfter - 200ms);
        QVERIFY(simulation.at(0).lost().empty());
        simulation.run(500ms);
        QCOMPARE(simulation.at(0).lost(), std::vector<ProcessorId>{ProcessorId(2)});
        // It was only slow, and tells all that it has found, while the others still search.
        if (delivered)
            simulation.network().at(ProcessorId(0)).remember(ProcessorId(2));
        simulation.open(2);
        simulation.wakes(2);
        QVERIFY(simulation.runUntil([&] { return simulation.at(2).over(); }));
        simulation.run(300ms);
        QCOMPARE(simulation.at(0).tried(), std::uint64_t{3 * lanes});
        QVERIFY(!simulation.at(0).over());
        simulation.openAll();
        QVERIFY(simulation.runToTheEnd());
        QVERIFY(!simulation.at(0).whole());
        QCOMPARE(simulation.at(0).lost(), std::vector<ProcessorId>{ProcessorId(2)});
        QCOMPARE(difference(simulation.at(0).ranking(), expected(3, {2})), QString());
    }
}

void TestSearchLosses::allOthersSilent()
{
    SearchSimulation simulation(5);
    for (int rank = 1; rank < 5; ++rank) {
        simulation.network().kill(ProcessorId(rank));
        simulation.sleeps(static_cast<std::size_t>(rank));
    }
    QVERIFY(simulation.runToTheEnd());
    QCOMPARE(
        simulation.at(0).lost(),
        (std::vector<ProcessorId>{ProcessorId(1), ProcessorId(2), ProcessorId(3), ProcessorId(4)}));
    QCOMPARE(difference(simulation.at(0).ranking(), expected(5, {1, 2, 3, 4})), QString());
}

// Nobody would hear what the others find: they end, however long their shares are.
void TestSearchLosses::silentRankZeroIsGivenUp()
{
    SearchSimulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    simulation.network().kill(ProcessorId(0));
    simulation.sleeps(0);
    simulation.run(lostAfter + 300ms);
    for (const std::size_t rank : {1U, 2U}) {
        QCOMPARE(simulation.at(rank).lost(), std::vector<ProcessorId>{ProcessorId(0)});
        QVERIFY(!simulation.at(rank).whole());
    }
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    // No more than the handful that each was at, the one before, and the one that rank 0 may have
    // told of before it fell silent.
    for (const std::size_t rank : {1U, 2U})
        QVERIFY(simulation.at(rank).tried() <= std::uint64_t{3 * lanes});
}

// What they found cannot leave them any more.
void TestSearchLosses::rankZeroGoneAtTheEnd()
{
    SearchSimulation simulation(2, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    LinkModel narrow;
    narrow.window = 0;
    simulation.network().setLink(ProcessorId(1), ProcessorId(0), narrow);
    simulation.open(1);
    simulation.run(500ms);
    QVERIFY(!simulation.at(1).over());
    simulation.network().kill(ProcessorId(0));
    simulation.sleeps(0);
    QVERIFY(simulation.runToTheEnd());
    QCOMPARE(simulation.at(1).lost(), std::vector<ProcessorId>{ProcessorId(0)});
}

// A suspended computer, or one Ctrl-Z for all: nobody could speak, and nobody listened.
void TestSearchLosses::ownSleepIsNobodysSilence()
{
    SearchSimulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    for (int round = 0; round < 3; ++round) {
        simulation.advance(1h);
        simulation.run(500ms);
    }
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    for (std::size_t rank = 0; rank < 3; ++rank)
        QVERIFY(simulation.at(rank).lost().empty());
    QCOMPARE(difference(simulation.at(0).ranking(), expected(3)), QString());
}

QTEST_APPLESS_MAIN(TestSearchLosses)

} // namespace tst_searchlosses

#include "tst_searchlosses.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/actions.h"

#include <array>

namespace tst_actions {

using namespace tasuki;
using namespace tasuki::hierarchy;

/// The tables of actions, cell by cell.
class TestActions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCell_data();
    void everyCell();
    void everyObservationHasAnAction();
    void nothingIsDoneAboutWhoIsNoMore();
    void seats();
};

void TestActions::everyCell_data()
{
    QTest::addColumn<Observation>("what");
    QTest::addColumn<std::vector<Action>>("actions"); // by health
    const auto none = Action::None;
    using Row = std::vector<Action>;
    // Expected, Alive, Suspect, Condemned, Lost, Fenced, Left
    QTest::newRow("ready") << Observation::Ready
                           << Row{Action::Admit, none, none, none, none, none, none};
    QTest::newRow("late") << Observation::Late
                          << Row{none, Action::Suspect, none, none, none, none, none};
    QTest::newRow("back") << Observation::Back
                          << Row{none, none, Action::Clear, none, none, none, none};
    QTest::newRow("silent") << Observation::Silent
                            << Row{none, Action::Fence, Action::Fence, none, none, none, none};
    QTest::newRow("stuck") << Observation::Stuck
                           << Row{none, Action::Fence, Action::Fence, none, none, none, none};
    QTest::newRow("unwanted") << Observation::Unwanted
                              << Row{Action::Fence, Action::Fence, Action::Fence, none,
                                     none,          none,          none};
    QTest::newRow("gone") << Observation::Gone
                          << Row{Action::Bury, Action::Bury, Action::Bury, Action::Bury,
                                 none,         none,         none};
    QTest::newRow("unfenced") << Observation::Unfenced
                              << Row{none, none, none, Action::Await, none, none, none};
    QTest::newRow("lease over") << Observation::LeaseOver
                                << Row{none, none, none, Action::Bury, none, none, none};
    QTest::newRow("left") << Observation::Left
                          << Row{Action::Part, Action::Part, Action::Part, Action::Part,
                                 none,         none,         none};
    QTest::newRow("returned") << Observation::Returned
                              << Row{none,         Action::Bury,    Action::Bury,
                                     Action::Bury, Action::Readmit, Action::Readmit,
                                     none};
}

void TestActions::everyCell()
{
    QFETCH(Observation, what);
    QFETCH(std::vector<Action>, actions);
    QCOMPARE(actions.size(), std::size_t(7));
    for (std::size_t health = 0; health < actions.size(); ++health)
        QCOMPARE(actionFor(what, static_cast<Health>(health)), actions[health]);
}

void TestActions::everyObservationHasAnAction()
{
    for (std::size_t what = 0; what < observationCount; ++what) {
        bool some = false;
        for (std::uint8_t health = 0; health <= std::uint8_t(Health::Left); ++health) {
            some = some
                || actionFor(static_cast<Observation>(what), static_cast<Health>(health))
                    != Action::None;
        }
        QVERIFY2(some, qPrintable(QString::number(what)));
    }
}

void TestActions::nothingIsDoneAboutWhoIsNoMore()
{
    for (std::size_t what = 0; what < observationCount; ++what) {
        if (static_cast<Observation>(what) == Observation::Returned)
            continue;
        for (const Health health : {Health::Lost, Health::Fenced, Health::Left})
            QCOMPARE(actionFor(static_cast<Observation>(what), health), Action::None);
    }
}

void TestActions::seats()
{
    QCOMPARE(seatActionFor(true, true), SeatAction::TakeOver);
    QCOMPARE(seatActionFor(true, false), SeatAction::GiveUp);
    QCOMPARE(seatActionFor(false, true), SeatAction::Vacate);
    QCOMPARE(seatActionFor(false, false), SeatAction::Vacate);
}

QTEST_APPLESS_MAIN(TestActions)

} // namespace tst_actions

#include "tst_actions.moc"

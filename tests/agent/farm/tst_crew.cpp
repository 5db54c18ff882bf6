// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/crew.h"

#include <QTest>

namespace tst_crew {

using namespace tasuki;
using namespace tasuki::farm;

namespace {

const ProcessorId chiefOne(1);
const ProcessorId chiefTwo(2);

/// @return a crew that its foreman leads, and has been mustered by it in term 3
Crew musteredCrew()
{
    Crew crew({Rank(4), Rank(5)}, 7);
    crew.lead(chiefOne);
    crew.greeted({chiefOne, 3}, true);
    crew.callMuster({chiefOne, 3});
    crew.mustered();
    return crew;
}

} // namespace

/// What breaks it: a foreman that is believed though it has to begin anew; one that is mustered twice in one
/// term, or never because it spoke too early; an era that is used twice.
class TestCrew : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void greeting_data()
    {
        QTest::addColumn<quint32>("from");
        QTest::addColumn<quint64>("term");
        QTest::addColumn<bool>("answers");
        QTest::addColumn<bool>("isMustered");
        QTest::newRow("its leader, in the next term") << 1U << quint64{4} << true << true;
        QTest::newRow("its leader, once more") << 1U << quint64{3} << true << false;
        QTest::newRow("its leader, late") << 1U << quint64{2} << true << false;
        QTest::newRow("its leader, while nothing can be said")
            << 1U << quint64{4} << false << false;
        QTest::newRow("who does not lead") << 2U << quint64{4} << true << false;
    }
    void greeting()
    {
        QFETCH(quint32, from);
        QFETCH(quint64, term);
        QFETCH(bool, answers);
        QFETCH(bool, isMustered);
        Crew crew = musteredCrew();
        QCOMPARE(crew.greeted({ProcessorId(from), term}, answers), isMustered);
    }

    void whatIsSaidTooEarlyIsKept()
    {
        Crew crew = musteredCrew();
        QVERIFY(!crew.greeted({chiefTwo, 8}, true));
        QVERIFY(!crew.greeted({chiefTwo, 6}, true));
        QVERIFY(!crew.takeEarly()); // it does not lead
        QVERIFY(crew.lead(chiefTwo));
        const std::optional<Leadership> early = crew.takeEarly();
        QVERIFY(early == (Leadership{chiefTwo, 8}));
        QVERIFY(!crew.takeEarly());
        QVERIFY(crew.greeted(*early, true));
    }

    void anotherLeaderBeginsAnew()
    {
        Crew crew = musteredCrew();
        QVERIFY(crew.isMustered());
        QVERIFY(crew.believes({chiefOne, 3}));
        QVERIFY(!crew.believes({chiefOne, 2}));
        QVERIFY(!crew.lead(chiefOne)); // as before
        QVERIFY(crew.isMustered());
        QVERIFY(crew.lead(chiefTwo));
        QVERIFY(!crew.isMustered());
        QVERIFY(!crew.believes({chiefOne, 3}));
        QVERIFY(crew.lead(chiefOne)); // also who has led before
        QVERIFY(!crew.believes({chiefOne, 3}));
    }

    void eachMusterHasAnEra()
    {
        Crew crew({Rank(4)}, 7);
        crew.lead(chiefOne);
        QCOMPARE(crew.callMuster({chiefOne, 1}), 8U);
        crew.mustered();
        QCOMPARE(crew.callMuster({chiefOne, 2}), 9U);
        QVERIFY(!crew.isMustered());
        QVERIFY(crew.believes({chiefOne, 2}));
    }

    void theRecordIsBelievedUntilSomebodyTellsMore()
    {
        Crew crew({Rank(4)}, 0);
        crew.goByRecord();
        QVERIFY(!crew.byRecord()); // nobody could tell
        crew.lead(chiefOne);
        crew.goByRecord();
        QVERIFY(crew.byRecord());
        crew.lead(chiefTwo);
        QVERIFY(crew.byRecord());
        crew.lead(std::nullopt);
        QVERIFY(!crew.byRecord());
        crew.lead(chiefOne);
        crew.goByRecord();
        crew.mustered();
        QVERIFY(!crew.byRecord());
    }
};

QTEST_APPLESS_MAIN(TestCrew)

} // namespace tst_crew

#include "tst_crew.moc"

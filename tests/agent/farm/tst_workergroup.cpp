// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/workergroup.h"

#include <QTest>

namespace tst_workergroup {

using namespace tasuki;
using namespace tasuki::farm;

namespace {

const ProcessorId chiefOne(1);
const ProcessorId chiefTwo(2);

/// @return a worker group that its group scheduler leads, and has been resynchronised by it in leadership 3
WorkerGroup resyncedGroup()
{
    WorkerGroup group({Rank(4), Rank(5)}, Era(7));
    group.lead(chiefOne);
    group.greeted({chiefOne, LeadershipNumber(3)}, true);
    group.callResync({chiefOne, LeadershipNumber(3)});
    group.resynced();
    return group;
}

} // namespace

/// What breaks it: a group scheduler that is believed though it has to begin anew; one that is
/// resynchronised twice in one leadership, or never because it spoke too early; an era that is used
/// twice.
class TestWorkerGroup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void greeting_data()
    {
        QTest::addColumn<quint32>("from");
        QTest::addColumn<quint64>("leadership");
        QTest::addColumn<bool>("answers");
        QTest::addColumn<bool>("isResynced");
        QTest::newRow("its leader, in the next leadership") << 1U << quint64{4} << true << true;
        QTest::newRow("its leader, once more") << 1U << quint64{3} << true << false;
        QTest::newRow("its leader, late") << 1U << quint64{2} << true << false;
        QTest::newRow("its leader, while nothing can be said")
            << 1U << quint64{4} << false << false;
        QTest::newRow("who does not lead") << 2U << quint64{4} << true << false;
    }
    void greeting()
    {
        QFETCH(quint32, from);
        QFETCH(quint64, leadership);
        QFETCH(bool, answers);
        QFETCH(bool, isResynced);
        WorkerGroup group = resyncedGroup();
        QCOMPARE(group.greeted({ProcessorId(from), LeadershipNumber(leadership)}, answers),
                 isResynced);
    }

    void whatIsSaidTooEarlyIsKept()
    {
        WorkerGroup group = resyncedGroup();
        QVERIFY(!group.greeted({chiefTwo, LeadershipNumber(8)}, true));
        QVERIFY(!group.greeted({chiefTwo, LeadershipNumber(6)}, true));
        QVERIFY(!group.takeEarly()); // it does not lead
        QVERIFY(group.lead(chiefTwo));
        const std::optional<Leadership> early = group.takeEarly();
        QVERIFY(early == (Leadership{chiefTwo, LeadershipNumber(8)}));
        QVERIFY(!group.takeEarly());
        QVERIFY(group.greeted(*early, true));
    }

    void anotherLeaderBeginsAnew()
    {
        WorkerGroup group = resyncedGroup();
        QVERIFY(group.isResynced());
        QVERIFY(group.believes({chiefOne, LeadershipNumber(3)}));
        QVERIFY(!group.believes({chiefOne, LeadershipNumber(2)}));
        QVERIFY(!group.lead(chiefOne)); // as before
        QVERIFY(group.isResynced());
        QVERIFY(group.lead(chiefTwo));
        QVERIFY(!group.isResynced());
        QVERIFY(!group.believes({chiefOne, LeadershipNumber(3)}));
        QVERIFY(group.lead(chiefOne)); // also who has led before
        QVERIFY(!group.believes({chiefOne, LeadershipNumber(3)}));
    }

    void eachResyncHasAnEra()
    {
        WorkerGroup group({Rank(4)}, Era(7));
        group.lead(chiefOne);
        QCOMPARE(group.callResync({chiefOne, LeadershipNumber(1)}), Era(8));
        group.resynced();
        QCOMPARE(group.callResync({chiefOne, LeadershipNumber(2)}), Era(9));
        QVERIFY(!group.isResynced());
        QVERIFY(group.believes({chiefOne, LeadershipNumber(2)}));
    }

    void theRecordIsBelievedUntilSomebodyTellsMore()
    {
        WorkerGroup group({Rank(4)}, Era(0));
        group.goByRecord();
        QVERIFY(!group.byRecord()); // nobody could tell
        group.lead(chiefOne);
        group.goByRecord();
        QVERIFY(group.byRecord());
        group.lead(chiefTwo);
        QVERIFY(group.byRecord());
        group.lead(std::nullopt);
        QVERIFY(!group.byRecord());
        group.lead(chiefOne);
        group.goByRecord();
        group.resynced();
        QVERIFY(!group.byRecord());
    }
};

QTEST_APPLESS_MAIN(TestWorkerGroup)

} // namespace tst_workergroup

#include "tst_workergroup.moc"

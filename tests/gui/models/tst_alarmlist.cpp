// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/alarmlistmodel.h"
#include "models/wording.h"
#include "systembench.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace tst_alarmlist {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

using Alarms = AlarmListModel::Column;

struct Bench : SessionBench {
    Bench()
        : model(*session), tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {
        happen(systemBegins());
        Q_EMIT source->heard(at);
    }

    [[nodiscard]] QString text(int row, Alarms column) const
    {
        return model.index(row, static_cast<int>(column)).data().toString();
    }
    [[nodiscard]] bool open(int row) const
    {
        return model.index(row, 0).data(AlarmListModel::OpenRole).toBool();
    }
    void acknowledge(int row, std::optional<WallTime> until = {})
    {
        happen({AlarmAcknowledged{.alarm = model.alarmAt(row).id,
                                  .who = "hana@desk",
                                  .comment = "seen",
                                  .until = until}});
    }
    void pass(std::chrono::microseconds time)
    {
        clock.advance(time);
        at += time;
        Q_EMIT source->heard(at);
    }

    AlarmListModel model;
    QAbstractItemModelTester tester;
};

} // namespace

/// What breaks it: an alarm that is missing or counted wrongly, an acknowledgement that never ends.
class TestAlarmList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatRaisesAlarms();
    void alarmsHaveAPlace();
    void acknowledged();
    void acknowledgementEnds();
    void startsOver();
};

void TestAlarmList::whatRaisesAlarms()
{
    Bench bench;
    bench.happen({healthOf(3, Health::Suspect, HealthCause::Late), // none
                  healthOf(3, Health::Lost, HealthCause::Gone),
                  SeatVacated{.seat = SeatId(6), .previous = ProcessorId(9), .givenUp = true},
                  subclusterIs(1, ClusterState::Down, "2 of 4 ranks are held"),
                  Notice{.severity = Severity::Warning, .text = "odd"}, // none
                  Notice{.severity = Severity::Failure, .text = "the disk is full"},
                  healthOf(4, Health::Lost, HealthCause::Ordered)}); // none
    QCOMPARE(bench.model.rowCount(), 4);
    QCOMPARE(bench.text(0, Alarms::What), QStringLiteral("processor lost: its process ended"));
    QCOMPARE(bench.text(0, Alarms::Where), QStringLiteral("processor 3 (s0)"));
    QCOMPARE(bench.text(0, Alarms::Time), wording::time(bench.at));
    QCOMPARE(bench.text(0, Alarms::State), QStringLiteral("open"));
    QVERIFY(bench.text(1, Alarms::What).contains(QStringLiteral("given up")));
    QCOMPARE(bench.text(1, Alarms::Where), QStringLiteral("s1 rank 2"));
    QCOMPARE(bench.text(2, Alarms::What), QStringLiteral("subcluster down: 2 of 4 ranks are held"));
    QCOMPARE(bench.text(2, Alarms::Where), QStringLiteral("subcluster s1"));
    QCOMPARE(bench.text(3, Alarms::What), QStringLiteral("the disk is full"));
    QCOMPARE(bench.model.index(3, 0).data(AlarmListModel::SeverityRole).toInt(),
             static_cast<int>(Severity::Failure));
    QCOMPARE(bench.model.open(), std::size_t{4});
    QCOMPARE(bench.model.describe(bench.model.alarmAt(0).id),
             QStringLiteral("processor 3 (s0): processor lost: its process ended"));
}

void TestAlarmList::alarmsHaveAPlace()
{
    Bench bench;
    bench.happen({healthOf(3, Health::Lost, HealthCause::Gone), // holds rank 2
                  SeatVacated{.seat = SeatId(6), .previous = ProcessorId(9)},
                  subclusterIs(1, ClusterState::Down, "2 of 4 ranks are held"),
                  healthOf(0, Health::Lost, HealthCause::Gone), // I/O
                  Notice{.severity = Severity::Failure, .text = "the disk is full"}});
    QCOMPARE(bench.model.rowCount(), 5);
    const auto rank = [&bench](int row) {
        return bench.model.index(row, 0).data(AlarmListModel::RankRole);
    };
    QCOMPARE(rank(0), QVariant(2));
    QCOMPARE(rank(1), QVariant(6));
    QCOMPARE(rank(2), QVariant(4)); // the first of its subcluster
    QVERIFY(!rank(3).isValid() && !rank(4).isValid());
    // It stays when somebody else holds the rank.
    bench.happen({takeover(2, 5, 3)});
    QCOMPARE(rank(0), QVariant(2));
    const auto at = bench.model.index(0, 0).data(AlarmListModel::WallTimeRole).toLongLong();
    QCOMPARE(at, qint64{bench.model.alarmAt(0).at.time_since_epoch().count()});
}

void TestAlarmList::acknowledged()
{
    Bench bench;
    QSignalSpy counted(&bench.model, &AlarmListModel::openChanged);
    bench.happen({healthOf(3, Health::Lost, HealthCause::Gone),
                  healthOf(4, Health::Lost, HealthCause::Gone)});
    QCOMPARE(counted.count(), 1);
    QSignalSpy changes(&bench.model, &QAbstractItemModel::dataChanged);
    bench.acknowledge(1);
    QCOMPARE(bench.model.open(), std::size_t{1});
    QCOMPARE(counted.count(), 2);
    QVERIFY(changes.count() > 0);
    for (const QList<QVariant>& change : changes)
        QCOMPARE(change.at(0).toModelIndex().row(), 1);
    QVERIFY(bench.open(0) && !bench.open(1));
    QCOMPARE(bench.text(1, Alarms::State), QStringLiteral("acknowledged"));
    QCOMPARE(bench.text(1, Alarms::Who), QStringLiteral("hana@desk"));
    QCOMPARE(bench.text(1, Alarms::Comment), QStringLiteral("seen"));
    QCOMPARE(bench.text(1, Alarms::Until), QStringLiteral("for good"));
    QCOMPARE(bench.text(0, Alarms::Until), QString());
    // Open ones stand together at the end that the view shows first.
    const auto key = [&](int row) {
        return bench.model.index(row, static_cast<int>(Alarms::State))
            .data(AlarmListModel::SortRole)
            .toLongLong();
    };
    QVERIFY(key(0) > key(1));
}

void TestAlarmList::acknowledgementEnds()
{
    Bench bench;
    bench.happen({healthOf(3, Health::Lost, HealthCause::Gone)});
    bench.acknowledge(0, bench.at + 1h);
    QCOMPARE(bench.model.open(), std::size_t{0});
    bench.pass(59min);
    bench.model.refresh();
    QVERIFY(!bench.open(0));
    bench.pass(2min);
    bench.model.refresh();
    QVERIFY(bench.open(0));
    QCOMPARE(bench.model.open(), std::size_t{1});
    QCOMPARE(bench.text(0, Alarms::State), QStringLiteral("open again"));
    QCOMPARE(bench.text(0, Alarms::Who), QStringLiteral("hana@desk"));
}

void TestAlarmList::startsOver()
{
    Bench bench;
    bench.happen({healthOf(3, Health::Lost, HealthCause::Gone)});
    QSignalSpy counted(&bench.model, &AlarmListModel::openChanged);
    bench.startOver();
    QCOMPARE(bench.model.rowCount(), 0);
    QCOMPARE(bench.model.open(), std::size_t{0});
    QCOMPARE(counted.count(), 1);
}

QTEST_GUILESS_MAIN(TestAlarmList)

} // namespace tst_alarmlist

#include "tst_alarmlist.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/failoverlistmodel.h"
#include "models/wording.h"
#include "systembench.h"

#include <QAbstractItemModelTester>

namespace tst_failoverlist {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

struct Bench : SessionBench {
    Bench()
        : model(*session), tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {
        happen(systemBegins());
    }

    [[nodiscard]] QString text(int row, FailoverListModel::Column column) const
    {
        return model.index(row, static_cast<int>(column)).data().toString();
    }

    FailoverListModel model;
    QAbstractItemModelTester tester;
};

using Failovers = FailoverListModel::Column;

} // namespace

/// What breaks it: a lost seat that is not listed, names of another layout, times of another loss.
class TestFailoverList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takeover();
    void vacantAndGivenUp();
    void firstHoldersAreNoFailovers();
    void succession();
    void namesStayWhenTheLayoutChanges();
};

void TestFailoverList::takeover()
{
    Bench bench;
    bench.at += 3s;
    const WallTime lost = bench.at - 5s;
    bench.happen({healthOf(8, Health::Lost, HealthCause::Stopped, 4'200us, lost),
                  testing::takeover(5, 11, 8)});
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.text(0, Failovers::Time), wording::time(bench.at, true));
    QCOMPARE(bench.text(0, Failovers::Subcluster), QStringLiteral("s1"));
    QCOMPARE(bench.text(0, Failovers::Seat), QStringLiteral("rank 1"));
    QCOMPARE(bench.text(0, Failovers::From), QStringLiteral("processor 8 (s1)"));
    QCOMPARE(bench.text(0, Failovers::Cause), QStringLiteral("its process is stopped"));
    QCOMPARE(bench.text(0, Failovers::To), QStringLiteral("processor 11 (s1)"));
    QCOMPARE(bench.text(0, Failovers::Detection), QStringLiteral("4.2 ms"));
    QCOMPARE(bench.text(0, Failovers::Takeover), QStringLiteral("8.9 ms"));
    QCOMPARE(bench.text(0, Failovers::Lost), wording::time(lost, true));
    const QModelIndex row = bench.model.index(0, 0);
    QCOMPARE(row.data(FailoverListModel::RankRole).toInt(), 5);
    QCOMPARE(row.data(FailoverListModel::WallTimeRole).toLongLong(),
             qint64{bench.at.time_since_epoch().count()});
    bench.startOver();
    QCOMPARE(bench.model.rowCount(), 0);
}

void TestFailoverList::vacantAndGivenUp()
{
    Bench bench;
    bench.happen({healthOf(2, Health::Lost, HealthCause::Gone, 3ms),
                  SeatVacated{.seat = SeatId(1), .previous = ProcessorId(2)},
                  healthOf(0, Health::Lost, HealthCause::Silent),
                  SeatVacated{.seat = SeatId(8), .previous = ProcessorId(0), .givenUp = true}});
    QCOMPARE(bench.model.rowCount(), 2);
    QVERIFY(bench.text(0, Failovers::To).contains(QStringLiteral("vacant")));
    QCOMPARE(bench.text(0, Failovers::Detection), QStringLiteral("3.0 ms"));
    QCOMPARE(bench.text(0, Failovers::Takeover), QStringLiteral("-"));
    QCOMPARE(bench.text(0, Failovers::Lost), QStringLiteral("-"));
    QVERIFY(bench.text(1, Failovers::To).contains(QStringLiteral("given up")));
    QCOMPARE(bench.text(1, Failovers::Seat), QStringLiteral("I/O 0"));
    QCOMPARE(bench.text(1, Failovers::Detection), QStringLiteral("-"));
    QVERIFY(!bench.model.index(1, 0).data(FailoverListModel::RankRole).isValid());
    QCOMPARE(bench.model.index(1, 0).data(FailoverListModel::SeverityRole).toInt(),
             static_cast<int>(Severity::Failure));
    // A standby that is there later takes it: a row of its own.
    bench.happen({testing::takeover(1, 5, 2)});
    QCOMPARE(bench.model.rowCount(), 3);
    QCOMPARE(bench.text(2, Failovers::To), QStringLiteral("processor 5 (s0)"));
}

void TestFailoverList::firstHoldersAreNoFailovers()
{
    Bench bench;
    bench.happen(
        {SeatTaken{.seat = SeatId(0), .incarnation = Incarnation(1), .holder = ProcessorId(1)}});
    QCOMPARE(bench.model.rowCount(), 0);
}

void TestFailoverList::succession()
{
    Bench bench;
    bench.happen({healthOf(0, Health::Lost, HealthCause::Gone, 3ms),
                  MasterChanged{MasterRole::Unit, 0, ProcessorId(1), ProcessorId(0), 3ms, 9ms},
                  MasterChanged{MasterRole::System, 0, ProcessorId(1), ProcessorId(0), 3ms, 9ms}});
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.text(0, Failovers::Seat), QStringLiteral("system master"));
    QCOMPARE(bench.text(0, Failovers::Subcluster), QString());
    QCOMPARE(bench.text(0, Failovers::From), QStringLiteral("processor 0 (s0)"));
    QCOMPARE(bench.text(0, Failovers::Cause), QStringLiteral("its process ended"));
    QCOMPARE(bench.text(0, Failovers::To), QStringLiteral("processor 1 (s0)"));
    QCOMPARE(bench.text(0, Failovers::Detection), QStringLiteral("3.0 ms"));
    QCOMPARE(bench.text(0, Failovers::Takeover), QStringLiteral("9.0 ms"));
    const QModelIndex seat = bench.model.index(0, static_cast<int>(Failovers::Seat));
    QVERIFY(!seat.data(FailoverListModel::RankRole).isValid());
    QVERIFY(!seat.data(Qt::ToolTipRole).isValid());
    // Who was master first succeeds nobody.
    bench.happen({MasterChanged{MasterRole::System, 0, ProcessorId(1)}});
    QCOMPARE(bench.model.rowCount(), 1);
}

void TestFailoverList::namesStayWhenTheLayoutChanges()
{
    Bench bench;
    bench.happen({healthOf(8, Health::Lost, HealthCause::Gone), testing::takeover(5, 11, 8)});
    SystemLaidOut layout = madeUpLayout();
    layout.subclusters[1].name = "other";
    for (ProcessorInfo& info : layout.processors)
        info.host = "elsewhere";
    bench.happen({RunOpened{}, layout});
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.text(0, Failovers::Subcluster), QStringLiteral("s1"));
    QCOMPARE(bench.text(0, Failovers::From), QStringLiteral("processor 8 (s1)"));
}

QTEST_GUILESS_MAIN(TestFailoverList)

} // namespace tst_failoverlist

#include "tst_failoverlist.moc"

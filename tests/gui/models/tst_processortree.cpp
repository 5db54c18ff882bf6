// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/processortreemodel.h"
#include "sessionbench.h"
#include "shared/domain/randomhistory.h"

#include <QAbstractItemModelTester>

namespace tst_processortree {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

using Column = ProcessorTreeModel::Column;
using Health = ProcessorTreeModel::Health;

struct Bench : SessionBench {
    Bench()
        : model(*session, meter),
          tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {
        session->addSink(meter);
        Q_EMIT source->heard(at);
    }
    ~Bench() { session->removeSink(meter); }

    [[nodiscard]] static QVariant cell(const QModelIndex& row, Column column,
                                       int role = Qt::DisplayRole)
    {
        return row.siblingAtColumn(static_cast<int>(column)).data(role);
    }
    [[nodiscard]] static Health health(const QModelIndex& row)
    {
        return static_cast<Health>(row.data(ProcessorTreeModel::HealthRole).toInt());
    }
    /// The tree in words: hosts with their ranks.
    [[nodiscard]] QString outline() const
    {
        QStringList hosts;
        const QModelIndex run = model.index(0, 0);
        for (int host = 0; host < model.rowCount(run); ++host) {
            const QModelIndex index = model.index(host, 0, run);
            QStringList ranks;
            for (int rank = 0; rank < model.rowCount(index); ++rank)
                ranks.append(
                    model.index(rank, 0, index).data(ProcessorTreeModel::RankRole).toString());
            hosts.append(index.data().toString() + QLatin1Char(':') + ranks.join(QLatin1Char(',')));
        }
        return hosts.join(QLatin1Char(' '));
    }

    static ProcessorJoined joined(std::int32_t rank, std::string host, std::uint32_t slots = 2,
                                  std::uint32_t incarnation = 1)
    {
        return {.rank = Rank(rank),
                .incarnation = Incarnation(incarnation),
                .host = std::move(host),
                .pid = 40 + rank,
                .slots = slots};
    }

    ActivityMeter meter;
    ProcessorTreeModel model;
    QAbstractItemModelTester tester;
};

} // namespace

class TestProcessorTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void structure();
    void figures();
    void anotherHolder();
    void indexesStay();
    void live();
};

void TestProcessorTree::structure()
{
    Bench bench;
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.outline(), QString());
    QCOMPARE(bench.model.index(0, 0).data().toString(), QStringLiteral("manual"));
    bench.happen(
        {RunOpened{}, Bench::joined(2, "b"), Bench::joined(0, "b"), Bench::joined(1, "a")});
    QCOMPARE(bench.outline(), QStringLiteral("a:1 b:0,2"));
    const QModelIndex index = bench.model.indexOf(Rank(2));
    QCOMPARE(index.data().toString(), QStringLiteral("rank 2"));
    QCOMPARE(index.parent().data().toString(), QStringLiteral("b"));
    QCOMPARE(index.parent().parent(), bench.model.index(0, 0));
    QVERIFY(!bench.model.indexOf(Rank(5)).isValid());
    QCOMPARE(index.data(ProcessorTreeModel::LevelRole).toInt(),
             static_cast<int>(ProcessorTreeModel::Level::Processor));
    QCOMPARE(index.parent().data(ProcessorTreeModel::LevelRole).toInt(),
             static_cast<int>(ProcessorTreeModel::Level::Host));
    bench.startOver();
    QCOMPARE(bench.outline(), QString());
}

void TestProcessorTree::figures()
{
    Bench bench;
    bench.happen({RunOpened{}, SessionBench::added(0, "x"), SessionBench::added(1, "y"),
                  SessionBench::added(2, "z"), Bench::joined(0, "a"), Bench::joined(1, "a", 6)});
    bench.happen({bench.started(0, 1, 0)});
    bench.at += 5s;
    bench.clock.advance(5s);
    Q_EMIT bench.source->heard(bench.at);
    bench.happen({bench.ended(1, 1, Outcome::Failed, 5s, Disposition::Final, 1)});
    bench.model.refresh();
    const QModelIndex busy = bench.model.indexOf(Rank(0));
    const QModelIndex idle = bench.model.indexOf(Rank(1));
    QCOMPARE(Bench::health(busy), ProcessorTreeModel::Health::Busy);
    QCOMPARE(Bench::cell(busy, Column::Slots).toInt(), 2);
    QCOMPARE(Bench::cell(busy, Column::Running).toInt(), 1);
    QCOMPARE(busy.data(ProcessorTreeModel::BusyShareRole).toDouble(), 0.5);
    QCOMPARE(Bench::health(idle), ProcessorTreeModel::Health::Idle);
    QCOMPARE(Bench::cell(idle, Column::Done, ProcessorTreeModel::NumberRole).toInt(), 1);
    QVERIFY(Bench::cell(idle, Column::Done).toString().contains(QStringLiteral("1 failed")));
    const QModelIndex host = busy.parent();
    QCOMPARE(Bench::health(host), ProcessorTreeModel::Health::Busy);
    QCOMPARE(Bench::cell(host, Column::Slots).toInt(), 8);
    QCOMPARE(Bench::cell(host, Column::Running).toInt(), 1);
    QCOMPARE(host.data(ProcessorTreeModel::BusyShareRole).toDouble(), 2.0 / 8.0);
    const QModelIndex run = host.parent();
    QCOMPARE(Bench::cell(run, Column::Slots).toInt(), 8);
    QCOMPARE(run.data(ProcessorTreeModel::BusyShareRole).toDouble(), 2.0 / 8.0);
    bench.happen({ProcessorLost{
        .rank = Rank(1), .incarnation = Incarnation(1), .cause = LossCause::Silent}});
    QCOMPARE(Bench::health(idle), ProcessorTreeModel::Health::Lost);
    QVERIFY(
        Bench::cell(idle, Column::State).toString().contains(QStringLiteral("nothing was heard")));
    QCOMPARE(Bench::cell(idle, Column::Slots).toInt(), 0);
    QVERIFY(!idle.data(ProcessorTreeModel::BusyShareRole).isValid());
    QCOMPARE(Bench::health(host), ProcessorTreeModel::Health::Lost);
    QCOMPARE(Bench::health(run), ProcessorTreeModel::Health::Lost);
}

void TestProcessorTree::anotherHolder()
{
    Bench bench;
    bench.happen({RunOpened{}, Bench::joined(0, "a"), Bench::joined(1, "b")});
    bench.happen({ProcessorLost{.rank = Rank(0), .incarnation = Incarnation(1)},
                  Bench::joined(0, "b", 3, 2)});
    QCOMPARE(bench.outline(), QStringLiteral("b:0,1"));
    const QModelIndex index = bench.model.indexOf(Rank(0));
    QCOMPARE(Bench::health(index), ProcessorTreeModel::Health::Idle);
    QCOMPARE(Bench::cell(index, Column::Slots).toInt(), 3);
    QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("incarnation 2")));
}

void TestProcessorTree::indexesStay()
{
    Bench bench;
    bench.happen({RunOpened{}, Bench::joined(5, "m"), Bench::joined(7, "m")});
    const QPersistentModelIndex index(bench.model.indexOf(Rank(7)));
    bench.happen({Bench::joined(0, "a"), Bench::joined(6, "m"), Bench::joined(9, "z")});
    QVERIFY(index.isValid());
    QCOMPARE(index.data(ProcessorTreeModel::RankRole).toInt(), 7);
    QCOMPARE(QModelIndex(index), bench.model.indexOf(Rank(7)));
    QCOMPARE(bench.outline(), QStringLiteral("a:0 m:5,6,7 z:9"));
}

void TestProcessorTree::live()
{
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        Bench bench;
        std::mt19937 random(seed);
        RandomHistory history(seed);
        for (int step = 0; step < 60; ++step) {
            bench.play(history.more(1 + random() % 20));
            if (random() % 3 == 0)
                bench.model.refresh();
            if (random() % 15 == 0) {
                bench.startOver();
                history = RandomHistory(static_cast<std::uint32_t>(random()));
            }
            std::size_t ranks = 0;
            for (const auto& [rank, record] : bench.session->state().processors()) {
                const QModelIndex index = bench.model.indexOf(rank);
                QVERIFY(index.isValid());
                QCOMPARE(index.parent().data().toString(), QString::fromStdString(record.host));
                ++ranks;
            }
            std::size_t shown = 0;
            const QModelIndex run = bench.model.index(0, 0);
            for (int host = 0; host < bench.model.rowCount(run); ++host) {
                const int count = bench.model.rowCount(bench.model.index(host, 0, run));
                QVERIFY(count > 0);
                shown += static_cast<std::size_t>(count);
            }
            QCOMPARE(shown, ranks);
        }
    }
}

QTEST_GUILESS_MAIN(TestProcessorTree)

} // namespace tst_processortree

#include "tst_processortree.moc"

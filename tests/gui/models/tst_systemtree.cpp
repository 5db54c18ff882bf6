// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/systemtreemodel.h"
#include "shared/domain/randomhistory.h"
#include "systembench.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace tst_systemtree {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

using Column = SystemTreeModel::Column;

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
    [[nodiscard]] static QString text(const QModelIndex& row, Column column)
    {
        return cell(row, column).toString();
    }
    [[nodiscard]] static Condition condition(const QModelIndex& row)
    {
        return static_cast<Condition>(row.data(SystemTreeModel::ConditionRole).toInt());
    }
    [[nodiscard]] static QString badges(const QModelIndex& row)
    {
        QStringList words;
        for (const SystemBadge& badge :
             row.data(SystemTreeModel::BadgesRole).value<QList<SystemBadge>>())
            words << badge.text;
        return words.join(QLatin1Char(' '));
    }
    [[nodiscard]] QModelIndex system() const { return model.index(0, 0); }
    [[nodiscard]] QModelIndex processor(std::uint32_t number) const
    {
        return model.indexOf(ProcessorId(number));
    }
    /// The tree in words: subclusters with their units and the numbers of their processors.
    [[nodiscard]] QString outline() const
    {
        QStringList parts;
        for (int s = 0; s < model.rowCount(system()); ++s) {
            const QModelIndex subcluster = model.index(s, 0, system());
            for (int u = 0; u < model.rowCount(subcluster); ++u) {
                const QModelIndex unit = model.index(u, 0, subcluster);
                QStringList numbers;
                for (int p = 0; p < model.rowCount(unit); ++p)
                    numbers << model.index(p, 0, unit).data().toString();
                parts << unit.data().toString() + QLatin1Char(':') + numbers.join(QLatin1Char(','));
            }
        }
        return parts.join(QLatin1Char(' '));
    }

    ActivityMeter meter;
    SystemTreeModel model;
    QAbstractItemModelTester tester;
};

MasterChanged master(MasterRole role, std::uint32_t index, std::uint32_t processor)
{
    return {.role = role, .index = index, .processor = ProcessorId(processor)};
}

} // namespace

/// What breaks it: a part that looks well while somebody in it is lost, a role or rank shown at a
/// processor that does not have it any more, a whole tree that is made anew for one change.
class TestSystemTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyWithoutHierarchy();
    void structure();
    void seatsAndBadges();
    void worstIsSeenAbove();
    void orderedIsNoFault();
    void figures();
    void programs();
    void layoutChanges();
    void manyProcessorsAreRenewedInPart();
    void liveRandomHistories();
};

void TestSystemTree::emptyWithoutHierarchy()
{
    Bench bench;
    bench.begin(3);
    bench.model.refresh();
    QCOMPARE(bench.model.rowCount(), 0);
    QVERIFY(!bench.model.indexOf(Rank(0)).isValid());
}

void TestSystemTree::structure()
{
    Bench bench;
    bench.happen(systemBegins());
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.outline(), QStringLiteral("s0/0:0,1,2 s0/1:3,4,5 s1/0:6,7,8 s1/1:9,10,11"));
    const QModelIndex processor = bench.processor(8);
    QCOMPARE(processor.data(SystemTreeModel::LevelRole).toInt(),
             static_cast<int>(SystemTreeModel::Level::Processor));
    QCOMPARE(processor.parent().parent().data().toString(), QStringLiteral("s1"));
    QCOMPARE(processor.parent().parent().parent(), bench.system());
    // Rank 5 is the second of subcluster 1: called by its number in that world.
    QCOMPARE(bench.model.indexOf(Rank(5)), processor);
    QCOMPARE(Bench::text(processor, Column::Seat), QStringLiteral("rank 1"));
    QVERIFY(!bench.model.indexOf(Rank(8)).isValid()); // the seat of an I/O processor
    QVERIFY(!bench.model.indexOf(ProcessorId(12)).isValid());
    bench.startOver();
    QCOMPARE(bench.model.rowCount(), 0);
}

void TestSystemTree::seatsAndBadges()
{
    Bench bench;
    bench.happen(systemBegins());
    bench.happen({master(MasterRole::Unit, 0, 0), master(MasterRole::Cluster, 0, 0),
                  master(MasterRole::System, 0, 0), master(MasterRole::Unit, 1, 3),
                  master(MasterRole::Cluster, 1, 6)});
    QCOMPARE(Bench::badges(bench.processor(0)), QStringLiteral("SM"));
    QCOMPARE(Bench::text(bench.processor(0), Column::Seat), QStringLiteral("I/O 0"));
    QCOMPARE(Bench::badges(bench.processor(3)), QStringLiteral("UM"));
    QCOMPARE(Bench::badges(bench.processor(6)), QStringLiteral("CM"));
    QCOMPARE(Bench::badges(bench.processor(5)), QStringLiteral("standby"));
    QCOMPARE(Bench::text(bench.processor(5), Column::Seat), QString());
    QVERIFY(!bench.processor(5).data(SystemTreeModel::RankRole).isValid());

    // During a takeover the rank is still named where it was lost, but nobody holds it.
    bench.happen({healthOf(3, Health::Lost, HealthCause::Gone)});
    QCOMPARE(Bench::text(bench.processor(3), Column::Seat), QStringLiteral("rank 2"));
    QCOMPARE(bench.processor(3).data(SystemTreeModel::RankRole).toInt(), 2);
    QCOMPARE(Bench::text(bench.system(), Column::Seat), QStringLiteral("7 of 8 ranks"));
    bench.happen({takeover(2, 5, 3), master(MasterRole::Unit, 1, 4),
                  ProcessorDrained{.processor = ProcessorId(4), .drained = true, .who = "x"}});
    QCOMPARE(Bench::text(bench.processor(5), Column::Seat), QStringLiteral("rank 2"));
    QCOMPARE(Bench::badges(bench.processor(5)), QStringLiteral("#2 standby"));
    QCOMPARE(bench.processor(5).data(SystemTreeModel::RankRole).toInt(), 2);
    QCOMPARE(bench.model.indexOf(Rank(2)), bench.processor(5));
    QCOMPARE(Bench::text(bench.processor(3), Column::Seat), QString());
    QCOMPARE(Bench::badges(bench.processor(3)), QString());
    QCOMPARE(Bench::badges(bench.processor(4)), QStringLiteral("drained UM"));
    QCOMPARE(Bench::text(bench.system(), Column::Seat), QStringLiteral("8 of 8 ranks"));
    const QString tip = bench.processor(5).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("s0 rank 2, incarnation 2")), qPrintable(tip));
    const QString said = bench.processor(3).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(said.contains(QStringLiteral("its process ended")), qPrintable(said));
    bench.happen({ProcessorDrained{.processor = ProcessorId(4), .drained = false, .who = "x"}});
    QCOMPARE(Bench::badges(bench.processor(4)), QStringLiteral("UM"));
}

void TestSystemTree::worstIsSeenAbove()
{
    Bench bench;
    bench.happen(systemBegins());
    const QModelIndex system = bench.system();
    const QModelIndex unit = bench.processor(3).parent();
    const QModelIndex other = bench.processor(6).parent();
    QCOMPARE(Bench::condition(system), Condition::Well);
    QCOMPARE(Bench::text(system, Column::State), QStringLiteral("up"));
    QCOMPARE(Bench::text(system, Column::Seat), QStringLiteral("8 of 8 ranks"));
    bench.happen({healthOf(4, Health::Suspect, HealthCause::Late)});
    QCOMPARE(Bench::condition(unit), Condition::Suspect);
    QCOMPARE(Bench::condition(unit.parent()), Condition::Suspect);
    QCOMPARE(Bench::condition(system), Condition::Suspect);
    QCOMPARE(Bench::condition(other), Condition::Well);
    bench.happen({healthOf(3, Health::Lost, HealthCause::Gone),
                  healthOf(5, Health::Lost, HealthCause::Gone),
                  SeatVacated{.seat = SeatId(2), .previous = ProcessorId(3)}});
    QCOMPARE(Bench::condition(system), Condition::Lost);
    QCOMPARE(Bench::text(unit, Column::State), QStringLiteral("2 lost"));
    QCOMPARE(Bench::text(unit.parent(), Column::Seat), QStringLiteral("3 of 4 ranks"));
    bench.happen({subclusterIs(0, ClusterState::Down, "too few")});
    QCOMPARE(Bench::condition(unit), Condition::Lost);
    QCOMPARE(Bench::condition(unit.parent()), Condition::Down);
    QCOMPARE(Bench::text(unit.parent(), Column::State), QStringLiteral("down"));
    QVERIFY(unit.parent().data(Qt::ToolTipRole).toString().contains(QStringLiteral("too few")));
    QCOMPARE(Bench::condition(system), Condition::Down);
    QCOMPARE(Bench::text(system, Column::State), QStringLiteral("1 down"));
    QCOMPARE(Bench::condition(other.parent()), Condition::Well);
    bench.happen({subclusterIs(0, ClusterState::Up), healthOf(3, Health::Alive),
                  healthOf(4, Health::Alive), healthOf(5, Health::Alive)});
    QCOMPARE(Bench::condition(system), Condition::Well);
}

void TestSystemTree::orderedIsNoFault()
{
    Bench bench;
    bench.happen(systemBegins());
    bench.happen({healthOf(5, Health::Lost, HealthCause::Ordered), healthOf(4, Health::Left)});
    QCOMPARE(Bench::condition(bench.processor(5)), Condition::Left);
    QCOMPARE(Bench::condition(bench.processor(4)), Condition::Left);
    QCOMPARE(Bench::condition(bench.system()), Condition::Well);
}

void TestSystemTree::figures()
{
    Bench bench;
    bench.happen(systemBegins());
    bench.happen(
        {SessionBench::added(0, "x"), SessionBench::added(1, "y"),
         ProcessorJoined{
             .rank = Rank(1), .incarnation = Incarnation(1), .host = "s0", .pid = 9, .slots = 2},
         ProcessorJoined{
             .rank = Rank(3), .incarnation = Incarnation(1), .host = "s0", .pid = 9, .slots = 6}});
    bench.happen({bench.started(0, 1, 1)});
    bench.at += 5s;
    bench.clock.advance(5s);
    Q_EMIT bench.source->heard(bench.at);
    bench.happen({bench.ended(1, 1, Outcome::Failed, 5s, Disposition::Final, 3)});
    bench.model.refresh();
    const QModelIndex busy = bench.model.indexOf(Rank(1));
    QCOMPARE(busy, bench.processor(2));
    QCOMPARE(Bench::cell(busy, Column::Slots).toInt(), 2);
    QCOMPARE(Bench::cell(busy, Column::Running).toInt(), 1);
    QCOMPARE(busy.data(SystemTreeModel::BusyShareRole).toDouble(), 0.5);
    QVERIFY(Bench::text(bench.model.indexOf(Rank(3)), Column::Done).contains("1 failed"));
    QVERIFY(!bench.processor(0).data(SystemTreeModel::BusyShareRole).isValid());
    const QModelIndex subcluster = busy.parent().parent();
    QCOMPARE(Bench::cell(subcluster, Column::Slots).toInt(), 8);
    QCOMPARE(Bench::cell(subcluster, Column::Running).toInt(), 1);
    QCOMPARE(Bench::cell(subcluster, Column::Done, SystemTreeModel::NumberRole).toInt(), 1);
    QCOMPARE(bench.system().data(SystemTreeModel::BusyShareRole).toDouble(), 2.0 / 8.0);
}

// Fails if it is not seen what the program of a world's rank does, or those of a subcluster.
void TestSystemTree::programs()
{
    Bench bench;
    bench.happen(systemBegins());
    QSignalSpy appeared(&bench.model, &SystemTreeModel::programsAppeared);
    Q_EMIT bench.source->agentStatusChanged({});
    bench.model.refresh();
    QVERIFY(appeared.isEmpty());
    AgentStatus status;
    status.programs = {{.rank = Rank(1),
                        .state = ProgramState::Waiting,
                        .call = "MPI_Recv",
                        .messagesPerSecond = 1200},
                       {.rank = Rank(3), .state = ProgramState::Running}};
    Q_EMIT bench.source->agentStatusChanged(status);
    bench.model.refresh();
    QCOMPARE(appeared.size(), 1);
    const QModelIndex rank = bench.model.indexOf(Rank(1));
    QCOMPARE(Bench::text(rank, Column::Program), QStringLiteral("waits in MPI_Recv, 1,200/s"));
    QCOMPARE(Bench::text(bench.model.indexOf(Rank(3)), Column::Program),
             QStringLiteral("computes"));
    QVERIFY(rank.data(Qt::ToolTipRole).toString().contains(QLatin1String("waits in MPI_Recv")));
    QCOMPARE(Bench::text(rank.parent().parent(), Column::Program),
             QStringLiteral("1 compute, 1 wait, 1,200/s"));
    QCOMPARE(Bench::text(bench.processor(0), Column::Program), QString());
    Q_EMIT bench.source->agentStatusChanged({});
    bench.model.refresh();
    QCOMPARE(Bench::text(rank, Column::Program), QString());
}

void TestSystemTree::layoutChanges()
{
    Bench bench;
    bench.happen(systemBegins());
    QSignalSpy resets(&bench.model, &QAbstractItemModel::modelReset);
    SystemLaidOut layout = madeUpLayout();
    layout.heartbeat = 250ms; // the rows stay
    layout.processors[0].pid = 4711;
    bench.happen({layout});
    QCOMPARE(resets.count(), 0);
    QVERIFY(bench.system().data(Qt::ToolTipRole).toString().contains(QStringLiteral("250 ms")));
    SystemSize larger;
    larger.standby = 2;
    bench.happen({madeUpLayout(larger)});
    QCOMPARE(resets.count(), 1);
    QCOMPARE(bench.model.processorCount(), std::size_t{14});
    bench.happen({RunOpened{}}); // the next life has not said yet what it is
    QCOMPARE(bench.model.rowCount(), 0);
}

// 2,048 processors: of what changes in one of them the views are told that row and the three above
// it, and nothing else.
void TestSystemTree::manyProcessorsAreRenewedInPart()
{
    Bench bench;
    bench.happen(
        systemBegins({.subclusters = 16, .units = 8, .active = 120, .standby = 4, .io = 4}));
    QCOMPARE(bench.model.processorCount(), std::size_t{2048});
    bench.model.refresh();
    QSignalSpy resets(&bench.model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&bench.model, &QAbstractItemModel::dataChanged);
    bench.model.refresh();
    QCOMPARE(changes.count(), 0);
    bench.happen({healthOf(700, Health::Suspect, HealthCause::Late)});
    QCOMPARE(resets.count(), 0);
    QCOMPARE(changes.count(), 4);
    int rows = 0;
    for (const QList<QVariant>& change : changes)
        rows += change.at(1).toModelIndex().row() - change.at(0).toModelIndex().row() + 1;
    QCOMPARE(rows, 4);
    QCOMPARE(changes.front().at(0).toModelIndex(), bench.processor(700));
    changes.clear();
    // A whole unit at once is one stretch.
    std::vector<EventPayload> storm;
    for (std::uint32_t i = 0; i < 16; ++i)
        storm.emplace_back(healthOf(1024 + i, Health::Suspect, HealthCause::Late));
    bench.happen(std::move(storm));
    QCOMPARE(changes.count(), 4);
    QCOMPARE(changes.front().at(0).toModelIndex(), bench.processor(1024));
    QCOMPARE(changes.front().at(1).toModelIndex().row(), bench.processor(1039).row());
}

void TestSystemTree::liveRandomHistories()
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
            const SystemState& system = bench.session->state().system();
            QCOMPARE(bench.model.processorCount(), system.processors().size());
            Condition worst = Condition::Left;
            for (const auto& [id, processor] : system.processors()) {
                const QModelIndex index = bench.model.indexOf(id);
                QCOMPARE(index.data(SystemTreeModel::ProcessorRole).toUInt(), id.value());
                QCOMPARE(Bench::text(index, Column::State),
                         QString::fromLatin1(healthName(processor.health).data()));
                QVERIFY(Bench::condition(index) <= Bench::condition(index.parent()));
                worst = std::max(worst, Bench::condition(index));
            }
            if (system.layout())
                QVERIFY(Bench::condition(bench.system()) >= worst);
        }
    }
}

QTEST_GUILESS_MAIN(TestSystemTree)

} // namespace tst_systemtree

#include "tst_systemtree.moc"

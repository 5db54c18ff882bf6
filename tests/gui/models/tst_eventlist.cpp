// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/eventlistmodel.h"
#include "sessionbench.h"
#include "shared/domain/randomhistory.h"

#include <QAbstractItemModelTester>

namespace tst_eventlist {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

struct Bench : SessionBench {
    Bench()
        : model(*session), tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {}

    [[nodiscard]] QStringList texts() const
    {
        QStringList texts;
        for (int row = 0; row < model.rowCount(); ++row)
            texts.append(
                model.index(row, static_cast<int>(EventListModel::Column::Text)).data().toString());
        return texts;
    }
    [[nodiscard]] QVariant last(int role) const
    {
        return model.index(model.rowCount() - 1, 0).data(role);
    }
    [[nodiscard]] Severity lastSeverity() const
    {
        return static_cast<Severity>(last(EventListModel::SeverityRole).toInt());
    }

    EventListModel model;
    QAbstractItemModelTester tester;
};

} // namespace

class TestEventList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotable();
    void words();
    void onlyTasksCanBeResumed();
    void severities();
    void hierarchy();
    void showAll();
    void live();
};

void TestEventList::whatIsNotable()
{
    Bench bench;
    bench.begin(3);
    QCOMPARE(bench.texts(),
             (QStringList{QStringLiteral("The run began on master with Tasuki 1"),
                          QStringLiteral("rank 0 joined on node0 with 4 slot(s)")}));
    bench.happen({bench.started(0), bench.ended(0), bench.started(1)});
    QCOMPARE(bench.model.rowCount(), 2);
    bench.happen({bench.ended(1, 1, Outcome::Failed, 1s)});
    QCOMPARE(bench.model.rowCount(), 3);
    QCOMPARE(bench.last(EventListModel::TaskRole).toUInt(), 1U);
    QCOMPARE(bench.last(EventListModel::AttemptRole).toUInt(), 1U);
    QCOMPARE(bench.last(EventListModel::RankRole).toInt(), 0);
    QCOMPARE(bench.last(EventListModel::WallTimeRole).toLongLong(),
             qint64{bench.at.time_since_epoch().count()});
    // What comes while the run goes on is an operator's.
    bench.happen({SessionBench::added(3, "new"), TaskHeld{.id = TaskId(2)}});
    QCOMPARE(bench.model.rowCount(), 5);
    QVERIFY(!bench.last(EventListModel::RankRole).isValid());
    // In the next life the list is read again.
    bench.happen({RunOpened{}, SessionBench::added(4, "edited list")});
    QCOMPARE(bench.model.rowCount(), 6);
}

void TestEventList::words()
{
    Bench bench;
    bench.begin(6);
    bench.happen(
        {bench.ended(0, 1, Outcome::Failed, 1s, Disposition::Retry),
         bench.ended(1, 1, Outcome::TimedOut, 1s),
         TaskSkipped{.id = TaskId(2), .because = TaskId(1)},
         bench.ended(3, 1, Outcome::Interrupted, 1s, Disposition::Requeue),
         ProcessorLost{.rank = Rank(0), .incarnation = Incarnation(1), .cause = LossCause::Silent},
         Notice{.severity = Severity::Warning, .text = "the disk is \xff full"},
         RunClosed{.end = RunEnd::Interrupted, .elapsed = 65s}});
    const QStringList texts = bench.texts().mid(2);
    QCOMPARE(texts.at(0), QStringLiteral("Task 0 is retried after attempt 1 on rank 0: exit 3"));
    QCOMPARE(texts.at(1),
             QStringLiteral("Task 1 did not succeed on rank 0 (attempt 1): timed out"));
    QCOMPARE(texts.at(2), QStringLiteral("Task 2 is skipped because task 1 did not succeed"));
    QCOMPARE(texts.at(3),
             QStringLiteral("Task 3 waits again after attempt 1 on rank 0: interrupted"));
    QCOMPARE(texts.at(4), QStringLiteral("rank 0 was lost: nothing was heard of it"));
    QCOMPARE(texts.at(5), QStringLiteral("the disk is \uFFFD full"));
    QCOMPARE(texts.at(6),
             QStringLiteral("The run was interrupted after 1 min 05 s; it can be resumed"));
}

// A merge has no tasks: there is nothing to go on with.
void TestEventList::onlyTasksCanBeResumed()
{
    Bench bench;
    bench.happen({RunOpened{.host = "node0", .version = "1", .directory = "/", .taskList = ""},
                  RunClosed{.end = RunEnd::Interrupted, .elapsed = 2s}});
    QCOMPARE(bench.texts().back(), QStringLiteral("The run was interrupted after 2.00 s"));
}

void TestEventList::severities()
{
    Bench bench;
    bench.begin(5);
    bench.happen({bench.ended(0, 1, Outcome::Failed, 1s, Disposition::Retry)});
    QCOMPARE(bench.lastSeverity(), Severity::Warning);
    bench.happen({bench.ended(1, 1, Outcome::Failed, 1s)});
    QCOMPARE(bench.lastSeverity(), Severity::Failure);
    bench.happen({bench.ended(2, 1, Outcome::Cancelled, 1s)});
    QCOMPARE(bench.lastSeverity(), Severity::Information);
    bench.happen({Notice{.severity = Severity::Failure, .text = "x"}});
    QCOMPARE(bench.lastSeverity(), Severity::Failure);
    bench.happen(
        {ProcessorLost{.rank = Rank(0), .incarnation = Incarnation(1), .cause = LossCause::Left}});
    QCOMPARE(bench.lastSeverity(), Severity::Information);
    QCOMPARE(bench.model.rowCount(), 7);
    bench.model.setLeastSeverity(Severity::Warning);
    QCOMPARE(bench.model.rowCount(), 3);
    bench.model.setLeastSeverity(Severity::Failure);
    QCOMPARE(bench.model.rowCount(), 2);
    bench.happen({Notice{.severity = Severity::Warning, .text = "y"}});
    QCOMPARE(bench.model.rowCount(), 2);
    bench.model.setLeastSeverity(Severity::Information);
    QCOMPARE(bench.model.rowCount(), 8);
}

// What the failure hierarchy tells, with the names of that moment.
void TestEventList::hierarchy()
{
    Bench bench;
    bench.begin(0);
    SystemLaidOut layout;
    layout.subclusters = {{"antenna", 1, 1, 0, 1}, {"store", 0, 0, 0, 0}};
    layout.units = {{"left", "node0", SubclusterId(0)}};
    layout.seats = {{SubclusterId(0), SeatKind::Active, 0}};
    const auto add = [&](std::uint32_t id, std::optional<SeatId> seat) {
        layout.processors.push_back({.id = ProcessorId(id),
                                     .subcluster = SubclusterId(0),
                                     .unit = UnitId(0),
                                     .seat = seat,
                                     .host = "node0"});
    };
    add(0, SeatId(0));
    add(1, std::nullopt);
    const HealthChanged ready{ProcessorId(0), Health::Alive, HealthCause::None};
    bench.happen({layout, ready});
    QCOMPARE(bench.texts().mid(2), QStringList{QStringLiteral("The system has 2 processor(s)")});
    bench.happen({SystemStarted{}});
    const auto texts = [&](EventPayload payload) {
        bench.happen({std::move(payload)});
        return bench.texts().back();
    };
    const auto subject = [&] {
        return bench.model
            .index(bench.model.rowCount() - 1, static_cast<int>(EventListModel::Column::Subject))
            .data()
            .toString();
    };
    QCOMPARE(texts(HealthChanged{ProcessorId(0), Health::Suspect, HealthCause::Late}),
             QStringLiteral("processor 0 (node0) is suspect: its heartbeats are late"));
    QCOMPARE(subject(), QStringLiteral("processor 0 (node0)"));
    QCOMPARE(bench.lastSeverity(), Severity::Warning);
    QCOMPARE(texts(ready), QStringLiteral("processor 0 (node0) is alive"));
    QCOMPARE(bench.lastSeverity(), Severity::Information);
    QCOMPARE(texts(HealthChanged{ProcessorId(0), Health::Lost, HealthCause::Gone}),
             QStringLiteral("processor 0 (node0) is lost: its process ended"));
    QCOMPARE(bench.lastSeverity(), Severity::Failure);
    QCOMPARE(texts(SeatTaken{.seat = SeatId(0),
                             .incarnation = Incarnation(2),
                             .holder = ProcessorId(1),
                             .previous = ProcessorId(0),
                             .takeover = 20ms}),
             QStringLiteral("antenna rank 0 was taken over by processor 1 (node0) from "
                            "processor 0 (node0), in 20 ms"));
    QCOMPARE(subject(), QStringLiteral("antenna rank 0"));
    QCOMPARE(texts(SeatVacated{SeatId(0), ProcessorId(1), true}),
             QStringLiteral("antenna rank 0 is given up after the loss of processor 1 (node0)"));
    QCOMPARE(bench.lastSeverity(), Severity::Failure);
    QCOMPARE(texts(MasterChanged{MasterRole::Cluster, 1, ProcessorId(1)}),
             QStringLiteral("processor 1 (node0) is master of subcluster store"));
    QCOMPARE(texts(SubclusterChanged{SubclusterId(0), ClusterState::Down, "too few ranks"}),
             QStringLiteral("Subcluster antenna is down: too few ranks"));
    QCOMPARE(texts(AlarmAcknowledged{bench.session->state().lastEvent(), "ann", "seen"}),
             QStringLiteral("ann has acknowledged alarm 1.12: seen"));
    QCOMPARE(texts(MasterChanged{MasterRole::System, 0, ProcessorId(1), ProcessorId(0), 3ms, 20ms}),
             QStringLiteral("processor 1 (node0) is system master in place of processor 0 (node0), "
                            "in 20 ms"));
    QCOMPARE(bench.lastSeverity(), Severity::Warning);
    QCOMPARE(texts(ProcessorDrained{ProcessorId(1), true, "ann"}),
             QStringLiteral("processor 1 (node0) gets no new work: ann wants it so"));
    const ProcessorOrder toIo = ProcessorOrder::BecomeIo;
    QCOMPARE(texts(ProcessorOrdered{ProcessorId(1), toIo, "", "there is no vacant place"}),
             QStringLiteral("processor 1 (node0) is to be I/O: that cannot be done any more, "
                            "there is no vacant place"));
    QCOMPARE(bench.lastSeverity(), Severity::Warning);
    QCOMPARE(texts(RunEnding{.kill = true, .restartFor = SubclusterId(0)}),
             QStringLiteral("The run is ending: what runs is killed; it starts again, for "
                            "subcluster antenna is down"));
    QCOMPARE(subject(), QStringLiteral("run"));
    bench.model.setLeastSeverity(Severity::Failure);
    QCOMPARE(bench.model.rowCount(), 3);
    bench.model.setLeastSeverity(Severity::Information);
    QCOMPARE(texts(ProcessorLost{
                 .rank = Rank(0), .incarnation = Incarnation(1), .cause = LossCause::Silent}),
             QStringLiteral("antenna rank 0 was lost: nothing was heard of it"));
    QCOMPARE(subject(), QStringLiteral("antenna rank 0"));
}

void TestEventList::showAll()
{
    Bench bench;
    bench.begin(3);
    bench.happen({bench.started(0), bench.ended(0)});
    QCOMPARE(bench.model.rowCount(), 2);
    bench.model.setShowAll(true);
    QCOMPARE(bench.model.rowCount(), 7);
    QCOMPARE(bench.texts().at(1), QStringLiteral("Task 0 was added"));
    QCOMPARE(bench.texts().at(5), QStringLiteral("Task 0 started on rank 0 (attempt 1)"));
    QCOMPARE(bench.texts().at(6), QStringLiteral("Task 0 succeeded on rank 0 (attempt 1)"));
    bench.happen({bench.started(1)});
    QCOMPARE(bench.model.rowCount(), 8);
    bench.model.setShowAll(false);
    QCOMPARE(bench.model.rowCount(), 2);
}

void TestEventList::live()
{
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        Bench bench;
        std::mt19937 random(seed);
        RandomHistory history(seed);
        std::size_t events = 0;
        for (int step = 0; step < 60; ++step) {
            const auto more = history.more(1 + random() % 20);
            events += more.size();
            bench.play(more);
            if (random() % 5 == 0)
                bench.model.setShowAll(random() % 2 == 0);
            if (random() % 8 == 0)
                bench.model.setLeastSeverity(static_cast<Severity>(random() % 3));
            if (random() % 20 == 0) {
                bench.startOver();
                QCOMPARE(bench.model.rowCount(), 0);
                history = RandomHistory(static_cast<std::uint32_t>(random()));
                events = 0;
            }
            if (bench.model.showsAll())
                QCOMPARE(bench.model.rowCount(), static_cast<int>(events));
            for (int row = 0; row < bench.model.rowCount(); row += 7)
                QVERIFY(!bench.model.index(row, 0).data().toString().isEmpty());
        }
    }
}

QTEST_GUILESS_MAIN(TestEventList)

} // namespace tst_eventlist

#include "tst_eventlist.moc"

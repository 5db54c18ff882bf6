// SPDX-License-Identifier: GPL-3.0-or-later
#include "deskbench.h"
#include "farm/attemptdesk.h"

#include <QTest>

namespace tst_attemptdesk {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const GroupId team(4);
const Rank first(4);
const Rank second(5);

} // namespace

/// What breaks it: an end that counts though the scheduler says no; a lost attempt that is told of another rank
/// than started it; an interruption that counts as a failure; events behind the last one.
class TestAttemptDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordsWhatCounts()
    {
        DeskBench bench;
        bench.run(1);
        bench.handOutTo(team);
        bench.master.attempts.takeReport(team, second, true, bench.startOf(key(0)));
        bench.master.attempts.takeReport(team, second, true, bench.startOf(key(0)));
        bench.master.attempts.takeReport(team, second, true,
                                         bench.endOf(key(0), Outcome::Succeeded));
        bench.master.attempts.takeReport(team, second, true, bench.endOf(key(0), Outcome::Failed));
        QCOMPARE(bench.recorded<AttemptStarted>().size(), 1U);
        const auto ends = bench.recorded<AttemptFinished>();
        QCOMPARE(ends.size(), 1U);
        QVERIFY(ends.front().rank == second);
        QVERIFY(ends.front().result.outcome == Outcome::Succeeded);
    }

    void whatALostGroupHadStartedIsLost()
    {
        DeskBench bench;
        bench.run(2);
        bench.handOutTo(team);
        bench.master.attempts.takeReport(team, second, true, bench.startOf(key(1)));
        QVERIFY(bench.master.attempts.startedOn(team, key(1)) == second);
        QVERIFY(bench.master.attempts.startedOn(team, key(0)) == first);
        bench.master.attempts.groupLost(team);
        const auto ends = bench.recorded<AttemptFinished>();
        QCOMPARE(ends.size(), 1U);
        QVERIFY(ends.front().key == key(1));
        QVERIFY(ends.front().rank == second);
        QVERIFY(ends.front().result.outcome == Outcome::Lost);
    }

    void anEndIsJudgedByThePhase_data()
    {
        QTest::addColumn<int>("phase");
        QTest::addColumn<int>("outcome");
        using enum MasterPhase;
        QTest::newRow("running") << static_cast<int>(Running) << static_cast<int>(Outcome::Failed);
        QTest::newRow("draining") << static_cast<int>(Draining)
                                  << static_cast<int>(Outcome::Failed);
        QTest::newRow("killing") << static_cast<int>(Killing)
                                 << static_cast<int>(Outcome::Interrupted);
    }
    void anEndIsJudgedByThePhase()
    {
        QFETCH(int, phase);
        QFETCH(int, outcome);
        DeskBench bench;
        bench.run(1);
        bench.handOutTo(team);
        bench.master.course.phase = static_cast<MasterPhase>(phase);
        bench.master.attempts.takeReport(team, first, true, bench.endOf(key(0), Outcome::Failed));
        QCOMPARE(static_cast<int>(bench.recorded<AttemptFinished>().at(0).result.outcome), outcome);
    }

    void runTimesAddUp()
    {
        DeskBench bench;
        bench.run(2);
        bench.handOutTo(team);
        for (const std::uint32_t task : {0U, 1U}) {
            Report report = bench.endOf(key(task), Outcome::Succeeded);
            report.finished.front().result.elapsed = std::chrono::microseconds::max();
            bench.master.attempts.takeReport(team, first, true, std::move(report));
        }
        const auto ends = bench.recorded<AttemptFinished>(); // else the record would refuse them
        QCOMPARE(ends.size(), 2U);
        QVERIFY(ends.at(0).result.elapsed <= std::chrono::hours(24 * 365 * 10));
    }

    void inheritedAttemptsAreHeldWhereTheyRun()
    {
        DeskBench bench;
        bench.master.roster.form(team, WorkerGroup({first, second}, Era()));
        bench.run(1);
        bench.master.scheduler.groupJoined(team, 2);
        bench.master.attempts.inherit({{key(0), second}});
        bench.master.attempts.adoptStarted(bench.master.roster);
        const auto held = bench.master.scheduler.heldBy(team);
        QCOMPARE(held.size(), 1U);
        QVERIFY(held.front().started);
        QVERIFY(bench.master.attempts.startedOn(team, key(0)) == second);
        QVERIFY(!bench.master.attempts.adopt(team, key(0), false));
    }

    void nothingIsRecordedBehindTheEnd()
    {
        DeskBench bench;
        auto opening = openingOf(2);
        auto links = std::make_shared<TaskLinks>();
        links->after = {TaskId(0)};
        std::get<TaskAdded>(opening.back()).task.links = links;
        bench.master.record.open(std::move(opening));
        bench.journal.commit();
        bench.master.attempts.begin({});
        bench.handOutTo(team);
        bench.master.attempts.takeReport(team, first, true, bench.endOf(key(0), Outcome::Failed));
        bench.journal.commit();
        bench.master.scheduler.endRecorded(TaskId(0), bench.clock.now());
        bench.master.course.phase = MasterPhase::Closing;
        bench.master.attempts.recordSkipped();
        QVERIFY(bench.recorded<TaskSkipped>().empty());
        bench.master.course.phase = MasterPhase::Draining;
        bench.master.attempts.recordSkipped();
        QCOMPARE(bench.recorded<TaskSkipped>().size(), 1U);
    }

    void knowsWhatFitsBeforeTheAllocationEnds()
    {
        DeskBench unlimited;
        QVERIFY(!unlimited.master.attempts.fitTest());
        QVERIFY(unlimited.master.attempts.allocationEnd() == nullptr);
        MasterOptions options;
        options.endsAt = SteadyTime{} + 100s;
        DeskBench bench(std::move(options));
        bench.run(1);
        QVERIFY(bench.master.attempts.allocationEnd() != nullptr);
        QVERIFY(bench.master.attempts.fitTest()(TaskId(0)) != Fit::Late);
        bench.clock.advance(99s);
        QVERIFY(bench.master.attempts.fitTest()(TaskId(0)) == Fit::Late);
    }
};

QTEST_APPLESS_MAIN(TestAttemptDesk)

} // namespace tst_attemptdesk

#include "tst_attemptdesk.moc"

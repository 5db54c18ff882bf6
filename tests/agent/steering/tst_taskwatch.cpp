// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "steering/taskwatch.h"
#include "support/history.h"

namespace tst_taskwatch {

using namespace tasuki;
using namespace tasuki::steering;

namespace {

void tell(TaskWatch& watch, const History& history)
{
    for (const Event& event : history.events())
        watch.take(event);
}

History ended(std::uint32_t task, Outcome outcome, std::int32_t code,
              Disposition disposition = Disposition::Final)
{
    History history;
    history.addEnd(task, 1, outcome, code, {}, disposition);
    return history;
}

} // namespace

/// What breaks it: waiting for ever, or not long enough; an exit code that is not the task's.
class TestTaskWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyTheLastWordCounts()
    {
        TaskWatch watch;
        watch.want(TaskId(3));
        tell(watch, ended(2, Outcome::Failed, 1)); // another task
        tell(watch, ended(3, Outcome::Failed, 1, Disposition::Retry));
        tell(watch, ended(3, Outcome::Interrupted, 0, Disposition::Requeue));
        QVERIFY(!watch.allEnded());
        tell(watch, ended(3, Outcome::Succeeded, 0));
        QVERIFY(watch.allEnded());
        QCOMPARE(exitCodeOf(watch), 0);
        tell(watch, History().add(TaskReopened{TaskId(3)}));
        QVERIFY(!watch.allEnded());
        tell(watch, ended(3, Outcome::Failed, 7));
        QCOMPARE(exitCodeOf(watch), 7);
        QCOMPARE(watch.unsuccessful(), std::size_t(1));
    }

    void exitCodes_data()
    {
        QTest::addColumn<int>("outcome");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("exitCode");
        const auto row = [](const char* name, Outcome outcome, int code, int exitCode) {
            QTest::newRow(name) << static_cast<int>(outcome) << code << exitCode;
        };
        row("succeeded", Outcome::Succeeded, 0, 0);
        row("failed", Outcome::Failed, 42, 42);
        row("signal", Outcome::Signalled, 11, 139);
        row("time", Outcome::TimedOut, 0, 124);
        row("cancelled", Outcome::Cancelled, 0, 1);
        row("lost", Outcome::Lost, 0, 1);
        row("not started", Outcome::NotStarted, 2, 1);
    }
    void exitCodes()
    {
        QFETCH(int, outcome);
        QFETCH(int, code);
        TaskWatch watch;
        watch.want(TaskId(0));
        tell(watch, ended(0, static_cast<Outcome>(outcome), code));
        QTEST(exitCodeOf(watch), "exitCode");
        watch.want(TaskId(1));
        tell(watch, ended(1, Outcome::Succeeded, 0));
        QCOMPARE(exitCodeOf(watch), outcome == static_cast<int>(Outcome::Succeeded) ? 0 : 1);
    }

    void otherEnds()
    {
        TaskWatch watch;
        for (std::uint32_t i = 0; i < 3; ++i)
            watch.want(TaskId(i));
        History history;
        history.add(TaskSkipped{TaskId(0), TaskId(9)}).add(TaskCancelled{TaskId(1)});
        history.add(TaskRemoved{TaskId(2)});
        tell(watch, history);
        QVERIFY(watch.allEnded());
        QCOMPARE(watch.unsuccessful(), std::size_t(3));
        QCOMPARE(exitCodeOf(watch), 1);
        tell(watch, History().add(TaskChanged{TaskId(2), {}}).add(TaskChanged{TaskId(1), {}}));
        QCOMPARE(watch.ended(), std::size_t(2)); // what was removed is in the list again
    }

    void whatHadEndedBefore()
    {
        TaskWatch watch;
        TaskRecord record;
        record.state = TaskState::Failed;
        record.attempts = 2;
        record.lastOutcome = Outcome::Failed;
        record.lastCode = 3;
        watch.want(TaskId(0), record);
        QVERIFY(watch.allEnded());
        QCOMPARE(exitCodeOf(watch), 3);
        watch.want(TaskId(1), {});
        QVERIFY(!watch.allEnded());
    }

    /// A task may have ended before it is known that it was added.
    void earlyEnds()
    {
        std::vector<std::uint32_t> told;
        TaskWatch watch([&](TaskId id, const TaskEnd&) { told.push_back(id.value()); });
        tell(watch, ended(4, Outcome::Failed, 1));
        watch.keepEarlyEnds();
        tell(watch, ended(5, Outcome::Failed, 9));
        tell(watch, ended(6, Outcome::Succeeded, 0));
        tell(watch, History().add(TaskReopened{TaskId(6)}));
        QVERIFY(told.empty());
        for (std::uint32_t id = 4; id < 7; ++id)
            watch.want(TaskId(id));
        QCOMPARE(told, std::vector<std::uint32_t>{5});
        QCOMPARE(watch.ended(), std::size_t(1));
        QCOMPARE(watch.unsuccessful(), std::size_t(1));
    }

    void newOnes()
    {
        TaskWatch watch;
        tell(watch, History().addTask("a"));
        QCOMPARE(watch.count(), std::size_t(0));
        watch.wantNewOnes();
        tell(watch, History().addTask("a"));
        QCOMPARE(watch.count(), std::size_t(1));
        QVERIFY(!watch.allEnded());
    }

    void theRunEndsFirst()
    {
        TaskWatch watch;
        watch.want(TaskId(0));
        tell(watch, History().add(RunClosed{RunEnd::Interrupted, {}}));
        QVERIFY(watch.runOver());
        tell(watch, History(Epoch(2)).add(RunOpened{}));
        QVERIFY(!watch.runOver());
    }
};

QTEST_APPLESS_MAIN(TestTaskWatch)

} // namespace tst_taskwatch

#include "tst_taskwatch.moc"

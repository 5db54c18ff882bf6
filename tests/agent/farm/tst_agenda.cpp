// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/agenda.h"
#include "schedulertesting.h"

#include <QTest>

#include <initializer_list>
#include <vector>

namespace tst_agenda {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using tasuki::farm::testing::at;

namespace {

using AgendaIds = std::vector<std::uint32_t>;

/// An agenda, built task by task.
struct AgendaBench {
    void add(std::initializer_list<std::uint32_t> after = {}, TaskState state = TaskState::Queued,
             std::uint32_t stage = 0)
    {
        const Prerequisites prerequisites = tasuki::farm::testing::prerequisitesOf(after);
        agenda.add(
            {.stage = stage, .position = count++, .after = prerequisites.groups(), .state = state});
    }
    /// @return all that may start now; somebody has them then
    AgendaIds take(const FitTest& fit = {}, Fit least = Fit::Ahead)
    {
        AgendaIds taken;
        while (const auto id = agenda.takeReady(fit, least))
            taken.push_back(id->value());
        return taken;
    }
    AgendaIds skipped()
    {
        AgendaIds ids;
        for (const SkippedTask& task : agenda.takeSkipped())
            ids.push_back(task.id.value());
        return ids;
    }

    Agenda agenda;
    std::uint32_t count = 0;
};

/// What can be done to a task, and what is then known of it.
enum class Deed { None, Park, ParkUnpark, Take, TakeGiveBack, TakeParked, TakeRetry, Finish, Fail };

} // namespace

/// What breaks it: a task that starts before its turn, or twice, or never; one that is skipped though it could
/// still run; counts that do not come back to what they were.
class TestAgenda : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTaskInEachState_data()
    {
        QTest::addColumn<int>("deed");
        QTest::addColumn<quint32>("ready");
        QTest::addColumn<bool>("parked");
        QTest::addColumn<bool>("mayBeTaken");
        QTest::addColumn<bool>("done");
        const auto row = [](const char* name, Deed deed, quint32 ready, bool parked, bool may,
                            bool done) {
            QTest::newRow(name) << static_cast<int>(deed) << ready << parked << may << done;
        };
        row("ready", Deed::None, 1, false, true, false);
        row("parked", Deed::Park, 0, true, false, false);
        row("released", Deed::ParkUnpark, 1, false, true, false);
        row("taken", Deed::Take, 0, false, false, false);
        row("given back", Deed::TakeGiveBack, 1, false, true, false);
        row("given back, parked", Deed::TakeParked, 0, true, false, false);
        row("tried again later", Deed::TakeRetry, 0, false, true, false);
        row("finished", Deed::Finish, 0, false, false, true);
        row("failed", Deed::Fail, 0, false, false, true);
    }
    void aTaskInEachState()
    {
        QFETCH(int, deed);
        QFETCH(quint32, ready);
        QFETCH(bool, parked);
        QFETCH(bool, mayBeTaken);
        QFETCH(bool, done);
        AgendaBench bench;
        bench.add();
        bench.agenda.begin();
        const TaskId id(0);
        const auto how = static_cast<Deed>(deed);
        if (how == Deed::Park || how == Deed::ParkUnpark)
            QVERIFY(bench.agenda.park(id));
        if (how == Deed::ParkUnpark)
            bench.agenda.unpark(id);
        if (how >= Deed::Take)
            QVERIFY(bench.take() == AgendaIds{0});
        if (how == Deed::TakeGiveBack)
            bench.agenda.giveBack(id);
        if (how == Deed::TakeParked)
            bench.agenda.giveBackParked(id);
        if (how == Deed::TakeRetry)
            bench.agenda.retryAt(at(1s), id);
        if (how >= Deed::Finish)
            bench.agenda.finish(id, how == Deed::Finish);
        QCOMPARE(bench.agenda.ready(), std::size_t{ready});
        QCOMPARE(bench.agenda.isParked(id), parked);
        QCOMPARE(bench.agenda.unfinished(), done ? 0U : 1U);
        if (done)
            QVERIFY(!bench.agenda.park(id));
        QCOMPARE(bench.agenda.take(id), mayBeTaken);
        QCOMPARE(bench.agenda.ready(), 0U);
    }

    void whatAtTheBeginningIsTrue_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<bool>("readyAfter"); // the task that comes after it
        QTest::addColumn<bool>("skippedAfter");
        QTest::newRow("queued") << static_cast<int>(TaskState::Queued) << false << false;
        QTest::newRow("running") << static_cast<int>(TaskState::Running) << false << false;
        QTest::newRow("held") << static_cast<int>(TaskState::Held) << false << false;
        QTest::newRow("succeeded") << static_cast<int>(TaskState::Succeeded) << true << false;
        QTest::newRow("failed") << static_cast<int>(TaskState::Failed) << false << true;
        QTest::newRow("removed") << static_cast<int>(TaskState::Removed) << false << true;
    }
    void whatAtTheBeginningIsTrue()
    {
        QFETCH(int, state);
        QFETCH(bool, readyAfter);
        QFETCH(bool, skippedAfter);
        AgendaBench bench;
        bench.add({}, static_cast<TaskState>(state));
        bench.add({0});
        bench.agenda.begin();
        const AgendaIds taken = bench.take();
        QCOMPARE(std::ranges::count(taken, 1U) == 1, readyAfter);
        QCOMPARE(bench.skipped() == AgendaIds{1}, skippedAfter);
    }

    void aFailureSkipsAllThatComesAfter()
    {
        AgendaBench bench;
        bench.add();
        bench.add({0});
        bench.add({1});
        bench.add({}, TaskState::Queued, 1); // a later stage waits for an end, not for success
        bench.agenda.begin();
        QVERIFY(bench.take() == AgendaIds{0});
        bench.agenda.finish(TaskId(0), false);
        QVERIFY((bench.skipped() == AgendaIds{1, 2}));
        QVERIFY(bench.skipped().empty());
        QVERIFY(bench.take() == AgendaIds{3});
    }

    void whatIsReopenedIsWaitedForAgain()
    {
        AgendaBench bench;
        bench.add();
        bench.add({0});
        bench.agenda.begin();
        bench.take();
        bench.agenda.finish(TaskId(0), true);
        QCOMPARE(bench.agenda.ready(), 1U);
        bench.agenda.reopen(std::vector{TaskId(0)});
        QVERIFY(bench.take() == AgendaIds{0});
        bench.agenda.finish(TaskId(0), true);
        QVERIFY(bench.take() == AgendaIds{1});
        // What is taken by now waits when it comes back.
        bench.agenda.reopen(std::vector{TaskId(0)});
        bench.agenda.retryAt(at(0s), TaskId(1));
        bench.agenda.wakeWaiting(at(1s));
        QVERIFY(bench.take() == AgendaIds{0});
    }

    void cancelledTasksAreNotSkippedForOneAnother()
    {
        AgendaBench bench;
        bench.add();
        bench.add({0});
        bench.add({1});
        bench.agenda.begin();
        bench.agenda.park(TaskId(0));
        bench.agenda.park(TaskId(1));
        bench.agenda.cancel(std::vector{TaskId(0), TaskId(1)});
        QVERIFY(bench.skipped() == AgendaIds{2});
        QCOMPARE(bench.agenda.unfinished(), 0U);
    }

    void aBackOffEndsOnce()
    {
        AgendaBench bench;
        bench.add();
        bench.agenda.begin();
        bench.take();
        QVERIFY(!bench.agenda.nextWake());
        bench.agenda.retryAt(at(1s), TaskId(0));
        QVERIFY(bench.agenda.nextWake() == at(1s));
        // It leaves before that, and waits for something later.
        QVERIFY(bench.agenda.take(TaskId(0)));
        bench.agenda.retryAt(at(3s), TaskId(0));
        bench.agenda.wakeWaiting(at(1s));
        QCOMPARE(bench.agenda.ready(), 0U);
        bench.agenda.wakeWaiting(at(3s));
        QVERIFY(bench.take() == AgendaIds{0});
        QVERIFY(!bench.agenda.nextWake());
    }

    void whatDoesNotFitIsNotTaken()
    {
        AgendaBench bench;
        for (int task = 0; task < 3; ++task)
            bench.add();
        bench.agenda.begin();
        const auto fit = [](TaskId id) {
            return id == TaskId(0) ? Fit::Late : id == TaskId(1) ? Fit::SlotOnly : Fit::Ahead;
        };
        QVERIFY(!bench.agenda.takeReady(fit, Fit::Ahead)); // the next one may not wait
        QCOMPARE(bench.agenda.late(), 1U);
        QCOMPARE(bench.agenda.ready(), 2U);
        QVERIFY((bench.take(fit, Fit::SlotOnly) == AgendaIds{1, 2}));
        QVERIFY(bench.agenda.park(TaskId(0)));
        QCOMPARE(bench.agenda.late(), 0U);
    }

    void tasksMayBeAdded()
    {
        AgendaBench bench;
        bench.add();
        bench.agenda.begin();
        bench.take();
        bench.agenda.finish(TaskId(0), false);
        const Prerequisites failed{TaskId(0)};
        const Prerequisites added{TaskId(3)};
        const std::vector<SchedulableTask> tasks{{.position = 1, .after = failed.groups()},
                                                 {.position = 2, .after = added.groups()},
                                                 {.position = 3}};
        bench.agenda.extend(tasks);
        QVERIFY(bench.skipped() == AgendaIds{1});
        QVERIFY(bench.take() == AgendaIds{3});
        bench.agenda.finish(TaskId(3), true);
        QVERIFY(bench.take() == AgendaIds{2});
    }
};

QTEST_APPLESS_MAIN(TestAgenda)

} // namespace tst_agenda

#include "tst_agenda.moc"

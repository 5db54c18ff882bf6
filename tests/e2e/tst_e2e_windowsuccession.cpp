// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window on a farm whose system masters die, one after the other. Fails if the run does not
// complete, loses or counts twice a task, or if the window does not come back by itself, or sees
// other events than the run file holds.
#include "failoverfarm.h"
#include "windowbench.h"

#include <QTest>
#include <algorithm>
#include <csignal>

namespace tst_e2e_windowsuccession {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

constexpr int startLimit = 40'000; // ms, for all processors of a busy machine to come up
constexpr int returnLimit = 20'000;

} // namespace

class TestWindowSuccessionOfMasters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowComesBack_data();
    void windowComesBack();
};

void TestWindowSuccessionOfMasters::windowComesBack_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("killed") << SIGKILL;
    QTest::newRow("stopped") << SIGSTOP;
}

void TestWindowSuccessionOfMasters::windowComesBack()
{
    QFETCH(int, signal);
    constexpr std::size_t tasks = 500;
    FailoverFarm farm({.tasks = tasks});
    farm.start();
    QTRY_VERIFY_WITH_TIMEOUT(farm.works(), startLimit);
    const QString access = farm.place.accessFile();
    QVERIFY(!access.isEmpty());
    Window window(access);
    QTRY_VERIFY_WITH_TIMEOUT(window.live(), returnLimit);
    for (int master = 0; master < 2; ++master) {
        farm.strike(master, signal);
        QTRY_COMPARE_WITH_TIMEOUT(window.state().system().master(),
                                  ProcessorId(static_cast<std::uint32_t>(master) + 1), returnLimit);
        QTRY_VERIFY_WITH_TIMEOUT(window.live(), returnLimit);
        QCOMPARE(window.models.session.agent()->epoch, Epoch(1));
        QCOMPARE(farm.place.accessFile(), access);
        // The new master takes commands and hands out work.
        const std::size_t done = window.count(TaskState::Succeeded);
        const TaskTarget last = window.target(tasks - 1);
        QVERIFY(window.command(HoldTasks{{last}}).accepted);
        QVERIFY(window.command(ReleaseTasks{{window.target(tasks - 1)}}).accepted);
        QTRY_VERIFY_WITH_TIMEOUT(window.count(TaskState::Succeeded) > done + 50, returnLimit);
    }
    QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Succeeded), tasks, 60'000);
    const QByteArray problems = farm.finish(2);
    QVERIFY2(problems.isEmpty(), problems.constData());
    QTRY_VERIFY_WITH_TIMEOUT(window.state().closed().has_value(), returnLimit);
    QTRY_COMPARE(window.models.session.connection().state, ConnectionState::Ended);

    const std::vector<Event> recorded = recordedEvents(farm.place.path("tasks.tasuki"));
    QVERIFY2(window.keeper.events == recorded,
             difference(window.keeper.events, recorded).constData());
    QCOMPARE(window.keeper.resets, 1); // the very first snapshot
    const auto successions = std::ranges::count_if(window.state().failovers(), &Failover::ofSystem);
    QCOMPARE(successions, std::ptrdiff_t(2));
}

QTEST_GUILESS_MAIN(TestWindowSuccessionOfMasters)

} // namespace tst_e2e_windowsuccession

#include "tst_e2e_windowsuccession.moc"

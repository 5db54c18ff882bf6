// SPDX-License-Identifier: GPL-3.0-or-later
//
// What operators want of the processors of a running system, over a window's connection. What breaks
// each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "topology/runningtopology.h"
#include "windowbench.h"
#include "workspace.h"

#include <csignal>

namespace tst_e2e_orders {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto topology = "[[subcluster]]\nname = \"a\"\nactive = 3\nstandby = 2\nio = 1\n"
                          "minimum = 1\n";
constexpr int processors = 6; ///< 0 is I/O, 1 to 3 hold ranks 0 to 2, 4 and 5 are standbys

/// Many short tasks; each leaves a line with its rank.
QByteArray rankedTasks(int count)
{
    QByteArray list;
    for (int number = 0; number < count; ++number)
        list += "echo $TASUKI_RANK >> ranks; sleep 0.05 # " + QByteArray::number(number) + "\n";
    return list;
}

Health healthOf(const Window& window, std::uint32_t processor)
{
    const SystemProcessor* const found = window.state().system().find(ProcessorId(processor));
    return found == nullptr ? Health::Expected : found->health;
}

std::optional<ProcessorId> holderOf(const Window& window, std::uint32_t seat)
{
    const SystemSeat* const found = window.state().system().find(SeatId(seat));
    return found == nullptr ? std::nullopt : found->holder;
}

} // namespace

class TestOrders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drainedProcessorsGetNoWork();
    void stoppedProcessorsAreReplaced();
    void rolesChange();
    void topologyChangesOnce();
    void editorChangesARunningTopology();
};

// Fails if a drained processor is given work, if what it ran is lost, or if it gets none when it is
// wanted again.
void TestOrders::drainedProcessorsGetNoWork()
{
    const Workspace place;
    place.write("t.toml", topology);
    place.write("list.sh", rankedTasks(150));
    AgentProcess agent(place);
    agent.start(Start::Launch, processors, {"farm", "list.sh", "--topology", "t.toml"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    {
        Window window(place.accessFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.count(TaskState::Succeeded) > 5, 20'000);
        const CommandAnswer drained = window.command(DrainProcessor{ProcessorId(2), true});
        QVERIFY2(drained.accepted, drained.reason.text().c_str());
        QTRY_VERIFY_WITH_TIMEOUT(window.state().system().find(ProcessorId(2))->drained, 5'000);
        const CommandAnswer again = window.command(DrainProcessor{ProcessorId(2), true});
        QVERIFY(!again.accepted && !again.reason.empty());
        QVERIFY(!window.command(DrainProcessor{ProcessorId(99), true}).accepted);
        QTest::qWait(500); // what had started, and what was on its way
        const auto before = place.read("ranks").count("1\n");
        QTest::qWait(1'000);
        QVERIFY(place.read("ranks").count("1\n") == before);
        QVERIFY(window.command(DrainProcessor{ProcessorId(2), false}).accepted);
        QTRY_VERIFY_WITH_TIMEOUT(place.read("ranks").count("1\n") > before, 5'000);
        QTRY_VERIFY_WITH_TIMEOUT(window.state().closed().has_value(), 60'000);
        QCOMPARE(window.count(TaskState::Succeeded), std::size_t{150});
        QVERIFY2(agent.finish() && agent.exitCode() == 0, agent.story());
        QVERIFY(window.state().alarms().all().empty());
    }
}

// Fails if a processor that an operator stops lives on, if nobody takes its rank over, if that
// raises an alarm, or if a task is lost.
void TestOrders::stoppedProcessorsAreReplaced()
{
    const Workspace place;
    place.write("t.toml", topology);
    place.write("list.sh", rankedTasks(150));
    AgentProcess agent(place);
    agent.start(Start::Launch, processors, {"farm", "list.sh", "--topology", "t.toml"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    Window window(place.accessFile());
    QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.count(TaskState::Succeeded) > 5, 20'000);
    QVERIFY(window.command(PromoteProcessor{ProcessorId(5)}).accepted); // the next to take over
    const pid_t victim = agent.rank(3);
    const CommandAnswer stopped = window.command(StopProcessor{ProcessorId(3)});
    QVERIFY2(stopped.accepted, stopped.reason.text().c_str());
    QTRY_VERIFY_WITH_TIMEOUT(!processInfo(victim).has_value(), 5'000);
    QTRY_COMPARE_WITH_TIMEOUT(holderOf(window, 2), ProcessorId(5), 5'000);
    QCOMPARE(healthOf(window, 3), Health::Lost);
    QVERIFY(!window.command(StopProcessor{ProcessorId(3)}).accepted); // it is no more
    QVERIFY(!window.command(StopProcessor{ProcessorId(0)}).accepted); // the run hangs on it
    QTRY_VERIFY_WITH_TIMEOUT(window.state().closed().has_value(), 60'000);
    QCOMPARE(window.count(TaskState::Succeeded), std::size_t{150});
    QVERIFY2(agent.finish() && agent.exitCode() == 0, agent.story());
    QVERIFY(window.state().alarms().all().empty()); // it was wanted
}

// Fails if a holder that is to be a standby keeps its rank, if nobody gets it, or if two hold it.
void TestOrders::rolesChange()
{
    const Workspace place;
    place.write("t.toml", topology);
    place.write("list.sh", rankedTasks(150));
    AgentProcess agent(place);
    agent.start(Start::Launch, processors, {"farm", "list.sh", "--topology", "t.toml"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    Window window(place.accessFile());
    QTRY_VERIFY_WITH_TIMEOUT(window.live() && window.count(TaskState::Succeeded) > 5, 20'000);
    const CommandAnswer changed = window.command(
        ChangeRole{ProcessorId(1), ProcessorKind::Standby});
    QVERIFY2(changed.accepted, changed.reason.text().c_str());
    QTRY_COMPARE_WITH_TIMEOUT(holderOf(window, 0), ProcessorId(4), 5'000);
    QTRY_COMPARE_WITH_TIMEOUT(window.state().system().find(ProcessorId(1))->info.kind,
                              ProcessorKind::Standby, 5'000);
    QVERIFY(!window.state().system().find(ProcessorId(1))->info.seat.has_value());
    // It takes over like any other standby.
    QCOMPARE(kill(agent.rank(2), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(holderOf(window, 1) && *holderOf(window, 1) != ProcessorId(2), 5'000);
    QTRY_VERIFY_WITH_TIMEOUT(window.state().closed().has_value(), 60'000);
    QCOMPARE(window.count(TaskState::Succeeded), std::size_t{150});
    QVERIFY2(agent.finish() && agent.exitCode() == 0, agent.story());
}

// Fails if a change of the topology does not hold, is not recorded, or if one that was made of an older
// one overwrites it.
void TestOrders::topologyChangesOnce()
{
    const Workspace place;
    place.write("t.toml", topology);
    place.write("list.sh", rankedTasks(150));
    AgentProcess agent(place);
    agent.start(Start::Launch, processors, {"farm", "list.sh", "--topology", "t.toml"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    {
        Window window(place.accessFile());
        Window other(place.accessFile());
        QTRY_VERIFY_WITH_TIMEOUT(window.live() && other.live() && window.state().system().started()
                                     && other.state().system().started(),
                                 20'000);
        const SystemLaidOut seen = *window.state().system().layout();
        std::string text = seen.topologyText;
        const std::string beat = "heartbeat_ms = 100";
        QVERIFY(text.find(beat) != std::string::npos);
        text.replace(text.find(beat), beat.size(), "heartbeat_ms = 50");
        const CommandAnswer changed = window.command(ChangeTopology{seen.topologyRevision, text});
        QVERIFY2(changed.accepted, changed.reason.text().c_str());
        QTRY_VERIFY_WITH_TIMEOUT(window.state().system().layout()->heartbeat == 50ms, 5'000);
        const CommandAnswer stale = other.command(
            ChangeTopology{seen.topologyRevision, seen.topologyText});
        QVERIFY(!stale.accepted);
        QVERIFY2(stale.reason.text().find("meanwhile") != std::string::npos,
                 stale.reason.text().c_str());
        const CommandAnswer wrong = other.command(
            ChangeTopology{1, "[system]\nheartbeat_ms = 0\n"});
        QVERIFY(!wrong.accepted);
        // It holds: who is stopped is given up in half the time.
        const pid_t victim = agent.rank(2);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(kill(victim, SIGSTOP), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!processInfo(victim).has_value(), 10'000);
        QVERIFY2(timer.elapsed() >= 400, "given up too soon");
        QTRY_VERIFY_WITH_TIMEOUT(holderOf(window, 1) && *holderOf(window, 1) != ProcessorId(2),
                                 5'000);
        QTRY_VERIFY_WITH_TIMEOUT(window.state().closed().has_value(), 60'000);
        QCOMPARE(window.count(TaskState::Succeeded), std::size_t{150});
        QVERIFY2(agent.finish() && agent.exitCode() == 0, agent.story());
        const std::vector<Event> recorded = recordedEvents(place.path("list.tasuki"));
        QVERIFY2(window.keeper.events == recorded, difference(window.keeper.events, recorded));
    }
}

// Fails if an edit of the running topology does not reach the system, if one that was made of an older
// one is sent over another operator's, or if one of them loses what was typed.
void TestOrders::editorChangesARunningTopology()
{
    using config::TopologyField;
    const Workspace place;
    place.write("t.toml", topology);
    place.write("list.sh", rankedTasks(150));
    AgentProcess agent(place);
    agent.start(Start::Launch, processors, {"farm", "list.sh", "--topology", "t.toml"});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    Window window(place.accessFile());
    Window other(place.accessFile());
    RunningTopology mine(window.models.session);
    RunningTopology theirs(other.models.session);
    QTRY_VERIFY_WITH_TIMEOUT(mine.revision() && theirs.revision() && window.live() && other.live()
                                 && window.state().system().started(),
                             20'000);
    const std::uint64_t first = *mine.revision();
    const auto edit = [](RunningTopology& editor, TopologyField field, const char* text) {
        return !editor.document().setCells({{0, field, QString::fromLatin1(text)}});
    };
    QVERIFY(!edit(mine, TopologyField::Active, "4")); // not while it runs
    QVERIFY(edit(mine, TopologyField::Minimum, "2"));
    QCOMPARE(mine.document().setSystem(TopologyField::HeartbeatMs, QStringLiteral("50")),
             QString());
    QVERIFY(edit(theirs, TopologyField::Minimum, "3"));
    QVERIFY(edit(theirs, TopologyField::RestartCount, "9"));
    // Both at once: the agent takes one, and refuses the other, which was based on what is no more.
    mine.apply();
    theirs.apply();
    QTRY_VERIFY_WITH_TIMEOUT(!mine.isSending() && !theirs.isSending(), 10'000);
    QVERIFY(mine.refusal().isEmpty() != theirs.refusal().isEmpty());
    RunningTopology& faster = mine.refusal().isEmpty() ? mine : theirs;
    RunningTopology& slower = mine.refusal().isEmpty() ? theirs : mine;
    QVERIFY(faster.document().isClean());
    QCOMPARE(faster.revision(), std::optional(first + 1));
    QVERIFY2(slower.refusal().contains(QStringLiteral("meanwhile")), qPrintable(slower.refusal()));
    // What both have edited is asked about, all else is brought together.
    QTRY_COMPARE_WITH_TIMEOUT(slower.conflicts().size(), std::size_t{1}, 5'000);
    const TopologyConflict conflict = slower.conflicts()[0];
    QVERIFY(conflict.theirs != conflict.mine);
    QVERIFY(conflict.place == (TopologyPlace{0, TopologyField::Minimum}));
    QCOMPARE(slower.document().topology().heartbeat.count(), 50);
    QCOMPARE(slower.document().topology().subclusters[0].restarts.count, 9U);
    slower.keepMine(conflict.place);
    slower.apply();
    QTRY_VERIFY_WITH_TIMEOUT(!slower.isSending() && slower.document().isClean(), 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(faster.revision(), std::optional(first + 2), 5'000);
    QVERIFY(faster.document().isClean());
    const auto& ran = *window.state().system().layout();
    QCOMPARE(ran.subclusters[0].minimum, conflict.mine.toUInt());
    QVERIFY(ran.heartbeat == 50ms);
    QVERIFY(faster.document().topology() == slower.document().topology());
    QTRY_VERIFY_WITH_TIMEOUT(window.state().closed().has_value(), 60'000);
    QCOMPARE(window.count(TaskState::Succeeded), std::size_t{150});
    QVERIFY2(agent.finish() && agent.exitCode() == 0, agent.story());
}

QTEST_GUILESS_MAIN(TestOrders)

} // namespace tst_e2e_orders

#include "tst_e2e_orders.moc"

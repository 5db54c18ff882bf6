// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "config/topologyreader.h"
#include "runningbench.h"
#include "topology/topologydocument.h"

namespace tst_runningtopology {

using namespace tasuki;
using namespace tasuki::testing;
using config::Topology;
using config::TopologyField;

namespace {

constexpr TopologyPlace minimumOfFirst{.subcluster = 0, .field = TopologyField::Minimum};

Topology sentTopology(const RunningBench& bench)
{
    return *config::readTopologyText(bench.sent()->text, "sent").topology;
}

} // namespace

/// What an operator makes of the topology of a running system.
/// What breaks it: a change that is sent on another base than was seen, an edit of somebody that goes
/// without a word, a value that cannot change while the system runs and is taken.
class TestRunningTopology : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitsForALayout();
    void takesWhatMayChange();
    void leavesWhatMayNot();
    void sendsOnWhatWasSeen();
    void tellsARefusal();
    void takesOthersEdits();
    void asksAboutConflicts();
    void takesTheirs();
    void overtakenWhileSending();
    void editsWhileSending();
    void undoesWhatWasApplied();
    void otherSubclusters();
    void saysWhyNothingIsSent();
    void agentThatSaysNothing();
};

void TestRunningTopology::waitsForALayout()
{
    RunningBench bench;
    QVERIFY(!bench.running.revision());
    QVERIFY(bench.running.document().isEmpty());
    QVERIFY(!bench.running.whyNot().isEmpty());
    bench.begin();
    QCOMPARE(bench.running.revision(), std::optional<std::uint64_t>(1));
    QVERIFY(bench.running.document().topology() == RunningBench::first());
    QVERIFY(bench.running.document().isClean());
    QVERIFY(!bench.running.document().undoStack().canUndo());
}

void TestRunningTopology::takesWhatMayChange()
{
    RunningBench bench;
    bench.begin();
    LiveTopology& document = bench.running.document();
    for (const auto field :
         {TopologyField::HeartbeatMs, TopologyField::SuspectAfter, TopologyField::LostAfter,
          TopologyField::Policy, TopologyField::Rejoin, TopologyField::Minimum,
          TopologyField::RestartCount, TopologyField::RestartWithinS})
        QCOMPARE(document.fixedReason(field), QString());
    QCOMPARE(document.setSystem(TopologyField::HeartbeatMs, QStringLiteral("50")), QString());
    bench.set(0, TopologyField::Minimum, "3");
    QVERIFY(document.isEdited(minimumOfFirst));
    QCOMPARE(document.knownText(minimumOfFirst), QStringLiteral("2"));
    QCOMPARE(document.changes().size(), std::size_t{2});
    QVERIFY(!document.isClean());
    bench.running.discard();
    QVERIFY(document.isClean() && document.changes().empty());
    document.undoStack().undo();
    QCOMPARE(document.changes().size(), std::size_t{2});
}

void TestRunningTopology::leavesWhatMayNot()
{
    RunningBench bench;
    bench.begin();
    LiveTopology& document = bench.running.document();
    for (const auto field :
         {TopologyField::Name, TopologyField::Active, TopologyField::Standby, TopologyField::Io,
          TopologyField::Units, TopologyField::Hosts, TopologyField::DedicatedMaster}) {
        QVERIFY(!document.fixedReason(field).isEmpty());
        QVERIFY(document.setCells({{0, field, QStringLiteral("1")}}).has_value());
    }
    // All or none, and no subclusters by the back door.
    QVERIFY(document.setCells({{0, TopologyField::Minimum, QStringLiteral("3")},
                               {2, TopologyField::Minimum, QStringLiteral("3")}}));
    QVERIFY(!document.addSubcluster() && !document.duplicate({0}) && !document.move({0}, false));
    document.remove({0});
    QVERIFY(document.isClean() && document.topology() == RunningBench::first());
    QCOMPARE(TopologyDocument().edited().fixedReason(TopologyField::Active), QString());
}

void TestRunningTopology::sendsOnWhatWasSeen()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    QSignalSpy applied(&bench.running, &RunningTopology::applied);
    QSignalSpy followed(&bench.running, &RunningTopology::followed);
    QCOMPARE(bench.running.whyNot(), QString());
    bench.running.apply();
    QVERIFY(bench.sent() != nullptr);
    QCOMPARE(bench.sent()->base, std::uint64_t{1});
    QCOMPARE(sentTopology(bench).subclusters[0].minimum, 3U);
    QVERIFY(bench.running.isSending() && !bench.running.whyNot().isEmpty());
    bench.answer(ViewBench::accepted());
    QVERIFY(bench.running.isSending()); // the layout that shows it is on its way
    bench.laidOut(sentTopology(bench), 2);
    QVERIFY(!bench.running.isSending());
    QVERIFY(bench.running.document().isClean());
    QCOMPARE(bench.running.revision(), std::optional<std::uint64_t>(2));
    QCOMPARE(applied.count(), 1);
    QCOMPARE(applied[0][0].toInt(), 1);
    QCOMPARE(followed.count(), 0); // it was no other's
}

void TestRunningTopology::tellsARefusal()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    QSignalSpy refused(&bench.running, &RunningTopology::refused);
    bench.running.apply();
    bench.answer(ViewBench::refused("the system is being ended"));
    QCOMPARE(refused.count(), 1);
    QVERIFY(!bench.running.isSending());
    QVERIFY(bench.running.refusal().contains(QStringLiteral("being ended")));
    QVERIFY(bench.running.refusedPlaces() == std::vector{minimumOfFirst});
    // Where the edit is.
    LiveTopology& document = bench.running.document();
    QVERIFY(document.faultAt(minimumOfFirst).contains(QStringLiteral("being ended")));
    QCOMPARE(document.topology().subclusters[0].minimum, 3U);
    document.undoStack().undo();
    QCOMPARE(document.faultAt(minimumOfFirst), QString());
    QCOMPARE(bench.running.refusal(), QString());
}

void TestRunningTopology::takesOthersEdits()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    QSignalSpy followed(&bench.running, &RunningTopology::followed);
    Topology theirs = RunningBench::first();
    theirs.subclusters[1].minimum = 4;
    bench.laidOut(theirs, 2);
    QCOMPARE(followed.count(), 1);
    QVERIFY(bench.running.conflicts().empty());
    const LiveTopology& document = bench.running.document();
    QCOMPARE(document.topology().subclusters[0].minimum, 3U);
    QCOMPARE(document.topology().subclusters[1].minimum, 4U);
    QCOMPARE(document.changes().size(), std::size_t{1});
    bench.running.apply();
    QCOMPARE(bench.sent()->base, std::uint64_t{2});
    QCOMPARE(sentTopology(bench).subclusters[1].minimum, 4U);
}

void TestRunningTopology::asksAboutConflicts()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    Topology theirs = RunningBench::first();
    theirs.subclusters[0].minimum = 1;
    bench.laidOut(theirs, 2);
    QCOMPARE(bench.running.conflicts().size(), std::size_t{1});
    const TopologyConflict conflict = bench.running.conflicts()[0];
    QVERIFY(conflict.place == minimumOfFirst);
    QCOMPARE(conflict.mine, QStringLiteral("3"));
    QCOMPARE(conflict.theirs, QStringLiteral("1"));
    LiveTopology& document = bench.running.document();
    QVERIFY(!document.faultAt(minimumOfFirst).isEmpty());
    bench.running.apply(); // nothing goes before it is decided
    QVERIFY(bench.sent() == nullptr);
    // They change it again.
    theirs.subclusters[0].minimum = 4;
    bench.laidOut(theirs, 3);
    QCOMPARE(bench.running.conflicts().size(), std::size_t{1});
    QCOMPARE(bench.running.conflicts()[0].theirs, QStringLiteral("4"));
    bench.running.keepMine(minimumOfFirst);
    QVERIFY(bench.running.conflicts().empty());
    QCOMPARE(document.faultAt(minimumOfFirst), QString());
    bench.running.apply();
    QCOMPARE(bench.sent()->base, std::uint64_t{3});
    QCOMPARE(sentTopology(bench).subclusters[0].minimum, 3U);
}

void TestRunningTopology::takesTheirs()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    Topology theirs = RunningBench::first();
    theirs.subclusters[0].minimum = 1;
    bench.laidOut(theirs, 2);
    bench.running.takeTheirs(minimumOfFirst);
    QVERIFY(bench.running.conflicts().empty());
    LiveTopology& document = bench.running.document();
    QVERIFY(document.isClean());
    document.undoStack().undo();
    QCOMPARE(document.topology().subclusters[0].minimum, 3U);
    QCOMPARE(document.changes().size(), std::size_t{1});
}

void TestRunningTopology::overtakenWhileSending()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    bench.running.apply();
    Topology theirs = RunningBench::first();
    theirs.subclusters[0].minimum = 1;
    bench.laidOut(theirs, 2);
    bench.answer(ViewBench::refused("the topology has been changed meanwhile"));
    QVERIFY(!bench.running.isSending());
    QCOMPARE(bench.running.conflicts().size(), std::size_t{1});
    QCOMPARE(bench.running.document().topology().subclusters[0].minimum, 3U);
}

void TestRunningTopology::editsWhileSending()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    bench.running.apply();
    const Topology sent = sentTopology(bench);
    bench.set(0, TopologyField::Minimum, "4");
    bench.laidOut(sent, 2);
    bench.answer(ViewBench::accepted());
    // It is an edit of what was sent.
    QVERIFY(!bench.running.isSending());
    QVERIFY(bench.running.conflicts().empty());
    QCOMPARE(bench.running.document().topology().subclusters[0].minimum, 4U);
    QCOMPARE(bench.running.document().knownText(minimumOfFirst), QStringLiteral("3"));
}

void TestRunningTopology::undoesWhatWasApplied()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    bench.running.apply();
    bench.answer(ViewBench::accepted());
    bench.laidOut(sentTopology(bench), 2);
    bench.running.document().undoStack().undo();
    QVERIFY(!bench.running.document().isClean());
    bench.running.apply();
    QCOMPARE(bench.sent()->base, std::uint64_t{2});
    QCOMPARE(sentTopology(bench).subclusters[0].minimum, 2U);
}

void TestRunningTopology::otherSubclusters()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    QSignalSpy followed(&bench.running, &RunningTopology::followed);
    Topology theirs = RunningBench::first();
    theirs.subclusters[1].name = "t1";
    bench.laidOut(theirs, 1);
    QCOMPARE(followed.count(), 1);
    QVERIFY(!followed[0][1].toBool()); // what was edited could not be kept
    QVERIFY(bench.running.document().topology() == theirs);
    bench.running.document().undoStack().undo();
    QCOMPARE(bench.running.document().topology().subclusters[0].minimum, 3U);
}

void TestRunningTopology::saysWhyNothingIsSent()
{
    RunningBench bench;
    bench.begin();
    QVERIFY(bench.running.whyNot().contains(QStringLiteral("Nothing is edited")));
    bench.set(0, TopologyField::Minimum, "3");
    QCOMPARE(bench.running.whyNot(), QString());
    QCOMPARE(bench.running.document().setSystem(TopologyField::SuspectAfter, QStringLiteral("30")),
             QString());
    QVERIFY(bench.running.whyNot().contains(QStringLiteral("mended")));
    bench.running.document().undoStack().undo();
    bench.source->setState(ConnectionState::Waiting);
    QVERIFY(bench.running.whyNot().contains(QStringLiteral("connection")));
    bench.running.apply();
    QVERIFY(bench.sent() == nullptr);

    RunningBench file(SourceKind::RunFile);
    file.begin();
    file.set(0, TopologyField::Minimum, "3");
    QVERIFY(file.running.whyNot().contains(QStringLiteral("run file")));
}

void TestRunningTopology::agentThatSaysNothing()
{
    RunningBench bench;
    bench.begin();
    bench.set(0, TopologyField::Minimum, "3");
    bench.running.apply();
    const Topology sent = sentTopology(bench);
    bench.answer(Error{.message = "the connection has ended"});
    QVERIFY(bench.running.refusal().contains(QStringLiteral("no answer")));
    QCOMPARE(bench.running.document().topology().subclusters[0].minimum, 3U);
    // It had taken it all the same.
    bench.laidOut(sent, 2);
    QVERIFY(bench.running.document().isClean());
    QCOMPARE(bench.running.refusal(), QString());
}

QTEST_MAIN(TestRunningTopology)

} // namespace tst_runningtopology

#include "tst_runningtopology.moc"

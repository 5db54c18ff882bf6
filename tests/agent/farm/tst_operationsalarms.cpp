// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

namespace tst_operationsalarms {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

/// A run that goes on, in which something has failed twice.
struct AlarmBench : OperationsBench {
    AlarmBench() : OperationsBench("echo 0\n")
    {
        hello(one, 1);
        settle();
        first = fail("the disk is slow");
        second = fail("the disk is gone");
    }

    EventId fail(std::string what)
    {
        const EventId id = journal.append(
            Notice{.severity = Severity::Failure, .text = std::move(what)});
        journal.commit();
        return id;
    }
    [[nodiscard]] AlarmTarget seen(EventId alarm) const
    {
        const auto& said = state.alarms().find(alarm)->acknowledgement;
        return {alarm, said ? said->event : EventId{}};
    }

    EventId first;
    EventId second;
};

} // namespace

/// What breaks it: an acknowledgement that is lost, that nobody signs, or that overwrites another.
class TestOperationsAlarms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void acknowledged();
    void againByWhoHasSeenIt();
    void somebodyWasFaster();
    void unknownAlarmsAreRefused();
    void whatNeedsAHierarchyIsRefused();
};

void TestOperationsAlarms::acknowledged()
{
    AlarmBench bench;
    const WallTime until{std::chrono::seconds(4'000'000'000)};
    const auto answered = bench.order(AcknowledgeAlarms{
        {bench.seen(bench.first), bench.seen(bench.second), bench.seen(bench.first)},
        "I look",
        until});
    bench.master->poll();
    QCOMPARE(answered->times, 0); // not before it is in the record
    bench.settle();
    QVERIFY(answered->accepted());
    QVERIFY(answered->answer.alarms.empty());
    const auto recorded = bench.recorded<AlarmAcknowledged>();
    QCOMPARE(recorded.size(), std::size_t{2});
    QVERIFY((recorded[0] == AlarmAcknowledged{bench.first, "ann", "I look", until}));
    QVERIFY((recorded[1] == AlarmAcknowledged{bench.second, "ann", "I look", until}));
    QCOMPARE(bench.state.alarms().unacknowledged(until - 1us), std::size_t{0});
    QCOMPARE(bench.state.alarms().unacknowledged(until), std::size_t{2});
}

void TestOperationsAlarms::againByWhoHasSeenIt()
{
    AlarmBench bench;
    QVERIFY(bench.settled(AcknowledgeAlarms{{bench.seen(bench.first)}, "one"})->accepted());
    QVERIFY(bench.settled(AcknowledgeAlarms{{bench.seen(bench.first)}, "two"})->accepted());
    QCOMPARE(bench.state.alarms().find(bench.first)->acknowledgement->comment, std::string("two"));
}

void TestOperationsAlarms::somebodyWasFaster()
{
    AlarmBench bench;
    const AlarmTarget first = bench.seen(bench.first);
    const AlarmTarget second = bench.seen(bench.second);
    QVERIFY(bench.settled(AcknowledgeAlarms{{first}, "one"})->accepted());
    const std::size_t recorded = bench.journal.record().size();
    const auto late = bench.settled(AcknowledgeAlarms{{first}, "two"});
    QVERIFY(late->refused());
    QCOMPARE(late->answer.reason.text(),
             "alarm " + eventIdText(bench.first) + " has been acknowledged meanwhile by ann");
    QVERIFY((late->answer.alarms == std::vector{bench.first}));
    QCOMPARE(bench.journal.record().size(), recorded);
    // What can be done is done.
    const auto both = bench.settled(AcknowledgeAlarms{{first, second}, "three"});
    QVERIFY(both->accepted());
    QVERIFY((both->answer.alarms == std::vector{bench.first}));
    QCOMPARE(bench.state.alarms().find(bench.first)->acknowledgement->comment, std::string("one"));
    QCOMPARE(bench.state.alarms().find(bench.second)->acknowledgement->comment,
             std::string("three"));
}

void TestOperationsAlarms::unknownAlarmsAreRefused()
{
    AlarmBench bench;
    const std::size_t recorded = bench.journal.record().size();
    const EventId notAnAlarm{Epoch(1), Sequence(1)};
    const auto answered = bench.settled(
        AcknowledgeAlarms{{bench.seen(bench.first), {.alarm = notAnAlarm}}, "x"});
    QVERIFY(answered->refused());
    QCOMPARE(answered->answer.reason.text(), std::string("event 1.1 has raised no alarm"));
    QVERIFY(bench.settled(AcknowledgeAlarms{})->refused());
    QCOMPARE(bench.journal.record().size(), recorded);
}

void TestOperationsAlarms::whatNeedsAHierarchyIsRefused()
{
    AlarmBench bench;
    for (const OperatorCommand& command : {OperatorCommand(DrainProcessor{ProcessorId(0), true}),
                                           OperatorCommand(StopProcessor{ProcessorId(0)}),
                                           OperatorCommand(PromoteProcessor{ProcessorId(0)}),
                                           OperatorCommand(ChangeRole{ProcessorId(0)}),
                                           OperatorCommand(ChangeTopology{0, "[system]"})}) {
        const auto answered = bench.settled(command);
        QVERIFY(answered->refused());
        QCOMPARE(answered->answer.reason.text(), std::string("this run has no hierarchy"));
    }
}

QTEST_APPLESS_MAIN(TestOperationsAlarms)

} // namespace tst_operationsalarms

#include "tst_operationsalarms.moc"

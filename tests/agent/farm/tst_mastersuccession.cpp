// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "masterbench.h"

#include <set>

namespace tst_mastersuccession {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

using Keys = std::vector<AttemptKey>;
using Phase = Master::Phase;

const GroupId groupA(1);
const GroupId groupB(3);
const Rank one(1);
const Rank two(2);
const Rank three(3);

/// What a master has recorded before it died: four tasks; 0 is done, 1 runs on rank 1, 2 was lost once.
/// @param last  what it has recorded last
std::vector<Event> recordOf(const std::vector<EventPayload>& last)
{
    ManualClock clock;
    MemoryJournal journal(Epoch(1), clock);
    RetryBudget budget;
    budget.allowed = {1, 1, 1, 1};
    for (EventPayload& payload : openingOf(4, budget))
        journal.append(std::move(payload));
    for (const std::int32_t rank : {1, 2, 3}) {
        journal.append(ProcessorJoined{.rank = Rank(rank),
                                       .incarnation = Incarnation(1),
                                       .host = "node",
                                       .pid = rank,
                                       .slots = 1});
    }
    AttemptResult good;
    good.outcome = Outcome::Succeeded;
    good.elapsed = 5ms;
    journal.append(
        AttemptFinished{.key = key(0), .rank = two, .slot = SlotIndex(0), .result = good});
    journal.append(AttemptStarted{.key = key(1), .rank = one, .slot = SlotIndex(0)});
    journal.append(AttemptFinished{.key = key(2),
                                   .rank = three,
                                   .slot = SlotIndex(0),
                                   .disposition = Disposition::Retry,
                                   .result = {}});
    for (const EventPayload& payload : last)
        journal.append(payload);
    journal.commit();
    return journal.record();
}

/// A master on processor 4 that goes on. Ranks 1 and 2 are a worker group, rank 3 is one of its own; all are
/// led by processors of the ranks' numbers.
struct SuccessionBench {
    explicit SuccessionBench(const std::vector<EventPayload>& last = {}) : journal(Epoch(1), clock)
    {
        for (const Event& event : recordOf(last)) {
            if (!state.apply(event))
                QTest::qFail("the record cannot be read", __FILE__, __LINE__);
            journal.restore(event);
        }
        MasterOptions options;
        options.run = RunId{"00"};
        options.directory = "/";
        options.term = Term(2);
        options.elapsed = 10s;
        master.emplace(options, state, transport, journal, clock, MasterObserver{});
        master->groupFormed(groupA, {one, two});
        master->groupFormed(groupB, {three});
    }
    void hold(Rank rank, Incarnation incarnation = Incarnation(1))
    {
        master->rankHeld(rank, ProcessorId(static_cast<std::uint32_t>(rank.value())), incarnation);
    }
    /// All is as it was, and both worker groups have group schedulers.
    void takeOver()
    {
        for (const Rank rank : {one, two, three})
            hold(rank);
        master->groupLed(groupA, ProcessorId(1));
        master->groupLed(groupB, ProcessorId(3));
        go();
    }
    void go()
    {
        master->takeOver({Notice{.text = "goes on"}}, {{key(1), one}});
        master->begin();
    }
    void settle()
    {
        for (int i = 0; i < 4; ++i) {
            journal.commit();
            master->poll();
        }
    }
    void say(GroupId group, FarmMessage message)
    {
        master->receive(group == groupA ? ProcessorId(1) : ProcessorId(3),
                        {.epoch = Epoch(1),
                         .held = {},
                         .message = std::move(message),
                         .group = group,
                         .leadership = LeadershipNumber(7)});
    }
    GroupReport report()
    {
        GroupReport made;
        made.number = ++number;
        return made;
    }
    template <class Kind>
    std::vector<Kind> sent(ProcessorId to)
    {
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            if (Result<Envelope> envelope = decode(item.message))
                m_sent.emplace_back(item.to, std::move(envelope->message));
        }
        std::vector<Kind> found;
        for (const auto& [whom, message] : m_sent) {
            if (const Kind* kind = std::get_if<Kind>(&message); kind && whom == to)
                found.push_back(*kind);
        }
        std::erase_if(m_sent, [to](const auto& item) {
            return item.first == to && std::holds_alternative<Kind>(item.second);
        });
        return found;
    }
    Keys assigned(ProcessorId to)
    {
        Keys keys;
        for (const Assign& message : sent<Assign>(to)) {
            for (const AssignedTask& task : message.tasks)
                keys.push_back(task.key);
        }
        return keys;
    }
    /// What is to be stopped, however often that was said.
    std::set<AttemptKey> stopped(ProcessorId to)
    {
        std::set<AttemptKey> keys;
        for (const Stop& message : sent<Stop>(to))
            keys.insert(message.keys.begin(), message.keys.end());
        return keys;
    }
    template <class Kind>
    [[nodiscard]] std::vector<Kind> recorded() const
    {
        return journal.recorded<Kind>();
    }

    ManualClock clock;
    RecordingTransport transport{ProcessorId(4), 5};
    MemoryJournal journal;
    RunState state;
    std::uint64_t number = 0;
    std::optional<Master> master;

private:
    std::vector<std::pair<ProcessorId, FarmMessage>> m_sent;
};

const ProcessorId chiefA(1);
const ProcessorId chiefB(3);

} // namespace

/// A master that goes on where the record of a dead one ends.
class TestMasterSuccession : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingIsHandedOutBeforeAllHaveTold();
    void whoSpeaksWhileTheRecordIsOpenedIsAnsweredThen();
    void groupsAreResyncedByTheRecord();
    void claimsAreTheGroups();
    void whoIsNotThereAnyMoreIsLost();
    void groupWithoutALeaderIsLost();
    void idsGoOnAndNobodyJoinsTwice();
    void interruptWaitsForTheGroups();
    void cancellingGoesOn();
    void cancellingGoesOnWhileTheRunEnds();
    void endingGoesOn_data();
    void endingGoesOn();
    void closedRunIsOnlyDismissed();
};

void TestMasterSuccession::nothingIsHandedOutBeforeAllHaveTold()
{
    SuccessionBench bench;
    bench.takeOver();
    bench.say(groupA, GroupHello{}); // before the record says who goes on
    QVERIFY(bench.sent<Resync>(chiefA).empty());
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Running);
    QVERIFY(!bench.master->gathered());
    bench.say(groupA, GroupHello{});
    bench.say(groupB, GroupHello{});
    bench.say(groupA, Resynced{});
    bench.settle();
    QVERIFY(bench.assigned(chiefA).empty());
    bench.say(groupB, Resynced{});
    bench.settle();
    QVERIFY(bench.master->gathered());
    QVERIFY(!bench.assigned(chiefA).empty());
    QCOMPARE(bench.assigned(chiefB), Keys{key(3)});
}

/// Not when they say it again, some time later.
void TestMasterSuccession::whoSpeaksWhileTheRecordIsOpenedIsAnsweredThen()
{
    SuccessionBench bench;
    bench.takeOver();
    const auto say = [&bench](ProcessorId from, GroupId group, std::uint64_t leadership) {
        bench.master->receive(from,
                              {.epoch = Epoch(1),
                               .held = {},
                               .message = GroupHello{},
                               .group = group,
                               .leadership = LeadershipNumber(leadership)});
    };
    say(chiefA, groupA, 7);
    say(chiefA, groupA, 6);         // late
    say(ProcessorId(2), groupA, 9); // leads by a view that is not here yet
    say(chiefB, groupB, 3);
    QVERIFY(bench.sent<Resync>(chiefA).empty()); // what it holds is not known yet
    bench.settle();
    const auto resyncs = bench.sent<Resync>(chiefA);
    QCOMPARE(resyncs.size(), std::size_t{1});
    QVERIFY(resyncs.front().byRecord);
    QCOMPARE(resyncs.front().attempts, (std::vector<ResyncedAttempt>{{key(1), one}}));
    QCOMPARE(bench.sent<Resync>(chiefB).size(), std::size_t{1});
    say(chiefA, groupA, 7);
    QVERIFY(bench.sent<Resync>(chiefA).empty()); // it is answered
    bench.say(groupA, Resynced{});
    QVERIFY(!bench.master->gathered());
    bench.master->groupLed(groupA, ProcessorId(2));
    QCOMPARE(bench.sent<Resync>(ProcessorId(2)).size(), std::size_t{1});
}

void TestMasterSuccession::groupsAreResyncedByTheRecord()
{
    SuccessionBench bench;
    bench.takeOver();
    bench.settle();
    bench.say(groupA, GroupHello{});
    const auto resyncs = bench.sent<Resync>(chiefA);
    QCOMPARE(resyncs.size(), std::size_t{1});
    QVERIFY(resyncs.front().byRecord);
    QCOMPARE(resyncs.front().era, Era((2ULL << 32U) + 1));
    QCOMPARE(resyncs.front().attempts, (std::vector<ResyncedAttempt>{{key(1), one}}));
    bench.say(groupB, GroupHello{});
    QVERIFY(bench.sent<Resync>(chiefB).front().attempts.empty());
}

void TestMasterSuccession::claimsAreTheGroups()
{
    SuccessionBench bench;
    bench.takeOver();
    bench.settle();
    bench.say(groupA, GroupHello{});
    bench.say(groupB, GroupHello{});
    GroupReport report = bench.report();
    report.claimed = {key(0), key(3)}; // 0 has ended, which its rank could not know
    bench.say(groupA, std::move(report));
    QCOMPARE(bench.sent<Stop>(chiefA), std::vector{Stop{{key(0)}}});
    bench.say(groupA, Resynced{});
    bench.say(groupB, Resynced{});
    report = bench.report();
    report.reports.push_back({two, {.started = {{key(3), SlotIndex(0), {}}}, .finished = {}}});
    bench.say(groupA, std::move(report));
    bench.settle();
    QCOMPARE(bench.state.task(TaskId(3)).state, TaskState::Running);
    QVERIFY(bench.assigned(chiefA).empty() || !bench.assigned(chiefA).empty());
    QCOMPARE(bench.assigned(chiefB), Keys{key(2, 2)});
    report = bench.report();
    report.claimed = {key(2, 2)}; // too late: all have told
    bench.say(groupA, std::move(report));
    QCOMPARE(bench.recorded<AttemptStarted>().size(), std::size_t{2});
}

void TestMasterSuccession::whoIsNotThereAnyMoreIsLost()
{
    SuccessionBench bench;
    bench.hold(two, Incarnation(2)); // somebody else
    bench.hold(three);
    bench.master->groupLed(groupA, ProcessorId(1));
    bench.master->groupLed(groupB, ProcessorId(3));
    bench.go(); // nobody holds rank 1
    bench.settle();
    const auto lost = bench.recorded<ProcessorLost>();
    QCOMPARE(lost.size(), std::size_t{2});
    QCOMPARE(lost[0].rank, two);
    QCOMPARE(lost[0].incarnation, Incarnation(1));
    QCOMPARE(lost[1].rank, one);
    QVERIFY(!bench.state.processors().at(one).present);
}

void TestMasterSuccession::groupWithoutALeaderIsLost()
{
    SuccessionBench bench;
    bench.hold(three);
    bench.master->groupLed(groupA, std::nullopt);
    bench.master->groupLed(groupB, ProcessorId(3));
    bench.go();
    bench.settle();
    QCOMPARE(bench.state.task(TaskId(1)).state, TaskState::Queued); // lost, to be tried again
    QCOMPARE(bench.state.task(TaskId(1)).lastOutcome, Outcome::Lost);
    bench.say(groupB, GroupHello{});
    bench.say(groupB, Resynced{});
    bench.settle();
    QVERIFY(bench.master->gathered());
    QVERIFY(!bench.assigned(chiefB).empty());
}

void TestMasterSuccession::idsGoOnAndNobodyJoinsTwice()
{
    SuccessionBench bench;
    const EventId last = bench.state.lastEvent();
    bench.takeOver();
    bench.settle();
    QCOMPARE(bench.state.lastEvent(), (EventId{Epoch(1), last.sequence.next()}));
    bench.say(groupA, GroupHello{});
    GroupReport report = bench.report();
    report.joined.push_back({.held = {one, Incarnation(1)},
                             .holder = ProcessorId(1),
                             .hello = {.host = "node", .pid = 1, .slotCount = 1}});
    bench.say(groupA, std::move(report));
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorJoined>().size(), std::size_t{3});
    QCOMPARE(bench.sent<GroupNoted>(chiefA).size(), std::size_t{1});
}

void TestMasterSuccession::interruptWaitsForTheGroups()
{
    SuccessionBench bench;
    bench.takeOver();
    bench.master->interrupt();
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Draining);
    for (const GroupId group : {groupA, groupB}) {
        bench.say(group, GroupHello{});
        bench.say(group, Resynced{});
    }
    bench.settle();
    QVERIFY(bench.assigned(chiefA).empty());
    GroupReport report = bench.report();
    AttemptResult result;
    result.outcome = Outcome::Succeeded;
    report.reports.push_back({one, {}});
    report.reports.back().report.finished.push_back({key(1), SlotIndex(0), std::move(result)});
    bench.say(groupA, std::move(report));
    bench.settle();
    const auto closed = bench.recorded<RunClosed>();
    QCOMPARE(closed.size(), std::size_t{1});
    QCOMPARE(closed.front().end, RunEnd::Interrupted);
    QVERIFY(closed.front().elapsed >= 10s);
}

/// An operator was told that tasks 1, 2 and 3 are cancelled: 1 runs by the record, 2 runs and the record
/// does not say so, 3 was lost on the way.
void TestMasterSuccession::cancellingGoesOn()
{
    SuccessionBench bench({TaskCancelling{TaskId(1)}, TaskCancelling{TaskId(2)},
                           TaskCancelling{TaskId(3)}, Notice{.text = "ann cancelled 3 tasks"}});
    bench.takeOver();
    bench.settle();
    bench.say(groupA, GroupHello{});
    bench.say(groupB, GroupHello{});
    GroupReport report = bench.report();
    report.claimed = {key(2, 2)};
    bench.say(groupB, std::move(report));
    bench.say(groupA, Resynced{});
    bench.settle();
    QVERIFY(bench.recorded<TaskCancelled>().empty()); // perhaps somebody has it
    bench.say(groupB, Resynced{});
    bench.settle();
    QCOMPARE(bench.sent<Withdraw>(chiefB), (std::vector{Withdraw{{key(2, 2)}}}));
    bench.say(groupB, Withdrawn{}); // it runs
    bench.settle();
    QCOMPARE(bench.stopped(chiefA), std::set{key(1)});
    QCOMPARE(bench.stopped(chiefB), (std::set{key(2, 2)}));
    QCOMPARE(bench.recorded<TaskCancelled>(), (std::vector{TaskCancelled{TaskId(3)}}));
    QCOMPARE(bench.recorded<TaskCancelling>().size(), std::size_t{3}); // not again
    QCOMPARE(bench.recorded<Notice>().back().text.text(),
             std::string("processor 4 goes on with cancelling 3 tasks"));
    report = bench.report();
    AttemptResult killed;
    killed.outcome = Outcome::Interrupted;
    report.reports.push_back({one, {}});
    report.reports.back().report.finished.push_back({key(1), SlotIndex(0), killed});
    bench.say(groupA, std::move(report));
    bench.settle();
    QVERIFY(isFinal(bench.state.task(TaskId(1)).state)); // does not run again, however it ended
    QVERIFY(bench.assigned(chiefA).empty());
    QVERIFY(bench.assigned(chiefB).empty());
}

void TestMasterSuccession::cancellingGoesOnWhileTheRunEnds()
{
    SuccessionBench bench({TaskCancelling{TaskId(1)}, RunEnding{}});
    bench.takeOver();
    for (const GroupId group : {groupA, groupB}) {
        bench.settle();
        bench.say(group, GroupHello{});
        bench.say(group, Resynced{});
    }
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Draining);
    QCOMPARE(bench.stopped(chiefA), std::set{key(1)});
}

void TestMasterSuccession::endingGoesOn_data()
{
    QTest::addColumn<bool>("kill");
    QTest::addColumn<int>("signalsSeen");
    QTest::addColumn<bool>("killing");
    QTest::newRow("finish") << false << 0 << false;
    QTest::newRow("finish, and the signal for it was seen here, too") << false << 1 << false;
    QTest::newRow("finish, and another signal") << false << 2 << true;
    QTest::newRow("kill") << true << 0 << true;
    QTest::newRow("kill, and a signal was seen here, too") << true << 1 << true;
}

/// An operator was told that the run ends.
void TestMasterSuccession::endingGoesOn()
{
    QFETCH(bool, kill);
    QFETCH(int, signalsSeen);
    QFETCH(bool, killing);
    std::vector<EventPayload> last{RunEnding{}};
    if (kill)
        last.emplace_back(RunEnding{.kill = true});
    SuccessionBench bench(last);
    bench.takeOver();
    for (int i = 0; i < signalsSeen; ++i)
        bench.master->interrupt();
    bench.settle();
    QCOMPARE(bench.master->phase(), killing ? Phase::Killing : Phase::Draining);
    QCOMPARE(bench.recorded<RunEnding>().size(), std::size_t(kill || killing ? 2 : 1)); // once each
    for (const GroupId group : {groupA, groupB}) {
        bench.say(group, GroupHello{});
        bench.say(group, Resynced{});
    }
    bench.settle();
    QVERIFY(bench.assigned(chiefA).empty());
    QVERIFY(bench.assigned(chiefB).empty());
}

void TestMasterSuccession::closedRunIsOnlyDismissed()
{
    SuccessionBench bench({RunClosed{.end = RunEnd::Interrupted}});
    const std::size_t before = bench.journal.record().size();
    bench.hold(one, Incarnation(2)); // somebody was lost, too
    bench.takeOver();
    bench.settle();
    QCOMPARE(bench.master->phase(), Phase::Dismissing);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
    QCOMPARE(bench.sent<Goodbye>(chiefA).size(), std::size_t{1});
    QCOMPARE(bench.journal.record().size(), before);
}

QTEST_APPLESS_MAIN(TestMasterSuccession)

} // namespace tst_mastersuccession

#include "tst_mastersuccession.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

namespace tst_mastergroups {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const GroupId group(4);
const Rank four(4);
const Rank other(5);
const ProcessorId chiefA(2);
const ProcessorId chiefB(3);
const ProcessorId chiefC(4);

/// A master of one worker group of ranks 4 and 5, and no rank of its own but rank 1, which is not there. The
/// test is its group scheduler.
struct GroupBench : OperationsBench {
    explicit GroupBench(std::uint32_t tasks) : OperationsBench(listOf(tasks))
    {
        for (const Rank rank : {one, two, three})
            master->rankLost(rank, Incarnation(1), LossCause::Gone);
        master->groupFormed(group, {four, other});
        for (const Rank rank : {four, other})
            master->rankHeld(rank, processorOf(rank), Incarnation(1));
        master->groupLed(group, chiefA);
    }
    static ProcessorId processorOf(Rank rank)
    {
        return ProcessorId(static_cast<std::uint32_t>(rank.value()));
    }
    static std::string listOf(std::uint32_t tasks)
    {
        std::string list;
        for (std::uint32_t task = 0; task < tasks; ++task)
            list += "echo " + std::to_string(task) + '\n';
        return list;
    }

    void sayAs(ProcessorId groupScheduler, std::uint64_t leadership, FarmMessage message)
    {
        master->receive(groupScheduler,
                        {.epoch = Epoch(1),
                         .held = {},
                         .message = std::move(message),
                         .group = group,
                         .leadership = LeadershipNumber(leadership)});
    }
    /// A group scheduler calls, resynchronises, and tells of ranks with two slots each.
    void leadBy(ProcessorId groupScheduler, std::uint64_t leadership)
    {
        by = groupScheduler;
        inLeadership = leadership;
        sayAs(groupScheduler, leadership, GroupHello{});
        GroupReport report = reportOf({});
        for (const Rank rank : {four, other})
            report.joined.push_back(joined(rank));
        tell(std::move(report));
        tell(Resynced{});
        settle();
    }
    static JoinedRank joined(Rank rank, Incarnation incarnation = Incarnation(1))
    {
        return {.held = {rank, incarnation},
                .holder = processorOf(rank),
                .hello = {.host = "node", .pid = rank.value(), .slotCount = 2}};
    }
    void tell(FarmMessage message) { sayAs(by, inLeadership, std::move(message)); }
    GroupReport reportOf(std::vector<AttemptKey> returned)
    {
        GroupReport report;
        report.number = ++number;
        report.returned = std::move(returned);
        return report;
    }
    void begun(Rank rank, AttemptKey attempt)
    {
        GroupReport report = reportOf({});
        report.reports.push_back(
            {rank, {.started = {{attempt, SlotIndex(0), clock.wallNow()}}, .finished = {}}});
        tell(std::move(report));
    }
    void ended(Rank rank, AttemptKey attempt, Outcome outcome = Outcome::Succeeded)
    {
        AttemptResult result;
        result.outcome = outcome;
        GroupReport report = reportOf({});
        report.reports.push_back({rank, {}});
        report.reports.back().report.finished.push_back({attempt, SlotIndex(0), std::move(result)});
        tell(std::move(report));
    }
    /// What was sent to a group scheduler since the last call, with leaderships; all of the worker group.
    template <class Kind>
    std::vector<Kind> to(ProcessorId groupScheduler)
    {
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            Result<Envelope> envelope = decode(item.message);
            if (envelope && envelope->group)
                m_toGroupSchedulers.emplace_back(item.to, std::move(*envelope));
        }
        std::vector<Kind> found;
        std::erase_if(m_toGroupSchedulers, [&](auto& item) {
            const Kind* message = std::get_if<Kind>(&item.second.message);
            if (item.first != groupScheduler || !message)
                return false;
            lastLeadership = item.second.leadership.value();
            found.push_back(*message);
            return true;
        });
        return found;
    }
    Keys assigned(ProcessorId groupScheduler)
    {
        Keys keys;
        for (const Assign& message : to<Assign>(groupScheduler)) {
            for (const AssignedTask& task : message.tasks)
                keys.push_back(task.key);
        }
        return keys;
    }

    ProcessorId by = chiefA;
    std::uint64_t inLeadership = 0;
    std::uint64_t number = 0;
    std::uint64_t lastLeadership = 0;

private:
    std::vector<std::pair<ProcessorId, Envelope>> m_toGroupSchedulers;
};

} // namespace

/// What the master has to do with group schedulers: the table of worker groups in docs/farm.md.
class TestMasterGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void groupGetsNothingBeforeItIsResynced();
    void slotsAreThoseOfOpenRanksThatHaveJoined();
    void whatWasLostIsRecordedBeforeTheNextHolder();
    void reportsAreRecordedByRankAndNoted();
    void ranksSayNothingThemselves();
    void nextGroupSchedulerIsToldWhatTheGroupHolds();
    void deposedGroupSchedulerIsNotBelieved();
    void earlyGroupSchedulerIsKept();
    void formerGroupSchedulerIsCalledAnew();
    void lostGroupGivesEverythingBack();
    void lostRankIsItsGroupSchedulersAffair();
    void groupSchedulerMayKnowOfAHolderFirst();
    void returnedWithoutBeingAsked();
    void withdrawalIsAskedAgainOfTheNextGroupScheduler();
    void cancelledAttemptIsStoppedByTheNextGroupScheduler();
    void peekIsAnsweredThoughTheGroupSchedulerIsGone();
    void endOfTheRunReachesTheNextGroupScheduler();
    void endWaitsForWhatAGroupSchedulerGivesBack();
};

void TestMasterGroups::groupGetsNothingBeforeItIsResynced()
{
    GroupBench bench(10);
    bench.settle();
    bench.sayAs(chiefA, 7, GroupHello{});
    const auto resyncs = bench.to<Resync>(chiefA);
    QCOMPARE(resyncs.size(), std::size_t{1});
    QCOMPARE(bench.lastLeadership, std::uint64_t{7});
    QVERIFY(resyncs.front().attempts.empty());
    QCOMPARE(resyncs.front().directory, std::string("/"));
    bench.sayAs(chiefA, 7, GroupHello{}); // said again meanwhile
    QVERIFY(bench.to<Resync>(chiefA).empty());
    bench.inLeadership = 7;
    GroupReport report = bench.reportOf({});
    report.joined.push_back(GroupBench::joined(four));
    bench.tell(std::move(report));
    bench.settle();
    QVERIFY(bench.assigned(chiefA).empty());
    bench.tell(Resynced{});
    bench.settle();
    QVERIFY(!bench.assigned(chiefA).empty());
    QCOMPARE(bench.lastLeadership, std::uint64_t{7});
}

void TestMasterGroups::slotsAreThoseOfOpenRanksThatHaveJoined()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 1);
    QCOMPARE(bench.master->slotCount(), std::size_t{4});
    bench.master->setOpen(four, false);
    QCOMPARE(bench.master->slotCount(), std::size_t{2});
    bench.master->rankLost(other, Incarnation(1), LossCause::Gone);
    QCOMPARE(bench.master->slotCount(), std::size_t{0});
    bench.settle();
    // Nobody is left to work: all of it is called back.
    const auto recalls = bench.to<Recall>(chiefA);
    QCOMPARE(recalls.size(), std::size_t{1});
    QCOMPARE(recalls.front().count, 2U);
    bench.tell(Returned{{key(0), key(1)}});
    bench.assigned(chiefA);
    bench.master->setOpen(four, true);
    bench.settle();
    QCOMPARE(bench.assigned(chiefA), (Keys{key(0), key(1)}));
}

void TestMasterGroups::reportsAreRecordedByRankAndNoted()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 1);
    bench.settle();
    bench.to<GroupNoted>(chiefA);
    bench.begun(other, key(0));
    bench.ended(other, key(0));
    bench.ended(four, key(1));
    bench.ended(four, key(1)); // once more
    bench.master->poll();
    QVERIFY(bench.to<GroupNoted>(chiefA).empty()); // the master may die with it
    bench.settle();
    QCOMPARE(bench.recorded<AttemptStarted>().size(), std::size_t{1});
    QCOMPARE(bench.recorded<AttemptStarted>().front().rank, other);
    const auto ends = bench.recorded<AttemptFinished>();
    QCOMPARE(ends.size(), std::size_t{2});
    QCOMPARE(ends[0].rank, other);
    QCOMPARE(ends[1].rank, four);
    QCOMPARE(bench.recorded<ProcessorJoined>().size(), std::size_t{2});
    const auto noted = bench.to<GroupNoted>(chiefA);
    QCOMPARE(noted.size(), std::size_t{1}); // of all that was recorded at once
    QCOMPARE(noted.back().upTo, bench.number);
    QCOMPARE(bench.master->end(), RunEnd::Complete);
}

// Who reads the record finds the host of an attempt by who held its rank then.
void TestMasterGroups::whatWasLostIsRecordedBeforeTheNextHolder()
{
    GroupBench bench(3);
    bench.leadBy(chiefA, 1);
    bench.begun(other, key(0));
    GroupReport report = bench.reportOf({});
    report.joined.push_back(GroupBench::joined(other, Incarnation(2)));
    RankReport ofRank{other, {}};
    ofRank.report.started = {{key(1), SlotIndex(0), bench.clock.wallNow()},
                             {key(2), SlotIndex(0), bench.clock.wallNow()}};
    ofRank.report.finished = {{.key = key(0), .slot = SlotIndex(0), .result = {}},
                              {.key = key(1), .slot = SlotIndex(0), .result = {}}};
    report.reports.push_back(ofRank);
    bench.tell(std::move(report));
    bench.settle();
    std::vector<std::string> order;
    for (const Event& event : bench.journal.record()) {
        if (const auto* joined = std::get_if<ProcessorJoined>(&event.payload);
            joined && joined->rank == other)
            order.push_back("joined " + std::to_string(joined->incarnation.value()));
        else if (const auto* started = std::get_if<AttemptStarted>(&event.payload))
            order.push_back("started " + std::to_string(started->key.task.value()));
        else if (const auto* finished = std::get_if<AttemptFinished>(&event.payload))
            order.push_back("lost " + std::to_string(finished->key.task.value()));
    }
    QCOMPARE(order,
             (std::vector<std::string>{"joined 1", "started 0", "started 1", "lost 0", "lost 1",
                                       "joined 2", "started 2"}));
}

// Only of what ends its work, for people.
void TestMasterGroups::ranksSayNothingThemselves()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 1);
    const auto say = [&bench](FarmMessage message) {
        bench.master->receive(
            GroupBench::processorOf(four),
            {.epoch = Epoch(1), .held = {four, Incarnation(1)}, .message = std::move(message)});
    };
    say(Hello{.host = "node", .pid = 1, .slotCount = 5});
    say(Returned{{key(0)}});
    QCOMPARE(bench.master->slotCount(), std::size_t{4});
    QCOMPARE(bench.master->outstanding(), std::size_t{2});
    say(Broken{"no guardian"});
    bench.settle();
    QCOMPARE(bench.notices().size(), std::size_t{1});
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1});
    QCOMPARE(bench.master->slotCount(), std::size_t{2});
    QCOMPARE(bench.master->outstanding(), std::size_t{2});
}

void TestMasterGroups::nextGroupSchedulerIsToldWhatTheGroupHolds()
{
    GroupBench bench(3);
    bench.leadBy(chiefA, 9);
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.begun(other, key(1));
    bench.ended(four, key(0));
    bench.master->groupLed(group, chiefB);
    bench.sayAs(chiefB, 1, GroupHello{});
    const auto resyncs = bench.to<Resync>(chiefB);
    QCOMPARE(resyncs.size(), std::size_t{1});
    QCOMPARE(resyncs.front().attempts,
             (std::vector<ResyncedAttempt>{{key(1), other}, {key(2), std::nullopt}}));
    QVERIFY(resyncs.front().era > bench.to<Resync>(chiefA).front().era);
    bench.by = chiefB;
    bench.inLeadership = 1;
    bench.ended(other, key(1), Outcome::Lost);
    bench.tell(bench.reportOf({key(2)}));
    bench.settle();
    QVERIFY(bench.assigned(chiefB).empty());
    bench.tell(Resynced{});
    bench.settle();
    QCOMPARE(bench.assigned(chiefB), (Keys{key(1, 2), key(2)}));
    QCOMPARE(bench.recorded<ProcessorJoined>().size(), std::size_t{2});
}

void TestMasterGroups::deposedGroupSchedulerIsNotBelieved()
{
    GroupBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.master->groupLed(group, chiefB);
    bench.ended(four, key(0)); // A does not know yet
    bench.tell(Returned{{key(1)}});
    bench.tell(bench.reportOf({key(2)}));
    bench.sayAs(chiefA, 9, GroupHello{});
    bench.settle();
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    QVERIFY(bench.recorded<AttemptFinished>().empty());
    bench.leadBy(chiefB, 1);
    bench.sayAs(chiefA, 9, bench.reportOf({key(2)}));
    bench.sayAs(chiefB, 2, bench.reportOf({key(2)})); // another leadership
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.sayAs(chiefB, 1, bench.reportOf({key(2)}));
    QCOMPARE(bench.master->outstanding(), std::size_t{2});
}

void TestMasterGroups::earlyGroupSchedulerIsKept()
{
    GroupBench bench(3);
    bench.sayAs(chiefB, 5, GroupHello{});
    QVERIFY(bench.to<Resync>(chiefB).empty());
    bench.master->groupLed(group, chiefB);
    QCOMPARE(bench.to<GroupResyncCall>(chiefB).size(), std::size_t{1}); // before its answer
    QCOMPARE(bench.to<Resync>(chiefB).size(), std::size_t{1});
    QCOMPARE(bench.lastLeadership, std::uint64_t{5});
}

// It may not have heard that it was none for a while, and goes on as if nothing had been dropped.
void TestMasterGroups::formerGroupSchedulerIsCalledAnew()
{
    GroupBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.to<GroupResyncCall>(chiefA);
    bench.master->groupLed(group, chiefB);
    bench.master->groupLed(group, chiefA);
    QCOMPARE(bench.to<GroupResyncCall>(chiefA).size(), std::size_t{1});
    bench.ended(four, key(0));
    bench.sayAs(chiefA, 9, GroupHello{}); // a late one
    bench.settle();
    QVERIFY(bench.recorded<AttemptFinished>().empty());
    bench.leadBy(chiefA, 12);
    bench.ended(four, key(0));
    bench.settle();
    QCOMPARE(bench.recorded<AttemptFinished>().size(), std::size_t{1});
}

void TestMasterGroups::lostGroupGivesEverythingBack()
{
    GroupBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.hello(one); // of an earlier holding
    bench.begun(other, key(1));
    for (const Rank rank : {four, other})
        bench.master->rankLost(rank, Incarnation(1), LossCause::Silent);
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.master->groupLed(group, std::nullopt);
    QCOMPARE(bench.master->outstanding(), std::size_t{0});
    bench.hold(one, Incarnation(2));
    bench.hello(one, 3);
    bench.settle();
    const auto ends = bench.recorded<AttemptFinished>();
    QCOMPARE(ends.size(), std::size_t{1});
    QCOMPARE(ends.front().result.outcome, Outcome::Lost);
    QCOMPARE(ends.front().rank, other);
    QCOMPARE(bench.handed(one), (Keys{key(0), key(1, 2), key(2)}));
}

void TestMasterGroups::lostRankIsItsGroupSchedulersAffair()
{
    GroupBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.begun(other, key(1));
    bench.master->rankLost(other, Incarnation(1), LossCause::Gone);
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1});
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.ended(other, key(1)); // it had told its group scheduler
    bench.settle();
    QCOMPARE(bench.recorded<AttemptFinished>().size(), std::size_t{1});
}

void TestMasterGroups::groupSchedulerMayKnowOfAHolderFirst()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 9);
    GroupReport report = bench.reportOf({});
    report.joined.push_back(GroupBench::joined(other, Incarnation(3)));
    bench.tell(std::move(report));
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1}); // of the first holding
    QCOMPARE(bench.recorded<ProcessorJoined>().back().incarnation, Incarnation(3));
    bench.master->rankLost(other, Incarnation(1), LossCause::Silent);
    bench.master->rankHeld(other, GroupBench::processorOf(other), Incarnation(3));
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1});
    QCOMPARE(bench.master->slotCount(), std::size_t{4});

    // Or of one that is lost already.
    bench.master->rankHeld(four, ProcessorId(6), Incarnation(2));
    bench.master->rankLost(four, Incarnation(2), LossCause::Silent);
    report = bench.reportOf({});
    report.joined.push_back(GroupBench::joined(four, Incarnation(2)));
    report.joined.push_back(GroupBench::joined(four, Incarnation(2)));
    bench.tell(std::move(report));
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorJoined>().back().rank, four);
    QCOMPARE(bench.recorded<ProcessorLost>().back().rank, four);
    QCOMPARE(bench.recorded<ProcessorLost>().back().cause, LossCause::Silent);
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{3});
    QCOMPARE(bench.master->slotCount(), std::size_t{2});
}

void TestMasterGroups::returnedWithoutBeingAsked()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 9);
    QCOMPARE(bench.assigned(chiefA), (Keys{key(0), key(1)}));
    bench.begun(four, key(0));
    bench.tell(bench.reportOf({key(0), key(1)})); // the first one runs: it cannot come back
    bench.settle();
    QCOMPARE(bench.assigned(chiefA), Keys{key(1)});
}

void TestMasterGroups::withdrawalIsAskedAgainOfTheNextGroupScheduler()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 9);
    const auto answer = bench.settled(HoldTasks{bench.targets({0, 1})});
    QCOMPARE(bench.to<Withdraw>(chiefA).size(), std::size_t{1});
    bench.master->groupLed(group, chiefB);
    bench.settle();
    QCOMPARE(answer->times, 0);
    bench.leadBy(chiefB, 1);
    const auto again = bench.to<Withdraw>(chiefB);
    QCOMPARE(again.size(), std::size_t{1});
    QCOMPARE(again.front().keys, (Keys{key(0), key(1)}));
    bench.tell(Withdrawn{{key(0), key(1)}});
    bench.settle();
    QVERIFY(answer->accepted());
    QCOMPARE(bench.stateOf(1), TaskState::Held);
}

void TestMasterGroups::cancelledAttemptIsStoppedByTheNextGroupScheduler()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 9);
    bench.settled(CancelTasks{bench.targets({0})});
    bench.tell(Withdrawn{}); // it runs
    bench.settle();
    QCOMPARE(bench.to<Stop>(chiefA), std::vector{Stop{{key(0)}}});
    bench.master->groupLed(group, chiefB);
    bench.sayAs(chiefB, 1, GroupHello{});
    // Its start has not been reported: whoever has lost it, it is not tried again.
    const auto resyncs = bench.to<Resync>(chiefB);
    QCOMPARE(resyncs.front().attempts.front(), (ResyncedAttempt{key(0), four}));
    bench.leadBy(chiefB, 2);
    QCOMPARE(bench.to<Stop>(chiefB), std::vector{Stop{{key(0)}}});
}

void TestMasterGroups::peekIsAnsweredThoughTheGroupSchedulerIsGone()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 9);
    int answers = 0;
    const auto count = [&answers](const OutputAnswer& answer) { answers += answer.known ? 0 : 1; };
    bench.master->peek({.key = key(0)}, count);
    QCOMPARE(bench.to<Peek>(chiefA).size(), std::size_t{1});
    QCOMPARE(answers, 0);
    bench.master->groupLed(group, chiefB);
    QCOMPARE(answers, 1);
    bench.master->peek({.key = key(0)}, count); // nobody to ask
    QCOMPARE(answers, 2);
}

void TestMasterGroups::endOfTheRunReachesTheNextGroupScheduler()
{
    GroupBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.master->interrupt();
    QCOMPARE(bench.to<Recall>(chiefA), std::vector{Recall{3}});
    bench.master->groupLed(group, chiefB);
    bench.leadBy(chiefB, 1);
    QCOMPARE(bench.to<Recall>(chiefB), std::vector{Recall{3}});
    bench.master->interrupt();
    QCOMPARE(bench.to<Halt>(chiefB).size(), std::size_t{1});
    bench.master->groupLed(group, chiefC);
    bench.leadBy(chiefC, 1);
    QCOMPARE(bench.to<Halt>(chiefC).size(), std::size_t{1});
    bench.tell(Returned{{key(0), key(1), key(2)}});
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
}

void TestMasterGroups::endWaitsForWhatAGroupSchedulerGivesBack()
{
    GroupBench bench(2);
    bench.leadBy(chiefA, 9);
    for (const Rank rank : {four, other})
        bench.master->rankLost(rank, Incarnation(1), LossCause::Gone);
    bench.settle();
    QCOMPARE(bench.master->phase(), Master::Phase::Running);
    bench.tell(Returned{{key(0), key(1)}});
    bench.settle();
    QVERIFY(bench.master->phase() > Master::Phase::Running);
    QCOMPARE(bench.master->end(), RunEnd::Interrupted); // nobody is left
}

QTEST_APPLESS_MAIN(TestMasterGroups)

} // namespace tst_mastergroups

#include "tst_mastergroups.moc"

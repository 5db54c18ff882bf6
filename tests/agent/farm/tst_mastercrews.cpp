// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "operationsbench.h"

namespace tst_mastercrews {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const CrewId crew(4);
const Rank four(4);
const Rank other(5);
const ProcessorId chiefA(2);
const ProcessorId chiefB(3);
const ProcessorId chiefC(4);

/// A master of one crew of ranks 4 and 5, and no rank of its own but rank 1, which is not there. The
/// test is its foreman.
struct CrewBench : OperationsBench {
    explicit CrewBench(std::uint32_t tasks) : OperationsBench(listOf(tasks))
    {
        for (const Rank rank : {one, two, three})
            master->rankLost(rank, Incarnation(1), LossCause::Gone);
        master->crewFormed(crew, {four, other});
        for (const Rank rank : {four, other})
            master->rankHeld(rank, processorOf(rank), Incarnation(1));
        master->crewLed(crew, chiefA);
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

    void sayAs(ProcessorId foreman, std::uint64_t term, FarmMessage message)
    {
        master->receive(foreman,
                        {.epoch = Epoch(1),
                         .held = {},
                         .message = std::move(message),
                         .crew = crew,
                         .term = term});
    }
    /// A foreman calls, musters, and tells of ranks with two slots each.
    void leadBy(ProcessorId foreman, std::uint64_t term)
    {
        by = foreman;
        inTerm = term;
        sayAs(foreman, term, CrewHello{});
        CrewReport report = reportOf({});
        for (const Rank rank : {four, other})
            report.joined.push_back(joined(rank));
        tell(std::move(report));
        tell(Mustered{});
        settle();
    }
    static JoinedRank joined(Rank rank, Incarnation incarnation = Incarnation(1))
    {
        return {.held = {rank, incarnation},
                .holder = processorOf(rank),
                .hello = {.host = "node", .pid = rank.value(), .slotCount = 2}};
    }
    void tell(FarmMessage message) { sayAs(by, inTerm, std::move(message)); }
    CrewReport reportOf(std::vector<AttemptKey> returned)
    {
        CrewReport report;
        report.number = ++number;
        report.returned = std::move(returned);
        return report;
    }
    void begun(Rank rank, AttemptKey attempt)
    {
        CrewReport report = reportOf({});
        report.reports.push_back(
            {rank, {.started = {{attempt, SlotIndex(0), clock.wallNow()}}, .finished = {}}});
        tell(std::move(report));
    }
    void ended(Rank rank, AttemptKey attempt, Outcome outcome = Outcome::Succeeded)
    {
        AttemptResult result;
        result.outcome = outcome;
        CrewReport report = reportOf({});
        report.reports.push_back({rank, {}});
        report.reports.back().report.finished.push_back({attempt, SlotIndex(0), std::move(result)});
        tell(std::move(report));
    }
    /// What was sent to a foreman since the last call, with terms; all of the crew.
    template <class Kind>
    std::vector<Kind> to(ProcessorId foreman)
    {
        for (const RecordingTransport::Sent& item : transport.takeSent()) {
            Result<Envelope> envelope = decode(item.message);
            if (envelope && envelope->crew)
                m_toForemen.emplace_back(item.to, std::move(*envelope));
        }
        std::vector<Kind> found;
        std::erase_if(m_toForemen, [&](auto& item) {
            const Kind* message = std::get_if<Kind>(&item.second.message);
            if (item.first != foreman || !message)
                return false;
            lastTerm = item.second.term;
            found.push_back(*message);
            return true;
        });
        return found;
    }
    Keys assigned(ProcessorId foreman)
    {
        Keys keys;
        for (const Assign& message : to<Assign>(foreman)) {
            for (const AssignedTask& task : message.tasks)
                keys.push_back(task.key);
        }
        return keys;
    }

    ProcessorId by = chiefA;
    std::uint64_t inTerm = 0;
    std::uint64_t number = 0;
    std::uint64_t lastTerm = 0;

private:
    std::vector<std::pair<ProcessorId, Envelope>> m_toForemen;
};

} // namespace

/// What the master has to do with foremen: the table of crews in docs/farm.md.
class TestMasterCrews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void crewGetsNothingBeforeItIsMustered();
    void slotsAreThoseOfOpenRanksThatHaveJoined();
    void whatWasLostIsRecordedBeforeTheNextHolder();
    void reportsAreRecordedByRankAndNoted();
    void ranksSayNothingThemselves();
    void nextForemanIsToldWhatTheCrewHolds();
    void deposedForemanIsNotBelieved();
    void earlyForemanIsKept();
    void formerForemanIsCalledAnew();
    void lostCrewGivesEverythingBack();
    void lostRankIsItsForemansAffair();
    void foremanMayKnowOfAHolderFirst();
    void returnedWithoutBeingAsked();
    void withdrawalIsAskedAgainOfTheNextForeman();
    void cancelledAttemptIsStoppedByTheNextForeman();
    void peekIsAnsweredThoughTheForemanIsGone();
    void endOfTheRunReachesTheNextForeman();
    void endWaitsForWhatAForemanGivesBack();
};

void TestMasterCrews::crewGetsNothingBeforeItIsMustered()
{
    CrewBench bench(10);
    bench.settle();
    bench.sayAs(chiefA, 7, CrewHello{});
    const auto musters = bench.to<Muster>(chiefA);
    QCOMPARE(musters.size(), std::size_t{1});
    QCOMPARE(bench.lastTerm, std::uint64_t{7});
    QVERIFY(musters.front().attempts.empty());
    QCOMPARE(musters.front().directory, std::string("/"));
    bench.sayAs(chiefA, 7, CrewHello{}); // said again meanwhile
    QVERIFY(bench.to<Muster>(chiefA).empty());
    bench.inTerm = 7;
    CrewReport report = bench.reportOf({});
    report.joined.push_back(CrewBench::joined(four));
    bench.tell(std::move(report));
    bench.settle();
    QVERIFY(bench.assigned(chiefA).empty());
    bench.tell(Mustered{});
    bench.settle();
    QVERIFY(!bench.assigned(chiefA).empty());
    QCOMPARE(bench.lastTerm, std::uint64_t{7});
}

void TestMasterCrews::slotsAreThoseOfOpenRanksThatHaveJoined()
{
    CrewBench bench(2);
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

void TestMasterCrews::reportsAreRecordedByRankAndNoted()
{
    CrewBench bench(2);
    bench.leadBy(chiefA, 1);
    bench.settle();
    bench.to<CrewNoted>(chiefA);
    bench.begun(other, key(0));
    bench.ended(other, key(0));
    bench.ended(four, key(1));
    bench.ended(four, key(1)); // once more
    bench.master->poll();
    QVERIFY(bench.to<CrewNoted>(chiefA).empty()); // the master may die with it
    bench.settle();
    QCOMPARE(bench.recorded<AttemptStarted>().size(), std::size_t{1});
    QCOMPARE(bench.recorded<AttemptStarted>().front().rank, other);
    const auto ends = bench.recorded<AttemptFinished>();
    QCOMPARE(ends.size(), std::size_t{2});
    QCOMPARE(ends[0].rank, other);
    QCOMPARE(ends[1].rank, four);
    QCOMPARE(bench.recorded<ProcessorJoined>().size(), std::size_t{2});
    const auto noted = bench.to<CrewNoted>(chiefA);
    QCOMPARE(noted.size(), std::size_t{1}); // of all that was recorded at once
    QCOMPARE(noted.back().upTo, bench.number);
    QCOMPARE(bench.master->end(), RunEnd::Complete);
}

// Who reads the record finds the host of an attempt by who held its rank then.
void TestMasterCrews::whatWasLostIsRecordedBeforeTheNextHolder()
{
    CrewBench bench(3);
    bench.leadBy(chiefA, 1);
    bench.begun(other, key(0));
    CrewReport report = bench.reportOf({});
    report.joined.push_back(CrewBench::joined(other, Incarnation(2)));
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
void TestMasterCrews::ranksSayNothingThemselves()
{
    CrewBench bench(2);
    bench.leadBy(chiefA, 1);
    const auto say = [&bench](FarmMessage message) {
        bench.master->receive(
            CrewBench::processorOf(four),
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

void TestMasterCrews::nextForemanIsToldWhatTheCrewHolds()
{
    CrewBench bench(3);
    bench.leadBy(chiefA, 9);
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.begun(other, key(1));
    bench.ended(four, key(0));
    bench.master->crewLed(crew, chiefB);
    bench.sayAs(chiefB, 1, CrewHello{});
    const auto musters = bench.to<Muster>(chiefB);
    QCOMPARE(musters.size(), std::size_t{1});
    QCOMPARE(musters.front().attempts,
             (std::vector<MusteredAttempt>{{key(1), other}, {key(2), std::nullopt}}));
    QVERIFY(musters.front().era > bench.to<Muster>(chiefA).front().era);
    bench.by = chiefB;
    bench.inTerm = 1;
    bench.ended(other, key(1), Outcome::Lost);
    bench.tell(bench.reportOf({key(2)}));
    bench.settle();
    QVERIFY(bench.assigned(chiefB).empty());
    bench.tell(Mustered{});
    bench.settle();
    QCOMPARE(bench.assigned(chiefB), (Keys{key(1, 2), key(2)}));
    QCOMPARE(bench.recorded<ProcessorJoined>().size(), std::size_t{2});
}

void TestMasterCrews::deposedForemanIsNotBelieved()
{
    CrewBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.master->crewLed(crew, chiefB);
    bench.ended(four, key(0)); // A does not know yet
    bench.tell(Returned{{key(1)}});
    bench.tell(bench.reportOf({key(2)}));
    bench.sayAs(chiefA, 9, CrewHello{});
    bench.settle();
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    QVERIFY(bench.recorded<AttemptFinished>().empty());
    bench.leadBy(chiefB, 1);
    bench.sayAs(chiefA, 9, bench.reportOf({key(2)}));
    bench.sayAs(chiefB, 2, bench.reportOf({key(2)})); // another term
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.sayAs(chiefB, 1, bench.reportOf({key(2)}));
    QCOMPARE(bench.master->outstanding(), std::size_t{2});
}

void TestMasterCrews::earlyForemanIsKept()
{
    CrewBench bench(3);
    bench.sayAs(chiefB, 5, CrewHello{});
    QVERIFY(bench.to<Muster>(chiefB).empty());
    bench.master->crewLed(crew, chiefB);
    QCOMPARE(bench.to<CrewRollCall>(chiefB).size(), std::size_t{1}); // before its answer
    QCOMPARE(bench.to<Muster>(chiefB).size(), std::size_t{1});
    QCOMPARE(bench.lastTerm, std::uint64_t{5});
}

// It may not have heard that it was none for a while, and goes on as if nothing had been dropped.
void TestMasterCrews::formerForemanIsCalledAnew()
{
    CrewBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.to<CrewRollCall>(chiefA);
    bench.master->crewLed(crew, chiefB);
    bench.master->crewLed(crew, chiefA);
    QCOMPARE(bench.to<CrewRollCall>(chiefA).size(), std::size_t{1});
    bench.ended(four, key(0));
    bench.sayAs(chiefA, 9, CrewHello{}); // a late one
    bench.settle();
    QVERIFY(bench.recorded<AttemptFinished>().empty());
    bench.leadBy(chiefA, 12);
    bench.ended(four, key(0));
    bench.settle();
    QCOMPARE(bench.recorded<AttemptFinished>().size(), std::size_t{1});
}

void TestMasterCrews::lostCrewGivesEverythingBack()
{
    CrewBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.hello(one); // of an earlier holding
    bench.begun(other, key(1));
    for (const Rank rank : {four, other})
        bench.master->rankLost(rank, Incarnation(1), LossCause::Silent);
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.master->crewLed(crew, std::nullopt);
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

void TestMasterCrews::lostRankIsItsForemansAffair()
{
    CrewBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.begun(other, key(1));
    bench.master->rankLost(other, Incarnation(1), LossCause::Gone);
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1});
    QCOMPARE(bench.master->outstanding(), std::size_t{3});
    bench.ended(other, key(1)); // it had told its foreman
    bench.settle();
    QCOMPARE(bench.recorded<AttemptFinished>().size(), std::size_t{1});
}

void TestMasterCrews::foremanMayKnowOfAHolderFirst()
{
    CrewBench bench(2);
    bench.leadBy(chiefA, 9);
    CrewReport report = bench.reportOf({});
    report.joined.push_back(CrewBench::joined(other, Incarnation(3)));
    bench.tell(std::move(report));
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1}); // of the first holding
    QCOMPARE(bench.recorded<ProcessorJoined>().back().incarnation, Incarnation(3));
    bench.master->rankLost(other, Incarnation(1), LossCause::Silent);
    bench.master->rankHeld(other, CrewBench::processorOf(other), Incarnation(3));
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{1});
    QCOMPARE(bench.master->slotCount(), std::size_t{4});

    // Or of one that is lost already.
    bench.master->rankHeld(four, ProcessorId(6), Incarnation(2));
    bench.master->rankLost(four, Incarnation(2), LossCause::Silent);
    report = bench.reportOf({});
    report.joined.push_back(CrewBench::joined(four, Incarnation(2)));
    report.joined.push_back(CrewBench::joined(four, Incarnation(2)));
    bench.tell(std::move(report));
    bench.settle();
    QCOMPARE(bench.recorded<ProcessorJoined>().back().rank, four);
    QCOMPARE(bench.recorded<ProcessorLost>().back().rank, four);
    QCOMPARE(bench.recorded<ProcessorLost>().back().cause, LossCause::Silent);
    QCOMPARE(bench.recorded<ProcessorLost>().size(), std::size_t{3});
    QCOMPARE(bench.master->slotCount(), std::size_t{2});
}

void TestMasterCrews::returnedWithoutBeingAsked()
{
    CrewBench bench(2);
    bench.leadBy(chiefA, 9);
    QCOMPARE(bench.assigned(chiefA), (Keys{key(0), key(1)}));
    bench.begun(four, key(0));
    bench.tell(bench.reportOf({key(0), key(1)})); // the first one runs: it cannot come back
    bench.settle();
    QCOMPARE(bench.assigned(chiefA), Keys{key(1)});
}

void TestMasterCrews::withdrawalIsAskedAgainOfTheNextForeman()
{
    CrewBench bench(2);
    bench.leadBy(chiefA, 9);
    const auto answer = bench.settled(HoldTasks{bench.targets({0, 1})});
    QCOMPARE(bench.to<Withdraw>(chiefA).size(), std::size_t{1});
    bench.master->crewLed(crew, chiefB);
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

void TestMasterCrews::cancelledAttemptIsStoppedByTheNextForeman()
{
    CrewBench bench(2);
    bench.leadBy(chiefA, 9);
    bench.settled(CancelTasks{bench.targets({0})});
    bench.tell(Withdrawn{}); // it runs
    bench.settle();
    QCOMPARE(bench.to<Stop>(chiefA), std::vector{Stop{{key(0)}}});
    bench.master->crewLed(crew, chiefB);
    bench.sayAs(chiefB, 1, CrewHello{});
    // Its start has not been reported: whoever has lost it, it is not tried again.
    const auto musters = bench.to<Muster>(chiefB);
    QCOMPARE(musters.front().attempts.front(), (MusteredAttempt{key(0), four}));
    bench.leadBy(chiefB, 2);
    QCOMPARE(bench.to<Stop>(chiefB), std::vector{Stop{{key(0)}}});
}

void TestMasterCrews::peekIsAnsweredThoughTheForemanIsGone()
{
    CrewBench bench(2);
    bench.leadBy(chiefA, 9);
    int answers = 0;
    const auto count = [&answers](const OutputAnswer& answer) { answers += answer.known ? 0 : 1; };
    bench.master->peek({.key = key(0)}, count);
    QCOMPARE(bench.to<Peek>(chiefA).size(), std::size_t{1});
    QCOMPARE(answers, 0);
    bench.master->crewLed(crew, chiefB);
    QCOMPARE(answers, 1);
    bench.master->peek({.key = key(0)}, count); // nobody to ask
    QCOMPARE(answers, 2);
}

void TestMasterCrews::endOfTheRunReachesTheNextForeman()
{
    CrewBench bench(3);
    bench.leadBy(chiefA, 9);
    bench.master->interrupt();
    QCOMPARE(bench.to<Recall>(chiefA), std::vector{Recall{3}});
    bench.master->crewLed(crew, chiefB);
    bench.leadBy(chiefB, 1);
    QCOMPARE(bench.to<Recall>(chiefB), std::vector{Recall{3}});
    bench.master->interrupt();
    QCOMPARE(bench.to<Halt>(chiefB).size(), std::size_t{1});
    bench.master->crewLed(crew, chiefC);
    bench.leadBy(chiefC, 1);
    QCOMPARE(bench.to<Halt>(chiefC).size(), std::size_t{1});
    bench.tell(Returned{{key(0), key(1), key(2)}});
    bench.settle();
    QCOMPARE(bench.master->end(), RunEnd::Interrupted);
}

void TestMasterCrews::endWaitsForWhatAForemanGivesBack()
{
    CrewBench bench(2);
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

QTEST_APPLESS_MAIN(TestMasterCrews)

} // namespace tst_mastercrews

#include "tst_mastercrews.moc"

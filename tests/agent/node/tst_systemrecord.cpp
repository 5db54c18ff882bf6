// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/tablewriter.h"
#include "node/systemrecord.h"
#include "support/manualclock.h"
#include "support/memoryjournal.h"
#include "support/recordingtransport.h"

#include <array>

namespace tst_systemrecord {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

/// One subcluster: processor 0 is I/O, 1 and 2 hold ranks, 3 is a standby.
MembershipView recordedView(DownPolicy policy)
{
    const std::vector<Place> places{{SubclusterId(0), UnitId(0), ProcessorKind::Io, SeatId(2)},
                                    {SubclusterId(0), UnitId(0), ProcessorKind::Active, SeatId(0)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Active, SeatId(1)},
                                    {SubclusterId(0), UnitId(1), ProcessorKind::Standby}};
    const std::vector<SeatKind> seats{SeatKind::Active, SeatKind::Active, SeatKind::Io};
    SystemTable system;
    system.settings.policy = policy;
    return {places, seats, system, std::array{ClusterRules{.minimum = 2}}};
}

SystemLaidOut recordedLayout()
{
    SystemLaidOut layout;
    layout.subclusters = {{.name = "a", .active = 2, .standby = 1, .io = 1, .minimum = 2}};
    layout.units = {{.name = "u0", .host = "h", .subcluster = SubclusterId(0)},
                    {.name = "u1", .host = "h", .subcluster = SubclusterId(0)}};
    const auto add = [&layout](std::uint32_t id, std::uint32_t unit, ProcessorKind kind,
                               std::optional<SeatId> seat) {
        layout.processors.push_back({.id = ProcessorId(id),
                                     .subcluster = SubclusterId(0),
                                     .unit = UnitId(unit),
                                     .kind = kind,
                                     .seat = seat,
                                     .host = "h"});
    };
    add(0, 0, ProcessorKind::Io, SeatId(2));
    add(1, 0, ProcessorKind::Active, SeatId(0));
    add(2, 1, ProcessorKind::Active, SeatId(1));
    add(3, 1, ProcessorKind::Standby, {});
    layout.seats = {{SubclusterId(0), SeatKind::Active, 0},
                    {SubclusterId(0), SeatKind::Active, 1},
                    {SubclusterId(0), SeatKind::Io, 0}};
    return layout;
}

TaskAdded addedTask(std::uint32_t number)
{
    Task task;
    task.command = "true";
    task.settings = std::make_shared<const TaskSettings>();
    task.position = number;
    return {TaskId(number), std::move(task)};
}

/// A master whose system is a cluster master's table that the test writes.
struct RecordBench {
    explicit RecordBench(DownPolicy policy = DownPolicy::Continue, bool staysOpen = false,
                         std::uint32_t tasks = 0)
        : view(recordedView(policy)),
          membership(ProcessorId(0), view.cluster(SubclusterId(0)), SteadyTime{}),
          master({.run = RunId{"00"},
                  .directory = "/",
                  .staysOpen = staysOpen,
                  .taskDefaults = {},
                  .scheduling = {}},
                 state, transport, journal, clock,
                 farm::MasterObserver{
                     .published = [this](const Event& event) { record.published(event); }}),
          record(SubclusterId(0), view, recordedLayout(), master,
                 [this](const std::string& line) { said.push_back(line); },
                 {.runFile = "/r.tasuki",
                  .tell = [this](const RestartTerms& told) { terms.push_back(told); }})
    {
        std::vector<EventPayload> opening = record.opening();
        opening.insert(opening.begin(), RunOpened{});
        for (std::uint32_t number = 0; number < tasks; ++number)
            opening.push_back(addedTask(number));
        master.open(std::move(opening));
        for (std::uint32_t i = 0; i < 4; ++i)
            observe(i, Observation::Ready);
        tell();
    }

    void observe(std::uint32_t processor, Observation what, HealthCause cause = HealthCause::None,
                 Life life = {})
    {
        membership.observe({ProcessorId(processor), what, cause, {}, life}, SteadyTime{});
    }
    /// The master's processor hears of it, and all is committed.
    void tell()
    {
        if (membership.changed())
            view.adopt(membership.publish(SteadyTime{}, WallTime{}));
        record.changed(view);
        settle();
    }
    void start()
    {
        becomeStarted();
        tell();
    }
    void becomeStarted()
    {
        SystemTable system = view.system();
        ++system.version.revision;
        system.started = true;
        view.adopt(std::make_shared<const SystemTable>(system));
    }
    void settle()
    {
        for (int i = 0; i < 4; ++i) {
            journal.commit();
            master.poll();
        }
    }
    [[nodiscard]] farm::Member::State memberState(std::int32_t rank)
    {
        return master.roster().members().at(Rank(rank)).state;
    }
    /// The subcluster falls below its minimum.
    void bringDown()
    {
        observe(3, Observation::Gone, HealthCause::Gone);
        observe(1, Observation::Gone, HealthCause::Gone);
        tell();
    }
    /// The system table changes.
    void setPolicy(DownPolicy policy)
    {
        SystemTable system = view.system();
        ++system.version.revision;
        system.settings.policy = policy;
        view.adopt(std::make_shared<const SystemTable>(system));
        tell();
    }
    template <class Kind>
    [[nodiscard]] std::size_t recorded() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(journal.record(), [](const Event& event) {
                return std::holds_alternative<Kind>(event.payload);
            }));
    }

    ManualClock clock;
    RecordingTransport transport{ProcessorId(0), 4};
    MemoryJournal journal{Epoch(1), clock};
    RunState state;
    MembershipView view;
    TableWriter membership;
    farm::Master master;
    std::vector<std::string> said;
    std::vector<RestartTerms> terms;
    SystemRecord record;
};

} // namespace

/// What a master and its record are told of the system.
class TestSystemRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void startLetsTheRunBegin();
    void workBeginsWhenTheStartIsRecorded();
    void takeoverReachesMasterAndRecord();
    void downEndsTheRunByPolicy_data();
    void downEndsTheRunByPolicy();
    void whatIsDownEndsTheRunOfASuccessorToo_data() { downEndsTheRunByPolicy_data(); }
    void whatIsDownEndsTheRunOfASuccessorToo();
    void restarterIsTold();
    void onlyARunThatGoesOnStartsAgain();
    void endingGoesOn();
    void whatCannotBeDoneIsTold();
    void holdersAreAwaited();
    void whoWentOnIsTold_data();
    void whoWentOnIsTold();
    void lostAndLeftProcessors();
    void whoComesBack();
    void rolesAreLaidOutAgain();
    void missingEndsTheRun();
    void lengtheningIsNotToldAgainAndAgain();
};

void TestSystemRecord::startLetsTheRunBegin()
{
    RecordBench bench;
    QCOMPARE(bench.master.phase(), farm::Master::Phase::Opening);
    QCOMPARE(bench.memberState(0), farm::Member::State::Expected);
    QVERIFY(bench.state.system().layout().has_value());
    QCOMPARE(bench.state.system().master(), ProcessorId(0));
    QVERIFY(!bench.state.system().started());
    bench.start();
    QVERIFY(bench.state.system().started());
    QVERIFY(bench.master.phase() > farm::Master::Phase::Opening);
}

/// Else a successor would find a record that ends before the run began, and what ran would be lost.
void TestSystemRecord::workBeginsWhenTheStartIsRecorded()
{
    RecordBench bench;
    bench.becomeStarted();
    bench.record.changed(bench.view);
    bench.master.poll();
    QCOMPARE(bench.master.phase(), farm::Master::Phase::Opening);
    bench.settle();
    QCOMPARE(bench.recorded<SystemStarted>(), std::size_t(1));
    QVERIFY(bench.master.phase() != farm::Master::Phase::Opening);
}

void TestSystemRecord::takeoverReachesMasterAndRecord()
{
    RecordBench bench;
    bench.observe(1, Observation::Gone, HealthCause::Gone);
    bench.tell();
    QVERIFY(bench.transport.hasForgotten(ProcessorId(1)));
    QVERIFY(bench.master.losses());
    const farm::Member& member = bench.master.roster().members().at(Rank(0));
    QCOMPARE(member.holder, ProcessorId(3));
    QCOMPARE(member.incarnation, Incarnation(2));
    QCOMPARE(bench.recorded<SeatTaken>(), std::size_t(0)); // not before it says so
    bench.membership.taken(ProcessorId(3), {SeatId(0), Incarnation(2)}, SteadyTime{});
    bench.tell();
    QCOMPARE(bench.recorded<SeatTaken>(), std::size_t(1));
    QCOMPARE(bench.state.system().find(SeatId(0))->holder, ProcessorId(3));
}

void TestSystemRecord::downEndsTheRunByPolicy_data()
{
    QTest::addColumn<int>("policy");
    QTest::addColumn<bool>("ends");
    QTest::addColumn<bool>("again");
    QTest::newRow("continue") << int(DownPolicy::Continue) << false << false;
    QTest::newRow("stop") << int(DownPolicy::Stop) << true << false;
    QTest::newRow("restart") << int(DownPolicy::Restart) << true << true;
}

void TestSystemRecord::downEndsTheRunByPolicy()
{
    QFETCH(int, policy);
    QFETCH(bool, ends);
    QFETCH(bool, again);
    RecordBench bench{DownPolicy(policy), true};
    bench.start();
    bench.bringDown();
    const auto& subcluster = bench.state.system().subclusters()[0];
    QCOMPARE(subcluster.state, ClusterState::Down);
    QCOMPARE(bench.master.phase() >= farm::Master::Phase::Closing, ends);
    QVERIFY(!bench.master.roster().members().at(Rank(1)).open); // held, but gets no work
    bench.tell();
    QCOMPARE(bench.recorded<Notice>(), std::size_t(ends ? 1 : 0));
    QCOMPARE(bench.record.startsAgain(), again);
    // What is down is an alarm; that the run ends for it is not another.
    QCOMPARE(std::ranges::count_if(bench.state.alarms().all(),
                                   [](const Alarm& alarm) {
                                       return alarm.kind == AlarmKind::SubclusterDown
                                           || alarm.kind == AlarmKind::Failure;
                                   }),
             1);
}

// The subcluster of the system master is lost with it: its successor begins with a view that does
// not change any more. Fails if the policy were for changes alone.
void TestSystemRecord::whatIsDownEndsTheRunOfASuccessorToo()
{
    QFETCH(int, policy);
    QFETCH(bool, ends);
    QFETCH(bool, again);
    RecordBench bench{DownPolicy(policy), true};
    bench.start();
    bench.observe(3, Observation::Gone, HealthCause::Gone);
    bench.observe(1, Observation::Gone, HealthCause::Gone);
    bench.view.adopt(bench.membership.publish(SteadyTime{}, WallTime{}));
    QCOMPARE(bench.view.cluster(SubclusterId(0)).state, ClusterState::Down);
    bench.journal.takeOver();
    std::vector<RestartTerms> terms;
    farm::Master next({.run = RunId{"00"},
                       .directory = "/",
                       .staysOpen = true,
                       .taskDefaults = {},
                       .scheduling = {},
                       .term = Term(1)},
                      bench.state, bench.transport, bench.journal, bench.clock,
                      farm::MasterObserver{});
    SystemRecord record(std::nullopt, bench.view, recordedLayout(), next, [](const std::string&) {},
                        {.runFile = "/r.tasuki",
                         .tell = [&terms](const RestartTerms& told) { terms.push_back(told); }});
    next.takeOver({Notice{}}, {});
    record.takenOver(bench.state.ending());
    for (int i = 0; i < 4; ++i) {
        bench.journal.commit();
        next.poll();
    }
    QCOMPARE(next.phase() == farm::Master::Phase::Running, !ends);
    QCOMPARE(next.phase() == farm::Master::Phase::Killing, again);
    QCOMPARE(record.startsAgain(), again);
    QCOMPARE(!terms.empty() && !terms.back().why.empty(), again);
}

// Fails if a run that has tasks still to be recorded could be started again without them, or if
// nobody is told of terms that have changed.
void TestSystemRecord::restarterIsTold()
{
    RecordBench bench{DownPolicy::Restart, true};
    QVERIFY(bench.terms.empty());
    bench.start();
    RestartTerms expected{.most = 3, .within = 60s, .runFile = "/r.tasuki"};
    QCOMPARE(bench.terms, std::vector{expected});
    bench.tell();
    QCOMPARE(bench.terms.size(), std::size_t(1));
    bench.setPolicy(DownPolicy::Continue);
    QVERIFY(!bench.terms.back().allowed());
    bench.setPolicy(DownPolicy::Restart);
    QCOMPARE(bench.terms.back(), expected);
    bench.membership.carryOut(RulesOrder{.subcluster = SubclusterId(0),
                                         .rules = {.minimum = 2, .restarts = 1, .within = 7s}},
                              SteadyTime{});
    bench.tell();
    expected.most = 1;
    expected.within = 7s;
    QCOMPARE(bench.terms.back(), expected);
    bench.bringDown();
    expected.why = "subcluster a is down";
    QCOMPARE(bench.terms.back(), expected);
    QCOMPARE(bench.terms.size(), std::size_t(5));
}

// Fails if what goes down before the run has begun to be recorded, or as processors leave at its end,
// starts it again.
void TestSystemRecord::onlyARunThatGoesOnStartsAgain()
{
    RecordBench early{DownPolicy::Restart};
    early.bringDown();
    QVERIFY(!early.record.startsAgain() && early.terms.empty());
    QVERIFY(early.master.phase() >= farm::Master::Phase::Closing);

    RecordBench late{DownPolicy::Restart}; // without tasks it is complete
    late.start();
    QVERIFY(late.master.phase() > farm::Master::Phase::Running);
    late.bringDown();
    QVERIFY(!late.record.startsAgain());
    QVERIFY(late.terms.back().why.empty());
    QCOMPARE(late.recorded<Notice>(), std::size_t(0));
}

/// The last master had begun to end the run in order to start it again.
void TestSystemRecord::endingGoesOn()
{
    RecordBench bench{DownPolicy::Restart, true};
    bench.start();
    const std::size_t notices = bench.recorded<Notice>();
    bench.record.takenOver(RunEnding{.kill = true, .restartFor = SubclusterId(0)});
    QVERIFY(bench.record.startsAgain());
    QVERIFY(bench.terms.back().why.ends_with("is down"));
    bench.bringDown();
    QCOMPARE(bench.recorded<Notice>(), notices); // that has been said
}

void TestSystemRecord::whatCannotBeDoneIsTold()
{
    RecordBench bench{DownPolicy::Continue, true};
    bench.start();
    bench.record.givenUp(hierarchy::KindOrder{ProcessorId(2), ProcessorKind::Active},
                         "there is no vacant place for it any more");
    bench.record.givenUp(hierarchy::DrainOrder{ProcessorId(2), true},
                         "processor 2 was lost before");
    bench.settle();
    const auto ordered = bench.journal.recorded<ProcessorOrdered>();
    QCOMPARE(ordered.size(), std::size_t(1));
    QVERIFY(ordered[0]
            == (ProcessorOrdered{ProcessorId(2),
                                 ProcessorOrder::BecomeActive,
                                 {},
                                 "there is no vacant place for it any more"}));
    QCOMPARE(bench.journal.recorded<Notice>().back().text.text(),
             std::string("an operator's order cannot be carried out any more: processor 2 was lost "
                         "before"));
}

/// A drained standby takes nothing: then a run without holders is not held up.
void TestSystemRecord::holdersAreAwaited()
{
    for (const bool drained : {false, true}) {
        RecordBench bench(DownPolicy::Continue, false, 1);
        bench.start();
        ClusterTable table = bench.view.cluster(SubclusterId(0));
        for (const std::uint32_t holder : {1U, 2U}) {
            table.members[holder].health = Health::Lost;
            table.members[holder].seat.reset();
            table.seats[holder - 1].previous = ProcessorId(holder);
        }
        table.members[3].drained = drained;
        table.version.revision += 100;
        QVERIFY(bench.view.adopt(std::make_shared<const ClusterTable>(table)));
        bench.record.changed(bench.view);
        bench.settle();
        QCOMPARE(bench.master.phase() == farm::Master::Phase::Running, !drained);
    }
}

void TestSystemRecord::lostAndLeftProcessors()
{
    RecordBench bench;
    bench.observe(3, Observation::Left);
    bench.tell();
    QVERIFY(!bench.master.losses());
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(3)));
    bench.observe(2, Observation::Gone, HealthCause::Gone);
    bench.tell();
    QVERIFY(bench.master.losses());
    QCOMPARE(bench.memberState(1), farm::Member::State::Vacant);
}

void TestSystemRecord::whoComesBack()
{
    RecordBench bench(DownPolicy::Continue, true);
    bench.start();
    const auto health = [&bench] {
        return bench.state.system().processors().at(ProcessorId(2)).health;
    };
    const auto isStandby = [&bench] {
        const ProcessorInfo& info = bench.state.system().processors().at(ProcessorId(2)).info;
        return info.kind == ProcessorKind::Standby && !info.seat;
    };
    bench.observe(2, Observation::Silent, HealthCause::Silent);
    bench.observe(2, Observation::LeaseOver);
    bench.tell();
    QCOMPARE(health(), Health::Lost);
    QVERIFY(bench.transport.hasForgotten(ProcessorId(2)));
    const std::size_t notices = bench.recorded<Notice>();
    bench.observe(2, Observation::Returned, HealthCause::Silent, Life(2));
    bench.tell();
    QCOMPARE(health(), Health::Alive);
    QVERIFY(isStandby());
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(2)));
    QCOMPARE(bench.recorded<Notice>(), notices + 1);
    // Its loss and its return between two views.
    bench.observe(2, Observation::Returned, HealthCause::Silent, Life(3));
    bench.observe(2, Observation::Returned, HealthCause::Silent, Life(3));
    const std::size_t changes = bench.recorded<HealthChanged>();
    bench.tell();
    QCOMPARE(bench.recorded<HealthChanged>(), changes + 2);
    QCOMPARE(health(), Health::Alive);
    QVERIFY(!bench.transport.hasForgotten(ProcessorId(2)));
}

void TestSystemRecord::rolesAreLaidOutAgain()
{
    RecordBench bench;
    bench.observe(1, Observation::Gone, HealthCause::Gone);
    bench.membership.taken(ProcessorId(3), {SeatId(0), Incarnation(2)}, SteadyTime{});
    bench.tell();
    QCOMPARE(bench.recorded<SystemLaidOut>(), std::size_t(1));
    bench.membership.carryOut(KindOrder{ProcessorId(3), ProcessorKind::Active}, SteadyTime{});
    bench.tell();
    QCOMPARE(bench.recorded<SystemLaidOut>(), std::size_t(2));
    QCOMPARE(bench.state.system().find(ProcessorId(3))->info.kind, ProcessorKind::Active);
    QCOMPARE(bench.state.system().find(SeatId(0))->holder, ProcessorId(3));
    QCOMPARE(bench.state.system().find(SeatId(0))->incarnation, Incarnation(2));
}

void TestSystemRecord::missingEndsTheRun()
{
    RecordBench bench;
    bench.record.missing({ProcessorId(2), ProcessorId(3)});
    bench.settle();
    QCOMPARE(bench.said.size(), std::size_t(1));
    QVERIFY(bench.said[0].find("2, 3") != std::string::npos);
    QVERIFY(bench.master.phase() >= farm::Master::Phase::Closing);
    QCOMPARE(bench.master.end(), RunEnd::Interrupted);
}

void TestSystemRecord::lengtheningIsNotToldAgainAndAgain()
{
    RecordBench bench;
    const SteadyTime now = SteadyTime{} + 100s;
    bench.record.lengthened(230ms, now);
    bench.record.lengthened(240ms, now + 5s);
    bench.record.lengthened(250ms, now + 11s);
    bench.settle();
    QCOMPARE(bench.recorded<Notice>(), std::size_t(2));
}

void TestSystemRecord::whoWentOnIsTold_data()
{
    QTest::addColumn<Overlap>("overlap");
    QTest::addColumn<int>("lostFor"); ///< ms; 0: not known
    QTest::addColumn<QString>("text");
    const QString why =
        ": the clock of its host must have stopped or be slow, or that of another host be "
        "fast; ";
    QTest::newRow("a rank")
        << Overlap{.processor = ProcessorId(1),
                   .holding = Holding{SeatId(0), Incarnation(1)},
                   .certain = true,
                   .refused = 3}
        << 15840
        << "processor 1 (h) went on as rank 0, though it had been given up 15.8 s "
           "before and processor 3 (h) has that place since"
            + why + "3 results of it were refused";
    QTest::newRow("an I/O place that nobody has now, perhaps")
        << Overlap{.processor = ProcessorId(0),
                   .holding = Holding{SeatId(2), Incarnation(1)},
                   .refused = 1}
        << 0
        << "processor 0 (h) may have gone on as I/O 0, though it had been given up" + why
            + "1 result of it was refused";
    QTest::newRow("the lead and a rank")
        << Overlap{.processor = ProcessorId(1),
                   .holding = Holding{SeatId(0), Incarnation(1)},
                   .led = true,
                   .certain = true}
        << 4000
        << "processor 1 (h) went on as system master and rank 0, though it had been given up 4.0 s "
           "before and processor 0 (h) has that place since"
            + why + "no result of it had to be refused";
}

void TestSystemRecord::whoWentOnIsTold()
{
    QFETCH(Overlap, overlap);
    QFETCH(int, lostFor);
    QFETCH(QString, text);
    RecordBench bench(DownPolicy::Continue, true);
    bench.start();
    bench.observe(1, Observation::Gone, HealthCause::Gone);
    bench.tell();
    const std::size_t before = bench.journal.record().size();
    bench.record.overlapped(
        overlap, lostFor == 0 ? std::nullopt : std::optional(std::chrono::milliseconds(lostFor)));
    bench.settle();
    QCOMPARE(bench.journal.record().size(), before + 1);
    const auto* const notice = std::get_if<Notice>(&bench.journal.record().back().payload);
    QVERIFY(notice != nullptr);
    QCOMPARE(notice->severity, Severity::Warning);
    QCOMPARE(QString::fromStdString(notice->text.text()), text);
}

QTEST_APPLESS_MAIN(TestSystemRecord)

} // namespace tst_systemrecord

#include "tst_systemrecord.moc"

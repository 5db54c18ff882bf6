// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "domain/rankname.h"
#include "domain/runstate.h"
#include "shared/domain/randomhistory.h"

namespace tst_systemstate {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

WallTime at(std::int64_t seconds) { return WallTime(std::chrono::seconds(seconds)); }

/// Two subclusters: antenna has ranks 0 and 1, processors 1, 2 (I/O 0, held by processor 0) and 3 as
/// its standby; store has rank 2 at processor 4, and no standby.
SystemLaidOut layout()
{
    SystemLaidOut out;
    out.subclusters = {{"antenna", 2, 1, 1, 1}, {"store", 1, 0, 0, 1}};
    out.units = {{"left", "node0", SubclusterId(0)}, {"right", "node1", SubclusterId(1)}};
    out.seats = {{SubclusterId(0), SeatKind::Active, 0},
                 {SubclusterId(0), SeatKind::Active, 1},
                 {SubclusterId(1), SeatKind::Active, 0},
                 {SubclusterId(0), SeatKind::Io, 0}};
    const auto add = [&](std::uint32_t id, std::uint32_t subcluster, ProcessorKind kind,
                         std::optional<SeatId> seat) {
        out.processors.push_back({.id = ProcessorId(id),
                                  .subcluster = SubclusterId(subcluster),
                                  .unit = UnitId(subcluster),
                                  .kind = kind,
                                  .seat = seat,
                                  .host = "node" + std::to_string(subcluster),
                                  .pid = 100 + id});
    };
    add(0, 0, ProcessorKind::Io, SeatId(3));
    add(1, 0, ProcessorKind::Active, SeatId(0));
    add(2, 0, ProcessorKind::Active, SeatId(1));
    add(3, 0, ProcessorKind::Standby, std::nullopt);
    add(4, 1, ProcessorKind::Active, SeatId(2));
    return out;
}

/// A run whose events are a second apart, from the first second on.
struct Bench {
    Bench()
    {
        must(RunOpened{});
        must(layout());
    }

    Result<void> play(EventPayload payload)
    {
        if (std::holds_alternative<RunOpened>(payload))
            next = {next.epoch.next(), Sequence(1)};
        auto applied = state.apply(
            {.id = next,
             .wallTime = at(static_cast<std::int64_t>(next.sequence.value())),
             .monotonic = {},
             .payload = std::move(payload)});
        if (applied)
            next.sequence = next.sequence.next();
        return applied;
    }
    EventId must(EventPayload payload)
    {
        if (auto played = play(std::move(payload)); !played)
            qFatal("%s", played.error().text().c_str());
        return state.lastEvent();
    }
    /// @return the words of the refusal, without the event's
    std::string refused(EventPayload payload)
    {
        const EventId before = state.lastEvent();
        const auto played = play(std::move(payload));
        if (played || played.error().kind != ErrorKind::Damaged || state.lastEvent() != before)
            return "accepted";
        return played.error().message.substr(played.error().message.find(": ") + 2);
    }
    [[nodiscard]] const SystemState& system() const { return state.system(); }
    [[nodiscard]] const SystemSeat& seat(std::uint32_t id) const
    {
        return *state.system().find(SeatId(id));
    }
    [[nodiscard]] const SystemProcessor& processor(std::uint32_t id) const
    {
        return *state.system().find(ProcessorId(id));
    }

    RunState state;
    EventId next;
};

HealthChanged becomes(std::uint32_t processor, Health health, HealthCause cause)
{
    return {.processor = ProcessorId(processor),
            .health = health,
            .cause = cause,
            .detection = 31'250us,
            .lostAt = WallTime(77s)};
}

SeatTaken takes(std::uint32_t seat, std::uint32_t incarnation, std::uint32_t holder,
                std::optional<ProcessorId> previous = {})
{
    return {.seat = SeatId(seat),
            .incarnation = Incarnation(incarnation),
            .holder = ProcessorId(holder),
            .previous = previous,
            .detection = 3ms,
            .takeover = 20ms};
}

} // namespace

/// What breaks it: an event that is not held against the layout, a takeover that leaves two holders,
/// an alarm that is forgotten or stays acknowledged for good.
class TestSystemState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLayoutGivesSeats();
    void brokenLayoutsAreRefused();
    void takeover();
    void ranksHaveOneName();
    void incarnationsMayRepeat();
    void vacatedAndGivenUp();
    void vacatedByWhoHadNotTakenIt();
    void mastersAndSubclusters();
    void successionOfTheSystemMaster();
    void aNewLayoutKeepsWhatIsKnown();
    void aNewEpochKeepsAlarmsAndFailovers();
    void nothingFitsWithoutALayout();
    void strangersAreRefused();
    void whatRaisesAlarms();
    void acknowledgements();
    void names();
    void randomHistories();
};

void TestSystemState::aLayoutGivesSeats()
{
    Bench bench;
    QCOMPARE(bench.system().seats().size(), std::size_t(4));
    QVERIFY(bench.seat(1).holder == ProcessorId(2));
    QVERIFY(bench.seat(1).incarnation == Incarnation(1));
    QCOMPARE(bench.processor(3).health, Health::Expected);
    QVERIFY(!bench.processor(3).info.seat);
    QVERIFY(!bench.system().started());
    bench.must(SystemStarted{});
    QVERIFY(bench.system().started());
    // Who makes it known again by an event of its own says nothing new.
    bench.must(takes(1, 1, 2));
    QVERIFY(bench.state.failovers().empty());
    QVERIFY(bench.state.alarms().all().empty());
}

void TestSystemState::brokenLayoutsAreRefused()
{
    Bench bench;
    const auto broken = [&](auto change) {
        SystemLaidOut out = layout();
        change(out);
        return bench.refused(out);
    };
    QCOMPARE(broken([](auto& l) { l.units[1].subcluster = SubclusterId(2); }),
             std::string("subcluster 2 is not known"));
    QCOMPARE(broken([](auto& l) { l.seats[1].subcluster = SubclusterId(9); }),
             std::string("subcluster 9 is not known"));
    QCOMPARE(broken([](auto& l) { l.processors[1].unit = UnitId(2); }),
             std::string("unit 2 is not known"));
    QCOMPARE(broken([](auto& l) { l.processors[1].seat = SeatId(4); }),
             std::string("seat 4 is not known"));
    QCOMPARE(broken([](auto& l) { l.processors[1].seat = SeatId(1); }),
             std::string("seat 1 is held by two"));
    QCOMPARE(broken([](auto& l) { l.processors[1].id = ProcessorId(0); }),
             std::string("processor 0 is not in its place"));
    QCOMPARE(broken([](auto& l) { std::swap(l.seats[0], l.seats[3]); }),
             std::string("the seats are not in their order"));
    QVERIFY(bench.seat(1).holder == ProcessorId(2));
}

// Fails if a rank is called by the number that programs get where its subcluster counts from 0.
void TestSystemState::ranksHaveOneName()
{
    Bench bench;
    QCOMPARE(rankName(bench.system(), Rank(1)), std::string("antenna rank 1"));
    QCOMPARE(rankName(bench.system(), Rank(1)), seatName(bench.system(), SeatId(1)));
    QCOMPARE(rankName(bench.system(), Rank(2)),
             bench.system().subclusters()[1].info.name + " rank 0");
    QCOMPARE(rankName(bench.system(), Rank(3)), std::string("rank 3")); // an I/O place
    QCOMPARE(rankName(bench.system(), Rank(99)), std::string("rank 99"));
    QCOMPARE(rankName(SystemState(), Rank(2)), std::string("rank 2"));
    SystemLaidOut alone = layout();
    alone.subclusters.resize(1);
    QCOMPARE(seatName(rankLabel(alone, Rank(1))), std::string("rank 1"));
    QCOMPARE(seatName(rankLabel(alone, Rank(2))), std::string("rank 2")); // of no subcluster there
}

void TestSystemState::takeover()
{
    Bench bench;
    bench.must(becomes(2, Health::Lost, HealthCause::Gone));
    // Until the seat is given on, it is that of the one who lost it.
    QVERIFY(bench.seat(1).holder == ProcessorId(2));
    const EventId id = bench.must(takes(1, 2, 3, ProcessorId(2)));
    QVERIFY(bench.seat(1).holder == ProcessorId(3));
    QVERIFY(bench.seat(1).previous == ProcessorId(2));
    QVERIFY(bench.seat(1).incarnation == Incarnation(2));
    QVERIFY(!bench.processor(2).info.seat);
    QVERIFY(bench.processor(3).info.seat == SeatId(1));
    QCOMPARE(bench.state.failovers().size(), std::size_t(1));
    const Failover& failover = bench.state.failovers().front();
    QVERIFY(failover.id == id);
    QVERIFY(failover.at == at(4));
    QCOMPARE(failover.cause, HealthCause::Gone);
    QCOMPARE(seatName(failover.place), std::string("antenna rank 1"));
    QCOMPARE(processorPhrase(failover.from).text(), std::string("processor 2 (node0)"));
    QCOMPARE(processorPhrase(failover.to).text(), std::string("processor 3 (node0)"));
    QVERIFY(failover.detection == 3ms);
    QVERIFY(failover.takeover == 20ms);
    QVERIFY(failover.lostAt == WallTime(77s));

    QCOMPARE(bench.refused(takes(0, 2, 3, ProcessorId(1))),
             std::string("processor 3 takes seat 0 but holds seat 1"));
    QVERIFY(bench.seat(0).holder == ProcessorId(1));
    QCOMPARE(bench.state.failovers().size(), std::size_t(1));
}

/// A successor had not heard of a holding when it took over: it is known again later, or its
/// incarnation is another one's.
void TestSystemState::incarnationsMayRepeat()
{
    for (const std::uint32_t holder : {2U, 3U}) {
        Bench bench;
        bench.must(SeatVacated{SeatId(1), ProcessorId(2)});
        QVERIFY(!bench.seat(1).holder);
        bench.must(takes(1, 1, holder, ProcessorId(2)));
        QVERIFY(bench.seat(1).holder == ProcessorId(holder));
        QVERIFY(bench.seat(1).incarnation == Incarnation(1));
        QCOMPARE(bench.processor(2).info.seat.has_value(), holder == 2);
    }
}

void TestSystemState::vacatedAndGivenUp()
{
    Bench bench;
    QCOMPARE(bench.refused(SeatVacated{SeatId(2), ProcessorId(1)}),
             std::string("seat 2 is vacated by processor 1 but held by processor 4"));
    bench.must(SeatVacated{SeatId(2), ProcessorId(4)});
    QVERIFY(!bench.seat(2).holder);
    QVERIFY(!bench.seat(2).givenUp);
    QVERIFY(!bench.processor(4).info.seat);
    bench.must(SeatVacated{SeatId(2), ProcessorId(4), true});
    QVERIFY(bench.seat(2).givenUp);
    // A standby that is there later takes it.
    bench.must(takes(2, 2, 3, ProcessorId(4)));
    QVERIFY(bench.seat(2).holder == ProcessorId(3));
    QVERIFY(!bench.seat(2).givenUp);
    QCOMPARE(bench.state.failovers().size(), std::size_t(1));
}

// A standby was to take the seat of a lost holder over, and was lost before it had.
void TestSystemState::vacatedByWhoHadNotTakenIt()
{
    Bench bench;
    bench.must(becomes(2, Health::Lost, HealthCause::Gone));
    bench.must(becomes(3, Health::Lost, HealthCause::Gone));
    bench.must(SeatVacated{SeatId(1), ProcessorId(3)});
    QVERIFY(!bench.seat(1).holder);
    QVERIFY(bench.seat(1).previous == ProcessorId(3));
    QVERIFY(!bench.processor(2).info.seat);
    QVERIFY(!bench.processor(3).info.seat);
    QVERIFY(bench.state.failovers().empty());
}

void TestSystemState::mastersAndSubclusters()
{
    Bench bench;
    bench.must(MasterChanged{MasterRole::Unit, 1, ProcessorId(4)});
    bench.must(MasterChanged{MasterRole::Cluster, 0, ProcessorId(0)});
    bench.must(MasterChanged{MasterRole::System, 0, ProcessorId(0)});
    QVERIFY(bench.system().units()[1].master == ProcessorId(4));
    QVERIFY(!bench.system().units()[0].master);
    QVERIFY(bench.system().subclusters()[0].master == ProcessorId(0));
    QVERIFY(bench.system().master() == ProcessorId(0));
    QVERIFY(bench.state.failovers().empty()); // the first one succeeds nobody
    bench.must(SubclusterChanged{SubclusterId(1), ClusterState::Down, "too few ranks"});
    QCOMPARE(bench.system().subclusters()[1].state, ClusterState::Down);
    QCOMPARE(bench.system().subclusters()[1].cause.text(), std::string("too few ranks"));
    QCOMPARE(bench.system().subclusters()[0].state, ClusterState::Starting);
    bench.must(ProcessorDrained{ProcessorId(3), true, "ann"});
    QVERIFY(bench.processor(3).drained);
    bench.must(ProcessorDrained{ProcessorId(3), false, "ann"});
    QVERIFY(!bench.processor(3).drained);
}

void TestSystemState::successionOfTheSystemMaster()
{
    Bench bench;
    bench.must(MasterChanged{MasterRole::System, 0, ProcessorId(0)});
    bench.must(becomes(0, Health::Lost, HealthCause::Gone));
    bench.must(MasterChanged{MasterRole::Unit, 0, ProcessorId(1), ProcessorId(0), 3ms, 5ms});
    QVERIFY(bench.state.failovers().empty());
    bench.must(MasterChanged{MasterRole::System, 0, ProcessorId(1), ProcessorId(0), 3ms, 5ms});
    QVERIFY(bench.system().master() == ProcessorId(1));
    QCOMPARE(bench.state.failovers().size(), std::size_t(1));
    const Failover& failover = bench.state.failovers()[0];
    QVERIFY(failover.ofSystem);
    QCOMPARE(failover.id, bench.state.lastEvent());
    QCOMPARE(placeName(failover), std::string("system master"));
    QCOMPARE(failover.from.id, ProcessorId(0));
    QCOMPARE(failover.to.id, ProcessorId(1));
    QCOMPARE(failover.cause, HealthCause::Gone);
    QCOMPARE(failover.detection, std::chrono::microseconds(3ms));
    QCOMPARE(failover.takeover, std::chrono::microseconds(5ms));
    QVERIFY(failover.lostAt == WallTime(77s));
    QCOMPARE(bench.refused(MasterChanged{MasterRole::System, 0, ProcessorId(1), ProcessorId(9)}),
             std::string("processor 9 is not known"));
}

void TestSystemState::aNewLayoutKeepsWhatIsKnown()
{
    Bench bench;
    bench.must(SystemStarted{});
    bench.must(becomes(2, Health::Lost, HealthCause::Gone));
    bench.must(takes(1, 2, 3, ProcessorId(2)));
    bench.must(ProcessorDrained{ProcessorId(1), true, "ann"});
    bench.must(MasterChanged{MasterRole::System, 0, ProcessorId(0)});
    // A third rank of antenna, held by a new processor: the seats behind it move.
    SystemLaidOut next = layout();
    next.seats.insert(next.seats.begin() + 2, {SubclusterId(0), SeatKind::Active, 2});
    next.processors[0].seat = SeatId(4);
    next.processors[2].seat.reset();
    next.processors[3].seat = SeatId(1);
    next.processors[4].seat = SeatId(3);
    next.processors.push_back(next.processors[1]);
    next.processors.back().id = ProcessorId(5);
    next.processors.back().seat = SeatId(2);
    bench.must(next);
    QVERIFY(bench.system().started());
    QVERIFY(bench.seat(1).incarnation == Incarnation(2));
    QVERIFY(bench.seat(1).holder == ProcessorId(3));
    QVERIFY(bench.seat(1).previous == ProcessorId(2));
    QVERIFY(bench.seat(2).holder == ProcessorId(5));
    QVERIFY(bench.seat(2).incarnation == Incarnation(1));
    QVERIFY(bench.seat(3).holder == ProcessorId(4));
    QCOMPARE(seatName(bench.system(), SeatId(4)), std::string("antenna I/O 0"));
    QCOMPARE(bench.processor(2).health, Health::Lost);
    QCOMPARE(bench.processor(5).health, Health::Expected);
    QVERIFY(bench.processor(1).drained);
    QVERIFY(bench.system().master() == ProcessorId(0));
}

void TestSystemState::aNewEpochKeepsAlarmsAndFailovers()
{
    Bench bench;
    const EventId lost = bench.must(becomes(2, Health::Lost, HealthCause::Silent));
    bench.must(takes(1, 2, 3, ProcessorId(2)));
    bench.must(RunOpened{});
    QVERIFY(!bench.system().layout());
    QVERIFY(bench.system().processors().empty());
    QCOMPARE(bench.state.failovers().size(), std::size_t(1));
    QVERIFY(bench.state.alarms().find(lost) != nullptr);
    QCOMPARE(seatName(bench.state.failovers()[0].place), std::string("antenna rank 1"));
    bench.must(layout());
    QVERIFY(bench.seat(1).incarnation == Incarnation(1));
    QVERIFY(bench.seat(1).holder == ProcessorId(2));
    QCOMPARE(bench.processor(2).health, Health::Expected);
}

void TestSystemState::nothingFitsWithoutALayout()
{
    Bench bench;
    bench.must(RunOpened{});
    QCOMPARE(bench.refused(SystemStarted{}), std::string("the system has not been laid out"));
    QCOMPARE(bench.refused(becomes(0, Health::Alive, HealthCause::None)),
             std::string("processor 0 is not known"));
    QCOMPARE(bench.refused(takes(0, 1, 0)), std::string("seat 0 is not known"));
}

void TestSystemState::strangersAreRefused()
{
    Bench bench;
    const std::string noProcessor = "processor 9 is not known";
    const std::string noSeat = "seat 4 is not known";
    QCOMPARE(bench.refused(becomes(9, Health::Lost, HealthCause::Gone)), noProcessor);
    QCOMPARE(bench.refused(takes(4, 1, 0)), noSeat);
    QCOMPARE(bench.refused(takes(1, 2, 9)), noProcessor);
    QCOMPARE(bench.refused(takes(1, 2, 3, ProcessorId(9))), noProcessor);
    QCOMPARE(bench.refused(SeatVacated{SeatId(4), ProcessorId(1)}), noSeat);
    QCOMPARE(bench.refused(SeatVacated{SeatId(1), ProcessorId(9)}), noProcessor);
    QCOMPARE(bench.refused(MasterChanged{MasterRole::System, 0, ProcessorId(9)}), noProcessor);
    QCOMPARE(bench.refused(MasterChanged{MasterRole::Unit, 2, ProcessorId(0)}),
             std::string("unit 2 is not known"));
    QCOMPARE(bench.refused(MasterChanged{MasterRole::Cluster, 2, ProcessorId(0)}),
             std::string("subcluster 2 is not known"));
    QCOMPARE(bench.refused(SubclusterChanged{SubclusterId(2), ClusterState::Up, {}}),
             std::string("subcluster 2 is not known"));
    QCOMPARE(bench.refused(ProcessorDrained{ProcessorId(9), true, "ann"}), noProcessor);
    QCOMPARE(bench.refused(AlarmAcknowledged{{Epoch(1), Sequence(1)}, "ann", ""}),
             std::string("event 1.1 is acknowledged but has raised no alarm"));
    QVERIFY(bench.state.alarms().all().empty());
    QVERIFY(bench.state.failovers().empty());
}

void TestSystemState::whatRaisesAlarms()
{
    Bench bench;
    bench.must(Notice{Severity::Warning, "careful"});
    bench.must(becomes(2, Health::Suspect, HealthCause::Late));
    bench.must(becomes(2, Health::Left, HealthCause::None));
    bench.must(becomes(4, Health::Lost, HealthCause::Ordered));
    bench.must(SubclusterChanged{SubclusterId(0), ClusterState::Up, {}});
    QVERIFY(bench.state.alarms().all().empty());
    const EventId holder = bench.must(becomes(2, Health::Lost, HealthCause::Gone));
    const EventId standby = bench.must(becomes(3, Health::Fenced, HealthCause::Stuck));
    const EventId vacant = bench.must(SeatVacated{SeatId(1), ProcessorId(2)});
    const EventId down = bench.must(SubclusterChanged{SubclusterId(0), ClusterState::Down, {}});
    const EventId notice = bench.must(Notice{Severity::Failure, "the disk is gone"});
    const auto& all = bench.state.alarms().all();
    QCOMPARE(all.size(), std::size_t(5));
    QVERIFY(all[0].id == holder && all[0].kind == AlarmKind::ProcessorLost);
    QCOMPARE(all[0].subject, 2U);
    QCOMPARE(all[0].severity, Severity::Failure);
    QVERIFY(all[1].id == standby);
    QCOMPARE(all[1].severity, Severity::Warning);
    QVERIFY(all[2].id == vacant && all[2].kind == AlarmKind::SeatVacant && all[2].subject == 1);
    QVERIFY(all[3].id == down && all[3].kind == AlarmKind::SubclusterDown);
    QVERIFY(all[4].id == notice && all[4].kind == AlarmKind::Failure);
    QVERIFY(all[4].at == at(static_cast<std::int64_t>(notice.sequence.value())));
    QVERIFY(bench.state.alarms().find(vacant) == &all[2]);
    QVERIFY(bench.state.alarms().find(bench.next) == nullptr);
}

void TestSystemState::acknowledgements()
{
    Bench bench;
    const AlarmList& alarms = bench.state.alarms();
    const EventId first = bench.must(Notice{Severity::Failure, "one"});
    bench.must(Notice{Severity::Failure, "two"});
    QCOMPARE(alarms.unacknowledged(at(0)), std::size_t(2));
    bench.must(AlarmAcknowledged{first, "ann", "I look", at(100)});
    QCOMPARE(alarms.unacknowledged(at(99)), std::size_t(1));
    QCOMPARE(alarms.unacknowledged(at(100)), std::size_t(2)); // it has expired
    QVERIFY(alarms.find(first)->acknowledged(at(99)));
    QVERIFY(!alarms.find(first)->acknowledged(at(100)));
    QCOMPARE(alarms.find(first)->acknowledgement->who, std::string("ann"));
    QCOMPARE(alarms.find(first)->acknowledgement->comment, std::string("I look"));
    const EventId second = bench.must(AlarmAcknowledged{first, "bob", "mended"});
    QVERIFY(alarms.find(first)->acknowledgement->event == second);
    QCOMPARE(alarms.find(first)->acknowledgement->who, std::string("bob"));
    QCOMPARE(alarms.unacknowledged(WallTime::max()), std::size_t(1));
}

void TestSystemState::names()
{
    Bench bench;
    QCOMPARE(seatName(bench.system(), SeatId(1)), std::string("antenna rank 1"));
    QCOMPARE(seatName(bench.system(), SeatId(2)), std::string("store rank 0"));
    QCOMPARE(seatName(bench.system(), SeatId(3)), std::string("antenna I/O 0"));
    QCOMPARE(seatName(bench.system(), SeatId(9)), std::string("seat 9"));
    QCOMPARE(processorName(bench.system(), ProcessorId(4)), std::string("processor 4 (node1)"));
    QCOMPARE(processorName(bench.system(), ProcessorId(9)), std::string("processor 9"));
    bench.must(RunOpened{});
    SystemLaidOut alone;
    alone.subclusters = {{"antenna", 1, 0, 0, 1}};
    alone.seats = {{SubclusterId(0), SeatKind::Active, 0}, {SubclusterId(0), SeatKind::Master, 0}};
    bench.must(alone);
    QCOMPARE(seatName(bench.system(), SeatId(0)), std::string("rank 0"));
    QCOMPARE(seatName(bench.system(), SeatId(1)), std::string("master"));
    QCOMPARE(healthName(Health::Fenced), std::string_view("fenced"));
    QCOMPARE(healthCauseName(HealthCause::Missing), std::string_view("missing"));
    QCOMPARE(processorKindName(ProcessorKind::Io), std::string_view("I/O"));
}

void TestSystemState::randomHistories()
{
    std::size_t alarms = 0;
    std::size_t failovers = 0;
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        RandomHistory history(seed);
        RunState state;
        for (int round = 0; round < 10; ++round) {
            for (const Event& event : history.more(100)) {
                const auto applied = state.apply(event);
                QVERIFY2(applied.ok(), applied ? "" : applied.error().text().c_str());
            }
            const RandomSystem& expected = history.system();
            if (state.system().layout()) {
                for (std::uint32_t i = 0; i < state.system().seats().size(); ++i) {
                    const auto holder = expected.holders().find(SeatId(i));
                    QVERIFY(state.system().find(SeatId(i))->holder
                            == (holder == expected.holders().end()
                                    ? std::nullopt
                                    : std::optional(holder->second)));
                }
                QCOMPARE(state.system().processors().size(), expected.health().size());
                for (const auto& [id, health] : expected.health())
                    QCOMPARE(state.system().find(id)->health, health);
            }
            QCOMPARE(state.failovers().size(), expected.failovers());
            QCOMPARE(state.alarms().all().size(), expected.alarms().size());
            for (const auto& [id, said] : expected.alarms()) {
                const Alarm* alarm = state.alarms().find(id);
                QVERIFY(alarm != nullptr);
                QVERIFY((alarm->acknowledgement ? alarm->acknowledgement->event : EventId{})
                        == said);
            }
        }
        alarms += state.alarms().all().size();
        failovers += state.failovers().size();
    }
    QVERIFY(alarms > 100);
    QVERIFY(failovers > 50);
}

QTEST_APPLESS_MAIN(TestSystemState)

} // namespace tst_systemstate

#include "tst_systemstate.moc"

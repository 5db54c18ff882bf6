// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "domain/runstate.h"
#include "node/succession.h"

#include <algorithm>
#include <memory>
#include <random>

namespace tst_successionevents {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t processorCount = 8;
constexpr std::uint32_t seatCount = 4;
constexpr std::uint32_t clusterSize = processorCount / 2;

/// Two subclusters of two units with two ranks and two standbys each.
MembershipView twoClusters()
{
    std::vector<Place> places;
    for (std::uint32_t number = 0; number < processorCount; ++number) {
        const std::uint32_t in = number % clusterSize;
        const std::uint32_t cluster = number / clusterSize;
        places.push_back({.subcluster = SubclusterId(cluster),
                          .unit = UnitId(number / 2),
                          .kind = in < 2 ? ProcessorKind::Active : ProcessorKind::Standby,
                          .seat = in < 2 ? std::optional(SeatId(cluster * 2 + in)) : std::nullopt});
    }
    SystemTable system;
    return {places, std::vector<SeatKind>(seatCount, SeatKind::Active), system};
}

SystemLaidOut layoutOf(const MembershipView& view)
{
    SystemLaidOut layout;
    layout.subclusters = {{.name = "a", .active = 2, .standby = 2},
                          {.name = "b", .active = 2, .standby = 2}};
    for (std::uint32_t unit = 0; unit < processorCount / 2; ++unit)
        layout.units.push_back({.name = "u" + std::to_string(unit),
                                .host = "h",
                                .subcluster = SubclusterId(unit / 2)});
    for (std::uint32_t seat = 0; seat < seatCount; ++seat)
        layout.seats.push_back({SubclusterId(seat / 2), SeatKind::Active, seat % 2});
    for (std::uint32_t number = 0; number < processorCount; ++number) {
        const MemberRow& row = view.member(ProcessorId(number));
        layout.processors.push_back({.id = row.processor,
                                     .subcluster = view.subclusterOf(row.processor),
                                     .unit = row.unit,
                                     .kind = row.kind,
                                     .seat = row.seat,
                                     .host = number % 2 == 0 ? "h" : "g",
                                     .pid = 100 + number / 2}); // two hosts, alike numbers
    }
    return layout;
}

/// A record, and what the system has become since.
struct SuccessionBench {
    SuccessionBench()
    {
        record({RunOpened{}, layoutOf(now), MasterChanged{MasterRole::System, 0, ProcessorId(0)}});
    }
    void record(std::vector<EventPayload> payloads)
    {
        for (EventPayload& payload : payloads) {
            ++m_last;
            const Result<void> applied = state.apply({.id = {Epoch(1), Sequence(m_last)},
                                                      .wallTime = {},
                                                      .monotonic = {},
                                                      .payload = std::move(payload)});
            if (!applied)
                qFatal("%s", applied.error().text().c_str());
        }
    }
    /// Changes the table of a subcluster.
    template <class Change>
    void change(std::uint32_t cluster, Change change)
    {
        ClusterTable table = now.cluster(SubclusterId(cluster));
        ++table.version.revision;
        change(table);
        QVERIFY(now.adopt(std::make_shared<const ClusterTable>(std::move(table))));
    }
    void start()
    {
        SystemTable system = now.system();
        ++system.version.revision;
        system.started = true;
        now.adopt(std::make_shared<const SystemTable>(system));
    }
    /// @return what the record is told, after it was
    std::vector<EventPayload> succeed(std::uint32_t successor)
    {
        const Succession succession{
            .successor = ProcessorId(successor), .now = WallTime(1000s), .takeover = 12ms};
        std::vector<EventPayload> events = successionEvents(state.system(), now, succession);
        record(events);
        return events;
    }
    /// Whether the record has nothing to be told any more.
    [[nodiscard]] bool isTold(std::uint32_t successor) const
    {
        return successionEvents(state.system(), now,
                                {.successor = ProcessorId(successor), .now = {}, .takeover = 12ms})
            .empty();
    }

    MembershipView now = twoClusters();
    RunState state;

private:
    std::uint32_t m_last = 0;
};

void lose(ClusterTable& table, std::uint32_t processor)
{
    MemberRow& row = *table.member(ProcessorId(processor));
    row.health = Health::Lost;
    row.cause = HealthCause::Gone;
    row.detection = 3ms;
    if (row.seat) {
        SeatRow& seat = *table.seat(*row.seat);
        seat.previous = row.processor;
        row.seat.reset();
    }
}

void take(ClusterTable& table, std::uint32_t seat, std::uint32_t processor)
{
    SeatRow& row = *table.seat(SeatId(seat));
    row.incarnation = row.incarnation.next();
    row.taken = true;
    row.takeover = 9ms;
    table.member(ProcessorId(processor))->seat = row.seat;
}

template <class Kind>
std::vector<Kind> of(const std::vector<EventPayload>& events)
{
    std::vector<Kind> found;
    for (const EventPayload& event : events)
        if (const auto* kind = std::get_if<Kind>(&event))
            found.push_back(*kind);
    return found;
}

} // namespace

/// What the record of a run is told by who succeeds the system master.
class TestSuccessionEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhoWasLostAndWhoSucceeds();
    void countsFromTheVerdict();
    void nothingElseIsTold();
    void whoSucceedsItselfIsTold();
    void takeoversThatNobodyRecorded();
    void masterAfterMaster();
    void roleChangesThatNobodyRecorded();
    void randomGapsAreClosed();
    void whatTheRecordKnowsOfSeats();
};

void TestSuccessionEvents::saysWhoWasLostAndWhoSucceeds()
{
    SuccessionBench bench;
    bench.record({SystemStarted{}});
    bench.start();
    bench.change(0, [](ClusterTable& table) { lose(table, 0); });
    const std::vector<EventPayload> events = bench.succeed(1);
    QCOMPARE(bench.state.system().master(), ProcessorId(1));
    QCOMPARE(bench.state.failovers().size(), std::size_t(1));
    const Failover& failover = bench.state.failovers().back();
    QVERIFY(failover.ofSystem);
    QCOMPARE(failover.from.id, ProcessorId(0));
    QCOMPARE(failover.to.id, ProcessorId(1));
    QCOMPARE(failover.cause, HealthCause::Gone);
    QCOMPARE(failover.detection, std::chrono::microseconds(3ms));
    QCOMPARE(failover.takeover, std::chrono::microseconds(12ms));
    QCOMPARE(bench.state.alarms().all().size(), std::size_t(2)); // the loss, and the vacant rank
    QVERIFY(of<SystemStarted>(events).empty());
    QVERIFY(bench.isTold(1));
}

// Fails if the time that the successor itself has known of the loss counts where the tables say more.
void TestSuccessionEvents::countsFromTheVerdict()
{
    SuccessionBench bench;
    bench.start();
    bench.change(0, [](ClusterTable& table) {
        lose(table, 0);
        table.member(ProcessorId(0))->lostAt = WallTime(999s);
    });
    bench.succeed(1);
    const Failover& failover = bench.state.failovers().back();
    QCOMPARE(failover.lostAt, std::optional(WallTime(999s)));
    QCOMPARE(failover.detection, std::chrono::microseconds(3ms));
    QCOMPARE(failover.takeover, std::chrono::microseconds(997ms));
}

void TestSuccessionEvents::nothingElseIsTold()
{
    SuccessionBench bench;
    bench.succeed(0);
    QVERIFY(bench.isTold(0));
    QVERIFY(bench.state.failovers().empty());
}

/// Each time: the record tells the terms of one processor apart.
void TestSuccessionEvents::whoSucceedsItselfIsTold()
{
    SuccessionBench bench;
    bench.succeed(0);
    for (std::size_t times = 1; times < 3; ++times) {
        bench.record(successionEvents(
            bench.state.system(), bench.now,
            {.successor = ProcessorId(0), .now = {}, .takeover = 12ms, .ofItself = true}));
        QCOMPARE(bench.state.failovers().size(), times);
        QVERIFY(bench.state.failovers().back().ofSystem);
        QCOMPARE(bench.state.failovers().back().from.id, ProcessorId(0));
        QCOMPARE(bench.state.failovers().back().takeover, std::chrono::microseconds(12ms));
        QVERIFY(bench.isTold(0));
    }
}

/// Processor 4 was lost, 6 took over, was lost too, and 7 took over: the record knows 4 alone.
void TestSuccessionEvents::takeoversThatNobodyRecorded()
{
    SuccessionBench bench;
    bench.change(1, [](ClusterTable& table) {
        lose(table, 4);
        take(table, 2, 6);
        lose(table, 6);
        take(table, 2, 7);
    });
    bench.change(0, [](ClusterTable& table) { lose(table, 0); });
    const auto taken = of<SeatTaken>(bench.succeed(1));
    QCOMPARE(taken.size(), std::size_t(1));
    QCOMPARE(taken[0].holder, ProcessorId(7));
    QCOMPARE(taken[0].incarnation, Incarnation(3));
    QCOMPARE(*taken[0].previous, ProcessorId(6));
    const SystemState& system = bench.state.system();
    QCOMPARE(system.seats()[2].holder, ProcessorId(7));
    QVERIFY(!system.find(ProcessorId(4))->info.seat);
    QCOMPARE(system.find(ProcessorId(6))->health, Health::Lost);
    QVERIFY(bench.isTold(1));
}

void TestSuccessionEvents::masterAfterMaster()
{
    SuccessionBench bench;
    bench.change(0, [](ClusterTable& table) { lose(table, 0); });
    bench.succeed(1);
    bench.change(0, [](ClusterTable& table) { lose(table, 1); });
    bench.succeed(2);
    const std::vector<Failover>& failovers = bench.state.failovers();
    QCOMPARE(failovers.size(), std::size_t(2));
    QCOMPARE(failovers[1].from.id, ProcessorId(1));
    QCOMPARE(failovers[1].to.id, ProcessorId(2));
}

/// A rank went from 5 to 6 as an operator wanted, 6 was lost; 5 is a standby, drained.
void TestSuccessionEvents::roleChangesThatNobodyRecorded()
{
    SuccessionBench bench;
    bench.change(1, [](ClusterTable& table) {
        MemberRow& five = *table.member(ProcessorId(5));
        five.kind = ProcessorKind::Standby;
        five.drained = true;
        five.seat.reset();
        take(table, 3, 6);
        lose(table, 6);
    });
    bench.succeed(0);
    const SystemState& system = bench.state.system();
    QVERIFY(!system.seats()[3].holder);
    QCOMPARE(system.find(ProcessorId(5))->info.kind, ProcessorKind::Standby);
    QVERIFY(system.find(ProcessorId(5))->drained);
    QVERIFY(bench.isTold(0));
}

/// Whatever has happened: what is told fits the record, and it says then what is. What breaks it: an
/// order of events that RunState refuses.
void TestSuccessionEvents::randomGapsAreClosed()
{
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&random](std::uint32_t limit) {
            return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
        };
        SuccessionBench bench;
        std::uint32_t successor = 0;
        for (int gap = 0; gap < 3; ++gap) {
            if (below(2) != 0)
                bench.start();
            for (std::uint32_t steps = below(12); steps > 0; --steps) {
                const std::uint32_t cluster = below(2);
                const ProcessorId some(cluster * clusterSize + below(clusterSize));
                const SeatId seat(cluster * 2 + below(2));
                const std::uint32_t what = below(6);
                bench.change(cluster, [&](ClusterTable& table) {
                    MemberRow& row = *table.member(some);
                    const bool vacant = table.holder(seat) == nullptr;
                    if (what == 0 && row.living())
                        lose(table, some.value());
                    else if (what <= 2 && row.living() && !row.seat && vacant)
                        take(table, seat.value(), some.value());
                    else if (what == 3 && row.seat) {
                        table.seat(*row.seat)->previous = row.processor;
                        row.seat.reset(); // an operator wants it
                        row.kind = ProcessorKind::Standby;
                    } else if (what == 4) {
                        row.drained = !row.drained;
                    } else if (row.living()) {
                        row.health = below(2) == 0 ? Health::Alive : Health::Suspect;
                        table.state = static_cast<ClusterState>(below(3));
                    }
                });
            }
            successor = below(processorCount);
            bench.succeed(successor);
            QVERIFY2(bench.isTold(successor), qPrintable(QStringLiteral("seed %1").arg(seed)));
            for (std::uint32_t number = 0; number < processorCount; ++number) {
                const MemberRow& row = bench.now.member(ProcessorId(number));
                const SystemProcessor& told = *bench.state.system().find(row.processor);
                QCOMPARE(told.health, row.health);
                QCOMPARE(told.info.seat, row.seat);
                QCOMPARE(told.info.kind, row.kind);
                if (!told.drainOrdered) // else it is ordered again
                    QCOMPARE(told.drained, row.drained);
            }
        }
    }
}

/// The newest holding of each seat, also one that only its worker has told of.
void TestSuccessionEvents::whatTheRecordKnowsOfSeats()
{
    SuccessionBench bench;
    const auto holding = [&bench](std::uint32_t seat) {
        return recordedSeats(bench.state).at(seat);
    };
    QCOMPARE(recordedSeats(bench.state).size(), std::size_t(seatCount));
    QCOMPARE(holding(2), (RecordedSeat{SeatId(2), Incarnation(1), ProcessorId(4)}));
    bench.record({ProcessorJoined{
        .rank = Rank(2), .incarnation = Incarnation(1), .host = "h", .pid = 102, .slots = 1}});
    QCOMPARE(holding(2), (RecordedSeat{SeatId(2), Incarnation(1), ProcessorId(4)}));
    bench.change(1, [](ClusterTable& table) {
        lose(table, 4);
        take(table, 2, 6);
    });
    bench.succeed(0);
    QCOMPARE(holding(2), (RecordedSeat{SeatId(2), Incarnation(2), ProcessorId(6)}));
    for (const RecordedSeat& seat : recordedSeats(bench.state))
        QVERIFY(!isBehind(bench.now, seat));
    // 6 was lost as well, and 7 has said that it has the rank.
    bench.record(
        {ProcessorLost{Rank(2), Incarnation(1), LossCause::Gone},
         ProcessorJoined{
             .rank = Rank(2), .incarnation = Incarnation(3), .host = "g", .pid = 103, .slots = 1}});
    QCOMPARE(holding(2), (RecordedSeat{SeatId(2), Incarnation(3), ProcessorId(7)}));
    QVERIFY(isBehind(bench.now, holding(2)));
    bench.record({ProcessorLost{Rank(2), Incarnation(3), LossCause::Gone}});
    QCOMPARE(holding(2), (RecordedSeat{SeatId(2), Incarnation(3), std::nullopt}));
}

QTEST_APPLESS_MAIN(TestSuccessionEvents)

} // namespace tst_successionevents

#include "tst_successionevents.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "systemsimulation.h"

#include <chrono>
#include <random>

namespace tst_systemsimulated {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

/// Beats in which all must know what has happened: three for each level of the tree.
constexpr auto agreement = 3 * 3 * 100ms;

QString firstOf(const std::vector<std::string>& violations)
{
    return violations.empty() ? QString() : QString::fromStdString(violations.front());
}

/// Gets everybody ready and waits for the start.
bool start(SystemSimulation& system)
{
    system.readyAll();
    return system.runUntil(
        [&] {
            return system.membership(ProcessorId(0)).view().system().started && system.inStep();
        },
        5s);
}

/// Three standbys each; processors 0 and 8 are cluster masters.
constexpr SimulationShape spacious{.standby = 3};

/// A worker is replaced; as soon as that is recorded, some die that know of it, and what they have said
/// is lost with them.
/// @return whether it came to that
bool loseWhoKnows(SystemSimulation& system, SeatId seat, ProcessorId worker,
                  const std::vector<ProcessorId>& knowing)
{
    system.kill(worker);
    const auto replaced = [&] { return system.recorded(seat).incarnation == Incarnation(2); };
    if (!system.runUntil(replaced, 1s))
        return false;
    for (const ProcessorId processor : knowing)
        system.killUnheard(processor);
    return true;
}

std::size_t suspects(const SystemSimulation& system)
{
    const MembershipView& view = system.membership(ProcessorId(0)).view();
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < system.size(); ++i)
        count += view.member(ProcessorId(i)).health == Health::Suspect ? 1 : 0;
    return count;
}

} // namespace

/// Whole systems of membership agents, with everything that can go wrong, from seeds.
class TestSystemSimulated : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nobodyBeginsBeforeAllAreReady();
    void whoIsMissingIsNamed();
    void withoutFaults_data();
    void withoutFaults();
    void aKilledWorkerIsReplaced();
    void killedUnitMaster();
    void killedClusterMaster();
    void randomDeaths_data();
    void randomDeaths();
    void shortPauseIsASuspect();
    void longPauseIsALoss();
    void frozenUnit();
    void cutHostWaitsForItsLease();
    void ordersComeTrue_data();
    void ordersComeTrue();
    void roleChangesHands();
    void holdingsThatOnlyTheRecordKnows_data();
    void holdingsThatOnlyTheRecordKnows();
    void noticesARecordThatIsIgnored();
    void noticesOrdersThatAreLost();
    void noticesDrainsThatAreForgotten();
    void noticesAFenceThatDoesNotKill();
    void noticesResultsOfOldIncarnations();
};

void TestSystemSimulated::nobodyBeginsBeforeAllAreReady()
{
    SystemSimulation system({}, 1);
    for (std::uint32_t i = 0; i < system.size(); ++i) {
        if (i != 7)
            system.ready(ProcessorId(i));
    }
    system.run(10s);
    for (std::uint32_t i = 0; i < system.size(); ++i)
        QVERIFY(!system.membership(ProcessorId(i)).view().system().started);
    system.ready(ProcessorId(7));
    QVERIFY(system.runUntil(
        [&] {
            bool all = true;
            for (std::uint32_t i = 0; i < system.size(); ++i)
                all = all && system.membership(ProcessorId(i)).view().system().started;
            return all;
        },
        2s));
    QVERIFY(system.missing().empty());
}

void TestSystemSimulated::whoIsMissingIsNamed()
{
    SystemSimulation system({}, 2);
    for (std::uint32_t i = 0; i < system.size(); ++i) {
        if (i != 4 && i != 11)
            system.ready(ProcessorId(i));
    }
    system.run(61s);
    QCOMPARE(system.missing(), (std::vector<ProcessorId>{ProcessorId(4), ProcessorId(11)}));
}

void TestSystemSimulated::withoutFaults_data()
{
    QTest::addColumn<SimulationShape>("shape");
    QTest::addColumn<int>("seconds");
    SimulationShape lossy{.datagramLoss = 0.05, .messageLoss = 0.05};
    lossy.meanExtraDelay = 10ms;
    QTest::newRow("4") << SimulationShape{.subclusters = 1, .active = 3, .io = 0} << 30;
    QTest::newRow("12, losses and delays") << lossy << 60;
    QTest::newRow("64") << SimulationShape{.subclusters = 4, .units = 4, .active = 12, .standby = 3}
                        << 20;
    QTest::newRow("2048")
        << SimulationShape{.subclusters = 64, .units = 4, .active = 28, .standby = 3} << 3;
}

void TestSystemSimulated::withoutFaults()
{
    QFETCH(SimulationShape, shape);
    QFETCH(int, seconds);
    SystemSimulation system(shape, 3);
    QVERIFY(start(system));
    system.addTasks(20);
    system.run(std::chrono::seconds(seconds));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
    QCOMPARE(system.lostRows(), std::size_t(0));
    QCOMPARE(system.lapses() + system.fencedByLease(), std::size_t(0));
    QVERIFY(system.allDone());
    qInfo("%u processors: at most %.2f messages per master, child and beat, %.2f in a single beat",
          system.size(), system.busiestMaster(), system.busiestBeat());
    QVERIFY(system.busiestMaster() > 1.5 && system.busiestMaster() <= 4.0);
}

void TestSystemSimulated::aKilledWorkerIsReplaced()
{
    SystemSimulation system({}, 4);
    QVERIFY(start(system));
    system.addTasks(40);
    system.run(700ms);
    const ProcessorId worker(2); // of rank 1
    const ProcessorId standby(5);
    const Holding held = *system.membership(worker).holding();
    system.kill(worker);
    const SteadyTime then = system.now();
    QVERIFY(system.runUntil([&] { return system.membership(standby).holding().has_value(); }, 1s));
    QVERIFY2(system.now() - then < 20ms, "a standby waits for a beat");
    QCOMPARE(system.membership(standby).holding()->seat, held.seat);
    QCOMPARE(system.membership(standby).holding()->incarnation, held.incarnation.next());
    QVERIFY(system.runUntil([&] { return system.inStep(); }, agreement));
    system.run(200ms);
    const SeatRow& seat =
        *system.membership(ProcessorId(11)).view().cluster(SubclusterId(0)).seat(held.seat);
    QCOMPARE(seat.previous, std::optional(worker));
    QVERIFY(seat.taken);
    QVERIFY(seat.takeover > 0us && seat.takeover < 20ms);
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::killedUnitMaster()
{
    SystemSimulation system({}, 5);
    QVERIFY(start(system));
    system.addTasks(20);
    const ProcessorId master(9); // of the second unit of the second subcluster
    QVERIFY(system.membership(master).position().unitMaster);
    QVERIFY(!system.membership(master).position().clusterMaster);
    system.kill(master);
    system.run(agreement);
    QVERIFY(system.inStep());
    QVERIFY(system.membership(ProcessorId(10)).position().unitMaster);
    QCOMPARE(system.lostRows(), std::size_t(1));
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::killedClusterMaster()
{
    SystemSimulation system({}, 6);
    QVERIFY(start(system));
    system.addTasks(20);
    const ProcessorId master(6);
    QVERIFY(system.membership(master).position().clusterMaster);
    system.kill(master);
    system.run(agreement);
    QVERIFY(system.inStep());
    QVERIFY(system.membership(ProcessorId(7)).position().clusterMaster);
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    system.kill(ProcessorId(9)); // the new one decides about losses
    system.run(agreement);
    QVERIFY(system.inStep());
    QCOMPARE(system.lostRows(), std::size_t(2));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::randomDeaths_data()
{
    QTest::addColumn<SimulationShape>("shape");
    QTest::addColumn<int>("seeds");
    QTest::newRow("4") << SimulationShape{.subclusters = 1, .active = 2, .standby = 2, .io = 0}
                       << 200;
    SimulationShape lossy{.standby = 3, .datagramLoss = 0.1, .messageLoss = 0.1};
    lossy.meanExtraDelay = 5ms;
    QTest::newRow("16, losses") << lossy << 60;
    QTest::newRow("64") << SimulationShape{.subclusters = 4, .units = 4, .active = 12, .standby = 3}
                        << 20;
    QTest::newRow("2048")
        << SimulationShape{.subclusters = 64, .units = 4, .active = 28, .standby = 3} << 1;
}

void TestSystemSimulated::randomDeaths()
{
    QFETCH(SimulationShape, shape);
    QFETCH(int, seeds);
    if (const int wanted = qEnvironmentVariableIntValue("TASUKI_SIMULATION_SEEDS"); wanted > 0)
        seeds = wanted;
    double busiest = 0;
    double busiestBeat = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        SystemSimulation system(shape, static_cast<std::uint64_t>(seed));
        std::mt19937_64 random(static_cast<std::uint64_t>(seed) * 7919);
        QVERIFY(start(system));
        system.addTasks(10);
        const auto faults = 1 + random() % std::min<std::uint32_t>(8, system.size() / 2 - 1);
        std::set<ProcessorId> killed;
        for (std::uint64_t i = 0; i < faults; ++i) {
            system.run(std::chrono::milliseconds(random() % 250));
            const ProcessorId victim(
                static_cast<std::uint32_t>(1 + random() % (system.size() - 1)));
            if (random() % 4 == 0 && !killed.contains(victim)) {
                system.pause(victim);
                system.run(std::chrono::milliseconds(random() % 800));
                system.resume(victim);
            } else {
                system.kill(victim);
                killed.insert(victim);
            }
        }
        // Messages that are lost cost a beat each; without losses three a level are enough.
        const bool lossy = shape.messageLoss > 0;
        const auto limit = lossy ? 3 * agreement : agreement;
        QVERIFY2(system.runUntil(
                     [&] {
                         return system.inStep() && system.lostRows() == system.dead()
                             && suspects(system) == 0;
                     },
                     limit),
                 qPrintable(QStringLiteral("seed %1: %2 lost of %3, %4 suspects, in step: %5")
                                .arg(seed)
                                .arg(system.lostRows())
                                .arg(system.dead())
                                .arg(suspects(system))
                                .arg(system.inStep())));
        QVERIFY2(system.runUntil([&] { return system.allDone(); }, 60s),
                 qPrintable(QStringLiteral("seed %1").arg(seed)));
        QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
        QCOMPARE(system.lapses() + system.fencedByLease(), std::size_t(0));
        busiest = std::max(busiest, system.busiestMaster());
        busiestBeat = std::max(busiestBeat, system.busiestBeat());
    }
    qInfo("at most %.2f messages per master, child and beat, %.2f in a single beat", busiest,
          busiestBeat);
    QVERIFY(busiest <= 4.0);
}

void TestSystemSimulated::shortPauseIsASuspect()
{
    SystemSimulation system({}, 7);
    QVERIFY(start(system));
    system.addTasks(20);
    system.run(300ms);
    system.pause(ProcessorId(2));
    bool suspected = system.runUntil([&] { return suspects(system) == 1; }, 480ms);
    QVERIFY(suspected);
    system.run(50ms);
    system.resume(ProcessorId(2));
    QVERIFY(system.runUntil([&] { return suspects(system) == 0; }, agreement));
    QCOMPARE(system.lostRows(), std::size_t(0));
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::longPauseIsALoss()
{
    SystemSimulation system({}, 8);
    QVERIFY(start(system));
    system.addTasks(20);
    system.run(300ms);
    const Holding held = *system.membership(ProcessorId(2)).holding();
    system.pause(ProcessorId(2));
    QVERIFY(system.runUntil([&] { return system.membership(ProcessorId(5)).holding().has_value(); },
                            2s));
    QCOMPARE(system.membership(ProcessorId(5)).holding()->seat, held.seat);
    QVERIFY(!system.alive(ProcessorId(2)));
    system.run(agreement);
    QCOMPARE(system.membership(ProcessorId(0)).view().member(ProcessorId(2)).cause,
             HealthCause::Stopped);
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::frozenUnit()
{
    SystemSimulation system({}, 9);
    QVERIFY(start(system));
    system.addTasks(20);
    system.run(300ms);
    for (const std::uint32_t number : {9U, 10U, 11U}) // two ranks and the standby
        system.pause(ProcessorId(number));
    QVERIFY(system.runUntil([&] { return system.lostRows() == 3; }, 2s));
    QVERIFY(system.runUntil([&] { return system.inStep(); }, agreement));
    for (const std::uint32_t number : {9U, 10U, 11U})
        QVERIFY(!system.alive(ProcessorId(number)));
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::cutHostWaitsForItsLease()
{
    SimulationShape shape{.standby = 2, .oneHost = false};
    SystemSimulation system(shape, 10);
    QVERIFY(start(system));
    system.addTasks(20);
    system.run(300ms);
    // The second unit of the first subcluster: ranks 2 and 3 and the standbys; one of these is cut.
    const ProcessorId alone(4);
    QVERIFY(system.membership(alone).holding().has_value());
    const Holding held = *system.membership(alone).holding();
    for (std::uint32_t i = 0; i < system.size(); ++i) {
        if (i < 4 || i > 6)
            for (const std::uint32_t inside : {4U, 5U, 6U})
                system.setCut(ProcessorId(inside), ProcessorId(i), true);
    }
    QVERIFY(system.runUntil([&] { return system.membership(alone).standing() == Standing::Lapsed; },
                            4s));
    QVERIFY(!system.membership(alone).holding());
    QVERIFY(system.runUntil([&] { return system.lostRows() == 3; }, 4s));
    system.run(agreement);
    QCOMPARE(
        system.membership(ProcessorId(0)).view().cluster(SubclusterId(0)).seat(held.seat)->previous,
        std::optional(alone));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::ordersComeTrue_data()
{
    QTest::addColumn<SimulationShape>("shape");
    QTest::newRow("12") << SimulationShape{};
    SimulationShape lossy{.datagramLoss = 0.1, .messageLoss = 0.2};
    lossy.meanExtraDelay = 5ms;
    QTest::newRow("12, losses") << lossy;
    QTest::newRow("12 on four hosts") << SimulationShape{.oneHost = false};
}

void TestSystemSimulated::ordersComeTrue()
{
    QFETCH(SimulationShape, shape);
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SystemSimulation system(shape, seed);
        QVERIFY(start(system));
        system.addTasks(20);
        system.run(300ms);
        QVERIFY(system.order(DrainOrder{ProcessorId(11), true}).ok());
        QVERIFY(system.order(PromoteOrder{ProcessorId(9)}).ok());
        QVERIFY(system.order(PromoteOrder{ProcessorId(3)}).ok());
        QVERIFY(system.order(KindOrder{ProcessorId(2), ProcessorKind::Standby}).ok());
        QVERIFY(system.order(RulesOrder{SubclusterId(1), {.minimum = 3}}).ok());
        QVERIFY(system.changeSettings({.heartbeat = 90ms, .lostAfter = 12}).ok());
        const auto done = [&] { return system.inStep() && system.ordersMissing().empty(); };
        QVERIFY2(system.runUntil(done, shape.messageLoss > 0 ? 3 * agreement : agreement),
                 qPrintable(QStringLiteral("seed %1: %2")
                                .arg(seed)
                                .arg(QString::fromStdString(system.ordersMissing()))));
        QVERIFY(!system.membership(ProcessorId(0)).ordersOpen());
        QVERIFY(system.membership(ProcessorId(9)).position().clusterMaster);
        QVERIFY(system.membership(ProcessorId(0)).position().systemMaster);
        // A drained standby leaves the rank of who is stopped empty.
        QVERIFY(system.order(StopOrder{ProcessorId(8)}).ok());
        QVERIFY(system.runUntil([&] { return !system.alive(ProcessorId(8)) && done(); },
                                3 * agreement));
        QCOMPARE(system.membership(ProcessorId(10)).view().member(ProcessorId(8)).cause,
                 HealthCause::Ordered);
        QVERIFY(!system.membership(ProcessorId(11)).holding());
        QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
        QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
        QCOMPARE(system.lostRows(), std::size_t(1));
        QCOMPARE(system.lapses() + system.fencedByLease(), std::size_t(0));
    }
}

/// A rank changes its holder while both live: neither does anything for it at the same time.
void TestSystemSimulated::roleChangesHands()
{
    SystemSimulation system({}, 12);
    QVERIFY(start(system));
    system.addTasks(20);
    system.run(300ms);
    const Holding held = *system.membership(ProcessorId(2)).holding();
    QVERIFY(system.order(KindOrder{ProcessorId(2), ProcessorKind::Standby}).ok());
    const SteadyTime then = system.now();
    QVERIFY(system.runUntil([&] { return system.membership(ProcessorId(5)).holding().has_value(); },
                            1s));
    QVERIFY2(system.now() - then < 20ms, "somebody waits for a beat");
    QVERIFY(!system.membership(ProcessorId(2)).holding());
    QCOMPARE(system.membership(ProcessorId(5)).holding(),
             std::optional(Holding{held.seat, held.incarnation.next()}));
    system.run(agreement);
    QVERIFY(system.order(StopOrder{ProcessorId(5)}).ok()); // and back
    QVERIFY(system.runUntil([&] { return system.membership(ProcessorId(2)).holding().has_value(); },
                            1s));
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
}

void TestSystemSimulated::holdingsThatOnlyTheRecordKnows_data()
{
    QTest::addColumn<SeatId>("seat");
    QTest::addColumn<ProcessorId>("worker");
    QTest::addColumn<std::vector<ProcessorId>>("knowing");
    const ProcessorId master(0);
    const ProcessorId other(8);
    QTest::newRow("the holder lives") << SeatId(1) << ProcessorId(2) << std::vector{master};
    QTest::newRow("nobody does") << SeatId(1) << ProcessorId(2)
                                 << std::vector{master, ProcessorId(5)};
    QTest::newRow("nobody of another subcluster")
        << SeatId(5) << ProcessorId(10) << std::vector{master, other, ProcessorId(13)};
}

void TestSystemSimulated::holdingsThatOnlyTheRecordKnows()
{
    QFETCH(SeatId, seat);
    QFETCH(ProcessorId, worker);
    QFETCH(std::vector<ProcessorId>, knowing);
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SystemSimulation system(spacious, seed);
        QVERIFY(start(system));
        system.addTasks(20);
        QVERIFY(loseWhoKnows(system, seat, worker, knowing));
        QVERIFY(system.runUntil([&] { return system.recorded(seat).incarnation > Incarnation(2); },
                                2s));
        const RecordedSeat now = system.recorded(seat);
        QVERIFY(now.holder && system.alive(*now.holder));
        QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
        QVERIFY2(system.violations().empty(), qPrintable(firstOf(system.violations())));
    }
}

void TestSystemSimulated::noticesARecordThatIsIgnored()
{
    SystemSimulation system(spacious, 15, {.recordIsIgnored = true});
    QVERIFY(start(system));
    QVERIFY(loseWhoKnows(system, SeatId(1), ProcessorId(2), {ProcessorId(0), ProcessorId(5)}));
    system.run(2s);
    QVERIFY(!system.violations().empty());
}

void TestSystemSimulated::noticesOrdersThatAreLost()
{
    SystemSimulation system({}, 13, {.ordersAreLost = true});
    QVERIFY(start(system));
    QVERIFY(system.order(DrainOrder{ProcessorId(11), true}).ok());
    system.run(5s);
    QVERIFY(!system.ordersMissing().empty());
    QVERIFY(system.membership(ProcessorId(0)).ordersOpen());
}

void TestSystemSimulated::noticesDrainsThatAreForgotten()
{
    SystemSimulation system({}, 14, {.drainsAreForgotten = true});
    QVERIFY(start(system));
    QVERIFY(system.order(DrainOrder{ProcessorId(11), true}).ok());
    QVERIFY(system.runUntil([&] { return !system.membership(ProcessorId(0)).ordersOpen(); }, 1s));
    system.kill(ProcessorId(6)); // the cluster master; its successor has it from others
    system.run(1s);
    system.kill(ProcessorId(8));
    system.run(1s);
    QVERIFY(!system.violations().empty());
    QVERIFY(!system.ordersMissing().empty());
}

void TestSystemSimulated::noticesAFenceThatDoesNotKill()
{
    SystemSimulation system({}, 11, {.killsDoNothing = true});
    QVERIFY(start(system));
    system.pause(ProcessorId(2));
    system.run(1500ms);
    system.resume(ProcessorId(2));
    system.run(1s);
    QVERIFY(!system.violations().empty());
}

void TestSystemSimulated::noticesResultsOfOldIncarnations()
{
    // A seat that changes its holder while a result of the old one is on its way.
    SimulationShape shape;
    shape.meanExtraDelay = 40ms;
    bool noticed = false;
    for (std::uint64_t seed = 1; seed <= 20 && !noticed; ++seed) {
        SystemSimulation system(shape, seed, {.staleResultsCount = true});
        QVERIFY(start(system));
        system.addTasks(200);
        for (const std::uint32_t victim : {2U, 8U}) {
            system.run(400ms);
            system.kill(ProcessorId(victim));
        }
        system.runUntil([&] { return system.allDone(); }, 60s);
        noticed = !system.violations().empty();
    }
    QVERIFY(noticed);
}

QTEST_APPLESS_MAIN(TestSystemSimulated)

} // namespace tst_systemsimulated

#include "tst_systemsimulated.moc"

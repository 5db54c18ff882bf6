// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/electorate.h"
#include "hierarchy/rankchanges.h"
#include "hierarchy/tablewriter.h"

#include "membershipstage.h"
#include "outagecourse.h"

namespace tst_guests {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;

namespace {

const ProcessorId guest{8};
const SeatId guestSeat{6};
constexpr Life guestLife = firstLifeOf(1);

/// The two subclusters of startedView(), with two reserved numbers in the first one: 8 has a rank to come, 9 has
/// none.
MembershipView viewWithGuests(bool started = true)
{
    std::vector<Place> places;
    const MembershipView plain = startedView();
    for (std::uint32_t number = 0; number < 8; ++number) {
        const MemberRow& row = plain.member(ProcessorId(number));
        places.push_back({.subcluster = plain.subclusterOf(ProcessorId(number)),
                          .unit = row.unit,
                          .kind = row.kind,
                          .seat = row.seat});
    }
    places.push_back({.unit = UnitId(2), .seat = guestSeat, .reserved = true});
    places.push_back({.unit = UnitId(3), .reserved = true});
    std::vector<SeatKind> seats(4, SeatKind::Active);
    seats.resize(6, SeatKind::Io);
    seats.push_back(SeatKind::Active);
    MembershipView view(places, seats, {});
    if (!started)
        return view;
    for (std::uint32_t cluster = 0; cluster < 2; ++cluster) {
        view.adopt(clusterAfter(view, cluster, [](ClusterTable& table) {
            table.state = ClusterState::Up;
            for (MemberRow& row : table.members)
                row.health = row.reserved() ? row.health : Health::Alive;
        }));
    }
    view.adopt(systemAfter(view, [](SystemTable& system) { system.started = true; }));
    return view;
}

/// Sets the life of one that lives.
MembershipView withLife(const MembershipView& view, std::uint32_t processor, Life life)
{
    MembershipView out = view;
    const ProcessorId one(processor);
    out.adopt(clusterAfter(view, view.subclusterOf(one).value(), [&](ClusterTable& table) {
        MemberRow& row = *table.member(one);
        row.life = life;
        row.health = Health::Alive;
        row.kind = ProcessorKind::Standby;
        row.seat.reset();
        row.ended = false;
    }));
    return out;
}

Rejoin pleaOf(ProcessorId who, Life life, std::uint64_t number = 7)
{
    return {.processor = who, .life = life, .number = number};
}

bool started(const SystemSimulation& system)
{
    return system.membership(ProcessorId(0)).view().system().started && system.inStep();
}

/// @return whether a processor that came after the start is a member for all that may act
bool isIn(const SystemSimulation& system, ProcessorId one)
{
    const MembershipView& view = system.membership(system.systemMaster()).view();
    return system.works(one) && system.inStep() && view.member(one).health == Health::Alive;
}

QString violation(const SystemSimulation& system)
{
    return system.violations().empty() ? QString()
                                       : QString::fromStdString(system.violations().front());
}

} // namespace

/// Reserved numbers and seats, and those that come with them while the run goes on.
class TestGuests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hasRoomForThem();
    void givesReservedSeatsToGuestsOnly();
    void comeLast();
    void haveNoVote();
    void asksThoughNothingHasStarted();
    void isLetIn();
    void isLetInOnlyAfterTheStart();
    void isLetInThoughNobodyComesBack();
    void refusesANumberInUse();
    void refusesANumberThatWasUsed();
    void hearsNothingOfOthersWithItsNumber();
    void asksAnewWhenItIsForgotten();
    void startsWithoutThem();
    void takesOverFromWhoIsLost();
    void growsTheFarm();
    void diesAndItsSeatGoesOn();
    void comesBackAsOthersDo();
    void doesNotBecomeMaster();
    void doesNotCountForAMajority();
    void leadsWhenNobodyElseLives();
    void randomCourses_data();
    void randomCourses();
};

void TestGuests::hasRoomForThem()
{
    const MembershipView view = viewWithGuests(false);
    const MemberRow& row = view.member(guest);
    QVERIFY(row.reserved() && !row.living() && !row.ofStart() && !row.seat);
    QCOMPARE(row.kind, ProcessorKind::Standby);
    const ClusterTable& table = view.cluster(SubclusterId(0));
    QVERIFY(table.holder(guestSeat) == nullptr);
    QCOMPARE(table.seat(guestSeat)->incarnation, Incarnation());
    QVERIFY(!table.seat(guestSeat)->open && !table.seat(guestSeat)->previous);
    QCOMPARE(table.heldRanks(), std::size_t(2));
    QVERIFY(!unitMaster(table, UnitId(2)));
    QVERIFY(!holdersAwaited(viewWithGuests()));
    QCOMPARE(positionOf(view, guest), Position{});
}

void TestGuests::givesReservedSeatsToGuestsOnly()
{
    const MembershipView view = viewWithGuests();
    SteadyTime now{100s};
    TableWriter writer(ProcessorId(0), view.cluster(SubclusterId(0)), now);
    writer.follows(ProcessorId(3), writer.draft().version.term, now);
    QVERIFY(writer.draft().holder(guestSeat) == nullptr); // a standby of the start lives
    writer.observe({.processor = guest, .what = Observation::Returned, .life = guestLife}, now);
    QCOMPARE(writer.draft().member(guest)->health, Health::Alive);
    QVERIFY(writer.draft().holder(guestSeat) == nullptr);
    now += 4s;
    writer.trustReturned(now, 3s);
    QCOMPARE(writer.draft().holder(guestSeat), writer.draft().member(guest));
    QCOMPARE(writer.draft().seat(guestSeat)->incarnation, Incarnation(1));
    // That was no takeover.
    QVERIFY(writer.publish(now, {})->takeovers.empty());
    writer.observe({.processor = guest,
                    .what = Observation::Gone,
                    .cause = HealthCause::Gone,
                    .life = guestLife},
                   now);
    QCOMPARE(writer.draft().holder(guestSeat), writer.draft().member(ProcessorId(3)));
    QCOMPARE(writer.draft().seat(guestSeat)->incarnation, Incarnation(2));
    QCOMPARE(writer.publish(now, {})->takeovers.size(), std::size_t(1));
}

void TestGuests::comeLast()
{
    MembershipView view = withLife(withLife(viewWithGuests(), 8, guestLife), 1, Life(2));
    const ClusterTable& table = view.cluster(SubclusterId(0));
    for (const std::uint32_t other : {0U, 1U, 2U, 3U}) {
        QVERIFY(precedes(*table.member(ProcessorId(other)), *table.member(guest)));
        QVERIFY(placeInSuccession(view, ProcessorId(other)) < placeInSuccession(view, guest));
    }
    // Also after those of other subclusters, and those that came back there.
    for (const std::uint32_t other : {4U, 5U, 6U, 7U})
        view = withLife(view, other, Life(2));
    view.adopt(clusterAfter(view, 0, [](ClusterTable& own) {
        for (MemberRow& row : own.members)
            row.health = row.processor == guest ? Health::Alive : Health::Lost;
    }));
    QCOMPARE(clusterMaster(view.cluster(SubclusterId(0))), guest);
    QCOMPARE(systemMaster(view), ProcessorId(4));
    QVERIFY(placeInSuccession(view, ProcessorId(7)) < placeInSuccession(view, guest));
}

void TestGuests::haveNoVote()
{
    MembershipView view = viewWithGuests();
    const auto all = processors({0, 1, 2, 3, 4, 5, 6, 7});
    QCOMPARE(votersOf(view), all);
    view = withLife(view, 8, guestLife);
    QCOMPARE(votersOf(view), all); // whoever knows of it already
    QCOMPARE(votersWanted(view), all);
}

void TestGuests::asksThoughNothingHasStarted()
{
    Stage stage(8, {.arrival = 3}, {}, viewWithGuests(false));
    QVERIFY(stage.membership.fenced());
    QCOMPARE(stage.fencings, 1);
    QVERIFY(stage.sent.empty());
    stage.membership.comeBack();
    QCOMPARE(stage.life, firstLifeOf(3));
    stage.run(1s);
    QVERIFY(stage.count<Rejoin>(0) >= 9);
    QVERIFY(stage.count<Rejoin>(4) >= 1);
    QCOMPARE(stage.count<Rejoin>(9), std::size_t(0)); // nobody is there
    QVERIFY(!last<Rejoin>(stage, 0)->acknowledged);
    stage.run(60s);
    QCOMPARE(stage.refusals, 1);
}

void TestGuests::isLetIn()
{
    Stage stage(0, {}, {}, viewWithGuests());
    stage.resync({3});
    stage.run(500ms, [&] { stage.beat({1, 2, 3, 4}); });
    QVERIFY(std::ranges::none_of(stage.sent, [](const auto& item) { return item.first >= guest; }));
    stage.hear(8, pleaOf(guest, guestLife), guestLife);
    QCOMPARE(stage.health(8), Health::Alive);
    QCOMPARE(stage.membership.view().member(guest).life, guestLife);
    stage.hear(8, pleaOf(guest, guestLife, 9), guestLife);
    const auto told = last<Admission>(stage, 8);
    QVERIFY(told && told->life == guestLife && !told->lostFor);
    // The guest takes it.
    Stage its(8, {}, {}, viewWithGuests(false));
    its.membership.comeBack();
    its.membership.poll();
    Admission answer = *told;
    answer.reply.number = last<Rejoin>(its, 0)->number;
    its.hear(0, answer);
    QVERIFY(!its.membership.fenced());
    QCOMPARE(its.returns, 1);
    QVERIFY(its.membership.position().unitMaster && !its.membership.position().clusterMaster);
    QCOMPARE(its.membership.position().parent, ProcessorId(0));
}

void TestGuests::isLetInOnlyAfterTheStart()
{
    MembershipView view = viewWithGuests(false);
    Stage stage(0, {}, {}, view);
    stage.membership.poll();
    stage.hear(8, pleaOf(guest, guestLife), guestLife);
    QVERIFY(stage.membership.view().member(guest).reserved());
    QCOMPARE(stage.count<Banish>(8), std::size_t(0)); // it goes on asking
}

void TestGuests::isLetInThoughNobodyComesBack()
{
    Stage stage(0, {}, {}, viewWithGuests());
    stage.membership.poll();
    QVERIFY(stage.membership.changeSettings({.rejoin = false}));
    stage.hear(8, pleaOf(guest, guestLife), guestLife);
    QCOMPARE(stage.health(8), Health::Alive);
    stage.end(8);
    QCOMPARE(stage.health(8), Health::Lost);
    stage.hear(8, pleaOf(guest, guestLife.next()), guestLife.next());
    QCOMPARE(stage.health(8), Health::Lost);
}

// Fails if a number in use is given away, and with it the seat of who lives.
void TestGuests::refusesANumberInUse()
{
    Stage stage(0, {}, {}, viewWithGuests());
    stage.resync({3});
    const Life other = firstLifeOf(2);
    stage.hear(8, pleaOf(guest, guestLife), guestLife);
    stage.hear(8, pleaOf(guest, other), other);
    QCOMPARE(stage.health(8), Health::Alive);
    QCOMPARE(stage.membership.view().member(guest).life, guestLife);
    QCOMPARE(last<Banish>(stage, 8), (Banish{.life = other, .forGood = true}));
    // Who writes the table may have let in another one meanwhile.
    stage.hear(1, Observations{{{guest, Observation::Returned, HealthCause::Silent, 0us, other}}});
    QCOMPARE(stage.membership.view().member(guest).life, guestLife);
    // The same of a processor of the start.
    stage.hear(2, pleaOf(ProcessorId(2), other), other);
    QCOMPARE(stage.health(2), Health::Alive);
    QCOMPARE(stage.membership.view().member(ProcessorId(2)).life, Life(1));
    // Who has the number may come back, as all others.
    stage.hear(8, pleaOf(guest, guestLife.next()), guestLife.next());
    QCOMPARE(stage.health(8), Health::Fenced);
    stage.hear(8, pleaOf(guest, guestLife.next()), guestLife.next());
    QCOMPARE(stage.health(8), Health::Alive);
}

void TestGuests::refusesANumberThatWasUsed()
{
    for (const bool left : {false, true}) {
        Stage stage(0, {}, {}, viewWithGuests());
        stage.resync({3});
        stage.hear(8, pleaOf(guest, guestLife), guestLife);
        if (left)
            stage.hear(8, Beat{.number = 8, .readiness = Readiness::Leaving}, guestLife);
        else
            stage.end(8);
        QCOMPARE(stage.health(8), left ? Health::Left : Health::Lost);
        const Life other = firstLifeOf(2);
        stage.hear(8, pleaOf(guest, other), other);
        QCOMPARE(last<Banish>(stage, 8), (Banish{.life = other, .forGood = true}));
        QVERIFY(!stage.membership.view().member(guest).living());
    }
}

void TestGuests::hearsNothingOfOthersWithItsNumber()
{
    const MembershipView view = withLife(viewWithGuests(), 8, guestLife);
    Stage stage(8, {}, {}, viewWithGuests(false));
    stage.membership.comeBack();
    stage.membership.poll();
    const Banish refusal{.life = firstLifeOf(2), .forGood = true};
    stage.hear(0, refusal);
    QCOMPARE(stage.refusals, 0);
    stage.hear(0,
               Admission{.life = guestLife,
                         .reply = {.number = last<Rejoin>(stage, 0)->number},
                         .tables = newerThan({}, view)});
    QVERIFY(!stage.membership.fenced());
    stage.hear(0, refusal);
    QVERIFY(!stage.membership.fenced());
    stage.hear(0, Banish{.life = guestLife});
    QVERIFY(stage.membership.fenced());
}

// Fails if a guest waits for nothing that was let in by a system master that was cut off then.
void TestGuests::asksAnewWhenItIsForgotten()
{
    const MembershipView before = viewWithGuests();
    const MembershipView view = withLife(before, 8, guestLife);
    Stage stage(8, {}, {}, viewWithGuests(false));
    stage.membership.comeBack();
    stage.membership.poll();
    stage.hear(0,
               Admission{.life = guestLife,
                         .reply = {.number = last<Rejoin>(stage, 0)->number},
                         .tables = newerThan({}, view)});
    QVERIFY(!stage.membership.fenced());
    ClusterTable other = before.cluster(SubclusterId(0));
    other.version.term = termBeyond(Generation(1), 0);
    const auto table = std::make_shared<const ClusterTable>(other);
    // Those who have that table say so.
    MembershipView ahead = before;
    ahead.adopt(table);
    Stage theirs(4, {}, {}, ahead);
    theirs.hear(8, Beat{.number = 5, .own = table->version}, guestLife);
    QCOMPARE(theirs.count<Tables>(8), std::size_t(0));
    theirs.hear(8, Beat{.number = 6, .own = view.cluster(SubclusterId(0)).version}, guestLife);
    const auto told = last<Tables>(theirs, 8);
    QVERIFY(told);
    QCOMPARE(theirs.count<BeatReply>(8), std::size_t(0));
    stage.hear(4, *told);
    QVERIFY(stage.membership.fenced());
    stage.membership.comeBack();
    QCOMPARE(stage.life, guestLife.next());
}

void TestGuests::startsWithoutThem()
{
    for (const bool oneHost : {true, false}) {
        SystemSimulation system({.units = 1, .oneHost = oneHost, .guests = 5, .guestSeats = 2}, 1);
        std::size_t toNobody = 0;
        system.listen([&](ProcessorId, ProcessorId to, const ControlMessage&) {
            toNobody += to.value() >= system.shape().ofStart() ? 1U : 0U;
        });
        system.readyAll();
        QVERIFY(system.runUntil([&] { return started(system); }, 5s));
        system.addTasks(20);
        QVERIFY(system.runUntil([&] { return system.allDone(); }, 30s));
        QCOMPARE(toNobody, std::size_t(0));
        QVERIFY(system.missing().empty());
        QCOMPARE(system.lostRows(), std::size_t(5));
        const MembershipView& view = system.membership(ProcessorId(0)).view();
        QCOMPARE(view.cluster(SubclusterId(0)).state, ClusterState::Up);
        QCOMPARE(violation(system), QString());
    }
}

/// A system that runs, of some hosts with two guests on others.
struct Running {
    explicit Running(SimulationShape shape, std::uint64_t seed = 1) : system(shape, seed)
    {
        system.readyAll();
        begun = system.runUntil([this] { return started(system); }, 5s);
        system.run(1s);
    }
    [[nodiscard]] ProcessorId guest(std::uint32_t which) const
    {
        return ProcessorId(system.shape().ofStart() + which);
    }
    bool join(std::uint32_t which)
    {
        system.join(guest(which));
        return system.runUntil([&] { return isIn(system, guest(which)); }, 5s);
    }
    [[nodiscard]] bool holds(ProcessorId one) const
    {
        return system.membership(one).holding().has_value();
    }

    SystemSimulation system;
    bool begun = false;
};

void TestGuests::takesOverFromWhoIsLost()
{
    Running running({.subclusters = 1, .standby = 0, .oneHost = false, .guests = 2});
    SystemSimulation& system = running.system;
    QVERIFY(running.begun && running.join(0));
    system.run(5s);
    QVERIFY(!running.holds(running.guest(0)));
    const ProcessorId lost(3);
    const auto held = system.membership(lost).holding();
    system.addTasks(50);
    system.kill(lost);
    QVERIFY(system.runUntil([&] { return running.holds(running.guest(0)); }, 10s));
    QCOMPARE(system.membership(running.guest(0)).holding()->seat, held->seat);
    QCOMPARE(system.membership(running.guest(0)).holding()->incarnation, Incarnation(2));
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY(system.tasksOf(running.guest(0)) > 0);
    QCOMPARE(violation(system), QString());
}

void TestGuests::growsTheFarm()
{
    Running running({.subclusters = 1, .oneHost = false, .guests = 2, .guestSeats = 2});
    SystemSimulation& system = running.system;
    QVERIFY(running.begun);
    QCOMPARE(system.membership(ProcessorId(0)).view().cluster(SubclusterId(0)).heldRanks(),
             std::size_t(4));
    QVERIFY(running.join(0) && running.join(1));
    for (const std::uint32_t which : {0U, 1U})
        QVERIFY(system.runUntil([&] { return running.holds(running.guest(which)); }, 5s));
    QCOMPARE(system.membership(ProcessorId(0)).view().cluster(SubclusterId(0)).heldRanks(),
             std::size_t(6));
    system.addTasks(60);
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QVERIFY(system.tasksOf(running.guest(0)) > 0 && system.tasksOf(running.guest(1)) > 0);
    QCOMPARE(violation(system), QString());
}

void TestGuests::diesAndItsSeatGoesOn()
{
    Running running({.subclusters = 1, .oneHost = false, .guests = 1, .guestSeats = 1});
    SystemSimulation& system = running.system;
    QVERIFY(running.begun && running.join(0));
    QVERIFY(system.runUntil([&] { return running.holds(running.guest(0)); }, 5s));
    const SeatId seat = system.membership(running.guest(0)).holding()->seat;
    system.addTasks(60);
    system.run(300ms);
    system.kill(running.guest(0));
    const ProcessorId standby(5);
    QVERIFY(system.runUntil([&] { return running.holds(standby); }, 10s));
    QCOMPARE(system.membership(standby).holding(), (Holding{seat, Incarnation(2)}));
    QVERIFY(system.runUntil([&] { return system.allDone(); }, 60s));
    QCOMPARE(violation(system), QString());
}

void TestGuests::comesBackAsOthersDo()
{
    Running running({.subclusters = 1, .oneHost = false, .rejoin = true, .guests = 1});
    SystemSimulation& system = running.system;
    QVERIFY(running.begun && running.join(0));
    std::vector<std::uint32_t> sides(system.hosts());
    sides[system.hostOf(running.guest(0))] = 1;
    system.part(sides);
    system.run(10s);
    QVERIFY(!system.works(running.guest(0)));
    QCOMPARE(system.acting(), processors({0})); // and nobody of the start minds
    system.heal();
    QVERIFY(system.runUntil([&] { return system.everybodyIsBack(); }, 15s));
    QCOMPARE(system.lifeOf(running.guest(0)), firstLifeOf(1).next());
    QCOMPARE(violation(system), QString());
}

void TestGuests::doesNotBecomeMaster()
{
    for (const bool oneHost : {true, false}) {
        Running running({.subclusters = 2, .units = 1, .oneHost = oneHost, .guests = 2});
        SystemSimulation& system = running.system;
        QVERIFY(running.begun && running.join(0) && running.join(1));
        // One after the other, as far as there is a majority.
        const std::uint32_t most = oneHost ? system.shape().ofStart() - 1 : 5;
        for (std::uint32_t number = 0; number < most; ++number) {
            system.kill(ProcessorId(number));
            QVERIFY(system.runUntil(
                [&] {
                    const auto acting = system.acting();
                    return acting.size() == 1 && acting.front() != ProcessorId(number)
                        && system.inStep();
                },
                15s));
            QVERIFY(system.acting().front().value() < system.shape().ofStart());
            system.run(2s);
        }
        QCOMPARE(violation(system), QString());
    }
}

// Three hosts with one each, and four guests, on which nobody relies.
void TestGuests::doesNotCountForAMajority()
{
    Running running({.subclusters = 1,
                     .units = 3,
                     .active = 3,
                     .standby = 0,
                     .io = 0,
                     .oneHost = false,
                     .rejoin = true,
                     .guests = 4});
    SystemSimulation& system = running.system;
    QVERIFY(running.begun);
    for (const std::uint32_t which : {0U, 1U, 2U, 3U})
        QVERIFY(running.join(which));
    system.run(10s);
    std::vector<std::uint32_t> sides(system.hosts(), 1);
    sides[0] = sides[1] = 0;
    system.part(sides);
    system.run(15s);
    QCOMPARE(system.acting(), processors({0}));
    QVERIFY(!system.works(ProcessorId(2)));
    system.heal();
    const auto all = processors({0, 1, 2});
    QVERIFY(system.runUntil(
        [&] {
            return system.everybodyIsBack()
                && system.membership(ProcessorId(0)).view().system().voters == all;
        },
        20s));
    // The system master alone with all guests is none.
    sides.assign(system.hosts(), 0);
    sides[1] = sides[2] = 1;
    system.part(sides);
    QVERIFY(system.runUntil([&] { return system.acting() == processors({1}); }, 15s));
    QVERIFY(!system.works(ProcessorId(0)) && !system.works(running.guest(0)));
    system.heal();
    QVERIFY(system.runUntil([&] { return system.everybodyIsBack(); }, 20s));
    QCOMPARE(violation(system), QString());
}

void TestGuests::leadsWhenNobodyElseLives()
{
    Running running({.subclusters = 1, .oneHost = true, .guests = 1});
    SystemSimulation& system = running.system;
    QVERIFY(running.begun && running.join(0));
    system.run(4s);
    for (std::uint32_t number = 0; number < system.shape().ofStart(); ++number)
        system.kill(ProcessorId(number));
    QVERIFY(system.runUntil([&] { return system.acting() == std::vector{running.guest(0)}; }, 15s));
    QCOMPARE(violation(system), QString());
}

void TestGuests::randomCourses_data()
{
    QTest::addColumn<OutageKind>("kind");
    for (OutageRow row : outageRows()) {
        row.kind.guests = 4;
        QTest::newRow(row.name.c_str()) << row.kind;
    }
}

/// Guests come at any time; TASUKI_SIMULATION_SEEDS as in tst_outages.
void TestGuests::randomCourses()
{
    QFETCH(OutageKind, kind);
    constexpr int seedsOfEach = 3;
    const int seeds = qEnvironmentVariableIsSet("TASUKI_SIMULATION_SEEDS")
        ? qEnvironmentVariableIntValue("TASUKI_SIMULATION_SEEDS")
        : seedsOfEach;
    OutageFigures figures;
    for (int seed = 1; seed <= seeds; ++seed) {
        const std::string wrong =
            OutageCourse(kind, static_cast<std::uint64_t>(seed), figures).run();
        if (!wrong.empty())
            qWarning("seed %d: %s", seed, wrong.c_str());
    }
    QCOMPARE(figures.failed, 0);
}

QTEST_APPLESS_MAIN(TestGuests)

} // namespace tst_guests

#include "tst_guests.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_membershipagent {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

Tables tablesWith(ClusterTable table)
{
    table.version.term = TableTerm(table.version.term.value() + 100);
    return {.clusters = {std::make_shared<const ClusterTable>(std::move(table))},
            .system = nullptr};
}

} // namespace

class TestMembershipAgent : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void strangeTablesAreRefused_data();
    void strangeTablesAreRefused();
    void whoWasLateListensFirst();
    void whoGivesUpDecidesNothing();
    void whoBeatsFasterIsAnswered();
    void condemnedAreNotAnswered();
    void leaseEndsWithTheMasters();
    void observationsGoOnOnce();
    void fenceOnlyOnTheOwnHost();
    void shorterBeatsAccuseNobody();
    void leavingClusterMasterHasLeft();
    void lossesAreToldToTheSystemMasterAtOnce();
    void looksAroundWhenSomebodyMayBeLate();
};

// Fails if a processor wakes more often than it beats while all is well, or sees late who is silent.
void TestMembershipAgent::looksAroundWhenSomebodyMayBeLate()
{
    Stage stage(0);
    stage.resync({1, 2, 3, 4});
    // Polls when it is due, and not before; the others beat in between.
    const auto run = [&](std::chrono::nanoseconds time,
                         std::initializer_list<std::uint32_t> alive) {
        int polls = 0;
        const SteadyTime end = stage.clock.now() + time;
        SteadyTime due = stage.membership.poll();
        for (SteadyTime nextBeats = stage.clock.now() + 50ms; stage.clock.now() < end;) {
            const SteadyTime next = std::min(due, nextBeats);
            stage.clock.advance(next - stage.clock.now());
            if (next == nextBeats) {
                stage.beat(alive);
                nextBeats += 100ms;
            }
            if (next == due) {
                due = stage.membership.poll();
                ++polls;
            }
        }
        return polls;
    };
    run(1s, {1, 2, 3, 4});
    QVERIFY(run(10s, {1, 2, 3, 4}) <= 101);
    for (const std::uint32_t number : {1U, 2U, 3U, 4U})
        QCOMPARE(stage.health(number), Health::Alive);
    // Its last beat was 50 ms ago; 300 ms after it, and a quarter of a beat, it is late.
    run(225ms, {1, 2, 4});
    QCOMPARE(stage.health(3), Health::Alive);
    run(50ms, {1, 2, 4});
    QCOMPARE(stage.health(3), Health::Suspect);
    run(850ms, {1, 2, 4}); // killed with the next beat
    QVERIFY(!stage.killed.empty());
    QCOMPARE(std::set(stage.killed.begin(), stage.killed.end()), std::set{ProcessorId(3)});
}

// Fails if the system master, which records it, hears of a loss or a takeover with the next beat only.
void TestMembershipAgent::lossesAreToldToTheSystemMasterAtOnce()
{
    Stage stage(4); // cluster master of the second subcluster
    stage.hear(0, Ask{});
    stage.run(300ms, [&] { stage.beat({5, 6, 7}); });
    stage.sent.clear();
    stage.membership.gone(ProcessorId(5));
    QCOMPARE(stage.health(5), Health::Lost);
    QCOMPARE(stage.count<Tables>(0), 1U);
    QCOMPARE(stage.count<Tables>(7), 1U); // which gets its seat
    const auto seat = [&] {
        return *stage.membership.view().cluster(SubclusterId(1)).seat(SeatId(2));
    };
    stage.hear(7, Taken{{SeatId(2), seat().incarnation}});
    QVERIFY(seat().taken);
    QCOMPARE(stage.count<Tables>(0), 2U);
    stage.membership.gone(ProcessorId(6)); // for which there is no standby
    QCOMPARE(stage.count<Tables>(0), 3U);
    QCOMPARE(stage.count<Tables>(7), 1U); // with the next beat
}

void TestMembershipAgent::strangeTablesAreRefused_data()
{
    QTest::addColumn<ClusterTable>("table");
    const ClusterTable good = startedView().cluster(SubclusterId(0));
    const auto add = [&](const char* name, const auto& change) {
        ClusterTable table = good;
        change(table);
        QTest::newRow(name) << table;
    };
    add("of no subcluster", [](auto& table) { table.subcluster = SubclusterId(2); });
    add("of another one", [](auto& table) { table.subcluster = SubclusterId(1); });
    add("own row missing", [](auto& table) { table.members.erase(table.members.begin() + 1); });
    add("no rows", [](auto& table) { table.members.clear(); });
    add("a row more", [](auto& table) { table.members.emplace_back().processor = ProcessorId(9); });
    add("other unit", [](auto& table) { table.members[1].unit = UnitId(1); });
    add("other kind", [](auto& table) { table.members[1].kind = ProcessorKind::DedicatedMaster; });
    add("seat missing", [](auto& table) { table.seats.pop_back(); });
    add("other seat", [](auto& table) { table.seats[0].kind = SeatKind::Master; });
    add("two in a seat", [](auto& table) { table.members[3].seat = SeatId(0); });
    add("a seat that is not there", [](auto& table) { table.members[3].seat = SeatId(2); });
    add("lost by nobody", [](auto& table) { table.seats[0].previous = ProcessorId(8); });
}

void TestMembershipAgent::strangeTablesAreRefused()
{
    QFETCH(ClusterTable, table);
    Stage stage(1);
    const Versions before = stage.membership.view().versions();
    stage.hear(0, tablesWith(table));
    QCOMPARE(stage.membership.view().versions(), before);
    stage.run(300ms);
    stage.hear(0, tablesWith(stage.membership.view().cluster(SubclusterId(0))));
    QVERIFY(stage.membership.view().versions() != before);
}

void TestMembershipAgent::whoWasLateListensFirst()
{
    Stage stage(0);
    stage.run(500ms, [&] { stage.beat({1, 2, 3, 4}); });
    // Stopped for longer than the thresholds are ever lengthened; beats wait in the socket.
    stage.clock.advance(2400ms);
    stage.membership.poll();
    stage.beat({1, 2, 3, 4});
    stage.run(500ms, [&] { stage.beat({1, 2, 3, 4}); });
    QVERIFY(stage.killed.empty());
    for (const std::uint32_t number : {1U, 2U, 3U, 4U})
        QCOMPARE(stage.health(number), Health::Alive);
    // Who is always late finds losses all the same.
    for (int i = 0; i < 40; ++i) {
        stage.clock.advance(80ms);
        stage.beat({1, 2, 4});
        stage.membership.poll();
    }
    QVERIFY(!stage.killed.empty());
    QCOMPARE(stage.killed.front(), ProcessorId(3));
}

void TestMembershipAgent::whoGivesUpDecidesNothing()
{
    Stage stage(4); // cluster master of the second subcluster
    stage.hear(0, Banish{});
    QCOMPARE(stage.fencings, 1);
    QVERIFY(!stage.membership.holding());
    stage.sent.clear();
    stage.run(3s);
    QVERIFY(stage.killed.empty() && stage.sent.empty());
    QCOMPARE(stage.fencings, 1);
}

void TestMembershipAgent::whoBeatsFasterIsAnswered()
{
    Stage stage(0);
    stage.run(1s, [&] { stage.beat({1}); }); // every 5 ms
    QVERIFY2(stage.count<BeatReply>(1) >= 10, "its lease would end");
    QVERIFY(stage.count<BeatReply>(1) <= 20);
}

void TestMembershipAgent::condemnedAreNotAnswered()
{
    Stage stage(0);
    stage.hear(
        1, Observations{{{ProcessorId(2), Observation::Stuck, HealthCause::Stuck, 10'000'000us}}});
    QCOMPARE(stage.health(2), Health::Condemned);
    QCOMPARE(stage.killed, std::vector{ProcessorId(2)});
    stage.sent.clear();
    stage.beat({2});
    QCOMPARE(stage.count<BeatReply>(2), std::size_t(0));
    QCOMPARE(stage.count<Banish>(2), std::size_t(1));
}

void TestMembershipAgent::leaseEndsWithTheMasters()
{
    Stage stage(1);
    std::chrono::milliseconds age{0};
    const SteadyTime then = stage.clock.now();
    const auto answer = [&] { // by a master that nobody answers
        age += 5ms;
        const auto sent = std::exchange(stage.sent, {});
        for (const auto& [to, message] : sent) {
            if (const auto* const beat = std::get_if<Beat>(&message))
                stage.hear(0, BeatReply{beat->number, stage.membership.view().digest(), age});
        }
    };
    stage.run(4s, [&] {
        if (stage.membership.standing() == Standing::Valid)
            answer();
    });
    QCOMPARE(stage.standings, std::vector{Standing::Lapsed});
    QCOMPARE(stage.fencings, 0);
    QVERIFY(!stage.membership.holding());
    QVERIFY(stage.clock.now() - then >= 4s);
    QVERIFY2(age >= 2500ms && age < 2800ms, qPrintable(QString::number(age.count())));
}

void TestMembershipAgent::observationsGoOnOnce()
{
    // For this one 4 is the master of 5; 4 may see it the other way round, and send it back.
    Stage stage(6);
    const Observations gone{{{ProcessorId(5), Observation::Gone, HealthCause::Gone, 1us}}};
    for (int i = 0; i < 100; ++i)
        stage.hear(4, gone);
    QCOMPARE(stage.count<Observations>(4), std::size_t(1));
    stage.run(300ms); // again with each beat
    QVERIFY(stage.count<Observations>(4) >= 3 && stage.count<Observations>(4) <= 5);
}

void TestMembershipAgent::fenceOnlyOnTheOwnHost()
{
    Stage stage(1);
    stage.elsewhere = {ProcessorId(5)};
    stage.hear(0, Fence{{ProcessorId(5), ProcessorId(1), ProcessorId(77), ProcessorId(3)}});
    QVERIFY(!stage.killed.empty());
    QCOMPARE(std::set(stage.killed.begin(), stage.killed.end()), std::set{ProcessorId(3)});
}

void TestMembershipAgent::shorterBeatsAccuseNobody()
{
    Stage stage(4);
    SystemTable slow = stage.membership.view().system();
    slow.settings.heartbeat = 2s;
    ++slow.version.revision;
    stage.hear(0, Tables{.clusters = {}, .system = std::make_shared<const SystemTable>(slow)});
    stage.beat({5, 6, 7});
    stage.run(1900ms);
    SystemTable fast = slow;
    fast.settings.heartbeat = 50ms; // lost would be 500 ms
    ++fast.version.revision;
    stage.hear(0, Tables{.clusters = {}, .system = std::make_shared<const SystemTable>(fast)});
    stage.run(100ms);
    QVERIFY(stage.killed.empty());
    QCOMPARE(stage.fencings, 0);
    QCOMPARE(stage.health(5), Health::Alive);
    QVERIFY2(stage.count<Tables>(5) >= 2, "the new rhythm waits for an old beat");
}

void TestMembershipAgent::leavingClusterMasterHasLeft()
{
    Stage stage(0);
    stage.hear(4, Beat{.number = 2, .readiness = Readiness::Leaving});
    QCOMPARE(stage.health(4), Health::Left);
}

QTEST_APPLESS_MAIN(TestMembershipAgent)

} // namespace tst_membershipagent

#include "tst_membershipagent.moc"

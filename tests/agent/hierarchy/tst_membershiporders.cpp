// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipstage.h"

namespace tst_membershiporders {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;

namespace {

/// The orders that were sent to a processor last; none: none were.
std::optional<Orders> lastOrders(const Stage& stage, std::uint32_t to)
{
    std::optional<Orders> last;
    for (const auto& [receiver, message] : stage.sent) {
        if (receiver == ProcessorId(to) && std::holds_alternative<Orders>(message))
            last = std::get<Orders>(message);
    }
    return last;
}

/// What the master of the second subcluster would publish when an order was handled.
Tables handled(const Stage& stage, std::uint64_t number,
               const std::function<void(ClusterTable&)>& change)
{
    ClusterTable table = stage.membership.view().cluster(SubclusterId(1));
    ++table.version.revision;
    table.ordered = {ProcessorId(0), number};
    change(table);
    return {.clusters = {std::make_shared<const ClusterTable>(std::move(table))},
            .system = nullptr};
}

QString textOf(const Result<void>& result)
{
    return result ? QString() : QString::fromStdString(result.error().text());
}

} // namespace

/// Orders as the system master takes them and as cluster masters carry them out.
class TestMembershipOrders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ownSubclusterAtOnce();
    void saidUntilTheTableShowsIt();
    void severalAtOnce();
    void givenUpWhenLost();
    void givenUpWhenThereIsNoPlace();
    void nobodyElseTakesOrders();
    void carriedOutOnce();
    void strangeOrders();
    void stopKills();
    void stopOfAClusterMaster();
    void promotedMasterHandsOver();
    void formerMasterIsAsked();
    void systemMasterStaysFirst();
    void anotherRoleMovesNoSystemMaster();
    void seatIsLetGoBeforeItIsGivenOn();
    void settings();
    void laterWriterBeginsATerm();
    void leasesOfSlowerBeats();
    void whoBeatsFasterAfterAChange();
    void takeoversAreCountedOn();
};

void TestMembershipOrders::ownSubclusterAtOnce()
{
    Stage stage(0);
    QVERIFY(stage.membership.order(DrainOrder{ProcessorId(3), true}).ok());
    QVERIFY(stage.membership.view().member(ProcessorId(3)).drained);
    QVERIFY(!stage.membership.ordersOpen());
    QCOMPARE(textOf(stage.membership.order(DrainOrder{ProcessorId(3), true})),
             QStringLiteral("processor 3 is drained already"));
    QVERIFY(stage.membership.order(DrainOrder{ProcessorId(3), false}).ok());
    QVERIFY(!stage.membership.view().member(ProcessorId(3)).drained);
}

void TestMembershipOrders::saidUntilTheTableShowsIt()
{
    Stage stage(0);
    QVERIFY(stage.membership.order(DrainOrder{ProcessorId(6), true}).ok());
    QCOMPARE(stage.count<Orders>(4), std::size_t(1)); // at once
    QVERIFY(stage.membership.ordersOpen());
    stage.run(400ms, [&] { stage.beat({1, 2, 3, 4}); });
    QVERIFY(stage.count<Orders>(4) >= 4 && stage.count<Orders>(4) <= 6);
    const Orders orders = lastOrders(stage, 4).value();
    QCOMPARE(orders, (Orders{{{1, DrainOrder{ProcessorId(6), true}}}}));
    stage.hear(4, handled(stage, 1, [](ClusterTable& table) {
                   table.member(ProcessorId(6))->drained = true;
               }));
    QVERIFY(!stage.membership.ordersOpen());
    stage.sent.clear();
    stage.run(300ms, [&] { stage.beat({1, 2, 3, 4}); });
    QCOMPARE(stage.count<Orders>(4), std::size_t(0));
    QVERIFY(stage.givenUp.empty());
}

void TestMembershipOrders::severalAtOnce()
{
    Stage stage(0);
    QVERIFY(stage.membership.order(DrainOrder{ProcessorId(6), true}).ok());
    // Not "is not drained": what is under way counts.
    QVERIFY(stage.membership.order(DrainOrder{ProcessorId(6), false}).ok());
    QVERIFY(stage.membership.order(RulesOrder{SubclusterId(1), {.minimum = 2}}).ok());
    const Orders orders = lastOrders(stage, 4).value();
    QCOMPARE(orders.orders.size(), std::size_t(3));
    QCOMPARE(orders.orders[1], (NumberedOrder{2, DrainOrder{ProcessorId(6), false}}));
    QCOMPARE(orders.orders[2].number, std::uint64_t(3));
    stage.hear(4, handled(stage, 2, [](ClusterTable&) {}));
    QCOMPARE(stage.givenUp.size(), std::size_t(0)); // the first was overtaken
    QVERIFY(stage.membership.ordersOpen());
    stage.hear(4, handled(stage, 3, [](ClusterTable& table) { table.rules = {.minimum = 2}; }));
    QVERIFY(!stage.membership.ordersOpen());
    QVERIFY(stage.givenUp.empty());
}

void TestMembershipOrders::givenUpWhenLost()
{
    Stage stage(0);
    QVERIFY(stage.membership.order(PromoteOrder{ProcessorId(6)}).ok());
    stage.hear(4, handled(stage, 0, [](ClusterTable& table) {
                   table.member(ProcessorId(6))->health = Health::Lost;
                   table.member(ProcessorId(6))->seat.reset();
               }));
    QVERIFY(!stage.membership.ordersOpen());
    QCOMPARE(stage.givenUp, std::vector<std::string>{"processor 6 was lost before"});
}

void TestMembershipOrders::givenUpWhenThereIsNoPlace()
{
    Stage stage(0);
    const auto vacate = [](ClusterTable& table) { table.member(ProcessorId(5))->seat.reset(); };
    stage.hear(4, handled(stage, 0, vacate));
    QVERIFY(stage.membership.order(KindOrder{ProcessorId(7), ProcessorKind::Active}).ok());
    stage.hear(4, handled(stage, 1, [](ClusterTable&) {})); // another one was quicker
    QCOMPARE(stage.givenUp, std::vector<std::string>{"there is no vacant place for it any more"});
}

void TestMembershipOrders::nobodyElseTakesOrders()
{
    Stage stage(4);
    QCOMPARE(textOf(stage.membership.order(DrainOrder{ProcessorId(6), true})),
             QStringLiteral("processor 4 is not the system master; ask processor 0"));
    QVERIFY(!stage.membership.changeSettings({.heartbeat = 200ms}).ok());
    stage.run(2600ms); // its lease is over
    QCOMPARE(stage.membership.standing(), Standing::Lapsed);
    QVERIFY(!stage.membership.order(DrainOrder{ProcessorId(6), true}).ok());
    stage.hear(0, Banish{}); // gives itself up
    QVERIFY(stage.membership.fenced());
    QVERIFY(!stage.membership.order(DrainOrder{ProcessorId(6), true}).ok());
}

void TestMembershipOrders::carriedOutOnce()
{
    Stage stage(4);
    const Orders drain{{{1, DrainOrder{ProcessorId(6), true}}}};
    stage.hear(0, drain);
    QVERIFY(stage.membership.view().member(ProcessorId(6)).drained);
    stage.hear(0, Orders{{{2, DrainOrder{ProcessorId(6), false}}}});
    QVERIFY(!stage.membership.view().member(ProcessorId(6)).drained);
    const Versions before = stage.membership.view().versions();
    stage.hear(0, drain); // was under way for long
    QVERIFY(!stage.membership.view().member(ProcessorId(6)).drained);
    QCOMPARE(stage.membership.view().versions(), before);
}

void TestMembershipOrders::strangeOrders()
{
    Stage stage(4);
    stage.run(30ms);
    const Versions before = stage.membership.view().versions();
    stage.hear(0,
               Orders{{{1, DrainOrder{ProcessorId(77), true}},
                       {2, RulesOrder{SubclusterId(9), {}}},
                       {3, DrainOrder{ProcessorId(1), true}}}}); // written by another one
    stage.run(30ms);
    QCOMPARE(stage.membership.view().versions(), before);
}

void TestMembershipOrders::stopKills()
{
    Stage stage(0);
    stage.resync({3});
    QVERIFY(stage.membership.order(StopOrder{ProcessorId(2)}).ok());
    QCOMPARE(stage.killed, std::vector{ProcessorId(2)});
    QCOMPARE(stage.health(2), Health::Condemned);
    stage.membership.gone(ProcessorId(2));
    const MemberRow& row = stage.membership.view().member(ProcessorId(2));
    QCOMPARE(row.health, Health::Lost);
    QCOMPARE(row.cause, HealthCause::Ordered);
    QCOMPARE(stage.membership.view().member(ProcessorId(3)).seat, std::optional(SeatId(1)));
    // Of another subcluster: its master is told until its table shows it.
    QVERIFY(stage.membership.order(StopOrder{ProcessorId(6)}).ok());
    const auto told = stage.count<Observations>(4);
    QCOMPARE(told, std::size_t(1));
    stage.run(250ms, [&] { stage.beat({1, 3, 4}); });
    QVERIFY(stage.count<Observations>(4) > told);
}

void TestMembershipOrders::stopOfAClusterMaster()
{
    Stage stage(0);
    QVERIFY(stage.membership.order(StopOrder{ProcessorId(4)}).ok());
    QCOMPARE(stage.killed, std::vector{ProcessorId(4)});
    stage.membership.gone(ProcessorId(4));
    QCOMPARE(stage.membership.view().member(ProcessorId(4)).cause, HealthCause::Ordered);
    QCOMPARE(clusterMaster(stage.membership.view().cluster(SubclusterId(1))),
             std::optional(ProcessorId(5)));
}

void TestMembershipOrders::promotedMasterHandsOver()
{
    Stage stage(4);
    stage.hear(0, Orders{{{1, PromoteOrder{ProcessorId(6)}}}});
    QVERIFY(!stage.membership.position().clusterMaster);
    QCOMPARE(stage.membership.position().parent, std::optional(ProcessorId(6)));
    // Who goes on from this table gets it at once, and who would replace it.
    QCOMPARE(stage.count<Tables>(6), std::size_t(1));
    QCOMPARE(stage.count<Tables>(0), std::size_t(1));
    // It decides nothing any more.
    const Versions before = stage.membership.view().versions();
    stage.hear(0, Orders{{{2, DrainOrder{ProcessorId(7), true}}}});
    QCOMPARE(stage.membership.view().versions(), before);
}

void TestMembershipOrders::formerMasterIsAsked()
{
    // Its table says that 6 is the master now, but the message was lost.
    Stage stage(6);
    Version newer = stage.membership.view().cluster(SubclusterId(1)).version;
    ++newer.revision;
    stage.hear(4, Beat{.number = 5, .own = newer, .readiness = Readiness::Ready});
    QCOMPARE(stage.count<TablesWanted>(4), std::size_t(0)); // it may be on its way
    stage.hear(4, Beat{.number = 6, .own = newer, .readiness = Readiness::Ready});
    QCOMPARE(stage.count<TablesWanted>(4), std::size_t(1));
}

void TestMembershipOrders::systemMasterStaysFirst()
{
    Stage stage(0);
    QVERIFY(stage.membership.order(PromoteOrder{ProcessorId(3)}).ok());
    QVERIFY(stage.membership.position().systemMaster);
    const ClusterTable& table = stage.membership.view().cluster(SubclusterId(0));
    QVERIFY(precedes(*table.member(ProcessorId(0)), *table.member(ProcessorId(3))));
    QVERIFY(precedes(*table.member(ProcessorId(3)), *table.member(ProcessorId(1))));
    QVERIFY(stage.membership.order(PromoteOrder{ProcessorId(2)}).ok());
    QVERIFY(precedes(*stage.membership.view().cluster(SubclusterId(0)).member(ProcessorId(2)),
                     *stage.membership.view().cluster(SubclusterId(0)).member(ProcessorId(3))));
    QVERIFY(stage.membership.position().systemMaster);
    QVERIFY(stage.membership.order(KindOrder{ProcessorId(0), ProcessorKind::Standby}).ok());
    QVERIFY(stage.membership.position().systemMaster);
}

/// Roles have an order of their own: an I/O processor comes before the others.
void TestMembershipOrders::anotherRoleMovesNoSystemMaster()
{
    Stage stage(0);
    stage.resync({3});
    QVERIFY(stage.membership.order(KindOrder{ProcessorId(0), ProcessorKind::Standby}).ok());
    QVERIFY(stage.membership.position().systemMaster);
    stage.membership.hasStopped({SeatId(4), Incarnation(1)});
    stage.run(10ms);
    QCOMPARE(stage.membership.view().member(ProcessorId(3)).seat, std::optional(SeatId(4)));
    QVERIFY(stage.membership.order(KindOrder{ProcessorId(3), ProcessorKind::Io}).ok());
    QVERIFY(stage.membership.position().systemMaster);
}

void TestMembershipOrders::seatIsLetGoBeforeItIsGivenOn()
{
    Stage stage(5); // of rank 2, below 4
    const Holding held{SeatId(2), Incarnation(1)};
    QCOMPARE(stage.membership.holding(), std::optional(held));
    const auto vacating = [](ClusterTable& table) {
        table.member(ProcessorId(5))->vacating = true;
    };
    stage.hear(4, handled(stage, 1, vacating));
    QVERIFY(!stage.membership.holding());
    QCOMPARE(stage.letGo, std::vector{held});
    stage.run(300ms, [&] { stage.beat({4}); });
    QCOMPARE(stage.count<Vacated>(4), std::size_t(0)); // it still does something in it
    stage.membership.hasStopped({SeatId(2), Incarnation(7)});
    QCOMPARE(stage.count<Vacated>(4), std::size_t(0));
    stage.membership.hasStopped(held);
    QCOMPARE(stage.count<Vacated>(4), std::size_t(1));
    stage.run(300ms, [&] { stage.beat({4}); });
    QVERIFY(stage.count<Vacated>(4) >= 3); // until the table shows it
    QCOMPARE(stage.letGo.size(), std::size_t(1));
    // A later master that has not heard of it: somebody else may have the seat by now.
    stage.hear(4, handled(stage, 1, [](ClusterTable& table) {
                   table.member(ProcessorId(5))->vacating = false;
               }));
    QVERIFY(!stage.membership.holding());
    stage.hear(4, handled(stage, 1, [](ClusterTable& table) {
                   table.seat(SeatId(2))->incarnation = Incarnation(3);
               }));
    QCOMPARE(stage.membership.holding(), std::optional(Holding{SeatId(2), Incarnation(3)}));
}

void TestMembershipOrders::settings()
{
    Stage stage(0);
    QVERIFY(
        stage.membership
            .changeSettings(
                {.heartbeat = 50ms, .suspectAfter = 4, .lostAfter = 20, .policy = DownPolicy::Stop})
            .ok());
    const SystemTable& system = stage.membership.view().system();
    QVERIFY(system.settings.heartbeat == 50ms && system.settings.suspectAfter == 4
            && system.settings.lostAfter == 20);
    QCOMPARE(system.settings.policy, DownPolicy::Stop);
    stage.run(60ms);
    QVERIFY(stage.count<Tables>(1) >= 1);
    const Version version = system.version;
    QVERIFY(stage.membership.changeSettings({50ms, 4, 20, DownPolicy::Stop}).ok()); // as it is
    QCOMPARE(stage.membership.view().system().version, version);
    QCOMPARE(textOf(stage.membership.changeSettings({.heartbeat = 9ms})),
             QStringLiteral("a heartbeat of 9 ms; give 10 to 10000 milliseconds"));
    QVERIFY(!stage.membership.changeSettings({.suspectAfter = 10}).ok());
    QVERIFY(!stage.membership.changeSettings({.suspectAfter = 0}).ok());
    QVERIFY(!stage.membership.changeSettings({.lostAfter = 10'001}).ok());
    QCOMPARE(stage.membership.view().system().version, version);
}

void TestMembershipOrders::laterWriterBeginsATerm()
{
    Stage stage(0);
    SystemTable system = stage.membership.view().system();
    system.writer = ProcessorId(4);
    ++system.version.revision;
    stage.hear(4, Tables{.clusters = {}, .system = std::make_shared<const SystemTable>(system)});
    QVERIFY(stage.membership.changeSettings({.lostAfter = 12}).ok());
    QCOMPARE(stage.membership.view().system().version,
             (Version{termBeyond(generationOf(system.version.term), 0), 1}));
    QCOMPARE(stage.membership.view().system().writer, ProcessorId(0));
}

void TestMembershipOrders::leasesOfSlowerBeats()
{
    // Elsewhere 6 may not have heard that all beat faster now: its lease is as long as before.
    Stage stage(4, {}, {5, 6, 7});
    const auto answered = [&] { stage.answer(0, Stage::following(stage.stampOf(0))); };
    stage.run(100ms, [&] {
        answered();
        stage.beat({5, 7});
    });
    stage.hear(0,
               Tables{.clusters = {},
                      .system = systemAfter(stage.membership.view(), [](SystemTable& system) {
                          system.settings.heartbeat = 20ms;
                      })});
    QVERIFY(!stage.membership.fenced());
    // Three seconds are the wait for a beat of 100 ms, 0.6 that for one of 20 ms.
    for (const ProcessorId processor : {ProcessorId(5), ProcessorId(7)})
        stage.hear(0, Observations{{{processor, Observation::Gone, HealthCause::Gone, 0us}}});
    stage.run(2000ms, answered);
    QCOMPARE(stage.health(6), Health::Condemned);
    stage.run(2000ms, answered);
    QCOMPARE(stage.health(6), Health::Lost);
    QVERIFY(stage.standings.empty());
}

void TestMembershipOrders::whoBeatsFasterAfterAChange()
{
    Stage stage(0);
    QVERIFY(stage.membership.changeSettings({.heartbeat = 10s}).ok());
    stage.sent.clear();
    stage.run(2s, [&] { stage.beat({1}); });
    QVERIFY2(stage.count<BeatReply>(1) >= 20, "the lease of who has not heard of it would end");
}

void TestMembershipOrders::takeoversAreCountedOn()
{
    Stage stage(4);
    // A predecessor has seen one takeover, a second before it said so; two are allowed in a minute.
    const auto counted = [](ClusterTable& table) {
        table.writer = ProcessorId(0);
        table.rules = {.minimum = 1, .restarts = 1, .within = 60s};
        table.takeovers = {1'000'000us};
    };
    stage.hear(0, handled(stage, 0, counted));
    stage.resync({7});
    stage.membership.gone(ProcessorId(5));
    QVERIFY(stage.membership.view().cluster(SubclusterId(1)).seat(SeatId(2))->givenUp);
    QCOMPARE(stage.membership.view().cluster(SubclusterId(1)).takeovers,
             std::vector<std::chrono::microseconds>{1'000'000us});
}

QTEST_APPLESS_MAIN(TestMembershipOrders)

} // namespace tst_membershiporders

#include "tst_membershiporders.moc"

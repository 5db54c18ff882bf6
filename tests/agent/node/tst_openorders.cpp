// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "node/openorders.h"

#include "config/topologyfile.h"
#include "domain/runstate.h"
#include "membership/firstview.h"
#include "membership/layoutevent.h"
#include "membership/systemplan.h"

#include <memory>

namespace tst_openorders {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

constexpr const char* topologyText = "[[subcluster]]\nname = \"a\"\nactive = 2\nstandby = 1\n"
                                     "[[subcluster]]\nname = \"b\"\nactive = 1\n";

/// A record, and the system as its next master finds it.
struct OrderBench {
    OrderBench()
    {
        const std::vector<std::string> hosts(4, "node");
        const SystemPlan plan = *planSystemText(topologyText, "t.toml", hosts).plan;
        record(RunOpened{});
        record(layoutEvent(plan, std::vector<control::ControlAddress>(hosts.size())));
        now = std::make_unique<MembershipView>(firstView(plan.topology, plan.layout));
    }
    void record(EventPayload payload)
    {
        const Result<void> applied = state.apply({.id = {Epoch(1), Sequence(++last)},
                                                  .wallTime = {},
                                                  .monotonic = {},
                                                  .payload = std::move(payload)});
        if (!applied)
            qFatal("%s", applied.error().text().c_str());
    }
    void order(std::uint32_t processor, ProcessorOrder order, std::string obstacle = {})
    {
        record(ProcessorOrdered{ProcessorId(processor), order, "ann", std::move(obstacle)});
    }
    template <class Change>
    void change(std::uint32_t processor, Change change)
    {
        const ProcessorId id(processor);
        ClusterTable table = now->cluster(now->subclusterOf(id));
        ++table.version.revision;
        change(*table.member(id));
        now->adopt(std::make_shared<const ClusterTable>(std::move(table)));
    }
    /// The record says another topology.
    void layOut(const config::Topology& topology)
    {
        SystemLaidOut layout = *state.system().layout();
        layout.topologyText = config::topologyFileText(topology);
        ++layout.topologyRevision;
        record(std::move(layout));
    }
    [[nodiscard]] config::Topology topology() const
    {
        return *config::readTopologyText(state.system().layout()->topologyText, "t").topology;
    }
    [[nodiscard]] OpenOrders open() const { return openOrders(state.system(), *now); }
    [[nodiscard]] std::vector<Order> orders() const { return open().orders; }

    RunState state;
    std::uint64_t last = 0;
    std::unique_ptr<MembershipView> now;
};

using Orders = std::vector<Order>;

} // namespace

/// What the record promises operators and the tables do not show.
class TestOpenOrders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsOpenAtFirst();
    void drained();
    void stopped();
    void promoted();
    void roles();
    void whatCannotBeIsNotPromised();
    void theLostAreOwedNothing();
    void settings();
    void rules();
    void recordTellsWhatIsOrdered();
};

void TestOpenOrders::nothingIsOpenAtFirst()
{
    const OrderBench bench;
    QVERIFY(bench.orders().empty());
    QVERIFY(!bench.open().settings);
}

void TestOpenOrders::drained()
{
    OrderBench bench;
    bench.record(ProcessorDrained{ProcessorId(1), true, "ann"});
    QVERIFY(bench.orders() == (Orders{DrainOrder{ProcessorId(1), true}}));
    bench.change(1, [](MemberRow& row) { row.drained = true; });
    QVERIFY(bench.orders().empty());
    bench.record(ProcessorDrained{ProcessorId(1), false, "ann"});
    QVERIFY(bench.orders() == (Orders{DrainOrder{ProcessorId(1), false}}));
    // Nobody has said anything about this one: the tables know better.
    bench.change(1, [](MemberRow& row) { row.drained = false; });
    bench.change(2, [](MemberRow& row) { row.drained = true; });
    QVERIFY(bench.orders().empty());
}

void TestOpenOrders::stopped()
{
    OrderBench bench;
    bench.order(1, ProcessorOrder::Stop);
    QVERIFY(bench.orders() == (Orders{StopOrder{ProcessorId(1)}}));
    bench.change(1, [](MemberRow& row) { row.health = Health::Condemned; });
    QVERIFY(bench.orders().empty());
}

void TestOpenOrders::promoted()
{
    OrderBench bench;
    bench.order(1, ProcessorOrder::Promote);
    bench.order(2, ProcessorOrder::Promote);
    QVERIFY(bench.orders() == (Orders{PromoteOrder{ProcessorId(1)}, PromoteOrder{ProcessorId(2)}}));
    bench.change(1, [](MemberRow& row) { row.promoted = 1; });
    QVERIFY(bench.orders() == (Orders{PromoteOrder{ProcessorId(2)}}));
}

void TestOpenOrders::roles()
{
    OrderBench bench;
    bench.order(1, ProcessorOrder::BecomeIo);
    bench.order(1, ProcessorOrder::BecomeStandby); // the last one holds
    QVERIFY(bench.orders() == (Orders{KindOrder{ProcessorId(1), ProcessorKind::Standby}}));
    bench.change(1, [](MemberRow& row) { row.kind = ProcessorKind::Standby; });
    QVERIFY(bench.orders().empty());
}

void TestOpenOrders::whatCannotBeIsNotPromised()
{
    OrderBench bench;
    bench.order(2, ProcessorOrder::BecomeActive);
    bench.order(2, ProcessorOrder::Promote);
    bench.order(2, ProcessorOrder::BecomeActive, "there is no vacant place for it any more");
    QVERIFY(bench.orders() == (Orders{PromoteOrder{ProcessorId(2)}}));
}

void TestOpenOrders::theLostAreOwedNothing()
{
    OrderBench bench;
    bench.order(1, ProcessorOrder::Promote);
    bench.record(ProcessorDrained{ProcessorId(1), true, "ann"});
    bench.change(1, [](MemberRow& row) { row.health = Health::Lost; });
    QVERIFY(bench.orders().empty());
    bench.record(HealthChanged{ProcessorId(1), Health::Lost, HealthCause::Gone});
    QVERIFY(bench.state.system().find(ProcessorId(1))->orders.empty());
}

void TestOpenOrders::settings()
{
    OrderBench bench;
    config::Topology topology = bench.topology();
    topology.lostAfter = 25;
    topology.policy = DownPolicy::Stop;
    bench.layOut(topology);
    const OpenOrders open = bench.open();
    QVERIFY(open.orders.empty());
    QVERIFY(open.settings);
    QCOMPARE(open.settings->lostAfter, 25U);
    QCOMPARE(open.settings->policy, DownPolicy::Stop);
    SystemTable system = bench.now->system();
    ++system.version.revision;
    system.settings.lostAfter = 25;
    system.settings.policy = DownPolicy::Stop;
    bench.now->adopt(std::make_shared<const SystemTable>(system));
    QVERIFY(!bench.open().settings);
}

void TestOpenOrders::rules()
{
    OrderBench bench;
    config::Topology topology = bench.topology();
    topology.subclusters[0].minimum = 2;
    topology.subclusters[1].restarts.count = 9;
    const ClusterRules first = rulesOf(topology.subclusters[0]);
    const ClusterRules second = rulesOf(topology.subclusters[1]);
    bench.layOut(topology);
    QVERIFY(bench.orders()
            == (Orders{RulesOrder{SubclusterId(0), first}, RulesOrder{SubclusterId(1), second}}));
}

void TestOpenOrders::recordTellsWhatIsOrdered()
{
    const ProcessorId id(3);
    QVERIFY(recordOf(StopOrder{id}) == (ProcessorOrdered{id, ProcessorOrder::Stop, {}, {}}));
    QVERIFY(recordOf(PromoteOrder{id}) == (ProcessorOrdered{id, ProcessorOrder::Promote, {}, {}}));
    for (const auto& [kind, order] :
         {std::pair(ProcessorKind::Active, ProcessorOrder::BecomeActive),
          std::pair(ProcessorKind::Io, ProcessorOrder::BecomeIo),
          std::pair(ProcessorKind::Standby, ProcessorOrder::BecomeStandby)}) {
        QVERIFY(recordOf(KindOrder{id, kind}) == (ProcessorOrdered{id, order, {}, {}}));
        QVERIFY(kindOrdered(order) == kind);
    }
    QVERIFY(!recordOf(DrainOrder{id, true}));
    QVERIFY(!recordOf(RulesOrder{}));
}

QTEST_APPLESS_MAIN(TestOpenOrders)

} // namespace tst_openorders

#include "tst_openorders.moc"

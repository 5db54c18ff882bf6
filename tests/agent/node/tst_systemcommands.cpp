// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "node/systemcommands.h"

#include "config/topologyfile.h"
#include "membership/firstview.h"
#include "membership/layoutevent.h"
#include "membership/systemplan.h"

namespace tst_systemcommands {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

const std::string twoClusters = "[[subcluster]]\nname = \"a\"\nactive = 2\nstandby = 1\n"
                                "[[subcluster]]\nname = \"b\"\nactive = 1\n";

/// Commands with the test as the system that takes or refuses orders.
struct CommandBench {
    explicit CommandBench(bool recordIsKept = true) : kept(recordIsKept)
    {
        const std::vector<std::string> hosts(4, "node");
        const SystemPlanning planning = planSystemText(twoClusters, "t.toml", hosts);
        std::vector<control::ControlAddress> addresses(4);
        plan = *planning.plan;
        apply(RunOpened{});
        apply(layoutEvent(*planning.plan, addresses));
    }
    void apply(EventPayload payload)
    {
        Event event;
        event.id = {Epoch(1), Sequence(++sequence)};
        event.payload = std::move(payload);
        const Result<void> applied = state.apply(event);
        QVERIFY2(applied.ok(), applied.ok() ? "" : applied.error().text().c_str());
    }
    void carryOut(const OperatorCommand& command)
    {
        outcome.reset();
        commands.carryOut(command, "ann", [this](Result<farm::SystemOutcome> result) {
            outcome = std::move(result);
        });
    }
    [[nodiscard]] bool accepted() const { return outcome && outcome->ok(); }
    [[nodiscard]] std::string refusal() const
    {
        return outcome && !outcome->ok() ? outcome->error().message : std::string();
    }
    [[nodiscard]] std::string changed(const std::string& from, const std::string& to) const
    {
        std::string text = state.system().layout()->topologyText;
        const std::size_t place = text.find(from);
        return place == std::string::npos ? "" : text.replace(place, from.size(), to);
    }

    [[nodiscard]] hierarchy::MembershipView view() const
    {
        return firstView(plan.topology, plan.layout);
    }
    static void setHealth(hierarchy::MembershipView& view, ProcessorId processor, Health health)
    {
        hierarchy::ClusterTable table = view.cluster(view.subclusterOf(processor));
        ++table.version.revision;
        table.member(processor)->health = health;
        view.adopt(std::make_shared<const hierarchy::ClusterTable>(std::move(table)));
    }

    const bool kept;
    std::uint64_t sequence = 0;
    SystemPlan plan;
    RunState state;
    std::optional<Error> refuse; ///< what the system answers
    std::vector<hierarchy::Order> orders;
    std::vector<hierarchy::Settings> settings;
    std::vector<std::pair<hierarchy::Order, std::string>> givenUp;
    std::optional<Result<farm::SystemOutcome>> outcome;
    SystemCommands commands{
        state,
        {.order =
             [this](hierarchy::Order order, const SystemCommands::Answer& answer) {
                 orders.push_back(std::move(order));
                 answer(refuse ? Result<void>(*refuse) : Result<void>());
             },
         .changeSettings =
             [this](hierarchy::Settings wanted, const SystemCommands::Answer& answer) {
                 settings.push_back(wanted);
                 answer(refuse ? Result<void>(*refuse) : Result<void>());
             },
         .layOut = [](SystemLaidOut layout) { return layout; },
         .givenUp = [this](const hierarchy::Order& order,
                           const Phrase& reason) { givenUp.emplace_back(order, reason.text()); },
         .kept = kept}};
};

} // namespace

/// What operators want of the system, translated for the failure hierarchy and for the record.
class TestSystemCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void processors();
    void refusalOfTheSystem();
    void settingsAndRules();
    void staleTopology();
    void restartNeedsARecord();
    void whatCannotBeChanged_data();
    void whatCannotBeChanged();
    void wrongTopology();
    void nothingIsDifferent();
    void promisesAreKept();
    void promisesWaitForWhoIsSuspect();
    void promisesThatCannotBeKept();
};

void TestSystemCommands::processors()
{
    CommandBench bench;
    bench.carryOut(DrainProcessor{ProcessorId(1), true});
    QVERIFY(bench.accepted());
    QCOMPARE((*bench.outcome)->what.text(), std::string("drains processor 1 (node)"));
    QCOMPARE((*bench.outcome)->events.size(), std::size_t(1));
    QVERIFY(std::get<ProcessorDrained>((*bench.outcome)->events[0])
            == (ProcessorDrained{ProcessorId(1), true, "ann"}));
    const auto recorded = [&bench](ProcessorId processor, ProcessorOrder order) {
        return (*bench.outcome)->events
            == std::vector<EventPayload>{ProcessorOrdered{processor, order, "ann", {}}};
    };
    bench.carryOut(StopProcessor{ProcessorId(1)});
    QVERIFY(recorded(ProcessorId(1), ProcessorOrder::Stop));
    bench.carryOut(PromoteProcessor{ProcessorId(2)});
    QVERIFY(recorded(ProcessorId(2), ProcessorOrder::Promote));
    bench.carryOut(ChangeRole{ProcessorId(2), ProcessorKind::Active});
    QVERIFY(recorded(ProcessorId(2), ProcessorOrder::BecomeActive));
    QCOMPARE((*bench.outcome)->what.text(), std::string("makes processor 2 (node) active"));
    QVERIFY(bench.orders
            == (std::vector<hierarchy::Order>{
                hierarchy::DrainOrder{ProcessorId(1), true}, hierarchy::StopOrder{ProcessorId(1)},
                hierarchy::PromoteOrder{ProcessorId(2)},
                hierarchy::KindOrder{ProcessorId(2), ProcessorKind::Active}}));
}

// Fails if a run whose record goes with it could end in order to be started again.
void TestSystemCommands::restartNeedsARecord()
{
    for (const bool kept : {true, false}) {
        CommandBench bench(kept);
        const std::string restart = bench.changed("heartbeat_ms = 100", "heartbeat_ms = 200");
        QVERIFY(restart.find("\"restart\"") != std::string::npos);
        bench.carryOut(ChangeTopology{0, restart});
        QCOMPARE(bench.accepted(), kept);
        QCOMPARE(bench.settings.empty(), !kept);
        QVERIFY(kept || QByteArray::fromStdString(bench.refusal()).contains("no record is kept"));
        CommandBench other(kept);
        other.carryOut(ChangeTopology{0, other.changed("\"restart\"", "\"stop\"")});
        QVERIFY(other.accepted());
    }
}

void TestSystemCommands::refusalOfTheSystem()
{
    CommandBench bench;
    bench.refuse = Error{.kind = ErrorKind::Input, .message = "processor 1 is lost"};
    bench.carryOut(DrainProcessor{ProcessorId(1), true});
    QCOMPARE(bench.refusal(), std::string("processor 1 is lost"));
    bench.carryOut(ChangeTopology{0, bench.changed("heartbeat_ms = 100", "heartbeat_ms = 200")});
    QCOMPARE(bench.refusal(), std::string("processor 1 is lost"));
}

void TestSystemCommands::settingsAndRules()
{
    CommandBench bench;
    std::string text = bench.changed("heartbeat_ms = 100", "heartbeat_ms = 250");
    QVERIFY(!text.empty());
    config::TopologyReading reading = config::readTopologyText(text, "t");
    reading.topology->subclusters[0].minimum = 2;
    reading.topology->subclusters[1].restarts.count = 9;
    bench.carryOut(ChangeTopology{0, config::topologyFileText(*reading.topology)});
    QVERIFY(bench.accepted());
    QCOMPARE(bench.settings.size(), std::size_t(1));
    QCOMPARE(bench.settings[0].heartbeat, 250ms);
    QCOMPARE(bench.orders.size(), std::size_t(2));
    QCOMPARE((*bench.outcome)->events.size(), std::size_t(1));
    const auto& layout = std::get<SystemLaidOut>((*bench.outcome)->events[0]);
    QCOMPARE(layout.topologyRevision, std::uint64_t(1));
    QCOMPARE(layout.heartbeat, 250ms);
    QCOMPARE(layout.subclusters[0].minimum, 2U);
    bench.apply(layout);
    bench.carryOut(ChangeTopology{0, text}); // by who has not seen that
    QVERIFY(!bench.refusal().empty());
    QCOMPARE(bench.settings.size(), std::size_t(1));
}

void TestSystemCommands::staleTopology()
{
    CommandBench bench;
    bench.carryOut(ChangeTopology{7, bench.changed("heartbeat_ms = 100", "heartbeat_ms = 250")});
    QCOMPARE(bench.refusal(), std::string("the topology has been changed meanwhile"));
    QVERIFY(bench.settings.empty() && bench.orders.empty());
}

void TestSystemCommands::whatCannotBeChanged_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* name, const char* from, const char* to, const char* named) {
        QTest::newRow(name) << from << to << named;
    };
    row("name", "\"b\"", "\"c\"", R"(subcluster "b": "name")");
    row("active", "active = 2", "active = 3", R"(subcluster "a": "active")");
    row("standby", "standby = 1", "standby = 0", R"(subcluster "a": "standby")");
}

void TestSystemCommands::whatCannotBeChanged()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, named);
    CommandBench bench;
    const std::string text = bench.changed(from.toStdString(), to.toStdString());
    QVERIFY(!text.empty());
    bench.carryOut(ChangeTopology{0, text});
    QVERIFY2(QString::fromStdString(bench.refusal()).startsWith(named), bench.refusal().c_str());
    QVERIFY(bench.settings.empty() && bench.orders.empty());
}

void TestSystemCommands::wrongTopology()
{
    CommandBench bench;
    bench.carryOut(ChangeTopology{0, "[system]\nheartbeat_ms = 1\n"});
    QVERIFY(!bench.refusal().empty());
    QVERIFY(bench.settings.empty());
}

void TestSystemCommands::nothingIsDifferent()
{
    CommandBench bench;
    bench.carryOut(ChangeTopology{0, bench.state.system().layout()->topologyText});
    QCOMPARE(bench.refusal(), std::string("nothing is different in the topology"));
}

/// What the last master has promised is asked for until the system has taken it, once.
void TestSystemCommands::promisesAreKept()
{
    CommandBench bench;
    const hierarchy::MembershipView view = bench.view();
    const hierarchy::DrainOrder drain{ProcessorId(1), true};
    bench.commands.promise({.orders = {drain}, .settings = hierarchy::Settings{.lostAfter = 20}},
                           view);
    QCOMPARE(bench.settings.size(), std::size_t(1));
    QCOMPARE(bench.settings[0].lostAfter, 20U);
    QVERIFY(bench.orders == std::vector<hierarchy::Order>{drain});
    bench.commands.viewChanged(view);
    QCOMPARE(bench.orders.size(), std::size_t(1)); // the system sees to it now
    QVERIFY(bench.givenUp.empty());
}

void TestSystemCommands::promisesWaitForWhoIsSuspect()
{
    CommandBench bench;
    const hierarchy::PromoteOrder promote{ProcessorId(1)};
    bench.refuse = Error{.kind = ErrorKind::Input, .message = "has not been heard of"};
    hierarchy::MembershipView view = bench.view();
    bench.setHealth(view, ProcessorId(1), Health::Suspect);
    bench.commands.promise({.orders = {promote}, .settings = {}}, view);
    QCOMPARE(bench.orders.size(), std::size_t(1));
    QVERIFY(bench.givenUp.empty());
    bench.refuse.reset();
    bench.setHealth(view, ProcessorId(1), Health::Alive);
    bench.commands.viewChanged(view);
    QVERIFY(bench.orders == (std::vector<hierarchy::Order>{promote, promote}));
    bench.commands.viewChanged(view);
    QCOMPARE(bench.orders.size(), std::size_t(2));
}

void TestSystemCommands::promisesThatCannotBeKept()
{
    CommandBench bench;
    bench.refuse = Error{.kind = ErrorKind::Input, .message = "its subcluster has no vacant rank"};
    const hierarchy::KindOrder role{ProcessorId(2), ProcessorKind::Active};
    hierarchy::MembershipView view = bench.view();
    bench.setHealth(view, ProcessorId(2), Health::Alive);
    bench.commands.promise({.orders = {role}, .settings = {}}, view);
    QCOMPARE(bench.givenUp.size(), std::size_t(1));
    QVERIFY(bench.givenUp[0].first == hierarchy::Order(role));
    QCOMPARE(bench.givenUp[0].second, std::string("its subcluster has no vacant rank"));
    bench.commands.viewChanged(view);
    QCOMPARE(bench.orders.size(), std::size_t(1));
}

QTEST_APPLESS_MAIN(TestSystemCommands)

} // namespace tst_systemcommands

#include "tst_systemcommands.moc"

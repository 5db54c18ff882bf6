// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/layout.h"
#include "config/topologyfile.h"
#include "topologytesting.h"

#include <QTest>

#include <set>

namespace tst_layout {

using namespace tasuki;
using namespace tasuki::config;
using namespace tasuki::testing;

namespace {

using Hosts = std::vector<std::string>;

Hosts repeated(std::initializer_list<std::pair<const char*, std::size_t>> counts)
{
    Hosts hosts;
    for (const auto& [name, count] : counts)
        hosts.insert(hosts.end(), count, name);
    return hosts;
}

std::vector<std::uint32_t> numbers(const std::vector<ProcessorId>& processors)
{
    std::vector<std::uint32_t> all;
    for (const ProcessorId processor : processors)
        all.push_back(processor.value());
    return all;
}

using Numbers = std::vector<std::uint32_t>;

/// What holds of every layout.
void checkWhole(const Topology& topology, const Hosts& hosts, const Layout& layout)
{
    QCOMPARE(layout.processors.size(), hosts.size());
    QCOMPARE(layout.subclusters.size(), topology.subclusters.size());
    std::set<std::uint32_t> held;
    for (std::uint32_t i = 0; i < hosts.size(); ++i) {
        const PlacedProcessor& processor = layout.processors[i];
        const LayoutUnit& unit = layout.units.at(processor.unit.value());
        QCOMPARE(unit.host, hosts[i]);
        QCOMPARE(unit.subcluster, processor.subcluster);
        QVERIFY(std::ranges::count(unit.processors, ProcessorId(i)) == 1);
        QCOMPARE(processor.seat.has_value(), processor.kind != ProcessorKind::Standby);
        if (!processor.seat)
            continue;
        QVERIFY(held.insert(processor.seat->value()).second);
        const LayoutSeat& seat = layout.seats.at(processor.seat->value());
        QCOMPARE(seat.holder, ProcessorId(i));
        QCOMPARE(seat.subcluster, processor.subcluster);
    }
    QCOMPARE(held.size(), layout.seats.size());
    QVERIFY(std::ranges::is_sorted(layout.seats, {}, &LayoutSeat::kind));
    for (std::size_t i = 0; i < topology.subclusters.size(); ++i) {
        const SubclusterSpec& spec = topology.subclusters[i];
        const LayoutSubcluster& laid = layout.subclusters[i];
        QCOMPARE(laid.processors.size(), spec.processors());
        for (std::uint32_t rank = 0; rank < laid.ranks; ++rank)
            QCOMPARE(layout.seats[static_cast<std::size_t>(laid.firstRank.value()) + rank].index,
                     rank);
        std::size_t inUnits = 0;
        for (const UnitId unit : laid.units)
            inUnits += layout.units[unit.value()].processors.size();
        QCOMPARE(inUnits, laid.processors.size());
    }
}

Layout laidOut(const Topology& topology, const Hosts& hosts)
{
    const LayoutReading reading = layOut(topology, hosts);
    if (!reading.layout || !reading.diagnostics.empty())
        qFatal("%s", qPrintable(told(reading.diagnostics)));
    checkWhole(topology, hosts, *reading.layout);
    return *reading.layout;
}

} // namespace

class TestLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twelveProcessors();
    void kindsByNumber();
    void hostsThatAreNamed();
    void hostsThatAreShared();
    void hostsByTheirBareNames();
    void dedicatedMasters();
    void withoutAFile();
    void manyProcessors();
    void generatedOnesFitTheirExample();
    void errors_data();
    void errors();
    void unusedHostIsAWarning();
};

void TestLayout::twelveProcessors()
{
    const Layout layout = laidOut(twoStages(), repeated({{"node0", 12}}));
    using enum ProcessorKind;
    const std::vector<ProcessorKind> kinds{Io, Active, Active, Active, Active, Standby};
    for (std::uint32_t i = 0; i < 12; ++i) {
        QCOMPARE(layout.processors[i].kind, kinds[i % 6]);
        QCOMPARE(layout.processors[i].subcluster, SubclusterId(i / 6));
        QCOMPARE(layout.processors[i].unit, UnitId(i / 3));
    }
    QCOMPARE(layout.subclusters[1].firstRank, Rank(4));
    QCOMPARE(layout.subclusters[1].ranks, 4U);
    QCOMPARE(layout.subclusters[1].name, std::string("filter"));
    QCOMPARE(layout.subclusters[1].units, (std::vector{UnitId(2), UnitId(3)}));
    const std::vector<std::string> names{"node0/1", "node0/2", "node0/1", "node0/2"};
    for (std::size_t i = 0; i < 4; ++i)
        QCOMPARE(layout.units[i].name, names[i]);
    // Ranks of both first, then the I/O places.
    QCOMPARE(layout.seats.size(), 10U);
    QCOMPARE(layout.processors[1].seat, std::optional(SeatId(0)));
    QCOMPARE(layout.processors[7].seat, std::optional(SeatId(4)));
    QCOMPARE(layout.processors[0].seat, std::optional(SeatId(8)));
    QCOMPARE(layout.processors[6].seat, std::optional(SeatId(9)));
    QCOMPARE(layout.seats[9].kind, SeatKind::Io);
    QCOMPARE(layout.seats[9].index, 0U);
    const Masters masters = firstMasters(layout);
    QCOMPARE(numbers(masters.units), (Numbers{0, 3, 6, 9}));
    QCOMPARE(numbers(masters.clusters), (Numbers{0, 6}));
    QCOMPARE(masters.system, ProcessorId(0));
}

// Hosts in turns, as mpirun --map-by node deals them.
void TestLayout::kindsByNumber()
{
    Topology topology;
    topology.subclusters = {{.name = "a", .active = 3, .standby = 1, .io = 2, .units = 3}};
    const Layout layout = laidOut(topology, {"x", "y", "x", "y", "x", "y"});
    QCOMPARE(layout.units.size(), 6U);
    QCOMPARE(numbers(layout.units[1].processors), (Numbers{2}));
    QCOMPARE(layout.units[1].name, std::string("x/2"));
    QCOMPARE(layout.units[3].name, std::string("y/1"));
    topology.subclusters[0].units = 2; // 2 + 1 of each
    const Layout two = laidOut(topology, {"x", "y", "x", "y", "x", "y"});
    QCOMPARE(numbers(two.units[0].processors), (Numbers{0, 2}));
    QCOMPARE(numbers(two.units[1].processors), (Numbers{4}));
    // The I/O processors are the lowest numbers, which are on both hosts.
    QCOMPARE(numbers(firstMasters(two).units), (Numbers{0, 4, 1, 5}));
    QCOMPARE(two.processors[4].seat, std::optional(SeatId(2)));
}

void TestLayout::hostsThatAreNamed()
{
    Topology topology;
    topology.subclusters = {{.name = "rest", .active = 3},
                            {.name = "named", .active = 2, .standby = 1, .hosts = {"y", "z"}}};
    const Layout layout = laidOut(topology, {"x", "y", "x", "y", "z", "z"});
    QCOMPARE(numbers(layout.subclusters[1].processors), (Numbers{1, 3, 4}));
    QCOMPARE(numbers(layout.subclusters[0].processors), (Numbers{0, 2, 5}));
    QCOMPARE(layout.units.size(), 4U);
    QCOMPARE(layout.units[1].name, std::string("z"));
    QCOMPARE(layout.subclusters[1].firstRank, Rank(3));
    // The system master is of the subcluster of processor 0.
    QCOMPARE(firstMasters(layout).system, ProcessorId(0));
    const Layout other = laidOut(topology, {"y", "y", "z", "x", "x", "x"});
    QCOMPARE(numbers(firstMasters(other).clusters), (Numbers{3, 0}));
    QCOMPARE(firstMasters(other).system, ProcessorId(0));
}

void TestLayout::hostsThatAreShared()
{
    Topology topology;
    topology.subclusters = {{.name = "a", .active = 3, .hosts = {"x", "y"}},
                            {.name = "b", .active = 2, .standby = 1, .hosts = {"y"}}};
    const Layout layout = laidOut(topology, repeated({{"x", 2}, {"y", 4}}));
    QCOMPARE(numbers(layout.subclusters[0].processors), (Numbers{0, 1, 2}));
    QCOMPARE(numbers(layout.subclusters[1].processors), (Numbers{3, 4, 5}));
    QCOMPARE(layout.units.size(), 3U);
    QCOMPARE(layout.units[1].host, std::string("y"));
    QCOMPARE(layout.units[2].host, std::string("y"));
}

void TestLayout::hostsByTheirBareNames()
{
    Topology topology;
    topology.subclusters = {{.name = "a", .active = 1, .hosts = {"y"}},
                            {.name = "b", .active = 1, .hosts = {"x.example"}}};
    const Layout layout = laidOut(topology, {"x", "y.example"});
    QCOMPARE(numbers(layout.subclusters[0].processors), (Numbers{1}));
    QCOMPARE(layout.units[0].name, std::string("y.example"));
    // The name to the letter comes first.
    const Layout exact = laidOut(topology, {"x.example", "y"});
    QCOMPARE(numbers(exact.subclusters[0].processors), (Numbers{1}));
    QVERIFY(!layOut(topology, Hosts{"x.other", "y"}).layout);
}

void TestLayout::dedicatedMasters()
{
    Topology topology = twoStages();
    for (SubclusterSpec& spec : topology.subclusters)
        spec.dedicatedMaster = true;
    const Layout layout = laidOut(topology, repeated({{"x", 14}}));
    QCOMPARE(layout.processors[0].kind, ProcessorKind::DedicatedMaster);
    QCOMPARE(layout.processors[1].kind, ProcessorKind::Io);
    QCOMPARE(layout.processors[7].kind, ProcessorKind::DedicatedMaster);
    QCOMPARE(layout.processors[0].seat, std::optional(SeatId(10)));
    QCOMPARE(layout.processors[7].seat, std::optional(SeatId(11)));
    QCOMPARE(layout.seats[11].kind, SeatKind::Master);
    QCOMPARE(layout.seats[11].subcluster, SubclusterId(1));
    QCOMPARE(numbers(firstMasters(layout).clusters), (Numbers{0, 7}));
}

void TestLayout::withoutAFile()
{
    const Topology topology = defaultTopology(5, false);
    QCOMPARE(topology.subclusters.size(), 1U);
    QCOMPARE(topology.subclusters[0],
             (SubclusterSpec{.name = "system", .active = 5, .minimum = 1}));
    QVERIFY(topologyFaults(topology).empty());
    const Layout layout = laidOut(topology, {"x", "y", "x", "x", "y"});
    QCOMPARE(layout.units.size(), 2U);
    QCOMPARE(numbers(layout.units[0].processors), (Numbers{0, 2, 3}));
    for (std::uint32_t i = 0; i < 5; ++i)
        QCOMPARE(layout.processors[i].seat, std::optional(SeatId(i)));
    const Layout dedicated = laidOut(defaultTopology(3, true), repeated({{"x", 3}}));
    QCOMPARE(dedicated.processors[0].kind, ProcessorKind::DedicatedMaster);
    QCOMPARE(dedicated.subclusters[0].ranks, 2U);
    QCOMPARE(dedicated.processors[1].seat, std::optional(SeatId(0)));
}

void TestLayout::manyProcessors()
{
    Topology topology;
    for (int i = 0; i < 64; ++i) {
        topology.subclusters.push_back({.name = "s" + std::to_string(i),
                                        .active = 26,
                                        .standby = 4,
                                        .io = 2,
                                        .minimum = 20,
                                        .units = 2});
    }
    Hosts hosts;
    for (std::size_t i = 0; i < 2048; ++i)
        hosts.push_back("node" + std::to_string(i / 16));
    const Layout layout = laidOut(topology, hosts);
    QCOMPARE(layout.units.size(), 256U);
    QCOMPARE(layout.seats.size(), 64U * 28U);
    QCOMPARE(layout.subclusters[63].firstRank, Rank(63 * 26));
    QCOMPARE(layout.units[255].name, std::string("node127/2"));
    QCOMPARE(numbers(layout.units[255].processors),
             (Numbers{2040, 2041, 2042, 2043, 2044, 2045, 2046, 2047}));
}

void TestLayout::generatedOnesFitTheirExample()
{
    std::mt19937_64 random(9);
    for (int i = 0; i < 200; ++i) {
        const Topology topology = someTopology(random, 30);
        const Hosts hosts = exampleHosts(topology);
        QCOMPARE(hosts.size(), topology.processors());
        const LayoutReading reading = layOut(topology, hosts);
        QVERIFY2(reading.layout, qPrintable(told(reading.diagnostics)));
        checkWhole(topology, hosts, *reading.layout);
    }
}

void TestLayout::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Hosts>("hosts");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* text, const Hosts& hosts,
                        const char* expected) {
        QTest::newRow(name) << QByteArray(text) << hosts << QString(expected);
    };
    const char* const two = "[[subcluster]]\nname = \"antenna\"\nactive = 5\nio = 1\n"
                            "[[subcluster]]\nname = \"filter\"\nactive = 6\n";
    row("too few", two, repeated({{"x", 8}}),
        "t.toml:1:1: error: needs 12 processors (antenna 6, filter 6), the launch has 8; start "
        "with -n 12, or change active, standby and io to 8 in all");
    row("too many", two, repeated({{"x", 13}}),
        "t.toml:1:1: error: needs 12 processors (antenna 6, filter 6), the launch has 13; start "
        "with -n 12, or change active, standby and io to 13 in all");
    row("too few for one", "[[subcluster]]\nname = \"a\"\nactive = 4\nio = 1\n",
        repeated({{"x", 3}}),
        "t.toml:1:1: error: needs 5 processors (a 5), the launch has 3; start with -n 5, or write "
        "active = 2");
    row("only I/O would be left", "[[subcluster]]\nname = \"a\"\nactive = 1\nio = 4\n",
        repeated({{"x", 3}}),
        "t.toml:1:1: error: needs 5 processors (a 5), the launch has 3; start with -n 5, or change "
        "active, standby and io to 3 in all");
    row("unknown hosts",
        "[[subcluster]]\nname = \"a\"\nactive = 3\nhosts = [\"node0\", \"nod1\",\n\"gate7\"]\n",
        {"node0", "node1", "node1"},
        "t.toml:4:19: error: there is no host \"nod1\" in the launch; did you mean \"node1\"? "
        "There are node0, node1\n"
        "t.toml:5:1: error: there is no host \"gate7\" in the launch; did you mean \"node0\"? "
        "There are node0, node1");
    row("host of two domains", "[[subcluster]]\nname = \"a\"\nactive = 2\nhosts = [\"node0\"]\n",
        {"node0.a.example", "node0.b.example"},
        "t.toml:4:10: error: host \"node0\" may be \"node0.a.example\" or \"node0.b.example\"; "
        "write the whole name");
    row("host with too few",
        "[[subcluster]]\nname = \"a\"\nactive = 4\nhosts = [\"x\", \"y\"]\n"
        "[[subcluster]]\nname = \"b\"\nactive = 1\n",
        {"x", "z", "y", "z", "x"},
        "t.toml:4:9: error: subcluster \"a\" needs 4 processors, its hosts have 3 (x 2, y 1); "
        "start 1 more on them, or name more hosts");
    row("host that another has taken",
        "[[subcluster]]\nname = \"a\"\nactive = 2\nhosts = [\"x\"]\n"
        "[[subcluster]]\nname = \"b\"\nactive = 2\nhosts = [\"x\"]\n",
        {"x", "x", "x", "z"},
        "t.toml:8:9: error: subcluster \"b\" needs 2 processors, its hosts have 1 that "
        "subclusters above do not take (x 1); start 1 more on them, or name more hosts");
    row("units", "[[subcluster]]\nname = \"a\"\nactive = 5\nunits = 2\n", {"x", "x", "y", "x", "x"},
        "t.toml:4:9: error: subcluster \"a\" has 1 processor of host \"y\", too few for 2 units; "
        "write units = 1 or less, or give it more processors there");
}

void TestLayout::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(Hosts, hosts);
    QFETCH(QString, expected);
    const auto reading = readTopologyText(text.toStdString(), "t.toml");
    QVERIFY2(reading.topology, qPrintable(told(reading.diagnostics)));
    const LayoutReading layout = layOut(*reading.topology, hosts, reading.places);
    QVERIFY(!layout.layout);
    QCOMPARE(told(layout.diagnostics), expected);
    // Without a file the same is told, without a place.
    const LayoutReading unplaced = layOut(*reading.topology, hosts);
    QVERIFY(!unplaced.layout);
    QCOMPARE(unplaced.diagnostics.size(), layout.diagnostics.size());
    QCOMPARE(unplaced.diagnostics[0].message.text(), layout.diagnostics[0].message.text());
    QCOMPARE(unplaced.diagnostics[0].place, SourcePlace());
}

void TestLayout::unusedHostIsAWarning()
{
    const auto reading = readTopologyText("[[subcluster]]\nname = \"a\"\nactive = 2\n"
                                          "hosts = [\"x\", \"y\"]\n"
                                          "[[subcluster]]\nname = \"b\"\nactive = 1\n",
                                          "t.toml");
    const LayoutReading layout = layOut(*reading.topology, Hosts{"x", "x", "y"}, reading.places);
    QVERIFY(layout.layout);
    QCOMPARE(told(layout.diagnostics),
             "t.toml:4:15: warning: subcluster \"a\" takes no processor of host \"y\": the others "
             "have enough, or others have taken them; leave the host out, or start fewer "
             "processors on the others");
}

QTEST_APPLESS_MAIN(TestLayout)

} // namespace tst_layout

#include "tst_layout.moc"

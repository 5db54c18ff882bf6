// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/topologyreader.h"
#include "topologytesting.h"

#include <QTest>

namespace tst_topologyreader {

using namespace tasuki;
using namespace tasuki::config;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

TopologyReading read(const QByteArray& text)
{
    return readTopologyText(text.toStdString(), "t.toml");
}

/// A topology of one subcluster, with some lines more in it: they begin in line 4.
QByteArray subcluster(const QByteArray& lines = {})
{
    return "[[subcluster]]\nname = \"a\"\nactive = 4\n" + lines + '\n';
}

/// The same with lines of [system] before it: they begin in line 2.
QByteArray withSystem(const QByteArray& lines)
{
    return "[system]\n" + lines + '\n' + subcluster();
}

} // namespace

class TestTopologyReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaults();
    void everything();
    void otherWaysToWrite();
    void worlds();
    void places();
    void wrongWorlds_data();
    void wrongWorlds();
    void errors_data();
    void errors();
    void allErrorsAtOnce();
    void nothingIsToldTwice_data();
    void nothingIsToldTwice();
    void columnsCountBytes();
    void limitsOfTheWhole();
};

void TestTopologyReader::defaults()
{
    const auto reading = read("[[subcluster]]\nname = \"only\"\nactive = 1\n");
    QVERIFY2(reading.topology && reading.diagnostics.empty(),
             qPrintable(told(reading.diagnostics)));
    const Topology& topology = *reading.topology;
    QCOMPARE(topology.heartbeat, 100ms);
    QCOMPARE(topology.suspectAfter, 3U);
    QCOMPARE(topology.lostAfter, 10U);
    QCOMPARE(topology.policy, DownPolicy::Restart);
    QVERIFY(topology.rejoin);
    QCOMPARE(topology.subclusters.size(), 1U);
    const SubclusterSpec& spec = topology.subclusters[0];
    QCOMPARE(spec.name, std::string("only"));
    QCOMPARE(spec.active, 1U);
    QCOMPARE(spec.standby, 0U);
    QCOMPARE(spec.io, 0U);
    QCOMPARE(spec.minimum, 1U);
    QVERIFY(spec.hosts.empty() && !spec.units && !spec.dedicatedMaster);
    QCOMPARE(spec.restarts.count, 3U);
    QCOMPARE(spec.restarts.within, 60s);
    QCOMPARE(topology.processors(), 1U);
}

void TestTopologyReader::everything()
{
    const auto reading = read("# a system\n"
                              "[system] # of one\n"
                              "heartbeat_ms = 250\n"
                              "suspect_after = 4\n"
                              "lost_after = 12 # heartbeats\n"
                              "policy = \"stop\"\n"
                              "rejoin = false\n"
                              "[[subcluster]]\n"
                              "name = \"antenna-1_B\"\n"
                              "active = 4\n"
                              "standby = 2\n"
                              "io = 1\n"
                              "minimum = 3\n"
                              "hosts = [\"node0\", # the first\n"
                              "         \"node1.example\"]\n"
                              "units = 2\n"
                              "restarts = { count = 5, within_s = 30 }\n"
                              "dedicated_master = true\n"
                              "[[subcluster]]\n"
                              "name = \"filter\"\n"
                              "active = 100000\n"
                              "minimum = 0\n");
    QVERIFY2(reading.topology && reading.diagnostics.empty(),
             qPrintable(told(reading.diagnostics)));
    const Topology expected{.heartbeat = 250ms,
                            .suspectAfter = 4,
                            .lostAfter = 12,
                            .policy = DownPolicy::Stop,
                            .rejoin = false,
                            .subclusters = {{.name = "antenna-1_B",
                                             .active = 4,
                                             .standby = 2,
                                             .io = 1,
                                             .minimum = 3,
                                             .hosts = {"node0", "node1.example"},
                                             .units = 2,
                                             .restarts = {.count = 5, .within = 30s},
                                             .dedicatedMaster = true},
                                            {.name = "filter", .active = 100'000, .minimum = 0}}};
    QVERIFY(*reading.topology == expected);
    QCOMPARE(expected.subclusters[0].processors(), 8U);
    QCOMPARE(expected.processors(), 100'008U);
}

void TestTopologyReader::otherWaysToWrite()
{
    const auto plain = read("[system]\npolicy = \"continue\"\n" + subcluster("restarts.count = 1"));
    const auto nested = read(subcluster("[subcluster.restarts]\ncount = 1")
                             + "[system]\npolicy = 'continue'\n");
    const auto inlined = read("system = {policy = \"continue\"}\r\n"
                              "subcluster = [{name = 'a', active = 0x4, restarts = {count = 1}}]");
    QVERIFY2(
        plain.topology && nested.topology && inlined.topology,
        qPrintable(told(plain.diagnostics) + told(nested.diagnostics) + told(inlined.diagnostics)));
    QCOMPARE(plain.topology->subclusters[0].restarts.count, 1U);
    QCOMPARE(plain.topology->subclusters[0].restarts.within, 60s);
    QVERIFY(*plain.topology == *nested.topology);
    QVERIFY(*plain.topology == *inlined.topology);
}

void TestTopologyReader::worlds()
{
    const auto inlined = read(subcluster("world = { command = \"./solver  -n 4\", cwd = \"/data\", "
                                         "deadline_s = 60, env = { B = \"\", A = \"x y\" }, "
                                         "deterministic = false, log_mb = 64 }"));
    const auto table = read(subcluster("[subcluster.world]\ncommand = './solver  -n 4'\n"
                                       "cwd = '/data'\ndeadline_s = 60\n"
                                       "log_mb = 64\ndeterministic = false\n"
                                       "[subcluster.world.env]\nA = 'x y'\nB = ''\n"));
    const auto plain = read(subcluster("world.command = './solver'"));
    for (const auto* reading : {&inlined, &table, &plain})
        QVERIFY2(reading->topology && reading->diagnostics.empty(),
                 qPrintable(told(reading->diagnostics)));
    const WorldSpec expected{.command = "./solver  -n 4",
                             .directory = "/data",
                             .environment = {{"A", "x y"}, {"B", ""}},
                             .deadline = 60s,
                             .deterministic = false,
                             .logMb = 64};
    QVERIFY(inlined.topology->subclusters[0].world == expected);
    QVERIFY(*table.topology == *inlined.topology);
    QVERIFY(plain.topology->subclusters[0].world
            == (WorldSpec{.command = "./solver", .directory = {}}));
    QVERIFY(!read(subcluster()).topology->subclusters[0].world);
    for (const char* deadline : {"1", "315360000"})
        QVERIFY(
            read(subcluster("world = { command = 'x', deadline_s = " + QByteArray(deadline) + " }"))
                .topology);
}

void TestTopologyReader::places()
{
    const auto reading = read("[system]\nlost_after = 11\n"
                              + subcluster("hosts = [\"x\",\n  \"y\"]\nunits = 2"));
    QVERIFY2(reading.topology, qPrintable(told(reading.diagnostics)));
    const auto at = [&](std::optional<std::size_t> index, std::optional<TopologyField> field,
                        std::optional<std::size_t> host = {}) {
        const SourcePlace place = reading.places.of(index, field, host);
        return std::pair(place.line, place.column);
    };
    using Pair = std::pair<std::uint64_t, std::uint64_t>;
    QCOMPARE(at({}, {}), Pair(1, 1));
    QCOMPARE(at({}, TopologyField::LostAfter), Pair(2, 14));
    QCOMPARE(at({}, TopologyField::SuspectAfter), Pair(1, 1)); // not given: the table
    QCOMPARE(at(0, {}), Pair(3, 1));
    QCOMPARE(at(0, TopologyField::Active), Pair(5, 10));
    QCOMPARE(at(0, TopologyField::Hosts), Pair(6, 9));
    QCOMPARE(at(0, TopologyField::Hosts, 1), Pair(7, 3));
    QCOMPARE(at(0, TopologyField::Units), Pair(8, 9));
    QCOMPARE(at(1, TopologyField::Units), Pair(0, 0));
    QCOMPARE(reading.places.of(0).file, std::string("t.toml"));
    QCOMPARE(TopologyPlaces().of(0, TopologyField::Name), SourcePlace());
}

void TestTopologyReader::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected"); ///< place, message, and how the remedy begins
    const auto row = [](const char* name, const QByteArray& text, const char* expected) {
        QTest::newRow(name) << text << "t.toml:" + QString(expected);
    };
    row("empty", "",
        "1:1: error: there are no subclusters; write, for each, [[subcluster]] and under it");
    row("no subcluster", "[system]\n", "1:1: error: there are no subclusters; write");
    row("empty list", "subcluster = []\n", "1:1: error: there are no subclusters; write");
    row("syntax", "[[subcluster]]\nname = \"a\"\nactive = = 2\n", "3:10: error: no valid TOML: ");
    row("name without marks", "[[subcluster]]\nname = antenna\n", "2:8: error: no valid TOML: ");
    row("key twice", subcluster("active = 5"), "4:10: error: no valid TOML: ");
    QByteArray deep = "[[subcluster]]\nname = \"a\"\n  a";
    for (int part = 0; part < 200'000; ++part)
        deep += ".a";
    row("deep key", deep + " = 1\n", "3:3: error: a key of more than 16 parts");
    row("no UTF-8", "[[subcluster]]\nname = \"\xFF\"\n", "2:8: error: no valid TOML: ");
    row("one table", "[subcluster]\nname = \"a\"\nactive = 1\n",
        "1:1: error: subcluster is a table; write [[subcluster]], once for each subcluster");
    row("subcluster is a number", "subcluster = 2\n",
        "1:14: error: subcluster is 2; write [[subcluster]], once for each");
    row("number among subclusters", "subcluster = [{name = \"a\", active = 1}, 3]\n",
        "1:41: error: subcluster has 3 among its tables; write [[subcluster]]");
    row("system is a number", "system = 1\n" + subcluster(),
        "1:10: error: system is 1; write [system], once, and under it");
    row("system is a list", "[[system]]\n" + subcluster(),
        "1:1: error: system is an array; write [system], once");

    row("unknown at the top", "[[subclusters]]\nname = \"a\"\n",
        "1:3: error: unknown key \"subclusters\" at the top of the file; did you mean subcluster?");
    row("of the system at the top", "heartbeat_ms = 50\n" + subcluster(),
        "1:1: error: there is no heartbeat_ms at the top of the file; write it under [system]");
    row("of a subcluster at the top", "active = 2\n" + subcluster(),
        "1:1: error: there is no active at the top of the file; write it under [[subcluster]]");
    row("unknown in the system", withSystem("hartbeat = 100"),
        "2:1: error: unknown key \"hartbeat\" in [system]; did you mean heartbeat_ms? There are "
        "heartbeat_ms, suspect_after, lost_after, policy, rejoin");
    row("of a subcluster in the system", withSystem("units = 2"),
        "2:1: error: there is no units in [system]; write it under [[subcluster]]");
    row("unknown in a subcluster", subcluster("standbys = 1"),
        "4:1: error: unknown key \"standbys\" in [[subcluster]]; did you mean standby?");
    row("of the system in a subcluster", subcluster("policy = \"stop\""),
        "4:1: error: there is no policy in [[subcluster]]; write it under [system]");
    row("of restarts in a subcluster", subcluster("within_s = 60"),
        "4:1: error: there is no within_s in [[subcluster]]; write it under restarts = { ... }");
    row("unknown in restarts", subcluster("restarts = { count = 1, within = 60 }"),
        "4:25: error: unknown key \"within\" in restarts; did you mean within_s?");

    row("heartbeat short", withSystem("heartbeat_ms = 9"),
        "2:16: error: heartbeat_ms is 9; expected milliseconds, a whole number from 10 to 10000, "
        "e.g. heartbeat_ms = 100");
    row("heartbeat long", withSystem("heartbeat_ms = 10001"),
        "2:16: error: heartbeat_ms is 10001; expected milliseconds");
    row("heartbeat is no whole number", withSystem("heartbeat_ms = 100.0"),
        "2:16: error: heartbeat_ms is 100.0; expected milliseconds, a whole number");
    row("heartbeat is text", withSystem("heartbeat_ms = \"100ms\""),
        "2:16: error: heartbeat_ms is the string \"100ms\"; expected milliseconds");
    row("suspect after nothing", withSystem("suspect_after = 0"),
        "2:17: error: suspect_after is 0; expected heartbeats, a whole number from 1 to 9999");
    row("lost after negative", withSystem("lost_after = -1"),
        "2:14: error: lost_after is -1; expected heartbeats, a whole number from 2 to 10000");
    row("lost before suspect", withSystem("suspect_after = 5\nlost_after = 5"),
        "3:14: error: lost_after is 5, suspect_after 5; expected lost_after above suspect_after, "
        "e.g. lost_after = 16");
    row("suspect after the lost of default", withSystem("suspect_after = 10"),
        "2:17: error: lost_after is 10, suspect_after 10; expected lost_after above");
    row("policy unknown", withSystem("policy = \"restrat\""),
        "2:10: error: policy is \"restrat\"; did you mean \"restart\"? Expected \"continue\", "
        "\"restart\" or \"stop\"");
    row("policy is a truth value", withSystem("policy = true"),
        "2:10: error: policy is true; expected \"continue\", \"restart\" or \"stop\"");

    row("no name", "[[subcluster]]\nactive = 1\n",
        "1:1: error: [[subcluster]] has no name; write, for example, name = \"antenna\"");
    row("name is a number", "[[subcluster]]\nname = 7\nactive = 1\n",
        "2:8: error: name is 7; expected a name between quotation marks, e.g. name = \"antenna\"");
    row("name is empty", "[[subcluster]]\nname = \"\"\nactive = 1\n",
        "2:8: error: name \"\" is empty; expected 1 to 64 letters, digits, - or _");
    row("name with a blank", "[[subcluster]]\nname = \"a b\"\nactive = 1\n",
        "2:8: error: name \"a b\" has a blank in it; expected 1 to 64 letters");
    row("name with a slash", "[[subcluster]]\nname = \"a/b\"\nactive = 1\n",
        "2:8: error: name \"a/b\" has a / in it; expected 1 to 64 letters");
    row("name of other letters", "[[subcluster]]\nname = \"\xC3\xA9t\xC3\xA9\"\nactive = 1\n",
        "2:8: error: name \"\u00E9t\u00E9\" has another character than those in it; expected 1");
    row("name is long", "[[subcluster]]\nname = \"" + QByteArray(65, 'n') + "\"\nactive = 1\n",
        "2:8: error: name \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\" is longer than 64 "
        "characters; expected");
    row("name twice", subcluster() + subcluster(),
        "6:8: error: two subclusters have the name \"a\", the first in line 2; give each one a "
        "name of its own");

    row("no active", "[[subcluster]]\nname = \"a\"\n",
        "1:1: error: [[subcluster]] has no active; write, for example, active = 4");
    row("active none", "[[subcluster]]\nname = \"a\"\nactive = 0\n",
        "3:10: error: active is 0; expected a whole number from 1 to 100000, e.g. active = 4");
    row("active many", "[[subcluster]]\nname = \"a\"\nactive = 100001\n",
        "3:10: error: active is 100001; expected a whole number from 1 to 100000");
    row("active is text", "[[subcluster]]\nname = \"a\"\nactive = \"4\"\n",
        "3:10: error: active is the string \"4\"; expected a whole number");
    row("standby negative", subcluster("standby = -1"),
        "4:11: error: standby is -1; expected a whole number from 0 to 100000");
    row("io is a list", subcluster("io = [1]"), "4:6: error: io is an array; expected a whole");
    row("minimum above active", subcluster("minimum = 5"),
        "4:11: error: minimum is 5, active 4; expected a minimum of at most active, e.g. "
        "minimum = 4");
    row("hosts is text", subcluster("hosts = \"node0\""),
        "4:9: error: hosts is the string \"node0\"; write their names between quotation marks, "
        "e.g. hosts = [\"node0\", \"node1\"]");
    row("hosts is empty", subcluster("hosts = []"),
        "4:9: error: hosts is empty; name a host, or leave hosts out");
    row("number among hosts", subcluster("hosts = [\"node0\", 1]"),
        "4:19: error: hosts has 1 among its names; write their names between quotation marks");
    row("host twice", subcluster("hosts = [\"node0\",\n \"node1\",\n \"node0\"]"),
        "6:2: error: host \"node0\" is named twice; name it once");
    row("host with a blank", subcluster("hosts = [\"node 0\"]"),
        "4:10: error: host \"node 0\" has a blank in it; write the name that mpirun knows");
    row("host is empty", subcluster("hosts = [\"\"]"), "4:10: error: host \"\" is empty; write");
    row("no units", subcluster("units = 0"),
        "4:9: error: units is 0; expected a whole number from 1 to 100000, e.g. units = 2");
    row("more units than processors", subcluster("standby = 1\nunits = 6"),
        "5:9: error: units is 6, but the subcluster has 5 processors; units are those of each "
        "host, with a processor each at least: expected at most 5");
    row("more hosts than processors",
        "[[subcluster]]\nname = \"a\"\nactive = 1\nhosts = [\"x\", \"y\"]\n",
        "4:9: error: hosts names 2 hosts, but the subcluster has 1 processor; name at most 1");
    row("too many units on all hosts", subcluster("units = 3\nhosts = [\"x\", \"y\"]"),
        "5:9: error: hosts names 2 hosts of 3 units each, but the subcluster has 4 processors; "
        "name at most 1, or write fewer units");
    row("restarts is a number", subcluster("restarts = 3"),
        "4:12: error: restarts is 3; write how many in how many seconds, restarts = { count = 3, "
        "within_s = 60 }");
    row("restarts negative", subcluster("restarts = { count = -1 }"),
        "4:22: error: count is -1; expected a whole number from 0 to 100000, e.g. count = 3");
    row("restarts in no time", subcluster("restarts = { within_s = 0 }"),
        "4:25: error: within_s is 0; expected seconds, a whole number from 1 to 1000000");
    row("rejoin is a word", "[system]\nrejoin = \"yes\"\n" + subcluster(""),
        "2:10: error: rejoin is the string \"yes\"; expected true or false, e.g. rejoin = true");
    row("rejoin of a subcluster", subcluster("rejoin = true"),
        "4:1: error: there is no rejoin in [[subcluster]]; write it under [system]");
    row("dedicated master is a number", subcluster("dedicated_master = 1"),
        "4:20: error: dedicated_master is 1; expected true or false, e.g. dedicated_master = "
        "true");
}

void TestTopologyReader::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto reading = read(text);
    QVERIFY(!reading.topology);
    QCOMPARE(reading.diagnostics.size(), 1U);
    QVERIFY2(told(reading.diagnostics).startsWith(expected), qPrintable(told(reading.diagnostics)));
    QVERIFY(!reading.diagnostics[0].remedy.empty());
}

void TestTopologyReader::wrongWorlds_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<QString>("expected"); ///< place, message, and how the remedy begins
    const auto row = [](const char* name, const QByteArray& lines, const char* expected) {
        QTest::newRow(name) << lines << QString(expected);
    };
    row("a string", "world = \"./solver\"",
        "4:9: error: world is the string \"./solver\"; write what is to run as each rank, world = { "
        "command = \"./solver\" }");
    row("a number", "world = 4", "4:9: error: world is 4; write what is to run");
    row("a list", "world = [{ command = \"x\" }]", "4:9: error: world is an array; write what is");
    row("no command", "world = { cwd = \"/data\" }",
        "4:9: error: world has no command; write, for example, command = \"./solver\", what the "
        "shell is to run");
    row("nothing", "world = {}", "4:9: error: world has no command; write, for example, command");
    row("command is a number", "world = { command = 7 }",
        "4:21: error: command is 7; expected a command between quotation marks, e.g. command = "
        "\"./solver\"");
    row("command is a list", "world = { command = [\"./solver\", \"-x\"] }",
        "4:21: error: command is an array; expected a command between quotation marks");
    row("command is empty", "world = { command = \"\" }",
        "4:21: error: the command of the world is empty; write what the shell is to run");
    row("command is blank", "world = { command = \" \\t \" }",
        "4:21: error: the command of the world is empty; write what the shell is to run");
    row("command of two lines", "world = { command = \"a\\nb\" }",
        "4:21: error: the command of the world has more than one line; write what");
    row("command with a NUL", "world = { command = \"a\\u0000b\" }",
        "4:21: error: the command of the world has more than one line; write what");
    row("cwd is a truth value", "world = { command = \"x\", cwd = true }",
        "4:32: error: cwd is true; expected a path between quotation marks, e.g. cwd = \"/data\"");
    row("env is a list", "world = { command = \"x\", env = [\"A=1\"] }",
        "4:32: error: env is an array; write names and values, env = { OMP_NUM_THREADS = \"4\" }");
    row("env is a string", "world = { command = \"x\", env = \"A=1\" }",
        "4:32: error: env is the string \"A=1\"; write names and values");
    row("value is a number", "world = { command = \"x\", env = { A = \"1\", B = 2 } }",
        "4:47: error: B is 2; write names and values, env = {");
    row("value with a NUL", "world = { command = \"x\", env = { A = \"a\\u0000b\" } }",
        "4:38: error: A is the string");
    row("name with a blank", "world = { command = \"x\", env = { \"A B\" = \"1\" } }",
        "4:42: error: \"A B\" is no name of a variable; expected letters, digits and _, not a digit "
        "first");
    row("name begins with a digit", "world = { command = \"x\", env = { 1A = \"1\" } }",
        "4:39: error: \"1A\" is no name of a variable; expected letters");
    row("name is empty", "world = { command = \"x\", env = { \"\" = \"1\" } }",
        "4:39: error: \"\" is no name of a variable; expected letters");
    row("too much log", "world = { command = \"x\", log_mb = 65537 }",
        "4:35: error: log_mb is 65537; expected MiB, a whole number from 0 to 65536, e.g. log_mb = 256");
    row("no answer", "world = { command = \"x\", deterministic = 1 }",
        "4:42: error: deterministic is 1; expected");
    row("no time", "world = { command = \"x\", deadline_s = 0 }",
        "4:39: error: deadline_s is 0; expected seconds, a whole number from 1 to 315360000, e.g. "
        "deadline_s = 3600");
    row("negative time", "world = { command = \"x\", deadline_s = -5 }",
        "4:39: error: deadline_s is -5; expected seconds, a whole number from 1");
    row("over ten years", "world = { command = \"x\", deadline_s = 315360001 }",
        "4:39: error: deadline_s is 315360001; expected seconds, a whole number from 1");
    row("time as text", "world = { command = \"x\", deadline_s = \"1h\" }",
        "4:39: error: deadline_s is the string \"1h\"; expected seconds, a whole number from 1");
    row("unknown key", "world = { command = \"x\", comand = \"y\" }",
        "4:26: error: unknown key \"comand\" in world; did you mean command? There are command, cwd, "
        "env, deadline_s, deterministic, log_mb");
    row("of a subcluster", "world = { command = \"x\", units = 2 }",
        "4:26: error: unknown key \"units\" in world;");
    row("outside of it", "command = \"x\"",
        "4:1: error: there is no command in [[subcluster]]; write it under world = { ... }");
}

void TestTopologyReader::wrongWorlds()
{
    QFETCH(QByteArray, lines);
    QFETCH(QString, expected);
    const auto reading = read(subcluster(lines));
    QVERIFY(!reading.topology);
    QCOMPARE(reading.diagnostics.size(), 1U);
    QVERIFY2(told(reading.diagnostics).startsWith("t.toml:" + expected),
             qPrintable(told(reading.diagnostics)));
    QVERIFY(!reading.diagnostics[0].remedy.empty());
}

void TestTopologyReader::allErrorsAtOnce()
{
    const auto reading = read("[system]\n"
                              "heartbeat_ms = 0\n"
                              "polcy = \"stop\"\n"
                              "[[subcluster]]\n"
                              "name = \"a\"\n"
                              "active = 2\n"
                              "minimum = 3\n"
                              "units = 7\n"
                              "[[subcluster]]\n"
                              "name = \"a\"\n"
                              "active = true\n"
                              "hosts = [\"x\", \"x\"]\n"
                              "[[subcluster]]\n"
                              "standby = 0.5\n");
    QVERIFY(!reading.topology);
    std::vector<std::uint64_t> lines;
    for (const Diagnostic& diagnostic : reading.diagnostics)
        lines.push_back(diagnostic.place.line);
    QVERIFY2(lines == (std::vector<std::uint64_t>{2, 3, 7, 8, 10, 11, 12, 13, 13, 14}),
             qPrintable(told(reading.diagnostics)));
}

void TestTopologyReader::nothingIsToldTwice_data()
{
    QTest::addColumn<QByteArray>("text");
    // Values that would not go with the default of the wrong one.
    QTest::newRow("active") << QByteArray(
        "[[subcluster]]\nname = \"a\"\nactive = -4\nminimum = 3\nunits = 4\n");
    QTest::newRow("minimum") << subcluster("minimum = 100001");
    QTest::newRow("standby") << subcluster("standby = \"2\"\nunits = 6");
    QTest::newRow("suspect") << withSystem("suspect_after = 10000\nlost_after = 2");
    QTest::newRow("lost") << withSystem("suspect_after = 20\nlost_after = 1");
    QTest::newRow("hosts") << subcluster("hosts = [1]");
    QTest::newRow("name") << QByteArray("[[subcluster]]\nname = 1\nactive = 1\n") + subcluster();
}

void TestTopologyReader::nothingIsToldTwice()
{
    QFETCH(QByteArray, text);
    const auto reading = read(text);
    QVERIFY2(reading.diagnostics.size() == 1, qPrintable(told(reading.diagnostics)));
}

void TestTopologyReader::columnsCountBytes()
{
    const auto reading = read(subcluster("hosts = [\"計算機\", 1]"));
    QCOMPARE(reading.diagnostics.at(0).place.column, 23U);
    const auto afterMark = read("\xEF\xBB\xBFsystem = 1\n" + subcluster());
    QCOMPARE(afterMark.diagnostics.at(0).place.column, 13U);
}

void TestTopologyReader::limitsOfTheWhole()
{
    QByteArray many;
    for (int i = 0; i < 4096; ++i)
        many += "[[subcluster]]\nname = \"n" + QByteArray::number(i) + "\"\nactive = 1\n";
    QVERIFY(read(many).topology);
    const QByteArray more = "[[subcluster]]\nname = \"last\"\nactive = 1\n";
    QVERIFY2(told(read(many + more + more).diagnostics)
                 .startsWith("t.toml:12289:1: error: more than 4096 subclusters; make fewer"),
             qPrintable(told(read(many + more + more).diagnostics)));
    QByteArray large;
    for (int i = 0; i < 11; ++i)
        large += "[[subcluster]]\nname = \"n" + QByteArray::number(i) + "\"\nactive = 99999\n";
    const auto reading = read(large);
    QCOMPARE(told(reading.diagnostics),
             "t.toml:31:1: error: up to here the subclusters need 1099989 processors; expected at "
             "most 1000000 in all");
}

QTEST_APPLESS_MAIN(TestTopologyReader)

} // namespace tst_topologyreader

#include "tst_topologyreader.moc"

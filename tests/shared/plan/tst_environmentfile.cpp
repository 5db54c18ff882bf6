// SPDX-License-Identifier: GPL-3.0-or-later
#include "files/wholefile.h"
#include "plan/environmentfile.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <random>
#include <unistd.h>

namespace tst_environmentfile {

using namespace tasuki;
using namespace tasuki::plan;

namespace {

const QByteArray nodes = "[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n"
                         "[link_default]\na0_us = 1\na1_us_per_byte = 1\n"; // 7 lines

EnvironmentReading read(const QByteArray& text)
{
    return readEnvironmentText(text.toStdString(), "env.toml");
}

QString told(const EnvironmentReading& reading)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : reading.diagnostics)
        lines << QString::fromStdString(diagnostic.text());
    return lines.join('\n');
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Numbers of all magnitudes that the limits allow, plain ones among them.
double someNumber(std::mt19937_64& random, double least, double most)
{
    std::uniform_real_distribution<double> exponent(-12, 12);
    const double value = random() % 3 == 0 ? static_cast<double>(random() % 100)
                                           : std::pow(10.0, exponent(random));
    return std::clamp(value, least, most);
}

Confidence someConfidence(std::mt19937_64& random)
{
    if (random() % 2 == 0)
        return std::nullopt;
    return someNumber(random, 0.0, limits::mostSpeed);
}

LinkSpec someLink(std::mt19937_64& random)
{
    return {.a0Us = someNumber(random, 0.0, limits::mostUs),
            .a1UsPerByte = someNumber(random, 0.0, limits::mostUsPerByte),
            .burstBytes = random() % 2 == 0 ? 0.0 : someNumber(random, 0.0, limits::mostBytes),
            .a0Confidence = someConfidence(random),
            .a1Confidence = someConfidence(random)};
}

Environment someEnvironment(std::mt19937_64& random)
{
    Environment environment;
    environment.traceSpeed = someNumber(random, limits::leastSpeed, limits::mostSpeed);
    environment.eagerBytes = random() % (limits::mostEagerBytes + 1);
    environment.sendBufferBytes = random() % 2 == 0 ? 0.0
                                                    : someNumber(random, 0.0, limits::mostBytes);
    const std::size_t count = 1 + random() % 6;
    for (std::size_t i = 0; i < count; ++i) {
        static const std::array stems{"grid", "\"\\", "計算機", "x.example", "#[="};
        environment.nodes.push_back(
            {.name = stems[random() % stems.size()] + std::to_string(i),
             .speed = someNumber(random, limits::leastSpeed, limits::mostSpeed),
             .speedConfidence = someConfidence(random),
             .slots = static_cast<std::uint32_t>(1 + random() % limits::mostSlots),
             .cores = random() % 2 == 0
                 ? 0
                 : static_cast<std::uint32_t>(1 + random() % limits::mostCores),
             .egressUsPerByte = random() % 2 == 0 ? 0.0 : someLink(random).a1UsPerByte,
             .ingressUsPerByte = random() % 2 == 0 ? 0.0 : someLink(random).a1UsPerByte});
    }
    environment.linkDefault = someLink(random);
    environment.linkInside = someLink(random);
    environment.links.resize(count * count);
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = 0; b < count; ++b) {
            if (random() % 3 == 0)
                environment.links[a * count + b] = someLink(random);
            if (random() % 3 == 0)
                environment.links[a * count + b] = environment.links[b * count + a];
        }
    }
    return environment;
}

} // namespace

class TestEnvironmentFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeFile();
    void defaults();
    void inlineTables();
    void directions();
    void missingDefaultLinkIsAWarning();
    void errors_data();
    void errors();
    void allErrorsAtOnce();
    void columnsCountBytes();
    void roundTrip();
    void textIsReadable();
    void typedNumbers();
    void filesThatCannotBeRead();
    void writesWholeOrNotAtAll();
};

void TestEnvironmentFile::wholeFile()
{
    const auto reading = read("trace_speed = 2\n"
                              "eager_bytes = 4096\n"
                              "send_buffer_bytes = 131072\n"
                              "[[node]]\n"
                              "name = \"grid00\"\n"
                              "speed = 1\n"
                              "speed_ci95 = 0.01\n"
                              "slots = 4\n"
                              "cores = 65536\n"
                              "egress_us_per_byte = 0.08\n"
                              "ingress_us_per_byte = 0.09\n"
                              "[[node]]\n"
                              "name = \"grid03\"\n"
                              "speed = 0.25\n"
                              "[link_default]\n"
                              "a0_us = 60.0\n"
                              "a1_us_per_byte = 0.08\n"
                              "[link_inside]\n"
                              "a0_us = 0.75\n"
                              "a1_us_per_byte = 1e-4\n"
                              "a0_ci95_us = 0.01\n"
                              "[[link]]\n"
                              "between = [\"grid00\", \"grid03\"]\n"
                              "a0_us = 120.0\n"
                              "a1_us_per_byte = 0.8\n"
                              "burst_bytes = 1500.5\n"
                              "a0_ci95_us = 1.5\n"
                              "a1_ci95_us_per_byte = 0.003\n"
                              "[[link]]\n"
                              "between = [\"grid03\", \"grid03\"]\n"
                              "a0_us = 3\n"
                              "a1_us_per_byte = 4\n");
    QVERIFY2(reading.environment && reading.diagnostics.empty(), qPrintable(told(reading)));
    const LinkSpec far{.a0Us = 120,
                       .a1UsPerByte = 0.8,
                       .burstBytes = 1500.5,
                       .a0Confidence = 1.5,
                       .a1Confidence = 0.003};
    const LinkSpec own{.a0Us = 3, .a1UsPerByte = 4};
    const Environment expected{
        .traceSpeed = 2,
        .eagerBytes = 4096,
        .sendBufferBytes = 131'072,
        .nodes = {{.name = "grid00",
                   .speed = 1,
                   .speedConfidence = 0.01,
                   .slots = 4,
                   .cores = 65'536,
                   .egressUsPerByte = 0.08,
                   .ingressUsPerByte = 0.09},
                  {.name = "grid03", .speed = 0.25}},
        .linkDefault = {.a0Us = 60, .a1UsPerByte = 0.08},
        .linkInside = {.a0Us = 0.75, .a1UsPerByte = 0.0001, .a0Confidence = 0.01},
        .links = {std::nullopt, far, far, own}};
    QVERIFY(*reading.environment == expected);
    QCOMPARE(reading.environment->link(Node(0), Node(0)).a0Us, 0.75);
    QCOMPARE(reading.environment->link(Node(1), Node(1)).a0Us, 3.0);
    QCOMPARE(reading.environment->link(Node(1), Node(0)).timeUs(1000), 120.0);
    QCOMPARE(reading.environment->link(Node(1), Node(0)).timeUs(2500.5), 920.0);
}

void TestEnvironmentFile::defaults()
{
    const auto reading = read("[[node]]\nname = \"only\"\n");
    QVERIFY2(reading.environment && reading.diagnostics.empty(), qPrintable(told(reading)));
    const Environment& environment = *reading.environment;
    QCOMPARE(environment.traceSpeed, 1.0);
    QCOMPARE(environment.eagerBytes, std::uint64_t{65'536});
    QCOMPARE(environment.sendBufferBytes, 0.0);
    QCOMPARE(environment.nodes.size(), 1U);
    QCOMPARE(environment.nodes[0].speed, 1.0);
    QCOMPARE(environment.nodes[0].slots, 1U);
    QCOMPARE(environment.nodes[0].cores, 0U);
    QVERIFY(!environment.nodes[0].speedConfidence);
    QVERIFY(environment.linkInside == Environment().linkInside);
}

void TestEnvironmentFile::inlineTables()
{
    const auto reading = read("node = [{name = 'a'}, {name = 'b', speed = 0.5}]\n"
                              "link_default = {a0_us = 1, a1_us_per_byte = 2}\n"
                              "link = [{from = 'a', to = 'b', a0_us = 3, a1_us_per_byte = 4}]\n");
    QVERIFY2(reading.environment && reading.diagnostics.empty(), qPrintable(told(reading)));
    QCOMPARE(reading.environment->nodes[1].speed, 0.5);
    QCOMPARE(reading.environment->link(Node(0), Node(1)).a0Us, 3.0);
    QCOMPARE(reading.environment->link(Node(1), Node(0)).a0Us, 1.0);
}

void TestEnvironmentFile::directions()
{
    const auto reading = read(
        nodes
        + "[[link]]\nfrom = \"a\"\nto = \"b\"\na0_us = 1.5\na1_us_per_byte = 0\n"
          "[[link]]\nfrom = \"b\"\nto = \"a\"\na0_us = 2.5\na1_us_per_byte = 0\n");
    QVERIFY2(reading.environment, qPrintable(told(reading)));
    QCOMPARE(reading.environment->link(Node(0), Node(1)).a0Us, 1.5);
    QCOMPARE(reading.environment->link(Node(1), Node(0)).a0Us, 2.5);
}

void TestEnvironmentFile::missingDefaultLinkIsAWarning()
{
    const QByteArray three = "[[node]]\nname = \"a\"\n[[node]]\nname = \"b\"\n[[node]]\n"
                             "name = \"c\"\n";
    const QByteArray link = "[[link]]\nbetween = [\"a\", \"b\"]\na0_us = 1\na1_us_per_byte = 1\n";
    const auto reading = read(three + link);
    QVERIFY(reading.environment);
    QCOMPARE(told(reading),
             "env.toml:1:1: warning: there is neither a link from \"a\" to \"c\" nor "
             "[link_default]: its messages are taken to need no time; write [link_default], and "
             "under it a0_us and a1_us_per_byte");
}

void TestEnvironmentFile::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected"); ///< place and the start of the message
    const auto row = [](const char* name, const QByteArray& text, const char* expected) {
        QTest::newRow(name) << text << QString(expected);
    };
    const QByteArray figures = "a0_us = 1\na1_us_per_byte = 1\n";
    const auto node = [](const QByteArray& line) {
        return "[[node]]\nname = \"a\"\n" + line + '\n';
    };
    const auto link = [&](const QByteArray& lines) { return nodes + "[[link]]\n" + lines; };

    row("empty", "", "1:1: error: there are no nodes");
    row("no nodes", "trace_speed = 1\n", "1:1: error: there are no nodes");
    row("empty list", "\nnode = []\n", "2:8: error: there are no nodes");
    row("one table", "[node]\nname = \"a\"\n", "1:1: error: node is a table; write [[node]]");
    row("node is a number", "node = 3\n", "1:8: error: node is 3; write [[node]]");
    row("number among nodes", "node = [{name = \"a\"}, 3]\n",
        "1:23: error: node has 3 among its tables");
    row("syntax", "[[node]]\nname = \"a\"\nspeed = = 2\n", "3:9: error: no valid TOML: ");
    row("unclosed text", "[[node]]\nname = \"a\n", "2:10: error: no valid TOML: ");
    row("accent", "\xC3\xA9 = 1\n", "1:1: error: no valid TOML: ");
    row("no key", "[*]\n", "1:2: error: no valid TOML: ");
    row("key twice", "[[node]]\nname = \"a\"\nname = \"b\"\n", "3:8: error: no valid TOML: ");
    row("no UTF-8", "[[node]]\nname = \"\xFF\"\n", "2:8: error: no valid TOML: ");

    row("unknown at the top", node("") + "[link_defualt]\n" + figures,
        "4:2: error: unknown key \"link_defualt\" at the top of the file; did you mean "
        "link_default?");
    row("unknown in a node", node("sped = 1"),
        "3:1: error: unknown key \"sped\" in [[node]]; did you mean speed?");
    row("unknown in a link", link("between = [\"a\", \"b\"]\na0 = 1\n" + figures),
        "10:1: error: unknown key \"a0\" in [[link]]; did you mean a0_us?");
    row("unknown in a default", nodes + "slots = 1\n",
        "8:1: error: unknown key \"slots\" in [link_default]; did you mean");

    row("no name", "[[node]]\nspeed = 1\n", "1:1: error: [[node]] has no name; write");
    row("name is a number", "[[node]]\nname = 7\n", "2:8: error: name is 7; expected");
    row("name is empty", "[[node]]\nname = \"\"\n", "2:8: error: name \"\" is empty; write");
    row("name with a blank", "[[node]]\nname = \"a b\"\n",
        "2:8: error: name \"a b\" has a blank in it; write");
    row("name with a control character", "[[node]]\nname = \"a\\tb\"\n",
        "2:8: error: name \"a?b\" has a control character in it; write");
    row("name is long", "[[node]]\nname = \"" + QByteArray(256, 'n') + "\"\n",
        "2:8: error: name \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\" is longer than 255");
    row("name twice", node("") + "[[node]]\nname = \"a\"\n",
        "5:8: error: two nodes have the name \"a\", the first in line 2; give");

    row("speed 0", node("speed = 0"),
        "3:9: error: speed is 0; expected a number above 0, from 0.000001 to 1000000, e.g. "
        "speed = 0.5");
    row("speed negative", node("speed = -1.5"), "3:9: error: speed is -1.5; expected");
    row("speed nan", node("speed = nan"), "3:9: error: speed is nan; expected");
    row("speed inf", node("speed = inf"), "3:9: error: speed is inf; expected");
    row("speed is text", node("speed = \"fast\""),
        "3:9: error: speed is the string \"fast\"; expected");
    row("speed is a date", node("speed = 2026-01-01"), "3:9: error: speed is a date or time; ");
    row("speed is a list", node("speed = [1]"), "3:9: error: speed is an array; expected");
    row("interval negative", node("speed_ci95 = -0.1"), "3:14: error: speed_ci95 is -0.1; ");
    row("no slots", node("slots = 0"),
        "3:9: error: slots is 0; expected a whole number from 1 to 4096");
    row("negative slots", node("slots = -1"), "3:9: error: slots is -1; expected");
    row("many slots", node("slots = 4097"), "3:9: error: slots is 4097; expected");
    row("half a slot", node("slots = 1.5"), "3:9: error: slots is 1.5; expected a whole number");
    row("slots are true", node("slots = true"), "3:9: error: slots is true; expected");
    row("no cores", node("cores = 0"),
        "3:9: error: cores is 0; expected a whole number from 1 to 65536, e.g. cores = 8");
    row("many cores", node("cores = 65537"), "3:9: error: cores is 65537; expected");
    row("half a core", node("cores = 0.5"), "3:9: error: cores is 0.5; expected");
    row("egress", node("egress_us_per_byte = -1"), "3:22: error: egress_us_per_byte is -1; ");
    row("ingress", node("ingress_us_per_byte = nan"), "3:23: error: ingress_us_per_byte is nan; ");
    row("trace speed", "trace_speed = 0\n" + nodes, "1:15: error: trace_speed is 0; expected");
    row("trace speed inf", "trace_speed = -inf\n" + nodes, "1:15: error: trace_speed is -inf; ");
    row("eager bytes", "eager_bytes = -1\n" + nodes, "1:15: error: eager_bytes is -1; expected");
    row("send buffer", "send_buffer_bytes = -1\n" + nodes,
        "1:21: error: send_buffer_bytes is -1; expected bytes");
    row("eager fraction", "eager_bytes = 1.0\n" + nodes, "1:15: error: eager_bytes is 1.0; ");

    row("default is no table", "link_default = 3\n" + nodes.left(nodes.indexOf("[link")),
        "1:16: error: link_default is 3; write [link_default]");
    row("default twice", "[[link_default]]\n" + figures + nodes.left(nodes.indexOf("[link")),
        "1:1: error: link_default is an array; write [link_default]");
    row("inside without a0", nodes + "[link_inside]\na1_us_per_byte = 1\n",
        "8:1: error: [link_inside] has no a0_us; write");
    row("inside without a1", nodes + "[link_inside]\na0_us = 1\n",
        "8:1: error: [link_inside] has no a1_us_per_byte; write");
    row("link is a table", nodes + "[link]\nbetween = [\"a\", \"b\"]\n" + figures,
        "8:1: error: link is a table; write [[link]], once for each link");
    row("link without a0", link("between = [\"a\", \"b\"]\na1_us_per_byte = 1\n"),
        "8:1: error: [[link]] has no a0_us; write");
    row("negative a0", link("between = [\"a\", \"b\"]\na0_us = -1\na1_us_per_byte = 1\n"),
        "10:9: error: a0_us is -1; expected microseconds");
    row("infinite a1", link("between = [\"a\", \"b\"]\na0_us = 1\na1_us_per_byte = inf\n"),
        "11:18: error: a1_us_per_byte is inf; expected");
    row("burst", link("between = [\"a\", \"b\"]\nburst_bytes = true\n" + figures),
        "10:15: error: burst_bytes is true; expected bytes, a number");
    row("interval of a0", link("between = [\"a\", \"b\"]\na0_ci95_us = \"1\"\n" + figures),
        "10:14: error: a0_ci95_us is the string \"1\"; expected");
    row("interval of a1", link("between = [\"a\", \"b\"]\na1_ci95_us_per_byte = -1\n" + figures),
        "10:23: error: a1_ci95_us_per_byte is -1; expected");
    row("no ends", link(figures), "8:1: error: [[link]] has no between; write");
    row("no to", link("from = \"a\"\n" + figures), "8:1: error: [[link]] has no to; write");
    row("no from", link("to = \"a\"\n" + figures), "8:1: error: [[link]] has no from; write");
    row("both kinds", link("between = [\"a\", \"b\"]\nto = \"a\"\n" + figures),
        "10:6: error: [[link]] has both between and from or to; ");
    row("between is text", link("between = \"a-b\"\n" + figures),
        "9:11: error: between is the string \"a-b\"; expected the names of two nodes");
    row("between three", link("between = [\"a\", \"b\", \"a\"]\n" + figures),
        "9:11: error: between has 3 names; expected");
    row("between numbers", link("between = [\"a\", 1]\n" + figures),
        "9:17: error: a link's end is 1; expected");
    row("unknown end", link("between = [\"a\", \"bb\"]\n" + figures),
        "9:17: error: there is no node \"bb\"; did you mean \"b\"?");
    row("unknown from", link("from = \"c\"\nto = \"a\"\n" + figures),
        "9:8: error: there is no node \"c\"; did you mean");
    const QByteArray between = "between = [\"a\", \"b\"]\n" + figures;
    row("link twice", link(between) + "[[link]]\nbetween = [\"b\", \"a\"]\n" + figures,
        "12:1: error: the link from \"b\" to \"a\" is given twice, first in line 8; keep");
    row("one way twice", link(between) + "[[link]]\nfrom = \"b\"\nto = \"a\"\n" + figures,
        "12:1: error: the link from \"b\" to \"a\" is given twice, first in line 8; keep");
    QByteArray many;
    for (int i = 0; i < 1025; ++i)
        many += "[[node]]\nname = \"n" + QByteArray::number(i) + "\"\n";
    row("many nodes", many + "[link_default]\n" + figures,
        "2049:1: error: more than 1024 nodes; leave out");
}

void TestEnvironmentFile::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto reading = read(text);
    QVERIFY(!reading.environment);
    QVERIFY2(reading.diagnostics.size() == 1, qPrintable(told(reading)));
    QVERIFY2(told(reading).startsWith("env.toml:" + expected), qPrintable(told(reading)));
    QVERIFY(!reading.diagnostics.front().remedy.empty());
}

void TestEnvironmentFile::allErrorsAtOnce()
{
    const auto reading = read("trace_speed = 0\n"
                              "colour = 1\n"
                              "[[node]]\n"
                              "name = \"a\"\n"
                              "speed = -1\n"
                              "slots = 0\n"
                              "[[node]]\n"
                              "name = \"a\"\n"
                              "[[link]]\n"
                              "between = [\"a\", \"z\"]\n"
                              "a0_us = nan\n");
    QVERIFY(!reading.environment);
    std::vector<std::uint64_t> lines;
    for (const Diagnostic& diagnostic : reading.diagnostics)
        lines.push_back(diagnostic.place.line);
    QVERIFY2(lines == (std::vector<std::uint64_t>{1, 2, 5, 6, 8, 9, 10, 11}),
             qPrintable(told(reading)));
}

void TestEnvironmentFile::columnsCountBytes()
{
    const auto inlined = read("node = [{name = \"計算機\", speed = 0}]\n");
    QCOMPARE(inlined.diagnostics.at(0).place.column, 38U);
    const auto afterMark = read("\xEF\xBB\xBFtrace_speed = 0\r\n" + nodes);
    QCOMPARE(afterMark.diagnostics.size(), 1U);
    QCOMPARE(afterMark.diagnostics.at(0).place.line, 1U);
    QCOMPARE(afterMark.diagnostics.at(0).place.column, 18U);
}

void TestEnvironmentFile::roundTrip()
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 400; ++i) {
        const Environment environment = someEnvironment(random);
        const std::string text = environmentText(environment);
        const auto reading = readEnvironmentText(text, "env.toml");
        QVERIFY2(reading.environment && reading.diagnostics.empty(),
                 qPrintable(told(reading) + '\n' + QString::fromStdString(text)));
        QVERIFY2(*reading.environment == environment, text.c_str());
    }
}

void TestEnvironmentFile::textIsReadable()
{
    Environment environment;
    environment.nodes = {{.name = "grid00"},
                         {.name = "grid01", .speed = 0.5, .slots = 2, .cores = 8}};
    environment.linkDefault = {.a0Us = 60, .a1UsPerByte = 0.08};
    const LinkSpec slow{.a0Us = 120, .a1UsPerByte = 0.8, .a0Confidence = 0.25};
    environment.links = {std::nullopt, slow, slow, std::nullopt};
    const QByteArray expected =
        "# Nodes and links for tasuki-agent plan. Times are microseconds, sizes bytes; a\n"
        "# message of N bytes takes a0 + a1 N.\n"
        "\n"
        "trace_speed = 1.0         # of the nodes that the trace was taken on\n"
        "eager_bytes = 65536       # longer messages wait for their receive\n"
        "\n"
        "[[node]]\n"
        "name = \"grid00\"\n"
        "speed = 1.0               # relative: at 0.5 computation takes twice the time\n"
        "slots = 1                 # tasks that it takes\n"
        "\n"
        "[[node]]\n"
        "name = \"grid01\"\n"
        "speed = 0.5\n"
        "slots = 2\n"
        "cores = 8\n"
        "\n"
        "# Where no [[link]] says otherwise.\n"
        "[link_default]\n"
        "a0_us = 60.0\n"
        "a1_us_per_byte = 0.08\n"
        "\n"
        "# Between tasks of one node.\n"
        "[link_inside]\n"
        "a0_us = 0.5\n"
        "a1_us_per_byte = 0.0002\n"
        "\n"
        "[[link]]\n"
        "between = [\"grid00\", \"grid01\"]\n"
        "a0_us = 120.0\n"
        "a1_us_per_byte = 0.8\n"
        "a0_ci95_us = 0.25\n";
    const QByteArray text = QByteArray::fromStdString(environmentText(environment));
    QVERIFY2(text == expected, text);
}

void TestEnvironmentFile::typedNumbers()
{
    for (const char* text : {"0.5", " 0.5 ", "+0.5", "5e-1", ".5"})
        QCOMPARE(parseNumber(text, rules::speed), std::optional(0.5));
    for (const char* text : {"", " ", "+", "+-1", "-1", "0", "0,5", "0.5x", "0x1", "nan", "inf",
                             "1e400", "1000000.1", "0.5 0.5"})
        QVERIFY2(!parseNumber(text, rules::speed), text);
    QCOMPARE(parseNumber("0", rules::us), std::optional(0.0));
    QVERIFY(!parseNumber("1.1e12", rules::us));
    QCOMPARE(parseWhole("4096", rules::slots), std::optional(std::uint64_t{4096}));
    for (const char* text : {"", "0", "-1", "4097", "1.5", "1e3", "18446744073709551616"})
        QVERIFY2(!parseWhole(text, rules::slots), text);
    QCOMPARE(parseWhole("0", rules::eagerBytes), std::optional(std::uint64_t{0}));
}

void TestEnvironmentFile::filesThatCannotBeRead()
{
    const QTemporaryDir folder;
    const auto missing = readEnvironmentFile(folder.filePath("none.toml").toStdString());
    QVERIFY(!missing.environment);
    QCOMPARE(missing.diagnostics.size(), 1U);
    QVERIFY2(told(missing).contains("none.toml: error: cannot read it: No such file"),
             qPrintable(told(missing)));
    const auto directory = readEnvironmentFile(folder.path().toStdString());
    QVERIFY2(told(directory).contains("error: cannot read it: Is a directory"),
             qPrintable(told(directory)));
}

void TestEnvironmentFile::writesWholeOrNotAtAll()
{
    const QTemporaryDir folder;
    std::mt19937_64 random(6);
    const Environment environment = someEnvironment(random);
    const QString path = folder.filePath("env.toml");
    QVERIFY(writeEnvironmentFile(path.toStdString(), environment));
    QVERIFY(*readEnvironmentFile(path.toStdString()).environment == environment);

    // A link stays one, and what it points to keeps its mode.
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    const QString link = folder.filePath("link.toml");
    QVERIFY(QFile::link("env.toml", link));
    const Environment other = someEnvironment(random);
    QVERIFY(writeEnvironmentFile(link.toStdString(), other));
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(*readEnvironmentFile(path.toStdString()).environment == other);
    QVERIFY(!(QFileInfo(path).permissions() & QFile::ReadOther));

    const QByteArray before = contentOf(path);
    const Result<void> refused = writeEnvironmentFile(folder.path().toStdString(), other);
    QVERIFY(!refused);
    QVERIFY(refused.error().text().find("Is a directory") != std::string::npos);
    const std::string below = folder.filePath("none/env.toml").toStdString();
    QVERIFY(!writeEnvironmentFile(below, other));
    QVERIFY(!checkWritable(below) && !checkWritable("") && !checkWritable("/dev/null"));
    QCOMPARE(contentOf(path), before);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2);
}

QTEST_APPLESS_MAIN(TestEnvironmentFile)

} // namespace tst_environmentfile

#include "tst_environmentfile.moc"

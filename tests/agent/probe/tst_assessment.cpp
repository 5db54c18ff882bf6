// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/assessment.h"
#include "probe/computekernel.h"
#include "probe/probetable.h"

#include <QTest>
#include <cmath>

namespace tst_assessment {

using namespace tasuki;
using namespace tasuki::probe;

namespace {

/// Nine times around a value: their interval is 3 steps to either side.
std::vector<double> around(double us, double step)
{
    std::vector<double> times;
    for (int i = -4; i <= 4; ++i)
        times.push_back(us + i * step);
    return times;
}

LinkRecord link(std::size_t a, std::size_t b, double a0, double a1)
{
    LinkRecord record{.a = a, .b = b, .samples = {}};
    for (std::uint64_t bytes = 0; bytes <= 1000; bytes += 25)
        record.samples.push_back({0, bytes, 10, a0 + a1 * static_cast<double>(bytes)});
    return record;
}

/// Three nodes: the second half as fast as the others, with two ranks.
Findings example()
{
    Findings findings;
    findings.nodes = {{"grid00", {0}}, {"grid01", {1, 2}}, {"grid02", {3}}};
    findings.speeds = {{0, 0, around(100, 1)},
                       {1, 1, around(200, 1)},
                       {1, 2, around(200, 1)},
                       {2, 3, around(101, 1)}};
    findings.links = {link(1, 1, 0.5, 0.001), link(0, 1, 60, 0.08), link(0, 2, 120, 0.8),
                      link(1, 2, 80, 0.1)};
    return findings;
}

QString joined(const std::vector<std::string>& lines)
{
    QStringList all;
    for (const std::string& line : lines)
        all << QString::fromStdString(line);
    return all.join('\n');
}

bool near(double actual, double expected) { return std::abs(actual - expected) < 1e-9; }

} // namespace

class TestAssessment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodesAreHosts();
    void speedsAreRelative();
    void referenceCanBeChosen();
    void environment();
    void severalInsides();
    void roundsAreMedians();
    void warnings_data();
    void warnings();
    void oneNodeIsToldOf();
    void table();
    void csv();
    void kernelIsTheSameWorkEachTime();
};

void TestAssessment::nodesAreHosts()
{
    const std::vector<std::string> hosts{"b", "a", "b", "c"};
    QVERIFY(nodesOf(hosts, false)
            == (std::vector<NodeRanks>{{"b", {0, 2}}, {"a", {1}}, {"c", {3}}}));
    QVERIFY(nodesOf(hosts, true)
            == (std::vector<NodeRanks>{{"b-0", {0}}, {"a-1", {1}}, {"b-2", {2}}, {"c-3", {3}}}));
}

void TestAssessment::speedsAreRelative()
{
    const Assessment assessment = assess(example(), std::nullopt);
    QVERIFY2(assessment.warnings.empty(), qPrintable(joined(assessment.warnings)));
    const auto& nodes = assessment.nodes;
    QVERIFY(nodes[0].reference && !nodes[1].reference && !nodes[2].reference);
    QCOMPARE(nodes[0].speed.value, 1.0);
    QCOMPARE(nodes[0].workUs.half, 3.0);
    QCOMPARE(nodes[1].speed.value, 0.5);
    QCOMPARE(nodes[1].ranks, 2U);
    QVERIFY(near(nodes[2].speed.value, 100.0 / 101.0));
    QVERIFY(near(nodes[2].speed.half, 100.0 / 101.0 * std::hypot(0.03, 3.0 / 101.0)));
}

void TestAssessment::referenceCanBeChosen()
{
    const Assessment assessment = assess(example(), "grid01");
    QVERIFY(assessment.nodes[1].reference);
    QCOMPARE(assessment.nodes[0].speed.value, 2.0);
    QCOMPARE(assessment.nodes[1].speed.value, 1.0);
    QVERIFY(!assessment.environment.nodes[1].speedConfidence);
    QVERIFY(assessment.environment.nodes[0].speedConfidence);
}

void TestAssessment::environment()
{
    const plan::Environment made = assess(example(), std::nullopt).environment;
    QCOMPARE(made.nodes.size(), 3U);
    QCOMPARE(made.nodes[1].name, std::string("grid01"));
    QCOMPARE(made.nodes[1].slots, 2U);
    QCOMPARE(made.nodes[1].speed, 0.5);
    const auto between = [&](std::uint32_t a, std::uint32_t b) {
        return made.link(plan::Node(a), plan::Node(b));
    };
    QVERIFY(near(between(0, 1).a0Us, 60) && near(between(1, 0).a1UsPerByte, 0.08));
    QVERIFY(near(between(2, 0).a0Us, 120) && near(between(0, 2).a1UsPerByte, 0.8));
    QVERIFY(between(1, 2).a0Confidence && between(1, 2).a1Confidence);
    // What was not measured is as the middle one; the only inside is that of all nodes.
    QVERIFY(near(made.linkDefault.a0Us, 80) && near(made.linkDefault.a1UsPerByte, 0.1));
    QVERIFY(near(made.linkInside.a0Us, 0.5) && near(made.linkInside.a1UsPerByte, 0.001));
    for (std::size_t i = 0; i < 3; ++i)
        QVERIFY(!made.links[i * 3 + i]);
}

void TestAssessment::severalInsides()
{
    Findings findings = example();
    findings.nodes[0].ranks = {0, 4};
    findings.links.push_back(link(0, 0, 1.5, 0.003));
    const plan::Environment made = assess(findings, std::nullopt).environment;
    QVERIFY(near(made.link(plan::Node(0), plan::Node(0)).a0Us, 1.5));
    QVERIFY(near(made.link(plan::Node(1), plan::Node(1)).a0Us, 0.5));
    QVERIFY(near(made.link(plan::Node(2), plan::Node(2)).a0Us, 1.0));
}

// Fails if one disturbed round moves the figures.
void TestAssessment::roundsAreMedians()
{
    LinkRecord record = link(0, 1, 60, 0.08);
    const std::vector<LinkSample> first = record.samples;
    for (std::uint64_t round = 1; round < 5; ++round) {
        for (LinkSample sample : first) {
            sample.round = round;
            sample.meanUs *= round == 3 ? 50 : 1;
            record.samples.push_back(sample);
        }
    }
    const auto timings = timingsOf(record);
    QCOMPARE(timings.size(), 41U);
    QCOMPARE(timings[40].bytes, 1000.0);
    QVERIFY(near(timings[40].us, 140));
    QVERIFY(near(timings[0].us, 60));
}

void TestAssessment::warnings_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("expected");
    QTest::newRow("speed") << "speed"
                           << "the speed of grid02 is known to +/- 9 % only; is the computer busy "
                              "otherwise? A longer --speed-seconds narrows it";
    QTest::newRow("noise") << "noise"
                           << "link grid00 - grid01: R^2 is 0.";
    QTest::newRow("bend") << "bend"
                          << "link grid00 - grid02: time is not linear in size: at ";
    QTest::newRow("flat") << "flat"
                          << "link grid01 - grid02: a1 could not be told from 0; more "
                             "--repetitions help";
}

void TestAssessment::warnings()
{
    QFETCH(QString, fault);
    QFETCH(QString, expected);
    Findings findings = example();
    if (fault == "speed") {
        findings.speeds[3].us = around(101, 3);
    } else if (fault == "noise") {
        for (std::size_t i = 0; i < findings.links[1].samples.size(); ++i)
            findings.links[1].samples[i].meanUs *= i % 2 == 0 ? 1.4 : 0.6;
    } else if (fault == "bend") {
        for (LinkSample& sample : findings.links[2].samples)
            sample.meanUs += sample.bytes >= 500 ? 400 : 0;
    } else {
        for (LinkSample& sample : findings.links[3].samples)
            sample.meanUs = 100 - static_cast<double>(sample.bytes) / 1000;
    }
    const auto warnings = assess(findings, std::nullopt).warnings;
    const QString all = joined(warnings);
    QVERIFY2(all.contains(expected), qPrintable(all));
    for (const QString& line : all.split('\n'))
        QVERIFY2(line.startsWith(expected.left(20)), qPrintable(all));
}

void TestAssessment::oneNodeIsToldOf()
{
    Findings findings;
    findings.nodes = {{"alone", {0}}};
    findings.speeds = {{0, 0, around(100, 1)}};
    const Assessment assessment = assess(findings, std::nullopt);
    QCOMPARE(assessment.warnings.size(), 1U);
    QVERIFY(joined(assessment.warnings).contains("all ranks are on one node"));
    QCOMPARE(assessment.environment.nodes.size(), 1U);
    QCOMPARE(assessment.environment.linkInside.a0Us, plan::Environment().linkInside.a0Us);
    QCOMPARE(probeTable(assessment),
             std::string("node    ranks   work [ms]           speed\n"
                         "alone       1      0.1000   1 (reference)\n"));
}

void TestAssessment::table()
{
    Assessment assessment = assess(example(), std::nullopt);
    assessment.links.resize(2);
    assessment.links[0].fit = {
        .a0Us = {0.51234, 0.0123}, .a1UsPerByte = {0.000148, 0.0000034}, .rSquared = 0.98765};
    assessment.links[1].fit = {
        .a0Us = {60.1234, 1.26}, .a1UsPerByte = {0.0, 0.5}, .burstBytes = 1501.2, .rSquared = 0.5};
    assessment.nodes[2].egressUsPerByte = 0.1;
    const QByteArray expected =
        "node     ranks   work [ms]             speed\n"
        "grid00       1      0.1000     1 (reference)\n"
        "grid01       2      0.2000   0.500 +/- 0.016\n"
        "grid02       1      0.1010   0.990 +/- 0.042\n"
        "\n"
        "link                      a0 [us]              a1 [us/byte]   MB/s   burst [B]      R^2\n"
        "inside grid01     0.512 +/- 0.012   0.0001480 +/- 0.0000034   6757           -   0.9877\n"
        "grid00 - grid01      60.1 +/- 1.3             0.00 +/- 0.50      -        1501   0.5000\n"
        "\n"
        "network card   out [MB/s]   in [MB/s]\n"
        "grid02              10.00           -\n";
    const QByteArray text = QByteArray::fromStdString(probeTable(assessment));
    QVERIFY2(text == expected, text);
}

void TestAssessment::csv()
{
    Findings findings;
    findings.nodes = {{"a", {0}}, {"b,\"c\"", {1}}};
    findings.speeds = {{0, 0, {1.5, 2}}, {1, 1, {0.25}}};
    findings.links = {{0, 1, {{0, 25, 500, 60.5}, {1, 25, 499, 61}}}};
    QCOMPARE(findingsCsv(findings),
             std::string("what,node,peer,rank,round,bytes,repetitions,us\n"
                         "work,a,,0,0,,1,1.5\n"
                         "work,a,,0,1,,1,2\n"
                         "work,\"b,\"\"c\"\"\",,1,0,,1,0.25\n"
                         "message,a,\"b,\"\"c\"\"\",,0,25,500,60.5\n"
                         "message,a,\"b,\"\"c\"\"\",,1,25,499,61\n"));
}

// Fails if the work could be left out, or depends on how it is divided.
void TestAssessment::kernelIsTheSameWorkEachTime()
{
    ComputeKernel once;
    const double result = once.run(3);
    ComputeKernel inParts;
    inParts.run(1);
    QCOMPARE(inParts.run(2), result);
    ComputeKernel another;
    QVERIFY(another.run(2) != result);
    QVERIFY(std::isfinite(result) && std::isfinite(ComputeKernel().run(200)));
}

QTEST_APPLESS_MAIN(TestAssessment)

} // namespace tst_assessment

#include "tst_assessment.moc"

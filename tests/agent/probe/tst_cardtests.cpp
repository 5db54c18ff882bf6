// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/cardtests.h"

#include "probe/assessment.h"

#include <QTest>

namespace tst_cardtests {

using namespace tasuki;
using namespace tasuki::probe;

namespace {

FittedLink link(std::size_t a, std::size_t b, double a1UsPerByte)
{
    return {.a = a, .b = b, .fit = {.a0Us = {50.0}, .a1UsPerByte = {a1UsPerByte}}};
}

CardRecord record(const CardTest& test, std::vector<double> us)
{
    return {.node = test.node,
            .incoming = test.incoming,
            .bytes = test.bytes(),
            .aloneUs = test.aloneUs,
            .us = std::move(us)};
}

} // namespace

class TestCardTests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void streamsTakeTheSameTime();
    void whoIsTested();
    void fastLinks();
    void sharedAndSeparate();
    void environmentHasThem();
};

// 16 KiB at 0.1 us take 1638 us: 24 of them take some 40 ms. Twice as slow: half as many.
void TestCardTests::streamsTakeTheSameTime()
{
    const auto tests = planCardTests(3, {link(0, 1, 0.1), link(0, 2, 0.2), link(1, 2, 0.1)});
    QCOMPARE(tests.size(), 6U);
    const CardTest& first = tests.front();
    QCOMPARE(first.node, 0U);
    QVERIFY(!first.incoming);
    QVERIFY(first.streams == (std::vector<CardStream>{{1, 24}, {2, 12}}));
    QCOMPARE(first.bytes(), 36.0 * 16'384);
    QCOMPARE(first.aloneUs, 50.0 + 24 * 16'384 * 0.1);
    QVERIFY(tests[1].incoming);
    QVERIFY(tests[1].streams == first.streams);
    QVERIFY(tests[5].streams == (std::vector<CardStream>{{0, 12}, {1, 24}}));
}

void TestCardTests::whoIsTested()
{
    // Two nodes: with one link there is nothing to share.
    QVERIFY(planCardTests(2, {link(0, 1, 0.1), link(0, 0, 0.001), link(1, 1, 0.001)}).empty());
    // At most four streams each.
    std::vector<FittedLink> links;
    for (std::size_t b = 1; b < 8; ++b)
        links.push_back(link(0, b, 0.1));
    const auto tests = planCardTests(8, links);
    QCOMPARE(tests.size(), 2U);
    QCOMPARE(tests[0].streams.size(), 4U);
}

void TestCardTests::fastLinks()
{
    const auto tests = planCardTests(3, {link(0, 1, 0.0), link(0, 2, 1e-6), link(1, 2, 1000.0)});
    QVERIFY(tests[0].streams == (std::vector<CardStream>{{1, 1}, {2, 2000}}));
    QVERIFY(tests[2].streams == (std::vector<CardStream>{{0, 1}, {2, 1}}));
}

void TestCardTests::sharedAndSeparate()
{
    const auto tests = planCardTests(3, {link(0, 1, 0.1), link(0, 2, 0.1), link(1, 2, 0.1)});
    const CardTest& test = tests.front(); // 48 messages
    const double together = 48 * 16'384 * 0.1;
    QCOMPARE(cardUsPerByte(record(test, {together, 1e9, together})), 0.1);
    QCOMPARE(cardUsPerByte(record(test, {test.aloneUs})), 0.0);
    QCOMPARE(cardUsPerByte(record(test, {test.aloneUs * 1.1})), 0.0);
    // A card of one and a half times a link's rate.
    QCOMPARE(cardUsPerByte(record(test, {together / 1.5})), 0.1 / 1.5);
}

void TestCardTests::environmentHasThem()
{
    Findings findings;
    findings.nodes = {{"a", {0}}, {"b", {1}}, {"c", {2}}};
    for (std::size_t node = 0; node < 3; ++node)
        findings.speeds.push_back({node, static_cast<int>(node), {100.0, 100.0, 100.0}});
    findings.cards.push_back(
        {.node = 1, .incoming = false, .bytes = 1000.0, .aloneUs = 50.0, .us = {80.0}});
    findings.cards.push_back(
        {.node = 1, .incoming = true, .bytes = 1000.0, .aloneUs = 50.0, .us = {51.0}});
    findings.cards.push_back(
        {.node = 2, .incoming = true, .bytes = 1000.0, .aloneUs = 50.0, .us = {200.0}});
    const plan::Environment environment = assess(findings, std::nullopt).environment;
    QCOMPARE(environment.nodes[0].egressUsPerByte, 0.0);
    QCOMPARE(environment.nodes[1].egressUsPerByte, 0.08);
    QCOMPARE(environment.nodes[1].ingressUsPerByte, 0.0);
    QCOMPARE(environment.nodes[2].ingressUsPerByte, 0.2);
    QVERIFY(findingsCsv(findings).find("egress,b,,,0,1000,1,80\n") != std::string::npos);
    QVERIFY(findingsCsv(findings).find("ingress,c,,,0,1000,1,200\n") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestCardTests)

} // namespace tst_cardtests

#include "tst_cardtests.moc"

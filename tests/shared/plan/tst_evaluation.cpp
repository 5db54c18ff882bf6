// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/evaluation.h"
#include "plan/measurements.h"
#include "planning.h"

#include <cmath>

namespace tst_evaluation {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;

class TestEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsRuns();
    void columnsInAnyOrder();
    void badFiles_data();
    void badFiles();
    void medians();
    void figures();
    void intervalHoldsTheTruth();
    void equalTimesShareTheirPlace();
    void nothingMeasured();
};

namespace {

Environment twoNodes() { return environmentOf({1.0, 0.5}); } // n0, n1

Measurement measured(const Allocation& allocation, std::vector<double> seconds)
{
    return {.allocation = allocation, .seconds = std::move(seconds)};
}

} // namespace

void TestEvaluation::readsRuns()
{
    const MeasurementReading reading = readMeasurements("task0,task1,repeat,seconds,late,status\n"
                                                        "n0,n1,1,1.5,0.01,ok\n"
                                                        "n1,n0,1,2.5,0.01,ok\n"
                                                        "n0,n1,2,,,timeout\n"
                                                        "\n"
                                                        "n0,n1,2,1.25e0,0.0,ok\r\n",
                                                        "m.csv", twoNodes(), 2);
    QVERIFY(reading.diagnostics.empty());
    QCOMPARE(reading.failedRuns, std::uint64_t(1));
    QCOMPARE(reading.measurements.size(), std::size_t(2));
    QCOMPARE(reading.measurements[0].allocation, nodes({0, 1}));
    QCOMPARE(reading.measurements[0].seconds, (std::vector{1.5, 1.25}));
    QCOMPARE(reading.measurements[1].allocation, nodes({1, 0}));
}

void TestEvaluation::columnsInAnyOrder()
{
    Environment environment = twoNodes();
    environment.nodes[1].name = "a, \"b\"";
    const MeasurementReading reading = readMeasurements(
        "seconds,task1,task0\n3,\"a, \"\"b\"\"\",n0", "m.csv", environment, 2);
    QVERIFY(reading.diagnostics.empty());
    QCOMPARE(reading.measurements.size(), std::size_t(1));
    QCOMPARE(reading.measurements[0].allocation, nodes({0, 1}));
    QCOMPARE(reading.measurements[0].seconds, std::vector{3.0});
}

void TestEvaluation::badFiles_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("diagnostic");
    QTest::newRow("empty") << ""
                           << "m.csv: error: no line names the columns; begin with "
                              "task0,task1,seconds";
    QTest::newRow("no seconds") << "task0,task1\nn0,n1\n"
                                << "m.csv:1:1: error: no column seconds; name the columns "
                                   "task0,task1,seconds";
    QTest::newRow("no task") << "task0,seconds\nn0,1\n"
                             << "m.csv:1:1: error: no column task1; name the columns "
                                "task0,task1,seconds";
    QTest::newRow("of another program")
        << "task0,task1,task2,seconds\nn0,n1,n1,1\n"
        << "m.csv:1:1: error: a column task2, but the program has 2 tasks; name the columns "
           "task0,task1,seconds";
    QTest::newRow("node") << "task0,task1,seconds\nn0,n11,1\n"
                          << "m.csv:2:4: error: the environment has no node 'n11'; is it n1?";
    QTest::newRow("number") << "task0,task1,seconds\nn0,n1,1\nn0,n1,x\n"
                            << "m.csv:3:7: error: 'x' is no runtime; expected seconds, more than 0";
    QTest::newRow("no time")
        << "task0,task1,seconds\nn0,n1,0\n"
        << "m.csv:2:7: error: '0' is no runtime; expected seconds, more than 0";
    QTest::newRow("endless") << "task0,task1,seconds\nn0,n1,inf\n"
                             << "m.csv:2:7: error: 'inf' is no runtime; expected seconds, more "
                                "than 0";
    QTest::newRow("fields") << "task0,task1,seconds\nn0,n1\n"
                            << "m.csv:2:1: error: 2 fields; give each of the 3 columns one";
    QTest::newRow("quote") << "task0,task1,seconds\n\"n0,n1,1\n"
                           << "m.csv:2:1: error: a quote is not closed; close it with \"";
    QTest::newRow("all failed") << "task0,task1,seconds,status\nn0,n1,,failed\n"
                                << "m.csv: error: no good run is in it; measure some";
}

void TestEvaluation::badFiles()
{
    QFETCH(QString, text);
    QFETCH(QString, diagnostic);
    const MeasurementReading reading = readMeasurements(text.toStdString(), "m.csv", twoNodes(), 2);
    QCOMPARE(reading.diagnostics.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(reading.diagnostics[0].text()), diagnostic);
}

void TestEvaluation::medians()
{
    QCOMPARE(measured({}, {3.0, 1.0, 2.0}).medianSeconds(), 2.0);
    QCOMPARE(measured({}, {4.0, 1.0, 2.0, 3.0}).medianSeconds(), 2.5);
    QCOMPARE(measured({}, {7.0}).medianSeconds(), 7.0);
}

// Three allocations, worked out by hand; a fourth was not measured.
void TestEvaluation::figures()
{
    const std::vector<Ranked> predicted{{.allocation = nodes({0, 1}), .timeUs = 1.0e6},
                                        {.allocation = nodes({1, 0}), .timeUs = 1.2e6},
                                        {.allocation = nodes({0, 0}), .timeUs = 3.0e6},
                                        {.allocation = nodes({1, 1}), .timeUs = 0.1e6}};
    const Evaluation evaluation = evaluate(predicted,
                                           {measured(nodes({0, 0}), {4.0, 4.0, 9.0}),
                                            measured(nodes({1, 0}), {1.0, 1.0, 1.0}),
                                            measured(nodes({0, 1}), {1.1, 1.1, 1.1})},
                                           7);
    QCOMPARE(evaluation.allocations, std::size_t(3));
    QCOMPARE(evaluation.errorA.value, 0.1); // 1.1 against 1.0
    QCOMPARE(evaluation.errorA.low, 0.1);   // runs that do not differ leave no doubt
    QCOMPARE(evaluation.errorA.high, 0.1);
    QCOMPARE(evaluation.spread, 3.0);
    QCOMPARE(evaluation.randomPickLoss, (1.1 + 1.0 + 4.0) / 3.0 - 1.0);
    QCOMPARE(evaluation.meanAbsoluteError, (0.1 / 1.1 + 0.2 / 1.0 + 1.0 / 4.0) / 3.0);
    QCOMPARE(evaluation.rankCorrelation, 0.5); // places 1 2 3 against 2 1 3
}

// Two equal allocations whose runs scatter: the interval reaches down to 0 and is no wider than the
// scatter.
void TestEvaluation::intervalHoldsTheTruth()
{
    const std::vector<Ranked> predicted{{.allocation = nodes({0, 1}), .timeUs = 1.0e6},
                                        {.allocation = nodes({1, 0}), .timeUs = 1.1e6}};
    const Evaluation evaluation = evaluate(predicted,
                                           {measured(nodes({0, 1}), {1.02, 0.98, 1.03, 1.01, 0.97}),
                                            measured(nodes({1, 0}), {1.0, 0.99, 1.02, 0.98, 1.0})},
                                           7);
    QCOMPARE(evaluation.errorA.value, 0.01);
    QCOMPARE(evaluation.errorA.low, 0.0);
    QVERIFY(evaluation.errorA.high > 0.01);
    QVERIFY(evaluation.errorA.high < 0.06);
}

void TestEvaluation::equalTimesShareTheirPlace()
{
    const std::vector<Ranked> predicted{{.allocation = nodes({0, 1}), .timeUs = 1.0e6},
                                        {.allocation = nodes({1, 0}), .timeUs = 1.0e6},
                                        {.allocation = nodes({0, 0}), .timeUs = 2.0e6}};
    const Evaluation evaluation = evaluate(predicted,
                                           {measured(nodes({0, 1}), {1.0}),
                                            measured(nodes({1, 0}), {2.0}),
                                            measured(nodes({0, 0}), {3.0})},
                                           7);
    // Places 1.5 1.5 3 against 1 2 3: 1.5 / sqrt(1.5 * 2).
    QCOMPARE(evaluation.rankCorrelation, 1.5 / std::sqrt(3.0));
}

void TestEvaluation::nothingMeasured()
{
    QCOMPARE(evaluate({{.allocation = nodes({0}), .timeUs = 1.0}}, {}, 1).allocations,
             std::size_t(0));
}

QTEST_GUILESS_MAIN(TestEvaluation)

} // namespace tst_evaluation

#include "tst_evaluation.moc"

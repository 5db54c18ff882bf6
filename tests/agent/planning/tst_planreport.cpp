// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "planning/planreport.h"

#include <initializer_list>

using namespace tasuki;
using namespace tasuki::planning;

namespace {

plan::Environment nodesCalled(std::initializer_list<const char*> names)
{
    plan::Environment environment;
    for (const char* name : names)
        environment.nodes.push_back({.name = name});
    return environment;
}

plan::Allocation nodes(std::initializer_list<std::uint32_t> numbers)
{
    plan::Allocation allocation;
    for (const std::uint32_t number : numbers)
        allocation.emplace_back(number);
    return allocation;
}

PlanSummary summaryOf(std::uint64_t allocations)
{
    return {.traceName = "lu.alog",
            .tasks = 2,
            .records = 12'345'678,
            .tracedUs = 2'198.4,
            .model = "replay",
            .allocations = allocations};
}

/// Four allocations of two tasks to three nodes: 2, 2.5, 3 and 5 seconds.
plan::Ranking fourTried(std::size_t keep = 10)
{
    plan::Ranking ranking(keep);
    ranking.add(nodes({2, 0}), 3'000'000.0);
    ranking.add(nodes({0, 1}), 2'000'000.0);
    ranking.add(nodes({1, 2}), 5'000'000.0);
    ranking.add(nodes({1, 0}), 2'500'000.0);
    return ranking;
}

void compare(const std::string& got, const std::string& wanted)
{
    QCOMPARE(QString::fromStdString(got), QString::fromStdString(wanted));
}

const plan::Environment grid = nodesCalled({"grid00", "grid01", "grid02"});

} // namespace

/// What people and programs read of a plan, letter by letter.
class TestPlanReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeTable();
    void fewerRowsEndWithTheWorst_data();
    void fewerRowsEndWithTheWorst();
    void fewerKeptThanRows();
    void partialSearch();
    void partialSearchOfMany();
    void negligibleSpread();
    void spreadThatMatters();
    void nothingTried();
    void oneAllocation();
    void logWithoutTime();
    void csv();
    void csvQuotesNames();
    void csvOfKeptOnes();
    void csvOfNothing();
};

void TestPlanReport::wholeTable()
{
    compare(
        planTable(summaryOf(4), grid, fourTried(), 100),
        "lu.alog: 2 tasks, 12,345,678 records, 0.0022 s as traced; 3 nodes; model replay\n"
        "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
        "       1     2.0000 s    1.000  grid00,grid01\n"
        "       2     2.5000 s    1.250  grid01,grid00\n"
        "       3     3.0000 s    1.500  grid02,grid00\n"
        "       4     5.0000 s    2.500  grid01,grid02\n"
        "spread (worst - best) / best: 150.0 %; a random pick costs 56.2 % more than the best\n");
}

void TestPlanReport::fewerRowsEndWithTheWorst_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("shown");
    const QString first = "       1     2.0000 s    1.000  grid00,grid01\n";
    const QString second = "       2     2.5000 s    1.250  grid01,grid00\n";
    const QString third = "       3     3.0000 s    1.500  grid02,grid00\n";
    const QString worst = "       4     5.0000 s    2.500  grid01,grid02\n";
    const QString gap = "     ...\n";
    QTest::newRow("one") << 1 << first + gap + worst;
    QTest::newRow("two") << 2 << first + second + gap + worst;
    // Between the third and the fourth there is nothing to leave out.
    QTest::newRow("three") << 3 << first + second + third + worst;
    QTest::newRow("four") << 4 << first + second + third + worst;
    QTest::newRow("five") << 5 << first + second + third + worst;
}

void TestPlanReport::fewerRowsEndWithTheWorst()
{
    QFETCH(int, rows);
    QFETCH(QString, shown);
    const QString table = QString::fromStdString(
        planTable(summaryOf(4), grid, fourTried(), static_cast<std::size_t>(rows)));
    QCOMPARE(table.section('\n', 2, -3) + '\n', shown);
    QVERIFY(table.section('\n', -2).startsWith("spread "));
}

void TestPlanReport::fewerKeptThanRows()
{
    compare(
        planTable(summaryOf(4), grid, fourTried(1), 100),
        "lu.alog: 2 tasks, 12,345,678 records, 0.0022 s as traced; 3 nodes; model replay\n"
        "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
        "       1     2.0000 s    1.000  grid00,grid01\n"
        "     ...\n"
        "       4     5.0000 s    2.500  grid01,grid02\n"
        "spread (worst - best) / best: 150.0 %; a random pick costs 56.2 % more than the best\n");
}

void TestPlanReport::partialSearch()
{
    compare(
        planTable(summaryOf(6), grid, fourTried(), 1),
        "lu.alog: 2 tasks, 12,345,678 records, 0.0022 s as traced; 3 nodes; model replay\n"
        "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
        "       1     2.0000 s    1.000  grid00,grid01\n"
        "     ...\n"
        "       4     5.0000 s    2.500  grid01,grid02\n"
        "not all were tried: 4 of 6\n"
        "spread (worst - best) / best: 150.0 %; a random pick costs 56.2 % more than the best\n");
}

void TestPlanReport::partialSearchOfMany()
{
    plan::Ranking many(1);
    for (int count = 0; count < 1234; ++count)
        many.add(nodes({0, 1}), count == 0 ? 1e6 : 3e6);
    compare(planTable(summaryOf(3'628'800), grid, many, 1),
            "lu.alog: 2 tasks, 12,345,678 records, 0.0022 s as traced; 3 nodes; model replay\n"
            "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
            "       1     1.0000 s    1.000  grid00,grid01\n"
            "     ...\n"
            "   1,234     3.0000 s    3.000  grid00,grid01\n"
            "not all were tried: 1,234 of 3,628,800\n"
            "spread (worst - best) / best: 200.0 %; a random pick costs 199.8 % more than the "
            "best\n");
}

// A balanced program on such nodes: the paper says that placement does not matter, and so must this.
void TestPlanReport::negligibleSpread()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 1}), 1'000'000.0);
    ranking.add(nodes({1, 0}), 1'018'000.0);
    compare(planTable(summaryOf(2), grid, ranking, 10),
            "lu.alog: 2 tasks, 12,345,678 records, 0.0022 s as traced; 3 nodes; model replay\n"
            "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
            "       1     1.0000 s    1.000  grid00,grid01\n"
            "       2     1.0180 s    1.018  grid01,grid00\n"
            "spread (worst - best) / best: 1.8 %; a random pick costs 0.9 % more than the best\n"
            "placement does not matter for this program on these nodes: take any\n");
}

void TestPlanReport::spreadThatMatters()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 1}), 1'000'000.0);
    ranking.add(nodes({1, 0}), 1'021'000.0);
    const std::string table = planTable(summaryOf(2), grid, ranking, 10);
    QVERIFY(table.find("best: 2.1 %") != std::string::npos);
    QVERIFY(table.find("placement does not matter") == std::string::npos);
}

void TestPlanReport::nothingTried()
{
    compare(planTable(summaryOf(6), grid, plan::Ranking(5), 100),
            "lu.alog: 2 tasks, 12,345,678 records, 0.0022 s as traced; 3 nodes; model replay\n"
            "nothing was tried\n");
}

void TestPlanReport::oneAllocation()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 0}), 1'234'567.0);
    PlanSummary summary = summaryOf(1);
    summary.model = "lsmg";
    summary.records = 999;
    compare(planTable(summary, nodesCalled({"a"}), ranking, 1),
            "lu.alog: 2 tasks, 999 records, 0.0022 s as traced; 1 nodes; model lsmg\n"
            "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
            "       1     1.2346 s    1.000  a,a\n"
            "spread (worst - best) / best: 0.0 %; a random pick costs 0.0 % more than the best\n"
            "placement does not matter for this program on these nodes: take any\n");
}

// Nothing is divided by.
void TestPlanReport::logWithoutTime()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 1}), 0.0);
    ranking.add(nodes({1, 0}), 0.0);
    const plan::Environment environment = nodesCalled({"a", "b"});
    const std::string table = planTable(summaryOf(2), environment, ranking, 10);
    QVERIFY2(table.find("nan") == std::string::npos, table.c_str());
    QVERIFY(table.find("       2     0.0000 s    1.000  b,a\n") != std::string::npos);
    compare(planCsv(environment, ranking),
            "place,predicted_s,over_best,task0,task1\n"
            "1,0.000000000,1.000000,a,b\n"
            "2,0.000000000,1.000000,b,a\n");
}

void TestPlanReport::csv()
{
    compare(planCsv(grid, fourTried()),
            "place,predicted_s,over_best,task0,task1\n"
            "1,2.000000000,1.000000,grid00,grid01\n"
            "2,2.500000000,1.250000,grid01,grid00\n"
            "3,3.000000000,1.500000,grid02,grid00\n"
            "4,5.000000000,2.500000,grid01,grid02\n");
}

void TestPlanReport::csvQuotesNames()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 1, 2, 3}), 1.5);
    compare(planCsv(nodesCalled({"a,b", "the\"big\"one", "plain", "\""}), ranking),
            "place,predicted_s,over_best,task0,task1,task2,task3\n"
            "1,0.000001500,1.000000,\"a,b\",\"the\"\"big\"\"one\",plain,\"\"\"\"\n");
}

void TestPlanReport::csvOfKeptOnes()
{
    compare(planCsv(grid, fourTried(2)),
            "place,predicted_s,over_best,task0,task1\n"
            "1,2.000000000,1.000000,grid00,grid01\n"
            "2,2.500000000,1.250000,grid01,grid00\n");
}

void TestPlanReport::csvOfNothing()
{
    compare(planCsv(grid, plan::Ranking(5)), "place,predicted_s,over_best\n");
}

QTEST_APPLESS_MAIN(TestPlanReport)
#include "tst_planreport.moc"

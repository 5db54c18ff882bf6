// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "planning/planformats.h"

#include <initializer_list>

namespace tst_planreport {

using namespace tasuki;
using namespace tasuki::planning;

namespace {

plan::Environment nodesCalled(std::initializer_list<const char*> names)
{
    plan::Environment environment;
    for (const char* name : names)
        environment.nodes.push_back({.name = name});
    environment.linkDefault.a0Us = 50.0;
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
            .allocations = plan::AllocationCount(allocations)};
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
    void partialSearchHasNoVerdict();
    void linksThatCostNothing();
    void negligibleSpread();
    void spreadThatMatters();
    void nothingTried();
    void oneAllocation();
    void logWithoutTime();
    void csv();
    void csvQuotesNames();
    void csvOfKeptOnes();
    void csvOfNothing();
    void unitOfSmallTimes();
    void measuredOnesStandBeside();
    void measuredOnesOfAnUnfinishedSearch();
    void measuredCsv();
    void json();
};

void TestPlanReport::wholeTable()
{
    compare(
        planTable(summaryOf(4), grid, fourTried(), 100),
        "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
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
        "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
        "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
        "       1     2.0000 s    1.000  grid00,grid01\n"
        "     ...\n"
        "       4     5.0000 s    2.500  grid01,grid02\n"
        "spread (worst - best) / best: 150.0 %; a random pick costs 56.2 % more than the best\n");
}

void TestPlanReport::partialSearch()
{
    compare(planTable(summaryOf(6), grid, fourTried(), 1),
            "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
            "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
            "       1     2.0000 s    1.000  grid00,grid01\n"
            "not all were tried: best so far of 4 of 6\n");
}

void TestPlanReport::partialSearchOfMany()
{
    plan::Ranking many(1);
    for (int count = 0; count < 1234; ++count)
        many.add(nodes({0, 1}), count == 0 ? 1e6 : 3e6);
    compare(planTable(summaryOf(3'628'800), grid, many, 1),
            "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
            "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
            "       1     1.0000 s    1.000  grid00,grid01\n"
            "not all were tried: best so far of 1,234 of 3,628,800\n");
}

// Nodes that were added by hand, say.
void TestPlanReport::linksThatCostNothing()
{
    plan::Environment environment = grid;
    environment.links.resize(9);
    environment.links[environment.indexOf(plan::Node(1), plan::Node(2))] = plan::LinkSpec{};
    environment.links[environment.indexOf(plan::Node(2), plan::Node(2))] = plan::LinkSpec{};
    const std::string warning = "warning: 1 of 6 links between nodes cost nothing, as that from "
                                "grid01 to grid02: their messages are taken to need no time\n";
    QVERIFY(planTable(summaryOf(4), environment, fourTried(), 1).ends_with(warning));
    QVERIFY(planJson(summaryOf(4), environment, fourTried(), 1).find(R"("free_links":1)")
            != std::string::npos);
    environment.nodes[2].ingressUsPerByte = 0.01;
    QVERIFY(planTable(summaryOf(4), environment, fourTried(), 1).find("warning")
            == std::string::npos);
    environment.linkDefault = {};
    QVERIFY(planTable(summaryOf(4), environment, fourTried(), 1)
                .find("4 of 6 links between nodes cost nothing, as that from grid00 to grid01")
            != std::string::npos);
}

// The same spread would be a verdict if it were of all: half of the nodes may not even be in use yet.
void TestPlanReport::partialSearchHasNoVerdict()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 1}), 1'000'000.0);
    ranking.add(nodes({1, 0}), 1'018'000.0);
    for (const auto& all : {std::optional(plan::AllocationCount::powerOfTen(89.1)),
                            std::optional<plan::AllocationCount>()}) {
        PlanSummary summary = summaryOf(0);
        summary.allocations = all;
        compare(planTable(summary, grid, ranking, 10),
                std::string("lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; "
                            "model replay\n"
                            "   place    predicted   / best  nodes of tasks 0, 1, ...\n"
                            "       1     1.0000 s    1.000  grid00,grid01\n"
                            "       2     1.0180 s    1.018  grid01,grid00\n"
                            "not all were tried: best so far of 2")
                    + (all ? " of about 10^89\n" : "\n"));
        const std::string json = planJson(summary, grid, ranking, 10);
        QVERIFY(json.find(R"("finished":false,"best_s":1.0,"worst_s":null,"mean_s":null,)"
                          R"("spread":null,"placement_matters":null})")
                != std::string::npos);
    }
}

// A balanced program on such nodes: the paper says that placement does not matter, and so must this.
void TestPlanReport::negligibleSpread()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 1}), 1'000'000.0);
    ranking.add(nodes({1, 0}), 1'018'000.0);
    compare(planTable(summaryOf(2), grid, ranking, 10),
            "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
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
            "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
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
            "lu.alog: 2 tasks, 999 records, 2.1984 ms as traced; 1 nodes; model lsmg\n"
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
    QVERIFY(table.find("       2    0.0000 us    1.000  b,a\n") != std::string::npos);
    compare(planCsv(summaryOf(2), environment, ranking, 10),
            "place,predicted_s,over_best,task0,task1\n"
            "1,0.000000000,1.000000,a,b\n"
            "2,0.000000000,1.000000,b,a\n");
}

void TestPlanReport::csv()
{
    compare(planCsv(summaryOf(4), grid, fourTried(), 10),
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
    PlanSummary summary = summaryOf(1);
    summary.tasks = 4;
    compare(planCsv(summary, nodesCalled({"a,b", "the\"big\"one", "plain", "\""}), ranking, 10),
            "place,predicted_s,over_best,task0,task1,task2,task3\n"
            "1,0.000001500,1.000000,\"a,b\",\"the\"\"big\"\"one\",plain,\"\"\"\"\n");
}

void TestPlanReport::csvOfKeptOnes()
{
    compare(planCsv(summaryOf(4), grid, fourTried(2), 10),
            "place,predicted_s,over_best,task0,task1\n"
            "1,2.000000000,1.000000,grid00,grid01\n"
            "2,2.500000000,1.250000,grid01,grid00\n");
}

void TestPlanReport::csvOfNothing()
{
    compare(planCsv(summaryOf(4), grid, plan::Ranking(5), 10), "place,predicted_s,over_best\n");
}

// "0.0020 s" tells nothing.
void TestPlanReport::unitOfSmallTimes()
{
    plan::Ranking ranking(10);
    ranking.add(nodes({0, 1}), 2'034.36);
    ranking.add(nodes({1, 0}), 3'369.36);
    const std::string table = planTable(summaryOf(2), grid, ranking, 10);
    QVERIFY2(table.find("       1    2.0344 ms    1.000  grid00,grid01\n"
                        "       2    3.3694 ms    1.656  grid01,grid00\n")
                 != std::string::npos,
             table.c_str());
}

/// The best and the third, run twice and once.
PlanSummary measuredSummary(std::uint64_t allocations)
{
    PlanSummary summary = summaryOf(allocations);
    summary.measured = {
        {.predicted = {.allocation = nodes({0, 1}), .timeUs = 2'000'000.0},
         .measured = {.allocation = nodes({0, 1}), .seconds = {2.4, 2.6}}},
        {.predicted = {.allocation = nodes({2, 0}), .timeUs = 3'000'000.0},
         .measured = {.allocation = nodes({2, 0}), .seconds = {2.0}}},
    };
    return summary;
}

void TestPlanReport::measuredOnesStandBeside()
{
    compare(planTable(measuredSummary(4), grid, fourTried(), 1),
            "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
            "   place    predicted   / best     measured    error  nodes of tasks 0, 1, ...\n"
            "       1     2.0000 s    1.000     2.5000 s  -20.0 %  grid00,grid01\n"
            "     ...\n"
            "       3     3.0000 s    1.500     2.0000 s  +50.0 %  grid02,grid00\n"
            "       4     5.0000 s    2.500            -        -  grid01,grid02\n"
            "spread (worst - best) / best: 150.0 %; a random pick costs 56.2 % more than the best\n"
            "measured: 2 allocations; mean prediction error 35.0 %, rank correlation -1.00\n"
            "error of the choice |t_n - t_m| / t_m: 25.0 % (20.0 % to 30.0 %)\n");
}

// Those that were not tried, or not kept, have no place; nobody knows which choice is the best.
void TestPlanReport::measuredOnesOfAnUnfinishedSearch()
{
    compare(planTable(measuredSummary(6), grid, fourTried(1), 1),
            "lu.alog: 2 tasks, 12,345,678 records, 2.1984 ms as traced; 3 nodes; model replay\n"
            "   place    predicted   / best     measured    error  nodes of tasks 0, 1, ...\n"
            "       1     2.0000 s    1.000     2.5000 s  -20.0 %  grid00,grid01\n"
            "     ...\n"
            "       -     3.0000 s    1.500     2.0000 s  +50.0 %  grid02,grid00\n"
            "not all were tried: best so far of 4 of 6\n"
            "measured: 2 allocations; mean prediction error 35.0 %, rank correlation -1.00\n");
}

void TestPlanReport::measuredCsv()
{
    compare(planCsv(measuredSummary(4), grid, fourTried(1), 1),
            "place,predicted_s,over_best,measured_s,prediction_error,task0,task1\n"
            "1,2.000000000,1.000000,2.500000000,-0.200000,grid00,grid01\n"
            ",3.000000000,1.500000,2.000000000,0.500000,grid02,grid00\n");
}

void TestPlanReport::json()
{
    compare(planJson(measuredSummary(4), grid, fourTried(), 2),
            R"({"kind":"plan","trace":"lu.alog","tasks":2,"records":12345678,"traced_s":0.0021984,)"
            R"("nodes":3,"model":"replay","free_links":0,"tried":4,"allocations":4,)"
            R"("allocations_log10":0.6020599913279624,"finished":true,"best_s":2.0,"worst_s":5.0,)"
            R"("mean_s":3.125,"spread":1.5,"placement_matters":true,"measured":2,)"
            R"("mean_prediction_error":0.35,"rank_correlation":-1.0,"choice_error":0.25})"
            "\n"
            R"({"kind":"allocation","place":1,"predicted_s":2.0,"over_best":1.0,"measured_s":2.5,)"
            R"("prediction_error":-0.2,"nodes":["grid00","grid01"]})"
            "\n"
            R"({"kind":"allocation","place":2,"predicted_s":2.5,"over_best":1.25,)"
            R"("nodes":["grid01","grid00"]})"
            "\n"
            R"({"kind":"allocation","place":3,"predicted_s":3.0,"over_best":1.5,"measured_s":2.0,)"
            R"("prediction_error":0.5,"nodes":["grid02","grid00"]})"
            "\n");
    compare(planJson(summaryOf(6), grid, plan::Ranking(5), 2),
            R"({"kind":"plan","trace":"lu.alog","tasks":2,"records":12345678,"traced_s":0.0021984,)"
            R"("nodes":3,"model":"replay","free_links":0,"tried":0,"allocations":6,)"
            R"("allocations_log10":0.7781512503836436,"finished":false})"
            "\n");
}

QTEST_APPLESS_MAIN(TestPlanReport)

} // namespace tst_planreport

#include "tst_planreport.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>

#include "chart/allocationlist.h"
#include "chart/allocationtext.h"
#include "chartbench.h"

#include <random>

namespace tst_allocationlist {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

using Column = AllocationList::Column;

QString cell(const AllocationList& list, int row, Column column)
{
    return list.index(row, static_cast<int>(column)).data().toString();
}

/// @return labels in the order of rows
QStringList labels(const AllocationList& list)
{
    QStringList all;
    for (int row = 0; row < list.count(); ++row)
        all << list.at(row).label;
    return all;
}

plan::Environment environmentOf(std::initializer_list<const char*> names)
{
    plan::Environment environment;
    for (const char* name : names) {
        plan::NodeSpec node;
        node.name = name;
        environment.nodes.push_back(std::move(node));
    }
    return environment;
}

} // namespace

/// The list behind chart and table, and its figures.
/// What breaks it: an order that is none, a ratio or an error of other numbers than the paper's, a
/// selection that another allocation takes over when results come in, indexes that views keep and
/// that then mean other rows.
class TestAllocationList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void ordersByPredictionNodesAndMeasurement();
    void showsRatiosAndErrors();
    void tellsErrorOfTheChoice();
    void hasNoVerdictOfSome();
    void knowsWhatItCannotTell();
    void tellsWhenPlacementDoesNotMatter();
    void keepsSelectionThroughUpdates();
    void forgetsSelectionOfAnotherProgram();
    void keepsIndexesOfRowsThatStay();
    void takesResultsOfARanking();
    void shortensNamesOfNodes();
    void addsMeasurements();
    void writesCsv();
};

void TestAllocationList::ordersByPredictionNodesAndMeasurement()
{
    AllocationList list;
    list.setResults({.listed = {result(nodes({1, 0}), 2e6, 1.5e6), result(nodes({0, 1}), 3e6),
                                result(nodes({2, 0}), 1e6, 2.5e6), result(nodes({0, 2}), 2e6)},
                     .tried = 4});
    QCOMPARE(labels(list), (QStringList{"2 0", "0 2", "1 0", "0 1"}));
    QCOMPARE(list.bestRow(), 0);
    QCOMPARE(list.worstRow(), 3);
    QCOMPARE(list.bestMeasuredRow(), 2);

    QSignalSpy renewed(&list, &AllocationList::renewed);
    list.setOrder(AllocationOrder::Nodes);
    QCOMPARE(labels(list), (QStringList{"0 1", "0 2", "1 0", "2 0"}));
    QCOMPARE(list.placeAt(0), 4ULL);
    QCOMPARE(list.bestRow(), 3);
    list.setOrder(AllocationOrder::Measured);
    QCOMPARE(labels(list), (QStringList{"1 0", "2 0", "0 2", "0 1"}));
    QCOMPARE(renewed.count(), 2);
    list.setOrder(AllocationOrder::Measured);
    QCOMPARE(renewed.count(), 2);
}

void TestAllocationList::showsRatiosAndErrors()
{
    AllocationList list;
    list.setResults(
        {.listed = {result(nodes({0, 1}), 2e6, 2.5e6), result(nodes({1, 0}), 3e6)}, .tried = 2});
    QCOMPARE(cell(list, 0, Column::Place), QStringLiteral("1"));
    QCOMPARE(cell(list, 0, Column::Nodes), QStringLiteral("grid00, grid01"));
    QCOMPARE(cell(list, 0, Column::Predicted), QStringLiteral("2.0000 s"));
    QCOMPARE(cell(list, 0, Column::Measured), QStringLiteral("2.5000 s"));
    QCOMPARE(cell(list, 0, Column::Ratio), QStringLiteral("1.000"));
    QCOMPARE(cell(list, 0, Column::Error), QStringLiteral("-20.0 %"));
    QCOMPARE(cell(list, 1, Column::Measured), QString());
    QCOMPARE(cell(list, 1, Column::Ratio), QStringLiteral("1.500"));
    QCOMPARE(cell(list, 1, Column::Error), QString());
    QCOMPARE(list.summary().spread(), 0.5);

    list.setResults({.listed = {result(nodes({0, 1}), 2034.36)}, .tried = 1});
    QCOMPARE(cell(list, 0, Column::Predicted), QStringLiteral("2.0344 ms"));
}

/// The paper's formula 2, by hand: predicted best is (0 1), measured 11; the best measured is 10.
void TestAllocationList::tellsErrorOfTheChoice()
{
    AllocationList list;
    list.setResults({.listed = {result(nodes({0, 1}), 9e6, 11e6), result(nodes({1, 0}), 12e6, 10e6),
                                result(nodes({2, 0}), 15e6, 15e6)},
                     .tried = 3});
    QVERIFY(list.summary().errorA.has_value());
    QVERIFY(std::abs(*list.summary().errorA - 0.1) < 1e-12);
    // |9 - 11| / 11, |12 - 10| / 10, 0
    QVERIFY(std::abs(*list.summary().meanError - (2.0 / 11 + 0.2) / 3) < 1e-12);
    QCOMPARE(
        AllocationText::summary(list),
        QStringLiteral("3 allocation(s). Best 9.0000 s, worst 15.0000 s: spread (worst − best) "
                       "/ best = 66.7 %. Error of the choice a = 10.0 %. Mean prediction error "
                       "12.7 % over 3 measured allocation(s)."));
}

/// Best and spread of some tell nothing of all: 15.8 s were the best of so many that 27.0 s were.
void TestAllocationList::hasNoVerdictOfSome()
{
    AllocationList list;
    AllocationResults results{
        .listed = {result(nodes({0, 1}), 1e6, 1.1e6), result(nodes({1, 0}), 1.01e6, 1e6)},
        .tried = 5'242'880,
        .all = plan::AllocationCount(20'922'789'888'000)};
    list.setResults(results);
    QVERIFY(list.summary().isUnfinished());
    QVERIFY(!list.summary().errorA.has_value());
    QCOMPARE(list.worstRow(), -1);
    QCOMPARE(list.placeAt(1), 2ULL);
    QCOMPARE(AllocationText::summary(list),
             QStringLiteral("Not all were tried: best so far of 5242880 of 20922789888000. It "
                            "takes 1.0000 s. Mean prediction error 5.0 % over 2 measured "
                            "allocation(s)."));
    results.all = plan::AllocationCount::powerOfTen(89.1);
    list.setResults(results);
    QVERIFY(AllocationText::summary(list).contains(
        QStringLiteral("best so far of 5242880 of about 10^89.")));
}

void TestAllocationList::knowsWhatItCannotTell()
{
    // The predicted best one was not measured.
    AllocationResults results{.listed = {result(nodes({0, 1}), 9e6),
                                         result(nodes({1, 0}), 12e6, 10e6),
                                         result(nodes({2, 0}), 15e6, 15e6)},
                              .tried = 3};
    QVERIFY(!summaryOf(results).errorA.has_value());
    QCOMPARE(summaryOf(results).measured, std::size_t{2});
    // A measured time of nothing is none.
    results.listed[1].measuredUs = 0.0;
    QCOMPARE(summaryOf(results).measured, std::size_t{1});
    QCOMPARE(summaryOf({}), AllocationSummary{});
    QCOMPARE(AllocationSummary{}.spread(), 0.0);
    AllocationList list;
    QVERIFY(AllocationText::summary(list).isEmpty());
}

void TestAllocationList::tellsWhenPlacementDoesNotMatter()
{
    AllocationList list;
    const auto say = QStringLiteral("Placement does not matter here: take any.");
    list.setResults(
        {.listed = {result(nodes({0, 1}), 1e6), result(nodes({1, 0}), 1.019e6)}, .tried = 2});
    QVERIFY(AllocationText::summary(list).contains(say));
    list.setResults(
        {.listed = {result(nodes({0, 1}), 1e6), result(nodes({1, 0}), 1.021e6)}, .tried = 2});
    QVERIFY(!AllocationText::summary(list).contains(say));
}

void TestAllocationList::keepsSelectionThroughUpdates()
{
    AllocationList list;
    const QAbstractItemModelTester tester(&list);
    AllocationResults results = permutations(4, 1000.0);
    list.setResults(results);
    QSignalSpy selected(&list, &AllocationList::selectedChanged);
    list.selectRow(5);
    QCOMPARE(selected.count(), 1);
    const plan::Allocation chosen = list.at(5).allocation;

    results.listed[5].predictedUs = 1.0;
    list.setResults(results);
    QCOMPARE(list.selectedRow(), 0);
    QCOMPARE(list.at(0).allocation, chosen);
    list.setOrder(AllocationOrder::Nodes);
    QCOMPARE(list.selectedRow(), 5);
    // Not among the results for a while: it is still what was chosen.
    AllocationResults fewer = results;
    fewer.listed.erase(fewer.listed.begin() + 5);
    list.setResults(fewer);
    QCOMPARE(list.selectedRow(), -1);
    list.setResults({});
    QCOMPARE(list.count(), 0);
    QVERIFY(list.selected() == chosen);
    list.setResults(results);
    QCOMPARE(list.selectedRow(), 5);
    QCOMPARE(selected.count(), 1);
}

void TestAllocationList::forgetsSelectionOfAnotherProgram()
{
    AllocationList list;
    list.setResults(permutations(4, 1000.0));
    list.selectRow(3);
    QSignalSpy selected(&list, &AllocationList::selectedChanged);
    list.setResults(permutations(3, 1000.0));
    QVERIFY(!list.selected().has_value());
    QCOMPARE(list.selectedRow(), -1);
    QCOMPARE(selected.count(), 1);
}

/// Views keep persistent indexes; whatever comes and goes, each means its allocation or nothing.
void TestAllocationList::keepsIndexesOfRowsThatStay()
{
    AllocationList list;
    const QAbstractItemModelTester tester(&list);
    const AllocationResults all = permutations(4, 1000.0);
    std::mt19937 random(1);
    const auto number = [&](std::size_t below) { return random() % below; };
    for (int round = 0; round < 300; ++round) {
        std::vector<std::pair<QPersistentModelIndex, plan::Allocation>> kept;
        for (int row = 0; row < list.count(); ++row)
            kept.emplace_back(list.index(row, row % AllocationList::columns),
                              list.at(row).allocation);
        AllocationResults some;
        for (const AllocationResult& one : all.listed) {
            if (number(3) == 0)
                continue;
            some.listed.push_back(one);
            some.listed.back().predictedUs = 1e6 + static_cast<double>(number(10));
        }
        if (round % 20 == 7)
            some.listed.clear();
        list.setResults(some);
        QCOMPARE(static_cast<std::size_t>(list.count()), some.listed.size());
        for (const auto& [index, allocation] : kept) {
            const int row = list.rowOf(allocation);
            QCOMPARE(index.isValid() ? index.row() : -1, row);
        }
        for (int row = 1; row < list.count(); ++row)
            QVERIFY(list.at(row - 1).predictedUs <= list.at(row).predictedUs);
    }
}

void TestAllocationList::takesResultsOfARanking()
{
    const plan::Environment environment = environmentOf({"grid00", "grid01", "grid12"});
    plan::Ranking ranking(2);
    ranking.add(nodes({0, 1}), 30.0);
    ranking.add(nodes({1, 2}), 10.0);
    ranking.add(nodes({2, 0}), 50.0);
    ranking.add(nodes({2, 1}), 20.0);
    const plan::AllocationCount all(4);
    const AllocationResults results = resultsOf(environment, ranking, all);
    QCOMPARE(results.tried, std::uint64_t{4});
    QCOMPARE(results.listed.size(), std::size_t{3});
    QCOMPARE(results.listed[0].label, QStringLiteral("01 12"));
    QCOMPARE(results.listed[0].nodes, (QStringList{"grid01", "grid12"}));
    QCOMPARE(results.listed[2].predictedUs, 50.0);

    AllocationList list;
    list.setResults(results);
    QCOMPARE(list.placeAt(1), 2ULL);
    QCOMPARE(list.placeAt(2), 4ULL); // the worst of all that were tried
    QVERIFY(resultsOf(environment, plan::Ranking(2), all).listed.empty());

    // Nobody knows the worst while not all were tried.
    const AllocationResults some = resultsOf(environment, ranking, plan::AllocationCount(6));
    QCOMPARE(some.listed.size(), std::size_t{2});
    list.setResults(some);
    QCOMPARE(list.placeAt(1), 2ULL);
    QCOMPARE(list.worstRow(), -1);
}

void TestAllocationList::shortensNamesOfNodes()
{
    QCOMPARE(shortNodeNames(environmentOf({"grid00", "grid01", "grid02"})),
             (QStringList{"0", "1", "2"}));
    QCOMPARE(shortNodeNames(environmentOf({"a", "b"})), (QStringList{"a", "b"}));
    QCOMPARE(shortNodeNames(environmentOf({"alpha", "beta"})), (QStringList{"0", "1"}));
    QCOMPARE(shortNodeNames(environmentOf({"node", "node1"})), (QStringList{"0", "1"}));
    QCOMPARE(shortNodeNames(environmentOf({"alone"})), (QStringList{"0"}));
}

void TestAllocationList::addsMeasurements()
{
    AllocationResults results{.listed = {result(nodes({1, 0}), 1e6), result(nodes({0, 1}), 2e6)},
                              .tried = 2};
    addMeasurements(results,
                    {{.allocation = nodes({0, 1}), .seconds = {1.25, 4.0, 2.5}},
                     {.allocation = nodes({2, 1}), .seconds = {7.0}}});
    QVERIFY(!results.listed[0].measuredUs.has_value());
    QCOMPARE(results.listed[1].measuredUs, std::optional(2.5e6));
    QCOMPARE(results.listed[1].measuredRange,
             (std::optional(MeasuredRange{.lowUs = 1.25e6, .highUs = 4e6})));
}

void TestAllocationList::writesCsv()
{
    QLocale::setDefault(QLocale(QLocale::German));
    AllocationList list;
    AllocationResults results{
        .listed = {result(nodes({0, 1}), 2e6, 2.5e6), result(nodes({1, 0}), 3e6)}, .tried = 2};
    results.listed[1].nodes[0] = QStringLiteral("a \"b\", c");
    list.setResults(results);
    QCOMPARE(list.csv(),
             QByteArray("place,predicted_s,over_best,measured_s,prediction_error,task0,"
                        "task1\r\n"
                        "1,2.000000000,1.000000,2.500000000,-0.200000,grid00,grid01\r\n"
                        "2,3.000000000,1.500000,,,\"a \"\"b\"\", c\",grid00\r\n"));
    list.setOrder(AllocationOrder::Nodes);
    QVERIFY(list.csv().contains("\r\n1,2.0"));
    QLocale::setDefault(QLocale::c());
}

QTEST_GUILESS_MAIN(TestAllocationList)

} // namespace tst_allocationlist

#include "tst_allocationlist.moc"

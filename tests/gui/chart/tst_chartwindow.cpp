// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "chart/chartscale.h"
#include "chart/chartwindow.h"

#include <algorithm>

namespace tst_chartwindow {

using namespace tasuki;

/// Which rows have columns, and where the axis has its ticks.
/// What breaks it: a row that no scrolling brings into sight, the worst one out of sight, more
/// columns than fit, an axis that ends below its bars.
class TestChartWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsAllWhereTheyFit();
    void keepsTheWorstInSight();
    void worstWithinTheWindowStandsOnce();
    void everyRowCanBeReached();
    void bringsRowsIntoSight();
    void scalesFromZeroWithRoundTicks_data();
    void scalesFromZeroWithRoundTicks();
};

void TestChartWindow::showsAllWhereTheyFit()
{
    const ChartWindow window{.rows = 5, .worst = 4, .capacity = 5, .first = 0};
    QVERIFY(!window.isPartial());
    QCOMPARE(window.columns(), (std::vector<int>{0, 1, 2, 3, 4}));
    QCOMPARE(window.lastFirst(), 0);
}

void TestChartWindow::keepsTheWorstInSight()
{
    const ChartWindow window{.rows = 100, .worst = 99, .capacity = 6, .first = 10};
    QCOMPARE(window.columns(), (std::vector<int>{10, 11, 12, 13, ChartWindow::gap, 99}));
    QCOMPARE(window.shown(), 4);
    const ChartWindow narrow{.rows = 100, .worst = 99, .capacity = 3, .first = 10};
    QCOMPARE(narrow.columns(), (std::vector<int>{10, 11, 12}));
}

void TestChartWindow::worstWithinTheWindowStandsOnce()
{
    const ChartWindow window{.rows = 100, .worst = 12, .capacity = 6, .first = 10};
    QCOMPARE(window.columns(), (std::vector<int>{10, 11, 12, 13, 14, 15}));
}

void TestChartWindow::everyRowCanBeReached()
{
    for (int worst = -1; worst < 20; ++worst) {
        for (int capacity = 1; capacity < 22; ++capacity) {
            ChartWindow window{.rows = 20, .worst = worst, .capacity = capacity, .first = 0};
            std::vector<bool> seen(20, false);
            for (; window.first <= window.lastFirst(); ++window.first) {
                const std::vector<int> columns = window.columns();
                QVERIFY(static_cast<int>(columns.size()) <= capacity);
                for (const int row : columns) {
                    QVERIFY(row >= ChartWindow::gap && row < 20);
                    if (row >= 0)
                        seen[static_cast<std::size_t>(row)] = true;
                }
            }
            QVERIFY(std::all_of(seen.begin(), seen.end(), [](bool one) { return one; }));
        }
    }
}

void TestChartWindow::bringsRowsIntoSight()
{
    for (int worst = -1; worst < 50; ++worst) {
        for (int row = 0; row < 50; ++row) {
            ChartWindow window{.rows = 50, .worst = worst, .capacity = 7, .first = 20};
            window.bringIntoSight(row);
            const std::vector<int> columns = window.columns();
            QVERIFY(std::find(columns.begin(), columns.end(), row) != columns.end());
            QVERIFY(window.first >= 0 && window.first <= window.lastFirst());
        }
    }
    ChartWindow window{.rows = 50, .worst = 49, .capacity = 7, .first = 20};
    window.bringIntoSight(22);
    QCOMPARE(window.first, 20);
    window.bringIntoSight(25);
    QCOMPARE(window.first, 21);
}

void TestChartWindow::scalesFromZeroWithRoundTicks_data()
{
    QTest::addColumn<double>("largest");
    QTest::addColumn<int>("mostTicks");
    QTest::addColumn<double>("maximum");
    QTest::addColumn<double>("step");
    QTest::addColumn<int>("decimals");
    QTest::newRow("seconds") << 4.6 << 6 << 5.0 << 1.0 << 0;
    QTest::newRow("tens") << 37.0 << 6 << 40.0 << 10.0 << 0;
    QTest::newRow("quarters") << 0.9 << 5 << 1.0 << 0.25 << 2;
    QTest::newRow("thousandths") << 0.0041 << 6 << 0.005 << 0.001 << 3;
    QTest::newRow("few ticks") << 16.0 << 2 << 20.0 << 20.0 << 0;
    QTest::newRow("exact") << 10.0 << 6 << 10.0 << 2.0 << 0;
    QTest::newRow("nothing") << 0.0 << 6 << 1.0 << 0.2 << 1;
}

void TestChartWindow::scalesFromZeroWithRoundTicks()
{
    QFETCH(double, largest);
    QFETCH(int, mostTicks);
    QFETCH(double, maximum);
    QFETCH(double, step);
    QFETCH(int, decimals);
    const ChartScale scale = scaleFor(largest, mostTicks, 0.0);
    QCOMPARE(scale.maximum, maximum);
    QCOMPARE(scale.step, step);
    QCOMPARE(scale.decimals, decimals);
    QVERIFY(scale.ticks() <= mostTicks);
    // Room above the largest value is kept.
    QVERIFY(scaleFor(9.9, 6, 0.2).maximum * 0.8 >= 9.9);
}

QTEST_APPLESS_MAIN(TestChartWindow)

} // namespace tst_chartwindow

#include "tst_chartwindow.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBarCategoryAxis>
#include <QBarSeries>
#include <QBarSet>
#include <QBuffer>
#include <QChart>
#include <QChartView>
#include <QHelpEvent>
#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QValueAxis>
#include <QXmlStreamReader>

#include "chart/allocationchart.h"
#include "chart/allocationtext.h"
#include "chartbench.h"
#include "views/theme.h"

#include <cmath>

namespace tst_allocationchart {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

QList<QBarSet*> barsOf(const AllocationChart& chart)
{
    return qobject_cast<QBarSeries*>(chart.chart().series().front())->barSets();
}

QPoint middleOf(const AllocationChart& chart, int column)
{
    return chart.picture().rectOf(column).center().toPoint();
}

void show(AllocationChart& chart, QSize size = {1000, 420})
{
    chart.resize(size);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
}

double luminance(const QColor& colour)
{
    const auto channel = [](float value) {
        const auto v = static_cast<double>(value);
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF())
        + 0.0722 * channel(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace

/// The chart as a user sees it: bars, words, selection by mouse and keys, many results, exports.
/// What breaks it: bars of other values or places than the list's, a click that selects a
/// neighbour, a bar for each of 40,320 allocations, a file that others cannot read.
class TestAllocationChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void barsAreTheValues();
    void barsStandWhereThePictureSays();
    void measuredBarsComeAndGo();
    void namesNodesBelowTheBars();
    void marksBestAndWorst();
    void selectsByMouse();
    void selectsByKeys();
    void showsWhatIsSelectedElsewhere();
    void boundsManyResults();
    void keepsItsPlaceThroughUpdates();
    void explainsBars();
    void drawsFiles();
    void followsThemes_data();
    void followsThemes();
    void fitsSmallWindows();
};

void TestAllocationChart::barsAreTheValues()
{
    AllocationList list;
    AllocationChart chart(list);
    show(chart);
    list.setResults(permutations(4, 50'000.0, true));
    const QList<QBarSet*> bars = barsOf(chart);
    QCOMPARE(bars.size(), 2);
    QCOMPARE(bars[0]->count(), 24);
    QCOMPARE(bars[1]->count(), 24);
    for (int column = 0; column < 24; ++column) {
        QCOMPARE(bars[0]->at(column), 1.0 + 0.05 * column);
        QCOMPARE(bars[1]->at(column), (1.0 + 0.05 * column) * 1.05);
    }
    const auto* axis = qobject_cast<QValueAxis*>(chart.chart().axes(Qt::Vertical).front());
    QCOMPARE(axis->min(), 0.0);
    QVERIFY(axis->max() > 2.15 * 1.05);
    QVERIFY(axis->tickCount() >= 3);
    QCOMPARE(axis->max(), chart.picture().scale.maximum);
    list.setOrder(AllocationOrder::Nodes);
    QCOMPARE(barsOf(chart)[0]->at(23), 1.0 + 0.05 * 23);
}

/// Hatching and marks are painted by calculation: Qt Charts must calculate alike.
void TestAllocationChart::barsStandWhereThePictureSays()
{
    AllocationList list;
    list.setResults(permutations(4, 50'000.0, true));
    AllocationChart chart(list);
    show(chart);
    QBarSet* set = barsOf(chart)[0];
    const QImage image = chart.canvas().grab().toImage();
    for (const int column : {0, 11, 23}) {
        const QRectF bar = chart.picture().barOf(column, false);
        const QPointF top = chart.chart().mapToPosition({1.0 * column, set->at(column)},
                                                        chart.chart().series().front());
        QVERIFY(std::abs(top.x() - chart.picture().centreOf(column)) < 0.5);
        QVERIFY(std::abs(top.y() - bar.top()) < 0.5);
        const QColor predicted = chart.picture().colours.predicted;
        const QPointF inside(bar.center().x(), bar.top() + 3.0);
        QCOMPARE(image.pixelColor(inside.toPoint()).name(), predicted.name());
        for (const QPointF outside : {QPointF(bar.left() - 2.0, bar.center().y()),
                                      QPointF(bar.right() + 2.0, bar.center().y())})
            QVERIFY(image.pixelColor(outside.toPoint()).name() != predicted.name());
    }
}

void TestAllocationChart::measuredBarsComeAndGo()
{
    AllocationList list;
    AllocationChart chart(list);
    show(chart);
    QVERIFY(barsOf(chart)[0]->count() == 0);
    list.setResults(permutations(3, 1000.0));
    QCOMPARE(barsOf(chart).size(), 1);
    AllocationResults results = permutations(3, 1000.0);
    results.listed[2].measuredUs = 1.5e6;
    list.setResults(results);
    QCOMPARE(barsOf(chart).size(), 2);
    QCOMPARE(barsOf(chart)[1]->at(2), 1.5);
    QCOMPARE(barsOf(chart)[1]->at(1), 0.0);
    list.setResults(permutations(3, 1000.0));
    QCOMPARE(barsOf(chart).size(), 1);
    list.setResults({});
    QCOMPARE(barsOf(chart)[0]->count(), 0);
}

void TestAllocationChart::namesNodesBelowTheBars()
{
    AllocationList list;
    list.setResults(permutations(4, 1000.0));
    AllocationChart chart(list);
    show(chart);
    QCOMPARE(chart.picture().taskTitles, (QStringList{"Task 0", "Task 1", "Task 2", "Task 3"}));
    QCOMPARE(chart.picture().columns.size(), std::size_t{24});
    QCOMPARE(chart.picture().columns[1].words, (QStringList{"0", "1", "3", "2"}));
    QVERIFY(chart.picture().columnWidth() > chart.picture().widestWord);

    // Words that do not fit below each other stand upright.
    AllocationResults results = permutations(3, 1000.0);
    for (AllocationResult& one : results.listed)
        one.label = one.nodes.join(QLatin1Char(' '));
    list.setResults(results);
    QVERIFY(chart.picture().taskTitles.isEmpty());
    QVERIFY(chart.picture().rectOf(0).height() > chart.picture().plot.height() + 30.0);
}

void TestAllocationChart::marksBestAndWorst()
{
    AllocationList list;
    AllocationResults results = permutations(3, 100'000.0, true);
    results.listed[4].measuredUs = 0.5e6;
    list.setResults(results);
    AllocationChart chart(list);
    show(chart);
    for (int column = 0; column < 6; ++column) {
        const ChartColumn& one = chart.picture().columns[static_cast<std::size_t>(column)];
        QCOMPARE(one.best, column == 0);
        QCOMPARE(one.worst, column == 5);
        QCOMPARE(one.bestMeasured, column == 4);
    }
    // The mark is above the bars and below the plot's edge.
    QVERIFY(chart.picture().barOf(5, true).top() - chart.picture().plot.top()
            > ChartPicture::markSize);
}

void TestAllocationChart::selectsByMouse()
{
    AllocationList list;
    list.setResults(permutations(4, 50'000.0, true));
    AllocationChart chart(list);
    show(chart);
    for (const int column : {0, 7, 23}) {
        QTest::mouseClick(&chart.canvas(), Qt::LeftButton, {}, middleOf(chart, column));
        QCOMPARE(list.selectedRow(), column);
        for (std::size_t other = 0; other < 24; ++other)
            QCOMPARE(chart.picture().columns[other].selected, static_cast<int>(other) == column);
    }
    // A click on the words below a bar means the bar; beside the plot nothing.
    const QRectF rect = chart.picture().rectOf(3);
    QTest::mouseClick(&chart.canvas(), Qt::LeftButton, {},
                      QPointF(rect.center().x(), rect.bottom() - 4.0).toPoint());
    QCOMPARE(list.selectedRow(), 3);
    QTest::mouseClick(&chart.canvas(), Qt::LeftButton, {}, QPoint(4, 4));
    QCOMPARE(list.selectedRow(), 3);
    QVERIFY(chart.hasFocus());
}

void TestAllocationChart::selectsByKeys()
{
    AllocationList list;
    list.setResults(permutations(4, 50'000.0));
    AllocationChart chart(list);
    show(chart);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(list.selectedRow(), 0);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(list.selectedRow(), 1);
    QTest::keyClick(&chart, Qt::Key_Left);
    QTest::keyClick(&chart, Qt::Key_Left);
    QCOMPARE(list.selectedRow(), 0);
    QTest::keyClick(&chart, Qt::Key_End);
    QCOMPARE(list.selectedRow(), 23);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(list.selectedRow(), 23);
    QTest::keyClick(&chart, Qt::Key_Home);
    QCOMPARE(list.selectedRow(), 0);
    QVERIFY(chart.accessibleDescription().startsWith(
        QStringLiteral("Place 1: nodes grid00, grid01, grid02, grid03; predicted 1.0000 s")));
}

void TestAllocationChart::showsWhatIsSelectedElsewhere()
{
    AllocationList list;
    list.setResults(permutations(6, 100.0)); // 720
    AllocationChart chart(list);
    show(chart);
    list.selectRow(500);
    const auto isShown = [&](int row) {
        const auto& columns = chart.picture().columns;
        return std::any_of(columns.begin(), columns.end(), [row](const ChartColumn& column) {
            return column.row == row && column.selected;
        });
    };
    QVERIFY(isShown(500));
    QCOMPARE(chart.picture().columns.back().row, 719); // the worst
    list.setOrder(AllocationOrder::Nodes);
    QVERIFY(isShown(list.selectedRow()));
}

void TestAllocationChart::boundsManyResults()
{
    AllocationList list;
    AllocationChart chart(list);
    show(chart, {1600, 420});
    AllocationResults results = permutations(8, 10.0);
    results.tried = 100'000;
    list.setResults(std::move(results));
    QCOMPARE(list.count(), 40'320);
    const QList<QBarSet*> bars = barsOf(chart);
    QCOMPARE(bars[0]->count(), ChartWindow::mostColumns);
    QCOMPARE(chart.picture().columns.size(), std::size_t{ChartWindow::mostColumns});
    QVERIFY(chart.scrollBar().isVisible());
    QCOMPARE(
        chart.picture().note,
        QStringLiteral("1 to 58 of 40,320 shown; scroll for the others. 59,680 slower ones are "
                       "left out."));
    chart.scrollBar().setValue(1000);
    QCOMPARE(bars[0]->at(0), 1.0 + 1e-5 * 1000);
    QCOMPARE(bars[0]->at(59), 1.0 + 1e-5 * 40'319);
    QTest::keyClick(&chart, Qt::Key_End);
    QCOMPARE(list.selectedRow(), 40'319);
    QTest::keyClick(&chart, Qt::Key_Left);
    QCOMPARE(chart.scrollBar().value(), chart.scrollBar().maximum());
    QCOMPARE(chart.picture().columns.back().row, 40'319);
    QCOMPARE(chart.picture().columns.front().row, 40'260);
}

void TestAllocationChart::keepsItsPlaceThroughUpdates()
{
    AllocationList list;
    AllocationResults results = permutations(6, 100.0);
    list.setResults(results);
    AllocationChart chart(list);
    show(chart);
    chart.scrollBar().setValue(100);
    list.selectRow(105);
    for (int update = 0; update < 20; ++update) {
        for (AllocationResult& one : results.listed)
            one.predictedUs += 1000.0;
        list.setResults(results);
        QCOMPARE(chart.scrollBar().value(), 100);
        QCOMPARE(list.selectedRow(), 105);
        QVERIFY(chart.picture().columns[5].selected);
    }
    QCOMPARE(barsOf(chart)[0]->at(0), 1.0 + 0.0001 * 100 + 0.02);
}

void TestAllocationChart::explainsBars()
{
    AllocationList list;
    AllocationResults results = permutations(3, 100'000.0, true);
    results.listed[1].measuredRange = MeasuredRange{.lowUs = 1.1e6, .highUs = 1.2e6};
    list.setResults(results);
    AllocationChart chart(list);
    show(chart);
    const QPoint place = middleOf(chart, 1);
    QHelpEvent help(QEvent::ToolTip, place, chart.canvas().mapToGlobal(place));
    QApplication::sendEvent(&chart.canvas(), &help);
    const QString text = QToolTip::text();
    for (const char* part : {"grid00", "grid02", "grid01", "1.1000 s", "1.1550 s",
                             "(1.1000 s to 1.2000 s)", "-4.8 %", "1.100"})
        QVERIFY2(text.contains(QLatin1String(part)), part);
    QHelpEvent nowhere(QEvent::ToolTip, {2, 2}, chart.canvas().mapToGlobal(QPoint(2, 2)));
    QApplication::sendEvent(&chart.canvas(), &nowhere);
    QTRY_VERIFY(QToolTip::text().isEmpty());
}

void TestAllocationChart::drawsFiles()
{
    AllocationList list;
    list.setResults(permutations(4, 50'000.0, true));
    AllocationChart chart(list);
    chart.setTitle(QStringLiteral("LU <block> & co"));
    show(chart);
    const QImage png = QImage::fromData(chart.drawn(ChartFormat::Png), "PNG");
    QCOMPARE(png.size(), chart.canvas().size() * 2);
    const QPointF inside(chart.picture().barOf(0, false).center());
    QCOMPARE(png.pixelColor((inside * 2.0).toPoint()).name(),
             chart.picture().colours.predicted.name());

    QXmlStreamReader svg(chart.drawn(ChartFormat::Svg));
    QString texts;
    QString size;
    while (!svg.atEnd()) {
        svg.readNext();
        if (svg.isStartElement() && svg.name() == QLatin1String("svg"))
            size = svg.attributes().value(QLatin1String("viewBox")).toString();
        if (svg.isCharacters())
            texts += svg.text();
    }
    QVERIFY2(!svg.hasError(), qPrintable(svg.errorString()));
    QVERIFY(texts.contains(QStringLiteral("LU <block> & co")));
    QVERIFY(texts.contains(QStringLiteral("Task 3")));
    QCOMPARE(size,
             QStringLiteral("0 0 %1 %2").arg(chart.canvas().width()).arg(chart.canvas().height()));

    const QByteArray pdf = chart.drawn(ChartFormat::Pdf);
    QVERIFY(pdf.startsWith("%PDF-1."));
    QVERIFY(pdf.trimmed().endsWith("%%EOF"));
    QVERIFY(pdf.contains("/Font"));
}

void TestAllocationChart::followsThemes_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestAllocationChart::followsThemes()
{
    QFETCH(bool, dark);
    AllocationList list;
    list.setResults(permutations(3, 50'000.0, true));
    AllocationChart chart(list);
    chart.setPalette(dark ? theme::light() : theme::dark());
    show(chart);
    chart.setPalette(dark ? theme::dark() : theme::light());
    const ChartColours& colours = chart.picture().colours;
    QCOMPARE(colours.background, chart.palette().color(QPalette::Base));
    QCOMPARE(chart.chart().backgroundBrush().color(), colours.background);
    QCOMPARE(barsOf(chart)[0]->brush().color(), colours.predicted);
    QVERIFY(contrast(colours.text, colours.background) > 7.0);
    QVERIFY(contrast(colours.dimText, colours.background) > 4.5);
    QVERIFY(contrast(colours.predicted, colours.background) > 3.0);
    QVERIFY(contrast(colours.measuredLine, colours.background) > 3.0);
    // Without colour too: hatching stands out from its ground.
    QVERIFY(contrast(colours.measuredLine, colours.measured) > 3.0);
    const QImage image = chart.canvas().grab().toImage();
    QCOMPARE(image.pixelColor(2, 2).name(), colours.background.name());
}

void TestAllocationChart::fitsSmallWindows()
{
    AllocationList list;
    list.setResults(permutations(4, 50'000.0, true));
    AllocationChart chart(list);
    for (const QSize size : {QSize(300, 220), QSize(900, 260), QSize(3840, 2160)}) {
        show(chart, size);
        QTRY_COMPARE(chart.picture().area().size().toSize(), chart.canvas().size());
        const ChartPicture& picture = chart.picture();
        QVERIFY(picture.plot.height() > 40.0);
        QVERIFY(picture.area().contains(picture.plot));
        for (int column = 0; column < static_cast<int>(picture.columns.size()); ++column)
            QVERIFY(picture.area().contains(picture.rectOf(column)));
        for (const ChartKey& key : picture.keys)
            QVERIFY(picture.area().contains(key.rect) && key.rect.bottom() < picture.plot.top());
    }
}

QTEST_MAIN(TestAllocationChart)

} // namespace tst_allocationchart

#include "tst_allocationchart.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "paintedscene.h"
#include "tracetimeline/tracecanvas.h"

#include <QApplication>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace tst_tracepaint {

using namespace tasuki;

class TestTracePaint : public QObject {
    Q_OBJECT

public:
    /// The numbers asked for are in English.
    static void initMain()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

private Q_SLOTS:
    void callsHaveTheColoursOfTheirFamilies_data();
    void callsHaveTheColoursOfTheirFamilies();
    void nestedStatesAreInset();
    void waitingIsHatched();
    void denseTimeIsStacked();
    void stacksAddUp();
    void stackShowsWhatIsRare();
    void sameImageByColumnsAndBySpans();
    void namesStandWhereTheyFit();
    void emptySentences();
    void shapesAndPixelsAgree();
};

void TestTracePaint::callsHaveTheColoursOfTheirFamilies_data()
{
    QTest::addColumn<double>("ratio");
    QTest::newRow("1") << 1.0;
    QTest::newRow("2") << 2.0;
    QTest::newRow("1.5") << 1.5;
}

void TestTracePaint::callsHaveTheColoursOfTheirFamilies()
{
    QFETCH(double, ratio);
    const Painted p(smallTrace().store(), ratio);
    constexpr double part = 0.9; // below names
    QCOMPARE(p.at(50, 0, part), p.computation());
    QCOMPARE(p.at(150, 0, part), p.fill(CallFamily::Send));
    QCOMPARE(p.at(400, 0, part), p.computation());
    QCOMPARE(p.at(700, 0, part), p.fill(CallFamily::Collective));
    QCOMPARE(p.at(p.x(150), p.y(0, -0.1)), p.scene.palette().base.background);
    // The other row has a band behind it, and nothing is after the last call.
    QCOMPARE(p.at(p.x(930), p.y(0)), p.scene.palette().base.background);
    QCOMPARE(p.at(p.x(930), p.y(1, 1.1)), p.scene.palette().base.band);
    const double first = p.x(100);
    QCOMPARE(p.at(first - 2, p.y(0, part)), p.computation());
    QCOMPARE(p.at(first + 2, p.y(0, part)), p.fill(CallFamily::Send));
    QCOMPARE(p.at(p.x(200) - 2, p.y(0, part)), p.fill(CallFamily::Send));
    QCOMPARE(p.at(p.x(200) + 2, p.y(0, part)), p.computation());
}

void TestTracePaint::nestedStatesAreInset()
{
    const Painted p(smallTrace().store());
    const QRgb solve = p.scene.palette().fill[TraceCategories::firstOfStates];
    QCOMPARE(p.at(200, 1, 0.02), solve);
    QCOMPARE(p.at(200, 1, 0.98), solve);
    QCOMPARE(p.at(200, 1, 0.85), p.fill(CallFamily::Receive));
    QCOMPARE(p.at(500, 1, 0.85), solve);
    QCOMPARE(p.at(750, 1, 0.85), p.fill(CallFamily::Collective));
    QVERIFY(p.scene.barOf(3).height() < p.scene.barOf(2).height()); // the receive in the state
}

void TestTracePaint::waitingIsHatched()
{
    const Painted p(predictedStore());
    const QRectF wait(p.x(300), p.y(1, 0.1), p.x(650) - p.x(300), p.y(1, 0.9) - p.y(1, 0.1));
    const int all = static_cast<int>(wait.width()) * static_cast<int>(wait.height());
    const int stripes = p.count(p.stripe(CallFamily::Receive), wait);
    const int ground = p.count(p.fill(CallFamily::Receive, true), wait);
    QVERIFY2(stripes > all / 4 && stripes < all * 3 / 5, qPrintable(QString::number(stripes)));
    QVERIFY(ground > all / 4);
    // Work in the call is not.
    const QRectF work(p.x(20), p.y(1, 0.85), p.x(80) - p.x(20), 3);
    QCOMPARE(p.count(p.fill(CallFamily::Receive), work),
             static_cast<int>(work.width()) * static_cast<int>(work.height()));
}

void TestTracePaint::denseTimeIsStacked()
{
    TraceMaker maker(1);
    for (int i = 0; i < 20'000; ++i) { // a quarter of the time in calls
        maker.call("MPI_Send", 0, i * 8 + 3, i * 8 + 5);
    }
    const Painted p(maker.store());
    const double middle = 80'000;
    QCOMPARE(p.at(middle, 0, 0.9), p.computation());
    QCOMPARE(p.at(middle, 0, 0.5), p.computation());
    QCOMPARE(p.at(middle, 0, 0.1), p.fill(CallFamily::Send));
    const QRectF bar(p.x(middle), p.y(0, 0), 1, p.y(0, 1) - p.y(0, 0));
    const double part = p.count(p.fill(CallFamily::Send), bar) / bar.height();
    QVERIFY2(std::abs(part - 0.25) < 0.04, qPrintable(QString::number(part)));
}

void TestTracePaint::stacksAddUp()
{
    std::mt19937 random(4);
    std::vector<int> heights;
    for (int round = 0; round < 2000; ++round) {
        std::vector<float> shares(12, 0.0F);
        std::uint32_t present = 0;
        float rest = 1;
        for (int i = 0; i < 6; ++i) {
            const std::size_t category = random() % shares.size();
            const float part = rest * static_cast<float>(random() % 100) / 100;
            shares[category] += part;
            rest -= part;
            present |= 1U << category;
        }
        shares[1] += rest;
        present |= 2U;
        const int height = 1 + static_cast<int>(random() % 60);
        TraceBricks::stack({shares, 9, present}, height, heights);
        int sum = 0;
        for (std::size_t i = 0; i < heights.size(); ++i) {
            QVERIFY(heights[i] >= 0);
            sum += heights[i];
            // A pixel each for what is rare may be taken from the dominating one.
            if (i != TraceColumns::Column{shares, 9, present}.dominating())
                QVERIFY(static_cast<float>(heights[i])
                        <= std::max(1.0F, shares[i] * static_cast<float>(height) + 0.5F));
        }
        QCOMPARE(sum, height);
    }
}

void TestTracePaint::stackShowsWhatIsRare()
{
    std::vector<float> shares(12, 0.0F);
    shares[TraceCategories::compute] = 0.9999F;
    shares[3] = 0.0001F;
    std::vector<int> heights;
    TraceBricks::stack({shares, 5, 2U | 8U | 16U}, 20, heights);
    QCOMPARE(heights[3], 1);
    QCOMPARE(heights[4], 1); // without length, but there
    QCOMPARE(heights[TraceCategories::compute], 18);
}

void TestTracePaint::sameImageByColumnsAndBySpans()
{
    // So many spans that columns are painted, but in sight each is some pixels wide.
    TraceMaker maker(1);
    constexpr int calls = 400;
    for (int i = 0; i < calls; ++i)
        maker.call(i % 2 == 0 ? "MPI_Send" : "MPI_Recv", 0, i * 10, i * 10 + 10);
    const auto store = maker.store();
    const TraceRowLines lines{0, 0, 20, 20};
    const TimeWindow window{0, toNanoseconds(calls * 10)};
    constexpr int width = 1000; // 2.5 pixels a span
    TraceBricks bricks(*store, window, width, 1);
    bricks.addRow(0, lines);
    QImage image(width, 20, QImage::Format_RGB32);
    image.fill(0);
    const TracePalette palette = TracePalette::of(QPalette(), store->categories());
    paintTraceBricks(image, bricks.bricks(), 1, palette);
    for (int x = 0; x < width; ++x) {
        const double spans = (x + 0.5) * calls / width;
        if (std::abs(spans - std::round(spans)) < 0.15)
            continue; // half of one and half of another
        const auto family = static_cast<int>(spans) % 2 == 0 ? CallFamily::Send
                                                             : CallFamily::Receive;
        QCOMPARE(image.pixel(x, 10), palette.fill[TraceCategories::ofFamily(family, false)]);
        QCOMPARE(image.pixel(x, 1), image.pixel(x, 19));
    }
}

void TestTracePaint::namesStandWhereTheyFit()
{
    const auto store = smallTrace().store();
    bool clear = true;
    const auto namesOf = [&](double begin, double end) {
        std::set<std::uint32_t> found;
        TraceBricks bricks(*store, {toNanoseconds(begin), toNanoseconds(end - begin)}, 900, 1);
        for (std::uint32_t task = 0; task < 2; ++task)
            bricks.addRow(task, {0, 0, 40, 40});
        for (const TraceNamePlace& name : bricks.names()) {
            found.insert(name.span);
            // None stands over a state that lies on its own.
            for (const TraceBrick& brick : bricks.bricks()) {
                const bool covers = name.span == 2 && brick.category != name.category
                    && brick.top > name.top;
                clear = clear && (!covers || brick.left >= name.right || brick.right <= name.left);
            }
        }
        return found;
    };
    QVERIFY(namesOf(0, 1000) == (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
    QVERIFY(namesOf(0, 100'000).empty());
    QVERIFY(clear);
    QVERIFY(namesOf(400, 500) == (std::set<std::uint32_t>{2})); // its begin is out of sight
}

void TestTracePaint::emptySentences()
{
    const Painted nothing(nullptr);
    QVERIFY(nothing.scene.isEmpty());
    const QRectF all(QPointF(0, 0), sceneSize);
    const int background = nothing.count(nothing.scene.palette().base.background, all);
    QVERIFY(background < sceneSize.width() * sceneSize.height()); // something is written
    QVERIFY(background > sceneSize.width() * sceneSize.height() * 9 / 10);
    Painted other(
        std::make_shared<const TraceStore>(std::make_shared<const plan::Timeline>(), nullptr));
    QVERIFY(other.image != nothing.image); // another sentence
    Painted own(nullptr);
    own.scene.setEmptyText("Choose an allocation in the chart.");
    own.paint();
    QVERIFY(own.image != nothing.image);
    QVERIFY(own.scene.describe({100, 100}).isEmpty());
    QVERIFY(own.scene.itemAt({100, 100}) == TraceItem{});
}

void TestTracePaint::shapesAndPixelsAgree()
{
    Painted p(predictedStore());
    QImage shapes(sceneSize, QImage::Format_RGB32);
    QPainter painter(&shapes);
    p.scene.paintShapes(painter);
    painter.end();
    for (const double us : {50.0, 300.0, 450.0, 800.0}) {
        for (const std::uint32_t task : {0U, 1U}) {
            if (task == 1 && us < 700)
                continue; // hatched: other stripes
            const QPoint point(static_cast<int>(p.x(us)), static_cast<int>(p.y(task, 0.9)));
            QCOMPARE(shapes.pixel(point), p.image.pixel(point));
        }
    }
}

QTEST_MAIN(TestTracePaint)

} // namespace tst_tracepaint

#include "tst_tracepaint.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plainscene.h"

namespace tst_lanescene {

using namespace tasuki;

namespace {

constexpr QSize whole(600, 300);

QImage imageOf(PlainScene& scene, bool shapes = false, double ratio = 1)
{
    scene.setRatio(ratio);
    QImage image(whole * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    shapes ? scene.paintShapes(painter) : scene.paint(painter);
    return image;
}

PlainScene sceneOf(std::size_t rows)
{
    PlainScene scene(rows);
    scene.setGeometry(whole);
    scene.setStyle(QPalette(), QFont());
    return scene;
}

} // namespace

/// What breaks it: rows that are painted though nothing has changed, or are not though something has;
/// what lies on the rows and reaches over the labels.
class TestLaneScene : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsHaveTheirPlaces()
    {
        PlainScene scene = sceneOf(5);
        const QRect rows = scene.rowsRect();
        const QRect axis = scene.axisRect();
        QCOMPARE(rows.left(), PlainScene::labels);
        QCOMPARE(rows.bottomRight(), QPoint(whole.width() - 1, whole.height() - 1));
        QCOMPARE(axis.bottom() + 1, rows.top());
        QCOMPARE(scene.view().width(), static_cast<double>(rows.width()));
        scene.setLeastLabelWidth(120);
        QCOMPARE(scene.rowsRect().left(), 120);
        QCOMPARE(scene.ownLabelWidth(), PlainScene::labels);
        scene.setLeastLabelWidth(10'000);
        QCOMPARE(scene.rowsRect().left(), whole.width() / 3);
        QVERIFY(!scene.rowAt(rows.topLeft() - QPoint(0, 1)));
        QCOMPARE(scene.rowAt(rows.topLeft()), std::optional<std::size_t>(0));
    }

    void shapesAndPixelsAgree()
    {
        PlainScene scene = sceneOf(3);
        const QImage image = imageOf(scene);
        QCOMPARE(image, imageOf(scene, true));
        const QRect rows = scene.rowsRect();
        QCOMPARE(image.pixelColor(rows.center()), QColor(Qt::blue));
        QCOMPARE(image.pixelColor(rows.topLeft() - QPoint(2, 0)), QColor(Qt::green));
        scene.selectBeside(LaneScene::Side::Down);
        const QImage selected = imageOf(scene);
        QCOMPARE(selected, imageOf(scene, true));
        QCOMPARE(selected.pixelColor(rows.center()), QColor(Qt::red));
        QCOMPARE(selected.pixelColor(rows.topLeft() - QPoint(2, 0)), QColor(Qt::green));
        const int y = rows.top() + scene.layout().yOf(1) + 1;
        QVERIFY(selected.pixelColor(1, y) != QColor(Qt::green)); // the mark of its row
        QCOMPARE(image.pixelColor(1, y), QColor(Qt::green));
    }

    void rowsArePaintedWhenTheyHaveChanged()
    {
        PlainScene scene = sceneOf(200);
        imageOf(scene);
        QCOMPARE(scene.painted, 1);
        imageOf(scene);
        scene.selectBeside(LaneScene::Side::Down);
        imageOf(scene);
        QCOMPARE(scene.painted, 1);
        scene.touch();
        imageOf(scene);
        QCOMPARE(scene.painted, 2);
        scene.view().zoom(0.5, 100);
        imageOf(scene);
        QCOMPARE(scene.painted, 3);
        scene.setScroll(30);
        imageOf(scene);
        QCOMPARE(scene.painted, 4);
        imageOf(scene, false, 1.5);
        QCOMPARE(scene.painted, 5);
        scene.setScroll(1'000'000);
        QCOMPARE(scene.layout().scroll, scene.layout().largestScroll());
    }

    void nothingToShow()
    {
        PlainScene scene = sceneOf(0);
        QVERIFY(scene.isEmpty());
        const QImage image = imageOf(scene);
        QCOMPARE(scene.painted, 0);
        QCOMPARE(image, imageOf(scene, true));
        QVERIFY(!scene.rowAt({300, 200}));
    }
};

QTEST_MAIN(TestLaneScene)

} // namespace tst_lanescene

#include "tst_lanescene.moc"

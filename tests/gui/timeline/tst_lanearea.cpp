// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plainscene.h"
#include "timeline/lanearea.h"
#include "timeline/lanedrag.h"

#include <QScrollBar>
#include <QSignalSpy>

namespace tst_lanearea {

using namespace tasuki;

namespace {

using Side = LaneScene::Side;

class PlainArea : public LaneArea {
public:
    explicit PlainArea(std::size_t rows) : LaneArea(scene), scene(rows)
    {
        resize(700, 300);
        restyle();
        show();
    }
    PlainScene scene;
    int told = 0;
    int activations = 0;

private:
    void retranslate() override { setAccessibleName(QStringLiteral("plain")); }
    [[nodiscard]] QString helpText() const override { return QStringLiteral("Bars."); }
    void tellSelected() override { ++told; }
    void activated() override { ++activations; }
    bool takeKey(int key) override { return key == Qt::Key_Q; }
};

QString textOf(const TimeWindow& before, const TimeWindow& after)
{
    const double moved = static_cast<double>(after.begin - before.begin)
        / static_cast<double>(before.span);
    if (after.span != before.span)
        return after.span < before.span ? "closer" : "wider";
    return std::abs(moved) < 1e-6 ? "stays"
        : moved < -0.5            ? "page back"
        : moved < 0               ? "back"
        : moved > 0.5             ? "page on"
                                  : "on";
}

} // namespace

/// What breaks it: a key of the table in docs/window.md that does something else, or reacts to somebody
/// else's modifier.
class TestLaneArea : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysOfTime_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<QString>("becomes");
        const auto row = [](const char* name, int key, int modifiers, const char* becomes) {
            QTest::newRow(name) << key << modifiers << QString(becomes);
        };
        row("+", Qt::Key_Plus, Qt::NoModifier, "closer");
        row("=", Qt::Key_Equal, Qt::NoModifier, "closer");
        row("-", Qt::Key_Minus, Qt::NoModifier, "wider");
        row("F", Qt::Key_F, Qt::NoModifier, "wider");
        row("Ctrl+F", Qt::Key_F, Qt::ControlModifier, "stays");
        row("Ctrl+Left", Qt::Key_Left, Qt::ControlModifier, "back");
        row("Ctrl+Right", Qt::Key_Right, Qt::ControlModifier, "on");
        row("Shift+Left", Qt::Key_Left, Qt::ShiftModifier, "page back");
        row("Ctrl+Shift+Right", Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier, "page on");
        row("Home", Qt::Key_Home, Qt::NoModifier, "page back");
        row("End", Qt::Key_End, Qt::NoModifier, "page on");
        row("Left", Qt::Key_Left, Qt::NoModifier, "stays");
        row("Alt+Plus", Qt::Key_Plus, Qt::AltModifier, "stays");
        row("Q", Qt::Key_Q, Qt::NoModifier, "stays");
    }
    void keysOfTime()
    {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        PlainArea area(4);
        for (int i = 0; i < 4; ++i)
            area.zoomIn();
        const TimeWindow before = area.view().window();
        QTest::keyClick(&area, static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
        QTEST(textOf(before, area.view().window()), "becomes");
        QCOMPARE(area.told, 0);
    }

    void keysOfTheSelection()
    {
        PlainArea area(4);
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down})
            QTest::keyClick(&area, key);
        QVERIFY((area.scene.sides == std::vector{Side::Left, Side::Right, Side::Up, Side::Down}));
        QCOMPARE(area.told, 1); // there is something below alone
        QVERIFY(area.accessibleDescription().startsWith("row 1. Bars. "));
        QTest::keyClick(&area, Qt::Key_Return);
        QCOMPARE(area.activations, 1);
        QVERIFY(std::abs(area.view().xOf(PlainScene::begin) - area.view().width() / 4) < 1);
        QTest::keyClick(&area, Qt::Key_Escape);
        QCOMPARE(area.told, 2);
        QVERIFY(area.accessibleDescription().startsWith("Bars. "));
        QTest::keyClick(&area, Qt::Key_Escape);
        QTest::keyClick(&area, Qt::Key_Return);
        QCOMPARE(area.told, 2);
        QCOMPARE(area.activations, 1);
    }

    void clicksSelect()
    {
        PlainArea area(4);
        const QRect rows = area.scene.rowsRect();
        const auto at = [&](Nanoseconds time) {
            return QPoint(rows.left() + static_cast<int>(area.view().xOf(time)), rows.top() + 3);
        };
        QTest::mouseClick(area.viewport(), Qt::LeftButton, {}, at(45 * PlainScene::second));
        QVERIFY(area.scene.hasSelection());
        QTest::mouseClick(area.viewport(), Qt::LeftButton, {}, rows.topLeft() - QPoint(9, -3));
        QVERIFY(area.scene.hasSelection()); // on a label
        QTest::mouseClick(area.viewport(), Qt::LeftButton, {}, at(80 * PlainScene::second));
        QVERIFY(!area.scene.hasSelection());
        QCOMPARE(area.told, 2);
        QTest::mouseDClick(area.viewport(), Qt::LeftButton, {}, at(45 * PlainScene::second));
        QCOMPARE(area.activations, 1);
    }

    void selectionIsScrolledTo()
    {
        PlainArea area(300);
        QVERIFY(area.verticalScrollBar()->maximum() > 0);
        for (int i = 0; i < 100; ++i)
            QTest::keyClick(&area, Qt::Key_Down);
        QCOMPARE(area.scene.layout().scroll, area.verticalScrollBar()->value());
        QVERIFY(area.scene.layout().yOf(100) + area.scene.layout().rowHeight()
                <= area.scene.layout().height);
        QVERIFY(area.scene.layout().yOf(100) >= 0);
    }

    void nothingReactsWithoutRows()
    {
        PlainArea area(0);
        QSignalSpy spy(&area, &LaneArea::viewChanged);
        for (const Qt::Key key : {Qt::Key_F, Qt::Key_Plus, Qt::Key_Down, Qt::Key_Return})
            QTest::keyClick(&area, key);
        QTest::mouseClick(area.viewport(), Qt::LeftButton, {}, {300, 200});
        QCOMPARE(spy.count(), 0);
        QCOMPARE(area.told, 0);
    }

    void dragBeginsAfterSomePixels()
    {
        LaneDrag drag;
        QCOMPARE(drag.move({50, 50}), QPoint()); // not pressed
        QVERIFY(!drag.release());
        drag.press({10, 10});
        QCOMPARE(drag.move({11, 10}), QPoint());
        QVERIFY(!drag.isDragging());
        QVERIFY(drag.release()); // a click
        drag.press({10, 10});
        QCOMPARE(drag.move({110, 15}), QPoint(100, 5));
        QCOMPARE(drag.move({109, 15}), QPoint(-1, 0)); // once it drags, each pixel counts
        QVERIFY(drag.isDragging());
        QVERIFY(!drag.release());
        QVERIFY(!drag.isDragging());
    }
};

QTEST_MAIN(TestLaneArea)

} // namespace tst_lanearea

#include "tst_lanearea.moc"

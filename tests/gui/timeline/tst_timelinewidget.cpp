// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "storefeeder.h"
#include "timeline/timelinewidget.h"

#include <QApplication>
#include <QFile>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

namespace tst_timelinewidget {

using namespace tasuki;

namespace {

/// A widget on a run of 100 s: 8 ranks with attempts of 900 ms each second.
struct Fixture {
    StoreFeeder feeder;
    TimelineWidget widget;
    std::vector<AttemptKey> selected;
    std::vector<AttemptKey> activated;
    int unselected = 0;

    explicit Fixture(int ranks = 8)
    {
        for (int rank = 0; rank < ranks; ++rank)
            feeder.join(rank, 1, "node" + std::to_string(rank / 2));
        for (int second = 0; second < 100; ++second) {
            for (int rank = 0; rank < ranks; ++rank)
                feeder.add(rank, second * 1000, second * 1000 + 900);
        }
        QObject::connect(&widget, &TimelineWidget::attemptSelected, &widget,
                         [this](std::optional<AttemptKey> key) {
                             if (key)
                                 selected.push_back(*key);
                             else
                                 ++unselected;
                         });
        QObject::connect(&widget, &TimelineWidget::attemptActivated, &widget,
                         [this](AttemptKey key) { activated.push_back(key); });
        widget.resize(1100, 300);
        widget.setStore(&feeder.store);
        widget.setNow(StoreFeeder::at(100'000), true);
        widget.show();
    }

    [[nodiscard]] const TimelineView& view() const { return widget.scene().view(); }
    [[nodiscard]] QPoint pointOf(std::size_t row, double milliseconds) const
    {
        const QRect lanes = widget.scene().rowsRect();
        const double x = view().xOf(toNanoseconds(StoreFeeder::at(milliseconds)));
        return {lanes.left() + static_cast<int>(x),
                lanes.top() + widget.scene().layout().yOf(row)
                    + widget.scene().layout().rowHeight() / 2};
    }
    [[nodiscard]] double timeAt(const QPoint& point) const
    {
        return static_cast<double>(view().timeAt(point.x() - widget.scene().rowsRect().left())
                                   - toNanoseconds(StoreFeeder::at(0)))
            / 1e6;
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&widget, code, modifiers);
    }
    void wheel(const QPoint& point, int delta, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(point, widget.viewport()->mapToGlobal(QPointF(point)), {}, {0, delta},
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget.viewport(), &event);
    }
    void click(const QPoint& point)
    {
        QTest::mouseClick(widget.viewport(), Qt::LeftButton, {}, point);
    }
    void drag(const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(widget.viewport(), Qt::LeftButton, {}, from);
        const QPoint middle = (from + to) / 2;
        for (const QPoint& point : {middle, to}) {
            QMouseEvent move(QEvent::MouseMove, point, widget.viewport()->mapToGlobal(point),
                             Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(widget.viewport(), &move);
        }
        QTest::mouseRelease(widget.viewport(), Qt::LeftButton, {}, to);
    }
};

} // namespace

class TestTimelineWidget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wheelZoomsAtThePointer();
    void wheelWithShiftPans();
    void wheelScrollsRows();
    void wheelZoomsWhereRowsFit();
    void escapeAndEmptyPlacesSelectNothing();
    void returnShowsLarge();
    void descriptionTellsTheSelection();
    void dragPans();
    void panAndZoomLeaveFollowing();
    void keysResumeFollowing();
    void keysPanAndZoom();
    void clickSelects();
    void keysMoveTheSelection();
    void selectionFromOutside();
    void revealShowsWhatIsNotSeen();
    void failuresAreHitFirst();
    void rowsThatComeLater();
    void buttonsShowTheMode();
    void exportsImages();
    void canBeRead();
};

void TestTimelineWidget::wheelZoomsAtThePointer()
{
    Fixture f;
    const QPoint point = f.pointOf(2, 30'000);
    const double before = f.timeAt(point);
    const Nanoseconds span = f.view().window().span;
    for (int i = 0; i < 10; ++i)
        f.wheel(point, 120, Qt::ControlModifier);
    QVERIFY(f.view().window().span < span / 5);
    const double pixel = static_cast<double>(f.view().window().span) / f.view().width() / 1e6;
    QVERIFY(std::abs(f.timeAt(point) - before) < pixel);
    for (int i = 0; i < 10; ++i)
        f.wheel(point, -120, Qt::ControlModifier);
    QVERIFY(std::abs(f.timeAt(point) - before) < 1);
    QVERIFY(std::abs(static_cast<double>(f.view().window().span - span)) < 1000);
}

void TestTimelineWidget::wheelWithShiftPans()
{
    Fixture f;
    f.wheel(f.pointOf(0, 50'000), 600, Qt::ControlModifier);
    const TimeWindow before = f.view().window();
    f.wheel(f.pointOf(0, 50'000), -120, Qt::ShiftModifier);
    QCOMPARE(f.view().window().span, before.span);
    QVERIFY(f.view().window().begin > before.begin);
    f.wheel(f.pointOf(0, 50'000), 120, Qt::ShiftModifier);
    QVERIFY(std::abs(static_cast<double>(f.view().window().begin - before.begin)) < 10);
}

void TestTimelineWidget::wheelScrollsRows()
{
    Fixture f(100);
    QVERIFY(f.widget.verticalScrollBar()->maximum() > 0);
    const TimeWindow before = f.view().window();
    f.wheel({500, 150}, -120, Qt::NoModifier);
    QVERIFY(f.widget.scene().layout().scroll > 0);
    QCOMPARE(f.widget.scene().layout().scroll, f.widget.verticalScrollBar()->value());
    QVERIFY(f.view().window() == before);
    QVERIFY(f.widget.isFollowing());
}

void TestTimelineWidget::wheelZoomsWhereRowsFit()
{
    Fixture f;
    const QPoint point = f.pointOf(2, 30'000);
    const double before = f.timeAt(point);
    const Nanoseconds span = f.view().window().span;
    for (int i = 0; i < 5; ++i)
        f.wheel(point, 120, Qt::NoModifier);
    QVERIFY(f.view().window().span < span / 2);
    const double pixel = static_cast<double>(f.view().window().span) / f.view().width() / 1e6;
    QVERIFY(std::abs(f.timeAt(point) - before) < pixel);
}

void TestTimelineWidget::escapeAndEmptyPlacesSelectNothing()
{
    Fixture f;
    f.key(Qt::Key_Escape); // nothing is
    QCOMPARE(f.unselected, 0);
    f.click(f.pointOf(3, 50'450));
    f.key(Qt::Key_Escape);
    QCOMPARE(f.unselected, 1);
    QVERIFY(f.widget.scene().selected().empty());
    f.click(f.pointOf(3, 50'450));
    for (int i = 0; i < 15; ++i)
        f.wheel(f.pointOf(3, 50'950), 120, Qt::NoModifier);
    f.click(f.pointOf(3, 50'950)); // between two attempts
    QCOMPARE(f.unselected, 2);
    QVERIFY(!f.widget.scene().selectedTask());
}

void TestTimelineWidget::returnShowsLarge()
{
    Fixture f;
    f.click(f.pointOf(3, 50'450));
    f.key(Qt::Key_Return);
    QCOMPARE(f.activated.back().task.value(), 50U * 8 + 3);
    const double left = f.view().xOf(toNanoseconds(StoreFeeder::at(50'000)));
    const double right = f.view().xOf(toNanoseconds(StoreFeeder::at(50'900)));
    QVERIFY(left > 0 && right < f.view().width() && right - left > f.view().width() * 0.4);
    QVERIFY(!f.widget.isFollowing());
}

void TestTimelineWidget::descriptionTellsTheSelection()
{
    Fixture f;
    const QString keys = f.widget.accessibleDescription();
    QVERIFY(keys.contains("Arrow keys"));
    f.click(f.pointOf(3, 50'450));
    QVERIFY2(f.widget.accessibleDescription().startsWith("Task 403, attempt 1: succeeded, "),
             qPrintable(f.widget.accessibleDescription()));
    f.key(Qt::Key_Escape);
    QCOMPARE(f.widget.accessibleDescription(), keys);
}

void TestTimelineWidget::dragPans()
{
    Fixture f;
    f.wheel(f.pointOf(0, 50'000), 600, Qt::ControlModifier);
    const QPoint from(600, 100);
    const double time = f.timeAt(from);
    f.drag(from, {400, 100});
    const double pixel = static_cast<double>(f.view().window().span) / f.view().width() / 1e6;
    QVERIFY(std::abs(f.timeAt({400, 100}) - time) < 2 * pixel);
    QVERIFY(f.selected.empty());
}

void TestTimelineWidget::panAndZoomLeaveFollowing()
{
    Fixture f;
    QSignalSpy spy(&f.widget, &TimelineWidget::followingChanged);
    QVERIFY(f.widget.isFollowing());
    f.drag({600, 100}, {640, 100});
    QVERIFY(!f.widget.isFollowing());
    QCOMPARE(spy.count(), 1);
    const TimeWindow before = f.view().window();
    f.widget.setNow(StoreFeeder::at(120'000), true);
    QVERIFY(f.view().window() == before);
    f.key(Qt::Key_L);
    QVERIFY(f.widget.isFollowing());
    QCOMPARE(spy.count(), 2);
    f.wheel({600, 100}, 120, Qt::ControlModifier);
    QVERIFY(!f.widget.isFollowing());
    QCOMPARE(spy.count(), 3);
    QCOMPARE(spy.last().first().toBool(), false);
}

void TestTimelineWidget::keysResumeFollowing()
{
    for (const Qt::Key code : {Qt::Key_L, Qt::Key_Space}) {
        Fixture f;
        f.wheel({300, 100}, 600, Qt::ControlModifier);
        const Nanoseconds span = f.view().window().span;
        f.key(code);
        QVERIFY(f.widget.isFollowing());
        f.widget.setNow(StoreFeeder::at(130'000), true);
        const double x = f.view().xOf(toNanoseconds(StoreFeeder::at(130'000)));
        QVERIFY(std::abs(x - 0.97 * f.view().width()) < 1);
        QCOMPARE(f.view().window().span, span);
        f.key(Qt::Key_F);
        QCOMPARE(f.view().mode(), ViewMode::Fit);
        QVERIFY(f.view().xOf(toNanoseconds(StoreFeeder::at(0))) >= 0);
    }
}

void TestTimelineWidget::keysPanAndZoom()
{
    Fixture f;
    const Nanoseconds all = f.view().window().span;
    f.key(Qt::Key_Plus);
    QVERIFY(f.view().window().span < all);
    const TimeWindow zoomed = f.view().window();
    f.key(Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(f.view().window().begin > zoomed.begin);
    f.key(Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(std::abs(static_cast<double>(f.view().window().begin - zoomed.begin)) < 10);
    f.key(Qt::Key_Home);
    const double first = f.view().xOf(toNanoseconds(StoreFeeder::at(0)));
    QVERIFY(first >= 0 && first < f.view().width() / 20);
    f.key(Qt::Key_End);
    const double last = f.view().xOf(toNanoseconds(StoreFeeder::at(100'000)));
    QVERIFY(last > f.view().width() * 0.9 && last < f.view().width());
    QCOMPARE(f.view().window().span, zoomed.span);
    f.key(Qt::Key_Minus);
    QVERIFY(f.view().window().span > zoomed.span);
    f.key(Qt::Key_F, Qt::ControlModifier); // not ours
    QCOMPARE(f.view().mode(), ViewMode::Free);
}

void TestTimelineWidget::clickSelects()
{
    Fixture f;
    f.click(f.pointOf(3, 50'450));
    QCOMPARE(f.selected.size(), std::size_t(1));
    QCOMPARE(f.selected.back().task.value(), 50U * 8 + 3);
    QCOMPARE(f.widget.scene().selectedTask(), std::optional(TaskId(403)));
    QCOMPARE(f.view().mode(), ViewMode::Fit);
    f.click({20, 200}); // on a label
    QCOMPARE(f.selected.size(), std::size_t(1));
    QTest::mouseDClick(f.widget.viewport(), Qt::LeftButton, {}, f.pointOf(2, 10'450));
    QCOMPARE(f.activated.size(), std::size_t(1));
    QCOMPARE(f.activated.back().task.value(), 10U * 8 + 2);
}

void TestTimelineWidget::keysMoveTheSelection()
{
    Fixture f;
    f.click(f.pointOf(3, 50'450));
    f.key(Qt::Key_Down);
    QCOMPARE(f.selected.back().task.value(), 50U * 8 + 4);
    f.key(Qt::Key_Up);
    f.key(Qt::Key_Up);
    QCOMPARE(f.selected.back().task.value(), 50U * 8 + 2);
    f.key(Qt::Key_Right);
    QCOMPARE(f.selected.back().task.value(), 51U * 8 + 2);
    f.key(Qt::Key_Left);
    f.key(Qt::Key_Left);
    QCOMPARE(f.selected.back().task.value(), 49U * 8 + 2);
    for (int i = 0; i < 9; ++i)
        f.key(Qt::Key_Up);
    QCOMPARE(f.selected.back().task.value(), 49U * 8);
    f.key(Qt::Key_Return);
    QCOMPARE(f.activated.back().task.value(), 49U * 8);
    Fixture other;
    other.key(Qt::Key_Down); // without a selection: the first lane in sight
    QCOMPARE(other.selected.size(), std::size_t(1));
    QCOMPARE(other.selected.back().task.value() % 8, 0U);
}

void TestTimelineWidget::selectionFromOutside()
{
    Fixture f;
    f.widget.setSelected(TaskId(17));
    QVERIFY(f.selected.empty());
    QCOMPARE(f.widget.scene().selected().size(), std::size_t(1));
    QCOMPARE(f.widget.scene().selected().front().first, std::size_t(1));
    // A further attempt of the task is found as it comes.
    AttemptFinished again{.key = {TaskId(17), AttemptNumber(2)},
                          .rank = Rank(5),
                          .slot = SlotIndex(0),
                          .disposition = Disposition::Final,
                          .result = {}};
    again.result.startedAt = StoreFeeder::at(101'000);
    again.result.elapsed = std::chrono::seconds(1);
    f.feeder.apply(again);
    f.widget.refresh();
    QCOMPARE(f.widget.scene().selected().size(), std::size_t(2));
    f.widget.setSelectedAttempt({TaskId(17), AttemptNumber(1)});
    QCOMPARE(f.widget.scene().chosen()->row, std::size_t(1));
    f.widget.setSelected(std::nullopt);
    QVERIFY(f.widget.scene().selected().empty());
}

void TestTimelineWidget::revealShowsWhatIsNotSeen()
{
    Fixture f(100);
    for (int i = 0; i < 20; ++i)
        f.wheel(f.pointOf(0, 5'000), 120, Qt::ControlModifier);
    const AttemptKey key{TaskId(80 * 100 + 70), AttemptNumber(1)};
    f.widget.reveal(key.task);
    const auto attempt = f.feeder.store.attemptsOf(key.task, {}).front();
    const QRectF bar = f.widget.scene().rectOf(attempt.first, attempt.second);
    QVERIFY(QRectF(f.widget.scene().rowsRect()).contains(bar));
    f.widget.reveal(TaskId(4'000'000)); // unknown: stays
    QVERIFY(QRectF(f.widget.scene().rowsRect())
                .contains(f.widget.scene().rectOf(attempt.first, attempt.second)));
}

void TestTimelineWidget::failuresAreHitFirst()
{
    Fixture f;
    const AttemptKey failed = f.feeder.add(0, 30'950, 30'950.01, Outcome::Failed);
    f.widget.refresh();
    const QPoint point = f.pointOf(0, 30'950);
    for (int near = -1; near <= 0; ++near) {
        f.click(point + QPoint(near, 0));
        if (!f.selected.empty() && f.selected.back() == failed)
            break;
    }
    QVERIFY(f.selected.back() == failed);
    f.widget.setTaskText([](TaskId) { return QString("make <all>"); });
    QVERIFY(f.widget.scene().describe(point).contains("make &lt;all&gt;"));
    QVERIFY(f.widget.scene().describe({5, 100}).isEmpty());
    f.key(Qt::Key_Minus);
    for (int i = 0; i < 200; ++i)
        f.feeder.add(1, 40'901 + i * 0.1, 40'901 + i * 0.1 + 0.05);
    f.widget.refresh();
    QVERIFY(f.widget.scene().describe(f.pointOf(1, 40'910)).contains("attempts here"));
}

void TestTimelineWidget::rowsThatComeLater()
{
    Fixture f;
    QCOMPARE(f.widget.verticalScrollBar()->maximum(), 0);
    for (int rank = 8; rank < 200; ++rank)
        f.feeder.join(rank, 1, "late");
    f.widget.refresh();
    QVERIFY(f.widget.verticalScrollBar()->maximum() > 0);
    f.widget.verticalScrollBar()->setValue(f.widget.verticalScrollBar()->maximum());
    f.widget.grab();
    f.widget.setStore(nullptr);
    QCOMPARE(f.widget.verticalScrollBar()->maximum(), 0);
    f.widget.grab();
    f.key(Qt::Key_Down);
    f.key(Qt::Key_F);
    f.click({500, 100});
    QVERIFY(f.selected.empty());
}

void TestTimelineWidget::buttonsShowTheMode()
{
    Fixture f;
    const auto buttons = f.widget.findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    QVERIFY(buttons[0]->isChecked() && !buttons[1]->isChecked());
    QTest::mouseClick(buttons[1], Qt::LeftButton);
    QVERIFY(!buttons[0]->isChecked() && buttons[1]->isChecked());
    QCOMPARE(f.view().mode(), ViewMode::Follow);
    QTest::mouseClick(buttons[1], Qt::LeftButton); // still follows
    QVERIFY(buttons[1]->isChecked());
    f.key(Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(!buttons[0]->isChecked() && !buttons[1]->isChecked());
    QTest::mouseClick(buttons[0], Qt::LeftButton);
    QCOMPARE(f.view().mode(), ViewMode::Fit);
}

void TestTimelineWidget::exportsImages()
{
    Fixture f;
    f.feeder.add(2, 99'950, 99'951, Outcome::Failed);
    f.widget.refresh();
    const QTemporaryDir folder;
    const QString png = folder.filePath("timeline.png");
    QVERIFY(f.widget.exportImage(png).ok());
    const QImage image(png);
    QCOMPARE(image.size(), f.widget.viewport()->size() * f.widget.devicePixelRatioF());
    const QRgb bar = f.widget.scene().palette().barOf(AttemptClass::Succeeded);
    QCOMPARE(image.pixel(f.pointOf(2, 50'450)), bar);
    const QString svg = folder.filePath("timeline.SVG");
    QVERIFY(f.widget.exportImage(svg).ok());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("<svg") && text.trimmed().endsWith("</svg>"));
    QVERIFY(text.contains("rank 7"));
    const QString mark = QColor::fromRgb(f.widget.scene().palette().failureMark).name();
    QVERIFY(text.contains(mark.toUtf8()));
    const QString pdf = folder.filePath("timeline.pdf");
    QVERIFY(f.widget.exportImage(pdf).ok());
    QFile pages(pdf);
    QVERIFY(pages.open(QIODevice::ReadOnly));
    QVERIFY(pages.readAll().startsWith("%PDF"));
    const auto refused = f.widget.exportImage(folder.filePath("missing/timeline.png"));
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("missing/timeline.png") != std::string::npos);
}

void TestTimelineWidget::canBeRead()
{
    Fixture f;
    QCOMPARE(f.widget.accessibleName(), QString("Timeline"));
    QVERIFY(f.widget.accessibleDescription().contains("row"));
    const QImage light = f.widget.grab().toImage();
    QPalette dark = f.widget.palette();
    dark.setColor(QPalette::Base, QColor(20, 20, 20));
    dark.setColor(QPalette::Window, QColor(40, 40, 40));
    f.widget.setPalette(dark);
    QCOMPARE(f.widget.scene().palette().background, qRgb(20, 20, 20));
    QVERIFY(f.widget.grab().toImage() != light);
    const QImage clock = f.widget.grab().toImage();
    f.widget.setElapsedTime(true);
    QVERIFY(f.widget.grab().toImage() != clock);
}

QTEST_MAIN(TestTimelineWidget)

} // namespace tst_timelinewidget

#include "tst_timelinewidget.moc"

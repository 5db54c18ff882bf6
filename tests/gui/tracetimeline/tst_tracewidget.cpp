// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracemaker.h"
#include "tracetimeline/tracetimelinewidget.h"

#include <QApplication>
#include <QFile>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

namespace tst_tracewidget {

using namespace tasuki;

namespace {

using Kind = TraceItem::Kind;

/// A widget on eight tasks that each call MPI_Send and MPI_Recv by turns, and pass messages down.
struct Fixture {
    TraceMaker maker;
    TraceTimelineWidget widget;
    std::vector<TraceItem> selected;

    explicit Fixture(std::uint32_t tasks = 8) : maker(tasks)
    {
        for (std::uint32_t task = 0; task < tasks; ++task) {
            for (int i = 0; i < 50; ++i)
                maker.call(i % 2 == 0 ? "MPI_Send" : "MPI_Recv", task, i * 100 + 10, i * 100 + 80);
        }
        for (std::uint32_t task = 0; task + 1 < tasks; ++task)
            maker.message(task, task + 1, 2020, 2170, 1000 + task, 5);
        QObject::connect(&widget, &TraceTimelineWidget::selected, &widget,
                         [this](const TraceItem& item) { selected.push_back(item); });
        widget.resize(1100, 500);
        widget.setTimeline(std::make_shared<const plan::Timeline>(maker.timeline()),
                           maker.shared());
        widget.show();
    }

    [[nodiscard]] const TraceScene& scene() const { return widget.scene(); }
    [[nodiscard]] const TimelineView& view() const { return widget.view(); }
    [[nodiscard]] QPoint pointOf(std::uint32_t task, double us) const
    {
        const QRect rows = scene().rowsRect();
        return {rows.left() + static_cast<int>(view().xOf(toNanoseconds(us))),
                rows.top() + scene().layout().yOf(task) + scene().layout().rowHeight() / 2};
    }
    [[nodiscard]] double usAt(const QPoint& point) const
    {
        return toMicroseconds(view().timeAt(point.x() - scene().rowsRect().left()));
    }
    /// The span of call `number` of a task.
    [[nodiscard]] TraceItem call(std::uint32_t task, int number) const
    {
        return {Kind::Call, task * 50 + static_cast<std::uint32_t>(number)};
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&widget, code, modifiers);
    }
    void click(const QPoint& point)
    {
        QTest::mouseClick(widget.viewport(), Qt::LeftButton, {}, point);
    }
    void wheel(const QPoint& point, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWheelEvent event(point, widget.viewport()->mapToGlobal(QPointF(point)), {}, {0, delta},
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget.viewport(), &event);
    }
    void drag(const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(widget.viewport(), Qt::LeftButton, {}, from);
        for (const QPoint& point : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, point, widget.viewport()->mapToGlobal(point),
                             Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(widget.viewport(), &move);
        }
        QTest::mouseRelease(widget.viewport(), Qt::LeftButton, {}, to);
    }
};

/// Until what is made ready in other threads is, and that is told.
void finishPreparing()
{
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::sendPostedEvents();
}

} // namespace

class TestTraceWidget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wheelZoomsAtThePointer();
    void wheelScrollsWhereRowsDoNotFit();
    void dragAndShiftPan();
    void zoomingOutKeepsTheContent();
    void clickSelects();
    void arrowKeysGoFromCallToCall();
    void keysWithoutASelection();
    void messageKeyFollowsTheMessage();
    void keysOfTime();
    void returnShowsLarge();
    void escapeSelectsNothing();
    void selectionFromOutside();
    void selectionIsBroughtIntoSight();
    void descriptionTellsTheSelection();
    void manySpansAreMadeReadyElsewhere();
    void lateResultOfBeforeIsNotShown();
    void buttonShowsEverything();
    void focusIsSeen();
    void exportsImages();
    void rowLabelsMakeRoom();
    void followsThePalette();
};

void TestTraceWidget::wheelZoomsAtThePointer()
{
    Fixture f;
    const QPoint point = f.pointOf(2, 3000);
    const double before = f.usAt(point);
    const Nanoseconds span = f.view().window().span;
    QSignalSpy spy(&f.widget, &TraceTimelineWidget::viewChanged);
    for (const auto modifiers : {Qt::NoModifier, Qt::ControlModifier}) {
        for (int i = 0; i < 8; ++i)
            f.wheel(point, 120, modifiers);
        QVERIFY(f.view().window().span < span / 4);
        QVERIFY(std::abs(f.usAt(point) - before) < 5);
        for (int i = 0; i < 8; ++i)
            f.wheel(point, -120, modifiers);
        QVERIFY(std::abs(static_cast<double>(f.view().window().span - span)) < 1000);
    }
    QCOMPARE(spy.count(), 32);
}

void TestTraceWidget::wheelScrollsWhereRowsDoNotFit()
{
    Fixture f(200);
    QVERIFY(f.widget.verticalScrollBar()->maximum() > 0);
    const TimeWindow before = f.view().window();
    f.wheel({500, 200}, -120);
    QVERIFY(f.scene().layout().scroll > 0);
    QVERIFY(f.view().window() == before);
    f.wheel({500, 200}, 120, Qt::ControlModifier);
    QVERIFY(f.view().window().span < before.span);
}

void TestTraceWidget::dragAndShiftPan()
{
    Fixture f;
    f.wheel(f.pointOf(0, 2500), 600);
    const QPoint from(600, 200);
    const double time = f.usAt(from);
    const double pixel = toMicroseconds(f.view().window().span) / f.view().width();
    f.drag(from, {400, 200});
    QVERIFY(std::abs(f.usAt({400, 200}) - time) < 2 * pixel);
    QVERIFY(f.selected.empty());
    const TimeWindow before = f.view().window();
    f.wheel(from, -120, Qt::ShiftModifier);
    QVERIFY(f.view().window().begin > before.begin);
    QCOMPARE(f.view().window().span, before.span);
}

void TestTraceWidget::zoomingOutKeepsTheContent()
{
    Fixture f;
    for (int i = 0; i < 60; ++i)
        f.key(Qt::Key_Minus);
    const double all = f.view().xOf(toNanoseconds(5000.0)) - f.view().xOf(0);
    QVERIFY2(all > f.view().width() / 2, qPrintable(QString::number(all)));
    for (int i = 0; i < 60; ++i)
        f.key(Qt::Key_Plus);
    QCOMPARE(f.view().window().span, TimelineView::narrowest);
}

void TestTraceWidget::clickSelects()
{
    Fixture f;
    f.click(f.pointOf(3, 1050));
    QCOMPARE(f.selected.size(), std::size_t(1));
    QVERIFY(f.selected.back() == f.call(3, 10));
    QVERIFY(f.scene().selected() == f.call(3, 10));
    f.widget.setMessagesVisible(true);
    const QPointF line = f.scene().lines().arrowLine(2).center();
    f.click((line + f.scene().rowsRect().topLeft()).toPoint());
    QVERIFY(f.selected.back() == (TraceItem{Kind::Message, 2}));
    f.click({20, 200}); // a label
    QCOMPARE(f.selected.size(), std::size_t(2));
    f.click(f.pointOf(3, 1095)); // computation
    QVERIFY(f.selected.back() == TraceItem{});
}

void TestTraceWidget::arrowKeysGoFromCallToCall()
{
    Fixture f;
    f.click(f.pointOf(3, 1050));
    f.key(Qt::Key_Right);
    QVERIFY(f.selected.back() == f.call(3, 11));
    f.key(Qt::Key_Left);
    f.key(Qt::Key_Left);
    QVERIFY(f.selected.back() == f.call(3, 9));
    f.key(Qt::Key_Down);
    QVERIFY(f.selected.back() == f.call(4, 9));
    for (int i = 0; i < 9; ++i)
        f.key(Qt::Key_Up);
    QVERIFY(f.selected.back() == f.call(0, 9));
    for (int i = 0; i < 12; ++i)
        f.key(Qt::Key_Left);
    QVERIFY(f.selected.back() == f.call(0, 0));
    QCOMPARE(f.scene().selectedTask(), std::optional(0U));
}

void TestTraceWidget::keysWithoutASelection()
{
    Fixture f;
    f.key(Qt::Key_Right);
    QCOMPARE(f.selected.size(), std::size_t(1));
    QCOMPARE(f.selected.back().kind, Kind::Call);
    QCOMPARE(f.scene().selectedTask(), std::optional(0U));
    Fixture other;
    other.key(Qt::Key_Down);
    QCOMPARE(other.scene().selectedTask(), std::optional(0U));
    TraceTimelineWidget nothing;
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Up, Qt::Key_M, Qt::Key_Return, Qt::Key_F})
        QTest::keyClick(&nothing, key);
    QVERIFY(nothing.scene().selected() == TraceItem{});
}

void TestTraceWidget::messageKeyFollowsTheMessage()
{
    Fixture f;
    f.click(f.pointOf(2, 2050)); // MPI_Send, in which the message to task 3 is sent
    QVERIFY(f.selected.back() == f.call(2, 20));
    f.key(Qt::Key_M);
    QVERIFY(f.selected.back() == (TraceItem{Kind::Message, 2}));
    f.key(Qt::Key_M);
    QVERIFY(f.selected.back() == f.call(3, 21)); // MPI_Recv from 2110 to 2180
    f.key(Qt::Key_M);
    QVERIFY(f.selected.back() == (TraceItem{Kind::Message, 2}));
    f.key(Qt::Key_Left);
    QVERIFY(f.selected.back() == f.call(2, 20));
}

void TestTraceWidget::keysOfTime()
{
    Fixture f;
    f.key(Qt::Key_Plus);
    f.key(Qt::Key_Plus);
    const TimeWindow zoomed = f.view().window();
    f.key(Qt::Key_Right, Qt::ControlModifier);
    const Nanoseconds step = f.view().window().begin - zoomed.begin;
    QVERIFY(step > 0 && step < zoomed.span / 5);
    f.key(Qt::Key_Left, Qt::ControlModifier);
    f.key(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(f.view().window().begin - zoomed.begin > zoomed.span / 2);
    f.key(Qt::Key_Home);
    QVERIFY(f.view().xOf(0) >= 0 && f.view().xOf(0) < 50);
    f.key(Qt::Key_End);
    QVERIFY(std::abs(f.view().xOf(f.scene().store()->end()) - f.view().width()) < 60);
    f.key(Qt::Key_F);
    QCOMPARE(f.view().mode(), ViewMode::Fit);
    f.key(Qt::Key_Plus);
    f.key(Qt::Key_F, Qt::ControlModifier); // somebody else's
    QCOMPARE(f.view().mode(), ViewMode::Free);
}

void TestTraceWidget::returnShowsLarge()
{
    Fixture f;
    const auto isLarge = [&f](const TraceItem& item) {
        const TimeWindow time = f.scene().timeOf(item);
        const double left = f.view().xOf(time.begin);
        const double right = f.view().xOf(time.end());
        return right - left > f.view().width() * 0.4 && left > 0 && right < f.view().width();
    };
    // As near as the view gets: a call of 70 us in 140.
    f.click(f.pointOf(5, 3050));
    f.key(Qt::Key_Return);
    QVERIFY(isLarge(f.call(5, 30)));
    f.widget.showAll();
    QTest::mouseDClick(f.widget.viewport(), Qt::LeftButton, {}, f.pointOf(1, 550));
    QVERIFY(isLarge(f.call(1, 5)));
}

void TestTraceWidget::escapeSelectsNothing()
{
    Fixture f;
    f.click(f.pointOf(3, 1050));
    f.key(Qt::Key_Escape);
    QVERIFY(f.selected.back() == TraceItem{});
    QVERIFY(f.scene().selected() == TraceItem{});
    f.key(Qt::Key_Escape);
    QCOMPARE(f.selected.size(), std::size_t(2));
}

void TestTraceWidget::selectionFromOutside()
{
    Fixture f;
    const QImage before = f.widget.grab().toImage();
    f.widget.setSelected(f.call(6, 25));
    QVERIFY(f.selected.empty());
    QVERIFY(f.scene().selected() == f.call(6, 25));
    QVERIFY(f.widget.grab().toImage() != before);
    const QRectF bar = f.scene().barOf(f.call(6, 25).index);
    const QImage image = f.widget.viewport()->grab().toImage();
    QCOMPARE(image.pixel(static_cast<int>(bar.center().x()), static_cast<int>(bar.top()) - 1),
             f.scene().palette().base.selection);
    f.widget.setTimeline(nullptr, nullptr);
    QVERIFY(f.scene().selected() == TraceItem{});
    QVERIFY(f.scene().isEmpty());
}

void TestTraceWidget::selectionIsBroughtIntoSight()
{
    Fixture f(200);
    for (int i = 0; i < 12; ++i)
        f.key(Qt::Key_Plus);
    f.widget.setSelected(f.call(150, 2));
    QVERIFY(QRectF(f.scene().rowsRect()).contains(f.scene().barOf(f.call(150, 2).index)));
    f.widget.setSelected(f.call(3, 48));
    QVERIFY(QRectF(f.scene().rowsRect()).contains(f.scene().barOf(f.call(3, 48).index)));
}

void TestTraceWidget::descriptionTellsTheSelection()
{
    Fixture f;
    f.widget.setTitle("lu.alog");
    QVERIFY(f.widget.accessibleName().contains("lu.alog"));
    const QString keys = f.widget.accessibleDescription();
    QVERIFY(keys.contains("Arrow keys"));
    f.widget.setSelected(f.call(3, 10));
    QVERIFY2(f.widget.accessibleDescription().startsWith("MPI_Send, task 3"),
             qPrintable(f.widget.accessibleDescription()));
    f.key(Qt::Key_Escape);
    QCOMPARE(f.widget.accessibleDescription(), keys);
}

void TestTraceWidget::manySpansAreMadeReadyElsewhere()
{
    TraceMaker maker(2);
    for (int i = 0; i < 60'000; ++i)
        maker.call("MPI_Send", 0, i * 10, i * 10 + 5);
    Fixture f;
    const auto before = f.scene().store();
    QSignalSpy spy(&f.widget, &TraceTimelineWidget::ready);
    f.widget.setTimeline(std::make_shared<const plan::Timeline>(maker.timeline()), maker.shared());
    QCOMPARE(f.scene().store(), before); // not yet
    QCOMPARE(spy.count(), 0);
    QVERIFY(spy.wait(20'000));
    QCOMPARE(f.scene().store()->timeline().spans.size(), std::size_t(60'000));
    QCOMPARE(f.view().mode(), ViewMode::Fit);
}

void TestTraceWidget::lateResultOfBeforeIsNotShown()
{
    TraceMaker large(2);
    for (int i = 0; i < 60'000; ++i)
        large.call("MPI_Send", 0, i * 10, i * 10 + 5);
    const auto many = std::make_shared<const plan::Timeline>(large.timeline());
    Fixture f;
    QSignalSpy spy(&f.widget, &TraceTimelineWidget::ready);
    f.widget.setTimeline(many, large.shared());
    const auto few = std::make_shared<const plan::Timeline>(f.maker.timeline());
    f.widget.setTimeline(few, f.maker.shared());
    QCOMPARE(spy.count(), 1);
    finishPreparing();
    QCOMPARE(spy.count(), 1);
    QCOMPARE(&f.scene().store()->timeline(), few.get());
    // And a widget that goes away meanwhile is not missed.
    auto gone = std::make_unique<TraceTimelineWidget>();
    gone->setTimeline(many, large.shared());
    gone.reset();
    finishPreparing();
}

void TestTraceWidget::buttonShowsEverything()
{
    Fixture f;
    auto* button = f.widget.findChild<QToolButton*>();
    QVERIFY(button != nullptr && button->isVisible());
    f.key(Qt::Key_Plus);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(f.view().mode(), ViewMode::Fit);
    f.widget.setTimeline(nullptr, nullptr);
    QVERIFY(!button->isVisible());
}

void TestTraceWidget::focusIsSeen()
{
    Fixture f;
    QWidget other;
    f.widget.setFocus();
    f.widget.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&f.widget));
    const QImage with = f.widget.viewport()->grab().toImage();
    const QRgb frame = f.widget.palette().color(QPalette::Highlight).rgb();
    QCOMPARE(with.pixel(0, 250), frame);
    f.widget.clearFocus();
    QVERIFY(f.widget.viewport()->grab().toImage().pixel(0, 250) != frame);
}

void TestTraceWidget::exportsImages()
{
    Fixture f;
    f.widget.setTitle("Predicted");
    f.widget.setRowLabels({"grid00", "grid01"});
    const QTemporaryDir folder;
    const QString png = folder.filePath("timeline.png");
    QVERIFY(f.widget.exportImage(png).ok());
    const QImage image(png);
    QCOMPARE(image.size(), f.widget.viewport()->size() * f.widget.devicePixelRatioF());
    const QRgb send = f.scene().palette().fill[TraceCategories::ofFamily(CallFamily::Send, false)];
    QCOMPARE(image.pixel(f.pointOf(2, 2050)), send);
    const QString svg = folder.filePath("timeline.SVG");
    QVERIFY(f.widget.exportImage(svg).ok());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("<svg") && text.trimmed().endsWith("</svg>"));
    for (const char* word : {"task 7", "grid01", "Predicted", "Computation"})
        QVERIFY2(text.contains(word), word);
    QVERIFY(text.contains(QColor::fromRgb(send).name().toUtf8()));
    const QString pdf = folder.filePath("timeline.pdf");
    QVERIFY(f.widget.exportImage(pdf).ok());
    QFile pages(pdf);
    QVERIFY(pages.open(QIODevice::ReadOnly));
    QVERIFY(pages.readAll().startsWith("%PDF"));
    const auto refused = f.widget.exportImage(folder.filePath("missing/timeline.png"));
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("missing/timeline.png") != std::string::npos);
}

void TestTraceWidget::rowLabelsMakeRoom()
{
    Fixture f;
    const int before = f.scene().rowsRect().left();
    f.widget.setRowLabels({"a-node-with-a-long-name", "b"});
    QVERIFY(f.scene().rowsRect().left() > before);
    QCOMPARE(f.view().width(), static_cast<double>(f.scene().rowsRect().width()));
    QVERIFY(f.scene().describe(f.pointOf(0, 1050)).contains("a-node-with-a-long-name"));
}

void TestTraceWidget::followsThePalette()
{
    Fixture f;
    const QImage light = f.widget.grab().toImage();
    QPalette dark = f.widget.palette();
    dark.setColor(QPalette::Base, QColor(20, 20, 20));
    dark.setColor(QPalette::Window, QColor(40, 40, 40));
    f.widget.setPalette(dark);
    QCOMPARE(f.scene().palette().base.background, qRgb(20, 20, 20));
    QVERIFY(f.widget.grab().toImage() != light);
}

QTEST_MAIN(TestTraceWidget)

} // namespace tst_tracewidget

#include "tst_tracewidget.moc"

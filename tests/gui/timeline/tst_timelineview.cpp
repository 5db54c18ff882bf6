// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "timeline/timelineview.h"

#include <cmath>
#include <random>

namespace tst_timelineview {

using namespace tasuki;

namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds base = 1'700'000'000 * second;

TimelineView viewOf(Nanoseconds length, double width = 1000)
{
    TimelineView view;
    view.setWidth(width);
    view.setContent(base, base + length);
    return view;
}

} // namespace

class TestTimelineView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beginsWithEverything();
    void everythingGrows();
    void emptyAndTinyContents();
    void pixelsAndTimesAgree();
    void zoomKeepsTheTimeUnderTheCursor();
    void zoomHasLimits();
    void zoomOutOfTheLongest();
    void panLeavesFollowing();
    void panKeepsContentInSight();
    void followKeepsTheSpan();
    void homeAndEnd();
    void revealMovesOnlyWhatIsNotSeen();
    void enlargeGivesHalfOfTheWidth();
    void whatIsWiderDoesNotJump();
    void centreZoomsInButNeverOut();
};

void TestTimelineView::beginsWithEverything()
{
    const TimelineView view = viewOf(100 * second);
    QCOMPARE(view.mode(), ViewMode::Fit);
    QVERIFY(std::abs(view.xOf(base) - 10) < 0.1);
    QVERIFY(std::abs(view.xOf(base + 100 * second) - 970) < 0.1);
}

void TestTimelineView::everythingGrows()
{
    TimelineView view = viewOf(100 * second);
    view.setContent(base, base + 200 * second);
    QVERIFY(view.follows());
    QVERIFY(std::abs(view.xOf(base + 200 * second) - 970) < 0.1);
    QVERIFY(std::abs(view.xOf(base) - 10) < 0.1);
}

void TestTimelineView::emptyAndTinyContents()
{
    TimelineView view;
    view.setWidth(0);
    QVERIFY(view.width() >= 1);
    QVERIFY(view.window().span > 0);
    view = viewOf(0);
    QVERIFY(view.window().span >= second);
    QVERIFY(view.xOf(base) >= 0 && view.xOf(base) < 20);
    view = viewOf(5000);
    QVERIFY(view.window().span >= TimelineView::narrowest);
    view.setContent(base, base - second);
    QVERIFY(view.window().span > 0);
    view.zoom(0.5, 500);
    view.pan(1e9);
    QVERIFY(view.window().span > 0);
}

void TestTimelineView::pixelsAndTimesAgree()
{
    TimelineView view = viewOf(3600 * second, 1777);
    for (const double factor : {1.0, 0.01, 0.01, 0.01, 0.01}) {
        view.zoom(factor, 300);
        for (double x = 0; x < 1777; x += 13.5) {
            const double pixel = static_cast<double>(view.window().span) / 1777;
            QVERIFY(std::abs(view.xOf(view.timeAt(x)) - x) <= std::max(1 / pixel, 1e-6) + 1e-6);
        }
    }
}

void TestTimelineView::zoomKeepsTheTimeUnderTheCursor()
{
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        TimelineView view = viewOf(100'000 * second);
        for (int i = 0; i < 40; ++i) {
            const double x = random() % 1000;
            const double factor = random() % 3 == 0 ? 1.25 : 0.6;
            const Nanoseconds before = view.timeAt(x);
            const Nanoseconds spanBefore = view.window().span;
            view.zoom(factor, x);
            // Zooming out, or into nothing, gives way where no content would be left to see.
            if (factor > 1 || before < base || before > base + 100'000 * second)
                continue;
            const double moved = view.xOf(before) - x;
            QVERIFY2(std::abs(moved) < 0.05, qPrintable(QString::number(moved)));
            QVERIFY(view.window().span < spanBefore || spanBefore == TimelineView::narrowest);
        }
        QCOMPARE(view.mode(), ViewMode::Free);
    }
}

void TestTimelineView::zoomHasLimits()
{
    TimelineView view = viewOf(100 * second);
    view.zoom(1e-12, 500);
    QCOMPARE(view.window().span, TimelineView::narrowest);
    view.zoom(1e30, 500);
    QCOMPARE(view.window().span, 160 * second);
    QVERIFY(view.xOf(base) < 1000 && view.xOf(base + 100 * second) > 0);
}

/// What is longest, from the first to the last time that the timeline has, is shown and left without
/// an overflow.
void TestTimelineView::zoomOutOfTheLongest()
{
    TimelineView view;
    view.setWidth(1000);
    const Nanoseconds end = latestMicrosecond * nanosecondsPerMicrosecond;
    view.setContent(0, end);
    view.zoom(1e30, 0);
    view.pan(1e6);
    QVERIFY(view.window().end() > view.window().begin && view.window().end() > end);
    view.pan(-1e7);
    QVERIFY(view.window().begin < 0 && view.window().end() > 0);
    view.setContent(base, end);
    view.zoom(1e30, 1000);
    QVERIFY(view.window().span > 0 && view.window().end() > view.window().begin);
}

void TestTimelineView::panLeavesFollowing()
{
    TimelineView view = viewOf(100 * second);
    view.follow();
    QCOMPARE(view.mode(), ViewMode::Follow);
    const TimeWindow before = view.window();
    view.pan(-100);
    QCOMPARE(view.mode(), ViewMode::Free);
    QCOMPARE(view.window().span, before.span);
    QVERIFY(std::abs(static_cast<double>(before.begin - view.window().begin)
                     - static_cast<double>(before.span) / 10)
            < 2);
    const TimeWindow moved = view.window();
    view.setContent(base, base + 500 * second);
    QVERIFY(view.window() == moved);
    view.follow();
    QVERIFY(std::abs(view.xOf(base + 500 * second) - 970) < 0.1);
}

void TestTimelineView::panKeepsContentInSight()
{
    TimelineView view = viewOf(100 * second);
    view.zoom(0.1, 500);
    view.pan(1e7);
    QVERIFY(view.xOf(base + 100 * second) > 50);
    view.pan(-1e7);
    QVERIFY(view.xOf(base) < 950);
    QVERIFY(view.xOf(base) > 850);
}

void TestTimelineView::followKeepsTheSpan()
{
    TimelineView view = viewOf(100 * second);
    view.zoom(0.01, 0);
    view.follow();
    const Nanoseconds span = view.window().span;
    for (int i = 1; i < 5; ++i) {
        view.setContent(base, base + (100 + i) * second);
        QCOMPARE(view.window().span, span);
        QVERIFY(std::abs(view.xOf(base + (100 + i) * second) - 970) < 0.1);
    }
    view.setWidth(500);
    QCOMPARE(view.window().span, span);
    QVERIFY(std::abs(view.xOf(base + 104 * second) - 485) < 0.1);
    view.zoom(0.9, 250);
    QVERIFY(!view.follows());
    view.showAll();
    QCOMPARE(view.mode(), ViewMode::Fit);
}

void TestTimelineView::homeAndEnd()
{
    TimelineView view = viewOf(100 * second);
    view.zoom(0.1, 400);
    const Nanoseconds span = view.window().span;
    view.showFirst();
    QVERIFY(std::abs(view.xOf(base) - 10) < 0.1);
    QVERIFY(!view.follows());
    view.showLast();
    QVERIFY(std::abs(view.xOf(base + 100 * second) - 970) < 0.1);
    QVERIFY(!view.follows());
    QCOMPARE(view.window().span, span);
}

void TestTimelineView::revealMovesOnlyWhatIsNotSeen()
{
    TimelineView view = viewOf(100 * second);
    const TimeWindow all = view.window();
    view.reveal(base + 5 * second, base + 6 * second);
    QVERIFY(view.window() == all);
    QCOMPARE(view.mode(), ViewMode::Fit);
    view.zoom(0.05, 0);
    const Nanoseconds span = view.window().span;
    view.reveal(base + 50 * second, base + 51 * second);
    QCOMPARE(view.window().span, span);
    QVERIFY(std::abs(view.xOf(base + 50 * second + second / 2) - 500) < 0.1);
    view.reveal(base + 10 * second, base + 40 * second);
    QVERIFY(view.xOf(base + 10 * second) >= 0);
    QVERIFY(view.xOf(base + 40 * second) <= 1000);
    QVERIFY(view.window().span < 60 * second);
}

void TestTimelineView::enlargeGivesHalfOfTheWidth()
{
    TimelineView view = viewOf(1000 * second);
    view.enlarge(base + 400 * second, base + 410 * second);
    QCOMPARE(view.mode(), ViewMode::Free);
    QVERIFY(std::abs(view.xOf(base + 400 * second) - 250) < 0.1);
    QVERIFY(std::abs(view.xOf(base + 410 * second) - 750) < 0.1);
    view.enlarge(base + 500 * second, base + 500 * second);
    QCOMPARE(view.window().span, TimelineView::narrowest);
    QVERIFY(std::abs(view.xOf(base + 500 * second) - 500) < 1);
}

void TestTimelineView::whatIsWiderDoesNotJump()
{
    TimelineView view = viewOf(100 * second);
    view.zoom(1, 500);
    const Nanoseconds span = view.window().span;
    view.setContent(base, base + 10 * second);
    view.zoom(2, 500);
    QCOMPARE(view.window().span, span);
    view.zoom(0.9, 500);
    QVERIFY(view.window().span < span && view.window().span > 80 * second);
}

void TestTimelineView::centreZoomsInButNeverOut()
{
    TimelineView view = viewOf(1000 * second);
    view.centre(base + 400 * second, 60 * second);
    QCOMPARE(view.mode(), ViewMode::Free);
    QCOMPARE(view.window().span, 60 * second);
    QVERIFY(std::abs(view.xOf(base + 400 * second) - 500) < 0.1);
    view.zoom(0.1, 500);
    view.centre(base + 700 * second, 60 * second);
    QCOMPARE(view.window().span, 6 * second);
    QVERIFY(std::abs(view.xOf(base + 700 * second) - 500) < 0.1);
}

QTEST_APPLESS_MAIN(TestTimelineView)

} // namespace tst_timelineview

#include "tst_timelineview.moc"

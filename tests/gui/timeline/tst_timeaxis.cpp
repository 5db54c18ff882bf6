// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "timeline/timeaxis.h"

#include <cmath>

namespace tst_timeaxis {

using namespace tasuki;

namespace {

constexpr Nanoseconds microsecond = 1'000;
constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds hour = 3600 * second;
constexpr Nanoseconds day = 24 * hour;
/// 2023-11-15 00:00 UTC
constexpr Nanoseconds midnight = 1'700'006'400 * second;

Nanoseconds utc(Nanoseconds) { return 0; }

/// Labels by characters of 7 pixels and a gap.
double labelWidth(const TickStep& step)
{
    return 7.0 * static_cast<double>(std::max<std::size_t>(clockLabel(0, step).size(), 6)) + 20;
}

std::vector<std::string> labels(const TimeWindow& window, const AxisClock& clock = utc)
{
    const TickStep step = chooseStep(window, 1000, labelWidth);
    std::vector<std::string> texts;
    for (const AxisTick& tick : ticksOf(window, step, clock)) {
        if (tick.major)
            texts.push_back(clockLabel(tick.local, step));
    }
    return texts;
}

} // namespace

class TestTimeAxis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readableAtEveryZoom();
    void roundTimes();
    void timeZones();
    void clocksThatArePutForward();
    void elapsedTime();
    void senselessWindows();
};

void TestTimeAxis::readableAtEveryZoom()
{
    for (Nanoseconds span = 10 * microsecond; span < 3000 * day; span += span / 7) {
        const TimeWindow window{midnight + 12'345'678'901, span};
        const TickStep step = chooseStep(window, 1000, labelWidth);
        const auto ticks = ticksOf(window, step, utc);
        std::vector<Nanoseconds> major;
        for (const AxisTick& tick : ticks) {
            QVERIFY(tick.time >= window.begin && tick.time < window.end());
            if (tick.major)
                major.push_back(tick.time);
        }
        QVERIFY2(major.size() >= 2, qPrintable(QString::number(span)));
        const double spacing = static_cast<double>(major[1] - major[0]) / static_cast<double>(span)
            * 1000;
        QVERIFY(spacing >= labelWidth(step));
        QVERIFY(ticks.size() < 200);
        // Neighbours read differently.
        if (step.unit != TickUnit::Days)
            QVERIFY(clockLabel(major[0], step) != clockLabel(major[1], step));
    }
}

void TestTimeAxis::roundTimes()
{
    using Texts = std::vector<std::string>;
    const auto first = [](Texts texts) {
        texts.resize(std::min<std::size_t>(texts.size(), 3));
        return texts;
    };
    QVERIFY(first(labels({midnight + 8 * hour - 1, 10 * second}))
            == (Texts{"08:00:00", "08:00:01", "08:00:02"}));
    QVERIFY(first(labels({midnight + 8 * hour - second, 8 * hour}))
            == (Texts{"08:00", "08:30", "09:00"}));
    QVERIFY(first(labels({midnight + 5 * second - 1, 1000 * microsecond}))
            == (Texts{"00:00:05.0000", "00:00:05.0002", "00:00:05.0004"}));
    QVERIFY(first(labels({midnight - 1, 100 * microsecond}))
            == (Texts{"00:00:00.00000", "00:00:00.00002", "00:00:00.00004"}));
    QVERIFY(first(labels({midnight - hour, 8 * 60 * second}))
            == (Texts{"23:00", "23:01", "23:02"}));
}

void TestTimeAxis::timeZones()
{
    const AxisClock india = [](Nanoseconds) { return 5 * hour + hour / 2; };
    const TimeWindow window{midnight, 10 * day};
    const TickStep step = chooseStep(window, 1000, labelWidth);
    QCOMPARE(step.unit, TickUnit::Days);
    const auto ticks = ticksOf(window, step, india);
    const auto major = std::find_if(ticks.begin(), ticks.end(),
                                    [](const AxisTick& tick) { return tick.major; });
    QVERIFY(major != ticks.end());
    QCOMPARE(major->time, midnight + 18 * hour + hour / 2);
    QCOMPARE(major->local % day, Nanoseconds(0));
}

void TestTimeAxis::clocksThatArePutForward()
{
    // At 01:00 UTC of the second day clocks go from one hour ahead to two.
    const Nanoseconds change = midnight + day + hour;
    const AxisClock clock = [](Nanoseconds time) { return time < change ? hour : 2 * hour; };
    const TimeWindow window{midnight - 2 * hour, 4 * day};
    const TickStep step{day, 6 * hour, TickUnit::Days, 0};
    std::vector<Nanoseconds> midnights;
    for (const AxisTick& tick : ticksOf(window, step, clock)) {
        if (tick.major)
            midnights.push_back(tick.time - midnight);
    }
    QVERIFY(
        (midnights
         == std::vector<Nanoseconds>{-hour, day - hour, 2 * day - 2 * hour, 3 * day - 2 * hour}));
}

void TestTimeAxis::elapsedTime()
{
    const TickStep seconds{second, second, TickUnit::Seconds, 0};
    const TickStep minutes{60 * second, 60 * second, TickUnit::Minutes, 0};
    const TickStep thousandths{second / 1000, second / 1000, TickUnit::Fractions, 3};
    const TickStep days{day, day, TickUnit::Days, 0};
    QCOMPARE(elapsedLabel(0, seconds), std::string("0:00:00"));
    QCOMPARE(elapsedLabel(3 * hour + 65 * second, seconds), std::string("3:01:05"));
    QCOMPARE(elapsedLabel(2 * day + 3 * hour, minutes), std::string("2d 3:00"));
    QCOMPARE(elapsedLabel(65 * second + second / 8, thousandths), std::string("0:01:05.125"));
    QCOMPARE(elapsedLabel(hour + second / 8, thousandths), std::string("1:00:00.125"));
    QCOMPARE(elapsedLabel(-7 * second, seconds), std::string("\u22120:00:07"));
    QCOMPARE(elapsedLabel(12 * day, days), std::string("12d"));
    const Nanoseconds start = midnight + 1234;
    const TimeWindow window{start - second, 10 * second};
    const auto ticks = ticksOf(window, seconds, [](Nanoseconds) { return -start; });
    QCOMPARE(ticks.size(), std::size_t(10));
    QCOMPARE(ticks[1].time, start);
    QCOMPARE(ticks[1].local, Nanoseconds(0));
    QCOMPARE(ticks[0].local, -second);
}

void TestTimeAxis::senselessWindows()
{
    const TickStep finest{microsecond, 200, TickUnit::Fractions, 6};
    QVERIFY(ticksOf({0, 100 * day}, finest, utc).size() <= 2000);
    QVERIFY(ticksOf({midnight, 1}, finest, utc).size() <= 1);
    const TickStep step = chooseStep({0, 4'000'000'000 * second}, 10, labelWidth);
    QCOMPARE(step.unit, TickUnit::Days);
}

QTEST_APPLESS_MAIN(TestTimeAxis)

} // namespace tst_timeaxis

#include "tst_timeaxis.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/clockline.h"

#include <vector>

namespace tst_clockline {

using namespace tasuki::tracer;

/// Offsets between clocks. What breaks it: an offset of the wrong sign, an error that does not hold the
/// truth, a drift that is left out.
class TestClockLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noSamplesNoOffset();
    void quickestTripDecides();
    void truthIsWithinTheError();
    void ownClockStaysAsItIs();
    void driftIsInterpolated();
    void shortRunsHaveNoDrift();
    void betterEndOfAShortRunCounts();
    void orderIsKept();
};

void TestClockLine::noSamplesNoOffset() { QVERIFY(!estimateOffset({}).has_value()); }

void TestClockLine::quickestTripDecides()
{
    const std::vector<ClockSample> samples{
        {.sentNs = 0, .remoteNs = 90'000, .receivedNs = 100'000},
        {.sentNs = 200'000, .remoteNs = 251'000, .receivedNs = 202'001},
        {.sentNs = 300'000, .remoteNs = 0, .receivedNs = 310'000},
    };
    // The middle of 200,000 and 202,001, against 251,000.
    QCOMPARE(estimateOffset(samples),
             (ClockOffset{.atNs = 251'000, .offsetNs = 50'000, .errorNs = 1001}));
}

void TestClockLine::truthIsWithinTheError()
{
    // The other clock is 5,000,000 ahead; the way there takes anything from none to all of the trip.
    for (const std::int64_t there : {0, 1, 300, 999, 1000}) {
        const std::vector<ClockSample> samples{
            {.sentNs = 70, .remoteNs = 5'000'070 + there, .receivedNs = 1070}};
        const ClockOffset offset = estimateOffset(samples).value();
        QVERIFY(std::abs(offset.offsetNs - 5'000'000) <= offset.errorNs);
        QCOMPARE(offset.errorNs, 500);
    }
}

void TestClockLine::ownClockStaysAsItIs()
{
    const ClockLine own;
    QCOMPARE(own.toCommon(1'234'567'890'123), 1'234'567'890'123);
    QCOMPARE(own.errorNs(), 0);
}

void TestClockLine::driftIsInterpolated()
{
    // 1,000 behind at first, 3,000 ahead a second later: 4 millionths too quick.
    const ClockLine line{{.atNs = 1'000'000'000, .offsetNs = -1000, .errorNs = 20},
                         {.atNs = 2'000'000'000, .offsetNs = 3000, .errorNs = 50}};
    QCOMPARE(line.toCommon(1'000'000'000), 1'000'001'000);
    QCOMPARE(line.toCommon(1'500'000'000), 1'499'999'000);
    QCOMPARE(line.toCommon(2'000'000'000), 1'999'997'000);
    // And beyond, where the program began and ended.
    QCOMPARE(line.toCommon(500'000'000), 500'003'000);
    QCOMPARE(line.toCommon(3'000'000'000), 2'999'993'000);
    QCOMPARE(line.errorNs(), 50);
    QCOMPARE(line.offsetNs(), -1000);
    QCOMPARE(line.driftNsPerSecond(), 4000.0);
}

void TestClockLine::shortRunsHaveNoDrift()
{
    // What differs is the error of the measurements.
    const ClockLine line{{.atNs = 1'000'000, .offsetNs = 500, .errorNs = 400},
                         {.atNs = 1'100'000, .offsetNs = 900, .errorNs = 500}};
    QCOMPARE(line.driftNsPerSecond(), 0.0);
    QCOMPARE(line.toCommon(9'000'000'000), 8'999'999'500);
}

void TestClockLine::betterEndOfAShortRunCounts()
{
    const ClockLine line{{.atNs = 1'000'000, .offsetNs = 500, .errorNs = 400},
                         {.atNs = 1'100'000, .offsetNs = 900, .errorNs = 30}};
    QCOMPARE(line.toCommon(1'000'000), 999'100);
}

void TestClockLine::orderIsKept()
{
    const ClockLine line{{.atNs = 0, .offsetNs = 0, .errorNs = 0},
                         {.atNs = 1'000'000'000, .offsetNs = 200'000, .errorNs = 0}};
    std::int64_t before = line.toCommon(-1);
    for (std::int64_t at = 0; at < 20'000; ++at) {
        const std::int64_t now = line.toCommon(at);
        QVERIFY(now >= before);
        before = now;
    }
}

QTEST_APPLESS_MAIN(TestClockLine)

} // namespace tst_clockline

#include "tst_clockline.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/burstfit.h"
#include "probe/linkfit.h"

#include <QTest>
#include <array>
#include <cmath>
#include <random>

namespace tst_linkfit {

using namespace tasuki::probe;

namespace {

bool near(double actual, double expected, double tolerance)
{
    return std::abs(actual - expected) <= tolerance;
}

/// The sizes of a probe.
std::vector<double> sizes()
{
    std::vector<double> all;
    for (int bytes = 0; bytes <= 1000; bytes += 25)
        all.push_back(bytes);
    for (int bytes = 2048; bytes <= 1 << 20; bytes *= 2)
        all.push_back(bytes);
    return all;
}

std::vector<Timing> line(double a0, double a1)
{
    std::vector<Timing> timings;
    for (const double bytes : sizes())
        timings.push_back({bytes, a0 + a1 * bytes});
    return timings;
}

} // namespace

class TestLinkFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void studentFactors();
    void medians();
    void medianIntervalsCover();
    void byHand();
    void byHandWithWeights();
    void findsAnExactLine_data();
    void findsAnExactLine();
    void largeSizesTellA1AndSmallOnesA0();
    void intervalsCover_data();
    void intervalsCover();
    void neverNegative();
    void bends();
    void bursts_data();
    void bursts();
    void noBurst();
};

// Fails if the tails or the degrees of freedom are mixed up: figures of any table.
void TestLinkFit::studentFactors()
{
    QVERIFY(near(studentFactor(1), 12.7062, 1e-4));
    QVERIFY(near(studentFactor(2), 4.30265, 1e-5));
    QVERIFY(near(studentFactor(10), 2.22814, 1e-5));
    QVERIFY(near(studentFactor(1'000'000), 1.95997, 1e-5));
}

void TestLinkFit::medians()
{
    QCOMPARE(median({3, 1, 2}), 2.0);
    QCOMPARE(median({4, 1, 2, 3}), 2.5);
    QCOMPARE(median({7}), 7.0);
    // 9 samples: one may be left out at either end (P(X <= 1) = 0.0195), two may not (0.0898).
    const Figure nine = medianFigure({90, 10, 20, 80, 30, 70, 40, 60, 50});
    QCOMPARE(nine.value, 50.0);
    QCOMPARE(nine.half, 30.0);
    // 5 cannot give 95 %: the whole range.
    const Figure five = medianFigure({5, 1, 2, 3, 9});
    QCOMPARE(five.value, 3.0);
    QCOMPARE(five.half, 4.0);
    QCOMPARE(medianFigure({2}).half, 0.0);
}

// Fails if the interval is too narrow or much too wide, for times with a long tail.
void TestLinkFit::medianIntervalsCover()
{
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> times(0.0, 0.1);
    int covered = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> samples(25);
        for (double& sample : samples)
            sample = times(random);
        const Figure figure = medianFigure(samples);
        covered += std::abs(figure.value - 1.0) <= figure.half ? 1 : 0;
    }
    QVERIFY2(covered > trials * 0.93 && covered < trials * 0.985,
             qPrintable(QString::number(covered)));
}

// (0, 1), (1, 3), (2, 5.5): a1 = 4.5 / 2, a0 = 19/6 - 2.25, squares left 1/24 of 61/6.
void TestLinkFit::byHand()
{
    const std::array<Timing, 3> timings{Timing{0, 1}, Timing{1, 3}, Timing{2, 5.5}};
    const std::array<double, 3> weights{1, 1, 1};
    const LinkFit fit = fitLine(timings, weights);
    QVERIFY(near(fit.a1UsPerByte.value, 2.25, 1e-12));
    QVERIFY(near(fit.a0Us.value, 11.0 / 12.0, 1e-12));
    QVERIFY(near(fit.rSquared, 1 - (1.0 / 24.0) / (61.0 / 6.0), 1e-12));
    // One degree of freedom: s^2 = 1/24, s(a1)^2 = s^2 / 2, s(a0)^2 = s^2 (1/3 + 1/2).
    QVERIFY(near(fit.a1UsPerByte.half, 12.7062 * std::sqrt(1.0 / 48.0), 1e-4));
    QVERIFY(near(fit.a0Us.half, 12.7062 * std::sqrt(5.0 / 144.0), 1e-4));
}

// (0, 0), (1, 2), (2, 2) with the middle one twice: a1 = 1, a0 = 0.5, squares left 1 of 3.
void TestLinkFit::byHandWithWeights()
{
    const std::array<Timing, 3> timings{Timing{0, 0}, Timing{1, 2}, Timing{2, 2}};
    const std::array<double, 3> weights{1, 2, 1};
    const LinkFit fit = fitLine(timings, weights);
    QVERIFY(near(fit.a1UsPerByte.value, 1.0, 1e-12));
    QVERIFY(near(fit.a0Us.value, 0.5, 1e-12));
    QVERIFY(near(fit.rSquared, 2.0 / 3.0, 1e-12));
    QVERIFY(near(fit.a1UsPerByte.half, 12.7062 / std::sqrt(2.0), 1e-4));
    QVERIFY(near(fit.a0Us.half, 12.7062 * std::sqrt(0.75), 1e-4));
}

void TestLinkFit::findsAnExactLine_data()
{
    QTest::addColumn<double>("a0");
    QTest::addColumn<double>("a1");
    QTest::newRow("shared memory") << 0.3 << 1e-4;
    QTest::newRow("ethernet") << 60.0 << 0.08;
    QTest::newRow("slow ethernet") << 120.0 << 0.8;
    QTest::newRow("far") << 20'000.0 << 8.0;
    QTest::newRow("no size") << 5.0 << 0.0;
    QTest::newRow("no start") << 0.0 << 0.5;
}

void TestLinkFit::findsAnExactLine()
{
    QFETCH(double, a0);
    QFETCH(double, a1);
    std::vector<Timing> timings = line(a0, a1);
    if (a0 == 0.0)
        timings.erase(timings.begin()); // a message takes some time
    const LinkFit fit = fitLink(timings);
    QVERIFY(near(fit.a0Us.value, a0, 1e-9 * (a0 + a1)));
    QVERIFY(near(fit.a1UsPerByte.value, a1, 1e-9 * (a0 + a1)));
    QVERIFY(!fit.bent && std::abs(fit.worstDeviation) < 1e-6);
}

// Fails if the fit is that of equal weights, in which 3 % more at a MiB would move a0 by thousands.
void TestLinkFit::largeSizesTellA1AndSmallOnesA0()
{
    std::vector<Timing> timings = line(60, 0.08);
    timings.back().us *= 1.03;
    const LinkFit high = fitLink(timings);
    QVERIFY2(near(high.a0Us.value, 60, 0.5), qPrintable(QString::number(high.a0Us.value)));
    QVERIFY2(near(high.a1UsPerByte.value, 0.08, 0.0008),
             qPrintable(QString::number(high.a1UsPerByte.value)));
    timings = line(60, 0.08);
    timings.front().us *= 1.03;
    const LinkFit low = fitLink(timings);
    QVERIFY(near(low.a1UsPerByte.value, 0.08, 0.0004));
    QVERIFY(near(low.a0Us.value, 60, 0.3));
}

// A figure that cannot become negative is not symmetric about 0: none of those.
void TestLinkFit::intervalsCover_data()
{
    QTest::addColumn<double>("a0");
    QTest::addColumn<double>("a1");
    QTest::newRow("shared memory") << 0.3 << 1e-4;
    QTest::newRow("ethernet") << 60.0 << 0.08;
    QTest::newRow("far") << 20'000.0 << 8.0;
}

// Fails if the intervals hold the true figures more rarely, or more often, than in 95 of 100 cases.
void TestLinkFit::intervalsCover()
{
    QFETCH(double, a0);
    QFETCH(double, a1);
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(1.0, 0.02);
    constexpr int trials = 2000;
    int a0Covered = 0;
    int a1Covered = 0;
    double sum = 0.0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<Timing> timings = line(a0, a1);
        for (Timing& timing : timings)
            timing.us *= noise(random);
        const LinkFit fit = fitLink(timings);
        a0Covered += std::abs(fit.a0Us.value - a0) <= fit.a0Us.half ? 1 : 0;
        a1Covered += std::abs(fit.a1UsPerByte.value - a1) <= fit.a1UsPerByte.half ? 1 : 0;
        sum += fit.a1UsPerByte.value;
    }
    const QString told = QString("%1 and %2 of %3").arg(a0Covered).arg(a1Covered).arg(trials);
    QVERIFY2(a0Covered > trials * 0.93 && a0Covered < trials * 0.97, qPrintable(told));
    QVERIFY2(a1Covered > trials * 0.93 && a1Covered < trials * 0.97, qPrintable(told));
    // Weights of the timings themselves would make it smaller by the square of the noise.
    QVERIFY(near(sum / trials, a1, a1 * 0.0005));
}

void TestLinkFit::neverNegative()
{
    const std::array<Timing, 4> falling{Timing{0, 12}, Timing{100, 11}, Timing{200, 10},
                                        Timing{300, 9}};
    const LinkFit flat = fitLink(falling);
    QCOMPARE(flat.a1UsPerByte.value, 0.0);
    QVERIFY2(flat.a0Us.value > 9 && flat.a0Us.value < 12,
             qPrintable(QString::number(flat.a0Us.value)));
    const std::array<Timing, 4> steep{Timing{10, 1}, Timing{20, 4}, Timing{30, 9}, Timing{40, 16}};
    const LinkFit through = fitLink(steep);
    QCOMPARE(through.a0Us.value, 0.0);
    QVERIFY(through.a1UsPerByte.value > 0.1 && through.a1UsPerByte.value < 0.4);
}

// Fails if a change of protocol, which makes all large messages cost more, goes unnoticed, or if
// noise is taken for one.
void TestLinkFit::bends()
{
    std::vector<Timing> timings = line(1, 1e-4);
    for (Timing& timing : timings)
        timing.us += timing.bytes >= 4096 ? 2.0 : 0.0;
    const LinkFit bent = fitLink(timings);
    QVERIFY(bent.bent);
    QCOMPARE(bent.worstBytes, 4096.0);
    QVERIFY(bent.worstDeviation > 0.5);

    std::mt19937_64 random(3);
    std::normal_distribution<double> noise(1.0, 0.1);
    int taken = 0;
    for (int trial = 0; trial < 300; ++trial) {
        timings = line(60, 0.08);
        for (Timing& timing : timings)
            timing.us *= noise(random);
        taken += fitLink(timings).bent ? 1 : 0;
    }
    QVERIFY2(taken <= 6, qPrintable(QString::number(taken)));
}

void TestLinkFit::bursts_data()
{
    QTest::addColumn<double>("a0");
    QTest::addColumn<double>("a1");
    QTest::addColumn<double>("burst");
    QTest::newRow("100 Mbit/s") << 24.0 << 0.084 << 1600.0;
    QTest::newRow("25 Mbit/s") << 40.0 << 0.335 << 1500.0;
    QTest::newRow("cloud") << 150.0 << 0.02 << 60'000.0;
}

// Messages that go to and fro over a link with a token bucket, with noise: the bucket is told from
// the link.
void TestLinkFit::bursts()
{
    QFETCH(double, a0);
    QFETCH(double, a1);
    QFETCH(double, burst);
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(1.0, 0.01);
    std::vector<Timing> timings;
    for (const double bytes : sizes()) {
        const BurstLaw law{.a0Us = {a0}, .a1UsPerByte = {a1}, .burstBytes = burst};
        timings.push_back({bytes, law.timeUs(bytes) * noise(random)});
    }
    const LinkFit fit = fitLink(timings);
    QVERIFY2(near(fit.a0Us.value, a0, 0.02 * a0), qPrintable(QString::number(fit.a0Us.value)));
    QVERIFY2(near(fit.a1UsPerByte.value, a1, 0.02 * a1),
             qPrintable(QString::number(fit.a1UsPerByte.value)));
    QVERIFY2(near(fit.burstBytes, burst, 0.15 * burst),
             qPrintable(QString::number(fit.burstBytes)));
    QVERIFY(near(fit.a1UsPerByte.value, a1, 3 * fit.a1UsPerByte.half));
    QVERIFY(fit.rSquared > 0.9);
}

// A line with noise is none, nor is a link whose large messages cost more.
void TestLinkFit::noBurst()
{
    std::mt19937_64 random(6);
    std::normal_distribution<double> noise(1.0, 0.05);
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<Timing> timings = line(60, 0.08);
        for (Timing& timing : timings)
            timing.us *= noise(random);
        QCOMPARE(fitLink(timings).burstBytes, 0.0);
    }
    std::vector<Timing> timings = line(1, 1e-4);
    for (Timing& timing : timings)
        timing.us += timing.bytes >= 4096 ? 2.0 : 0.0;
    QCOMPARE(fitLink(timings).burstBytes, 0.0);
    QVERIFY(!fitBurst(std::array<Timing, 3>{Timing{0, 1}, Timing{100, 2}, Timing{200, 3}}));
}

QTEST_APPLESS_MAIN(TestLinkFit)

} // namespace tst_linkfit

#include "tst_linkfit.moc"

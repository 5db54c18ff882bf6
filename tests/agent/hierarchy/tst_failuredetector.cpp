// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/failuredetector.h"

#include <random>

namespace tst_failuredetector {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

const ProcessorId one(1);
const ProcessorId two(2);
constexpr Thresholds thresholds{.suspect = 300ms, .lost = 1s, .stuck = 10s};

SteadyTime at(std::chrono::nanoseconds time) { return SteadyTime{} + 100s + time; }

using Sightings = std::vector<Sighting>;

} // namespace

class TestFailureDetector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thresholdsToTheNanosecond();
    void silentAtOnceIsLateFirst();
    void backIsSaidOnce();
    void backAfterSilence();
    void ownLatenessLengthensBoth();
    void atMostToTwoSeconds();
    void aLongerThresholdStaysAsItIs();
    void aStallIsExcusedWhole();
    void stallsAreExcusedUpToTenSeconds();
    void fromWhenOnLatenessIsAStall();
    void whatWasHeardSinceIsNotExcused();
    void stuck();
    void stuckIsNotSaidOfTheLate();
    void watchAndUnwatch();
    void olderNewsDoNotMakeYounger();
    void excuseAll();
    void beginAnew();
    void standing();
    void watchingIsNoSignOfLife();
    void nothingIsToBeSaidBeforeTheNextSign();
};

// Fails if who looks at the next sign only sees something later than who looks all the time.
void TestFailureDetector::nothingIsToBeSaidBeforeTheNextSign()
{
    FailureDetector detector(thresholds);
    QCOMPARE(detector.nextSign(), SteadyTime::max());
    std::mt19937 random(7);
    detector.watch(one, at(0ns));
    detector.watch(two, at(0ns));
    SteadyTime now = at(0ns);
    std::size_t said = 0;
    for (int step = 0; step < 2000; ++step) {
        now += std::chrono::milliseconds(random() % 400);
        const ProcessorId who = random() % 2 == 0 ? one : two;
        switch (random() % 8) {
        case 0: detector.wasLate(std::chrono::milliseconds(random() % 50)); break;
        case 1: now += 2s; break;
        case 2: detector.hearProgress(who, random() % 3, now); break;
        default: detector.hear(who, now);
        }
        const SteadyTime next = detector.nextSign();
        if (next > now)
            QCOMPARE(detector.look(next), Sightings{});
        if (next == SteadyTime::max())
            continue; // both are silent
        now = std::max(now, next + 1ns);
        const Sightings sightings = detector.look(now);
        QVERIFY(!sightings.empty());
        said += sightings.size();
    }
    QVERIFY(said > 2000);
}

// Fails if who is watched by a new master counts as back before it has been heard.
void TestFailureDetector::watchingIsNoSignOfLife()
{
    FailureDetector detector(thresholds);
    QVERIFY(!detector.hasShownLife(one));
    detector.watch(one, at(0ns));
    detector.excuseAll(at(10ms));
    QVERIFY(!detector.hasShownLife(one));
    detector.hear(two, at(20ms));
    QVERIFY(!detector.hasShownLife(two));
    detector.hear(one, at(20ms));
    QVERIFY(detector.hasShownLife(one));
    detector.unwatch(one);
    detector.watch(one, at(30ms));
    QVERIFY(!detector.hasShownLife(one));
}

void TestFailureDetector::thresholdsToTheNanosecond()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    QCOMPARE(detector.look(at(300ms)), Sightings{});
    QCOMPARE(detector.look(at(300ms + 1ns)), (Sightings{{one, Sign::Late, 300ms + 1ns}}));
    QVERIFY(detector.late(one));
    QCOMPARE(detector.look(at(1s)), Sightings{});
    QCOMPARE(detector.look(at(1s + 1ns)), (Sightings{{one, Sign::Silent, 1s + 1ns}}));
    QCOMPARE(detector.look(at(5s)), Sightings{});
}

void TestFailureDetector::silentAtOnceIsLateFirst()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    QCOMPARE(detector.look(at(3s)), (Sightings{{one, Sign::Late, 3s}, {one, Sign::Silent, 3s}}));
}

void TestFailureDetector::backIsSaidOnce()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    QCOMPARE(detector.look(at(400ms)).size(), std::size_t(1));
    detector.hear(one, at(450ms));
    detector.hear(one, at(455ms));
    QVERIFY(!detector.late(one));
    QCOMPARE(detector.look(at(460ms)), (Sightings{{one, Sign::Back, 5ms}}));
    QCOMPARE(detector.look(at(470ms)), Sightings{});
    QCOMPARE(detector.look(at(755ms + 1ns)), (Sightings{{one, Sign::Late, 300ms + 1ns}}));
}

void TestFailureDetector::backAfterSilence()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    QCOMPARE(detector.look(at(2s)).size(), std::size_t(2));
    detector.hear(one, at(2s));
    QCOMPARE(detector.look(at(2s)), (Sightings{{one, Sign::Back, 0ns}}));
}

void TestFailureDetector::ownLatenessLengthensBoth()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    detector.wasLate(200ms);
    QCOMPARE(detector.allowance(), std::chrono::nanoseconds(200ms));
    QCOMPARE(detector.look(at(500ms)), Sightings{});
    QCOMPARE(detector.look(at(500ms + 1ns)), (Sightings{{one, Sign::Late, 500ms + 1ns}}));
    QCOMPARE(detector.look(at(1200ms)), Sightings{});
    QCOMPARE(detector.look(at(1200ms + 1ns)), (Sightings{{one, Sign::Silent, 1200ms + 1ns}}));
}

void TestFailureDetector::atMostToTwoSeconds()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    for (int i = 0; i < 50; ++i)
        detector.wasLate(100ms);
    QCOMPARE(detector.allowance(), std::chrono::nanoseconds(1s));
    QCOMPARE(detector.look(at(2s)), Sightings{});
    QCOMPARE(detector.look(at(2s + 1ns)),
             (Sightings{{one, Sign::Late, 2s + 1ns}, {one, Sign::Silent, 2s + 1ns}}));
}

void TestFailureDetector::aLongerThresholdStaysAsItIs()
{
    FailureDetector detector({.suspect = 1s, .lost = 5s, .stuck = 10s});
    detector.watch(one, at(0ns));
    for (int i = 0; i < 300; ++i)
        detector.wasLate(100ms); // each time for a short time
    QCOMPARE(detector.allowance(), 0ns);
    QCOMPARE(detector.look(at(2s)), Sightings{});
    QCOMPARE(detector.look(at(5s)), (Sightings{{one, Sign::Late, 5s}}));
    QCOMPARE(detector.look(at(5s + 1ns)), (Sightings{{one, Sign::Silent, 5s + 1ns}}));
}

// Fails if a stall counts as the silence of others as soon as it is longer than the thresholds may be.
void TestFailureDetector::aStallIsExcusedWhole()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    detector.wasLate(4s);
    detector.wasLate(299ms); // short lateness is counted beside it
    QCOMPARE(detector.allowance(), std::chrono::nanoseconds(4299ms));
    QCOMPARE(detector.look(at(4599ms)), Sightings{});
    QCOMPARE(detector.look(at(4599ms + 1ns)), (Sightings{{one, Sign::Late, 4599ms + 1ns}}));
    QCOMPARE(detector.look(at(5299ms)), Sightings{});
    QCOMPARE(detector.look(at(5299ms + 1ns)), (Sightings{{one, Sign::Silent, 5299ms + 1ns}}));
}

void TestFailureDetector::stallsAreExcusedUpToTenSeconds()
{
    for (const int stalls : {1, 3}) {
        FailureDetector detector(thresholds);
        detector.watch(one, at(0ns));
        for (int i = 0; i < stalls; ++i)
            detector.wasLate(30s / stalls);
        QCOMPARE(detector.allowance(), std::chrono::nanoseconds(10s));
        QCOMPARE(detector.look(at(11s)), (Sightings{{one, Sign::Late, 11s}}));
        QCOMPARE(detector.look(at(11s + 1ns)), (Sightings{{one, Sign::Silent, 11s + 1ns}}));
    }
}

void TestFailureDetector::fromWhenOnLatenessIsAStall()
{
    for (const auto late : {300ms, 299ms}) {
        FailureDetector detector(thresholds);
        detector.watch(one, at(0ns));
        for (int i = 0; i < 10; ++i)
            detector.wasLate(late);
        QCOMPARE(detector.allowance(),
                 std::chrono::nanoseconds(late == 300ms ? std::chrono::milliseconds(3s) : 1s));
    }
}

void TestFailureDetector::whatWasHeardSinceIsNotExcused()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    detector.watch(two, at(0ns));
    detector.wasLate(200ms);
    detector.hear(two, at(200ms));
    QCOMPARE(detector.look(at(500ms + 1ns)),
             (Sightings{{one, Sign::Late, 500ms + 1ns}, {two, Sign::Late, 300ms + 1ns}}));
    // What counts is who is silent longest.
    QCOMPARE(detector.allowance(), std::chrono::nanoseconds(200ms));
    detector.unwatch(one);
    QCOMPARE(detector.allowance(), 0ns);
}

void TestFailureDetector::stuck()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    detector.hearProgress(one, 7, at(1s));
    detector.hearProgress(one, 7, at(5s));
    detector.hear(one, at(11s));
    QCOMPARE(detector.look(at(11s)), Sightings{});
    QCOMPARE(detector.look(at(11s + 1ns)), (Sightings{{one, Sign::Stuck, 10s + 1ns}}));
    QCOMPARE(detector.look(at(11s + 2ns)), Sightings{});
    detector.hearProgress(one, 8, at(11s + 3ns));
    detector.hear(one, at(21s + 4ns));
    QCOMPARE(detector.look(at(21s + 4ns)), (Sightings{{one, Sign::Stuck, 10s + 1ns}}));
}

void TestFailureDetector::stuckIsNotSaidOfTheLate()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    detector.hear(one, at(9900ms));
    const Sightings seen = detector.look(at(10300ms));
    QCOMPARE(seen, (Sightings{{one, Sign::Late, 400ms}}));
}

void TestFailureDetector::watchAndUnwatch()
{
    FailureDetector detector(thresholds);
    detector.hear(one, at(0ns)); // nobody asks
    QVERIFY(!detector.watches(one) && !detector.late(one));
    detector.watch(one, at(0ns));
    detector.watch(one, at(200ms)); // once more changes nothing
    QCOMPARE(detector.heard(one), at(0ns));
    QCOMPARE(detector.look(at(301ms)).size(), std::size_t(1));
    detector.unwatch(one);
    QVERIFY(!detector.watches(one) && !detector.late(one));
    QCOMPARE(detector.look(at(5s)), Sightings{});
    detector.wasLate(1s); // before it is watched again: no excuse
    detector.watch(one, at(5s));
    QCOMPARE(detector.look(at(5300ms + 1ns)), (Sightings{{one, Sign::Late, 300ms + 1ns}}));
}

void TestFailureDetector::olderNewsDoNotMakeYounger()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(100ms));
    detector.hear(one, at(50ms));
    QCOMPARE(detector.heard(one), at(100ms));
}

void TestFailureDetector::excuseAll()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    detector.setThresholds({.suspect = 30ms, .lost = 100ms, .stuck = 10s});
    detector.excuseAll(at(200ms));
    QCOMPARE(detector.look(at(230ms)), Sightings{});
    QCOMPARE(detector.look(at(230ms + 1ns)), (Sightings{{one, Sign::Late, 30ms + 1ns}}));
}

void TestFailureDetector::beginAnew()
{
    FailureDetector detector(thresholds);
    detector.watch(one, at(0ns));
    detector.look(at(1001ms));
    QCOMPARE(detector.standing(one), std::optional(Sign::Silent));
    detector.beginAnew(at(2s));
    QCOMPARE(detector.standing(one), std::nullopt);
    QCOMPARE(detector.look(at(2300ms)), Sightings{}); // it was not heard: it is not back
    QCOMPARE(detector.look(at(2300ms + 1ns)), (Sightings{{one, Sign::Late, 300ms + 1ns}}));
    // Nor is it known that its main loop stood still.
    detector.beginAnew(at(9s));
    detector.hear(one, at(18900ms));
    QCOMPARE(detector.look(at(19s)), Sightings{});
    detector.hear(one, at(19s));
    QCOMPARE(detector.look(at(19s + 1ns)), (Sightings{{one, Sign::Stuck, 10s + 1ns}}));
}

void TestFailureDetector::standing()
{
    FailureDetector detector(thresholds);
    QCOMPARE(detector.standing(one), std::nullopt);
    detector.watch(one, at(0ns));
    QCOMPARE(detector.standing(one), std::nullopt);
    detector.look(at(301ms));
    QCOMPARE(detector.standing(one), std::optional(Sign::Late));
    detector.look(at(1001ms));
    QCOMPARE(detector.standing(one), std::optional(Sign::Silent));
    // How its main loop was while it was silent nobody has heard.
    detector.hear(one, at(11s));
    detector.look(at(11s));
    QCOMPARE(detector.standing(one), std::nullopt);
    detector.hear(one, at(21s));
    detector.look(at(21s));
    QCOMPARE(detector.standing(one), std::nullopt);
    detector.hear(one, at(21s + 1ns));
    detector.look(at(21s + 1ns));
    QCOMPARE(detector.standing(one), std::optional(Sign::Stuck));
}

QTEST_APPLESS_MAIN(TestFailureDetector)

} // namespace tst_failuredetector

#include "tst_failuredetector.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "reactor/backoff.h"

namespace tst_backoff {

using namespace tasuki;
using namespace std::chrono_literals;

class BackoffTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pollsAtOnceAfterTraffic();
    void growsToTheLongestNap();
    void napsLongerOnceIdle();
    void idleNapsHaveALimit();
    void trafficStartsOver();
    void napsStayShortWhileTrafficIsExpected();
    void totalOfIdleWakeUpsIsSmall();
};

void BackoffTest::pollsAtOnceAfterTraffic()
{
    const SteadyTime start{};
    Backoff backoff({}, start);
    QVERIFY(backoff.next(true, start + 1s) == 0ns);
    QVERIFY(backoff.next(false, start + 1s + 49us) == 0ns);
    QVERIFY(backoff.next(false, start + 1s + 50us) == 1ms);
}

void BackoffTest::growsToTheLongestNap()
{
    const SteadyTime start{};
    Backoff backoff({}, start);
    QVERIFY(backoff.next(false, start + 4ms) == 1ms);
    QVERIFY(backoff.next(false, start + 8ms) == 2ms);
    QVERIFY(backoff.next(false, start + 20ms) == 2ms);
    QVERIFY(backoff.next(false, start + 21ms) == 2ms);
    QVERIFY(backoff.next(false, start + 500ms) == 2ms);
}

void BackoffTest::napsLongerOnceIdle()
{
    const SteadyTime start{};
    Backoff backoff({}, start);
    QVERIFY(backoff.next(false, start + 2500ms) == 10ms);
    QVERIFY(backoff.next(false, start + 5s) == 20ms);
    QVERIFY(backoff.next(false, start + 12500ms) == 50ms);
    QVERIFY(backoff.next(false, start + 500s) == 50ms);
}

void BackoffTest::idleNapsHaveALimit()
{
    const SteadyTime start{};
    Backoff backoff({.longestIdleNap = 20ms}, start);
    QVERIFY(backoff.next(false, start + 500s) == 20ms);
    Backoff hasty({.longestIdleNap = 1ms}, start);
    QVERIFY(hasty.next(false, start + 500s) == 2ms);
}

void BackoffTest::trafficStartsOver()
{
    const SteadyTime start{};
    Backoff backoff({}, start);
    QVERIFY(backoff.next(false, start + 10s) == 40ms);
    QVERIFY(backoff.next(true, start + 10s) == 0ns);
    QVERIFY(backoff.next(false, start + 10s + 100us) == 1ms);
}

void BackoffTest::napsStayShortWhileTrafficIsExpected()
{
    const SteadyTime start{};
    Backoff backoff({}, start);
    QVERIFY(backoff.next(false, start + 10s) == 40ms);
    backoff.expect(start + 10s + 50ms);
    backoff.expect(start + 10s); // shortens nothing
    QVERIFY(backoff.next(false, start + 10s) == 500us);
    QVERIFY(backoff.next(false, start + 10s + 49ms) == 500us);
    QVERIFY(backoff.next(false, start + 10s + 50ms) > 40ms); // and nothing stays of it
    QVERIFY(backoff.next(true, start + 11s) == 0ns);
}

void BackoffTest::totalOfIdleWakeUpsIsSmall()
{
    const SteadyTime start{};
    Backoff backoff({}, start);
    int wakeUps = 0;
    for (SteadyTime now = start + 15s; now < start + 16s; ++wakeUps)
        now += std::max<std::chrono::nanoseconds>(backoff.next(false, now), 1us);
    QVERIFY2(wakeUps <= 20, std::to_string(wakeUps).c_str());
}

QTEST_APPLESS_MAIN(BackoffTest)

} // namespace tst_backoff

#include "tst_backoff.moc"

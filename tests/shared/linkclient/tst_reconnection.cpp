// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkclient/lifesigns.h"
#include "linkclient/reconnection.h"

namespace tst_reconnection {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

SteadyTime at(std::chrono::milliseconds time) { return SteadyTime(time); }

} // namespace

/// What breaks it: tries that come too often or never; a silence that is not noticed, or one that is the
/// window's own; reading that does not stop, or does not go on.
class TestReconnection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void triesBecomeRarer()
    {
        Reconnection again(AgentTiming{.firstDelay = 100ms, .longestDelay = 350ms});
        QVERIFY(!again.nextTry());
        again.lost(at(0ms));
        for (const auto delay : {100ms, 200ms, 350ms, 350ms})
            QCOMPARE(again.wait(at(1s), 0.5), delay);
        QCOMPARE(again.failures(), 4U);
        QCOMPARE(again.nextTry(), std::optional(at(1350ms)));
        again.trying();
        QVERIFY(!again.nextTry());
        again.reached();
        again.lost(at(2s));
        QCOMPARE(again.wait(at(2s), 0.5), 100ms);
    }

    void looksBecomeRarerToo()
    {
        Reconnection again(AgentTiming{.look = 100ms, .firstLook = 30ms, .succession = 60s});
        QCOMPARE(again.lookPause(), 100ms);
        again.lost(at(10s));
        QCOMPARE(again.lookPause(), 30ms);
        QCOMPARE(again.nextLookPause(), 60ms);
        QCOMPARE(again.nextLookPause(), 100ms);
        QCOMPARE(again.nextLookPause(), 100ms);
        again.wait(at(10s), 0.5);
        again.lost(at(50s)); // a try that led nowhere
        QCOMPARE(again.lookPause(), 100ms);
        QVERIFY(again.mayBeSucceeded(at(69s)));
        QVERIFY(!again.mayBeSucceeded(at(71s)));
    }

    void silence()
    {
        LifeSigns signs(100ms, 250ms);
        signs.begin(at(0ms));
        QVERIFY(signs.beat(at(100ms), true));
        QVERIFY(signs.beat(at(200ms), true));
        QVERIFY(!signs.beat(at(300ms), true));
        signs.heard(at(310ms));
        QVERIFY(signs.beat(at(400ms), true));
        QVERIFY(signs.beat(at(10s), true));       // the window itself stood still
        QVERIFY(signs.beat(at(10'100ms), false)); // it does not read
        QVERIFY(signs.beat(at(10'200ms), false));
        QVERIFY(signs.beat(at(10'300ms), false));
        QVERIFY(signs.beat(at(10'400ms), true));
        QCOMPARE(signs.nextPing(), std::uint64_t(1));
        QCOMPARE(signs.nextPing(), std::uint64_t(2));
    }

    void delaysGrow()
    {
        QCOMPARE(retryDelay(1, 250ms, 10s, 0.5), 250ms);
        QCOMPARE(retryDelay(2, 250ms, 10s, 0.5), 500ms);
        QCOMPARE(retryDelay(5, 250ms, 10s, 0.5), 4s);
        QCOMPARE(retryDelay(7, 250ms, 10s, 0.5), 10s);
        QCOMPARE(retryDelay(4'000'000'000U, 250ms, 10s, 1.0), 10s);
        QCOMPARE(retryDelay(3, 200ms, 10s, 0.0), 600ms);
        QCOMPARE(retryDelay(3, 200ms, 10s, 1.0), 1000ms);
    }
};

QTEST_APPLESS_MAIN(TestReconnection)

} // namespace tst_reconnection

#include "tst_reconnection.moc"

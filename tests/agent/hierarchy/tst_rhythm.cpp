// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/rhythm.h"

namespace tst_rhythm {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

/// For how long an old rhythm counts.
class TestRhythm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unchanged()
    {
        const Rhythm rhythm(100ms);
        QVERIFY(rhythm.interval() == 100ms);
        QVERIFY(rhythm.longest(m_start, 30) == 100ms && rhythm.shortest(m_start, 30) == 100ms);
    }

    void faster()
    {
        Rhythm rhythm(100ms);
        rhythm.change(20ms, m_start, 30);
        QVERIFY(rhythm.interval() == 20ms);
        QVERIFY(rhythm.longest(m_start + 3s, 30) == 100ms);
        QVERIFY(rhythm.longest(m_start + 3s, 25) == 20ms); // who gives up does so before
        QVERIFY(rhythm.longest(m_start + 3s + 1ns, 30) == 20ms);
        QVERIFY(rhythm.shortest(m_start, 30) == 20ms);
    }

    void slower()
    {
        Rhythm rhythm(100ms);
        rhythm.change(1s, m_start, 30);
        QVERIFY(rhythm.shortest(m_start + 30s, 30) == 100ms);
        QVERIFY(rhythm.shortest(m_start + 30s + 1ns, 30) == 1s);
        QVERIFY(rhythm.longest(m_start, 30) == 1s);
    }

    // By which others wait who do not know it yet: nobody may live longer, and need not end sooner.
    void former()
    {
        Rhythm rhythm(100ms);
        QVERIFY(rhythm.former(m_start, 30) == 100ms);
        rhythm.change(20ms, m_start, 30);
        QVERIFY(rhythm.former(m_start + 1s, 30) == 100ms);
        QVERIFY(rhythm.former(m_start + 4s, 30) == 20ms);
        rhythm.change(200ms, m_start + 5s, 30);
        QVERIFY(rhythm.former(m_start + 6s, 30) == 20ms);
        rhythm.change(100ms, m_start + 7s, 30);
        QVERIFY(rhythm.former(m_start + 8s, 30) == 20ms);
    }

    void twiceInARow()
    {
        Rhythm rhythm(1s);
        rhythm.change(100ms, m_start, 30);
        rhythm.change(200ms, m_start + 1s, 30);
        QVERIFY(rhythm.longest(m_start + 31s, 30) == 1s);
        QVERIFY(rhythm.shortest(m_start + 31s, 30) == 100ms);
        QVERIFY(rhythm.longest(m_start + 32s, 30) == 200ms);
        rhythm.change(200ms, m_start + 40s, 30); // no change: nothing begins anew
        QVERIFY(rhythm.longest(m_start + 40s, 30) == 200ms);
        rhythm.change(300ms, m_start + 50s, 30); // what was long ago is over
        QVERIFY(rhythm.longest(m_start + 51s, 30) == 300ms);
    }

private:
    const SteadyTime m_start = SteadyTime{} + 1000s;
};

QTEST_APPLESS_MAIN(TestRhythm)

} // namespace tst_rhythm

#include "tst_rhythm.moc"

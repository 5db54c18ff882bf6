// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "membership/actingword.h"

namespace tst_actingword {

using namespace std::chrono_literals;
using namespace tasuki;

class TestActingWord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsUntilTheMembershipIsStopped();
};

void TestActingWord::holdsUntilTheMembershipIsStopped()
{
    SteadyTime now{100s};
    ActingWord word;
    QVERIFY(word.holds(now));
    for (int beat = 0; beat < 20; ++beat) {
        word.say(true, now, 100ms);
        QVERIFY(word.holds(now));
        now += 100ms;
        QVERIFY(word.holds(now));
    }
    now += 400ms;
    QVERIFY(word.holds(now - 100ms));
    QVERIFY(!word.holds(now + 1ms)); // it stood still, and may have lost its place
    word.say(false, now, 100ms);
    QVERIFY(!word.holds(now));
    word.say(true, now, 100ms);
    QVERIFY(word.holds(now));
}

QTEST_APPLESS_MAIN(TestActingWord)

} // namespace tst_actingword

#include "tst_actingword.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farm/holdqueue.h"

#include <vector>

namespace tst_holdqueue {

using tasuki::farm::HoldQueue;

namespace {

struct Bench {
    void say(int word)
    {
        queue.take([this, word] { heard.push_back(word); });
    }

    HoldQueue queue;
    std::vector<int> heard;
};

using Words = std::vector<int>;

} // namespace

/// What breaks it: a word that is lost, taken twice, out of order, or while it is held.
class TestHoldQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesAtOnceWhatIsNotHeld()
    {
        Bench bench;
        QVERIFY(!bench.queue.held());
        bench.say(1);
        QCOMPARE(bench.heard, Words{1});
        bench.queue.hold(false);
        QCOMPARE(bench.heard, Words{1});
    }

    void takesInOrderWhatWasHeld()
    {
        Bench bench;
        bench.queue.hold(true);
        QVERIFY(bench.queue.held());
        bench.say(1);
        bench.say(2);
        bench.queue.hold(true);
        QCOMPARE(bench.heard, Words{});
        bench.queue.hold(false);
        bench.say(3);
        QCOMPARE(bench.heard, (Words{1, 2, 3}));
    }

    void canBeginHeld()
    {
        HoldQueue queue(true);
        int taken = 0;
        queue.take([&taken] { ++taken; });
        QCOMPARE(taken, 0);
        queue.hold(false);
        QCOMPARE(taken, 1);
    }

    void forgetsWhatIsCleared()
    {
        Bench bench;
        bench.queue.hold(true);
        bench.say(1);
        bench.queue.clear();
        bench.say(2);
        bench.queue.hold(false);
        QCOMPARE(bench.heard, Words{2});
    }

    void isHeldAgainByWhatItTakes()
    {
        Bench bench;
        bench.queue.hold(true);
        bench.queue.take([&bench] { bench.queue.hold(true); });
        bench.say(2);
        bench.queue.hold(false);
        QVERIFY(bench.queue.held());
        QCOMPARE(bench.heard, Words{});
        bench.queue.hold(false);
        QCOMPARE(bench.heard, Words{2});
    }

    void isClearedByWhatItTakes()
    {
        Bench bench;
        bench.queue.hold(true);
        bench.queue.take([&bench] { bench.queue.clear(); });
        bench.say(2);
        bench.queue.hold(false);
        QCOMPARE(bench.heard, Words{});
    }
};

QTEST_APPLESS_MAIN(TestHoldQueue)

} // namespace tst_holdqueue

#include "tst_holdqueue.moc"

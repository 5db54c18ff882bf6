// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "partsfixture.h"

namespace tst_successor {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

BeatReply leaseOf(std::uint32_t leader)
{
    return {.stamp = Stamp{.leader = ProcessorId(leader), .when = 1}};
}

} // namespace

/// Whom a processor takes for the system master, and whom for unreachable.
class TestSuccessor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstThatIsNotUnreachableIsSystemMaster()
    {
        Parts parts(4);
        QCOMPARE(parts->succession.newTop(parts.now()), std::optional(ProcessorId(0)));
        QVERIFY(!parts->succession.newTop(parts.now())); // no news
        parts->succession.takeForUnreachable(ProcessorId(0), parts.now());
        QCOMPARE(parts->succession.first(), std::optional(ProcessorId(1)));
        QVERIFY(parts->succession.putBack(ProcessorId(0)));
        QCOMPARE(parts->succession.first(), std::optional(ProcessorId(0)));
        QVERIFY(!parts->succession.putBack(ProcessorId(0)));
    }

    void silenceOnTheOwnHostLastsTenBeats()
    {
        Parts parts(4);
        static_cast<void>(parts->succession.newTop(parts.now()));
        parts.clock.advance(1s);
        QVERIFY(!parts->succession.isSilent(parts.now()));
        parts.clock.advance(1ms);
        QVERIFY(parts->succession.isSilent(parts.now()));
        parts->succession.noteLateness(200ms, parts.now()); // it was late itself
        QVERIFY(!parts->succession.isSilent(parts.now()));
    }

    void aLeaseOfALaterOneDoesNotSayThatTheTopLives()
    {
        Parts parts(5);
        static_cast<void>(parts->succession.newTop(parts.now()));
        const SteadyTime before = parts->succession.topLease();
        parts.clock.advance(500ms);
        parts->succession.takeTopLease(leaseOf(4), parts.now());
        QCOMPARE(parts->succession.topLease(), before);
        parts->succession.takeTopLease(leaseOf(0), parts.now());
        QCOMPARE(parts->succession.topLease(), parts.now());
    }

    void thoseOfAHostThatIsCutOffAreUnreachableTogether()
    {
        Parts parts(4, {0, 1, 2, 3});
        static_cast<void>(parts->succession.newTop(parts.now()));
        parts.clock.advance(5s);
        QCOMPARE(parts->succession.takeElsewhereForUnreachable(ProcessorId(0), parts.now()),
                 processors({})); // nobody else is before it
        QCOMPARE(parts->succession.doubtful(),
                 (Unreachable{ProcessorId(0), ProcessorId(1), ProcessorId(2), ProcessorId(3)}));
        // One that answers is back, with those that come after it.
        QVERIFY(parts->succession.putBack(ProcessorId(1)));
        QCOMPARE(parts->succession.unreachable(), (Unreachable{ProcessorId(0)}));
    }

    void whoIsDoubtfulComesBackByWhatItSaysToHear()
    {
        Parts parts(4, {0, 1, 2, 3});
        static_cast<void>(parts->succession.newTop(parts.now()));
        parts.clock.advance(5s);
        static_cast<void>(
            parts->succession.takeElsewhereForUnreachable(ProcessorId(0), parts.now()));
        QVERIFY(!parts->succession.hear(ProcessorId(0), true, false, parts.now()));
        QVERIFY(parts->succession.hearDoubtful(ProcessorId(0), 2s,
                                               parts.now())); // a majority follows it
        QVERIFY(!parts->succession.hearDoubtful(ProcessorId(4), 0ns, parts.now()));
    }

    void whoEndsHereIsTakenForUnreachableAndStaysSo()
    {
        Parts parts(4);
        parts->succession.takeForUnreachable(ProcessorId(0), parts.now());
        QVERIFY(parts->succession.hear(ProcessorId(0), true, false, parts.now()));
        parts.host.presences[ProcessorId(0)] = Presence::Gone;
        QVERIFY(!parts->succession.hear(ProcessorId(0), true, false, parts.now()));
    }

    void ofWhoIsElsewhereOnlyATrustedOneDecides()
    {
        Parts parts(0, {4});
        const Observed silent{
            .processor = ProcessorId(4), .what = Observation::Silent, .since = 1s};
        parts.clock.advance(500ms);
        QVERIFY(!parts->succession.mayDecide(silent, parts.now() + 600ms)); // trust is too old
        parts.clock.advance(2s);
        QVERIFY(!parts->succession.mayDecide(silent, parts.now()));
        parts->lease.takeSole(parts.now());
        QVERIFY(parts->succession.mayDecide(silent, parts.now()));
        QVERIFY(
            parts->succession.mayDecide({.processor = ProcessorId(1), .what = Observation::Silent},
                                        parts.now())); // it is here
    }

    void itsSilenceIsToldOnce()
    {
        Parts parts(5);
        QVERIFY(!parts->succession.silenceChanged(parts.now()));
        parts.clock.advance(1001ms);
        QCOMPARE(parts->succession.silenceChanged(parts.now()), std::optional(true));
        QVERIFY(!parts->succession.silenceChanged(parts.now()));
        parts->succession.restartTop(parts.now());
        QCOMPARE(parts->succession.silenceChanged(parts.now()), std::optional(false));
    }
};

QTEST_APPLESS_MAIN(TestSuccessor)

} // namespace tst_successor

#include "tst_successor.moc"

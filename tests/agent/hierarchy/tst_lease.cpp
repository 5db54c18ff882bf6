// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/renewal.h"
#include "hierarchy/standing.h"

#include "partsfixture.h"

namespace tst_lease {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

/// What a processor may do by its lease: when a word was given, and what its age leads to.
class TestLease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOlderWordRenewsNothing()
    {
        Renewal renewal;
        renewal.restart(SteadyTime(10s));
        QVERIFY(!renewal.renew(SteadyTime(10s)));
        QVERIFY(!renewal.renew(SteadyTime(9s)));
        QVERIFY(renewal.renew(SteadyTime(11s)));
        QCOMPARE(renewal.age(SteadyTime(13s)), std::chrono::nanoseconds(2s));
    }

    void latenessIsExcusedUntilAWordIsOfLater()
    {
        Renewal renewal;
        renewal.restart(SteadyTime(10s));
        renewal.addLateness(3s, SteadyTime(14s));
        QCOMPARE(renewal.excusedAge(SteadyTime(14s)), std::chrono::nanoseconds(1s));
        QVERIFY(renewal.renew(SteadyTime(12s))); // said before it woke
        QCOMPARE(renewal.late(), std::chrono::nanoseconds(3s));
        QVERIFY(renewal.renew(SteadyTime(14s)));
        QCOMPARE(renewal.late(), std::chrono::nanoseconds(0));
    }

    void aLoweredWordKeepsItsLateness()
    {
        Renewal renewal;
        renewal.restart(SteadyTime(10s));
        renewal.addLateness(1s, SteadyTime(11s));
        renewal.lower(SteadyTime(12s));
        QCOMPARE(renewal.given(), SteadyTime(10s));
        renewal.lower(SteadyTime(8s));
        QCOMPARE(renewal.given(), SteadyTime(8s));
        QCOMPARE(renewal.late(), std::chrono::nanoseconds(1s));
    }

    void standingsTurnByTheTable_data()
    {
        QTest::addColumn<Standing>("standing");
        QTest::addColumn<LeaseSign>("sign");
        QTest::addColumn<StandingTurn>("patient");
        QTest::addColumn<StandingTurn>("impatient");
        using enum StandingTurn;
        const auto row = [](const char* name, Standing standing, LeaseSign sign,
                            StandingTurn patient, StandingTurn impatient) {
            QTest::newRow(name) << standing << sign << patient << impatient;
        };
        row("valid, holds", Standing::Valid, LeaseSign::Holds, Stays, Stays);
        row("valid, unreleased", Standing::Valid, LeaseSign::HoldsUnreleased, Stays, Stays);
        row("valid, late", Standing::Valid, LeaseSign::OverWhileLate, StandingTurn::Suspended,
            StandingTurn::Suspended);
        row("valid, over", Standing::Valid, LeaseSign::Over, StandingTurn::Lapsed,
            StandingTurn::Lapsed);
        row("suspended, holds", Standing::Suspended, LeaseSign::Holds, StandingTurn::Valid,
            StandingTurn::Valid);
        row("suspended, late", Standing::Suspended, LeaseSign::OverWhileLate, Stays,
            StandingTurn::Lapsed);
        row("suspended, over", Standing::Suspended, LeaseSign::Over, Stays, StandingTurn::Lapsed);
        row("lapsed, holds", Standing::Lapsed, LeaseSign::Holds, StandingTurn::Valid,
            StandingTurn::Valid);
        row("lapsed, unreleased", Standing::Lapsed, LeaseSign::HoldsUnreleased, Stays, GivesUp);
        row("lapsed, over", Standing::Lapsed, LeaseSign::Over, Stays, GivesUp);
    }
    void standingsTurnByTheTable()
    {
        QFETCH(Standing, standing);
        QFETCH(LeaseSign, sign);
        QTEST(turnOf(standing, sign, true), "patient");
        QTEST(turnOf(standing, sign, false), "impatient");
    }

    void aLeaseLastsTwentyFiveBeatsAndAGrantThirty()
    {
        Parts parts(1, {0});
        parts.clock.advance(2500ms);
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Stays);
        parts.clock.advance(1ms);
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Lapsed);
        parts->lease.takeLease(ProcessorId(0), parts.now());
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Stays);
        parts->lease.lowerGrant(parts.now() - 3001ms);
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Lapsed);
        QVERIFY(parts->lease.takeGrant(parts.now()));
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Stays);
    }

    void whoWasLateItselfIsSuspended()
    {
        Parts parts(1, {0});
        parts.clock.advance(4s);
        parts->lease.noteLateness(3s, parts.now());
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Suspended);
        QVERIFY(parts->lease.wasDeaf(parts.now(), 300ms));
        parts->lease.stand(Standing::Suspended, parts.now());
        parts.clock.advance(1500ms);
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Stays);
        parts.clock.advance(1ms);
        QCOMPARE(parts->lease.judge(true, parts.now()), StandingTurn::Lapsed);
    }

    void trustIsOfTheLastTenBeats()
    {
        Parts parts(1, {0});
        QVERIFY(!parts->lease.takeSole(parts.now() - 1ms)); // an older word
        parts.clock.advance(1s);
        QVERIFY(parts->lease.trusted(parts.now()));
        parts.clock.advance(1ms);
        QVERIFY(!parts->lease.trusted(parts.now()));
        QVERIFY(parts->lease.takeSole(parts.now()));
        QVERIFY(parts->lease.trusted(parts.now()));
    }

    void whereNobodyIsElsewhereAnybodyMayWrite()
    {
        Parts alone(0);
        alone->lease.stand(Standing::Lapsed, alone.now());
        QVERIFY(alone->lease.mayWrite());
        Parts parted(0, {4});
        parted->lease.stand(Standing::Lapsed, parted.now());
        QVERIFY(!parted->lease.mayWrite());
        parted->lease.stand(Standing::Valid, parted.now());
        QVERIFY(parted->lease.mayWrite());
    }
};

QTEST_APPLESS_MAIN(TestLease)

} // namespace tst_lease

#include "tst_lease.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "partsfixture.h"

namespace tst_lookout {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

/// Its child 4 is late.
void notHearOf4(Parts& parts)
{
    parts->lookout.applySettings(parts.now());
    parts->lookout.changeChildren({}, parts->at.position.children, parts.now());
    parts->lookout.hear(ProcessorId(4), parts.now());
    parts.clock.advance(400ms);
    static_cast<void>(parts->lookout.look(parts.now()));
}

} // namespace

/// Whom a processor watches, and what it sees of them.
class TestLookout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void watchesItsChildrenAndTheirEnds()
    {
        Parts parts(0);
        parts.host.presences[ProcessorId(2)] = Presence::Gone;
        parts->lookout.changeChildren({}, processors({1, 2}), parts.now());
        QVERIFY(parts->lookout.watches(ProcessorId(1)));
        QVERIFY(parts.host.watched.contains(ProcessorId(1)));
        QCOMPARE(parts->lookout.takeEndedBefore(), processors({2}));
        QVERIFY(parts->lookout.takeEndedBefore().empty());
        parts->lookout.changeChildren(processors({1, 2}), processors({2}), parts.now());
        QVERIFY(!parts->lookout.watches(ProcessorId(1)));
    }

    void lookingAroundOnceIsEnoughWhileAllIsWell()
    {
        Parts parts(0);
        parts->lookout.applySettings(parts.now());
        parts->lookout.changeChildren({}, processors({1}), parts.now());
        parts->lookout.hear(ProcessorId(1), parts.now());
        const SteadyTime later = parts.now() + 10s;
        QCOMPARE(parts->lookout.nextLook(true, later, parts.now()), parts.now() + 25ms);
        // A quarter of a beat before it may be late.
        QVERIFY(parts->lookout.nextLook(false, later, parts.now()) >= parts.now() + 250ms);
        QCOMPARE(parts->lookout.nextLook(false, parts.now() + 100ms, parts.now()),
                 parts.now() + 75ms);
    }

    void ownLatenessIsCountedOnce()
    {
        Parts parts(0);
        parts->lookout.applySettings(parts.now());
        parts->lookout.begin(parts.now());
        parts.clock.advance(20ms);
        QVERIFY(!parts->lookout.noteLateness(parts.now())); // a fifth of a beat is tolerated
        parts.clock.advance(480ms);
        QCOMPARE(parts->lookout.noteLateness(parts.now()),
                 std::optional<std::chrono::nanoseconds>(500ms));
        QVERIFY(!parts->lookout.noteLateness(parts.now()));
    }

    void whoWasLateJudgesLaterButNotForEver()
    {
        Parts parts(0);
        parts->lookout.beginAnew(parts.now());
        parts.clock.advance(100ms);
        parts->lookout.judgeLater(parts.now());
        QVERIFY(!parts->lookout.judges(parts.now()));
        parts.clock.advance(25ms);
        parts->lookout.judgeLater(parts.now()); // late again
        QVERIFY(parts->lookout.judges(parts.now()));
    }

    void childrenOfTheLateAreWatchedUntilThatOneIsInStep()
    {
        Parts parts(0);
        notHearOf4(parts);
        QVERIFY(parts->lookout.isLate(ProcessorId(4)));
        QCOMPARE(parts->lookout.adoptChildrenOfTheLate(parts.now()), processors({5, 6, 7}));
        QVERIFY(parts->lookout.adoptChildrenOfTheLate(parts.now()).empty());
        parts->lookout.hear(ProcessorId(4), parts.now());
        static_cast<void>(parts->lookout.look(parts.now()));
        parts->lookout.dropAdopted(parts.now());
        QVERIFY(parts->lookout.watches(ProcessorId(5))); // it has another view, perhaps
        parts->correspondence.hearDigest(ProcessorId(4), parts->at.view.digest());
        parts->lookout.dropAdopted(parts.now());
        QVERIFY(!parts->lookout.watches(ProcessorId(5)));
    }

    // Fails if a short outage costs somebody its place whose own master can tell of it a moment later.
    void whoWasCutOffWithItsMasterHasTimeUntilThatTellsOfIt()
    {
        Parts parts(0);
        notHearOf4(parts);
        QCOMPARE(parts->lookout.adoptChildrenOfTheLate(parts.now()), processors({5, 6, 7}));
        parts.clock.advance(550ms);
        static_cast<void>(parts->lookout.look(parts.now()));
        parts->lookout.hear(ProcessorId(4), parts.now());
        parts.clock.advance(200ms);
        static_cast<void>(parts->lookout.look(parts.now()));
        QVERIFY(parts->lookout.isLate(ProcessorId(5)) && !parts->lookout.isSilent(ProcessorId(5)));
        parts.clock.advance(510ms); // but not for ever
        static_cast<void>(parts->lookout.look(parts.now()));
        QVERIFY(parts->lookout.isSilent(ProcessorId(5)));
    }

    void saysWhatTheTableDoesNot()
    {
        Parts parts(0);
        parts->lookout.applySettings(parts.now());
        parts->lookout.changeChildren({}, processors({1}), parts.now());
        parts->lookout.hear(ProcessorId(1), parts.now());
        QVERIFY(!parts->lookout.missingInTable(ProcessorId(1), parts.now()));
        parts.change(
            0, [](ClusterTable& table) { table.member(ProcessorId(1))->health = Health::Suspect; });
        QCOMPARE(parts->lookout.missingInTable(ProcessorId(1), parts.now())->what,
                 Observation::Back);
        parts.clock.advance(2s);
        static_cast<void>(parts->lookout.look(parts.now()));
        QCOMPARE(parts->lookout.missingInTable(ProcessorId(1), parts.now())->what,
                 Observation::Silent);
        parts.host.presences[ProcessorId(1)] = Presence::Gone;
        QCOMPARE(parts->lookout.missingInTable(ProcessorId(1), parts.now())->what,
                 Observation::Gone);
    }
};

QTEST_APPLESS_MAIN(TestLookout)

} // namespace tst_lookout

#include "tst_lookout.moc"

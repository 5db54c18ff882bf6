// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "partsfixture.h"

namespace tst_correspondence {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

/// What beats and replies were exchanged with whom.
class TestCorrespondence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReplyAnswersOneBeatOnce()
    {
        Parts parts(1);
        const std::uint64_t first = parts->correspondence.nextNumber(parts.now());
        parts.clock.advance(10ms);
        const std::uint64_t second = parts->correspondence.nextNumber(parts.now(), false);
        QCOMPARE(second, first + 1);
        const auto answered = parts->correspondence.takeAnswered(first);
        QVERIFY(answered && answered->forLease);
        QCOMPARE(answered->sent, parts.now() - 10ms);
        QVERIFY(!parts->correspondence.takeAnswered(first));
        QVERIFY(!parts->correspondence.takeAnswered(second)->forLease);
        QVERIFY(!parts->correspondence.takeAnswered(77));
    }

    void waitsForTheLatestBeatsOnly()
    {
        Parts parts(1);
        const std::uint64_t first = parts->correspondence.nextNumber(parts.now());
        for (int i = 0; i < 64; ++i)
            parts->correspondence.nextNumber(parts.now());
        QVERIFY(!parts->correspondence.sentAt(first));
        QVERIFY(parts->correspondence.sentAt(first + 1).has_value());
    }

    void whatHasGatheredIsAnsweredOnce()
    {
        Parts parts(1);
        const ProcessorId peer(2);
        QVERIFY(parts->correspondence.hearBeat(peer, 7, parts.now()));
        QVERIFY(!parts->correspondence.hearBeat(peer, 8, parts.now()));
        QVERIFY(parts->correspondence.hearBeat(peer, 1, parts.now())); // it begins anew
        parts.clock.advance(51ms);
        QVERIFY(parts->correspondence.hearBeat(peer, 9, parts.now()));
        QVERIFY(parts->correspondence.hearAsk(peer, parts.now()));
        QVERIFY(!parts->correspondence.hearAsk(peer, parts.now()));
        QVERIFY(parts->correspondence.wasAskedLately(peer, parts.now()));
        parts.clock.advance(26ms);
        QVERIFY(parts->correspondence.hearAsk(peer, parts.now()));
    }

    void tablesAreAskedForWhenDigestsStayDifferent()
    {
        Parts parts(1);
        const ProcessorId peer(0);
        const std::uint64_t own = parts->at.view.digest();
        QVERIFY(!parts->correspondence.differs(peer, own));
        QVERIFY(!parts->correspondence.differs(peer, own + 1));
        QVERIFY(parts->correspondence.differs(peer, own + 1)); // in the same way
        for (std::uint64_t way = 2; way <= 5; ++way)
            QVERIFY(!parts->correspondence.differs(peer, own + way));
        QVERIFY(parts->correspondence.differs(peer, own + 6)); // in whatever way, five times
    }

    void whoIsLapsedForLongIsDeafOnlyToWhoIsTrusted()
    {
        Parts parts(0, {4});
        const ProcessorId peer(4);
        parts->correspondence.hearLapsed(peer, true, parts.now());
        parts.clock.advance(1500ms);
        QVERIFY(!parts->correspondence.staysLapsed(peer, parts.now()));
        parts.clock.advance(1ms);
        QVERIFY(parts->correspondence.staysLapsed(peer, parts.now()));
        QVERIFY(!parts->correspondence.isDeaf(peer, parts.now()));
        parts->lease.takeSole(parts.now());
        QVERIFY(parts->correspondence.isDeaf(peer, parts.now()));
        parts->correspondence.hearLapsed(peer, false, parts.now());
        QVERIFY(!parts->correspondence.isDeaf(peer, parts.now()));
    }

    void aNewTableIsMissedOneBeatLater()
    {
        Parts parts(0);
        const Version known{.term = TableTerm(1), .revision = 3};
        const Version newer{.term = TableTerm(1), .revision = 4};
        QVERIFY(!parts->correspondence.announces(ProcessorId(4), newer, known));
        QVERIFY(parts->correspondence.announces(ProcessorId(4), newer, known));
    }
};

QTEST_APPLESS_MAIN(TestCorrespondence)

} // namespace tst_correspondence

#include "tst_correspondence.moc"

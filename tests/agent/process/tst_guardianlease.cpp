// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of tasks whose agent says nothing.
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "bareguardian.h"
#include "guardianharness.h"
#endif

#include <QTest>

#include <chrono>
#include <csignal>
#include <optional>

namespace tst_guardianlease {

using namespace tasuki;

class GuardianLeaseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void silentAgentLosesItsTasks();
    void stoppedWithItsAgentWaitsForIt();
    void stoppedAgainAndAgainWaitsOnce();
};

void GuardianLeaseTest::silentAgentLosesItsTasks()
{
    const std::string seconds = uniqueSeconds();
    guardian::Configure configure = BareGuardian::plain(std::chrono::milliseconds(600));
    configure.captureHead = configure.captureTail = 1000;
    configure.killGrace = std::chrono::milliseconds(100);
    BareGuardian bare(configure);
    const AttemptKey first = GuardianHarness::key(0);
    bare.send(guardian::Start{first, SlotIndex(0), 1,
                              "setsid sh -c 'setsid sleep " + seconds + " &' & sleep " + seconds});
    QVERIFY(bare.await<guardian::Started>(std::chrono::seconds(30)).has_value());
    for (int i = 0; i < 10; ++i) { // Longer than the lease, kept alive.
        QVERIFY(!bare.await<guardian::Finished>(std::chrono::milliseconds(100)).has_value());
        bare.send(guardian::KeepAlive{});
    }
    QVERIFY(countCommandLines(seconds) >= 2);
    const auto lost = bare.await<guardian::Finished>(std::chrono::seconds(10));
    QVERIFY(lost.has_value());
    QCOMPARE(lost->result.outcome, Outcome::Lost);
    QVERIFY(lost->key == first);
    QCOMPARE(countCommandLines(seconds), std::size_t(0));
    const AttemptKey second = GuardianHarness::key(1);
    bare.send(guardian::Start{second, SlotIndex(0), 1, "true"});
    const auto next = bare.await<guardian::Finished>(std::chrono::seconds(30));
    QVERIFY(next.has_value());
    QCOMPARE(next->result.outcome, Outcome::Succeeded);
}

/// Fails if the guardian counts the time in which it was stopped itself: at whatever moment of the lease that
/// began, and also when it was hardly longer.
void GuardianLeaseTest::stoppedWithItsAgentWaitsForIt()
{
    constexpr std::chrono::milliseconds lease{2'000};
    const guardian::Configure configure = BareGuardian::plain(lease);
    BareGuardian bare(configure);
    const AttemptKey key = GuardianHarness::key(0);
    bare.send(guardian::Start{key, SlotIndex(0), 1, "sleep 1000"});
    QVERIFY(bare.await<guardian::Started>(std::chrono::seconds(30)).has_value());
    for (const std::chrono::milliseconds stopped : {lease + lease / 10, 2 * lease}) {
        bare.send(guardian::KeepAlive{});
        QVERIFY(!bare.await<guardian::Finished>(std::chrono::milliseconds(100)).has_value());
        ::kill(bare.pid(), SIGSTOP);
        QTest::qWait(static_cast<int>(stopped.count()));
        ::kill(bare.pid(), SIGCONT);
        QVERIFY(!bare.await<guardian::Finished>(lease / 4)
                     .has_value()); // the agent wakes a little later
        bare.send(guardian::KeepAlive{});
        QVERIFY(!bare.await<guardian::Finished>(lease / 2).has_value());
    }
    // The agent does not wake up.
    ::kill(bare.pid(), SIGSTOP);
    QTest::qWait(static_cast<int>((2 * lease).count()));
    ::kill(bare.pid(), SIGCONT);
    const auto lost = bare.await<guardian::Finished>(lease);
    QVERIFY(lost.has_value());
    QCOMPARE(lost->result.outcome, Outcome::Lost);
}

/// Fails if a guardian that is often late lets the tasks of a silent agent run for ever.
void GuardianLeaseTest::stoppedAgainAndAgainWaitsOnce()
{
    constexpr std::chrono::milliseconds lease{2'000};
    BareGuardian bare(guardian::Configure{.run = RunId::random(),
                                          .epoch = Epoch(1),
                                          .rank = Rank(0),
                                          .captureHead = 0,
                                          .captureTail = 0,
                                          .killGrace = std::chrono::milliseconds(0),
                                          .lease = lease});
    bare.send(guardian::Start{GuardianHarness::key(0), SlotIndex(0), 1, "sleep 1000"});
    QVERIFY(bare.await<guardian::Started>(std::chrono::seconds(30)).has_value());
    std::optional<guardian::Finished> lost;
    for (int i = 0; i < 10 && !lost; ++i) { // 0.6 s, in which it could have been excused for 0.8 s
        ::kill(bare.pid(), SIGSTOP);
        QTest::qWait(600);
        ::kill(bare.pid(), SIGCONT);
        lost = bare.await<guardian::Finished>(std::chrono::milliseconds(50));
    }
    QVERIFY(lost.has_value());
    QCOMPARE(lost->result.outcome, Outcome::Lost);
}

QTEST_GUILESS_MAIN(GuardianLeaseTest)

} // namespace tst_guardianlease

#include "tst_guardianlease.moc"

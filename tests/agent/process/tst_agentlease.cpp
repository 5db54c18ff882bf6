// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/agentlease.h"

#include <QTest>

namespace tst_agentlease {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::guardian;

namespace {

const SteadyTime leaseBegin = SteadyTime{} + 1h;

} // namespace

/// What breaks it: tasks that outlive a silent agent, or are killed though it had no time to speak; an
/// excuse that is given for ever.
class TestAgentLease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endsWhenTheAgentIsSilent()
    {
        AgentLease lease;
        QVERIFY(!lease.runsOut(leaseBegin)); // not granted
        QVERIFY(!lease.longestSleep(leaseBegin));
        lease.grant(800ms, leaseBegin);
        QVERIFY(!lease.runsOut(leaseBegin + 799ms));
        lease.renew(leaseBegin + 799ms);
        QVERIFY(!lease.runsOut(leaseBegin + 1598ms));
        QVERIFY(lease.runsOut(leaseBegin + 1599ms));
        QVERIFY(!lease.runsOut(leaseBegin + 2s)); // once
        QVERIFY(!lease.longestSleep(leaseBegin + 2s));
        lease.renew(leaseBegin + 3s);
        QVERIFY(!lease.runsOut(leaseBegin + 3s));
        QVERIFY(lease.runsOut(leaseBegin + 4s));
    }

    void mayHaveNoEnd()
    {
        AgentLease lease;
        lease.grant(0ms, leaseBegin);
        QVERIFY(!lease.longestSleep(leaseBegin));
        QVERIFY(!lease.runsOut(leaseBegin + 100h));
    }

    void sleepsAreShort()
    {
        AgentLease lease;
        lease.grant(800ms, leaseBegin);
        QVERIFY(lease.longestSleep(leaseBegin) == 100ms);
        QVERIFY(lease.longestSleep(leaseBegin + 750ms) == 50ms);
    }

    void whoWasStoppedGetsTime_data()
    {
        QTest::addColumn<int>(
            "wanted"); // milliseconds that it meant to sleep; negative: without an end
        QTest::addColumn<int>("slept");
        QTest::addColumn<bool>("excused");
        QTest::newRow("in time") << 100 << 150 << false;
        QTest::newRow("just not late") << 100 << 200 << false;
        QTest::newRow("late") << 100 << 201 << true;
        QTest::newRow("it would have slept for ever") << -1 << 700 << false;
    }
    void whoWasStoppedGetsTime()
    {
        QFETCH(int, wanted);
        QFETCH(int, slept);
        QFETCH(bool, excused);
        AgentLease lease;
        lease.grant(800ms, leaseBegin);
        const SteadyTime asleep = leaseBegin + 599ms;
        lease.noteTurn(0ms, asleep);
        lease.renew(leaseBegin);
        const SteadyTime awake = asleep + std::chrono::milliseconds(slept);
        lease.noteTurn(wanted < 0 ? std::nullopt : std::optional(std::chrono::milliseconds(wanted)),
                       awake);
        // 320 ms from then on, which is later than the end of the lease.
        QCOMPARE(lease.runsOut(std::max(leaseBegin + 800ms, awake + 319ms)), !excused);
        if (excused)
            QVERIFY(lease.runsOut(awake + 320ms));
    }

    void butOnce()
    {
        AgentLease lease;
        lease.grant(800ms, leaseBegin);
        lease.noteTurn(0ms, leaseBegin);
        lease.noteTurn(0ms, leaseBegin + 10s);
        QVERIFY(!lease.runsOut(leaseBegin + 10s));
        lease.noteTurn(0ms, leaseBegin + 20s);
        QVERIFY(lease.runsOut(leaseBegin + 20s));
        // The agent has spoken since: once more.
        lease.renew(leaseBegin + 20s);
        lease.noteTurn(0ms, leaseBegin + 30s);
        QVERIFY(!lease.runsOut(leaseBegin + 30s));
    }
};

QTEST_APPLESS_MAIN(TestAgentLease)

} // namespace tst_agentlease

#include "tst_agentlease.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "node/sessionsetup.h"
#include "support/manualclock.h"

namespace tst_sessionsetup {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

config::Topology topologyWith(std::chrono::milliseconds heartbeat)
{
    config::Topology topology;
    topology.heartbeat = heartbeat;
    topology.suspectAfter = 3;
    topology.lostAfter = 10;
    return topology;
}

} // namespace

/// What a session makes of what it is given.
class TestSessionSetup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsWhetherThereAreOtherHosts()
    {
        QVERIFY(
            !hasOtherHosts({.topology = {}, .layout = {}, .hosts = {"a", "a"}, .topologyFile = {}},
                           ProcessorId(1)));
        for (const std::uint32_t self : {0U, 1U})
            QVERIFY(hasOtherHosts(
                {.topology = {}, .layout = {}, .hosts = {"a", "b"}, .topologyFile = {}},
                ProcessorId(self)));
    }

    /// Fails if an idle processor is taken for stuck, or never rests.
    void napsAreShortEnoughForTheHeartbeat()
    {
        const std::chrono::nanoseconds usual = BackoffPolicy().longestIdleNap;
        QCOMPARE(napsWithin(topologyWith(10ms)).longestIdleNap, std::chrono::nanoseconds(20ms));
        QCOMPARE(napsWithin(topologyWith(60ms)).longestIdleNap, std::chrono::nanoseconds(30ms));
        QCOMPARE(napsWithin(topologyWith(10s)).longestIdleNap, usual);
    }

    void farewellLastsSomeBeatsButNotLong()
    {
        QCOMPARE(farewellOf(topologyWith(100ms)), 500ms);
        QCOMPARE(farewellOf(topologyWith(10s)), 1000ms);
    }

    void workerIsCautiousBeforeItIsLost()
    {
        Briefing briefing;
        briefing.epoch = Epoch(3);
        briefing.run = RunId{"77"};
        briefing.directory = "/work";
        const farm::WorkerIdentity identity = workerIdentity(briefing, topologyWith(100ms), 4);
        QCOMPARE(identity.epoch, Epoch(3));
        QCOMPARE(identity.slotCount, std::uint32_t{4});
        QCOMPARE(identity.cautiousAfter, 500ms);
        QVERIFY(!identity.host.empty());
        QVERIFY(identity.expected
                && *identity.expected == farm::Welcome({.run = "77", .directory = "/work"}));
    }

    void writesNoHealthLogThatNobodyWants()
    {
        const SystemPlanning planned = planSystem(PlainSystem{}, {"a", "a"});
        QVERIFY(planned.plan);
        const ManualClock clock;
        HealthLog log = healthLogOf({}, ProcessorId(1), Epoch(1), clock, *planned.plan);
        log.fenced(); // does nothing, and does not fail
        log.leaves();
    }
};

QTEST_APPLESS_MAIN(TestSessionSetup)

} // namespace tst_sessionsetup

#include "tst_sessionsetup.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "membershipsystem.h"

#include <algorithm>
#include <csignal>

namespace tst_membershipprocesses {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

const QByteArray twoSubclusters = "[[subcluster]]\nname = \"antenna\"\nactive = 4\nstandby = 1\n"
                                  "io = 1\nunits = 2\nminimum = 2\n"
                                  "[[subcluster]]\nname = \"filter\"\nactive = 4\nstandby = 1\n"
                                  "io = 1\nunits = 2\nminimum = 2\n";
constexpr std::uint32_t all = 12;
constexpr std::uint32_t worker = 2; ///< holds rank 1 of the first subcluster
constexpr std::uint32_t standby = 5;
constexpr auto patience = 20s; ///< for what takes much less: sanitizers, busy machines

double msBetween(MembershipSystem::Time begin, MembershipSystem::Time end)
{
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

/// Whether all but some say something of a processor.
bool allSay(const MembershipSystem& system, std::uint32_t processor,
            const std::function<bool(const MembershipSystem::Row&)>& holds,
            const std::vector<std::uint32_t>& dead)
{
    for (std::uint32_t i = 0; i < all; ++i) {
        if (std::ranges::find(dead, i) == dead.end() && !holds(system.view(i).rows[processor]))
            return false;
    }
    return true;
}

/// Whether all but some say that a processor is so.
bool allSay(const MembershipSystem& system, std::uint32_t processor, Health health,
            const std::vector<std::uint32_t>& dead)
{
    return allSay(
        system, processor,
        [health](const MembershipSystem::Row& row) { return row.health == health; }, dead);
}

} // namespace

/// Membership agents in processes of their own, which are killed and stopped.
class TestMembershipProcesses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killedWorkerIsReplaced();
    void killedStandby();
    void twoAtOnce();
    void killedDuringATakeover();
    void killedMasters();
    void stoppedForAMoment();
    void stoppedForLong();
    void frozenUnit();
    void allFrozen();
    void drainedStandby();
    void stoppedByOrder();
    void promotedClusterMaster();
    void holderBecomesStandby();
    void slowerBeats();
};

void TestMembershipProcesses::killedWorkerIsReplaced()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    const auto killed = std::chrono::steady_clock::now();
    system.signal(worker, SIGKILL);
    QVERIFY(system.until([&] { return system.view(standby).seat == 1; }, patience));
    QCOMPARE(system.view(standby).incarnation, 2U);
    QVERIFY(system.until([&] { return allSay(system, worker, Health::Lost, {worker}); }, patience));
    QCOMPARE(system.view(7).rows[worker].cause, HealthCause::Gone);
    QCOMPARE(system.view(7).rows[standby].seat, 1);
    qInfo("from the kill: detected after %.1f ms, taken over after %.1f ms",
          msBetween(killed, system.view(0).rows[worker].since),
          msBetween(killed, system.view(standby).held));
}

void TestMembershipProcesses::killedStandby()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    system.signal(standby, SIGKILL);
    QVERIFY(
        system.until([&] { return allSay(system, standby, Health::Lost, {standby}); }, patience));
    for (std::uint32_t i = 0; i < all; ++i)
        QVERIFY(i == standby || system.view(i).incarnation <= 1U);
    // Without a standby the rank stays empty.
    system.signal(worker, SIGKILL);
    QVERIFY(system.until(
        [&] {
            return allSay(system, worker, Health::Lost, {worker, standby});
        },
        patience));
    for (const auto& row : system.view(0).rows)
        QVERIFY(row.seat != 1);
}

void TestMembershipProcesses::twoAtOnce()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    system.signal(1, SIGKILL);
    system.signal(8, SIGKILL);
    QVERIFY(system.until([&] { return system.view(5).seat == 0 && system.view(11).seat == 5; },
                         patience));
    QVERIFY(system.until(
        [&] {
            return allSay(system, 1, Health::Lost, {1, 8})
                && allSay(system, 8, Health::Lost, {1, 8});
        },
        patience));
}

void TestMembershipProcesses::killedDuringATakeover()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    system.signal(standby, SIGSTOP); // takes the seat, but cannot say so
    system.signal(worker, SIGKILL);
    QVERIFY(system.until([&] { return system.view(0).rows[standby].seat == 1; }, patience));
    system.signal(standby, SIGKILL);
    QVERIFY(system.until(
        [&] {
            return allSay(system, standby, Health::Lost, {worker, standby});
        },
        patience));
    for (const auto& row : system.view(0).rows)
        QVERIFY(row.seat != 1);
}

void TestMembershipProcesses::killedMasters()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    system.signal(9, SIGKILL); // unit master
    QVERIFY(system.until([&] { return allSay(system, 9, Health::Lost, {9}); }, patience));
    QVERIFY(system.until([&] { return system.view(11).seat == 6; }, patience));
    system.signal(6, SIGKILL); // cluster master
    QVERIFY(system.until([&] { return allSay(system, 6, Health::Lost, {9, 6}); }, patience));
    system.signal(10, SIGKILL); // seen by the new one
    QVERIFY(system.until([&] { return allSay(system, 10, Health::Lost, {9, 6, 10}); }, patience));
}

void TestMembershipProcesses::stoppedForAMoment()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    system.signal(worker, SIGSTOP);
    QVERIFY(
        system.until([&] { return system.view(0).rows[worker].health == Health::Suspect; }, 900ms));
    system.signal(worker, SIGCONT);
    QVERIFY(system.until([&] { return allSay(system, worker, Health::Alive, {}); }, patience));
    for (std::uint32_t i = 0; i < all; ++i)
        QVERIFY(system.runs(i) && !system.view(i).fenced && system.view(i).incarnation <= 1U);
}

void TestMembershipProcesses::stoppedForLong()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    const auto stopped = std::chrono::steady_clock::now();
    system.signal(worker, SIGSTOP);
    QVERIFY(system.until([&] { return system.view(standby).seat == 1; }, patience));
    QVERIFY(system.until([&] { return !system.runs(worker); }, patience));
    QVERIFY(system.until([&] { return allSay(system, worker, Health::Lost, {worker}); }, patience));
    QCOMPARE(system.view(0).rows[worker].cause, HealthCause::Stopped);
    qInfo("from the stop: taken over after %.1f ms", msBetween(stopped, system.view(standby).held));
}

void TestMembershipProcesses::frozenUnit()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    const auto stopped = std::chrono::steady_clock::now();
    const std::vector<std::uint32_t> unit{9, 10, 11};
    for (const std::uint32_t number : unit)
        system.signal(number, SIGSTOP);
    for (const std::uint32_t number : unit) {
        QVERIFY(system.until(
            [&] { return allSay(system, number, Health::Lost, unit) && !system.runs(number); },
            patience));
    }
    qInfo("from the stop: all know after %.1f ms",
          msBetween(stopped, std::chrono::steady_clock::now()));
}

/// Nobody loses its place, but whoever wakes up may not act before it has heard that it has it.
void TestMembershipProcesses::allFrozen()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    for (std::uint32_t i = 0; i < all; ++i)
        system.signal(i, SIGSTOP);
    QTest::qWait(4'000);
    for (std::uint32_t i = 0; i < all; ++i)
        system.signal(i, SIGCONT);
    const auto toldByMost = [&] {
        std::uint32_t told = 0;
        for (std::uint32_t i = 0; i < all; ++i)
            told += system.view(i).wasSuspended
                && system.view(i).standing == hierarchy::Standing::Valid;
        return told >= all / 2; // who hears of others before it looks has heard that it is in time
    };
    QVERIFY(system.until(toldByMost, patience));
    QTest::qWait(500);
    QVERIFY(system.until([] { return true; }, 100ms));
    for (std::uint32_t i = 0; i < all; ++i) {
        QVERIFY(system.runs(i) && !system.view(i).fenced && system.view(i).incarnation <= 1U);
        QCOMPARE(system.view(i).standing, hierarchy::Standing::Valid);
    }
}

void TestMembershipProcesses::drainedStandby()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    const auto ordered = std::chrono::steady_clock::now();
    QCOMPARE(system.order(0, "drain 11 1"), QByteArray("accepted"));
    QCOMPARE(system.order(7, "drain 11 1"),
             QByteArray("processor 7 is not the system master; ask processor 0"));
    const auto drained = [](const MembershipSystem::Row& row) { return row.drained; };
    QVERIFY(system.until([&] { return allSay(system, 11, drained, {}); }, patience));
    qInfo("from the order: all know after %.1f ms",
          msBetween(ordered, std::chrono::steady_clock::now()));
    system.signal(9, SIGKILL);
    QVERIFY(system.until([&] { return allSay(system, 9, Health::Lost, {9}); }, patience));
    QCOMPARE(system.view(0).rows[11].seat, -1);
    QCOMPARE(system.order(0, "drain 11 0"), QByteArray("accepted"));
    QVERIFY(system.until([&] { return system.view(11).seat.has_value(); }, patience));
}

void TestMembershipProcesses::stoppedByOrder()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    QVERIFY(system.order(0, "stop 0").startsWith("processor 0 is the system master"));
    for (const std::uint32_t number : {8U, 6U}) { // a rank, and the cluster master
        QCOMPARE(system.order(0, "stop " + QByteArray::number(number)), QByteArray("accepted"));
        QVERIFY(system.until([&] { return !system.runs(number); }, patience));
        QVERIFY(system.until(
            [&] {
                return allSay(system, number, Health::Lost, {8, 6});
            },
            patience));
        QCOMPARE(system.view(10).rows[number].cause, HealthCause::Ordered);
    }
    QVERIFY(system.until([&] { return system.view(11).seat == 5; }, patience));
    QVERIFY(system.order(0, "drain 8 1").startsWith("processor 8 takes no part any more"));
}

void TestMembershipProcesses::promotedClusterMaster()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    QCOMPARE(system.order(0, "promote 10"), QByteArray("accepted"));
    const auto promoted = [](const MembershipSystem::Row& row) { return row.promoted > 0; };
    QVERIFY(system.until([&] { return allSay(system, 10, promoted, {}); }, patience));
    // The new master decides; the former one is like any other.
    system.signal(6, SIGKILL);
    QVERIFY(system.until([&] { return allSay(system, 6, Health::Lost, {6}); }, patience));
    QCOMPARE(system.order(0, "drain 7 1"), QByteArray("accepted"));
    const auto drained = [](const MembershipSystem::Row& row) { return row.drained; };
    QVERIFY(system.until([&] { return allSay(system, 7, drained, {6}); }, patience));
    for (std::uint32_t i = 0; i < all; ++i)
        QVERIFY(i == 6 || (system.runs(i) && !system.view(i).fenced));
}

void TestMembershipProcesses::holderBecomesStandby()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    const auto ordered = std::chrono::steady_clock::now();
    QCOMPARE(system.order(0, "kind 2 3"), QByteArray("accepted")); // standby
    QVERIFY(system.until([&] { return system.view(standby).seat == 1; }, patience));
    QVERIFY(!system.view(worker).seat);
    QVERIFY2(system.view(worker).held < system.view(standby).held, "two held it at once");
    qInfo("from the order: handed over after %.1f ms",
          msBetween(ordered, system.view(standby).held));
    const auto rests = [](const MembershipSystem::Row& row) {
        return row.kind == ProcessorKind::Standby && row.seat == -1;
    };
    QVERIFY(system.until([&] { return allSay(system, worker, rests, {}); }, patience));
    QVERIFY(system.runs(worker) && !system.view(worker).fenced);
}

void TestMembershipProcesses::slowerBeats()
{
    MembershipSystem system(twoSubclusters, all);
    QVERIFY2(system.start(), system.errors().constData());
    for (const int heartbeat : {1000, 50}) {
        QCOMPARE(system.order(0, "heartbeat " + QByteArray::number(heartbeat)),
                 QByteArray("accepted"));
        QVERIFY(system.until(
            [&] {
                for (std::uint32_t i = 0; i < all; ++i) {
                    if (system.view(i).heartbeatMs != heartbeat)
                        return false;
                }
                return true;
            },
            patience));
        system.until([] { return false; }, 1500ms);
        for (std::uint32_t i = 0; i < all; ++i)
            QVERIFY(system.runs(i) && !system.view(i).fenced
                    && allSay(system, i, Health::Alive, {}));
    }
    QVERIFY(system.order(0, "heartbeat 5").startsWith("a heartbeat of 5 ms"));
}

QTEST_GUILESS_MAIN(TestMembershipProcesses)

} // namespace tst_membershipprocesses

#include "tst_membershipprocesses.moc"

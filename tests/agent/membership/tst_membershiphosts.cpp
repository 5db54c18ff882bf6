// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "control/sockets.h"
#include "membershipsystem.h"

#include <algorithm>
#include <csignal>

namespace tst_membershiphosts {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t all = 9;
const QByteArray hosts = "aaabbbccc";
const std::vector<std::uint32_t> cutOff{6, 7, 8};
constexpr auto patience = 40s; ///< for what takes a few seconds: sanitizers, busy machines

QByteArray topology(bool rejoin)
{
    return QByteArray("[system]\nrejoin = ") + (rejoin ? "true" : "false")
        + "\n[[subcluster]]\nname = \"all\"\nactive = 7\nstandby = 1\nio = 1\n";
}

/// Whether all but some say that those who were cut off are so.
bool allSay(const MembershipSystem& system, Health health, const std::vector<std::uint32_t>& but)
{
    for (std::uint32_t i = 0; i < all; ++i) {
        if (std::ranges::find(but, i) != but.end())
            continue;
        const auto& rows = system.view(i).rows;
        if (!std::ranges::all_of(cutOff,
                                 [&](std::uint32_t one) { return rows[one].health == health; }))
            return false;
    }
    return true;
}

} // namespace

/// Membership agents in processes of their own that take each other for processes of other hosts: what stands
/// still there cannot be killed.
class TestMembershipHosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void stoppedHostComesBack();
    void stoppedHostEnds();

private:
    /// Stops a host for longer than leases are waited for.
    static void stopForLong(MembershipSystem& system);
};

void TestMembershipHosts::initTestCase()
{
    if (control::interfaceAddresses().empty())
        QSKIP("this machine has no interface but the loopback, by which hosts are not reached");
}

void TestMembershipHosts::stopForLong(MembershipSystem& system)
{
    for (const std::uint32_t one : cutOff)
        system.signal(one, SIGSTOP);
    QVERIFY(system.until([&] { return allSay(system, Health::Lost, cutOff); }, patience));
    for (const std::uint32_t one : cutOff)
        QVERIFY(system.runs(one));
    for (const std::uint32_t one : cutOff)
        system.signal(one, SIGCONT);
}

void TestMembershipHosts::stoppedHostComesBack()
{
    MembershipSystem system(topology(true), all, hosts);
    QVERIFY2(system.start(), system.errors().constData());
    stopForLong(system);
    const auto woken = std::chrono::steady_clock::now();
    QVERIFY(system.until(
        [&] {
            return std::ranges::all_of(
                cutOff, [&](std::uint32_t one) { return system.view(one).returns == 1; });
        },
        patience));
    QVERIFY(system.until([&] { return allSay(system, Health::Alive, {}); }, patience));
    qInfo("from the wake: all back after %.0f ms",
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - woken)
              .count());
    for (const std::uint32_t one : cutOff)
        QCOMPARE(system.view(0).rows[one].kind, ProcessorKind::Standby);
    // The two ranks that nobody was there for are held again, by two of them.
    const auto holders = [&] {
        return std::ranges::count_if(
            cutOff, [&](std::uint32_t one) { return system.view(one).seat.has_value(); });
    };
    QVERIFY(system.until([&] { return holders() == 2; }, patience));
    for (const std::uint32_t one : cutOff)
        QVERIFY(!system.view(one).seat || system.view(one).incarnation == 2U);
}

void TestMembershipHosts::stoppedHostEnds()
{
    MembershipSystem system(topology(false), all, hosts);
    QVERIFY2(system.start(), system.errors().constData());
    stopForLong(system);
    QVERIFY(system.until(
        [&] {
            return std::ranges::all_of(cutOff,
                                       [&](std::uint32_t one) { return system.view(one).shutOut; });
        },
        patience));
    system.until([] { return false; }, 1s);
    QVERIFY(allSay(system, Health::Lost, cutOff));
    for (const std::uint32_t one : cutOff)
        QCOMPARE(system.view(one).returns, 0);
}

QTEST_GUILESS_MAIN(TestMembershipHosts)

} // namespace tst_membershiphosts

#include "tst_membershiphosts.moc"

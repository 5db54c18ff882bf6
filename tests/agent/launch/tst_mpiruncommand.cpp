// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/mpiruncommand.h"

#include <algorithm>

namespace tst_mpiruncommand {

using namespace tasuki;

namespace {

bool has(const std::vector<std::string>& arguments, const std::string& wanted)
{
    return std::ranges::find(arguments, wanted) != arguments.end();
}

const OpenMpi four{.mpirun = "/usr/bin/mpirun", .major = 4, .version = "4.1.4"};
const OpenMpi five{.mpirun = "/usr/bin/mpirun", .major = 5, .version = "5.0.7"};

LaunchRequest request(std::vector<std::string> options = {})
{
    return {.processors = 3,
            .mpirunOptions = std::move(options),
            .agent = "/opt/tasuki-agent",
            .agentArguments = {"farm", "a list"},
            .exportedVariables = {"NAME"}};
}

} // namespace

class tst_MpirunCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void version()
    {
        QCOMPARE(*parseOpenMpiVersion("mpirun (Open MPI) 4.1.4\n\nReport bugs\n"),
                 std::string("4.1.4"));
        QCOMPARE(*parseOpenMpiVersion("mpirun (Open MPI) 5.0.7"), std::string("5.0.7"));
        QVERIFY(!parseOpenMpiVersion("HYDRA build details:\n    Version: 4.0.2\n"));
        QVERIFY(!parseOpenMpiVersion(""));
    }

    // Fails if recovery is left out: then the loss of one rank ends the run.
    void recoveryAndOrder()
    {
        const auto arguments = mpirunArguments(four, request());
        QCOMPARE(arguments.front(), std::string("/usr/bin/mpirun"));
        QVERIFY(has(arguments, "--enable-recovery"));
        QVERIFY(has(arguments, "--quiet"));
        QVERIFY(has(arguments, "--oversubscribe"));
        const std::vector<std::string> tail(arguments.end() - 3, arguments.end());
        QCOMPARE(tail, (std::vector<std::string>{"/opt/tasuki-agent", "farm", "a list"}));
        const auto count = std::ranges::find(arguments, "-n");
        QCOMPARE(*std::next(count), std::string("3"));
        const auto exported = std::ranges::find(arguments, "-x");
        QCOMPARE(*std::next(exported), std::string("NAME"));
    }

    // Open MPI 5 refuses --quiet, and survives nothing over TCP without its fault tolerance.
    void newerMpirun()
    {
        const auto arguments = mpirunArguments(five, request());
        QVERIFY(!has(arguments, "--quiet"));
        QVERIFY(has(arguments, "--with-ft") && has(arguments, "ulfm"));
        QVERIFY(!has(mpirunArguments(four, request()), "--with-ft"));
        QVERIFY(!has(mpirunArguments(five, request({"--with-ft", "none"})), "ulfm"));
    }

    // Fails if hosts with addresses of both families confuse Open MPI 5, or if hosts that have
    // IPv6 only, or users that want it, cannot connect.
    void oneFamilyOfAddresses()
    {
        const std::string parameter = "btl_tcp_disable_family";
        QVERIFY(has(mpirunArguments(five, request()), parameter));
        QVERIFY(!has(mpirunArguments(four, request()), parameter));
        OpenMpi overIpv6 = five;
        overIpv6.overIpv6 = true;
        QVERIFY(!has(mpirunArguments(overIpv6, request()), parameter));
        const auto own = mpirunArguments(five, request({"--mca", parameter, "4"}));
        QCOMPARE(std::ranges::count(own, parameter), 1);
        QVERIFY(!has(own, "6"));
    }

    // Fails if ranks of one host listen for everybody, or if they cannot reach each other: on several
    // hosts, over what the user has chosen, or where shared memory has no room for them.
    void ranksOfOneHostDoNotListen()
    {
        OpenMpi roomy = four;
        roomy.sharedMemoryBytes = 1024ULL * 1024 * 1024;
        QVERIFY(has(mpirunArguments(roomy, request()), "self,vader"));
        OpenMpi newer = five;
        newer.sharedMemoryBytes = roomy.sharedMemoryBytes;
        QVERIFY(has(mpirunArguments(newer, request()), "self,sm"));
        QVERIFY(has(mpirunArguments(roomy, request({"--bind-to", "core"})), "self,vader"));
        const std::vector<std::vector<std::string>> chosen{{"--host", "a,b"},
                                                           {"-H", "a"},
                                                           {"--hostfile", "f"},
                                                           {"--mca", "btl", "tcp,self"},
                                                           {"--mca", "pml", "ucx"},
                                                           {"--rankfile", "f"},
                                                           {"--mca", "orte_default_hostfile", "f"}};
        for (const auto& options : chosen)
            QVERIFY2(!has(mpirunArguments(roomy, request(options)), "self,vader"),
                     options.back().c_str());
        OpenMpi told = roomy;
        told.configured = true;
        QVERIFY(!has(mpirunArguments(told, request()), "self,vader"));
        OpenMpi narrow = roomy;
        narrow.sharedMemoryBytes = 16ULL * 1024 * 1024;
        QVERIFY(!has(mpirunArguments(narrow, request()), "self,vader"));
    }

    // Fails if others can take the names of segments and of the session directory beforehand.
    void filesOfOneHostAreInADirectoryOfTheirOwn()
    {
        OpenMpi roomy = four;
        roomy.sharedMemoryBytes = 1024ULL * 1024 * 1024;
        LaunchRequest wanted = request();
        QVERIFY(!has(mpirunArguments(roomy, wanted), "orte_tmpdir_base"));
        wanted.ownDirectory = "/dev/shm/own";
        const auto arguments = mpirunArguments(roomy, wanted);
        for (const std::string name : {"btl_vader_backing_directory", "orte_tmpdir_base"}) {
            const auto found = std::ranges::find(arguments, name);
            QVERIFY(found != arguments.end());
            QCOMPARE(*std::next(found), wanted.ownDirectory);
        }
        QVERIFY(
            !has(mpirunArguments(four, wanted), wanted.ownDirectory)); // perhaps on several hosts
        wanted.mpirunOptions = {"--mca", "orte_tmpdir_base", "/scratch"};
        QCOMPARE(std::ranges::count(mpirunArguments(roomy, wanted), "orte_tmpdir_base"), 1);
    }

    void usersChoicesWin()
    {
        QVERIFY(!has(mpirunArguments(four, request({"--bind-to", "core"})), "none"));
        QVERIFY(!has(mpirunArguments(four, request({"--nooversubscribe"})), "--oversubscribe"));
        const auto placed = mpirunArguments(four, request({"--rankfile", "f"}));
        QVERIFY(!has(placed, "--bind-to") && !has(placed, "--oversubscribe"));
        QVERIFY(has(placed, "--rankfile") && has(placed, "f"));
    }
};

QTEST_APPLESS_MAIN(tst_MpirunCommand)

} // namespace tst_mpiruncommand

#include "tst_mpiruncommand.moc"

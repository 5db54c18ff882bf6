// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "host/hostidentity.h"
#include "linkclient/agentaddress.h"
#include "wire/handshake.h"

#include <QTemporaryDir>

#include <unistd.h>

namespace tst_agentaddress {

using namespace tasuki;

namespace {

/// Agents that have written their files: of this process, which lives, or of one that is gone.
struct Fixture {
    QTemporaryDir scratch;
    std::filesystem::path directory = std::filesystem::path(scratch.path().toStdString())
        / "agents";
    RunId run = RunId::random();

    std::filesystem::path write(std::uint32_t epoch, bool lives = true)
    {
        const HostIdentity host = hostIdentity();
        link::AccessFile access;
        access.run = run;
        access.epoch = Epoch(epoch);
        access.runFile = "/home/someone/run.tasuki";
        access.title = "tasks.sh";
        access.directory = "/home/someone";
        access.hostName = host.name;
        access.hostKey = host.key;
        access.pid = ::getpid();
        access.processStart = link::processStart(access.pid) + (lives ? 0U : 1U);
        access.started = WallTime(std::chrono::hours(500'000));
        access.socket = "/nowhere/socket";
        access.token = link::randomSecret();
        const auto path = link::writeAccessFile(directory, access);
        return path.ok() ? *path : std::filesystem::path();
    }
    static std::uint32_t epochOf(const AgentAddress& address)
    {
        return address.access() ? address.access()->epoch.value() : 0;
    }
};

} // namespace

/// What breaks it: an agent of another run, or one that is gone, that is taken for a successor.
class TestAgentAddress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasNeverThere()
    {
        Fixture f;
        AgentAddress address(f.directory / "missing.json");
        QVERIFY(!address.choose());
        QVERIFY(!address.isKnown() && !address.isGone() && !address.hasSuccessor());
        QVERIFY(!address.access());
    }

    void theNewestThatLivesIsChosen()
    {
        Fixture f;
        AgentAddress address(f.write(1));
        QVERIFY(address.choose());
        QVERIFY(address.isKnown());
        QCOMPARE(address.run(), f.run);
        QCOMPARE(f.epochOf(address), 1U);
        QVERIFY(!address.hasSuccessor());
        f.write(4, false); // gone already
        QVERIFY(!address.hasSuccessor());
        f.write(2);
        f.write(3);
        QVERIFY(address.hasSuccessor());
        QVERIFY(address.choose());
        QCOMPARE(f.epochOf(address), 3U);
        const RunId own = f.run;
        f.run = RunId::random();
        f.write(9); // of another run
        QVERIFY(address.choose());
        QCOMPARE(f.epochOf(address), 3U);
        QCOMPARE(address.run(), own);
    }

    void whoIsGoneStaysUntilForgotten()
    {
        Fixture f;
        const auto path = f.write(1, false);
        AgentAddress address(path);
        QVERIFY(address.choose()); // its file is there
        QVERIFY(address.isGone());
        QVERIFY(std::filesystem::remove(path));
        QVERIFY(!address.choose());
        QVERIFY(address.isKnown() && address.isGone());
        address.forget();
        QVERIFY(address.isKnown() && !address.isGone());
        f.write(2);
        QVERIFY(address.hasSuccessor());
    }
};

QTEST_APPLESS_MAIN(TestAgentAddress)

} // namespace tst_agentaddress

#include "tst_agentaddress.moc"

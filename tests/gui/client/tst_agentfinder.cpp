// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "client/agentfinder.h"
#include "host/hostidentity.h"
#include "patience.h"
#include "wire/accessfile.h"
#include "wire/handshake.h"

#include <QTemporaryDir>
#include <QThreadPool>

#include <fstream>
#include <unistd.h>

namespace tst_agentfinder {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

link::AccessFile agent(std::uint32_t epoch, std::int64_t pid, WallTime started)
{
    const HostIdentity host = hostIdentity();
    link::AccessFile access;
    access.run = RunId::random();
    access.epoch = Epoch(epoch);
    access.runFile = "/home/someone/run.tasuki";
    access.title = "tasks.sh";
    access.directory = "/home/someone";
    access.hostName = host.name;
    access.hostKey = host.key;
    access.pid = pid;
    access.processStart = link::processStart(pid);
    access.started = started;
    access.socket = "/nowhere/socket";
    access.token = link::randomSecret();
    return access;
}

/// Until what was looked for has been told.
void finishLooking()
{
    // What began during a look follows it.
    for (int looks = 0; looks < 2; ++looks) {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::sendPostedEvents();
    }
}

} // namespace

class TestAgentFinder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsAgentsThatComeAndGo();
    void tellsWhatIsLeftBehindOrBroken();
    void goneWhileItLooks();
};

void TestAgentFinder::findsAgentsThatComeAndGo()
{
    QTemporaryDir scratch;
    const auto directory = std::filesystem::path(scratch.path().toStdString()) / "agents";
    AgentFinder finder(directory, nullptr, 20ms);
    int changes = 0;
    connect(&finder, &AgentFinder::changed, this, [&] { ++changes; });
    finishLooking();
    QCOMPARE(finder.agents().size(), 0);
    QCOMPARE(changes, 0);

    const WallTime now{std::chrono::hours(500'000)};
    const auto older = agent(3, ::getpid(), now - 1h);
    const auto younger = agent(1, ::getpid(), now);
    const auto path = link::writeAccessFile(directory, older);
    QVERIFY(path.ok());
    QTRY_COMPARE(finder.agents().size(), 1);
    QVERIFY(link::writeAccessFile(directory, younger).ok());
    QTRY_COMPARE(finder.agents().size(), 2);
    const AgentEntry entry = finder.agents().at(1);
    QCOMPARE(finder.agents().at(0).run, younger.run);
    QCOMPARE(entry.run, older.run);
    QCOMPARE(entry.epoch, Epoch(3));
    QCOMPARE(entry.accessFile, QString::fromStdString(path->string()));
    QCOMPARE(entry.runFile, QStringLiteral("/home/someone/run.tasuki"));
    QCOMPARE(entry.title, QStringLiteral("tasks.sh"));
    QCOMPARE(entry.pid, std::int64_t(::getpid()));
    QCOMPARE(entry.startedAt, now - 1h);
    QVERIFY(entry.running);
    QVERIFY(entry.problem.isEmpty());

    QVERIFY(std::filesystem::remove(*path));
    QTRY_COMPARE(finder.agents().size(), 1);
    QCOMPARE(finder.agents().front().run, younger.run);
    const int before = changes;
    for (int i = 0; i < 3; ++i) {
        finder.look();
        finishLooking();
    }
    QCOMPARE(changes, before); // nothing new, nothing told
}

void TestAgentFinder::tellsWhatIsLeftBehindOrBroken()
{
    QTemporaryDir scratch;
    const std::filesystem::path directory(scratch.path().toStdString());
    const WallTime now{std::chrono::hours(500'000)};
    auto gone = agent(1, ::getpid(), now);
    gone.processStart += 1; // its process id belongs to another process now
    const auto running = agent(2, ::getpid(), now - 5h);
    QVERIFY(link::writeAccessFile(directory, gone).ok());
    QVERIFY(link::writeAccessFile(directory, running).ok());
    const auto broken = directory / link::accessFileName(RunId::random(), Epoch(1));
    std::ofstream(broken) << "{";
    std::filesystem::permissions(broken, std::filesystem::perms::owner_read);
    AgentFinder finder(directory, nullptr, 20ms);
    QTRY_COMPARE(finder.agents().size(), 3);
    QCOMPARE(finder.agents().at(0).run, running.run);
    QVERIFY(finder.agents().at(0).running);
    QCOMPARE(finder.agents().at(1).run, gone.run);
    QVERIFY(!finder.agents().at(1).running);
    QVERIFY(!finder.agents().at(2).running);
    QVERIFY2(
        finder.agents().at(2).problem.contains(QString::fromStdString(broken.filename().string())),
        qPrintable(finder.agents().at(2).problem));
}

void TestAgentFinder::goneWhileItLooks()
{
    QTemporaryDir scratch;
    for (int i = 0; i < 20; ++i) {
        AgentFinder finder(scratch.path().toStdString(), nullptr, 1ms);
        finder.look();
    }
    finishLooking();
}

QTEST_GUILESS_MAIN(TestAgentFinder)

} // namespace tst_agentfinder

#include "tst_agentfinder.moc"

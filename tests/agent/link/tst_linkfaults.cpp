// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkfixture.h"

#include "host/hostidentity.h"
#include "wire/handshake.h"
#include "wire/linkcodec.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_linkfaults {

namespace fs = std::filesystem;
using namespace tasuki;
using namespace tasuki::link;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto patienceMs = 20'000;

/// The first three messages of a handshake that would be right.
struct Handshake {
    explicit Handshake(const AccessFile& access)
        : client({.token = access.token,
                  .nonce = randomSecret(),
                  .run = {},
                  .programVersion = "test",
                  .operatorName = "mallory@here",
                  .protocol = {}})
    {}
    ClientHandshake client;
};

std::string framedBytes(const ClientMessage& message) { return frame(encode(message)).value(); }

} // namespace

/// Windows that misbehave: each is told apart, dropped with one line, and nobody else notices.
/// What breaks it: a stopped window that makes the server grow or wait, a check left out.
class TestLinkFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void badClients_data();
    void badClients();
    void slowHandshakeIsCutOff();
    void replayedSessionIsRefused();
    void crowdsAreLimited();
    void silentCrowdLocksNobodyOut();
    void stoppedWindowBesideHealthyOnes();
    void stoppedWindowIsDroppedInTheEnd();
    void lateLinkThreadFallsBackToTheRunFile();
    void cannotStart();
    void leftoversAreReplaced();
    void listenOption_data();
    void listenOption();
    void descriptorsAreNotInherited();
};

void TestLinkFaults::badClients_data()
{
    using Act = std::function<void(LinkClient&, const AccessFile&)>;
    QTest::addColumn<Act>("act");
    QTest::addColumn<QString>("line");
    const auto row = [](const char* name, const Act& act, const char* line) {
        QTest::newRow(name) << act << line;
    };
    row(
        "garbage", [](auto& c, auto&) { c.sendBytes("GET / HTTP/1.1\r\n\r\n"); },
        "dropped: sent a message of 542393671 bytes where at most 4096 are expected");
    row(
        "garbage in a frame", [](auto& c, auto&) { c.sendBytes(frame("\xff\xff\xff").value()); },
        "dropped: malformed message: bytes that make no message");
    row(
        "unknown kind", [](auto& c, auto&) { c.sendBytes(frame("\xfa\x01\x00").value()); },
        "dropped: malformed message");
    row(
        "empty frame", [](auto& c, auto&) { c.sendBytes(std::string(4, '\0')); },
        "dropped: sent a message without content");
    row(
        "oversized hello",
        [](auto& c, auto&) {
            ClientHello hello;
            hello.operatorName = std::string(5000, 'm');
            c.send(hello);
        },
        "where at most 4096 are expected");
    row(
        "command before the handshake",
        [](auto& c, auto&) {
            c.send(CommandRequest{1, StopRun{}});
        },
        "sent a message that has no place in the handshake");
    row(
        "nonce of zero bytes",
        [](auto& c, auto&) { c.sendBytes(frame("\x0a\x02\x08\x01").value()); },
        "dropped: malformed message: a nonce or proof that is not 32 bytes long");
    row(
        "newer version",
        [](auto& c, auto&) {
            ClientHello hello;
            hello.protocol = {2, 0};
            hello.programVersion = "9.9\nx";
            c.send(hello);
            const auto refused = c.template await<Refused>();
            QVERIFY(refused);
            QVERIFY(refused->reason.find("the window (Tasuki 9.9\\x0ax) version 2.0")
                    != std::string::npos);
        },
        "refused: the agent (Tasuki 0.1.0) speaks version 1.10");
    row(
        "another run",
        [](auto& c, auto&) { QVERIFY(!c.join("ffffffffffffffffffffffffffffffff").empty()); },
        "refused: run ffffffffffffffffffffffffffffffff is wanted");
    row(
        "wrong token",
        [](auto& c, auto& access) {
            AccessFile wrong = access;
            wrong.token = randomSecret();
            // Goes on although the agent's proof does not fit.
            c.send(Handshake(wrong).client.start());
            QVERIFY(c.template await<ServerHello>());
            c.send(ClientProof{randomSecret()});
            QVERIFY(c.template await<Refused>());
        },
        "refused: the window does not know the token of this agent");
    row(
        "the agent's proof handed back",
        [](auto& c, auto& access) {
            c.send(Handshake(access).client.start());
            const auto hello = c.template await<ServerHello>();
            QVERIFY(hello);
            c.send(ClientProof{hello->proof});
        },
        "refused: the window does not know the token of this agent");
    row(
        "goes away",
        [](auto& c, auto& access) {
            c = LinkClient(access);
            c.sendBytes("\x05");
        },
        "went away during the handshake");
    row(
        "second handshake",
        [](auto& c, auto& access) {
            QCOMPARE(c.join(), "");
            c.send(Handshake(access).client.start());
        },
        "dropped: began a second handshake");
    row(
        "garbage after the handshake",
        [](auto& c, auto&) {
            QCOMPARE(c.join(), "");
            c.sendBytes(framedBytes(Ping{1}) + frame("\xff\xff").value());
        },
        "dropped: malformed message");
    row(
        "oversized after the handshake",
        [](auto& c, auto&) {
            QCOMPARE(c.join(), "");
            c.sendBytes(std::string("\x01\x00\x00\x01", 4));
        },
        "dropped: sent a message of 16777217 bytes where at most 16777216 are expected");
}

void TestLinkFaults::badClients()
{
    QFETCH(std::function<void(LinkClient&, const AccessFile&)>, act);
    QFETCH(QString, line);
    LinkFixture farm;
    farm.start();
    auto healthy = farm.window();
    QVERIFY(healthy);
    {
        LinkClient bad(farm.access());
        act(bad, farm.access());
        if (!QByteArray(QTest::currentDataTag()).startsWith("goes"))
            QVERIFY(bad.isDropped());
    }
    QTRY_VERIFY_WITH_TIMEOUT(!farm.log->matching(Severity::Warning, line.toStdString()).empty(),
                             patienceMs);
    farm.publish(500);
    QVERIFY(healthy->receiveUpTo(farm.run.last()));
    QVERIFY(healthy->collector.events() == farm.run.recorded());
    const std::size_t expected = QByteArray(QTest::currentDataTag()).startsWith("goes") ? 2 : 1;
    QTRY_COMPARE_WITH_TIMEOUT(farm.log->matching(Severity::Warning).size(), expected, patienceMs);
    for (const std::string& one : farm.log->matching(Severity::Warning))
        QVERIFY2(one.find('\n') == std::string::npos, one.c_str());
}

void TestLinkFaults::slowHandshakeIsCutOff()
{
    LinkFixture farm;
    farm.limits.handshake = 100ms;
    farm.start();
    LinkClient silent(farm.access());
    LinkClient halfWay(farm.access(), LinkClient::Over::Tcp);
    halfWay.send(Handshake(farm.access()).client.start());
    QVERIFY(silent.isDropped());
    QVERIFY(halfWay.isDropped());
    QCOMPARE(farm.log->matching(Severity::Warning, "did not complete the handshake in time").size(),
             std::size_t{2});
    // The deadline is over for those who are in.
    LinkClient window(farm.access());
    QCOMPARE(window.join(), "");
    LinkClient later(farm.access());
    QVERIFY(later.isDropped()); // it came after the window, whose deadline would be over by now
    QVERIFY(window.send(Ping{1}));
    QVERIFY(window.await<Pong>());
}

/// Everything that a window said in a session that was let in, said once more.
void TestLinkFaults::replayedSessionIsRefused()
{
    LinkFixture farm;
    farm.start();
    Handshake good(farm.access());
    std::string recorded = framedBytes(good.client.start());
    LinkClient first(farm.access());
    QVERIFY(first.sendBytes(recorded));
    const auto hello = first.await<ServerHello>();
    QVERIFY(hello);
    const std::string proof = framedBytes(*good.client.receive(*hello).send);
    QVERIFY(first.sendBytes(proof));
    QVERIFY(first.await<Welcome>());
    recorded += proof + framedBytes(CommandRequest{1, StopRun{true}});

    LinkClient second(farm.access());
    QVERIFY(second.sendBytes(recorded));
    QVERIFY(second.await<Refused>());
    QVERIFY(second.isDropped());
    QCOMPARE(farm.log->matching(Severity::Warning).size(), std::size_t{1});
}

void TestLinkFaults::crowdsAreLimited()
{
    LinkFixture farm;
    farm.limits.unauthenticatedUnix = 3;
    farm.limits.authenticated = 2;
    farm.start();
    LinkClient one(farm.access());
    QCOMPARE(one.join(), "");
    LinkClient two(farm.access());
    QCOMPARE(two.join(), "");
    LinkClient tooMany(farm.access());
    QCOMPARE(tooMany.join(),
             "refused by the agent: 2 windows are connected to this agent, more are "
             "not let in; close one");
    // Of those who say nothing the oldest goes, whatever comes; who knows the token always gets in.
    std::vector<std::unique_ptr<LinkClient>> strangers;
    for (int i = 0; i < 4; ++i)
        strangers.push_back(std::make_unique<LinkClient>(farm.access()));
    QVERIFY(strangers.front()->isDropped());
    QCOMPARE(farm.log->matching(Severity::Warning, "when others came").size(), std::size_t{1});
    two = LinkClient(farm.access());
    QTRY_VERIFY_WITH_TIMEOUT(LinkClient(farm.access()).join().empty(), patienceMs);
    QVERIFY(one.send(Ping{1}));
    QVERIFY(one.await<Pong>());
}

/// Fails if silent connections lock a window out, over their own socket or the other one, or if each of
/// them makes a line of log.
void TestLinkFaults::silentCrowdLocksNobodyOut()
{
    LinkFixture farm;
    farm.limits.unauthenticatedTcp = 8;
    farm.start();
    std::vector<std::unique_ptr<LinkClient>> crowd;
    for (int i = 0; i < 300; ++i)
        crowd.push_back(std::make_unique<LinkClient>(farm.access(), LinkClient::Over::Tcp));
    LinkClient overUnix(farm.access());
    QCOMPARE(overUnix.join(), "");
    LinkClient overTcp(farm.access(), LinkClient::Over::Tcp);
    QCOMPARE(overTcp.join(), "");
    QVERIFY(crowd.front()->isDropped());
    QVERIFY(farm.log->matching(Severity::Warning).size() <= 4);
}

/// A window that reads nothing costs bounded memory and nobody's time, and catches up when it reads.
void TestLinkFaults::stoppedWindowBesideHealthyOnes()
{
    LinkFixture farm;
    farm.limits.recentBytes = 64 * 1024;
    farm.limits.frameBytes = 16 * 1024;
    farm.start();
    auto stopped = farm.window();
    QVERIFY(stopped);
    QVERIFY(stopped->receiveUpTo({}));
    auto one = farm.window();
    auto two = farm.window({}, LinkClient::Over::Tcp);
    QVERIFY(one && two);
    // Far more than the sockets of a window hold.
    constexpr int rounds = 60;
    for (int i = 0; i < rounds; ++i) {
        farm.server->published(farm.run.commitAttempts(500, 0));
        QVERIFY(one->receiveUpTo(farm.run.last()));
        QVERIFY(two->receiveUpTo(farm.run.last()));
    }
    const auto recorded = farm.run.recorded();
    for (auto* window : {one.get(), two.get()}) {
        QVERIFY2(window->collector.problem().empty(), window->collector.problem().c_str());
        QVERIFY(window->collector.events() == recorded);
    }
    QVERIFY(stopped->receiveUpTo(farm.run.last()));
    QVERIFY2(stopped->collector.problem().empty(), stopped->collector.problem().c_str());
    QVERIFY(stopped->collector.events() == recorded);
    QVERIFY(stopped->collector.gaps() >= 1);
    QCOMPARE(stopped->collector.resets(), std::size_t{1});
    // It is live again: what comes now comes once.
    farm.server->published(farm.run.commitAttempts(10, 0));
    QVERIFY(stopped->receiveUpTo(farm.run.last()));
    QVERIFY(stopped->collector.events() == farm.run.recorded());
}

void TestLinkFaults::stoppedWindowIsDroppedInTheEnd()
{
    LinkFixture farm;
    farm.limits.stalled = 2'000ms; // the healthy one must read within it, on a busy machine too
    farm.start();
    farm.server->published(farm.run.commitAttempts(60'000, 0));
    auto healthy = farm.window();
    QVERIFY(healthy);
    QVERIFY(healthy->receiveUntil([&] { return healthy->collector.live(); }));
    auto stopped = farm.window();
    QVERIFY(stopped);
    farm.server->published(farm.run.commitAttempts(1000, 0));
    QVERIFY(healthy->receiveUpTo(farm.run.last()));
    auto later = farm.window();
    QVERIFY(later);
    QTRY_VERIFY_WITH_TIMEOUT(
        !farm.log->matching(Severity::Warning, "dropped: has read nothing for too long").empty(),
        patienceMs);
    QVERIFY(healthy->send(Ping{1}));
    QVERIFY(healthy->await<Pong>());
}

/// So much is published at once that the inbox forgets: nothing is lost all the same.
void TestLinkFaults::lateLinkThreadFallsBackToTheRunFile()
{
    LinkFixture farm(6);
    farm.limits.inboxEvents = 50;
    farm.limits.coalesce = 1ms;
    farm.start();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->receiveUpTo({}));
    for (int i = 0; i < 40; ++i) {
        farm.publish(10);
        farm.publish(60);
        farm.publish(1);
    }
    QVERIFY(window->receiveUpTo(farm.run.last()));
    QVERIFY2(window->collector.problem().empty(), window->collector.problem().c_str());
    QVERIFY(window->collector.events() == farm.run.recorded());
    QVERIFY(window->collector.gaps() >= 1);
}

void TestLinkFaults::cannotStart()
{
    LinkFixture farm;
    const auto failure = [&](const LinkOptions& options) {
        const auto started = LinkServer::start(options, {});
        return started ? std::string("started") : started.error().text();
    };
    LinkOptions options = farm.options();
    options.runFile = farm.run.directory() / "missing.tasuki";
    QVERIFY(failure(options).find("missing.tasuki") != std::string::npos);

    options = farm.options();
    options.tcp = TcpAddress{"0.0.0.0", 0};
    QVERIFY(failure(options).find("is no address of this host alone") != std::string::npos);

    options = farm.options();
    options.socketDirectory = farm.run.directory() / std::string(100, 'd');
    QVERIFY(failure(options).find("set TASUKI_SOCKET_DIR to a directory with a shorter name")
            != std::string::npos);

    options = farm.options();
    options.socketDirectory = farm.run.directory() / "open";
    fs::create_directory(options.socketDirectory);
    ::chmod(options.socketDirectory.c_str(), 0755);
    QVERIFY(failure(options).find("is open to other users (mode 755)") != std::string::npos);

    options = farm.options();
    options.accessDirectory = farm.run.file();
    QVERIFY(failure(options).find("is no directory") != std::string::npos);
    // A server that did not start leaves no socket.
    QVERIFY(fs::is_empty(farm.run.directory() / "sockets"));

    farm.start();
    options = farm.options();
    options.accessDirectory = farm.run.directory() / "other agents";
    options.socketDirectory = farm.run.directory() / "other sockets";
    options.tcp = farm.server->tcp();
    QVERIFY(failure(options).find("cannot listen on 127.0.0.1:") != std::string::npos);
    options.tcp.reset();
    QCOMPARE(failure(options), "started");
}

/// What an agent that was killed left is no hindrance, and goes.
void TestLinkFaults::leftoversAreReplaced()
{
    LinkFixture farm;
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0);
    const auto options = farm.options();
    AccessFile dead;
    dead.run = farm.run.id();
    dead.epoch = Epoch(6);
    dead.runFile = farm.run.file().native();
    dead.hostKey = hostIdentity().key;
    dead.pid = child;
    dead.socket = (options.socketDirectory / "dead.sock").native();
    const auto left = writeAccessFile(options.accessDirectory, dead).value();
    AccessFile other = dead;
    other.run = RunId::random();
    const auto ofOtherRun = writeAccessFile(options.accessDirectory, other).value();
    farm.start();
    QVERIFY(!fs::exists(left));
    QVERIFY(fs::exists(ofOtherRun));
    QVERIFY(LinkClient(farm.access()).join().empty());
}

void TestLinkFaults::listenOption_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("result");
    const auto row = [](const char* value, const char* result) {
        QTest::newRow(value) << value << result;
    };
    row("none", "none");
    row("127.0.0.1", "127.0.0.1 0");
    row("127.0.0.1:0", "127.0.0.1 0");
    row("127.8.9.10:65535", "127.8.9.10 65535");
    row("::1", "::1 0");
    row("[::1]", "::1 0");
    row("[::1]:80", "::1 80");
    row("127.0.0.1:65536", "'65536' is no port");
    row("127.0.0.1:", "'' is no port");
    row("127.0.0.1:8x", "'8x' is no port");
    row("127.0.0.1:-1", "'-1' is no port");
    row("localhost", "'localhost' is no numeric address");
    row("", "'' is no numeric address");
    row("[::1", "'[::1' is no numeric address");
    row("[::1]80", "'[::1]80' is no numeric address");
    row("0.0.0.0", "other hosts reach this address");
    row("192.168.1.1:80", "other hosts reach this address");
    row("::", "other hosts reach this address");
}

void TestLinkFaults::listenOption()
{
    QFETCH(QString, value);
    QFETCH(QString, result);
    const auto parsed = parseListen(value.toStdString());
    if (parsed) {
        const QString text = *parsed
            ? QString("%1 %2").arg(QString::fromStdString((*parsed)->address)).arg((*parsed)->port)
            : "none";
        QCOMPARE(text, result);
        return;
    }
    const QString text = QString::fromStdString(parsed.error().text());
    QVERIFY2(text.startsWith("--listen " + value + ": "), qPrintable(text));
    QVERIFY2(text.contains(result), qPrintable(text));
    QVERIFY2(text.contains("; "), qPrintable(text));
}

/// Tasks must not hold the agent's sockets open.
void TestLinkFaults::descriptorsAreNotInherited()
{
    LinkFixture farm;
    farm.start();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->receiveUpTo({}));
    std::size_t sockets = 0;
    // Looked at from outside: other threads use and close them meanwhile.
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
        std::error_code closed;
        const std::string target = fs::read_symlink(entry.path(), closed).string();
        const int fd = std::stoi(entry.path().filename().string());
        if (!target.starts_with("socket:") || fd <= STDERR_FILENO)
            continue;
        std::ifstream info("/proc/self/fdinfo/" + std::to_string(fd));
        int flags = 0;
        for (std::string word; info >> word;)
            if (word == "flags:")
                info >> std::oct >> flags;
        ++sockets;
        QVERIFY2((flags & O_CLOEXEC) != 0, entry.path().c_str());
    }
    // Two that listen, both ends of a window.
    QVERIFY(sockets >= 4);
}

QTEST_GUILESS_MAIN(TestLinkFaults)

} // namespace tst_linkfaults

#include "tst_linkfaults.moc"

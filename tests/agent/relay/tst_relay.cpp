// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "agent/link/linkfixture.h"

#include "relay/agentsocket.h"
#include "relay/bytepump.h"
#include "relay/recordserver.h"

#include <array>
#include <random>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

namespace tst_relay {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::relay;
using namespace tasuki::testing;

namespace {

std::string randomBytes(std::uint32_t seed, std::size_t size)
{
    std::mt19937 random(seed);
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

/// Two ends of a connection.
struct Pair {
    UniqueFd ours;
    UniqueFd theirs;

    Pair()
    {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            qFatal("no socket pair");
        ours = UniqueFd(ends[0]);
        theirs = UniqueFd(ends[1]);
    }
};

void writeSlowly(int to, const std::string& bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t count = ::write(to, bytes.data() + at,
                                      std::min<std::size_t>(bytes.size() - at, 70'001));
        if (count <= 0)
            return;
        at += static_cast<std::size_t>(count);
    }
}

std::string readUpTo(int from, std::size_t size)
{
    std::string bytes(size, '\0');
    std::size_t at = 0;
    while (at < size) {
        const ssize_t count = ::read(from, bytes.data() + at,
                                     std::min<std::size_t>(size - at, 9'999));
        if (count <= 0)
            break;
        at += static_cast<std::size_t>(count);
    }
    bytes.resize(at);
    return bytes;
}

} // namespace

/// What breaks it: bytes that are lost, a reader that stops and stops the other direction with it, a record of which
/// windows see less than of its agent.
class TestRelay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothWays()
    {
        Pair far;
        Pair agent;
        Result<void> pumped;
        std::thread pump([&] {
            pumped = pumpBytes(
                {.input = far.theirs.get(),
                 .output = far.theirs.get(),
                 .socket = agent.theirs.get()},
                [] { return true; }, 50ms);
            far.theirs.reset();
        });
        const std::string up = randomBytes(1, 3'000'000);
        const std::string down = randomBytes(2, 5'000'000);
        std::thread writesDown([&] {
            writeSlowly(agent.ours.get(), down);
            ::shutdown(agent.ours.get(), SHUT_WR);
        });
        // Nobody reads what comes down; what goes up is carried all the same.
        std::thread writesUp([&] { writeSlowly(far.ours.get(), up); });
        const std::string above = readUpTo(agent.ours.get(), up.size());
        const std::string below = readUpTo(far.ours.get(), down.size() + 1);
        writesUp.join();
        writesDown.join();
        pump.join();
        QVERIFY(above == up);
        // All that the agent had said before it ended.
        QVERIFY(below == down);
        QVERIFY(pumped.ok());
    }

    void endsWithTheFarSide()
    {
        Pair far;
        Pair agent;
        std::thread pump([&] {
            static_cast<void>(pumpBytes(
                {.input = far.theirs.get(),
                 .output = far.theirs.get(),
                 .socket = agent.theirs.get()},
                [] { return true; }, 10s));
        });
        far.ours.reset();
        pump.join();
    }

    void endsWhenTold()
    {
        Pair far;
        Pair agent;
        int ticks = 0;
        QVERIFY(pumpBytes(
                    {.input = far.theirs.get(),
                     .output = far.theirs.get(),
                     .socket = agent.theirs.get()},
                    [&] { return ++ticks < 4; }, 5ms)
                    .ok());
        QCOMPARE(ticks, 4);
    }

    void sockets()
    {
        LinkFixture agent;
        agent.start();
        link::AccessFile access = agent.access();
        QVERIFY(connectToAgent(access).ok());
        access.socket += ".gone";
        QVERIFY2(connectToAgent(access).ok(), "over TCP");
        access.tcpAddress.clear();
        QVERIFY(!connectToAgent(access).ok());
        access.tcpAddress = "no address";
        QVERIFY(!connectToAgent(access).ok());
        access.socket = std::string(200, 'x');
        QVERIFY(!connectToAgent(access).ok());
    }

    void recordAnswers()
    {
        TestRun run(7);
        run.commit(2'000);
        auto server = RecordServer::start(run.file());
        QVERIFY2(server.ok(), server ? "" : server.error().text().c_str());
        const std::filesystem::path socket = (*server)->access().socket;
        {
            LinkClient window((*server)->access());
            QCOMPARE(window.join(), std::string());
            QVERIFY(window.send(link::Subscribe{}));
            QVERIFY(window.receiveUpTo(run.last()));
            QVERIFY(window.collector.events() == run.recorded());

            // Somebody goes on writing it.
            run.commit(500);
            QVERIFY((*server)->renew().ok());
            QVERIFY(window.receiveUpTo(run.last()));
            QVERIFY(window.collector.events() == run.recorded());
            QCOMPARE(window.collector.problem(), std::string());

            QVERIFY(window.send(link::CommandRequest{.number = 1, .command = StopRun{}}));
            const auto refused = window.await<link::CommandReply>();
            QVERIFY(refused && !refused->answer.accepted);
            askForTask(window, run);
        }
        server->reset();
        QVERIFY(!std::filesystem::exists(socket.parent_path()));
        QVERIFY(!RecordServer::start(run.directory() / "nothing.tasuki").ok());
    }

    void recordHasOutput()
    {
        TestRun run(8);
        run.commitAttempts(3, 5'000);
        auto server = RecordServer::start(run.file());
        QVERIFY(server.ok());
        LinkClient window((*server)->access());
        QCOMPARE(window.join(), std::string());
        askForOutput(window, run);
    }

private:
    static void askForTask(LinkClient& window, const TestRun& run)
    {
        std::optional<TaskAdded> added;
        for (const Event& event : run.recorded()) {
            if (const auto* one = std::get_if<TaskAdded>(&event.payload))
                added = *one;
            if (const auto* one = std::get_if<TaskChanged>(&event.payload))
                if (added && one->id == added->id)
                    added->task = one->task;
        }
        QVERIFY(added);
        QVERIFY(window.send(link::TaskRequest{.number = 2, .id = added->id}));
        const auto reply = window.await<link::TaskReply>();
        QVERIFY(reply && reply->known && reply->task == added->task);
        QVERIFY(window.send(link::TaskRequest{.number = 3, .id = TaskId(4'000'000)}));
        const auto none = window.await<link::TaskReply>();
        QVERIFY(none && !none->known);
    }

    static void askForOutput(LinkClient& window, const TestRun& run)
    {
        std::optional<AttemptFinished> ended;
        for (const Event& event : run.recorded())
            if (const auto* one = std::get_if<AttemptFinished>(&event.payload))
                if (one->result.standardOutput.totalBytes >= 5'000)
                    ended = *one;
        QVERIFY(ended);
        QVERIFY(window.send(link::OutputRequest{
            .number = 4,
            .query = {.key = ended->key, .standardOutputFrom = 0, .standardErrorFrom = 0}}));
        const auto reply = window.await<link::OutputReply>();
        QVERIFY(reply && reply->answer.known);
        QVERIFY(!reply->answer.standardOutput.bytes.empty());
    }
};

QTEST_APPLESS_MAIN(TestRelay)

} // namespace tst_relay

#include "tst_relay.moc"

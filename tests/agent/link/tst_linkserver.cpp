// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkfixture.h"

#include "host/hostidentity.h"
#include "link/listening.h"
#include "wire/handshake.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace tst_linkserver {

using namespace tasuki;
using namespace tasuki::link;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto patienceMs = 20'000;

/// Each thing that happens to a window must be told once.
bool logsOnce(const LinkFixture& farm, Severity severity, const std::string& text)
{
    return farm.log->matching(severity, text).size() == 1;
}

} // namespace

/// The server with real sockets: windows that come early, late and again, requests and answers, the
/// status, the end. What breaks it: an event lost or doubled between snapshot and stream.
class TestLinkServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void joinsBeforeTheFirstEvent();
    void joinsLate_data();
    void joinsLate();
    void joinsWhileEventsCome();
    void resubscribesAtEveryPosition();
    void comesBackAfterTheAgentWasResumed();
    void successorTakesTheAccessFileOver();
    void welcomeAndAccessFileTell();
    void statusReachesEverybody();
    void commandsAreAnswered();
    void answersMayComeLate();
    void requestsWaitWhenManyAreOpen();
    void outputOfRunningAndFinishedAttempts();
    void wholeTasksAreTold();
    void withoutCallbacksRequestsAreAnsweredToo();
    void closeSendsEverythingAndBye();
    void dropSaysNothing();
    void closeDoesNotWaitForTheStopped();
    void publishingAfterTheEndIsIgnored();
};

void TestLinkServer::joinsBeforeTheFirstEvent()
{
    LinkFixture farm;
    farm.start();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->receiveUpTo({}));
    QVERIFY(window->collector.latestSnapshot() == (SnapshotBegin{true, {}, {}}));
    for (int i = 0; i < 20; ++i)
        farm.publish(37);
    QVERIFY(window->receiveUpTo(farm.run.last()));
    QVERIFY2(window->collector.problem().empty(), window->collector.problem().c_str());
    QVERIFY(window->collector.events() == farm.run.recorded());
    QCOMPARE(window->collector.snapshots(), std::size_t{1});
    // Batches that come at once travel together.
    QVERIFY2(window->collector.frames() < 20,
             qPrintable(QString::number(window->collector.frames())));
}

void TestLinkServer::joinsLate_data()
{
    QTest::addColumn<bool>("tcp");
    QTest::addColumn<bool>("startedLate");
    QTest::newRow("unix socket") << false << false;
    QTest::newRow("tcp") << true << false;
    QTest::newRow("server started on a file with events") << false << true;
}

void TestLinkServer::joinsLate()
{
    QFETCH(bool, tcp);
    QFETCH(bool, startedLate);
    LinkFixture farm;
    if (startedLate)
        farm.run.commit(3000);
    farm.start();
    farm.publish(3000);
    auto window = farm.window({}, tcp ? LinkClient::Over::Tcp : LinkClient::Over::Unix);
    QVERIFY(window);
    QVERIFY(window->receiveUpTo(farm.run.last()));
    farm.publish(50);
    QVERIFY(window->receiveUpTo(farm.run.last()));
    QVERIFY2(window->collector.problem().empty(), window->collector.problem().c_str());
    QVERIFY(window->collector.events() == farm.run.recorded());
    QCOMPARE(window->collector.resets(), std::size_t{1});
    QCOMPARE(window->collector.gaps(), std::size_t{0});
}

/// The seam between snapshot and stream, under load.
void TestLinkServer::joinsWhileEventsCome()
{
    LinkFixture farm(3);
    farm.limits.coalesce = 1ms;
    farm.limits.frameBytes = 2000;
    farm.start();
    farm.publish(5000);
    std::atomic<bool> enough = false;
    std::thread reactor([&] {
        for (int i = 0; i < 400 || (i < 3000 && !enough); ++i)
            farm.publish(20);
    });
    std::vector<std::unique_ptr<LinkClient>> windows;
    for (int i = 0; i < 8; ++i) {
        windows.push_back(farm.window());
        if (windows.back())
            windows.back()->receiveUntil([&] { return windows.back()->collector.live(); });
    }
    enough = true;
    reactor.join();
    const auto recorded = farm.run.recorded();
    for (auto& window : windows) {
        QVERIFY(window);
        QVERIFY(window->receiveUpTo(farm.run.last()));
        QVERIFY2(window->collector.problem().empty(), window->collector.problem().c_str());
        QVERIFY(window->collector.events() == recorded);
    }
}

void TestLinkServer::resubscribesAtEveryPosition()
{
    LinkFixture farm(2);
    farm.start();
    farm.publish(150);
    const auto recorded = farm.run.recorded();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->receiveUpTo(farm.run.last()));
    std::size_t snapshots = window->collector.snapshots();
    for (std::size_t known = 1; known <= recorded.size(); ++known) {
        std::vector<Event> kept(recorded.begin(),
                                recorded.begin() + static_cast<std::ptrdiff_t>(known));
        const EventId after = kept.back().id;
        window->collector.keep(std::move(kept));
        QVERIFY(window->send(Subscribe{farm.run.id(), after}));
        ++snapshots;
        QVERIFY(window->receiveUntil([&] { return window->collector.snapshots() == snapshots; }));
        QVERIFY2(window->collector.problem().empty(), window->collector.problem().c_str());
        QVERIFY(window->collector.latestSnapshot()
                == (SnapshotBegin{false, after, farm.run.last()}));
        QVERIFY(window->collector.events() == recorded);
    }
    // And goes on from there.
    farm.publish(10);
    QVERIFY(window->receiveUpTo(farm.run.last()));
    QVERIFY(window->collector.events() == farm.run.recorded());
    QCOMPARE(window->collector.resets(), std::size_t{1});
}

void TestLinkServer::comesBackAfterTheAgentWasResumed()
{
    LinkFixture farm(4);
    farm.start();
    auto before = farm.window();
    QVERIFY(before);
    farm.publish(200);
    QVERIFY(before->receiveUpTo(farm.run.last()));
    const EventId known = before->collector.last();
    farm.server->close("the agent is killed");
    farm.run.commit(100);
    farm.start();
    farm.publish(100);

    LinkClient after(farm.access());
    QCOMPARE(after.join(farm.run.id().hex), "");
    after.collector.keep(before->collector.events());
    QVERIFY(after.send(Subscribe{farm.run.id(), known}));
    QVERIFY(after.receiveUpTo(farm.run.last()));
    QCOMPARE(after.collector.resets(), std::size_t{0});
    QVERIFY2(after.collector.problem().empty(), after.collector.problem().c_str());
    QVERIFY(after.collector.events() == farm.run.recorded());

    // What a window knows of another run, or beyond the record, is worth nothing.
    for (const Subscribe& wish : {Subscribe{RunId::random(), known},
                                  Subscribe{farm.run.id(), {Epoch(1'000'000), Sequence(1)}},
                                  Subscribe{farm.run.id(), {known.epoch, Sequence(1'000'000)}}}) {
        auto window = farm.window(wish);
        QVERIFY(window);
        QVERIFY(window->receiveUpTo(farm.run.last()));
        QCOMPARE(window->collector.resets(), std::size_t{1});
        QVERIFY(window->collector.events() == farm.run.recorded());
    }
}

void TestLinkServer::successorTakesTheAccessFileOver()
{
    LinkFixture farm;
    farm.start();
    const std::filesystem::path path = farm.server->access();
    AccessFile lost = farm.access();
    farm.server.reset();
    // What a master leaves that was killed, in the same epoch: another process, a dead socket.
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(0);
    QVERIFY(pid > 0);
    QCOMPARE(::waitpid(pid, nullptr, 0), pid);
    lost.pid = pid;
    lost.socket += ".lost";
    QVERIFY(listenOnPath(lost.socket).ok());
    QVERIFY(std::filesystem::exists(lost.socket));
    QVERIFY(writeAccessFile(path.parent_path(), lost).ok());

    farm.start();
    QCOMPARE(farm.server->access(), path);
    const AccessFile now = farm.access();
    QCOMPARE(now.epoch, lost.epoch);
    QVERIFY(now.token != lost.token);
    QVERIFY(now.socket != lost.socket);
    QVERIFY(!std::filesystem::exists(lost.socket));
    QVERIFY(std::filesystem::exists(now.socket));
    QVERIFY(farm.window() != nullptr);
    // Nothing half-written is left beside it.
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path()))
        QVERIFY2(!entry.path().native().starts_with(path.native() + '.'), entry.path().c_str());
}

void TestLinkServer::welcomeAndAccessFileTell()
{
    LinkFixture farm;
    farm.start();
    const AccessFile access = farm.access();
    QCOMPARE(access.run.hex, farm.run.id().hex);
    QCOMPARE(access.epoch, Epoch(7));
    QCOMPARE(access.runFile, farm.run.file().native());
    QCOMPARE(access.title, "tasks.sh");
    QCOMPARE(access.pid, std::int64_t{::getpid()});
    QVERIFY(!isStale(access, hostIdentity().key));
    QCOMPARE(access.socket, farm.server->socket());
    QCOMPARE(access.tcpPort, farm.server->tcp()->port);
    QVERIFY(access.tcpPort != 0);

    LinkClient window(access);
    QCOMPARE(window.join(farm.run.id().hex), "");
    QCOMPARE(window.welcome()->run.hex, farm.run.id().hex);
    QCOMPARE(window.welcome()->epoch, Epoch(7));
    QCOMPARE(window.welcome()->runFile, farm.run.file().native());
    QCOMPARE(window.welcome()->directory, "/where it began");
    QCOMPARE(window.welcome()->host, hostIdentity().name);
    QVERIFY(!window.welcome()->serve);
    QVERIFY(logsOnce(farm, Severity::Information, "window 1 (tester@here, unix socket): joined"));
    // Not subscribed: no events.
    farm.publish(10);
    QVERIFY(window.send(Ping{3}));
    QVERIFY(window.await<Pong>() == Pong{3});
    QCOMPARE(window.collector.frames(), std::size_t{0});
}

void TestLinkServer::statusReachesEverybody()
{
    LinkFixture farm;
    farm.start();
    LinkClient early(farm.access());
    QCOMPARE(early.join(), "");
    Status status;
    status.phase = "running";
    status.slots = 8;
    status.outstanding = 5;
    farm.server->status(status);
    QVERIFY(early.await<Status>() == status);
    LinkClient late(farm.access());
    QCOMPARE(late.join(), "");
    QVERIFY(late.await<Status>() == status);
    status.phase = "draining";
    status.stalled = "the disk is full";
    farm.server->status(status);
    QVERIFY(early.await<Status>() == status);
    QVERIFY(late.await<Status>() == status);
}

void TestLinkServer::commandsAreAnswered()
{
    LinkFixture farm;
    std::mutex mutex;
    std::vector<std::pair<std::string, OperatorCommand>> seen;
    farm.callbacks.command = [&](const ClientLabel& label, OperatorCommand command,
                                 const std::function<void(CommandAnswer)>& reply) {
        const bool stop = std::holds_alternative<StopRun>(command);
        {
            const std::lock_guard lock(mutex);
            seen.emplace_back(label.operatorName, std::move(command));
        }
        // From another thread, as the agent does.
        std::thread([reply, stop] {
            CommandAnswer answer;
            answer.accepted = !stop;
            answer.reason = stop ? "not now" : "";
            reply(answer);
        }).detach();
    };
    farm.start();
    LinkClient window(farm.access());
    QCOMPARE(window.join(), "");
    const OperatorCommand add = AddTasks{"echo 1\n", "typed"};
    QVERIFY(window.send(CommandRequest{41, add}));
    auto reply = window.await<CommandReply>();
    QVERIFY(reply);
    QCOMPARE(reply->number, std::uint64_t{41});
    QVERIFY(reply->answer.accepted);
    QVERIFY(window.send(CommandRequest{42, StopRun{true}}));
    reply = window.await<CommandReply>();
    QVERIFY(reply);
    QCOMPARE(reply->number, std::uint64_t{42});
    QCOMPARE(reply->answer.reason.text(), "not now");
    const std::lock_guard lock(mutex);
    QCOMPARE(seen.size(), std::size_t{2});
    QCOMPARE(seen[0].first, "tester@here");
    QVERIFY(seen[0].second == add);
    QVERIFY(seen[1].second == OperatorCommand(StopRun{true}));
}

/// A reply that is given when the window, or the server, is gone.
void TestLinkServer::answersMayComeLate()
{
    LinkFixture farm;
    std::mutex mutex;
    std::vector<std::function<void(CommandAnswer)>> replies;
    farm.callbacks.command = [&](const ClientLabel&, const OperatorCommand&,
                                 std::function<void(CommandAnswer)> reply) {
        const std::lock_guard lock(mutex);
        replies.push_back(std::move(reply));
    };
    const auto waiting = [&] {
        const std::lock_guard lock(mutex);
        return replies.size();
    };
    farm.start();
    {
        LinkClient window(farm.access());
        QCOMPARE(window.join(), "");
        QVERIFY(window.send(CommandRequest{1, StopRun{}}));
        QTRY_COMPARE_WITH_TIMEOUT(waiting(), std::size_t{1}, patienceMs);
    }
    QTRY_VERIFY_WITH_TIMEOUT(logsOnce(farm, Severity::Information, ": left"), patienceMs);
    replies[0]({});
    LinkClient window(farm.access());
    QCOMPARE(window.join(), "");
    QVERIFY(window.send(CommandRequest{2, StopRun{}}));
    QTRY_COMPARE_WITH_TIMEOUT(waiting(), std::size_t{2}, patienceMs);
    farm.server->close("over");
    replies[1]({});
    farm.server.reset();
    replies[1]({});
}

void TestLinkServer::requestsWaitWhenManyAreOpen()
{
    LinkFixture farm;
    farm.limits.openRequests = 4;
    std::mutex mutex;
    std::vector<std::function<void(CommandAnswer)>> replies;
    std::atomic<std::size_t> asked = 0;
    farm.callbacks.command = [&](const ClientLabel&, const OperatorCommand&,
                                 std::function<void(CommandAnswer)> reply) {
        const std::lock_guard lock(mutex);
        replies.push_back(std::move(reply));
        ++asked;
    };
    farm.start();
    LinkClient window(farm.access());
    QCOMPARE(window.join(), "");
    constexpr std::uint64_t count = 20;
    for (std::uint64_t i = 0; i < count; ++i)
        QVERIFY(window.send(CommandRequest{i, StopRun{}}));
    QTRY_COMPARE_WITH_TIMEOUT(asked.load(), std::size_t{4}, patienceMs);
    // The server has had all requests before it when it answers somebody who came later.
    LinkClient later(farm.access());
    QCOMPARE(later.join(), "");
    QVERIFY(later.send(Ping{1}));
    QVERIFY(later.await<Pong>());
    QCOMPARE(asked.load(), std::size_t{4});
    for (std::uint64_t i = 0; i < count; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(asked.load() > i, patienceMs);
        {
            const std::lock_guard lock(mutex);
            replies.at(i)({});
        }
        const auto reply = window.await<CommandReply>();
        QVERIFY(reply);
        QCOMPARE(reply->number, i);
    }
}

void TestLinkServer::outputOfRunningAndFinishedAttempts()
{
    LinkFixture farm;
    const AttemptKey running{TaskId(500), AttemptNumber(2)};
    farm.callbacks.output = [&](const OutputQuery& query,
                                const std::function<void(OutputAnswer)>& reply) {
        OutputAnswer answer;
        if (query.key == running)
            answer = {.key = query.key,
                      .known = true,
                      .running = true,
                      .standardOutput = {query.standardOutputFrom, "live", 40},
                      .standardError = {0, std::string(3 << 20, 'e'), 3 << 20}};
        reply(answer);
    };
    farm.start();
    farm.run.commitAttempts(5, 3000);
    LinkClient window(farm.access());
    QCOMPARE(window.join(), "");
    const auto ask = [&](const OutputQuery& query) {
        window.send(OutputRequest{9, query});
        return window.await<OutputReply>().value_or(OutputReply{}).answer;
    };
    OutputAnswer answer = ask({running, 7, 0});
    QVERIFY(answer.known && answer.running);
    QVERIFY(answer.standardOutput == (OutputPiece{7, "live", 40}));
    QCOMPARE(answer.standardError.bytes.size(), std::size_t{1} << 20);
    QCOMPARE(answer.standardError.totalBytes, std::uint64_t{3} << 20);
    const AttemptKey finished{TaskId(3), AttemptNumber(1)};
    answer = ask({finished, 2990, 0});
    QVERIFY(answer.known && !answer.running);
    QVERIFY(answer.key == finished);
    QVERIFY(answer.standardOutput == (OutputPiece{2990, std::string(10, 'o'), 3000}));
    QVERIFY(answer.standardError == OutputPiece{});
    answer = ask({{TaskId(3), AttemptNumber(2)}, 0, 0});
    QVERIFY(!answer.known);
}

void TestLinkServer::wholeTasksAreTold()
{
    LinkFixture farm;
    const std::string command(100'000, 'c');
    farm.callbacks.task = [&](TaskId id, const std::function<void(std::optional<Task>)>& reply) {
        Task task;
        task.command = command;
        task.settings = std::make_shared<const TaskSettings>();
        reply(id == TaskId(1) ? std::optional(task) : std::nullopt);
    };
    farm.start();
    LinkClient window(farm.access());
    QCOMPARE(window.join(), "");
    QVERIFY(window.send(TaskRequest{5, TaskId(1)}));
    auto reply = window.await<TaskReply>();
    QVERIFY(reply && reply->known);
    QCOMPARE(reply->number, std::uint64_t{5});
    QCOMPARE(reply->task.command, command);
    QVERIFY(window.send(TaskRequest{6, TaskId(2)}));
    reply = window.await<TaskReply>();
    QVERIFY(reply && !reply->known);
    QCOMPARE(reply->id, TaskId(2));
}

void TestLinkServer::withoutCallbacksRequestsAreAnsweredToo()
{
    LinkFixture farm;
    farm.start();
    farm.run.commitAttempts(1, 10);
    LinkClient window(farm.access());
    QCOMPARE(window.join(), "");
    QVERIFY(window.send(CommandRequest{1, StopRun{}}));
    QCOMPARE(window.await<CommandReply>().value_or(CommandReply{}).answer.reason.text(),
             "this agent takes no commands");
    QVERIFY(window.send(TaskRequest{2, TaskId(0)}));
    QVERIFY(!window.await<TaskReply>().value_or(TaskReply{9, {}, true, {}}).known);
    QVERIFY(window.send(OutputRequest{3, {{TaskId(0), AttemptNumber(1)}, 0, 0}}));
    QCOMPARE(window.await<OutputReply>().value_or(OutputReply{}).answer.standardOutput.bytes,
             "oooooooooo");
}

void TestLinkServer::closeSendsEverythingAndBye()
{
    LinkFixture farm;
    farm.limits.coalesce = 10s;
    farm.limits.closing = 10s;
    farm.start();
    const auto access = farm.access();
    auto live = farm.window();
    QVERIFY(live);
    QVERIFY(live->receiveUpTo({}));
    auto late = farm.window();
    QVERIFY(late);
    LinkClient notSubscribed(access, LinkClient::Over::Tcp);
    QCOMPARE(notSubscribed.join(), "");
    LinkClient notIn(access);
    farm.publish(5000);
    std::thread closing([&] { farm.server->close("all is done"); });
    for (LinkClient* window : {live.get(), late.get(), &notSubscribed}) {
        const auto bye = window->await<Bye>();
        QVERIFY(bye);
        QCOMPARE(bye->reason, "all is done");
        QVERIFY(window->isDropped());
    }
    QVERIFY(notIn.isDropped());
    closing.join();
    QVERIFY(live->collector.events() == farm.run.recorded());
    QVERIFY2(live->collector.problem().empty(), live->collector.problem().c_str());
    QVERIFY(late->collector.events() == farm.run.recorded());
    QVERIFY(!std::filesystem::exists(farm.server->access()));
    QVERIFY(!std::filesystem::exists(access.socket));
    QVERIFY(!LinkClient(access).connected());
    QVERIFY(!LinkClient(access, LinkClient::Over::Tcp).connected());
    farm.server->close("again");
}

/// As by a crash: windows look for another agent of the run.
void TestLinkServer::dropSaysNothing()
{
    LinkFixture farm;
    farm.start();
    const auto access = farm.access();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->receiveUpTo({}));
    LinkClient notIn(access);
    farm.server->drop();
    QVERIFY(!window->await<Bye>());
    QVERIFY(window->isDropped());
    QVERIFY(notIn.isDropped());
    QVERIFY(!std::filesystem::exists(farm.server->access()));
    QVERIFY(!std::filesystem::exists(access.socket));
    QVERIFY(!LinkClient(access).connected());
    farm.server->close("again");
}

void TestLinkServer::closeDoesNotWaitForTheStopped()
{
    LinkFixture farm;
    farm.limits.closing = 200ms;
    farm.start();
    farm.server->published(farm.run.commitAttempts(40'000, 0));
    auto stopped = farm.window();
    QVERIFY(stopped);
    auto healthy = farm.window();
    QVERIFY(healthy);
    QVERIFY(healthy->receiveUntil([&] { return healthy->collector.snapshots() > 0; }));
    const auto begin = std::chrono::steady_clock::now();
    farm.server->close("over");
    QVERIFY(std::chrono::steady_clock::now() - begin < 10s);
    QVERIFY(healthy->await<Bye>().has_value());
    QVERIFY(logsOnce(farm, Severity::Information, "dropped: did not read to the end"));
    QVERIFY(stopped->isDropped());
}

void TestLinkServer::publishingAfterTheEndIsIgnored()
{
    LinkFixture farm;
    farm.start();
    farm.server->close("over");
    farm.publish(10);
    farm.server->status({});
    // The reader of the link is gone: the writer, closed last, leaves one file.
    QVERIFY(farm.run.recorded().size() == 10);
}

QTEST_GUILESS_MAIN(TestLinkServer)

} // namespace tst_linkserver

#include "tst_linkserver.moc"

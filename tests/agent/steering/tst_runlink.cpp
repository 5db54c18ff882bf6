// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "agent/link/linkfixture.h"

#include "steering/adding.h"
#include "steering/liverun.h"

#include <mutex>

namespace tst_runlink {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::steering;
using namespace tasuki::testing;

namespace {

AgentTiming quick()
{
    return {
        .ping = 50ms, .firstDelay = 20ms, .longestDelay = 100ms, .look = 50ms, .firstLook = 10ms};
}

/// Collects what a link gives, and follows the rules for it.
struct Heard {
    std::vector<Event> events;
    int restarts = 0;
    std::vector<ConnectionState> states;
    std::string reason;

    LiveRun::Hooks hooks()
    {
        return {.events =
                    [this](const EventBatch& batch) {
                        events.insert(events.end(), batch.events.begin(), batch.events.end());
                    },
                .restarted =
                    [this] {
                        if (!events.empty())
                            ++restarts;
                        events.clear();
                    },
                .changed =
                    [this](ConnectionState state, const std::string& why) {
                        states.push_back(state);
                        reason = why;
                    }};
    }
};

SteadyTime soon() { return SystemClock().now() + 20s; }

/// An agent that takes commands and answers as it is told, on the link's thread.
struct Agent : LinkFixture {
    std::mutex mutex;
    std::vector<OperatorCommand> commands;
    std::function<CommandAnswer(const OperatorCommand&)> answer = [](const OperatorCommand&) {
        return CommandAnswer{.accepted = true};
    };

    explicit Agent(std::uint32_t seed = 1) : LinkFixture(seed)
    {
        callbacks.command = [this](const link::ClientLabel&, const OperatorCommand& command,
                                   const std::function<void(CommandAnswer)>& reply) {
            const std::lock_guard lock(mutex);
            commands.push_back(command);
            reply(answer(command));
        };
        callbacks.output = [](OutputQuery query, const std::function<void(OutputAnswer)>& reply) {
            reply({.key = query.key,
                   .known = true,
                   .running = true,
                   .standardOutput = {0, "written", 7}});
        };
        start();
    }
    std::filesystem::path accessFile() const { return server->access(); }
};

} // namespace

/// A command's end of the link over real sockets. What breaks it: events twice or not at all, a command that is sent
/// twice, waiting for ever for who has gone.
class TestRunLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eventsComeOnce()
    {
        Agent agent;
        agent.publish(200);
        Heard heard;
        LiveRun run(agent.accessFile(), heard.hooks(), quick());
        QVERIFY(run.join(RunLink::Wish::Events).ok());
        agent.publish(300);
        QVERIFY(run.serve([&] { return heard.events.size() >= 500; }, soon()).value());
        QVERIFY(heard.events == agent.run.recorded());
    }

    /// Who waits for new tasks does not read of a million old ones.
    void onlyWhatComesAfterAnEvent()
    {
        Agent agent;
        const auto old = agent.run.commit(100);
        agent.server->published(old);
        Heard heard;
        LiveRun run(agent.accessFile(), heard.hooks(), quick());
        QVERIFY(run.join().ok());
        run.link().follow(old->back().id);
        agent.publish(10);
        QVERIFY(run.serve([&] { return heard.events.size() >= 10; }, soon()).value());
        const auto all = agent.run.recorded();
        QVERIFY(heard.events == std::vector<Event>(all.end() - 10, all.end()));
    }

    void requestsAreAnswered()
    {
        Agent agent;
        LiveRun run(agent.accessFile(), {}, quick());
        QVERIFY(run.join().ok());
        QVERIFY(run.command(StopRun{false}).value().accepted);
        QCOMPARE(run.output({.key = {TaskId(1), AttemptNumber(2)}}).value().standardOutput.bytes,
                 "written");
        const std::lock_guard lock(agent.mutex);
        QVERIFY(agent.commands == std::vector<OperatorCommand>{StopRun{false}});
    }

    /// The agent dies without a word; another one goes on in its place.
    void comesBackToTheSuccessor()
    {
        Agent agent;
        agent.publish(100);
        Heard heard;
        LiveRun run(agent.accessFile(), heard.hooks(), quick());
        QVERIFY(run.join(RunLink::Wish::Events).ok());
        QVERIFY(run.serve([&] { return heard.events.size() >= 100; }, soon()).value());
        agent.server->drop();
        QVERIFY(run.serve([&] { return !run.link().isIn(); }, soon()).value());
        const auto asked = run.command(StopRun{false});
        QVERIFY(!asked.ok());
        QVERIFY(asked.error().message.find("no connection") != std::string::npos);
        agent.server.reset();
        agent.start();
        agent.publish(50);
        QVERIFY(run.serve([&] { return heard.events.size() >= 150; }, soon()).value());
        QVERIFY(heard.events == agent.run.recorded());
        QCOMPARE(heard.restarts, 0);
        QVERIFY(agent.commands.empty()); // it is not asked again
    }

    void whoLeftIsNotWaitedFor()
    {
        Agent agent;
        Heard heard;
        LiveRun run(agent.accessFile(), heard.hooks(), quick());
        QVERIFY(run.join(RunLink::Wish::Events).ok());
        agent.publish(20);
        agent.server.reset(); // it says goodbye, after all events
        const auto served = run.serve([] { return false; }, soon());
        QVERIFY(!served.ok());
        QVERIFY(run.saidGoodbye());
        QCOMPARE(heard.events.size(), std::size_t(20));
    }

    void nobodyIsThere()
    {
        Agent agent;
        const auto path = agent.accessFile();
        agent.server.reset();
        LiveRun run(path, {}, quick());
        const auto joined = run.join();
        QVERIFY(!joined.ok());
        QVERIFY(joined.error().text().find(path.filename().native()) != std::string::npos);
    }

    void nobodyLeadsForTooLong()
    {
        Agent agent;
        AgentTiming timing = quick();
        timing.succession = 1s;
        Heard heard;
        LiveRun run(agent.accessFile(), heard.hooks(), timing);
        QVERIFY(run.join(RunLink::Wish::Events).ok());
        agent.server->drop();
        const auto served = run.serve([] { return false; }, soon());
        QVERIFY(!served.ok());
        QVERIFY(!run.saidGoodbye());
        QCOMPARE(heard.states.back(), ConnectionState::Refused);
    }

    void listsAreAddedInPieces()
    {
        Agent agent;
        std::uint32_t next = 10;
        agent.answer = [&](const OperatorCommand& command) {
            const auto& add = std::get<AddTasks>(command);
            const auto lines = static_cast<std::uint32_t>(std::ranges::count(add.text, '\n'));
            const TaskId first(next);
            next += lines;
            return CommandAnswer{.accepted = true, .added = AddedTasks{first, lines, {}}};
        };
        LiveRun run(agent.accessFile(), {}, quick());
        QVERIFY(run.join().ok());
        int asked = 0;
        Adding adding(run, "input", {.added = [](const AddedTasks&) {}, .more = [&] { ++asked; }});
        adding.feed("a\nb\n");
        QVERIFY(run.serve([&] { return adding.count() == 2; }, soon()).value()); // after a pause
        std::string many;
        for (int i = 0; i < 100'000; ++i)
            many += "echo " + std::to_string(i) + '\n';
        adding.feed(many);
        adding.feed("last");
        adding.finish();
        QVERIFY(run.serve([&] { return adding.done(); }, soon()).value());
        QVERIFY(!adding.refusal() && !adding.failure());
        QVERIFY(asked >= 1);
        std::string all;
        std::uint64_t line = 1;
        const std::lock_guard lock(agent.mutex);
        for (const OperatorCommand& command : agent.commands) {
            const auto& add = std::get<AddTasks>(command);
            QCOMPARE(add.firstLine, line);
            line += static_cast<std::uint64_t>(std::ranges::count(add.text, '\n'));
            all += add.text;
        }
        QCOMPARE(all, "a\nb\n" + many + "last");
        QCOMPARE(adding.ranges().size(), std::size_t(1));
        QCOMPARE(adding.ranges().front().first, TaskId(10));
    }

    void olderAgentsDoNotSayWhatTheyHaveAdded()
    {
        Agent agent;
        LiveRun run(agent.accessFile(), {}, quick());
        QVERIFY(run.join().ok());
        Adding adding(run, "input", {.added = [](const AddedTasks&) {}, .more = [] {}});
        adding.feed("a\n");
        adding.finish();
        QVERIFY(run.serve([&] { return adding.done(); }, soon()).value());
        QVERIFY(adding.unnamed());
        QCOMPARE(adding.count(), std::uint64_t(0));
    }

    void nothingIsAddedAfterARefusal()
    {
        Agent agent;
        agent.answer = [](const OperatorCommand&) {
            return CommandAnswer{.accepted = false, .reason = "no"};
        };
        LiveRun run(agent.accessFile(), {}, quick());
        QVERIFY(run.join().ok());
        Adding adding(run, "input", {.added = [](const AddedTasks&) {}, .more = [] {}});
        adding.feed("a\n");
        QVERIFY(run.serve([&] { return adding.done(); }, soon()).value());
        QCOMPARE(adding.refusal()->reason.text(), "no");
        adding.feed("b\n");
        adding.finish();
        QVERIFY(adding.done());
        QCOMPARE(agent.commands.size(), std::size_t(1));
    }

    void wordsAsALine()
    {
        QCOMPARE(shellLine({"echo", "a b", "it's", "", "x=1"}).value(),
                 R"(echo 'a b' 'it'\''s' '' x=1)");
        QVERIFY(!shellLine({"two\nlines"}).ok());
        QCOMPARE(shellLine({"#no", "comment"}).value(), "'#no' comment");
    }
};

QTEST_APPLESS_MAIN(TestRunLink)

} // namespace tst_runlink

#include "tst_runlink.moc"

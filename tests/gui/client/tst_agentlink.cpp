// SPDX-License-Identifier: GPL-3.0-or-later
// The window's end of the link against the agent's.
#include <QTest>

#include "agent/link/linkfixture.h"
#include "client/agentsource.h"
#include "client/session.h"
#include "manualsource.h"
#include "patience.h"

#include <algorithm>
#include <optional>

namespace tst_agentlink {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr AgentTiming quick{.ping = 100ms,
                            .silence = 30s,
                            .handshake = 30s,
                            .firstDelay = 20ms,
                            .longestDelay = 100ms,
                            .look = 50ms};

/// A run, its server and a window on it.
struct Bench {
    explicit Bench(std::uint32_t seed) : link(seed) {}

    void open()
    {
        session = std::make_unique<Session>(
            std::make_unique<AgentSource>(link.server->access(), nullptr, quick), clock);
        QObject::connect(session.get(), &Session::connectionChanged, session.get(),
                         [this] { states.push_back(session->connection().state); });
        QObject::connect(session.get(), &Session::wasReset, session.get(), [this] { ++resets; });
        session->start();
    }
    [[nodiscard]] bool has(ConnectionState state) const
    {
        return std::ranges::find(states, state) != states.end();
    }
    [[nodiscard]] bool isUpToDate() const
    {
        return session->connection().state == ConnectionState::Live && !session->loading()
            && session->state().lastEvent() == link.run.last();
    }
    /// Whether the window has exactly what the run file has.
    [[nodiscard]] bool sameAsRunFile() const
    {
        const auto recorded = link.run.recorded();
        return session->eventsApplied() == recorded.size()
            && sameState(session->state(), stateOf(recorded));
    }

    LinkFixture link;
    SystemClock clock;
    std::unique_ptr<Session> session;
    std::vector<ConnectionState> states;
    int resets = 0;
};

} // namespace

class TestAgentLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void joinsAndFollows();
    void resumedByAnotherAgent();
    void aWindowThatStandsStill();
    void commands();
    void outputs();
};

void TestAgentLink::joinsAndFollows()
{
    Bench bench(1);
    (void)bench.link.run.commit(2'000);
    bench.link.start();
    bench.open();
    // Some events come while it joins: at each step, and as soon as it is in.
    connect(bench.session.get(), &Session::connectionChanged, this, [&bench] {
        for (int i = 0; i < 10; ++i)
            bench.link.publish(25);
    });
    QTRY_VERIFY(bench.isUpToDate());
    QVERIFY(bench.session->eventsApplied() >= 2'000 + 4 * 250);
    QVERIFY(bench.sameAsRunFile());
    QCOMPARE(bench.session->agent()->run, bench.link.run.id());
    QCOMPARE(bench.session->agent()->epoch, Epoch(7));
    QVERIFY(!bench.has(ConnectionState::Waiting));
}

void TestAgentLink::resumedByAnotherAgent()
{
    Bench bench(2);
    (void)bench.link.run.commit(500);
    bench.link.start();
    bench.open();
    QTRY_VERIFY(bench.isUpToDate());
    for (std::uint32_t epoch = 8; epoch <= 10; ++epoch) {
        bench.link.server->close("the agent has ended");
        QTRY_COMPARE(bench.session->connection().state, ConnectionState::Ended);
        (void)bench.link.run.commit(300);
        link::LinkOptions options = bench.link.options();
        options.epoch = Epoch(epoch);
        auto next = link::LinkServer::start(options, bench.link.callbacks);
        QVERIFY2(next.ok(), next.ok() ? "" : next.error().text().c_str());
        bench.link.server = std::move(*next);
        QTRY_VERIFY(bench.isUpToDate());
        QCOMPARE(bench.session->agent()->epoch, Epoch(epoch));
        bench.link.publish(100);
        QTRY_VERIFY(bench.isUpToDate());
    }
    QVERIFY(bench.sameAsRunFile());
    QCOMPARE(bench.resets, 1);
}

void TestAgentLink::aWindowThatStandsStill()
{
    Bench bench(3);
    bench.link.limits.recentBytes = 20'000;
    bench.link.limits.frameBytes = 4'000;
    bench.link.limits.coalesce = 0ms;
    (void)bench.link.run.commit(100);
    bench.link.start();
    bench.open();
    QTRY_VERIFY(bench.isUpToDate());
    bench.states.clear();
    // The event loop does not turn: what the window takes in is bounded, the rest is the agent's, which
    // answers somebody else when it has dealt with a batch.
    LinkClient other(bench.link.access());
    QCOMPARE(other.join(), std::string());
    for (int i = 0; i < 400; ++i) {
        bench.link.publish(100);
        QVERIFY(other.send(link::Ping{}));
        QVERIFY(other.await<link::Pong>().has_value());
    }
    QTRY_VERIFY(bench.isUpToDate());
    QVERIFY(bench.sameAsRunFile());
    QVERIFY(bench.has(ConnectionState::CatchingUp)); // it had a gap
    QVERIFY(!bench.has(ConnectionState::Waiting));
    QCOMPARE(bench.resets, 1);
}

void TestAgentLink::commands()
{
    Bench bench(4);
    bench.link.callbacks.command = [](const link::ClientLabel&, const OperatorCommand& command,
                                      const std::function<void(CommandAnswer)>& reply) {
        CommandAnswer answer;
        const auto* hold = std::get_if<HoldTasks>(&command);
        answer.accepted = hold && hold->targets.size() == 2;
        answer.reason = answer.accepted ? "" : "no";
        reply(answer);
    };
    (void)bench.link.run.commit(100);
    bench.link.start();
    bench.open();
    QTRY_VERIFY(bench.session->takesCommands());
    std::vector<CommandAnswer> answers;
    const auto keep = [&](const Result<CommandAnswer>& answer) {
        QVERIFY(answer.ok());
        answers.push_back(*answer);
    };
    bench.session->sendCommand(HoldTasks{.targets = {{.id = TaskId(1), .base = Revision(1)},
                                                     {.id = TaskId(2), .base = Revision(2)}}},
                               keep);
    bench.session->sendCommand(StopRun{}, keep);
    QTRY_COMPARE(answers.size(), std::size_t(2));
    QVERIFY(answers[0].accepted);
    QVERIFY(!answers[1].accepted);
    QCOMPARE(answers[1].reason, std::string("no"));
}

void TestAgentLink::outputs()
{
    Bench bench(5);
    bench.link.callbacks.output = [](const OutputQuery& query,
                                     const std::function<void(OutputAnswer)>& reply) {
        reply(OutputAnswer{.key = query.key}); // none of these runs: look into the run file
    };
    (void)bench.link.run.commitAttempts(3, 1'000);
    bench.link.start();
    bench.open();
    QTRY_VERIFY(bench.isUpToDate());
    std::optional<OutputAnswer> output;
    bench.session->requestOutput({.key = {TaskId(2), AttemptNumber(1)}, .standardOutputFrom = 400},
                                 [&](const Result<OutputAnswer>& answer) {
                                     QVERIFY(answer.ok());
                                     output = *answer;
                                 });
    QTRY_VERIFY(output.has_value());
    QVERIFY(output->known);
    QVERIFY(!output->running);
    QCOMPARE(output->standardOutput.offset, std::uint64_t(400));
    QCOMPARE(output->standardOutput.bytes, std::string(600, 'o'));
    QCOMPARE(output->standardOutput.totalBytes, std::uint64_t(1'000));
}

QTEST_GUILESS_MAIN(TestAgentLink)

} // namespace tst_agentlink

#include "tst_agentlink.moc"

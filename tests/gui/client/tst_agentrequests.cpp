// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "agentfixture.h"

namespace tst_agentrequests {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

class TestAgentRequests : public AgentFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void commands();
    void requestsEndWithTheConnection();
    void noConnectionNoCommand();
    void outputAndTasks();
    void shortenedCommands();
};

void TestAgentRequests::commands()
{
    startAgent();
    m_agent->record(tasks(3));
    open();
    QTRY_VERIFY(m_session->takesCommands());
    const CancelTasks command{.targets = {{.id = TaskId(1), .base = Revision(5)}}};
    std::vector<CommandAnswer> answers;
    for (int i = 0; i < 3; ++i)
        m_session->sendCommand(command, [&](const Result<CommandAnswer>& answer) {
            QVERIFY(answer.ok());
            answers.push_back(*answer);
        });
    QTRY_COMPARE(m_agent->said<link::CommandRequest>().size(), std::size_t(3));
    const auto requests = m_agent->said<link::CommandRequest>();
    QCOMPARE(std::get<CancelTasks>(requests[0].command), command);
    CommandAnswer yes;
    yes.accepted = true;
    const CommandAnswer refused{.accepted = false,
                                .reason = "no",
                                .details = {},
                                .conflicts = {{.id = TaskId(1), .cause = ConflictCause::Started}}};
    m_agent->say(link::CommandReply{.number = requests[2].number, .answer = yes});
    m_agent->say(link::CommandReply{.number = requests[0].number, .answer = refused});
    QTRY_COMPARE(answers.size(), std::size_t(2));
    QVERIFY(answers[0].accepted);
    QCOMPARE(answers[1], refused);
    // Nobody asked, or twice: nothing.
    m_agent->say(link::CommandReply{.number = requests[0].number, .answer = refused});
    m_agent->say(link::CommandReply{.number = 999, .answer = refused});
    m_agent->say(link::CommandReply{.number = requests[1].number, .answer = yes});
    QTRY_COMPARE(answers.size(), std::size_t(3));
    QVERIFY(isLive());
}

void TestAgentRequests::requestsEndWithTheConnection()
{
    startAgent();
    m_agent->record(tasks(3));
    open();
    QTRY_VERIFY(isLive());
    int failures = 0;
    const auto fails = [&](const auto& answer) {
        QVERIFY(!answer.ok());
        ++failures;
    };
    m_session->sendCommand(StopRun{}, fails);
    m_session->requestOutput({}, fails);
    m_session->requestTask(TaskId(0), fails);
    QTRY_COMPARE(m_agent->said<link::TaskRequest>().size(), std::size_t(1));
    QCOMPARE(failures, 0);
    m_agent->hangUp();
    QTRY_COMPARE(failures, 3);
    QTRY_VERIFY(isLive());
    m_session->sendCommand(StopRun{}, fails);
    QTRY_COMPARE(m_agent->said<link::CommandRequest>().size(), std::size_t(2));
    m_session.reset();
    QCOMPARE(failures, 4);
}

void TestAgentRequests::noConnectionNoCommand()
{
    startAgent();
    m_agent->record(tasks(3));
    AgentTiming timing = quick;
    timing.firstDelay = 60s;
    timing.longestDelay = 60s;
    timing.look = 60s;
    open(timing);
    QTRY_VERIFY(isLive());
    m_agent->hangUp();
    QTRY_COMPARE(m_session->connection().state, ConnectionState::Waiting);
    QString problem;
    m_session->sendCommand(StopRun{}, [&](const Result<CommandAnswer>& answer) {
        QVERIFY(!answer.ok());
        problem = QString::fromStdString(answer.error().text());
    });
    QTRY_VERIFY(!problem.isEmpty());
    m_session->retryNow();
    QTRY_VERIFY(isLive());
    m_session->requestTask(TaskId(0), [](const Result<Task>&) {});
    QTRY_COMPARE(m_agent->said<link::TaskRequest>().size(), std::size_t(1));
    QVERIFY(m_agent->said<link::CommandRequest>().empty()); // it was not kept for later
}

void TestAgentRequests::outputAndTasks()
{
    startAgent();
    m_agent->record(tasks(3));
    open();
    QTRY_VERIFY(isLive());
    const OutputQuery query{
        .key = {TaskId(1), AttemptNumber(2)}, .standardOutputFrom = 5, .standardErrorFrom = 6};
    std::optional<OutputAnswer> output;
    m_session->requestOutput(query, [&](const Result<OutputAnswer>& answer) { output = *answer; });
    std::optional<std::string> command;
    bool missing = false;
    m_session->requestTask(TaskId(1),
                           [&](const Result<Task>& answer) { command = answer->command; });
    m_session->requestTask(TaskId(2), [&](const Result<Task>& answer) { missing = !answer.ok(); });
    QTRY_COMPARE(m_agent->said<link::TaskRequest>().size(), std::size_t(2));
    const auto asked = m_agent->said<link::OutputRequest>().front();
    QCOMPARE(asked.query, query);
    OutputAnswer answer{.key = query.key, .known = true, .running = true};
    answer.standardOutput = {.offset = 5, .bytes = "more", .totalBytes = 9};
    m_agent->say(link::OutputReply{.number = asked.number, .answer = answer});
    Task task;
    task.command = "a long one";
    task.settings = std::make_shared<const TaskSettings>();
    const auto wanted = m_agent->said<link::TaskRequest>();
    m_agent->say(
        link::TaskReply{.number = wanted[0].number, .id = TaskId(1), .known = true, .task = task});
    link::TaskReply none;
    none.number = wanted[1].number;
    m_agent->say(none);
    QTRY_VERIFY(output && command && missing);
    QCOMPARE(*output, answer);
    QCOMPARE(*command, std::string("a long one"));
}

void TestAgentRequests::shortenedCommands()
{
    startAgent();
    open();
    QTRY_VERIFY(isLive());
    const auto events = tasks(3);
    m_agent->say(
        link::Events{.events = events, .shortened = {{.index = 2, .commandBytes = 1'000'000}}});
    QTRY_COMPARE(m_session->state().tasks().size(), std::size_t(3));
    QTRY_VERIFY(m_session->shortCommand(TaskId(1)).has_value());
    QCOMPARE(*m_session->shortCommand(TaskId(1)), std::uint64_t(1'000'000));
    QVERIFY(!m_session->shortCommand(TaskId(2)));
}

QTEST_GUILESS_MAIN(TestAgentRequests)

} // namespace tst_agentrequests

#include "tst_agentrequests.moc"

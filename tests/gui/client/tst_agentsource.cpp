// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "agentfixture.h"
#include "shared/domain/randomhistory.h"

namespace tst_agentsource {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

class TestAgentSource : public AgentFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void joinsAndFollows();
    void agentSpeaksOfItself();
    void overTcpWhenTheSocketIsDead();
    void agentThatStartedAgain();
    void successorInTheSameEpoch();
    void masterWithoutSuccessor();
    void lostConnectionGoesOnWhereItWas();
    void gapAndSnapshot();
    void snapshotFromScratch();
    void nonsense_data();
    void nonsense();
    void missingEvents();
    void endInMidFrame();
    void wrongVersion();
    void wrongToken();
    void refusal();
    void noAccessFile();
    void agentThatDoesNotGreet();
    void goodbye();
    void slowReaderIsNotFlooded();
    void slowReaderHearsTheEnd();
    void timeOutOfRange();
    void reload();

private:
    /// Until nothing moves between the agent and the source's thread, as far as requests go and come.
    bool comesToRest(AgentSource& source);
};

bool TestAgentSource::comesToRest(AgentSource& source)
{
    const auto asked = [this] { return m_agent->said<link::CommandRequest>().size(); };
    int rounds = 0;
    return waitFor([&] {
        const qint64 before = m_agent->waiting();
        const std::size_t known = asked();
        // Its thread looks at its socket before it sends this on.
        source.sendCommand(StopRun{}, [](const Result<CommandAnswer>&) {});
        const bool went = waitFor([&] { return asked() > known; });
        rounds = went && m_agent->waiting() == before ? rounds + 1 : 0;
        return rounds == 3;
    });
}

void TestAgentSource::joinsAndFollows()
{
    RandomHistory history(1);
    startAgent();
    m_agent->record(history.more(3'000));
    open();
    QTRY_VERIFY(isUpToDate());
    for (int i = 0; i < 20; ++i)
        m_agent->publish(history.more(50));
    QTRY_COMPARE(m_session->eventsApplied(), std::uint64_t(4'000));
    QVERIFY(isUpToDate());
    QCOMPARE(m_agent->connections(), 1);
    const std::vector expected{ConnectionState::Connecting, ConnectionState::Greeting,
                               ConnectionState::CatchingUp, ConnectionState::Live};
    QCOMPARE(m_states, expected);
    QTRY_VERIFY(m_agent->said<link::Ping>().size() >= 3);
    QVERIFY(*m_session->dataAge() < 1s);
}

void TestAgentSource::agentSpeaksOfItself()
{
    startAgent();
    m_agent->record(tasks(1));
    open();
    QTRY_VERIFY(isLive());
    QVERIFY(m_session->agent().has_value());
    QCOMPARE(m_session->agent()->run, m_run);
    QCOMPARE(m_session->agent()->host, QStringLiteral("here"));
    QCOMPARE(m_session->agent()->pid, std::int64_t(77));
    QCOMPARE(m_session->name(), QStringLiteral("run.tasuki on here"));
    link::Status status;
    status.now = WallTime(std::chrono::hours(500'000));
    status.phase = "running";
    status.slots = 12;
    status.stalled = "the disk is full";
    m_agent->say(status);
    QTRY_VERIFY(m_session->agentStatus().has_value());
    QCOMPARE(m_session->agentStatus()->stalled, QStringLiteral("the disk is full"));
    QCOMPARE(m_session->agentStatus()->slots, std::uint64_t(12));
    QVERIFY(!m_session->agentStatus()->recovery);
    QVERIFY(m_session->runNow() >= status.now);
    QVERIFY(m_session->runNow() < status.now + 1h);
}

void TestAgentSource::overTcpWhenTheSocketIsDead()
{
    Manners manners;
    manners.unixSocket = false;
    manners.tcp = true;
    startAgent(manners);
    m_agent->record(tasks(10));
    open();
    QTRY_VERIFY(isUpToDate());
    QVERIFY(!has(ConnectionState::Waiting));
}

void TestAgentSource::agentThatStartedAgain()
{
    RandomHistory history(2);
    startAgent();
    m_agent->record(history.more(1'000));
    open();
    QTRY_VERIFY(isUpToDate());
    const auto events = m_agent->recorded();
    m_agent->die();
    QTRY_COMPARE(m_session->connection().state, ConnectionState::Waiting);
    QVERIFY(m_session->connection().nextTry.has_value());
    QVERIFY(!m_session->connection().reason.isEmpty());
    QTRY_VERIFY(m_session->connection().failures >= 3);
    // Another socket, token and epoch: its access file is all that is there to find it.
    startAgent({}, Epoch(2));
    m_agent->record(events);
    m_agent->record(history.more(700));
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_session->agent()->epoch, Epoch(2));
    QCOMPARE(m_session->connection().failures, std::uint32_t(0));
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(1'700)); // none twice
    QCOMPARE(m_resets, 1);                                      // the very first snapshot
    QCOMPARE(m_agent->said<link::Subscribe>().back().after, events.back().id);
}

/// The system master is killed, and the next one goes on with the run: another process with another
/// port and token writes the same access file, a little later.
void TestAgentSource::successorInTheSameEpoch()
{
    Manners overTcp;
    overTcp.unixSocket = false;
    overTcp.tcp = true;
    RandomHistory history(11);
    startAgent(overTcp);
    m_agent->record(history.more(1'000));
    open();
    QTRY_VERIFY(isUpToDate());
    QString unanswered;
    m_session->sendCommand(StopRun{}, [&](const Result<CommandAnswer>& answer) {
        QVERIFY(!answer.ok());
        unanswered = QString::fromStdString(answer.error().text());
    });
    QTRY_COMPARE(m_agent->said<link::CommandRequest>().size(), std::size_t(1));
    for (int master = 1; master <= 3; ++master) {
        const auto events = m_agent->recorded();
        const std::filesystem::path access = m_agent->access();
        killAgent();
        QTRY_VERIFY2(m_session->connection().reason.contains(
                         QStringLiteral("the master is lost: waiting for its successor")),
                     qPrintable(m_session->connection().reason));
        QVERIFY(!m_session->takesCommands());
        QTRY_VERIFY(m_session->connection().failures >= 2);      // nobody is there
        QVERIFY(sameState(m_session->state(), stateOf(events))); // what is shown stays
        startAgent(overTcp);
        QCOMPARE(m_agent->access(), access);
        m_agent->record(events);
        m_agent->record(history.more(200));
        QTRY_VERIFY(isUpToDate());
        m_agent->publish(history.more(100));
        QTRY_VERIFY(isUpToDate());
        QCOMPARE(m_agent->said<link::Subscribe>().back().after, events.back().id);
        QVERIFY(m_agent->said<link::CommandRequest>().empty()); // not done twice
        QTRY_VERIFY(m_session->takesCommands());
    }
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(1'900)); // none lost, none twice
    QCOMPARE(m_resets, 1);                                      // the very first snapshot
    QVERIFY(m_session->connection().reason.isEmpty());
    QVERIFY2(unanswered.contains(QStringLiteral("not known whether this was done")),
             qPrintable(unanswered));
}

void TestAgentSource::masterWithoutSuccessor()
{
    startAgent();
    m_agent->record(tasks(3));
    AgentTiming timing = quick;
    timing.succession = 1s;
    open(timing);
    QTRY_VERIFY(isUpToDate());
    killAgent();
    const QString waits = QStringLiteral("waiting for its successor");
    QTRY_VERIFY(m_session->connection().reason.contains(waits));
    QTRY_VERIFY(m_session->connection().state == ConnectionState::Waiting
                && !m_session->connection().reason.contains(waits));
    QVERIFY(!m_session->connection().reason.isEmpty());
}

void TestAgentSource::lostConnectionGoesOnWhereItWas()
{
    RandomHistory history(3);
    startAgent();
    m_agent->record(history.more(500));
    open();
    QTRY_VERIFY(isUpToDate());
    for (int i = 1; i <= 4; ++i) {
        m_agent->hangUp();
        m_agent->record(history.more(100));
        QTRY_COMPARE(m_agent->connections(), i + 1);
        QTRY_VERIFY(isUpToDate());
    }
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(900));
    QVERIFY(has(ConnectionState::Waiting));
}

void TestAgentSource::gapAndSnapshot()
{
    startAgent();
    const auto events = tasks(300);
    m_agent->record({events.begin(), events.begin() + 100});
    open();
    QTRY_VERIFY(isLive());
    QTRY_COMPARE(m_session->eventsApplied(), std::uint64_t(100));
    m_states.clear();
    m_agent->record({events.begin() + 100, events.end()});
    m_agent->say(link::Gap{.lastDelivered = events[99].id});
    QTRY_COMPARE(m_session->connection().state, ConnectionState::CatchingUp);
    m_agent->say(
        link::SnapshotBegin{.reset = false, .after = events[99].id, .upTo = events.back().id});
    QTRY_VERIFY(m_session->loading());
    m_agent->say(link::Events{.events = {events.begin() + 100, events.end()}, .shortened = {}});
    m_agent->say(link::SnapshotEnd{.upTo = events.back().id});
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_agent->connections(), 1);
    QCOMPARE(m_states, (std::vector{ConnectionState::CatchingUp, ConnectionState::Live}));
}

void TestAgentSource::snapshotFromScratch()
{
    startAgent();
    m_agent->record(RandomHistory(5).more(800));
    open();
    QTRY_VERIFY(isUpToDate());
    m_agent->manners.forgetful = true;
    m_agent->hangUp();
    QTRY_COMPARE(m_resets, 2);
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(800));
    QVERIFY(m_session->damage().isEmpty());
}

void TestAgentSource::nonsense_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("frame without end") << QByteArray("\xff\xff\xff\x7f", 4);
    QTest::newRow("empty frame") << QByteArray("\0\0\0\0", 4);
    QTest::newRow("no message") << QByteArray("\5\0\0\0hello", 9);
    QTest::newRow("noise") << QByteArray(100'000, '\xc3');
}

void TestAgentSource::nonsense()
{
    QFETCH(QByteArray, bytes);
    startAgent();
    m_agent->record(tasks(50));
    open();
    QTRY_VERIFY(isUpToDate());
    m_agent->sayRaw(bytes.toStdString());
    QTRY_VERIFY(has(ConnectionState::Waiting));
    QTRY_COMPARE(m_agent->connections(), 2);
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(51));
}

void TestAgentSource::missingEvents()
{
    startAgent();
    const auto events = tasks(20);
    m_agent->record({events.begin(), events.begin() + 10});
    open();
    QTRY_VERIFY(isUpToDate());
    m_agent->record({events.begin() + 10, events.end()});
    // The eleventh is left out: nothing of it may be shown.
    m_agent->say(link::Events{.events = {events.begin() + 11, events.end()}, .shortened = {}});
    QTRY_VERIFY(has(ConnectionState::Waiting));
    QTRY_VERIFY(isUpToDate());
    QVERIFY(m_session->damage().isEmpty());
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(21));
}

void TestAgentSource::endInMidFrame()
{
    startAgent();
    m_agent->record(tasks(5));
    open();
    QTRY_VERIFY(isUpToDate());
    m_agent->sayRaw(std::string("\x40\0\0\0half", 8));
    m_agent->hangUp();
    QTRY_VERIFY(has(ConnectionState::Waiting));
    QTRY_VERIFY(isUpToDate());
}

void TestAgentSource::wrongVersion()
{
    Manners manners;
    manners.protocol.major = 9;
    startAgent(manners);
    open();
    QTRY_COMPARE(m_session->connection().state, ConnectionState::Refused);
    QVERIFY2(m_session->connection().reason.contains(QLatin1Char('9')),
             qPrintable(m_session->connection().reason));
    QVERIFY(!m_session->connection().nextTry);
    QCOMPARE(m_agent->connections(), 1);
    m_session->retryNow();
    QTRY_COMPARE(m_agent->connections(), 2);
}

void TestAgentSource::wrongToken()
{
    Manners manners;
    manners.wrongToken = true;
    startAgent(manners);
    open();
    QTRY_COMPARE(m_session->connection().state, ConnectionState::Refused);
    QVERIFY(!m_session->connection().reason.isEmpty());
    QVERIFY(!m_session->connection().nextTry);
    QCOMPARE(m_agent->connections(), 1);
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(0));
    // The right agent of the run comes.
    const auto former = std::move(m_agent);
    former->die();
    startAgent({}, Epoch(2));
    m_agent->record(tasks(3));
    QTRY_VERIFY(isUpToDate());
}

void TestAgentSource::refusal()
{
    startAgent();
    m_agent->record(tasks(3));
    open();
    QTRY_VERIFY(isLive());
    m_agent->say(link::Refused{.reason = "there are too many windows"});
    QTRY_COMPARE(m_session->connection().state, ConnectionState::Refused);
    QCOMPARE(m_session->connection().reason, QStringLiteral("there are too many windows"));
}

void TestAgentSource::noAccessFile()
{
    startAgent();
    std::filesystem::remove(m_agent->access());
    open();
    QTRY_COMPARE(m_session->connection().state, ConnectionState::Refused);
    QVERIFY2(m_session->connection().reason.contains(
                 QString::fromStdString(m_agent->access().filename().string())),
             qPrintable(m_session->connection().reason));
}

void TestAgentSource::agentThatDoesNotGreet()
{
    Manners manners;
    manners.greets = false;
    startAgent(manners);
    m_agent->record(tasks(3));
    AgentTiming timing = quick;
    timing.handshake = 100ms;
    open(timing);
    QTRY_VERIFY(has(ConnectionState::Waiting));
    QVERIFY(!has(ConnectionState::Live));
    m_agent->manners.greets = true;
    QTRY_VERIFY(isUpToDate());
}

void TestAgentSource::goodbye()
{
    RandomHistory history(7);
    startAgent();
    m_agent->record(history.more(100));
    open();
    QTRY_VERIFY(isUpToDate());
    const auto events = m_agent->recorded();
    m_agent->leave();
    QTRY_COMPARE(m_session->connection().state, ConnectionState::Ended);
    QCOMPARE(m_session->connection().reason, QStringLiteral("the agent has ended"));
    QVERIFY(!m_session->connection().nextTry);
    QVERIFY(!has(ConnectionState::Waiting));
    // The run is resumed.
    startAgent({}, Epoch(2));
    m_agent->record(events);
    m_agent->record(history.more(100));
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_resets, 1);
}

void TestAgentSource::slowReaderIsNotFlooded()
{
    startAgent();
    AgentSource source(m_agent->access(), nullptr, quick);
    std::vector<SharedBatch> batches;
    bool takesAll = false;
    connect(&source, &SessionSource::batchArrived, this, [&](const SharedBatch& batch) {
        batches.push_back(batch);
        if (takesAll)
            source.release(1);
    });
    bool live = false;
    connect(&source, &SessionSource::statusChanged, this,
            [&](const ConnectionStatus& status) { live = status.state == ConnectionState::Live; });
    source.start();
    QTRY_VERIFY(live);
    // Some twenty megabytes, far more than sockets take.
    History history;
    history.add(RunOpened{});
    m_agent->publish(history.events());
    for (int i = 0; i < 100; ++i) {
        const auto known = static_cast<std::ptrdiff_t>(history.events().size());
        for (int j = 0; j < 100; ++j)
            history.addTask(std::string(2'000, 'x'));
        m_agent->publish({history.events().begin() + known, history.events().end()});
    }
    QTRY_COMPARE(batches.size(), SessionSource::batchWindow);
    QVERIFY(comesToRest(source));
    QCOMPARE(batches.size(), SessionSource::batchWindow);
    QVERIFY(m_agent->waiting() > 1'000'000); // it is the agent that has to keep it, or to drop it
    QVERIFY(live);                           // and nobody takes this for silence
    takesAll = true;
    source.release(batches.size());
    QTRY_COMPARE(batches.size(), std::size_t(101));
    QCOMPARE(batches.back()->events.back().id, history.events().back().id);
    QCOMPARE(m_agent->connections(), 1);
}

/// A window that is busy when the agent takes leave has the last events and the goodbye later.
void TestAgentSource::slowReaderHearsTheEnd()
{
    bool refuses = false;
    startAgent();
    AgentSource source(m_agent->access(), nullptr, quick);
    std::vector<SharedBatch> batches;
    connect(&source, &SessionSource::batchArrived, this,
            [&](const SharedBatch& batch) { batches.push_back(batch); });
    std::vector<ConnectionState> states;
    connect(&source, &SessionSource::statusChanged, this,
            [&](const ConnectionStatus& status) { states.push_back(status.state); });
    source.start();
    QTRY_VERIFY(!states.empty() && states.back() == ConnectionState::Live);
    History history;
    history.add(RunOpened{});
    m_agent->publish(history.events());
    constexpr std::size_t messages = SessionSource::batchWindow + 5;
    while (history.events().size() < messages) {
        history.addTask("true");
        m_agent->publish({history.events().back()});
    }
    m_agent->leave();
    QTRY_COMPARE(batches.size(), SessionSource::batchWindow);
    // It knows that nobody is there any more: who asks is told.
    QVERIFY(waitFor([&] {
        source.sendCommand(StopRun{}, [&refuses](const Result<CommandAnswer>& answer) {
            refuses |= !answer.ok();
        });
        return refuses;
    }));
    QCOMPARE(batches.size(), SessionSource::batchWindow);
    QCOMPARE(states.back(), ConnectionState::Live);
    while (batches.size() < messages) {
        const std::size_t before = batches.size();
        source.release(1);
        QTRY_COMPARE(batches.size(), before + 1);
        QCOMPARE(states.back(), ConnectionState::Live);
    }
    source.release(1);
    QTRY_COMPARE(states.back(), ConnectionState::Ended);
    QCOMPARE(batches.size(), messages);
    QCOMPARE(batches.back()->events.back().id, history.events().back().id);
    QVERIFY(std::ranges::find(states, ConnectionState::Waiting) == states.end());
}

void TestAgentSource::timeOutOfRange()
{
    startAgent();
    m_agent->record(tasks(5));
    open();
    QTRY_VERIFY(isUpToDate());
    const Event event{.id = {Epoch(1), Sequence(7)},
                      .wallTime = WallTime(std::chrono::microseconds(INT64_MAX)),
                      .monotonic = {},
                      .payload = Notice{}};
    m_agent->say(link::Events{.events = {event}, .shortened = {}});
    QTRY_VERIFY(has(ConnectionState::Waiting));
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(6));
}

void TestAgentSource::reload()
{
    startAgent();
    m_agent->record(RandomHistory(8).more(500));
    open();
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_resets, 1);
    m_session->reload();
    QTRY_COMPARE(m_resets, 2);
    QTRY_VERIFY(isUpToDate());
    QCOMPARE(m_session->eventsApplied(), std::uint64_t(500));
    QCOMPARE(m_agent->connections(), 1);
}

QTEST_GUILESS_MAIN(TestAgentSource)

} // namespace tst_agentsource

#include "tst_agentsource.moc"

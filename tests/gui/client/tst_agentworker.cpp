// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "agentfixture.h"
#include "client/agentworker.h"
#include "support/manualclock.h"

#include <QSignalSpy>

namespace tst_agentworker {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

/// The worker on the thread of the test, where nothing happens but when that turns its event loop.
/// What breaks it: a silence that is not noticed, or one that is none; tries that nobody wants; a window
/// that takes in more than it can show.
class TestAgentWorker : public AgentFixture {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void silence();
    void whoHasEndedIsNotTriedAgain_data();
    void whoHasEndedIsNotTriedAgain();
    void onlyTheNewestStatusWaits();
    void floodOfSnapshots();
    void agentOfAnOlderVersionGetsNoOrders();

private:
    /// To be opened by the test.
    AgentWorker& makeWorker(AgentTiming timing = quick);
    [[nodiscard]] ConnectionState state() const { return m_status.state; }
    /// Timers of the worker that run.
    [[nodiscard]] QList<QTimer*> armed() const;
    /// Until neither the agent nor the worker has anything to do.
    void comeToRest();
    /// Until the worker has read all that the agent has said: what it asks now is answered last.
    void readToTheEnd();

    ManualClock m_time;
    std::unique_ptr<AgentWorker> m_worker;
    ConnectionStatus m_status;
    std::vector<quint64> m_answered;
};

void TestAgentWorker::init()
{
    begin();
    m_status = {};
    m_answered.clear();
}

void TestAgentWorker::cleanup()
{
    if (m_worker)
        m_worker->close();
    m_worker.reset();
    end();
}

AgentWorker& TestAgentWorker::makeWorker(AgentTiming timing)
{
    m_worker = std::make_unique<AgentWorker>(m_agent->access(), timing, m_time);
    connect(m_worker.get(), &AgentWorker::statusChanged, this,
            [this](const ConnectionStatus& status) { m_status = status; });
    connect(m_worker.get(), &AgentWorker::taskAnswered, this,
            [this](quint64 number) { m_answered.push_back(number); });
    return *m_worker;
}

QList<QTimer*> TestAgentWorker::armed() const
{
    QList<QTimer*> found = m_worker->findChildren<QTimer*>();
    found.removeIf([](const QTimer* timer) { return !timer->isActive(); });
    return found;
}

void TestAgentWorker::comeToRest()
{
    // A Unix socket has at once what is written at its other end.
    for (int quiet = 0; quiet < 3;) {
        const qint64 before = m_agent->waiting();
        QCoreApplication::processEvents();
        quiet = m_agent->waiting() == before ? quiet + 1 : 0;
    }
}

void TestAgentWorker::readToTheEnd()
{
    const quint64 number = m_answered.size() + 1;
    m_worker->requestTask(number, TaskId(0));
    QTRY_COMPARE(m_agent->said<link::TaskRequest>().size(), std::size_t(number));
    link::TaskReply reply;
    reply.number = number;
    m_agent->say(reply);
    QTRY_COMPARE(m_answered.size(), std::size_t(number));
}

void TestAgentWorker::silence()
{
    startAgent();
    AgentTiming timing = quick;
    timing.ping = 5ms;
    timing.silence = 50ms;
    AgentWorker& worker = makeWorker(timing);
    worker.open();
    QTRY_COMPARE(state(), ConnectionState::Live);
    QCOMPARE(armed().size(), 1);
    // Time goes on by a ping with each beat, however late that comes.
    int beats = 0;
    connect(armed().front(), &QTimer::timeout, this, [&] {
        ++beats;
        m_time.advance(timing.ping);
    });
    QTRY_VERIFY(beats >= 30 && m_agent->said<link::Ping>().size() >= 30);
    QCOMPARE(m_agent->connections(), 1); // pongs are signs of life
    QCOMPARE(state(), ConnectionState::Live);
    std::optional<ConnectionStatus> lost;
    int beatsUntilLost = 0;
    connect(&worker, &AgentWorker::statusChanged, this, [&](const ConnectionStatus& status) {
        if (lost)
            return;
        lost = status;
        beatsUntilLost = beats;
    });
    beats = 0;
    m_agent->manners.answersPings = false;
    QTRY_VERIFY(lost.has_value());
    QCOMPARE(lost->state, ConnectionState::Waiting);
    QVERIFY(lost->nextTry.has_value());
    // Ten beats are the silence; some pongs may have been under way.
    QVERIFY2(beatsUntilLost >= 10 && beatsUntilLost <= 15,
             qPrintable(QString::number(beatsUntilLost)));
    QTRY_VERIFY(m_agent->connections() >= 2);
    worker.disconnect(this);
}

void TestAgentWorker::whoHasEndedIsNotTriedAgain_data()
{
    QTest::addColumn<Manners>("manners");
    QTest::addColumn<ConnectionState>("ended");
    QTest::newRow("goodbye") << Manners() << ConnectionState::Ended;
    Manners version;
    version.protocol.major = 9;
    QTest::newRow("another version") << version << ConnectionState::Refused;
    Manners token;
    token.wrongToken = true;
    QTest::newRow("wrong token") << token << ConnectionState::Refused;
}

void TestAgentWorker::whoHasEndedIsNotTriedAgain()
{
    QFETCH(Manners, manners);
    QFETCH(ConnectionState, ended);
    startAgent(manners);
    makeWorker().open();
    if (ended == ConnectionState::Ended) {
        QTRY_COMPARE(state(), ConnectionState::Live);
        m_agent->say(link::Bye{.reason = "the agent has ended"});
    }
    QTRY_COMPARE(state(), ended);
    QVERIFY(!m_status.nextTry);
    QCOMPARE(armed().size(), 1);
    // It looks for a successor, which the agent itself is not.
    QSignalSpy looks(armed().front(), &QTimer::timeout);
    QTRY_VERIFY(looks.size() >= 4);
    QCOMPARE(m_agent->connections(), 1);
    QCOMPARE(state(), ended);
    m_worker->retryNow();
    QTRY_COMPARE(m_agent->connections(), 2);
}

/// Nobody takes what is told until the test does.
void TestAgentWorker::onlyTheNewestStatusWaits()
{
    startAgent();
    AgentWorker& worker = makeWorker();
    std::vector<std::uint64_t> slots;
    connect(&worker, &AgentWorker::agentStatusChanged, this,
            [&](const AgentStatus& status) { slots.push_back(status.slots); });
    int told = 0;
    connect(&worker, &AgentWorker::newsTold, this, [&told] { ++told; });
    worker.open();
    QTRY_COMPARE(state(), ConnectionState::Live);
    QVERIFY(told <= 1); // it may have been a sign of life
    const auto flood = [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = first; i <= last; ++i)
            m_agent->say(link::Status{.slots = i});
        readToTheEnd();
    };
    flood(1, 20'000);
    QVERIFY(told <= 1);
    QVERIFY(slots.size() <= 1);
    worker.newsTaken();
    QTRY_VERIFY(!slots.empty() && slots.back() == 20'000);
    flood(20'001, 30'000);
    QVERIFY(slots.size() <= 2);
    // The last word counts, also when the connection ends.
    m_agent->die();
    QTRY_VERIFY(state() != ConnectionState::Live);
    QCOMPARE(slots.back(), std::uint64_t(30'000));
    QVERIFY(slots.size() <= 3);
    worker.disconnect(this);
}

/// What the window has not taken yet is a few messages; the rest stays with the agent.
void TestAgentWorker::floodOfSnapshots()
{
    startAgent();
    AgentWorker& worker = makeWorker();
    int told = 0;
    bool takes = false;
    connect(&worker, &AgentWorker::messageTold, this, [&] {
        ++told;
        if (takes)
            QMetaObject::invokeMethod(&worker, &AgentWorker::messageTaken, Qt::QueuedConnection);
    });
    worker.open();
    QTRY_COMPARE(state(), ConnectionState::Live);
    constexpr int pairs = 40'000;
    for (int i = 0; i < pairs; ++i) {
        m_agent->say(link::SnapshotBegin{});
        m_agent->say(link::SnapshotEnd{});
    }
    comeToRest();
    QVERIFY2(told <= 64, qPrintable(QString::number(told)));
    QVERIFY(m_agent->waiting() > 0);
    takes = true;
    for (int waiting = told; waiting > 0; --waiting)
        worker.messageTaken();
    QTRY_VERIFY(told >= 2 * pairs);
    worker.disconnect(this);
}

void TestAgentWorker::agentOfAnOlderVersionGetsNoOrders()
{
    startAgent({.protocol = {.minor = link::systemSinceMinor - 1}});
    AgentWorker& worker = makeWorker();
    worker.open();
    QTRY_COMPARE(state(), ConnectionState::Live);
    QStringList refusals;
    connect(&worker, &AgentWorker::requestFailed, this,
            [&refusals](quint64, const QString& reason) { refusals << reason; });
    worker.sendCommand(1, DrainProcessor{ProcessorId(2)});
    worker.sendCommand(2, ChangeRole{ProcessorId(2)});
    QCOMPARE(refusals.size(), 2);
    QVERIFY2(refusals.back().contains("older version"), qPrintable(refusals.back()));
    worker.sendCommand(3, StopRun{});
    QTRY_COMPARE(m_agent->said<link::CommandRequest>().size(), std::size_t(1));
    QCOMPARE(refusals.size(), 2);
    worker.disconnect(this); // the last one stays without an answer
}

QTEST_GUILESS_MAIN(TestAgentWorker)

} // namespace tst_agentworker

#include "tst_agentworker.moc"

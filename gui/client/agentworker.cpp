// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentworker.h"

#include <QRandomGenerator>

#include <utility>

namespace tasuki {

namespace {

ConnectionInput inputOf(AgentConnection::End why)
{
    switch (why) {
    case AgentConnection::End::Lost: return ConnectionInput::Lost;
    case AgentConnection::End::Refused: return ConnectionInput::Refuse;
    case AgentConnection::End::Bye: return ConnectionInput::Bye;
    }
    return ConnectionInput::Lost;
}

} // namespace

AgentWorker::AgentWorker(AgentPlace place, AgentTiming timing, const Clock& clock)
    : m_clock(clock),
      m_connection(timing, clock,
                   {.take = [this](link::AgentMessage& message) { takeMessage(message); },
                    .listens = [this] { return !m_credit.isFull(); }},
                   this),
      m_again(timing)
{
    if (auto* accessFile = std::get_if<std::filesystem::path>(&place))
        m_address.emplace(std::move(*accessFile));
    else
        m_remote = std::get<RemoteRun>(place);
    connect(&m_connection, &AgentConnection::reached, this, [this] {
        m_machine.take(ConnectionInput::Reached);
        tell();
    });
    connect(&m_connection, &AgentConnection::welcomed, this, &AgentWorker::begin);
    connect(&m_connection, &AgentConnection::ended, this,
            [this](AgentConnection::End why, const QString& reason) {
                end(mayComeBack() ? inputOf(why) : ConnectionInput::Refuse, reason);
            });
}

void AgentWorker::open()
{
    m_retryTimer = new QTimer(this);
    m_retryTimer->setSingleShot(true);
    connect(m_retryTimer, &QTimer::timeout, this, &AgentWorker::retryNow);
    m_lookTimer = new QTimer(this);
    m_lookTimer->setSingleShot(true);
    connect(m_lookTimer, &QTimer::timeout, this, &AgentWorker::look);
    m_machine.take(ConnectionInput::Open);
    tell();
    connectToAgent();
}

void AgentWorker::close() { end(ConnectionInput::Close, tr("the run was closed")); }

/// What was never there does not come by waiting; an agent that was there may come back.
bool AgentWorker::mayComeBack() const { return m_address ? m_address->isKnown() : m_wasThere; }

void AgentWorker::connectToAgent()
{
    if (!m_address)
        return m_connection.open(m_remote);
    if (const auto chosen = m_address->choose(); !chosen) {
        end(mayComeBack() ? ConnectionInput::Lost : ConnectionInput::Refuse,
            mayComeBack() ? tr("the agent does not run any more")
                          : QString::fromStdString(chosen.error().text()));
        m_address->forget();
        return;
    }
    m_connection.open(*m_address->access());
}

void AgentWorker::begin(const link::Welcome& welcome)
{
    m_machine.take(ConnectionInput::Welcomed);
    m_wasThere = true;
    Q_EMIT agentChanged({.run = welcome.run,
                         .epoch = welcome.epoch,
                         .runFile = QString::fromStdString(welcome.runFile),
                         .directory = QString::fromStdString(welcome.directory),
                         .host = QString::fromStdString(welcome.host),
                         .pid = welcome.pid,
                         .serve = welcome.serve});
    Q_EMIT heard(welcome.now);
    tell();
    subscribe();
}

void AgentWorker::end(ConnectionInput why, const QString& reason)
{
    if (!m_machine.take(why))
        return;
    m_retryTimer->stop();
    m_lookTimer->stop();
    m_connection.close();
    if (const auto news = m_news.rest())
        tellNews(*news);
    for (const auto& [number, asked] : std::exchange(m_open, {})) {
        const QString words = asked == Asked::ToDo
            ? tr(
                "the connection ended before the answer, so it is not known whether this was done: "
                "%1")
            : tr("the connection ended before the answer: %1");
        Q_EMIT requestFailed(number, words.arg(reason));
    }
    const SteadyTime now = m_clock.now();
    m_again.lost(now);
    if (m_machine.state() == ConnectionState::Waiting)
        m_retryTimer->start(m_again.wait(now, QRandomGenerator::global()->generateDouble()));
    if (m_machine.state() != ConnectionState::Idle)
        m_lookTimer->start(m_again.lookPause());
    tell(reasonOfLoss(reason));
}

/// A master whose process has ended may have a successor, who is about to take over.
QString AgentWorker::reasonOfLoss(const QString& reason) const
{
    const bool waits = m_machine.state() == ConnectionState::Waiting
        && m_again.mayBeSucceeded(m_clock.now()) && m_address && m_address->isGone();
    return waits ? tr("the master is lost: waiting for its successor") : reason;
}

void AgentWorker::look()
{
    // Of a run that has ended on another host the record can be asked.
    const bool over = m_machine.state() == ConnectionState::Ended;
    if (m_address ? m_address->hasSuccessor() : over) {
        retryNow();
        return;
    }
    m_lookTimer->start(m_again.nextLookPause());
    if (const QString reason = reasonOfLoss(m_reason); reason != m_reason)
        tell(reason);
}

void AgentWorker::retryNow()
{
    if (!m_machine.take(ConnectionInput::Retry))
        return;
    m_retryTimer->stop();
    m_lookTimer->stop();
    m_again.trying();
    tell();
    connectToAgent();
}

ConnectionState AgentWorker::shownState() const
{
    const ConnectionState state = m_machine.state();
    return state == ConnectionState::Live && m_connection.isOfRecord() ? ConnectionState::Offline
                                                                       : state;
}

bool AgentWorker::hearsMe() const
{
    const auto state = m_machine.state();
    return m_connection.isHeard()
        && (state == ConnectionState::CatchingUp || state == ConnectionState::Live);
}

void AgentWorker::restart()
{
    m_events.restart();
    if (hearsMe())
        subscribe();
    else
        retryNow();
}

void AgentWorker::tell(const QString& reason)
{
    m_reason = reason;
    Q_EMIT statusChanged({.state = shownState(),
                          .reason = reason,
                          .nextTry = m_again.nextTry(),
                          .failures = m_again.failures()});
}

void AgentWorker::release(std::size_t batches)
{
    if (m_credit.takenBatches(batches))
        m_connection.readAgain();
}

void AgentWorker::messageTaken()
{
    if (m_credit.takenMessage())
        m_connection.readAgain();
}

void AgentWorker::request(quint64 number, Asked what, const link::ClientMessage& message)
{
    if (!hearsMe()) {
        Q_EMIT requestFailed(number, tr("there is no connection to the agent"));
        return;
    }
    if (const auto sent = m_connection.send(message); !sent) {
        Q_EMIT requestFailed(number, QString::fromStdString(sent.error().text()));
        return;
    }
    m_open.emplace(number, what);
}

void AgentWorker::sendCommand(quint64 number, OperatorCommand command)
{
    if (hearsMe() && m_connection.agentProtocol().minor < link::sinceMinor(command)) {
        Q_EMIT requestFailed(number, tr("the agent is of an older version, which cannot do this"));
        return;
    }
    request(number, Asked::ToDo,
            link::CommandRequest{.number = number, .command = std::move(command)});
}

void AgentWorker::requestOutput(quint64 number, OutputQuery query)
{
    request(number, Asked::ToTell, link::OutputRequest{.number = number, .query = query});
}

void AgentWorker::requestTask(quint64 number, TaskId task)
{
    request(number, Asked::ToTell, link::TaskRequest{.number = number, .id = task});
}

void AgentWorker::subscribe()
{
    static_cast<void>(m_connection.send(m_events.subscription(m_connection.run())));
}

void AgentWorker::takeMessage(link::AgentMessage& message)
{
    std::visit(
        [this](auto& one) {
            if constexpr (requires { take(one); })
                take(one); // else of plans, which others asked for
        },
        message);
}

void AgentWorker::takeNews(News news)
{
    if (!news.status && m_news.waits())
        return; // a status is a sign of life, too
    if (const auto now = m_news.offer(std::move(news)))
        tellNews(*now);
}

void AgentWorker::tellNews(const News& news)
{
    if (news.status)
        Q_EMIT agentStatusChanged(*news.status);
    Q_EMIT heard(news.agentNow);
    Q_EMIT newsTold();
}

void AgentWorker::newsTaken()
{
    // People see no difference between more than so many a second.
    constexpr std::chrono::milliseconds pause(40);
    QTimer::singleShot(pause, this, [this] {
        if (const auto next = m_news.taken())
            tellNews(*next);
    });
}

void AgentWorker::messageWasTold()
{
    m_credit.toldMessage();
    Q_EMIT messageTold();
}

void AgentWorker::take(const link::SnapshotBegin& message)
{
    switch (m_events.begin(message)) {
    case EventIntake::Begin::GoesOn: break;
    case EventIntake::Begin::Restarts: Q_EMIT restarted(); break;
    case EventIntake::Begin::Wrong:
        return m_connection.broken(tr("a snapshot begins at another event than was asked for"));
    }
    if (m_machine.state() == ConnectionState::Live) {
        m_machine.take(ConnectionInput::Gap);
        tell();
    }
    Q_EMIT catchingUp(m_events.toCome(message.upTo));
    messageWasTold();
}

void AgentWorker::take(link::Events& message)
{
    const auto batch = m_events.take(std::move(message));
    if (!batch)
        return m_connection.broken(tr("events are missing"));
    if (batch->events.empty())
        return;
    m_credit.toldBatch();
    Q_EMIT batchRead(batch);
}

void AgentWorker::take(const link::SnapshotEnd& message)
{
    if (message.upTo != m_events.last())
        return m_connection.broken(tr("a snapshot ends at another event than was said"));
    m_again.reached();
    m_machine.take(ConnectionInput::CaughtUp);
    Q_EMIT caughtUp();
    tell();
    messageWasTold();
}

void AgentWorker::take(const link::Gap& message)
{
    if (message.lastDelivered != m_events.last())
        return m_connection.broken(tr("events are missing"));
    m_machine.take(ConnectionInput::Gap);
    tell();
    messageWasTold();
}

void AgentWorker::take(const link::Status& message)
{
    takeNews({.status = AgentStatus{.phase = QString::fromStdString(message.phase),
                                    .stalled = QString::fromStdString(message.stalled),
                                    .slots = message.slots,
                                    .outstanding = message.outstanding,
                                    .uncommitted = message.uncommitted,
                                    .recovery = message.recovery,
                                    .programs = message.programs},
              .agentNow = message.now});
}

void AgentWorker::take(const link::CommandReply& message)
{
    if (m_open.erase(message.number) != 0)
        Q_EMIT commandAnswered(message.number, message.answer);
}

void AgentWorker::take(const link::OutputReply& message)
{
    if (m_open.erase(message.number) != 0)
        Q_EMIT outputAnswered(message.number, message.answer);
}

void AgentWorker::take(const link::TaskReply& message)
{
    if (m_open.erase(message.number) == 0)
        return;
    if (message.known)
        Q_EMIT taskAnswered(message.number, message.task);
    else
        Q_EMIT taskAnswered(
            message.number,
            Error{.kind = ErrorKind::Input, .message = tr("there is no such task").toStdString()});
}

void AgentWorker::take(const link::Pong&) { takeNews({}); }

void AgentWorker::take(const link::Bye& message)
{
    end(ConnectionInput::Bye, QString::fromStdString(message.reason));
}

void AgentWorker::take(const link::Refused& message)
{
    end(ConnectionInput::Refuse, QString::fromStdString(message.reason));
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentworker.h"

#include "operatorname.h"
#include "wire/linkcodec.h"

#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

constexpr qint64 readBytes = 64 * 1024;

QString text(const Error& error) { return QString::fromStdString(error.text()); }

} // namespace

AgentWorker::AgentWorker(std::filesystem::path accessFile, AgentTiming timing, const Clock& clock)
    : m_timing(timing),
      m_clock(clock),
      m_address(std::move(accessFile)),
      m_signs(timing.ping, timing.silence),
      m_again(timing)
{}

void AgentWorker::open()
{
    m_beatTimer = new QTimer(this);
    m_beatTimer->setInterval(m_timing.ping);
    connect(m_beatTimer, &QTimer::timeout, this, &AgentWorker::beat);
    m_greetingTimer = new QTimer(this);
    m_greetingTimer->setSingleShot(true);
    connect(m_greetingTimer, &QTimer::timeout, this,
            [this] { end(ConnectionInput::Lost, tr("the agent does not answer")); });
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

void AgentWorker::connectToAgent()
{
    if (const auto chosen = m_address.choose(); !chosen) {
        // What was never there does not come by waiting; an agent that was there may come back.
        const bool known = m_address.isKnown();
        end(known ? ConnectionInput::Lost : ConnectionInput::Refuse,
            known ? tr("the agent does not run any more") : text(chosen.error()));
        m_address.forget();
        return;
    }
    m_decoder = link::FrameDecoder();
    m_socket = std::make_unique<LinkSocket>();
    connect(m_socket.get(), &LinkSocket::reached, this, &AgentWorker::greet);
    connect(m_socket.get(), &LinkSocket::readyRead, this, &AgentWorker::pump);
    connect(m_socket.get(), &LinkSocket::ended, this, [this](const QString& reason) {
        m_hungUp = reason;
        pump();
    });
    m_greetingTimer->start(m_timing.handshake);
    m_socket->connectTo(*m_address.access());
}

void AgentWorker::greet()
{
    m_machine.take(ConnectionInput::Reached);
    tell();
    m_handshake = std::make_unique<link::ClientHandshake>(
        link::ClientHandshake::Parameters{.token = m_address.access()->token,
                                          .nonce = link::randomSecret(),
                                          .run = m_address.run().hex,
                                          .programVersion = TASUKI_VERSION,
                                          .operatorName = operatorName(),
                                          .protocol = link::protocolVersion});
    send(m_handshake->start());
}

void AgentWorker::end(ConnectionInput why, const QString& reason)
{
    if (!m_machine.take(why))
        return;
    m_greetingTimer->stop();
    m_beatTimer->stop();
    m_retryTimer->stop();
    m_lookTimer->stop();
    m_handshake.reset();
    m_hungUp.reset();
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->close();
        m_socket.release()->deleteLater(); // it may be what tells of the end
    }
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
        && m_again.mayBeSucceeded(m_clock.now()) && m_address.isGone();
    return waits ? tr("the master is lost: waiting for its successor") : reason;
}

void AgentWorker::look()
{
    if (m_address.hasSuccessor()) {
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

bool AgentWorker::hearsMe() const
{
    const auto state = m_machine.state();
    return !m_hungUp && (state == ConnectionState::CatchingUp || state == ConnectionState::Live);
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
    Q_EMIT statusChanged({.state = m_machine.state(),
                          .reason = reason,
                          .nextTry = m_again.nextTry(),
                          .failures = m_again.failures()});
}

void AgentWorker::release(std::size_t batches)
{
    if (m_credit.takenBatches(batches))
        goOn();
}

void AgentWorker::messageTaken()
{
    if (m_credit.takenMessage())
        goOn();
}

/// There is room for more.
void AgentWorker::goOn()
{
    m_signs.heard(m_clock.now());
    pump();
}

void AgentWorker::pump()
{
    if (m_pumping)
        return;
    m_pumping = true;
    readOn();
    m_pumping = false;
    // What came before the end counts, events and a goodbye for example; a window that is busy takes them
    // later.
    if (m_hungUp && !m_credit.isFull())
        end(ConnectionInput::Lost, *std::exchange(m_hungUp, std::nullopt));
}

void AgentWorker::readOn()
{
    while (m_socket && !m_credit.isFull()) {
        const auto message = m_decoder.next();
        if (!message) {
            broken(text(message.error()));
            break;
        }
        if (*message) {
            if (!takeMessage(**message))
                break;
            continue;
        }
        const QByteArray bytes = m_socket->read(readBytes);
        if (bytes.isEmpty())
            break;
        m_signs.heard(m_clock.now());
        m_decoder.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
}

bool AgentWorker::broken(const QString& what)
{
    end(ConnectionInput::Lost, tr("the agent said what makes no sense: %1").arg(what));
    return false;
}

void AgentWorker::send(const link::ClientMessage& message)
{
    auto framed = link::frame(link::encode(message));
    if (framed && m_socket)
        m_socket->write(*framed);
}

void AgentWorker::request(quint64 number, Asked what, const link::ClientMessage& message)
{
    if (!hearsMe()) {
        Q_EMIT requestFailed(number, tr("there is no connection to the agent"));
        return;
    }
    auto framed = link::frame(link::encode(message));
    if (!framed) {
        Q_EMIT requestFailed(number, text(framed.error()));
        return;
    }
    m_open.emplace(number, what);
    m_socket->write(*framed);
}

void AgentWorker::sendCommand(quint64 number, OperatorCommand command)
{
    const bool old = m_handshake && m_handshake->agentProtocol().minor < link::systemSinceMinor;
    if (old && link::sinceMinor(command) == link::systemSinceMinor) {
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

void AgentWorker::subscribe() { send(m_events.subscription(m_address.run())); }

void AgentWorker::beat()
{
    const bool listens = !m_credit.isFull();
    if (!m_signs.beat(m_clock.now(), listens)) {
        end(ConnectionInput::Lost, tr("nothing was heard of the agent"));
        return;
    }
    // Who does not read needs no answer; and a write to an agent that has just gone would cost what it has
    // said at last, which waits in the socket.
    if (listens)
        send(link::Ping{.number = m_signs.nextPing()});
}

bool AgentWorker::takeMessage(std::string_view payload)
{
    auto message = link::decodeAgentMessage(payload);
    if (!message)
        return broken(QString::fromStdString(message.error().text()));
    if (m_handshake)
        return takeGreeting(*message);
    return std::visit(
        [this](auto& one) {
            using Message = std::remove_reference_t<decltype(one)>;
            if constexpr (requires { take(one); })
                return take(one);
            constexpr bool greets =
                std::is_same_v<Message,
                               link::ServerHello> || std::is_same_v<Message, link::Welcome>;
            return greets ? broken(tr("it greets a second time")) : true; // plans of others
        },
        *message);
}

bool AgentWorker::takeGreeting(const link::AgentMessage& message)
{
    using Next = link::ClientHandshake::Step::Next;
    const auto step = m_handshake->receive(message);
    if (step.send) {
        send(*step.send);
        // The agent has proved itself.
        m_decoder.setLimit(link::frameLimit);
    }
    if (step.next == Next::Wait)
        return true;
    if (step.next == Next::Failed) {
        const bool bye = std::holds_alternative<link::Bye>(message);
        end(bye ? ConnectionInput::Bye : ConnectionInput::Refuse,
            step.error ? QString::fromStdString(step.error->text()) : QString());
        return false;
    }
    const link::Welcome welcome = m_handshake->welcome();
    m_handshake.reset();
    m_greetingTimer->stop();
    if (welcome.run != m_address.run()) {
        end(ConnectionInput::Refuse, tr("the agent has another run than its access file says"));
        return false;
    }
    m_machine.take(ConnectionInput::Welcomed);
    Q_EMIT agentChanged({.run = welcome.run,
                         .epoch = welcome.epoch,
                         .runFile = QString::fromStdString(welcome.runFile),
                         .directory = QString::fromStdString(welcome.directory),
                         .host = QString::fromStdString(welcome.host),
                         .pid = welcome.pid,
                         .serve = welcome.serve});
    Q_EMIT heard(welcome.now);
    tell();
    m_signs.begin(m_clock.now());
    m_beatTimer->start();
    subscribe();
    return true;
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

bool AgentWorker::messageWasTold()
{
    m_credit.toldMessage();
    Q_EMIT messageTold();
    return true;
}

bool AgentWorker::take(const link::SnapshotBegin& message)
{
    switch (m_events.begin(message)) {
    case EventIntake::Begin::GoesOn: break;
    case EventIntake::Begin::Restarts: Q_EMIT restarted(); break;
    case EventIntake::Begin::Wrong:
        return broken(tr("a snapshot begins at another event than was asked for"));
    }
    if (m_machine.state() == ConnectionState::Live) {
        m_machine.take(ConnectionInput::Gap);
        tell();
    }
    Q_EMIT catchingUp(m_events.toCome(message.upTo));
    return messageWasTold();
}

bool AgentWorker::take(link::Events& message)
{
    const auto batch = m_events.take(std::move(message));
    if (!batch)
        return broken(tr("events are missing"));
    if (batch->events.empty())
        return true;
    m_credit.toldBatch();
    Q_EMIT batchRead(batch);
    return true;
}

bool AgentWorker::take(const link::SnapshotEnd& message)
{
    if (message.upTo != m_events.last())
        return broken(tr("a snapshot ends at another event than was said"));
    m_again.reached();
    m_machine.take(ConnectionInput::CaughtUp);
    Q_EMIT caughtUp();
    tell();
    return messageWasTold();
}

bool AgentWorker::take(const link::Gap& message)
{
    if (message.lastDelivered != m_events.last())
        return broken(tr("events are missing"));
    m_machine.take(ConnectionInput::Gap);
    tell();
    return messageWasTold();
}

bool AgentWorker::take(const link::Status& message)
{
    takeNews({.status = AgentStatus{.phase = QString::fromStdString(message.phase),
                                    .stalled = QString::fromStdString(message.stalled),
                                    .slots = message.slots,
                                    .outstanding = message.outstanding,
                                    .uncommitted = message.uncommitted,
                                    .recovery = message.recovery},
              .agentNow = message.now});
    return true;
}

bool AgentWorker::take(const link::CommandReply& message)
{
    if (m_open.erase(message.number) != 0)
        Q_EMIT commandAnswered(message.number, message.answer);
    return true;
}

bool AgentWorker::take(const link::OutputReply& message)
{
    if (m_open.erase(message.number) != 0)
        Q_EMIT outputAnswered(message.number, message.answer);
    return true;
}

bool AgentWorker::take(const link::TaskReply& message)
{
    if (m_open.erase(message.number) == 0)
        return true;
    if (message.known)
        Q_EMIT taskAnswered(message.number, message.task);
    else
        Q_EMIT taskAnswered(
            message.number,
            Error{.kind = ErrorKind::Input, .message = tr("there is no such task").toStdString()});
    return true;
}

bool AgentWorker::take(const link::Pong&)
{
    takeNews({});
    return true;
}

bool AgentWorker::take(const link::Bye& message)
{
    return takeEnd(ConnectionInput::Bye, message.reason);
}

bool AgentWorker::take(const link::Refused& message)
{
    return takeEnd(ConnectionInput::Refuse, message.reason);
}

bool AgentWorker::takeEnd(ConnectionInput why, const std::string& reason)
{
    end(why, QString::fromStdString(reason));
    return false;
}

} // namespace tasuki

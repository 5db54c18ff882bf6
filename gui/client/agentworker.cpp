// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentworker.h"

#include "host/hostidentity.h"
#include "operatorname.h"
#include "retrydelay.h"
#include "wire/linkcodec.h"

#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

constexpr qint64 readBytes = 64 * 1024;
/// Messages beside batches that may be on their way to the window.
constexpr std::size_t messageWindow = 64;

QString text(const Error& error) { return QString::fromStdString(error.text()); }

} // namespace

AgentWorker::AgentWorker(std::filesystem::path accessFile, AgentTiming timing)
    : m_accessPath(std::move(accessFile)), m_timing(timing)
{}

void AgentWorker::open()
{
    m_lookPause = m_timing.look;
    m_hostKey = hostIdentity().key;
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

std::optional<link::AccessFile> AgentWorker::chooseAgent()
{
    if (!m_run.hex.empty()) {
        // A resumed run has a new agent, which wrote a file of its own.
        const auto listing = link::listAccessFiles(m_accessPath.parent_path());
        const link::AccessListing::Entry* best = nullptr;
        for (const auto& entry : listing.agents) {
            const bool better = !best || entry.access.epoch > best->access.epoch;
            if (entry.access.run == m_run && better && !link::isStale(entry.access, m_hostKey))
                best = &entry;
        }
        if (best)
            m_accessPath = best->path;
    }
    auto access = link::readAccessFile(m_accessPath);
    if (!access) {
        // What was never there does not come by waiting; an agent that was there may come back.
        const bool known = !m_run.hex.empty();
        end(known ? ConnectionInput::Lost : ConnectionInput::Refuse,
            known ? tr("the agent does not run any more") : text(access.error()));
        return std::nullopt;
    }
    return std::move(*access);
}

bool AgentWorker::hasSuccessor() const
{
    const auto listing = link::listAccessFiles(m_accessPath.parent_path());
    return std::ranges::any_of(listing.agents, [this](const auto& entry) {
        return entry.access.run == m_run && (!m_access || entry.access.token != m_access->token)
            && !link::isStale(entry.access, m_hostKey);
    });
}

void AgentWorker::connectToAgent()
{
    m_access = chooseAgent();
    if (!m_access)
        return;
    m_run = m_access->run;
    m_decoder = link::FrameDecoder();
    m_socket = std::make_unique<LinkSocket>();
    connect(m_socket.get(), &LinkSocket::reached, this, &AgentWorker::greet);
    connect(m_socket.get(), &LinkSocket::readyRead, this, &AgentWorker::pump);
    connect(m_socket.get(), &LinkSocket::ended, this, [this](const QString& reason) {
        m_hungUp = reason;
        pump();
    });
    m_greetingTimer->start(m_timing.handshake);
    m_socket->connectTo(*m_access);
}

void AgentWorker::greet()
{
    m_machine.take(ConnectionInput::Reached);
    tell();
    m_handshake = std::make_unique<link::ClientHandshake>(
        link::ClientHandshake::Parameters{.token = m_access->token,
                                          .nonce = link::randomSecret(),
                                          .run = m_run.hex,
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
    m_nextTry.reset();
    if (m_failures == 0) {
        m_lostAt = std::chrono::steady_clock::now();
        m_lookPause = std::min(m_timing.firstLook, m_timing.look);
    }
    if (m_machine.state() == ConnectionState::Waiting) {
        const auto delay = retryDelay(++m_failures, m_timing.firstDelay, m_timing.longestDelay,
                                      QRandomGenerator::global()->generateDouble());
        m_nextTry = std::chrono::steady_clock::now() + delay;
        m_retryTimer->start(delay);
    }
    if (m_machine.state() != ConnectionState::Idle)
        m_lookTimer->start(m_lookPause);
    tell(reasonOfLoss(reason));
}

/// A master whose process has ended may have a successor, who is about to take over.
QString AgentWorker::reasonOfLoss(const QString& reason) const
{
    const bool waits = m_machine.state() == ConnectionState::Waiting && m_access
        && std::chrono::steady_clock::now() - m_lostAt < m_timing.succession
        && link::isStale(*m_access, m_hostKey);
    return waits ? tr("the master is lost: waiting for its successor") : reason;
}

void AgentWorker::look()
{
    if (!m_run.hex.empty() && hasSuccessor()) {
        retryNow();
        return;
    }
    m_lookPause = std::min(2 * m_lookPause, m_timing.look);
    m_lookTimer->start(m_lookPause);
    if (const QString reason = reasonOfLoss(m_reason); reason != m_reason)
        tell(reason);
}

void AgentWorker::retryNow()
{
    if (!m_machine.take(ConnectionInput::Retry))
        return;
    m_retryTimer->stop();
    m_lookTimer->stop();
    m_nextTry.reset();
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
    m_fromStart = true;
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
                          .nextTry = m_nextTry,
                          .failures = m_failures});
}

void AgentWorker::release(std::size_t batches)
{
    const bool full = isFull();
    m_outstanding -= std::min(batches, m_outstanding);
    goOn(full);
}

void AgentWorker::messageTaken()
{
    const bool full = isFull();
    --m_untaken;
    goOn(full);
}

bool AgentWorker::isFull() const
{
    return m_outstanding >= SessionSource::batchWindow || m_untaken >= messageWindow;
}

void AgentWorker::goOn(bool wasFull)
{
    if (!wasFull || isFull())
        return;
    m_lastHeard = std::chrono::steady_clock::now();
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
    if (m_hungUp && !isFull())
        end(ConnectionInput::Lost, *std::exchange(m_hungUp, std::nullopt));
}

void AgentWorker::readOn()
{
    while (m_socket && !isFull()) {
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
        m_lastHeard = std::chrono::steady_clock::now();
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

void AgentWorker::subscribe()
{
    if (m_fromStart)
        send(link::Subscribe{});
    else
        send(link::Subscribe{.run = m_run, .after = m_last});
    m_fromStart = false;
}

void AgentWorker::beat()
{
    const auto now = std::chrono::steady_clock::now();
    // A window that was stopped has heard nothing because it did not listen.
    if (now - m_lastBeat > 2 * m_timing.ping || isFull())
        m_lastHeard = now;
    m_lastBeat = now;
    if (now - m_lastHeard > m_timing.silence) {
        end(ConnectionInput::Lost, tr("nothing was heard of the agent"));
        return;
    }
    // Who does not read needs no answer; and a write to an agent that has just gone would cost what it has
    // said at last, which waits in the socket.
    if (!isFull())
        send(link::Ping{.number = ++m_pings});
}

} // namespace tasuki

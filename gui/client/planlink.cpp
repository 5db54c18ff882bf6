// SPDX-License-Identifier: GPL-3.0-or-later
#include "planlink.h"

#include "linksocket.h"
#include "operatorname.h"
#include "wire/linkcodec.h"

#include <algorithm>

namespace tasuki {

namespace {

constexpr qint64 planReadBytes = 64 * 1024;
/// So much is handed to the socket at a time: enough that it never runs dry.
constexpr qint64 mostWaiting = 2 * qint64{link::planPieceBytes};

QString words(const Error& error) { return QString::fromStdString(error.text()); }

} // namespace

PlanLink::PlanLink(AgentTiming timing) : m_timing(timing), m_signs(timing.ping, timing.silence) {}

PlanLink::~PlanLink() = default;

void PlanLink::makeTimers()
{
    if (m_beatTimer)
        return;
    m_beatTimer = new QTimer(this);
    m_beatTimer->setInterval(m_timing.ping);
    connect(m_beatTimer, &QTimer::timeout, this, &PlanLink::beat);
    m_greetingTimer = new QTimer(this);
    m_greetingTimer->setSingleShot(true);
    connect(m_greetingTimer, &QTimer::timeout, this,
            [this] { fail(tr("the agent does not answer")); });
}

void PlanLink::begin(const std::filesystem::path& accessFile, const Job& job)
{
    makeTimers();
    close();
    m_job = job;
    m_state = State::Connecting;
    m_trace.setFileName(QFile::decodeName(m_job.trace.c_str()));
    if (!m_trace.open(QIODevice::ReadOnly)) {
        fail(tr("the trace cannot be read: %1").arg(m_trace.errorString()));
        return;
    }
    if (m_trace.isSequential()) {
        fail(tr("the trace cannot be read a second time"));
        return;
    }
    auto access = link::readAccessFile(accessFile);
    if (!access) {
        fail(words(access.error()));
        return;
    }
    m_access = std::move(*access);
    m_decoder = link::FrameDecoder();
    m_socket = std::make_unique<LinkSocket>();
    connect(m_socket.get(), &LinkSocket::reached, this, &PlanLink::greet);
    connect(m_socket.get(), &LinkSocket::readyRead, this, &PlanLink::read);
    connect(m_socket.get(), &LinkSocket::written, this, &PlanLink::sendPieces);
    connect(m_socket.get(), &LinkSocket::ended, this, [this](const QString& reason) {
        // What came before the end counts.
        read();
        fail(reason);
    });
    m_greetingTimer->start(m_timing.handshake);
    m_socket->connectTo(m_access);
}

void PlanLink::close()
{
    m_state = State::Idle;
    if (m_beatTimer) {
        m_beatTimer->stop();
        m_greetingTimer->stop();
    }
    m_handshake.reset();
    m_trace.close();
    m_parts = {};
    static_cast<void>(m_progress.rest());
    static_cast<void>(m_found.rest());
    m_sent = 0;
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->close();
        m_socket.release()->deleteLater(); // it may be what tells of the end
    }
}

bool PlanLink::fail(const QString& reason)
{
    if (m_state == State::Idle)
        return false;
    tellRest();
    close();
    Q_EMIT failed(m_job.request.number, reason);
    return false;
}

void PlanLink::cancel()
{
    if (m_state == State::Sending || m_state == State::Waiting) {
        m_state = State::Waiting;
        send(link::PlanCancel{m_job.request.number});
    } else if (m_state != State::Idle) {
        close();
        Q_EMIT ended({.number = m_job.request.number, .end = link::PlanEnd::Stopped});
    }
}

void PlanLink::greet()
{
    m_state = State::Greeting;
    m_handshake = std::make_unique<link::ClientHandshake>(
        link::ClientHandshake::Parameters{.token = m_access.token,
                                          .nonce = link::randomSecret(),
                                          .run = m_access.run.hex,
                                          .programVersion = TASUKI_VERSION,
                                          .operatorName = operatorName(),
                                          .protocol = link::protocolVersion});
    send(m_handshake->start());
}

void PlanLink::send(const link::ClientMessage& message)
{
    auto framed = link::frame(link::encode(message));
    if (framed && m_socket)
        m_socket->write(*framed);
}

void PlanLink::read()
{
    while (m_socket) {
        const auto payload = m_decoder.next();
        if (!payload) {
            fail(tr("the agent said what makes no sense: %1").arg(words(payload.error())));
            return;
        }
        if (*payload) {
            const auto message = link::decodeAgentMessage(**payload);
            if (!message)
                fail(tr("the agent said what makes no sense: %1").arg(words(message.error())));
            else if (m_handshake ? takeGreeting(*message) : take(*message))
                continue;
            return;
        }
        const QByteArray bytes = m_socket->read(planReadBytes);
        if (bytes.isEmpty())
            return;
        m_signs.heard(std::chrono::steady_clock::now());
        m_decoder.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
}

bool PlanLink::takeGreeting(const link::AgentMessage& message)
{
    using Next = link::ClientHandshake::Step::Next;
    const auto step = m_handshake->receive(message);
    if (step.send) {
        send(*step.send);
        m_decoder.setLimit(link::frameLimit);
    }
    if (step.next == Next::Wait)
        return true;
    if (step.next == Next::Failed)
        return fail(step.error ? words(*step.error) : QString());
    const bool plans = m_handshake->agentProtocol().minor >= link::plansSinceMinor;
    m_handshake.reset();
    m_greetingTimer->stop();
    if (!plans)
        return fail(tr("the agent is of an older version, which does not plan for windows"));
    m_signs.begin(std::chrono::steady_clock::now());
    m_beatTimer->start();
    announce();
    return true;
}

void PlanLink::announce()
{
    m_job.request.traceBytes = static_cast<std::uint64_t>(m_trace.size());
    m_job.request.environmentBytes = m_job.environment.size();
    m_state = State::Sending;
    send(m_job.request);
    sendPieces();
}

void PlanLink::sendPieces()
{
    const std::uint64_t environment = m_job.environment.size();
    const std::uint64_t total = environment + m_job.request.traceBytes;
    while (m_state == State::Sending && m_sent < total && m_socket->waiting() < mostWaiting) {
        link::PlanPiece piece{.number = m_job.request.number, .offset = m_sent};
        const std::uint64_t end = m_sent < environment ? environment : total;
        const auto bytes = static_cast<std::size_t>(
            std::min<std::uint64_t>(end - m_sent, link::planPieceBytes));
        if (m_sent < environment)
            piece.content = m_job.environment.substr(static_cast<std::size_t>(m_sent), bytes);
        else
            piece.content = m_trace.read(static_cast<qint64>(bytes)).toStdString();
        if (piece.content.size() != bytes) {
            fail(tr("the trace became shorter while it was sent"));
            return;
        }
        m_sent += bytes;
        send(piece);
        Q_EMIT sending(m_job.request.number, m_sent, total);
    }
    if (m_state == State::Sending && m_sent == total)
        m_state = State::Waiting;
}

bool PlanLink::take(const link::AgentMessage& message)
{
    const std::uint64_t number = m_job.request.number;
    if (const auto* progress = std::get_if<link::PlanProgress>(&message)) {
        if (progress->number != number)
            return true;
        if (const auto now = m_progress.offer(*progress))
            Q_EMIT progressed(*now);
    } else if (const auto* part = std::get_if<link::PlanFound>(&message)) {
        return part->number != number || takePart(*part);
    } else if (const auto* end = std::get_if<link::PlanEnded>(&message)) {
        if (end->number != number)
            return true;
        tellRest();
        close();
        Q_EMIT ended(*end);
        return false;
    } else if (const auto* bye = std::get_if<link::Bye>(&message)) {
        return fail(QString::fromStdString(link::printable(bye->reason, 200)));
    } else if (const auto* refused = std::get_if<link::Refused>(&message)) {
        return fail(QString::fromStdString(link::printable(refused->reason, 200)));
    }
    return true;
}

bool PlanLink::takePart(const link::PlanFound& part)
{
    link::PlanFound& whole = m_parts;
    const std::size_t count = whole.timesUs.size() + part.timesUs.size();
    if ((!whole.timesUs.empty() && part.tasks != whole.tasks) || count > m_job.request.keep)
        return fail(tr("the agent said what makes no sense: %1")
                        .arg(tr("allocations that do not belong together")));
    link::PlanFound former = std::move(whole);
    whole = part;
    if (!former.timesUs.empty()) {
        former.timesUs.insert(former.timesUs.end(), part.timesUs.begin(), part.timesUs.end());
        former.nodes.insert(former.nodes.end(), part.nodes.begin(), part.nodes.end());
        whole.timesUs = std::move(former.timesUs);
        whole.nodes = std::move(former.nodes);
    }
    if (part.more)
        return true;
    if (const auto now = m_found.offer(std::exchange(m_parts, {})))
        Q_EMIT found(*now);
    return true;
}

void PlanLink::progressTaken()
{
    if (const auto next = m_progress.taken())
        Q_EMIT progressed(*next);
}

void PlanLink::foundTaken()
{
    if (const auto next = m_found.taken())
        Q_EMIT found(*next);
}

/// What has been found counts, however the plan ends.
void PlanLink::tellRest()
{
    if (const auto rest = m_found.rest())
        Q_EMIT found(*rest);
}

void PlanLink::beat()
{
    if (m_signs.beat(std::chrono::steady_clock::now(), true))
        send(link::Ping{.number = m_signs.nextPing()});
    else
        fail(tr("nothing was heard of the agent"));
}

} // namespace tasuki

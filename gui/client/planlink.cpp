// SPDX-License-Identifier: GPL-3.0-or-later
#include "planlink.h"

#include "wire/linkplans.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

/// So much is handed to the socket at a time: enough that it never runs dry.
constexpr qint64 mostWaiting = 2 * qint64{link::planPieceBytes};

QString words(const Error& error) { return QString::fromStdString(error.text()); }

} // namespace

PlanLink::PlanLink(AgentTiming timing)
    : m_connection(timing, m_clock,
                   {.take = [this](const link::AgentMessage& message) { take(message); }}, this)
{
    connect(&m_connection, &AgentConnection::reached, this, [this] { m_state = State::Greeting; });
    connect(&m_connection, &AgentConnection::welcomed, this, &PlanLink::announce);
    connect(&m_connection, &AgentConnection::written, this, &PlanLink::sendPieces);
    connect(&m_connection, &AgentConnection::ended, this,
            [this](AgentConnection::End, const QString& reason) { fail(reason); });
}

void PlanLink::begin(const std::filesystem::path& accessFile, const Job& job)
{
    close();
    m_job = job;
    m_state = State::Connecting;
    m_trace.setFileName(QFile::decodeName(m_job.trace.c_str()));
    if (!m_trace.open(QIODevice::ReadOnly))
        return fail(tr("the trace cannot be read: %1").arg(m_trace.errorString()));
    if (m_trace.isSequential())
        return fail(tr("the trace cannot be read a second time"));
    const auto access = link::readAccessFile(accessFile);
    if (!access)
        return fail(words(access.error()));
    m_connection.open(*access);
}

void PlanLink::close()
{
    m_state = State::Idle;
    m_connection.close();
    m_trace.close();
    m_parts = {};
    static_cast<void>(m_progress.rest());
    static_cast<void>(m_found.rest());
    m_sent = 0;
}

void PlanLink::fail(const QString& reason)
{
    if (m_state == State::Idle)
        return;
    tellRest();
    close();
    Q_EMIT failed(m_job.request.number, reason);
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

void PlanLink::send(const link::ClientMessage& message)
{
    static_cast<void>(m_connection.send(message));
}

void PlanLink::announce()
{
    if (m_connection.agentProtocol().minor < link::plansSinceMinor)
        return fail(tr("the agent is of an older version, which does not plan for windows"));
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
    while (m_state == State::Sending && m_sent < total && m_connection.waiting() < mostWaiting) {
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

void PlanLink::take(const link::AgentMessage& message)
{
    const std::uint64_t number = m_job.request.number;
    if (const auto* progress = std::get_if<link::PlanProgress>(&message)) {
        if (progress->number != number)
            return;
        if (const auto now = m_progress.offer(*progress))
            Q_EMIT progressed(*now);
    } else if (const auto* part = std::get_if<link::PlanFound>(&message)) {
        if (part->number == number)
            takePart(*part);
    } else if (const auto* end = std::get_if<link::PlanEnded>(&message)) {
        if (end->number != number)
            return;
        tellRest();
        close();
        Q_EMIT ended(*end);
    } else if (const auto* bye = std::get_if<link::Bye>(&message)) {
        fail(QString::fromStdString(link::printable(bye->reason, 200)));
    } else if (const auto* refused = std::get_if<link::Refused>(&message)) {
        fail(QString::fromStdString(link::printable(refused->reason, 200)));
    }
}

void PlanLink::takePart(const link::PlanFound& part)
{
    link::PlanFound& whole = m_parts;
    const std::size_t count = whole.timesUs.size() + part.timesUs.size();
    if ((!whole.timesUs.empty() && part.tasks != whole.tasks) || count > m_job.request.keep)
        return m_connection.broken(tr("allocations that do not belong together"));
    link::PlanFound former = std::move(whole);
    whole = part;
    if (!former.timesUs.empty()) {
        former.timesUs.insert(former.timesUs.end(), part.timesUs.begin(), part.timesUs.end());
        former.nodes.insert(former.nodes.end(), part.nodes.begin(), part.nodes.end());
        whole.timesUs = std::move(former.timesUs);
        whole.nodes = std::move(former.nodes);
    }
    if (part.more)
        return;
    if (const auto now = m_found.offer(std::exchange(m_parts, {})))
        Q_EMIT found(*now);
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

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentconnection.h"

#include "linkclient/operatorname.h"
#include "linksocket.h"

#include <utility>

namespace tasuki {

namespace {

constexpr qint64 readBytes = 64 * 1024;

} // namespace

AgentConnection::AgentConnection(AgentTiming timing, const Clock& clock, Owner owner,
                                 QObject* parent)
    : QObject(parent), m_timing(timing), m_clock(clock), m_owner(std::move(owner))
{}

AgentConnection::~AgentConnection() = default;

/// On the thread where the connection lives by now.
void AgentConnection::makeTimers()
{
    if (m_beatTimer != nullptr)
        return;
    m_beatTimer = new QTimer(this);
    m_beatTimer->setInterval(m_timing.ping);
    connect(m_beatTimer, &QTimer::timeout, this, &AgentConnection::beat);
    m_greetingTimer = new QTimer(this);
    m_greetingTimer->setSingleShot(true);
    connect(m_greetingTimer, &QTimer::timeout, this,
            [this] { end(End::Lost, tr("the agent does not answer")); });
}

void AgentConnection::open(const link::AccessFile& access)
{
    makeSocket();
    m_greetingTimer->start(m_timing.handshake);
    m_socket->connectTo(access);
}

void AgentConnection::open(const RemoteRun& run)
{
    makeSocket();
    m_socket->connectTo(run);
}

void AgentConnection::makeSocket()
{
    makeTimers();
    close();
    m_socket = std::make_unique<LinkSocket>();
    connect(m_socket.get(), &LinkSocket::reached, this, &AgentConnection::greet);
    connect(m_socket.get(), &LinkSocket::readyRead, this, &AgentConnection::pump);
    connect(m_socket.get(), &LinkSocket::written, this, &AgentConnection::written);
    connect(m_socket.get(), &LinkSocket::ended, this,
            [this](const QString& reason, bool pointless) {
                m_hungUp = {.why = pointless ? End::Refused : End::Lost, .reason = reason};
                pump();
            });
}

void AgentConnection::close()
{
    m_conversation.reset();
    m_hungUp.reset();
    if (!m_socket)
        return;
    m_beatTimer->stop();
    m_greetingTimer->stop();
    m_socket->disconnect(this);
    m_socket->close();
    m_socket.release()->deleteLater(); // it may be what tells of the end
}

void AgentConnection::end(End why, const QString& reason)
{
    close();
    Q_EMIT ended(why, reason);
}

void AgentConnection::broken(const QString& what)
{
    end(End::Lost, tr("the agent said what makes no sense: %1").arg(what));
}

bool AgentConnection::isHeard() const
{
    return m_socket && m_conversation && m_conversation->isIn() && !m_hungUp;
}

Result<void> AgentConnection::send(const link::ClientMessage& message)
{
    if (!m_conversation)
        return {};
    auto sent = m_conversation->send(message);
    flush();
    return sent;
}

void AgentConnection::flush()
{
    if (const std::string bytes = m_conversation->takeOutgoing(); !bytes.empty() && m_socket)
        m_socket->write(bytes);
}

qint64 AgentConnection::waiting() const { return m_socket ? m_socket->waiting() : 0; }

void AgentConnection::greet()
{
    m_access = m_socket->access();
    m_isOfRecord = m_socket->isRecord();
    m_greetingTimer->start(m_timing.handshake);
    Q_EMIT reached();
    m_conversation = std::make_shared<Conversation>(m_access, operatorName(), m_timing);
    flush();
}

void AgentConnection::readAgain()
{
    if (m_conversation)
        m_conversation->heardAgain(m_clock.now());
    pump();
}

void AgentConnection::pump()
{
    if (m_pumping)
        return;
    m_pumping = true;
    readOn();
    m_pumping = false;
    // What came before the end counts, events and a goodbye for example; an owner that is busy takes them
    // later.
    if (m_hungUp && m_owner.listens()) {
        const HangUp hungUp = *std::exchange(m_hungUp, std::nullopt);
        end(hungUp.why, hungUp.reason);
    }
}

void AgentConnection::readOn()
{
    // The owner may close the connection, and open another one, whenever it is told something.
    while (m_socket && m_conversation && m_owner.listens()) {
        const std::shared_ptr<Conversation> conversation = m_conversation;
        if (auto said = conversation->next(m_clock.now())) {
            flush();
            std::visit([this](auto& one) { take(one); }, *said);
            continue;
        }
        flush();
        const QByteArray bytes = m_socket->read(readBytes);
        if (bytes.isEmpty())
            return;
        conversation->feed({bytes.constData(), static_cast<std::size_t>(bytes.size())},
                           m_clock.now());
    }
}

void AgentConnection::take(const link::Welcome& welcome)
{
    m_greetingTimer->stop();
    m_beatTimer->start();
    Q_EMIT welcomed(welcome);
}

void AgentConnection::take(link::AgentMessage& message) { m_owner.take(message); }

void AgentConnection::take(const Conversation::End& last)
{
    using Cause = Conversation::Cause;
    const QString detail = QString::fromStdString(last.detail);
    switch (last.cause) {
    case Cause::NoSense: return broken(detail);
    case Cause::Greeted: return broken(tr("it greets a second time"));
    case Cause::Silent: return end(End::Lost, tr("nothing was heard of the agent"));
    case Cause::Refused: return end(End::Refused, detail);
    case Cause::Bye: return end(End::Bye, detail);
    }
}

void AgentConnection::beat()
{
    if (!m_conversation)
        return;
    if (const auto last = m_conversation->beat(m_clock.now(), m_owner.listens()))
        return take(*last);
    flush();
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentconnection.h"

#include "linksocket.h"
#include "operatorname.h"
#include "wire/linkcodec.h"

#include <utility>

namespace tasuki {

namespace {

constexpr qint64 readBytes = 64 * 1024;

QString wordsOf(const Error& error) { return QString::fromStdString(error.text()); }

} // namespace

AgentConnection::AgentConnection(AgentTiming timing, const Clock& clock, Owner owner,
                                 QObject* parent)
    : QObject(parent),
      m_timing(timing),
      m_clock(clock),
      m_owner(std::move(owner)),
      m_signs(timing.ping, timing.silence)
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
    m_decoder = link::FrameDecoder();
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
    m_handshake.reset();
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

bool AgentConnection::isHeard() const { return m_socket && !m_handshake && !m_hungUp; }

Result<void> AgentConnection::send(const link::ClientMessage& message)
{
    const auto framed = link::frame(link::encode(message));
    if (!framed)
        return framed.error();
    if (m_socket)
        m_socket->write(*framed);
    return {};
}

qint64 AgentConnection::waiting() const { return m_socket ? m_socket->waiting() : 0; }

void AgentConnection::greet()
{
    m_access = m_socket->access();
    m_isOfRecord = m_socket->isRecord();
    m_greetingTimer->start(m_timing.handshake);
    Q_EMIT reached();
    m_handshake = std::make_unique<link::ClientHandshake>(
        link::ClientHandshake::Parameters{.token = m_access.token,
                                          .nonce = link::randomSecret(),
                                          .run = m_access.run.hex,
                                          .programVersion = TASUKI_VERSION,
                                          .operatorName = operatorName(),
                                          .protocol = link::protocolVersion});
    static_cast<void>(send(m_handshake->start()));
}

void AgentConnection::readAgain()
{
    m_signs.heard(m_clock.now());
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
    while (m_socket && m_owner.listens()) {
        const auto payload = m_decoder.next();
        if (!payload)
            return broken(wordsOf(payload.error()));
        if (*payload) {
            takePayload(**payload);
            continue;
        }
        const QByteArray bytes = m_socket->read(readBytes);
        if (bytes.isEmpty())
            return;
        m_signs.heard(m_clock.now());
        m_decoder.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
}

void AgentConnection::takePayload(std::string_view payload)
{
    auto message = link::decodeAgentMessage(payload);
    if (!message)
        return broken(wordsOf(message.error()));
    if (m_handshake)
        return takeGreeting(*message);
    if (std::holds_alternative<link::ServerHello>(*message)
        || std::holds_alternative<link::Welcome>(*message))
        return broken(tr("it greets a second time"));
    m_owner.take(*message);
}

void AgentConnection::takeGreeting(const link::AgentMessage& message)
{
    using Next = link::ClientHandshake::Step::Next;
    const auto step = m_handshake->receive(message);
    if (step.send) {
        static_cast<void>(send(*step.send));
        // The agent has proved itself.
        m_decoder.setLimit(link::frameLimit);
    }
    if (step.next == Next::Wait)
        return;
    if (step.next == Next::Failed)
        return end(std::holds_alternative<link::Bye>(message) ? End::Bye : End::Refused,
                   step.error ? wordsOf(*step.error) : QString());
    const link::Welcome welcome = m_handshake->welcome();
    m_agentProtocol = m_handshake->agentProtocol();
    m_handshake.reset();
    m_greetingTimer->stop();
    if (welcome.run != m_access.run)
        return end(End::Refused, tr("the agent has another run than its access file says"));
    m_signs.begin(m_clock.now());
    m_beatTimer->start();
    Q_EMIT welcomed(welcome);
}

void AgentConnection::beat()
{
    const bool listens = m_owner.listens();
    if (!m_signs.beat(m_clock.now(), listens))
        return end(End::Lost, tr("nothing was heard of the agent"));
    // Who does not read needs no answer; and a write to an agent that has just gone would cost what it has
    // said at last, which waits in the socket.
    if (listens)
        static_cast<void>(send(link::Ping{.number = m_signs.nextPing()}));
}

} // namespace tasuki

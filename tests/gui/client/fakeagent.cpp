// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeagent.h"

#include "host/hostidentity.h"
#include "wire/linkcodec.h"

#include <QHostAddress>

#include <unistd.h>

namespace tasuki::testing {

FakeAgent::FakeAgent(std::filesystem::path directory, RunId run, Epoch epoch, Manners how)
    : manners(how), m_run(std::move(run)), m_epoch(epoch)
{
    const auto socket = directory / ("socket-" + std::to_string(epoch.value()));
    if (manners.unixSocket && !m_local.listen(QString::fromStdString(socket.string())))
        qFatal("cannot listen on %s", socket.c_str());
    if (manners.tcp && !m_tcp.listen(QHostAddress::LocalHost))
        qFatal("cannot listen on the loopback");
    const HostIdentity host = hostIdentity();
    m_access.run = m_run;
    m_access.epoch = epoch;
    m_access.runFile = "/somewhere/run.tasuki";
    m_access.title = "tasks.sh";
    m_access.directory = "/somewhere";
    m_access.hostName = host.name;
    m_access.hostKey = host.key;
    m_access.pid = ::getpid();
    m_access.processStart = link::processStart(m_access.pid);
    m_access.socket = socket.string();
    if (manners.tcp) {
        m_access.tcpAddress = "127.0.0.1";
        m_access.tcpPort = m_tcp.serverPort();
    }
    m_access.token = link::randomSecret();
    link::AccessFile written = m_access;
    if (manners.wrongToken)
        written.token[0] ^= 1;
    auto path = link::writeAccessFile(directory / "access", written);
    if (!path)
        qFatal("%s", path.error().text().c_str());
    m_path = *path;
    connect(&m_local, &QLocalServer::newConnection, this, [this] {
        while (auto* window = m_local.nextPendingConnection())
            welcome(window);
    });
    connect(&m_tcp, &QTcpServer::newConnection, this, [this] {
        while (auto* window = m_tcp.nextPendingConnection())
            welcome(window);
    });
}

FakeAgent::~FakeAgent() { hangUp(); }

void FakeAgent::welcome(QIODevice* socket)
{
    ++m_connections;
    auto window = std::make_unique<Window>();
    window->socket = socket;
    link::ServerHandshake::Parameters parameters;
    parameters.token = m_access.token;
    parameters.nonce = link::randomSecret();
    parameters.run = m_run;
    parameters.programVersion = "0";
    parameters.protocol = manners.protocol;
    window->handshake = std::make_unique<link::ServerHandshake>(parameters);
    connect(socket, &QIODevice::readyRead, this, [this, raw = window.get()] { read(*raw); });
    m_windows.push_back(std::move(window));
}

void FakeAgent::read(Window& window)
{
    const QByteArray bytes = window.socket->readAll();
    window.decoder.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    for (;;) {
        auto payload = window.decoder.next();
        if (!payload || !*payload)
            return;
        auto message = link::decodeClientMessage(**payload);
        if (!message)
            qFatal("a window said what cannot be read: %s", message.error().text().c_str());
        take(window, *message);
    }
}

void FakeAgent::take(Window& window, const link::ClientMessage& message)
{
    if (!window.greeted) {
        if (!manners.greets)
            return;
        const auto step = window.handshake->receive(message);
        if (step.send)
            send(window, *step.send);
        if (step.next != link::ServerHandshake::Step::Next::Done)
            return;
        window.greeted = true;
        link::Welcome in;
        in.run = m_run;
        in.epoch = m_epoch;
        in.runFile = "/somewhere/run.tasuki";
        in.host = "here";
        in.pid = 77;
        send(window, in);
        return;
    }
    m_said.push_back(message);
    if (const auto* wish = std::get_if<link::Subscribe>(&message)) {
        if (manners.answersSubscribe)
            answer(window, *wish);
    } else if (const auto* ping = std::get_if<link::Ping>(&message)) {
        if (manners.answersPings)
            send(window, link::Pong{.number = ping->number});
    }
}

void FakeAgent::answer(Window& window, const link::Subscribe& wish)
{
    const bool known = wish.run == m_run && !manners.forgetful;
    const EventId after = known ? wish.after : EventId{};
    const EventId upTo = m_record.empty() ? EventId{} : m_record.back().id;
    send(window, link::SnapshotBegin{.reset = !known, .after = after, .upTo = upTo});
    link::Events events;
    for (const Event& event : m_record) {
        if (event.id > after)
            events.events.push_back(event);
        if (events.events.size() == 500)
            send(window, std::exchange(events, {}));
    }
    if (!events.events.empty())
        send(window, events);
    send(window, link::SnapshotEnd{.upTo = upTo});
    window.subscribed = true;
}

void FakeAgent::record(const std::vector<Event>& events)
{
    m_record.insert(m_record.end(), events.begin(), events.end());
}

void FakeAgent::publish(const std::vector<Event>& events)
{
    record(events);
    for (const auto& window : m_windows) {
        if (window->subscribed)
            send(*window, link::Events{.events = events, .shortened = {}});
    }
}

void FakeAgent::say(const link::AgentMessage& message)
{
    for (const auto& window : m_windows)
        send(*window, message);
}

void FakeAgent::sayRaw(const std::string& bytes)
{
    for (const auto& window : m_windows)
        window->socket->write(bytes.data(), static_cast<qint64>(bytes.size()));
}

void FakeAgent::send(Window& window, const link::AgentMessage& message)
{
    auto framed = link::frame(link::encode(message));
    if (!framed)
        qFatal("%s", framed.error().text().c_str());
    window.socket->write(framed->data(), static_cast<qint64>(framed->size()));
}

qint64 FakeAgent::waiting() const
{
    qint64 bytes = 0;
    for (const auto& window : m_windows)
        bytes += window->socket->bytesToWrite();
    return bytes;
}

void FakeAgent::hangUp()
{
    for (const auto& window : m_windows) {
        window->socket->disconnect(this);
        window->socket->close(); // sends what is written still
        window->socket->deleteLater();
    }
    m_windows.clear();
}

void FakeAgent::die()
{
    m_local.close();
    m_tcp.close();
    hangUp();
}

void FakeAgent::leave()
{
    say(link::Bye{.reason = "the agent has ended"});
    if (auto removed = link::removeAccessFile(m_path, m_access.token); !removed)
        qFatal("%s", removed.error().text().c_str());
    die();
}

} // namespace tasuki::testing

#include "moc_fakeagent.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "linksocket.h"

#include "sshprocess.h"
#include "wire/relayline.h"

#include <QHostAddress>

namespace tasuki {

LinkSocket::LinkSocket(QObject* parent) : QObject(parent) {}

LinkSocket::~LinkSocket() { close(); }

/// What is told of the local socket, once there is one.
void LinkSocket::useLocal()
{
    m_local = std::make_unique<QLocalSocket>();
    m_local->setReadBufferSize(bufferBytes);
    connect(m_local.get(), &QLocalSocket::bytesWritten, this, &LinkSocket::written);
}

void LinkSocket::connectTo(const link::AccessFile& access)
{
    m_access = access;
    if (access.socket.empty()) {
        connectTcp(access, {});
        return;
    }
    useLocal();
    connect(m_local.get(), &QLocalSocket::connected, this, [this] {
        m_device = m_local.get();
        Q_EMIT reached();
    });
    connect(m_local.get(), &QLocalSocket::readyRead, this, &LinkSocket::readyRead);
    connect(m_local.get(), &QLocalSocket::disconnected, this,
            [this] { end(tr("the agent closed the connection")); });
    // Queued: a socket must not be replaced while it tells of its failure.
    connect(
        m_local.get(), &QLocalSocket::errorOccurred, this,
        [this, access] {
            if (m_ended || !m_local)
                return;
            const QString problem = m_local->errorString();
            if (m_device)
                end(problem);
            else
                connectTcp(access, problem);
        },
        Qt::QueuedConnection);
    m_local->connectToServer(QString::fromStdString(access.socket), QIODevice::ReadWrite);
}

void LinkSocket::connectTo(const RemoteRun& run)
{
    m_ssh = std::make_unique<SshProcess>();
    connect(m_ssh.get(), &SshProcess::ended, this, [this](const QString& reason, bool pointless) {
        m_sshEnd = SshEnd{.reason = reason, .pointless = pointless};
        endOfSsh();
    });
    const int socket = m_ssh->start(run);
    if (socket < 0)
        return;
    useLocal();
    connect(m_local.get(), &QLocalSocket::disconnected, this, &LinkSocket::endOfSsh);
    connect(m_local.get(), &QLocalSocket::readyRead, this, [this] {
        if (m_device)
            Q_EMIT readyRead();
        else
            readRelayLine();
    });
    m_local->setSocketDescriptor(socket);
}

/// Before it comes what shells of the other host may print.
void LinkSocket::readRelayLine()
{
    while (!m_ended && !m_device && m_local->canReadLine()) {
        const QByteArray line = m_local->readLine().chopped(1);
        const auto read = link::relayLineOf(
            {line.constData(), static_cast<std::size_t>(line.size())});
        if (!read)
            continue;
        if (!*read)
            return end(QString::fromStdString(read->error().text()), true);
        m_access = (*read)->access;
        m_isRecord = (*read)->record;
        m_ssh->wasReached();
        m_device = m_local.get();
        Q_EMIT reached();
        if (!m_ended && m_local->bytesAvailable() > 0)
            Q_EMIT readyRead();
    }
    if (!m_ended && !m_device && m_local->bytesAvailable() >= bufferBytes)
        end(tr("what answers there is no relay of Tasuki"), true);
}

/// The last bytes have come, and ssh says why.
void LinkSocket::endOfSsh()
{
    const bool read = !m_local || m_local->state() == QLocalSocket::UnconnectedState;
    if (m_sshEnd && read)
        end(m_sshEnd->reason, m_sshEnd->pointless);
}

void LinkSocket::connectTcp(const link::AccessFile& access, const QString& localProblem)
{
    if (access.tcpAddress.empty()) {
        end(localProblem.isEmpty() ? tr("the access file names no socket") : localProblem);
        return;
    }
    if (m_local)
        m_local->disconnect(this);
    m_tcp = std::make_unique<QTcpSocket>();
    m_tcp->setReadBufferSize(bufferBytes);
    connect(m_tcp.get(), &QTcpSocket::connected, this, [this] {
        m_tcp->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_device = m_tcp.get();
        Q_EMIT reached();
    });
    connect(m_tcp.get(), &QTcpSocket::readyRead, this, &LinkSocket::readyRead);
    connect(m_tcp.get(), &QTcpSocket::bytesWritten, this, &LinkSocket::written);
    connect(m_tcp.get(), &QTcpSocket::errorOccurred, this, [this] {
        end(m_tcp->error() == QAbstractSocket::RemoteHostClosedError
                ? tr("the agent closed the connection")
                : m_tcp->errorString());
    });
    m_tcp->connectToHost(QHostAddress(QString::fromStdString(access.tcpAddress)), access.tcpPort);
}

void LinkSocket::write(std::string_view bytes)
{
    if (m_device)
        m_device->write(bytes.data(), static_cast<qint64>(bytes.size()));
}

QByteArray LinkSocket::read(qint64 most) { return m_device ? m_device->read(most) : QByteArray(); }

qint64 LinkSocket::waiting() const { return m_device ? m_device->bytesToWrite() : 0; }

void LinkSocket::close()
{
    m_ended = true;
    if (m_local) {
        m_local->disconnect(this);
        m_local->flush();
        m_local->abort();
    }
    if (m_tcp) {
        m_tcp->disconnect(this);
        m_tcp->flush();
        m_tcp->abort();
    }
    if (m_ssh)
        m_ssh->disconnect(this);
    m_device = nullptr;
}

void LinkSocket::end(const QString& reason, bool pointless)
{
    if (m_ended)
        return;
    m_ended = true;
    Q_EMIT ended(reason, pointless);
}

} // namespace tasuki

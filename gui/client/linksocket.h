// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalSocket>
#include <QObject>
#include <QTcpSocket>

#include "linkclient/remoterun.h"
#include "wire/accessfile.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

class SshProcess;

/// A byte stream to an agent: its Unix socket or, when that cannot be reached, TCP; or, of a run on another host, a relay
/// over ssh. For one connection. What is not read stays with the system, up to a small buffer, so that an agent
/// notices a reader that does not keep up.
class LinkSocket : public QObject {
    Q_OBJECT

public:
    static constexpr qint64 bufferBytes = 256 * 1024;

    explicit LinkSocket(QObject* parent = nullptr);
    ~LinkSocket() override;

    /// Begins to connect. reached() or ended() follows.
    void connectTo(const link::AccessFile& access);
    /// The same over ssh. It may take as long as people take to answer what ssh asks.
    void connectTo(const RemoteRun& run);
    /// What the other side was reached by. Valid from reached() on.
    [[nodiscard]] const link::AccessFile& access() const { return m_access; }
    /// The other side is no agent: it reads the record of a run that none works on. Valid from reached() on.
    [[nodiscard]] bool isRecord() const { return m_isRecord; }
    void write(std::string_view bytes);
    /// @return up to `most` bytes that have arrived; none: nothing there now
    QByteArray read(qint64 most);
    /// @return bytes that the system has not taken yet; written() tells when it has taken some
    [[nodiscard]] qint64 waiting() const;
    /// Sends what is to be sent still, without waiting for it, and ends.
    void close();

Q_SIGNALS:
    void reached();
    void readyRead();
    void written();
    /// Once, and nothing after it. What had arrived can still be read until close().
    /// @param reason     one line for people
    /// @param pointless  trying again by itself does not help
    void ended(const QString& reason, bool pointless);

private:
    void useLocal();
    void readRelayLine();
    void endOfSsh();
    void connectTcp(const link::AccessFile& access, const QString& localProblem);
    void end(const QString& reason, bool pointless = false);

    /// How ssh has ended.
    struct SshEnd {
        QString reason;
        bool pointless = false;
    };

    link::AccessFile m_access;
    bool m_isRecord = false;
    std::unique_ptr<SshProcess> m_ssh; ///< null: the agent is on this host
    std::optional<SshEnd> m_sshEnd;
    std::unique_ptr<QLocalSocket> m_local;
    std::unique_ptr<QTcpSocket> m_tcp;
    QIODevice* m_device = nullptr; ///< of the two; null: not open
    bool m_ended = false;
};

} // namespace tasuki

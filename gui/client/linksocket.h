// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalSocket>
#include <QObject>
#include <QTcpSocket>

#include "wire/accessfile.h"

#include <memory>
#include <string>
#include <string_view>

namespace tasuki {

/// A byte stream to an agent: its Unix socket or, when that cannot be reached, TCP. For one
/// connection. What is not read stays with the system, up to a small buffer, so that an agent
/// notices a reader that does not keep up.
class LinkSocket : public QObject {
    Q_OBJECT

public:
    static constexpr qint64 bufferBytes = 256 * 1024;

    explicit LinkSocket(QObject* parent = nullptr);
    ~LinkSocket() override;

    /// Begins to connect. reached() or ended() follows.
    void connectTo(const link::AccessFile& access);
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
    /// @param reason  one line for people
    void ended(const QString& reason);

private:
    void connectTcp(const link::AccessFile& access, const QString& localProblem);
    void end(const QString& reason);

    std::unique_ptr<QLocalSocket> m_local;
    std::unique_ptr<QTcpSocket> m_tcp;
    QIODevice* m_device = nullptr; ///< of the two; null: not open
    bool m_ended = false;
};

} // namespace tasuki

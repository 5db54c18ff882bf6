// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>

#include "linkclient/remoterun.h"

namespace tasuki {

/// ssh with `tasuki-agent relay` at its other end. For one connection; ends with this object. What ssh wants to know of
/// people (a password, whether a host is the right one) is asked in a window.
class SshProcess : public QObject {
    Q_OBJECT

public:
    /// Is set where ssh starts this program to ask people something: its only argument is the question.
    static constexpr auto askVariable = "TASUKI_ASKS_FOR_SSH";

    explicit SshProcess(QObject* parent = nullptr);
    ~SshProcess() override;

    /// Starts it.
    /// @return a stream socket to the relay, the caller's; -1: it could not be made. ended() follows in any case
    int start(const RemoteRun& run);
    /// A relay has answered: what ends from now on was a connection.
    void wasReached() { m_reached = true; }

Q_SIGNALS:
    /// Once, when ssh has ended.
    /// @param reason     one line for people
    /// @param pointless  trying again by itself does not help
    void ended(const QString& reason, bool pointless);

private:
    void tellEnd(int exitCode, QProcess::ExitStatus status);

    QProcess m_process;
    RemoteRun m_run;
    QString m_program; ///< of the relay, there
    bool m_reached = false;
};

} // namespace tasuki

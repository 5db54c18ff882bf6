// SPDX-License-Identifier: GPL-3.0-or-later
#include "sshprocess.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcessEnvironment>
#include <QTimer>

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr int notFound = 127;
constexpr int lostBySsh = 255;
constexpr qint64 mostWords = 4000;

/// What ssh or the relay said last; of several lines the last one tells why it ended.
QString lastLine(const QByteArray& words)
{
    const QStringList lines =
        QString::fromUtf8(words.right(mostWords)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    return lines.isEmpty() ? QString() : lines.last().trimmed();
}

/// Only people can do something about it.
bool needsPeople(const QByteArray& words)
{
    return words.contains("Permission denied") || words.contains("Host key verification failed");
}

/// ssh asks in a window, also where this program was started from a terminal, which nobody may see.
QProcessEnvironment environmentOfSsh()
{
    auto environment = QProcessEnvironment::systemEnvironment();
    if (qEnvironmentVariable("QT_QPA_PLATFORM") == QLatin1String("offscreen"))
        return environment;
    const auto asker = QStringLiteral("SSH_ASKPASS");
    if (!environment.contains(asker)) {
        environment.insert(asker, QCoreApplication::applicationFilePath());
        environment.insert(QLatin1String(SshProcess::askVariable), QStringLiteral("1"));
    }
    environment.insert(QStringLiteral("SSH_ASKPASS_REQUIRE"), QStringLiteral("force"));
    return environment;
}

} // namespace

SshProcess::SshProcess(QObject* parent) : QObject(parent)
{
    m_process.setProgram(QStringLiteral("ssh"));
    connect(&m_process, &QProcess::finished, this, &SshProcess::tellEnd);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(tr("ssh cannot be started: %1").arg(m_process.errorString()), true);
    });
}

SshProcess::~SshProcess()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

int SshProcess::start(const RemoteRun& run)
{
    m_run = run;
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        const QString why = QString::fromLocal8Bit(std::strerror(errno));
        QTimer::singleShot(0, this, [this, why] { Q_EMIT ended(why, false); });
        return -1;
    }
    m_program = qEnvironmentVariable("TASUKI_REMOTE_AGENT", QStringLiteral("tasuki-agent"));
    RemoteCall call{.run = run, .arguments = {"relay", run.path}, .compressed = true};
    call.program = m_program.toStdString();
    const auto words = sshArguments(call);
    QStringList arguments;
    for (std::size_t i = 1; i < words.size(); ++i)
        arguments << QFile::decodeName(QByteArray::fromStdString(words[i]));
    m_process.setArguments(arguments);
    m_process.setProcessEnvironment(environmentOfSsh());
    m_process.setChildProcessModifier([theirs = ends[1]] {
        ::dup2(theirs, STDIN_FILENO);
        ::dup2(theirs, STDOUT_FILENO);
    });
    m_process.start();
    ::close(ends[1]);
    return ends[0];
}

void SshProcess::tellEnd(int exitCode, QProcess::ExitStatus status)
{
    const QByteArray words = m_process.readAllStandardError();
    const QString host = QString::fromStdString(m_run.target);
    if (status == QProcess::NormalExit && exitCode == notFound) {
        Q_EMIT ended(tr("%1: there is no %2 in the PATH there; the variable TASUKI_REMOTE_AGENT "
                        "says where it is")
                         .arg(host, m_program),
                     true);
        return;
    }
    const QString line = lastLine(words);
    const QString reason = line.isEmpty() ? tr("%1: the connection has ended").arg(host)
                                          : tr("%1: %2").arg(host, line);
    const bool refused = !m_reached && exitCode != lostBySsh && exitCode != 0;
    Q_EMIT ended(reason, needsPeople(words) || refused);
}

} // namespace tasuki

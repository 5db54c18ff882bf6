// SPDX-License-Identifier: GPL-3.0-or-later
#include "workloadrun.h"

#include "processes.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QThread>
#include <QUuid>

#include <csignal>
#include <string>
#include <unistd.h>
#include <utility>

namespace tasuki::testing {

namespace {

constexpr const char* markVariable = "TASUKI_TEST_MARK";
constexpr int limitMilliseconds = 30'000;

/// For a small machine with one user, perhaps root, and without a network.
QProcessEnvironment environmentWith(const std::string& mark)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const std::pair<const char*, const char*> settings[] = {
        {"OMPI_MCA_btl_tcp_if_include", "lo"},
        {"OMPI_MCA_oob_tcp_if_include", "lo"},
        {"OMPI_MCA_mpi_yield_when_idle", "1"},
        // Else a start that fails lasts a second longer.
        {"OMPI_MCA_odls_base_sigkill_timeout", "0"},
        // Open MPI leaks at its end.
        {"ASAN_OPTIONS", "detect_leaks=0"},
        {markVariable, mark.c_str()},
    };
    for (const auto& [name, value] : settings)
        environment.insert(QString::fromLatin1(name), QString::fromLatin1(value));
    if (geteuid() == 0) {
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                 "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"})
            environment.insert(QString::fromLatin1(name), QStringLiteral("1"));
    }
    return environment;
}

/// Kills what still lives of a start, and what that makes meanwhile. @return whether anything did
bool killRemainder(const std::string& mark)
{
    bool any = false;
    for (int round = 0; round < 50; ++round) {
        const auto left = processesMarked(markVariable, mark);
        if (left.empty())
            break;
        any = true;
        for (const ProcessInfo& process : left)
            kill(process.pid, SIGKILL);
        QThread::msleep(20);
    }
    return any;
}

/// Waits a moment for processes that are about to end by themselves.
void letThemEnd(const std::string& mark)
{
    for (int round = 0; round < 100 && !processesMarked(markVariable, mark).empty(); ++round)
        QThread::msleep(20);
}

} // namespace

WorkloadRun::WorkloadRun(const QString& program, int ranks, const QStringList& options)
    : m_program(program)
{
    const std::string mark = QUuid::createUuid().toString(QUuid::Id128).toStdString();
    const QString path = QStringLiteral(TASUKI_WORKLOADS "/") + program;
    const QStringList launcher{
        QStringLiteral("-n"),        QString::number(ranks), QStringLiteral("--oversubscribe"),
        QStringLiteral("--bind-to"), QStringLiteral("none"), path};
    QProcess process;
    process.setProcessEnvironment(environmentWith(mark));
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(ranks == 0 ? path : QStringLiteral("mpirun"),
                  ranks == 0 ? options : launcher + options);
    if (!process.waitForStarted(10'000))
        qFatal("cannot start %s: %s", qPrintable(program), qPrintable(process.errorString()));
    const bool ended = process.waitForFinished(limitMilliseconds)
        && process.exitStatus() == QProcess::NormalExit;
    if (ended)
        letThemEnd(mark);
    const bool remainder = killRemainder(mark);
    process.waitForFinished(5'000);
    m_output = process.readAllStandardOutput();
    m_errors = process.readAllStandardError();
    if (remainder)
        m_errors += "(processes were left)\n";
    m_exitCode = ended && !remainder ? process.exitCode() : -1;
}

QList<QByteArray> WorkloadRun::complaints() const
{
    QList<QByteArray> lines;
    for (const QByteArray& line : m_errors.split('\n')) {
        if (line.startsWith(m_program.toUtf8() + ": "))
            lines.append(line);
    }
    return lines;
}

QMap<QByteArray, QByteArray> WorkloadRun::result() const
{
    QMap<QByteArray, QByteArray> words;
    for (const QByteArray& line : m_output.split('\n')) {
        if (!line.startsWith("workload="))
            continue;
        if (!words.isEmpty())
            return {};
        for (const QByteArray& word : line.split(' ')) {
            const qsizetype equals = word.indexOf('=');
            words.insert(word.left(equals), word.mid(equals + 1));
        }
    }
    return words;
}

QByteArray WorkloadRun::story() const
{
    return "exit code " + QByteArray::number(m_exitCode) + "\n--- standard output\n" + m_output
        + "\n--- standard error\n" + m_errors;
}

} // namespace tasuki::testing

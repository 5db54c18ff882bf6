// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracedprogram.h"

#include <QProcessEnvironment>
#include <csignal>
#include <unistd.h>

namespace tasuki::testing {

TracedProgram::TracedProgram(const Workspace& workspace) : m_program(QStringLiteral(TASUKI_TRACEE))
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const std::pair<const char*, const char*> settings[] = {
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
        {"OMPI_MCA_btl_tcp_if_include", "lo"},
        {"OMPI_MCA_oob_tcp_if_include", "lo"},
    };
    for (const auto& [name, value] : settings)
        environment.insert(QString::fromLatin1(name), QString::fromLatin1(value));
    if (geteuid() == 0) {
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                 "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"})
            environment.insert(QString::fromLatin1(name), QStringLiteral("1"));
    }
    for (const char* name : {"TASUKI_ALOG", "TASUKI_ALOG_MEMORY", "TASUKI_ALOG_VERBOSE",
                             "TASUKI_ALOG_CLOCK", "LD_PRELOAD"})
        environment.remove(QString::fromLatin1(name));
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(workspace.path());
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { setpgid(0, 0); });
}

TracedProgram::~TracedProgram()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    // mpirun ends its ranks when it is asked to.
    m_process.terminate();
    if (!m_process.waitForFinished(5000)) {
        kill(-static_cast<pid_t>(m_process.processId()), SIGKILL);
        m_process.waitForFinished(5000);
    }
}

void TracedProgram::set(const QString& variable, const QString& value)
{
    m_variables.emplace_back(variable, value);
}

QStringList TracedProgram::commandLine(int ranks, const QStringList& arguments) const
{
    QStringList line{QStringLiteral("--bind-to"), QStringLiteral("none"), QStringLiteral("-n"),
                     QString::number(ranks)};
    for (const auto& [name, value] : m_variables)
        line << QStringLiteral("-x") << name + QLatin1Char('=') + value;
    if (m_traced)
        line << QStringLiteral("-x") << QStringLiteral("LD_PRELOAD=" TASUKI_TRACER);
    if (!m_wrapper.isEmpty()) {
        // Several programs in one command line make mpirun of Open MPI 5.0.7 crash.
        const QString script = QStringLiteral(
            "if [ \"$OMPI_COMM_WORLD_RANK\" -eq %1 ]; then exec %2 \"$@\"; "
            "else exec \"$@\"; fi");
        line << QStringLiteral("sh") << QStringLiteral("-c")
             << script.arg(ranks - 1).arg(m_wrapper.join(QLatin1Char(' '))) << QStringLiteral("sh");
    }
    return line + QStringList{m_program} + arguments;
}

int TracedProgram::run(int ranks, const QStringList& arguments, std::chrono::milliseconds limit)
{
    m_process.start(QStringLiteral("mpirun"), commandLine(ranks, arguments));
    const bool ended = m_process.waitForFinished(static_cast<int>(limit.count()));
    m_output = m_process.readAllStandardOutput();
    m_error = m_process.readAllStandardError();
    return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

QByteArrayList TracedProgram::complaints() const
{
    QByteArrayList lines;
    for (const QByteArray& line : m_error.split('\n')) {
        if (line.startsWith("tasuki-alog:"))
            lines.append(line);
    }
    return lines;
}

QByteArray TracedProgram::story() const
{
    return "exit code " + QByteArray::number(m_process.exitCode()) + "\n" + m_output.left(2000)
        + "\n" + m_error.left(4000);
}

} // namespace tasuki::testing

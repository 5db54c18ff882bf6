// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentlauncher.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QProcess>

#include <csignal>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds lookInterval{150};
constexpr qint64 mostWords = 4000;

/// @return whether a process exists and has not ended: one that nobody has waited for has
bool processRuns(qint64 process)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray line = file.readAll();
    const auto afterName = line.lastIndexOf(')');
    const char state = afterName >= 0 && afterName + 2 < line.size() ? line[afterName + 2] : 'X';
    return state != 'Z' && state != 'X';
}

QString lastWords(const QString& logFile)
{
    QFile file(logFile);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    if (file.size() > mostWords)
        file.seek(file.size() - mostWords);
    return QString::fromUtf8(file.readAll()).trimmed();
}

bool sameFile(const QString& one, const QString& other)
{
    const QFileInfo a(one);
    const QFileInfo b(other);
    return !one.isEmpty()
        && (a == b || (a.exists() && a.canonicalFilePath() == b.canonicalFilePath()));
}

} // namespace

AgentLauncher::AgentLauncher(AgentFinder& finder, const Clock& clock, QObject* parent,
                             std::chrono::seconds patience)
    : QObject(parent), m_finder(finder), m_clock(clock), m_patience(patience)
{
    m_timer.setInterval(lookInterval);
    connect(&m_timer, &QTimer::timeout, this, &AgentLauncher::look);
}

void AgentLauncher::start(const LaunchPlan& plan, const QString& program)
{
    m_plan = plan;
    m_words.clear();
    QProcess process;
    process.setProgram(program);
    process.setArguments(plan.arguments());
    process.setWorkingDirectory(plan.directory);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(plan.logFile());
    process.setProcessChannelMode(QProcess::MergedChannels);
    auto environment = QProcessEnvironment::systemEnvironment();
    if (::geteuid() == 0) {
        // Open MPI asks root for both.
        environment.insert(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT"), QStringLiteral("1"));
        environment.insert(QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), QStringLiteral("1"));
    }
    process.setProcessEnvironment(environment);
    if (!process.startDetached(&m_process)) {
        Q_EMIT failed(tr("%1 cannot be started: %2").arg(program, process.errorString()), {});
        return;
    }
    m_deadline = m_clock.now() + m_patience;
    m_timer.start();
}

void AgentLauncher::forget()
{
    if (waiting() && m_plan.program == LaunchPlan::Program::Probe)
        ::kill(static_cast<pid_t>(m_process), SIGINT);
    m_timer.stop();
}

/// It says how far it is, and takes as long as it takes.
void AgentLauncher::lookAtProbe()
{
    if (QString words = lastWords(m_plan.logFile()); words != m_words) {
        m_words = std::move(words);
        Q_EMIT said(m_words);
    }
    if (processRuns(m_process))
        return;
    // There was none when it began, and a probe writes all of it or nothing.
    const QString file = m_plan.absoluteOutput();
    if (!QFileInfo::exists(file))
        return fail(tr("Nothing was measured."));
    m_timer.stop();
    Q_EMIT written(file);
}

void AgentLauncher::look()
{
    if (m_plan.program == LaunchPlan::Program::Probe)
        return lookAtProbe();
    m_finder.look();
    const QString runFile = m_plan.absoluteRunFile();
    for (const AgentEntry& agent : m_finder.agents()) {
        if (agent.running && agent.problem.isEmpty() && sameFile(agent.runFile, runFile)) {
            m_timer.stop();
            Q_EMIT connected(agent.accessFile);
            return;
        }
    }
    if (!processRuns(m_process)) {
        if (QFileInfo::exists(runFile)) {
            m_timer.stop();
            Q_EMIT over(runFile);
        } else {
            fail(tr("The run could not be started."));
        }
    } else if (m_clock.now() > m_deadline) {
        fail(tr("No agent has appeared within %1 s; it may still come.")
                 .arg(QLocale().toString(static_cast<qlonglong>(m_patience.count()))));
    }
}

void AgentLauncher::fail(const QString& why)
{
    m_timer.stop();
    Q_EMIT failed(why, lastWords(m_plan.logFile()));
}

} // namespace tasuki

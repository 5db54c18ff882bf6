// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentprocess.h"

#include <QFile>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QThread>
#include <QUuid>
#include <algorithm>
#include <csignal>
#include <map>
#include <unistd.h>
#include <utility>

namespace tasuki::testing {

namespace {

constexpr const char* markVariable = "TASUKI_TEST_MARK";

/// What mpirun needs on a small machine with one user, perhaps root, and without a network.
QProcessEnvironment launcherEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const std::pair<const char*, const char*> settings[] = {
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
        {"OMPI_MCA_btl_tcp_if_include", "lo"},
        {"OMPI_MCA_oob_tcp_if_include", "lo"},
        // Open MPI leaks in modules that it has unloaded by the end: no suppression can name them.
        // Leaks of Tasuki's own are looked for by the unit tests.
        {"ASAN_OPTIONS", "detect_leaks=0"},
    };
    for (const auto& [name, value] : settings) {
        environment.insert(QString::fromLatin1(name), QString::fromLatin1(value));
    }
    if (geteuid() == 0) {
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                                 "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"}) {
            environment.insert(QString::fromLatin1(name), QStringLiteral("1"));
        }
    }
    return environment;
}

QByteArray shortened(const QByteArray& text)
{
    constexpr qsizetype shown = 3000;
    return text.size() <= shown ? text : text.left(shown / 2) + "\n[...]\n" + text.right(shown / 2);
}

} // namespace

AgentProcess::AgentProcess(const Workspace& workspace)
    : m_mark(QUuid::createUuid().toString(QUuid::Id128).toStdString())
{
    QProcessEnvironment environment = launcherEnvironment();
    environment.insert(QString::fromLatin1(markVariable), QString::fromStdString(m_mark));
    // The user's own agents are not this test's affair.
    environment.insert(QStringLiteral("TASUKI_ACCESS_DIR"), workspace.path(".access"));
    environment.insert(QStringLiteral("TASUKI_SOCKET_DIR"), workspace.path(".sockets"));
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(workspace.path());
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { setpgid(0, 0); });
}

AgentProcess::~AgentProcess()
{
    // What is killed may just have made another process: look again until nothing is left.
    for (int round = 0; round < 50; ++round) {
        const auto left = allProcesses();
        if (left.empty()) {
            break;
        }
        for (const ProcessInfo& process : left) {
            kill(process.pid, SIGKILL);
        }
        QThread::msleep(20);
    }
    m_process.waitForFinished(5000);
}

void AgentProcess::setVariable(const QString& name, const QString& value)
{
    QProcessEnvironment environment = m_process.processEnvironment();
    environment.insert(name, value);
    m_process.setProcessEnvironment(environment);
}

void AgentProcess::start(Start start, int ranks, const QStringList& arguments,
                         const QStringList& launcherOptions)
{
    const QString agent = QStringLiteral(TASUKI_AGENT_PROGRAM);
    if (!QFile::exists(agent)) {
        qFatal("%s is missing", qPrintable(agent));
    }
    const QStringList count{QStringLiteral("-n"), QString::number(ranks)};
    QString program = agent;
    QStringList all;
    switch (start) {
    case Start::Mpirun:
    case Start::MpirunByPath:
        program = QStringLiteral("mpirun");
        if (start == Start::MpirunByPath) {
            program = QStandardPaths::findExecutable(program);
        }
        all = count + launcherOptions + QStringList{agent} + arguments;
        break;
    case Start::Launch:
        all = QStringList{QStringLiteral("launch")} + count + launcherOptions
            + QStringList{QStringLiteral("--")} + arguments;
        break;
    case Start::Alone: all = arguments; break;
    }
    m_process.start(program, all);
    if (!m_process.waitForStarted(10'000)) {
        qFatal("cannot start %s: %s", qPrintable(program), qPrintable(m_process.errorString()));
    }
}

bool AgentProcess::finish(std::chrono::milliseconds limit)
{
    return !running() || m_process.waitForFinished(static_cast<int>(limit.count()));
}

int AgentProcess::run(Start how, int ranks, const QStringList& arguments,
                      const QStringList& launcherOptions, std::chrono::milliseconds limit)
{
    start(how, ranks, arguments, launcherOptions);
    return finish(limit) ? exitCode() : -1;
}

int AgentProcess::exitCode() const
{
    return running() || m_process.exitStatus() != QProcess::NormalExit ? -1 : m_process.exitCode();
}

QByteArray AgentProcess::standardOutput()
{
    m_output += m_process.readAllStandardOutput();
    return m_output;
}

QByteArray AgentProcess::standardError()
{
    m_error += m_process.readAllStandardError();
    return m_error;
}

QByteArray AgentProcess::ownError()
{
    const QByteArray all = standardError();
    const qsizetype page = all.indexOf("----------");
    return page < 0 ? all : all.left(page);
}

QByteArray AgentProcess::story()
{
    return "exit code " + QByteArray::number(exitCode()) + (running() ? ", still running" : "")
        + "\n--- standard output\n" + shortened(standardOutput()) + "\n--- standard error\n"
        + shortened(standardError());
}

std::vector<ProcessInfo> AgentProcess::allProcesses() const
{
    return processesMarked(markVariable, m_mark);
}

std::vector<pid_t> AgentProcess::ranks() const
{
    std::map<int, pid_t> byRank;
    for (const ProcessInfo& process : allProcesses()) {
        if (process.name != "tasuki-agent") {
            continue;
        }
        // Open MPI 4.1 and 5 both tell each rank its number in this variable.
        if (const auto number = environmentOf(process.pid, "OMPI_COMM_WORLD_RANK")) {
            byRank.emplace(std::stoi(*number), process.pid);
        }
    }
    std::vector<pid_t> pids;
    for (const auto& [number, pid] : byRank) {
        pids.push_back(pid);
    }
    return pids;
}

pid_t AgentProcess::rank(int number) const
{
    for (const pid_t pid : ranks()) {
        if (environmentOf(pid, "OMPI_COMM_WORLD_RANK") == std::to_string(number)) {
            return pid;
        }
    }
    return 0;
}

pid_t AgentProcess::guardianOf(pid_t agent) const
{
    const std::vector<ProcessInfo> all = allProcesses();
    for (const ProcessInfo& guardian : all) {
        if (guardian.name != "tasuki-guardian") {
            continue;
        }
        for (const ProcessInfo& watcher : all) {
            if (guardian.parent == watcher.pid && watcher.parent == agent) {
                return guardian.pid;
            }
        }
    }
    return 0;
}

std::vector<pid_t> AgentProcess::guardians() const
{
    std::vector<pid_t> pids;
    for (const ProcessInfo& process : allProcesses()) {
        if (process.name == "tasuki-guardian") {
            pids.push_back(process.pid);
        }
    }
    return pids;
}

std::vector<ProcessInfo> AgentProcess::taskProcesses() const
{
    auto found = allProcesses();
    std::erase_if(found, [](const ProcessInfo& process) {
        return !environmentOf(process.pid, "TASUKI_TASK").has_value();
    });
    return found;
}

std::vector<ProcessInfo> AgentProcess::remainder(std::chrono::milliseconds limit) const
{
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (true) {
        auto left = allProcesses();
        if (left.empty() || std::chrono::steady_clock::now() >= deadline) {
            return left;
        }
        QThread::msleep(20);
    }
}

bool launchesWithOpenMpi4()
{
    QProcess mpirun;
    mpirun.start(QStringLiteral("mpirun"), {QStringLiteral("--version")});
    return mpirun.waitForFinished(10'000)
        && mpirun.readAllStandardOutput().contains("(Open MPI) 4.");
}

QByteArray describeAll(const std::vector<ProcessInfo>& processes)
{
    QByteArray text;
    for (const ProcessInfo& process : processes) {
        text += QByteArray::fromStdString(describe(process)) + '\n';
    }
    return text;
}

} // namespace tasuki::testing

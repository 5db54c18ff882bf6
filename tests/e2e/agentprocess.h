// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "processes.h"
#include "workspace.h"

#include <QProcess>
#include <QString>
#include <QStringList>
#include <chrono>
#include <string>
#include <vector>

namespace tasuki::testing {

/// How a farm is started.
enum class Start {
    Mpirun,       ///< mpirun -n N tasuki-agent farm ...: nothing survives a death
    Launch,       ///< tasuki-agent launch -n N -- farm ...: recovery is on
    Alone,        ///< tasuki-agent ..., without a launcher
    MpirunByPath, ///< as Mpirun, by its absolute path
};

/// One start of tasuki-agent in a workspace: collects what it prints, knows its ranks, their
/// guardians and the tasks, and on destruction kills whatever of it still lives.
///
/// Its processes are recognised by a variable in their environment that no other start has.
class AgentProcess {
public:
    explicit AgentProcess(const Workspace& workspace);
    ~AgentProcess();
    AgentProcess(const AgentProcess&) = delete;
    AgentProcess& operator=(const AgentProcess&) = delete;

    /// Sets a variable in the environment of what is started.
    void setVariable(const QString& name, const QString& value);
    /// What is started reads a file.
    void setInputFile(const QString& path) { m_process.setStandardInputFile(path); }
    /// Another process, to be started afterwards, reads what is printed.
    void pipeInto(QProcess& reader) { m_process.setStandardOutputProcess(&reader); }
    /// Standard output goes to this file. Before start().
    void setOutputFile(const QString& file) { m_process.setStandardOutputFile(file); }
    /// Starts the agent in the workspace's directory, in a process group of its own, with nothing
    /// to read. Fails the program when there is no such program.
    /// @param ranks      not used by Start::Alone
    /// @param arguments  from the subcommand on: "farm", "tasks.sh", ...
    /// @param launcherOptions  more options of mpirun
    void start(Start start, int ranks, const QStringList& arguments,
               const QStringList& launcherOptions = {});

    /// Waits for the end. @return false after the time limit
    bool finish(std::chrono::milliseconds limit = std::chrono::seconds(60));
    /// start() and finish(). @return the exit code, -1 after the time limit or a death by signal
    int run(Start start, int ranks, const QStringList& arguments,
            const QStringList& launcherOptions = {},
            std::chrono::milliseconds limit = std::chrono::seconds(60));

    [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }
    /// @return the exit code, -1 while it runs and after a death by signal
    [[nodiscard]] int exitCode() const;
    [[nodiscard]] QByteArray standardOutput();
    [[nodiscard]] QByteArray standardError();
    /// The same without the pages on which a plain mpirun explains an exit code.
    [[nodiscard]] QByteArray ownError();
    /// What a failed check should show: exit code and all that was printed, shortened.
    [[nodiscard]] QByteArray story();

    /// @return the process that start() started: mpirun, or tasuki-agent
    [[nodiscard]] pid_t pid() const { return static_cast<pid_t>(m_process.processId()); }
    /// @return the agents of the ranks, in the order of their ranks; those that live
    [[nodiscard]] std::vector<pid_t> ranks() const;
    /// @return the agent of one rank, 0 when it does not live
    [[nodiscard]] pid_t rank(int number) const;
    /// @return the guardian of a rank's agent, 0 when it has none
    [[nodiscard]] pid_t guardianOf(pid_t agent) const;
    /// @return the guardians that live, whoever their parents are
    [[nodiscard]] std::vector<pid_t> guardians() const;
    /// @return processes that came from tasks
    [[nodiscard]] std::vector<ProcessInfo> taskProcesses() const;
    /// @return everything that lives of this start
    [[nodiscard]] std::vector<ProcessInfo> allProcesses() const;

    /// Waits until nothing of this start lives. @return what still lives after the time limit
    [[nodiscard]] std::vector<ProcessInfo> remainder(std::chrono::milliseconds limit) const;

private:
    std::string m_mark;
    QProcess m_process;
    QByteArray m_output;
    QByteArray m_error;
};

/// @return whether the installed mpirun is that of Open MPI 4: the next one reacts differently to some
///         ends of ranks
bool launchesWithOpenMpi4();

/// @return one line a process, for messages
QByteArray describeAll(const std::vector<ProcessInfo>& processes);

} // namespace tasuki::testing

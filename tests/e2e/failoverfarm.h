// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agentprocess.h"
#include "failoverrecord.h"
#include "workspace.h"

#include <QByteArray>
#include <QStringList>
#include <memory>
#include <vector>

namespace tasuki::testing {

/// A farm of two subclusters, left and right, on one host, whose processors a test may do things to.
/// Each has an I/O processor, four active ones and a standby, in two units of three:
///
/// | processor | left                            | right                     |
/// |-----------|---------------------------------|---------------------------|
/// | I/O       | 0: unit, cluster, system master | 6: unit, cluster master   |
/// | active    | 1, 2 and 3, 4: ranks 0 to 3     | 7, 8 and 9, 10: 4 to 7    |
/// | standby   | 5                               | 11                        |
///
/// Tasks leave a line each time they begin: task, rank, attempt, guardian, shell, time.
class FailoverFarm {
public:
    static constexpr int processors = 12;

    struct Setup {
        int tasks = 400;            ///< that wait rather than compute: a slow machine keeps up
        QByteArray seconds = "0.1"; ///< of sleep in each
        QByteArray policy = "restart";
        int restarts = 3; ///< in 10 minutes
        Start how = Start::Launch;
        QStringList launcherOptions = {};
    };
    explicit FailoverFarm(Setup setup);

    void start();
    /// Resumes the run that has ended.
    void resume();
    /// @return whether all processors live and so many lines have been left; looks the processors up
    bool works(int lines = 100);
    [[nodiscard]] pid_t pid(int processor) const;
    /// @return a processor's agent, guardian and what runs below it
    [[nodiscard]] std::vector<ProcessInfo> processesOf(int processor) const;
    /// Sends a signal to a processor's agent. @return when
    WallMicros strike(int processor, int signal);

    /// Waits for the end. @return what is wrong, empty: exit code 0, nothing left, each task done
    ///         and counted once, hardly any begun twice
    /// @param losses  of processors that there may be
    QByteArray finish(int losses);
    /// @return the record of the ended run
    [[nodiscard]] FailoverRecord record() const;
    /// Prints how long a loss took from the strike to the record, and to the next holder.
    static void tell(const FailoverRecord& record, int processor, WallMicros struck);

    struct Line {
        int task = 0; ///< as the record numbers it
        int rank = 0;
        int attempt = 0;
        pid_t guardian = 0;
        pid_t shell = 0;
        WallMicros at = 0;
    };
    [[nodiscard]] std::vector<Line> lines() const;

    Workspace place;
    AgentProcess agent;

private:
    [[nodiscard]] QByteArray traceProblems(const FailoverRecord& record, int losses) const;

    Setup m_setup;
    std::vector<pid_t> m_pids;
    std::unique_ptr<AgentProcess> m_resumed;
};

} // namespace tasuki::testing

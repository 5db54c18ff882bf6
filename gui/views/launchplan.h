// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/outputkeeping.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <array>
#include <cstdint>

namespace tasuki {

/// What is started, and with what: the values of `tasuki-agent launch -n N -- farm ...`.
struct LaunchPlan {
    enum class Program : std::uint8_t {
        Farm,  ///< the commands of a task list
        Serve, ///< tasks that windows and commands add
        Merge, ///< files of lines key and value, into one
        Probe, ///< speeds of nodes and links, for a plan
    };
    enum class Field : std::uint8_t {
        TaskList,
        Files,
        Output,
        Directory,
        Ranks,
        Hosts,
        Options,
        Topology,
        RunFile,
        Retries,
        Timeout,
    };
    static constexpr std::size_t fields = 11;
    static constexpr int mostRanks = 4096;
    /// A new run, or how a recorded one goes on: what is left of it, what has failed too, or chosen
    /// tasks alone.
    enum class Goal : std::uint8_t { New, Resume, RetryFailed, RetryTasks };

    Program program = Program::Farm;
    Goal goal = Goal::New;

    QString taskList;  ///< path; a relative one starts from `directory`. Empty: that of the record
    QString directory; ///< in which the agent is started
    int ranks = 2;
    int slots = 1;   ///< 0: auto
    QString runFile; ///< path; a relative one starts from `directory`. A probe has none
    QString retries = QStringLiteral("0");
    QString timeout; ///< empty: none
    bool dedicatedMaster = false;
    QString tasks = {};    ///< of RetryTasks, as taskRanges() yields them
    QString topology = {}; ///< file; empty: none
    /// "node0:4,node1:8", or the path of a hostfile; empty: this host, or those of the job.
    QString hosts = {};
    QString options = {}; ///< further ones of mpirun, as in a shell with double quotes
    QString files = {};   ///< of a merge, as `options`
    QString output = {};  ///< path: the merged map of a merge, the environment of a probe
    QString law = QStringLiteral("last"); ///< of a merge
    /// As an earlier life was started; nobody edits it here.
    OutputKeeping keeping = {}; ///< of what tasks print
    bool operator==(const LaunchPlan&) const = default;

    /// Whether a field means anything to the program.
    [[nodiscard]] bool has(Field field) const;
    /// @return what is wrong with each field, for people; empty: nothing
    [[nodiscard]] std::array<QString, fields> problems() const;
    [[nodiscard]] bool valid() const;

    [[nodiscard]] QStringList arguments() const;
    /// @return the command as a line that a shell takes
    [[nodiscard]] QString commandLine(const QString& agentProgram) const;
    [[nodiscard]] QString absoluteRunFile() const;
    [[nodiscard]] QString absoluteOutput() const;
    /// Where the launcher's own words go: beside the run file, or what a probe writes.
    [[nodiscard]] QString logFile() const;

    /// The run file that belongs to a list when nothing else is said: a free name in `directory`.
    static QString runFileFor(const QString& taskList, const QString& directory);
    /// A name in `directory` that is not in use: that of `name`, or with a number.
    static QString freeName(const QString& name, const QString& directory);

private:
    [[nodiscard]] QStringList mpirunArguments() const;
    [[nodiscard]] QStringList farmArguments() const;
    [[nodiscard]] QStringList programArguments() const;
};

/// @return the words of a line, as a shell with double quotes splits it
QStringList wordsOf(const QString& line);
/// @return a line that wordsOf() splits into these
QString lineOf(const QStringList& words);

/// @return the numbers of tasks as --retry takes them, e.g. "3,7-9"
QString taskRanges(QList<TaskId> tasks);

/// @return the word as a shell takes it
QString shellQuoted(const QString& word);

/// Where tasuki-agent is: beside this program, else in PATH; empty: nowhere.
QString findAgentProgram();

} // namespace tasuki

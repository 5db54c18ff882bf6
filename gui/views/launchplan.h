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

/// What a run is started with: the values of `tasuki-agent launch -n N -- farm ...`.
struct LaunchPlan {
    enum class Field : std::uint8_t { TaskList, Directory, Ranks, RunFile, Retries, Timeout };
    static constexpr std::size_t fields = 6;
    /// A new run, or how a recorded one goes on: what is left of it, what has failed too, or chosen
    /// tasks alone.
    enum class Goal : std::uint8_t { New, Resume, RetryFailed, RetryTasks };

    Goal goal = Goal::New;

    QString taskList;  ///< path; a relative one starts from `directory`. Empty: that of the record
    QString directory; ///< in which the agent is started
    int ranks = 2;
    int slots = 1;   ///< 0: auto
    QString runFile; ///< path; a relative one starts from `directory`
    QString retries = QStringLiteral("0");
    QString timeout; ///< empty: none
    bool dedicatedMaster = false;
    QString tasks = {}; ///< of RetryTasks, as taskRanges() yields them
    /// As an earlier life was started; nobody edits them here.
    QString topology = {};      ///< file; empty: none
    OutputKeeping keeping = {}; ///< of what tasks print
    bool operator==(const LaunchPlan&) const = default;

    /// @return what is wrong with each field, for people; empty: nothing
    [[nodiscard]] std::array<QString, fields> problems() const;
    [[nodiscard]] bool valid() const;

    [[nodiscard]] QStringList arguments() const;
    /// @return the command as a line that a shell takes
    [[nodiscard]] QString commandLine(const QString& program) const;
    [[nodiscard]] QString absoluteRunFile() const;
    /// Where the launcher's own words go: beside the run file.
    [[nodiscard]] QString logFile() const;

    /// The run file that belongs to a list when nothing else is said: a free name in `directory`.
    static QString runFileFor(const QString& taskList, const QString& directory);
};

/// @return the numbers of tasks as --retry takes them, e.g. "3,7-9"
QString taskRanges(QList<TaskId> tasks);

/// @return the word as a shell takes it
QString shellQuoted(const QString& word);

/// Where tasuki-agent is: beside this program, else in PATH; empty: nowhere.
QString findAgentProgram();

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace.h"

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <chrono>
#include <utility>
#include <vector>

namespace tasuki::testing {

/// One run of the program tracee, or another one, under mpirun, in a workspace's directory, with or without the tracer.
class TracedProgram {
public:
    explicit TracedProgram(const Workspace& workspace);
    /// Kills what is left of it.
    ~TracedProgram();
    TracedProgram(const TracedProgram&) = delete;
    TracedProgram& operator=(const TracedProgram&) = delete;

    /// A variable for all ranks.
    void set(const QString& variable, const QString& value);
    void setProgram(const QString& path) { m_program = path; }
    void withoutTracer() { m_traced = false; }
    /// Put before the program of the last rank.
    void wrapLastRank(const QStringList& command) { m_wrapper = command; }

    /// Runs to the end. @return the exit code; -1 after the time limit or a death by signal
    int run(int ranks, const QStringList& arguments,
            std::chrono::milliseconds limit = std::chrono::seconds(60));

    [[nodiscard]] QByteArray output() const { return m_output; }
    [[nodiscard]] QByteArray error() const { return m_error; }
    /// @return the lines on standard error that are the tracer's
    [[nodiscard]] QByteArrayList complaints() const;
    /// What a failed check should show.
    [[nodiscard]] QByteArray story() const;

private:
    [[nodiscard]] QStringList commandLine(int ranks, const QStringList& arguments) const;

    QProcess m_process;
    QString m_program;
    bool m_traced = true;
    QStringList m_wrapper;
    std::vector<std::pair<QString, QString>> m_variables;
    QByteArray m_output;
    QByteArray m_error;
};

} // namespace tasuki::testing

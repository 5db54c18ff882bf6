// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace tasuki::testing {

/// One finished start of a workload under mpirun. Whatever it leaves is killed and told.
class WorkloadRun {
public:
    /// Starts and waits, half a minute at most. Fails the program when there is no mpirun.
    /// @param ranks  0: without mpirun
    WorkloadRun(const QString& program, int ranks, const QStringList& options);

    /// @return the exit code; -1: it had to be killed, or left processes behind
    [[nodiscard]] int exitCode() const { return m_exitCode; }
    [[nodiscard]] const QByteArray& output() const { return m_output; }
    [[nodiscard]] const QByteArray& errors() const { return m_errors; }
    /// @return the lines of standard error that the program itself wrote
    [[nodiscard]] QList<QByteArray> complaints() const;
    /// @return what the only line of standard output with "workload=" says, word by word; empty when
    ///         there are none or several
    [[nodiscard]] QMap<QByteArray, QByteArray> result() const;
    /// What a failed check should show.
    [[nodiscard]] QByteArray story() const;

private:
    QString m_program;
    int m_exitCode = -1;
    QByteArray m_output;
    QByteArray m_errors;
};

} // namespace tasuki::testing

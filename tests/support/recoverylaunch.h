// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QRegularExpression>
#include <QStringList>

namespace tasuki::testing {

/// @return the arguments of an mpirun that goes on after the death of a rank
/// @param mpirun  its path
inline QStringList recoveryArguments(const QString& mpirun, int ranks)
{
    QStringList arguments{QStringLiteral("--enable-recovery"), QStringLiteral("-n"),
                          QString::number(ranks), QStringLiteral("--oversubscribe")};
    QProcess version;
    version.start(mpirun, {QStringLiteral("--version")});
    version.waitForFinished();
    const QRegularExpression expression(QStringLiteral("\\(Open MPI\\) (\\d+)"));
    const auto match = expression.match(QString::fromLocal8Bit(version.readAllStandardOutput()));
    // Version 5 aborts everybody when a connection over TCP breaks, unless it is told otherwise.
    constexpr int firstWithFaultTolerance = 5;
    if (match.captured(1).toInt() >= firstWithFaultTolerance)
        arguments += {QStringLiteral("--with-ft"), QStringLiteral("ulfm")};
    return arguments;
}

} // namespace tasuki::testing

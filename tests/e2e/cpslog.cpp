// SPDX-License-Identifier: GPL-3.0-or-later
#include "cpslog.h"

#include <QList>
#include <QRegularExpression>
#include <QStringList>

namespace tasuki::testing {

std::optional<CpsLog> CpsLog::parse(const QByteArray& content)
{
    const QString number = QStringLiteral("(\\d+(?:\\.\\d+)?)");
    const QStringList head{
        QStringLiteral("Number of tasks : (\\d+)"),
        QStringLiteral("Number of processes : (\\d+)"),
        QStringLiteral("Total execution time: ") + number + QStringLiteral(" \\[s\\]"),
        QStringLiteral("Elapsed time: ") + number + QStringLiteral(" \\[s\\]"),
        QStringLiteral("Parallel Efficiency : ") + number,
        QString(),
        QStringLiteral("Task list:"),
        QStringLiteral("Command : Elapsed time"),
    };
    QList<QByteArray> rows = content.split('\n');
    if (rows.size() < head.size() + 1 || !rows.back().isEmpty()) {
        return std::nullopt; // too short, or the last line has no end
    }
    rows.removeLast();
    QList<double> numbers;
    for (qsizetype index = 0; index < head.size(); ++index) {
        const QRegularExpression line(QRegularExpression::anchoredPattern(head[index]));
        const auto match = line.match(QString::fromUtf8(rows[index]));
        if (!match.hasMatch()) {
            return std::nullopt;
        }
        if (match.lastCapturedIndex() > 0) {
            numbers << match.captured(1).toDouble();
        }
    }
    CpsLog log;
    log.tasks = static_cast<int>(numbers[0]);
    log.processes = static_cast<int>(numbers[1]);
    log.total = numbers[2];
    log.elapsed = numbers[3];
    log.efficiency = numbers[4];
    const QRegularExpression task(QRegularExpression::anchoredPattern(
        QStringLiteral("(.*) : ") + number + QStringLiteral(" \\[s\\]")));
    for (qsizetype index = head.size(); index < rows.size(); ++index) {
        const auto match = task.match(QString::fromUtf8(rows[index]));
        if (!match.hasMatch()) {
            return std::nullopt;
        }
        log.lines.emplace_back(match.captured(1).toStdString(), match.captured(2).toDouble());
    }
    return log;
}

} // namespace tasuki::testing

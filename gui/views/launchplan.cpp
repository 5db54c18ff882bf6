// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchplan.h"

#include "models/taskfield.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int mostRanks = 4096;

/// Context of the texts.
struct Plan {
    Q_DECLARE_TR_FUNCTIONS(LaunchPlan)
};

QString settingProblem(TaskField field, const QString& text)
{
    TaskContent scratch;
    scratch.command = "true";
    return setField(scratch, field, text);
}

} // namespace

std::array<QString, LaunchPlan::fields> LaunchPlan::problems() const
{
    std::array<QString, fields> found;
    const auto at = [&](Field field) -> QString& { return found[static_cast<std::size_t>(field)]; };
    const QFileInfo folder(directory);
    const QDir base(directory);
    if (!folder.isDir())
        at(Field::Directory) = Plan::tr("There is no such directory.");
    else if (!folder.isWritable())
        at(Field::Directory) = Plan::tr("You may not write in this directory.");

    const QFileInfo list(base.filePath(taskList));
    if (taskList.isEmpty()) {
        if (goal == Goal::New)
            at(Field::TaskList) = Plan::tr("Choose a task list.");
    } else if (!list.isFile()) {
        at(Field::TaskList) = Plan::tr("There is no such file.");
    } else if (!list.isReadable()) {
        at(Field::TaskList) = Plan::tr("You may not read this file.");
    }

    if (ranks < 1 || ranks > mostRanks)
        at(Field::Ranks) = Plan::tr("Between 1 and 4096.");
    else if (dedicatedMaster && ranks < 2)
        at(Field::Ranks) = Plan::tr("A dedicated master needs at least two ranks.");

    const QFileInfo record(absoluteRunFile());
    if (runFile.isEmpty())
        at(Field::RunFile) = Plan::tr("Name the run file.");
    else if (goal != Goal::New && !record.isFile())
        at(Field::RunFile) = Plan::tr("There is no such file.");
    else if (goal == Goal::New && record.exists())
        at(Field::RunFile) = Plan::tr("This file exists already; choose another name.");
    else if (!record.dir().exists())
        at(Field::RunFile) = Plan::tr("The directory of the run file does not exist.");

    at(Field::Retries) = settingProblem(TaskField::Retries, retries);
    at(Field::Timeout) = settingProblem(TaskField::Timeout, timeout);
    return found;
}

bool LaunchPlan::valid() const
{
    const auto found = problems();
    return std::all_of(found.begin(), found.end(), [](const QString& p) { return p.isEmpty(); });
}

QStringList LaunchPlan::arguments() const
{
    QStringList words{QStringLiteral("launch"),
                      QStringLiteral("-n"),
                      QString::number(ranks),
                      QStringLiteral("--"),
                      QStringLiteral("farm"),
                      goal == Goal::New ? QStringLiteral("--run") : QStringLiteral("--resume"),
                      runFile,
                      QStringLiteral("--slots"),
                      slots == 0 ? QStringLiteral("auto") : QString::number(slots)};
    if (!taskList.isEmpty())
        words.insert(words.indexOf(QLatin1String("farm")) + 1, taskList);
    if (goal == Goal::RetryFailed)
        words << QStringLiteral("--retry-failed");
    if (goal == Goal::RetryTasks)
        words << QStringLiteral("--retry") << tasks;
    if (!retries.trimmed().isEmpty() && retries.trimmed() != QLatin1String("0"))
        words << QStringLiteral("--retries") << retries.trimmed();
    if (!timeout.trimmed().isEmpty())
        words << QStringLiteral("--timeout") << timeout.trimmed();
    if (!topology.isEmpty())
        words << QStringLiteral("--topology") << topology;
    else if (dedicatedMaster)
        words << QStringLiteral("--dedicated-master");
    if (keeping.recordBytes != OutputKeeping::usualBytes)
        words << QStringLiteral("--record-output") << QString::number(keeping.recordBytes);
    if (!keeping.directory.empty())
        words << QStringLiteral("--output-dir")
              << QFile::decodeName(QByteArray::fromStdString(keeping.directory));
    words << QStringLiteral("--quiet");
    return words;
}

QString LaunchPlan::commandLine(const QString& program) const
{
    QStringList words{shellQuoted(program)};
    for (const QString& word : arguments())
        words << shellQuoted(word);
    return words.join(QLatin1Char(' '));
}

QString LaunchPlan::absoluteRunFile() const
{
    return QDir::cleanPath(QDir(directory).absoluteFilePath(runFile));
}

QString LaunchPlan::logFile() const { return absoluteRunFile() + QStringLiteral(".log"); }

QString LaunchPlan::runFileFor(const QString& taskList, const QString& directory)
{
    QString base = QFileInfo(taskList).completeBaseName();
    if (base.isEmpty())
        base = QStringLiteral("run");
    const QDir folder(directory);
    QString name = base + QStringLiteral(".tasuki");
    for (int i = 2; folder.exists(name); ++i)
        name = QStringLiteral("%1-%2.tasuki").arg(base).arg(i);
    return name;
}

QString taskRanges(QList<TaskId> tasks)
{
    std::ranges::sort(tasks);
    QStringList ranges;
    for (qsizetype i = 0; i < tasks.size(); ++i) {
        const TaskId first = tasks[i];
        while (i + 1 < tasks.size() && tasks[i + 1].value() - tasks[i].value() <= 1)
            ++i;
        QString range = QString::number(first.value());
        if (tasks[i] != first)
            range += QLatin1Char('-') + QString::number(tasks[i].value());
        ranges << range;
    }
    return ranges.join(QLatin1Char(','));
}

QString shellQuoted(const QString& word)
{
    static const QRegularExpression harmless(QStringLiteral("\\A[A-Za-z0-9_@%+=:,./-]+\\z"));
    if (harmless.match(word).hasMatch())
        return word;
    QString quoted = word;
    quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

QString findAgentProgram()
{
    const QString name = QStringLiteral("tasuki-agent");
    const QString beside = QStandardPaths::findExecutable(name,
                                                          {QCoreApplication::applicationDirPath()});
    return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

} // namespace tasuki

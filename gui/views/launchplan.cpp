// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchplan.h"

#include "models/taskfield.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>

namespace tasuki {

namespace {

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

QString problemOfInput(const QDir& base, const QString& path)
{
    const QFileInfo file(base.filePath(path));
    if (!file.isFile())
        return Plan::tr("There is no such file.");
    return file.isReadable() ? QString() : Plan::tr("You may not read this file.");
}

QString problemOfFiles(const QDir& base, const QStringList& files)
{
    if (files.isEmpty())
        return Plan::tr("Choose the files to merge.");
    for (const QString& file : files) {
        if (const QString problem = problemOfInput(base, file); !problem.isEmpty())
            return Plan::tr("%1: %2", "file, problem").arg(file, problem);
    }
    return {};
}

QString problemOfOutput(const QDir& base, const QString& path)
{
    const QFileInfo file(base.filePath(path));
    if (path.isEmpty())
        return Plan::tr("Name the file that is written.");
    if (file.exists())
        return Plan::tr("This file exists already; choose another name.");
    return file.dir().exists() ? QString() : Plan::tr("Its directory does not exist.");
}

/// Whether hosts are named by a file.
bool isHostfile(const QDir& base, const QString& hosts)
{
    return hosts.contains(QLatin1Char('/')) || QFileInfo(base.filePath(hosts)).isFile();
}

QString problemOfHosts(const QDir& base, const QString& hosts)
{
    static const QRegularExpression list(
        QStringLiteral("\\A[A-Za-z0-9_.-]+(:[0-9]+)?(,[A-Za-z0-9_.-]+(:[0-9]+)?)*\\z"));
    if (hosts.isEmpty())
        return {};
    if (isHostfile(base, hosts))
        return problemOfInput(base, hosts);
    return list.match(hosts).hasMatch()
        ? QString()
        : Plan::tr("Write hosts with their slots, e.g. node0:4,node1:8, or name a hostfile.");
}

/// @return a run file as --run takes it: the word "none" means that no record is kept
QString newRunFile(const QString& file)
{
    return file == QLatin1String("none") ? QStringLiteral("./none") : file;
}

} // namespace

bool LaunchPlan::has(Field field) const
{
    const bool runsTasks = program == Program::Farm || program == Program::Serve;
    switch (field) {
    case Field::TaskList: return program == Program::Farm;
    case Field::Files: return program == Program::Merge;
    case Field::Output: return !runsTasks;
    case Field::Topology:
    case Field::Retries:
    case Field::Timeout: return runsTasks;
    case Field::RunFile: return program != Program::Probe;
    case Field::Directory:
    case Field::Ranks:
    case Field::Hosts:
    case Field::Options: return true;
    }
    return true;
}

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

    if (!taskList.isEmpty())
        at(Field::TaskList) = problemOfInput(base, taskList);
    else if (goal == Goal::New)
        at(Field::TaskList) = Plan::tr("Choose a task list.");
    at(Field::Files) = problemOfFiles(base, wordsOf(files));
    at(Field::Output) = problemOfOutput(base, output);
    at(Field::Hosts) = problemOfHosts(base, hosts);
    if (wordsOf(options).contains(QStringLiteral("--")))
        at(Field::Options) = Plan::tr("-- ends the options of mpirun: leave it out.");
    if (!topology.isEmpty())
        at(Field::Topology) = problemOfInput(base, topology);

    if (ranks < 1 || ranks > mostRanks)
        at(Field::Ranks) = Plan::tr("Between 1 and 4096.");
    else if (has(Field::Topology) && dedicatedMaster && topology.isEmpty() && ranks < 2)
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
    for (std::size_t field = 0; field < fields; ++field) {
        if (!has(static_cast<Field>(field)))
            found[field].clear();
    }
    return found;
}

bool LaunchPlan::valid() const
{
    const auto found = problems();
    return std::all_of(found.begin(), found.end(), [](const QString& p) { return p.isEmpty(); });
}

QStringList LaunchPlan::mpirunArguments() const
{
    QStringList words{QStringLiteral("-n"), QString::number(ranks)};
    if (!hosts.isEmpty())
        words << (isHostfile(QDir(directory), hosts) ? QStringLiteral("--hostfile")
                                                     : QStringLiteral("--host"))
              << hosts;
    return words + wordsOf(options);
}

QStringList LaunchPlan::farmArguments() const
{
    QStringList words;
    if (has(Field::TaskList) && !taskList.isEmpty())
        words << taskList;
    if (goal == Goal::New)
        words << QStringLiteral("--run") << newRunFile(runFile);
    else
        words << QStringLiteral("--resume") << runFile;
    words << QStringLiteral("--slots")
          << (slots == 0 ? QStringLiteral("auto") : QString::number(slots));
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
    return words << QStringLiteral("--quiet");
}

QStringList LaunchPlan::programArguments() const
{
    switch (program) {
    case Program::Farm: return QStringList{QStringLiteral("farm")} + farmArguments();
    case Program::Serve: return QStringList{QStringLiteral("serve")} + farmArguments();
    case Program::Merge:
        return QStringList{QStringLiteral("merge")} + wordsOf(files)
            + QStringList{QStringLiteral("-o"),     output,
                          QStringLiteral("--law"),  law,
                          QStringLiteral("--run"),  newRunFile(runFile),
                          QStringLiteral("--quiet")};
    case Program::Probe: return {QStringLiteral("probe"), QStringLiteral("-o"), output};
    }
    return {};
}

QStringList LaunchPlan::arguments() const
{
    return QStringList{QStringLiteral("launch")} + mpirunArguments()
        + QStringList{QStringLiteral("--")} + programArguments();
}

QString LaunchPlan::commandLine(const QString& agentProgram) const
{
    QStringList words{shellQuoted(agentProgram)};
    for (const QString& word : arguments())
        words << shellQuoted(word);
    return words.join(QLatin1Char(' '));
}

QString LaunchPlan::absoluteRunFile() const
{
    return QDir::cleanPath(QDir(directory).absoluteFilePath(runFile));
}

QString LaunchPlan::absoluteOutput() const
{
    return QDir::cleanPath(QDir(directory).absoluteFilePath(output));
}

QString LaunchPlan::logFile() const
{
    return (program == Program::Probe ? absoluteOutput() : absoluteRunFile())
        + QStringLiteral(".log");
}

QString LaunchPlan::runFileFor(const QString& taskList, const QString& directory)
{
    const QString base = QFileInfo(taskList).completeBaseName();
    return freeName((base.isEmpty() ? QStringLiteral("run") : base) + QStringLiteral(".tasuki"),
                    directory);
}

QString LaunchPlan::freeName(const QString& name, const QString& directory)
{
    const QFileInfo file(name);
    const QDir folder(directory);
    QString free = name;
    for (int i = 2; folder.exists(free); ++i)
        free = QStringLiteral("%1-%2.%3").arg(file.completeBaseName()).arg(i).arg(file.suffix());
    return free;
}

QStringList wordsOf(const QString& line) { return QProcess::splitCommand(line); }

QString lineOf(const QStringList& words)
{
    QStringList quoted;
    for (QString word : words) {
        const bool plain = !word.isEmpty() && !word.contains(QLatin1Char(' '))
            && !word.contains(QLatin1Char('"')) && !word.contains(QLatin1Char('\t'));
        word.replace(QLatin1Char('"'), QStringLiteral("\"\"\""));
        quoted << (plain ? word : QLatin1Char('"') + word + QLatin1Char('"'));
    }
    return quoted.join(QLatin1Char(' '));
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

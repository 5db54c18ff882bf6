// SPDX-License-Identifier: GPL-3.0-or-later
#include "target.h"

#include "inputerror.h"

#include "host/hostidentity.h"
#include "linkclient/remoterun.h"
#include "trace/tracefile.h"
#include "wire/accessfile.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace tasuki {

namespace {

QString pathOf(const std::filesystem::path& path)
{
    return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

/// @return whether a file looks like the JSON of an access file; what it is worth is for its reader
bool looksLikeAccessFile(const QString& path)
{
    if (path.endsWith(QLatin1String(".json")))
        return true;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(1) == "{";
}

/// @return whether the access file's agent is on this host and gone
bool isGone(const link::AccessFile& access) { return link::isStale(access, hostIdentity().key); }

Result<Target> agentOfSocket(const QString& socket, const link::AccessListing& listing)
{
    const std::string wanted = QFileInfo(socket).absoluteFilePath().toStdString();
    for (const auto& entry : listing.agents) {
        if (entry.access.socket == wanted)
            return Target{Target::Kind::Agent, pathOf(entry.path)};
    }
    return inputError(QStringLiteral("no access file names the socket %1").arg(socket),
                      QStringLiteral("give the access file of the agent"));
}

Result<Target> agentOfRun(const QString& prefix, const link::AccessListing& listing)
{
    const std::string wanted = prefix.toLower().toStdString();
    std::vector<const link::AccessListing::Entry*> found;
    for (const auto& entry : listing.agents) {
        if (entry.access.run.hex.starts_with(wanted) && !isGone(entry.access))
            found.push_back(&entry);
    }
    if (found.empty())
        return inputError(
            QStringLiteral("there is no file '%1', and no agent runs whose run's id begins "
                           "so")
                .arg(prefix),
            QStringLiteral("'tasuki' alone lists what runs here"));
    const bool sameRun = std::all_of(found.begin(), found.end(), [&](const auto* entry) {
        return entry->access.run == found.front()->access.run;
    });
    if (!sameRun)
        return inputError(
            QStringLiteral("the ids of %1 runs begin with '%2'").arg(found.size()).arg(prefix),
            QStringLiteral("give more of the id"));
    const auto latest = std::max_element(
        found.begin(), found.end(),
        [](const auto* a, const auto* b) { return a->access.epoch < b->access.epoch; });
    return Target{Target::Kind::Agent, pathOf((*latest)->path)};
}

/// A run file whose agent is running is better seen through the agent: live, and open to commands.
/// @return the agent that writes the file; none: nobody on this host does
std::optional<Target> agentThatWrites(const QFileInfo& runFile, const link::AccessListing& listing)
{
    const std::string here = hostIdentity().key;
    for (const auto& entry : listing.agents) {
        const bool running = entry.access.hostKey == here && !link::isStale(entry.access, here);
        const QFileInfo written(pathOf(entry.access.runFile));
        if (running && written.canonicalFilePath() == runFile.canonicalFilePath())
            return Target{Target::Kind::Agent, pathOf(entry.path)};
    }
    return std::nullopt;
}

} // namespace

bool looksLikeTrace(const QString& path)
{
    return path.endsWith(QLatin1String(".alog"), Qt::CaseInsensitive)
        || trace::looksLikeTrace(QFile::encodeName(path).toStdString());
}

bool looksLikeTopology(const QString& path)
{
    // Of a file with mistakes too: its reader tells of them.
    static const QRegularExpression table(QStringLiteral(
        "^\\s*(?:\\[\\[?\\s*)?[\"']?(system|subcluster|node|link\\w*)[\"']?\\s*[\\]=]"));
    constexpr qint64 longestLine = 4096;
    constexpr qint64 lookedAt = qint64{1} << 20U; // bytes
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    while (!file.atEnd() && file.pos() < lookedAt) {
        const auto match = table.match(QString::fromUtf8(file.readLine(longestLine)));
        if (match.hasMatch()) {
            const QString name = match.captured(1);
            return name == QLatin1String("system") || name == QLatin1String("subcluster");
        }
    }
    return false;
}

Result<Target> findTarget(const QString& argument, const std::filesystem::path& accessDirectory)
{
    if (const std::string name = argument.toStdString(); isRemote(name)) {
        const auto run = parseRemoteRun(name);
        return run ? Result<Target>(Target{Target::Kind::Remote, argument}) : run.error();
    }
    const QFileInfo file(argument);
    if (file.isDir())
        return inputError(QStringLiteral("%1 is a directory").arg(argument),
                          QStringLiteral("expected a run file or an agent"));
    const link::AccessListing listing = link::listAccessFiles(accessDirectory);
    if (file.isFile()) {
        if (argument.endsWith(QLatin1String(".alog"), Qt::CaseInsensitive))
            return Target{Target::Kind::Trace, file.absoluteFilePath()};
        if (argument.endsWith(QLatin1String(".toml"), Qt::CaseInsensitive))
            return Target{looksLikeTopology(argument) ? Target::Kind::Topology
                                                      : Target::Kind::Environment,
                          file.absoluteFilePath()};
        if (looksLikeAccessFile(argument))
            return Target{Target::Kind::Agent, file.absoluteFilePath()};
        if (const auto agent = agentThatWrites(file, listing))
            return *agent;
        if (looksLikeTrace(argument))
            return Target{Target::Kind::Trace, file.absoluteFilePath()};
        return Target{Target::Kind::RunFile, file.absoluteFilePath()};
    }
    if (file.exists())
        return agentOfSocket(argument, listing);
    static const QRegularExpression hex(QStringLiteral("\\A[0-9A-Fa-f]{4,32}\\z"));
    if (hex.match(argument).hasMatch())
        return agentOfRun(argument, listing);
    return inputError(QStringLiteral("there is no file '%1'").arg(argument),
                      QStringLiteral("expected a run file, an access file, a socket, "
                                     "ssh://HOST/PATH, or at least 4 digits of a run's id"));
}

} // namespace tasuki

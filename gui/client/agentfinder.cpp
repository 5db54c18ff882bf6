// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentfinder.h"

#include "host/hostidentity.h"
#include "wire/accessfile.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>
#include <functional>

namespace tasuki {

namespace {

AgentEntry entryOf(const link::AccessListing::Entry& found, const std::string& hostKey)
{
    const link::AccessFile& access = found.access;
    return {.accessFile = QString::fromStdString(found.path.string()),
            .run = access.run,
            .epoch = access.epoch,
            .runFile = QString::fromStdString(access.runFile),
            .title = QString::fromStdString(access.title),
            .directory = QString::fromStdString(access.directory),
            .host = QString::fromStdString(access.hostName),
            .pid = access.pid,
            .startedAt = access.started,
            .running = !link::isStale(access, hostKey),
            .problem = {}};
}

QList<AgentEntry> list(const std::filesystem::path& directory)
{
    const std::string hostKey = hostIdentity().key;
    const auto listing = link::listAccessFiles(directory);
    QList<AgentEntry> agents;
    for (const auto& found : listing.agents)
        agents.append(entryOf(found, hostKey));
    // The listing has the youngest first.
    std::stable_partition(agents.begin(), agents.end(), std::mem_fn(&AgentEntry::running));
    for (const Error& error : listing.unreadable) {
        AgentEntry entry;
        entry.accessFile = QString::fromStdString(error.place ? error.place->file : std::string());
        entry.problem = QString::fromStdString(error.text());
        agents.append(entry);
    }
    return agents;
}

} // namespace

AgentFinder::AgentFinder(std::filesystem::path directory, QObject* parent,
                         std::chrono::milliseconds interval)
    : QObject(parent), m_directory(std::move(directory))
{
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &AgentFinder::look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &AgentFinder::look);
    m_timer.start();
    look();
}

AgentFinder::~AgentFinder() = default;

void AgentFinder::look()
{
    m_lookAgain = m_looking;
    if (std::exchange(m_looking, true))
        return;
    // A directory that did not exist cannot be watched until it does.
    const QString path = QString::fromStdString(m_directory.string());
    if (m_watcher.directories().isEmpty())
        m_watcher.addPath(path);
    QThreadPool::globalInstance()->start(
        [self = QPointer<AgentFinder>(this), context = qApp, directory = m_directory] {
            QList<AgentEntry> agents = list(directory);
            // By way of the application, which outlives the finder.
            QMetaObject::invokeMethod(context, [self, agents = std::move(agents)] {
                if (self)
                    self->take(agents);
            });
        });
}

void AgentFinder::take(const QList<AgentEntry>& agents)
{
    m_looking = false;
    if (agents != m_agents) {
        m_agents = agents;
        Q_EMIT changed();
    }
    if (m_lookAgain)
        look();
}

} // namespace tasuki

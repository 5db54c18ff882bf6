// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>

#include "domain/clock.h"
#include "domain/ids.h"

#include <filesystem>

namespace tasuki {

/// An agent that has left an access file on this host.
struct AgentEntry {
    QString accessFile; ///< path: what AgentSource takes
    RunId run;
    Epoch epoch;
    QString runFile;   ///< path
    QString title;     ///< name of the task list, or "serve"
    QString directory; ///< in which it was started
    QString host;
    std::int64_t pid = 0;
    WallTime startedAt{};
    bool running = false; ///< false: its process is gone, the access file was left behind
    /// Why the access file cannot be used, for people; empty: it can.
    QString problem;
    bool operator==(const AgentEntry&) const = default;
};

/// Lists the agents of this user on this host by their access files: looks when the directory
/// changes and every few seconds. The looking is done on another thread. GUI thread.
class AgentFinder : public QObject {
    Q_OBJECT

public:
    /// @param directory  of access files; need not exist yet
    explicit AgentFinder(std::filesystem::path directory, QObject* parent = nullptr,
                         std::chrono::milliseconds interval = std::chrono::seconds(3));
    ~AgentFinder() override;

    /// Running ones first, the youngest first among equals; files that cannot be used last.
    [[nodiscard]] const QList<AgentEntry>& agents() const { return m_agents; }
    /// Looks now; changed() follows when there is something new.
    void look();

Q_SIGNALS:
    void changed();

private:
    void take(const QList<AgentEntry>& agents);

    std::filesystem::path m_directory;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    QList<AgentEntry> m_agents;
    bool m_looking = false;
    bool m_lookAgain = false;
};

} // namespace tasuki

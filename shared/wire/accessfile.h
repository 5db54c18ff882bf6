// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkmessages.h"
#include "privatefile.h"

#include "domain/clock.h"
#include "domain/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tasuki::link {

/// How to reach an agent: what it writes into a file that its user alone can read.
struct AccessFile {
    RunId run;
    Epoch epoch;
    std::string runFile;   ///< absolute path
    std::string title;     ///< name of the task list, or "serve"
    std::string directory; ///< in which the agent was started
    std::string hostName;  ///< see HostIdentity
    std::string hostKey;   ///< the same
    std::int64_t pid = 0;
    /// When the process began, in the system's ticks since boot: tells it from a later one that got
    /// the same id. 0: not known.
    std::uint64_t processStart = 0;
    WallTime started{};     ///< whole seconds in the file
    std::string socket;     ///< absolute path of the Unix socket; empty: none
    std::string tcpAddress; ///< numeric; empty: none
    std::uint16_t tcpPort = 0;
    Secret token{};
    bool operator==(const AccessFile&) const = default;
};

/// Where access files are: $TASUKI_ACCESS_DIR, else $XDG_STATE_HOME/tasuki/agents, else
/// ~/.local/state/tasuki/agents. Need not exist.
Result<std::filesystem::path> accessDirectory();
/// Where Unix sockets are: $TASUKI_SOCKET_DIR, else /tmp/tasuki-UID. Need not exist.
std::filesystem::path socketDirectory();
/// Makes it. Where somebody else has taken the usual name, another directory of this user alone is made:
/// windows read in the access file where the socket is. Not in XDG_RUNTIME_DIR, which goes when the user
/// logs out, and the run goes on.
Result<std::filesystem::path> makeSocketDirectory();

/// The name of an access file, e.g. "0123456789ab-1.json".
std::string accessFileName(const RunId& run, Epoch epoch);

/// Writes the file whole or not at all, mode 0600; makes the directory when it is missing.
/// @return its path
Result<std::filesystem::path> writeAccessFile(const std::filesystem::path& directory,
                                              const AccessFile& access);

/// @return an Error that names the file: not there, of another user or readable for others (kind
///         System), not an access file or of a newer version (kind Foreign), damaged
Result<AccessFile> readAccessFile(const std::filesystem::path& path);

/// What lies in a directory of access files.
struct AccessListing {
    struct Entry {
        std::filesystem::path path;
        AccessFile access;
    };
    std::vector<Entry> agents;     ///< the latest started first
    std::vector<Error> unreadable; ///< one for each file that should be one and cannot be used
};
/// A directory that does not exist yields an empty listing.
AccessListing listAccessFiles(const std::filesystem::path& directory);

/// Removes the file when it still is the one with this token. Missing is no failure.
Result<void> removeAccessFile(const std::filesystem::path& path, const Secret& token);

/// @return true when the agent certainly does not run any more: its process is gone from this host.
///         False for agents of other hosts, of which nothing can be said.
bool isStale(const AccessFile& access, const std::string& hostKey);

/// When a process of this host began, in ticks since boot; 0 when it does not exist.
std::uint64_t processStart(std::int64_t pid);

} // namespace tasuki::link

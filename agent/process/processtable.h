// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <sys/types.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// One process as /proc shows it.
struct ProcessEntry {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    char state = '?';
    std::uint64_t startTicks = 0; ///< since boot; with pid it identifies a process for good
    std::string name;             ///< at most 15 bytes

    /// Dead; only its parent has not noticed.
    [[nodiscard]] bool zombie() const { return state == 'Z' || state == 'X'; }
    /// By a signal or a tracer; it may go on.
    [[nodiscard]] bool stopped() const { return state == 'T' || state == 't'; }
};

/// How the environment of every process of a task tells to which attempt it belongs.
struct ProcessMarker {
    std::string run;
    Epoch epoch;
    Rank rank;
    AttemptKey key;
    bool operator==(const ProcessMarker&) const = default;
};

/// @param stat  content of /proc/PID/stat
/// @return nothing when it is not of that format
std::optional<ProcessEntry> parseProcessStat(const std::string& stat);

/// @param environment  content of /proc/PID/environ
/// @return nothing unless all parts of a marker are there
std::optional<ProcessMarker> parseProcessMarker(const std::string& environment);

/// @return all processes of the host, by ascending pid. Not a snapshot: processes that come, go or
///         change parent meanwhile may be missing or shown with their former parent.
std::vector<ProcessEntry> readProcesses();
/// The same for the children of some processes alone, zombies included: looks at nobody else's where the
/// system lists them, so that it can be asked often on hosts with thousands of processes.
std::vector<ProcessEntry> readChildrenOf(std::initializer_list<pid_t> parents);

/// @return what processMarker() finds in the initial environment of a process; nothing as well when
///         the process has gone or may not be looked at
std::optional<ProcessMarker> readProcessMarker(pid_t pid);

/// @return those of `table` whose chain of parents leads to `ancestor`, zombies included
std::vector<ProcessEntry> descendantsOf(const std::vector<ProcessEntry>& table, pid_t ancestor);

/// Sends a signal to exactly this process: never to another one that got its pid.
/// @return whether it was sent
bool signalProcess(const ProcessEntry& process, int signal);

/// Ticks of ProcessEntry::startTicks since boot, now.
std::uint64_t nowInTicks();

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

/// Looks at the machine's processes, for tests that must know what is left of what they started.
/// Linux only: everything comes from /proc. Usable from any thread.
namespace tasuki::testing {

/// One process as /proc tells of it. Zombies are never listed: they run nothing any more.
struct ProcessInfo {
    pid_t pid = 0;
    pid_t parent = 0;
    char state = '?';           ///< as in /proc/PID/stat: R, S, D, T, ...
    std::string name;           ///< at most 15 characters, the kernel's limit
    std::uint64_t cpuTicks = 0; ///< user and system time, in units of sysconf(_SC_CLK_TCK)
};

/// @return what is known of a process; nothing when it does not live
std::optional<ProcessInfo> processInfo(pid_t pid);

/// @return the value of a variable in the environment that the process was started with
std::optional<std::string> environmentOf(pid_t pid, std::string_view variable);

/// All living processes that were started with VARIABLE=value in their environment, at whatever
/// place of the process tree they are now. A test puts a value of its own into what it starts and
/// so finds its own processes and no others.
std::vector<ProcessInfo> processesMarked(std::string_view variable, std::string_view value);

/// @return "PID (name): command line" for messages
std::string describe(const ProcessInfo& process);

} // namespace tasuki::testing

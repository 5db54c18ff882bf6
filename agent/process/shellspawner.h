// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/uniquefd.h"

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace tasuki::guardian {

/// What a new shell gets.
struct ShellPlan {
    const char* command = nullptr;      ///< its command line; unused with a script
    int script = -1;                    ///< descriptor of a file to read commands from; -1: none
    char* const* environment = nullptr; ///< null-terminated
    const char* directory = nullptr;    ///< to work in; null: the caller's
    int output = -1;                    ///< becomes descriptor 1
    int error = -1;                     ///< becomes descriptor 2
};

/// Which step of starting a process the system refused.
enum class SpawnStep { None, Clone, Session, Streams, Directory, Execute };

struct SpawnFailure {
    SpawnStep step = SpawnStep::None;
    int errorNumber = 0;
};

/// @return one line for the user, e.g. "cannot enter directory 'x': No such file or directory"
std::string spawnFailureText(const SpawnFailure& failure, std::string_view directory);

/// Starts shells with as little work as possible: the child borrows the caller's memory until it
/// executes /bin/sh, which is found to be the cheapest way for programs of any size.
///
/// A child gets a session of its own, an empty signal mask, descriptor 0 of the caller and SIGKILL
/// when the caller dies. It inherits the caller's ignored signals, so the caller must ignore none
/// (handlers are reset by the system), and descriptors that are not close-on-exec.
class ShellSpawner {
public:
    ShellSpawner();

    /// Blocks until the shell is executed or has failed to be.
    /// @return its pid; on failure there is no process left
    std::variant<pid_t, SpawnFailure> spawn(const ShellPlan& plan);

private:
    struct StackRelease {
        void operator()(std::byte* memory) const;
    };
    std::unique_ptr<std::byte, StackRelease> m_stack;
};

/// Longest command that is passed as an argument; the kernel refuses more than 128 KiB.
inline constexpr std::size_t longestArgument = 120 * 1024;

/// The descriptor under which a shell finds its script: a single digit, as dash demands.
inline constexpr int scriptDescriptor = 9;

/// @return an empty memory file for a command that is too long for an argument, or -1 with errno
UniqueFd createScript();
/// What stands before the command in a script: closes the script's descriptor, so that it does not
/// leak into the task, without beginning a new line, so that the shell's messages keep theirs.
inline constexpr std::string_view scriptPrefix = "exec 9<&-;";

} // namespace tasuki::guardian

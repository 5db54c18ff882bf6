// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "process/childkind.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

namespace tasuki::guardian {

/// What a new shell gets.
struct ShellPlan {
    const char* command = nullptr;      ///< its command line; unused with a script
    int script = -1;                    ///< descriptor of a file to read commands from; -1: none
    char* const* environment = nullptr; ///< null-terminated
    const char* directory = nullptr;    ///< to work in; null: the caller's
    /// By the number that each becomes; -1: what the caller has there. None is another one's number.
    std::array<int, std::tuple_size_v<ChildStreams>> streams{-1, -1, -1, -1};
    rlimit descriptors{};             ///< how many it may open
    const cpu_set_t* cores = nullptr; ///< that it may use; null: those of the caller
};

/// Which step of starting a process the system refused.
enum class SpawnStep { None, Clone, Session, Streams, Directory, Execute };

struct SpawnFailure {
    SpawnStep step = SpawnStep::None;
    int errorNumber = 0;
};

/// @return whether the same may succeed later: processes, descriptors or memory are used up
bool isShortage(const SpawnFailure& failure);

/// @return one line for the user, e.g. "cannot enter directory 'x': No such file or directory"
std::string spawnFailureText(const SpawnFailure& failure, std::string_view directory);

/// A shell that is being started, with as little work as possible: its process borrows the caller's
/// memory until it executes /bin/sh, which is found to be the cheapest way for programs of any size,
/// and the caller does not wait for that.
///
/// The process gets a session of its own, an empty signal mask, the streams of its plan and SIGKILL when
/// the caller dies. It inherits the caller's ignored signals, so the caller must ignore none
/// (handlers are reset by the system), and descriptors that are not close-on-exec.
class ShellStart {
public:
    /// @param plan  what it points to must stay until executed(), or until the process has been reaped
    /// @return its start, which must stay as long; on failure there is no process
    static std::variant<std::unique_ptr<ShellStart>, SpawnFailure> begin(const ShellPlan& plan);
    ShellStart(const ShellStart&) = delete;
    ShellStart& operator=(const ShellStart&) = delete;

    [[nodiscard]] pid_t pid() const { return m_pid; }
    /// The process needs nothing of this any more: it has executed the shell, or ended.
    [[nodiscard]] bool executed() const { return m_borrowing.load(std::memory_order_acquire) == 0; }
    /// Why there never was a shell; SpawnStep::None when there was. Precondition: executed().
    [[nodiscard]] SpawnFailure failure() const { return m_failure; }

private:
    explicit ShellStart(const ShellPlan& plan);
    /// What the new process runs: system calls only, and no sanitizer, whose picture of the stack it
    /// would upset.
    static int run(void* start);
    SpawnFailure prepareAndExecute();

    static constexpr std::size_t stackSize = 16 * 1024;

    ShellPlan m_plan;
    std::array<const char*, 5> m_arguments{};
    pid_t m_parent;
    pid_t m_pid = -1;
    std::atomic<int> m_borrowing{1}; ///< the kernel writes 0 when the process leaves this memory
    SpawnFailure m_failure;          ///< written by the process
    alignas(64) std::array<std::byte, stackSize> m_stack;
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

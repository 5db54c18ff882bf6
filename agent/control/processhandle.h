// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include "domain/result.h"

#include <cstdint>
#include <optional>

namespace tasuki::control {

/// How a process is, seen from this host.
enum class Presence : std::uint8_t {
    Elsewhere, ///< on another host, or not known: nothing can be seen
    Running,
    Stopped, ///< by a signal or a debugger
    Zombie,  ///< has ended; its parent has not noticed
    Gone,
};

/// One process of this host for as long as the handle lasts: never another one that got its number.
/// That is what a pidfd is for; the start time closes the gap between the process telling its number
/// and the handle being made.
class ProcessHandle {
public:
    /// @param pid    0: not known yet
    /// @param start  ticks since boot when it was started; 0: not known, whoever has the number now
    ProcessHandle(std::int64_t pid, std::uint64_t start);

    /// @return Gone only for one that is known to have ended
    [[nodiscard]] Presence presence() const;
    /// Whether presence() is Elsewhere. Looks at the process only when it cannot be watched.
    [[nodiscard]] bool isElsewhere() const
    {
        return m_pid <= 0 || (m_unwatchable && presence() == Presence::Elsewhere);
    }

    /// Whether presence() is Zombie or Gone, with one system call.
    [[nodiscard]] bool hasEnded() const;

    /// SIGKILL. Also ok when the process has ended already.
    [[nodiscard]] Result<void> kill() const;

    /// @return a descriptor that is readable when the process has ended; none when it has already;
    ///         an Error when the system does not give one
    [[nodiscard]] Result<std::optional<UniqueFd>> watchable() const;

private:
    std::int64_t m_pid;
    std::uint64_t m_start;
    UniqueFd m_pidfd;
    std::optional<Error> m_unwatchable = {}; ///< why there is no pidfd of a process that lives
};

/// @return ticks since boot when a process was started; 0: there is no such process
std::uint64_t processStartTicks(std::int64_t pid);

} // namespace tasuki::control

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/processtable.h"

#include <chrono>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

namespace tasuki::guardian {

/// Kills a set of processes that may grow while it is killed. Every process is stopped first: what
/// is stopped cannot fork, and keeps the parents by which its children are recognised. Once a look
/// finds no new one, all are killed.
class KillRounds {
public:
    enum class Progress {
        LookAgain, ///< at once
        Wait,      ///< look again after pause()
        Gone       ///< two looks in a row found nothing: one alone can miss a process that forks
    };

    /// @param members  the living processes that are to go
    Progress step(std::span<const ProcessEntry> members);
    [[nodiscard]] std::chrono::milliseconds pause() const { return m_pause; }

private:
    std::set<std::pair<pid_t, std::uint64_t>> m_stopped;
    int m_emptyLooks = 0;
    std::chrono::milliseconds m_pause{1};
};

/// Sends SIGKILL to all living descendants of a process, once.
void killDescendantsOnce(pid_t ancestor);

} // namespace tasuki::guardian

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/processtable.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tasuki {

/// Kills what a dead guardian leaves to this process, which must be a sub-reaper.
///
/// A process comes from the guardian when it descends from this process through a child that is not
/// in this process's own session: a guardian opens a session of its own and every task another, while
/// ordinary children stay in their parent's. Excepted are children that were there before the
/// guardian, and other guardians with all that is below them.
class OrphanKiller {
public:
    /// Notes which children this process has already. Call it before the guardian is started.
    OrphanKiller();

    /// Sends SIGKILL to all orphans that live, once, and reaps those that are dead.
    /// @return whether one look found none at all; be sure only after two such looks in a row
    bool killOnce();

private:
    std::set<std::pair<pid_t, std::uint64_t>> m_earlier;
};

/// The rule of OrphanKiller, by itself.
/// @param table    all processes
/// @param self     the sub-reaper; must be in the table
/// @param earlier  pid and start of children to leave alone
/// @return orphans and their descendants, zombies included
std::vector<ProcessEntry> orphansOf(const std::vector<ProcessEntry>& table, pid_t self,
                                    const std::set<std::pair<pid_t, std::uint64_t>>& earlier);

} // namespace tasuki

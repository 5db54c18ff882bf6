// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/processtable.h"

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace tasuki {

/// Kills what a dead guardian leaves to this process, which must be a sub-reaper.
///
/// A process comes from the guardian when it descends from this process through a child that is not
/// in this process's own session: a guardian opens a session of its own and every task another, while
/// ordinary children stay in their parent's. Excepted are children that were there before the
/// guardian, and watchers of guardians that this process started itself, with all that is below them; a
/// watcher that a task of the run started carries the run's marker and is none of these.
class OrphanKiller {
public:
    /// Notes which children this process has already. Call it before the guardian is started.
    explicit OrphanKiller(RunId run);

    /// Sends SIGKILL to all orphans that live, once, and reaps those that are dead.
    /// @return whether one look found none at all; be sure only after two such looks in a row
    bool killOnce();

private:
    using Identities = std::set<std::pair<pid_t, std::uint64_t>>; ///< pid and start

    [[nodiscard]] bool exempt(const ProcessEntry& process) const;

    RunId m_run;
    Identities m_earlier;
    Identities m_killed; ///< the dead no longer show what they were
};

/// The rule of OrphanKiller, by itself.
/// @param table   all processes
/// @param self    the sub-reaper; must be in the table
/// @param exempt  tells which children outside its session are to be left alone
/// @return orphans and their descendants, zombies included
std::vector<ProcessEntry> orphansOf(const std::vector<ProcessEntry>& table, pid_t self,
                                    const std::function<bool(const ProcessEntry&)>& exempt);

} // namespace tasuki

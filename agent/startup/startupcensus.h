// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "process/processtable.h"

#include <cstddef>
#include <set>
#include <vector>

#include <sys/types.h>

namespace tasuki {

/// Tells from tables of this host's processes, one after the other, whether one of the ranks that a
/// launcher starts has died.
class StartupCensus {
public:
    /// @param launcher  parent of the ranks
    /// @param ranks     that it starts; 0: not known
    StartupCensus(pid_t launcher, std::size_t ranks, SteadyTime now)
        : m_launcher(launcher), m_ranks(ranks), m_latest(now)
    {}

    /// @return whether one was there and is not any more, or one that is still missing must have died
    ///         before it was seen: for three seconds no other one has come
    bool oneHasDied(const std::vector<ProcessEntry>& table, SteadyTime now);

private:
    [[nodiscard]] std::set<pid_t> living(const std::vector<ProcessEntry>& table) const;

    pid_t m_launcher;
    std::size_t m_ranks;
    SteadyTime m_latest; ///< when one was seen for the first time
    std::set<pid_t> m_seen;
    std::set<pid_t>
        m_missed; ///< not in the latest table: which is no snapshot, so once may be chance
};

} // namespace tasuki

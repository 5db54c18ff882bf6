// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workergroups.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::farm {

/// A group scheduler, and which of its leaderships.
struct Leadership {
    ProcessorId groupScheduler;
    LeadershipNumber number;
    bool operator==(const Leadership&) const = default;
};

/// Ranks that have a group scheduler, as the master sees them: who is to lead them, whom it believes, and
/// whether that one takes work. The table is in docs/farm.md, "The farm on the tree".
class WorkerGroup {
public:
    /// @param ranks  ascending
    /// @param era    beyond what other masters have told
    WorkerGroup(std::vector<Rank> ranks, Era era);

    /// Another processor is to be the group scheduler; none: nobody is left. It has to begin anew.
    /// @return false: nothing has changed
    bool lead(std::optional<ProcessorId> leader);
    /// Somebody says that it leads the worker group.
    /// @param answers  whether the master can say yet what the worker group holds
    /// @return whether it is to be resynchronised; what comes too early is kept
    bool greeted(const Leadership& from, bool answers);
    /// @return what the leader has said too early
    std::optional<Leadership> takeEarly();
    /// A group scheduler is told what the worker group holds; it takes no work before it has looked for that.
    /// @return the era in which that is so
    Era callResync(const Leadership& groupScheduler);
    /// The acting group scheduler has looked.
    void resynced();
    /// The master believes only what the record says, until the worker group is resynchronised or has no leader.
    void goByRecord() { m_byRecord = m_leader.has_value(); }

    [[nodiscard]] const std::vector<Rank>& ranks() const { return m_ranks; }
    [[nodiscard]] std::optional<ProcessorId> leader() const { return m_leader; }
    /// Who has been told what the worker group holds.
    [[nodiscard]] const std::optional<Leadership>& acting() const { return m_acting; }
    [[nodiscard]] bool believes(const Leadership& speaker) const
    {
        return m_leader == speaker.groupScheduler && m_acting == speaker;
    }
    [[nodiscard]] bool isResynced() const { return m_resynced; }
    [[nodiscard]] bool byRecord() const { return m_byRecord; }

private:
    std::vector<Rank> m_ranks;
    std::optional<ProcessorId> m_leader;
    std::optional<Leadership> m_acting;
    std::map<ProcessorId, LeadershipNumber>
        m_early; ///< the newest leaderships that were said too early
    /// The newest leaderships of group schedulers: what they said in older ones may come late.
    std::map<ProcessorId, LeadershipNumber> m_leaderships;
    Era m_era; ///< of the latest Resync
    bool m_resynced = false;
    bool m_byRecord = false;
};

} // namespace tasuki::farm

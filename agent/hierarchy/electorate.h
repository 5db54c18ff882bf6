// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "supportbook.h"

#include "domain/clock.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// The processors whose majority counts: the voters that the system table names, without those
/// whose end was seen. A processor that is only silent is one of them until the table says
/// otherwise, and writing that needs a majority for which it still counts. While the voters change,
/// a majority of both lists is needed.
class Electorate {
public:
    /// Counts anew.
    /// @param hasEnded  whether the end of a processor's process is known
    /// @param known     since when that is, for one that was not known to have ended before
    /// @param window    how long a processor that has ended counts among those that must follow
    ///                  alone
    void count(const MembershipView& view, const std::function<bool(ProcessorId)>& hasEnded,
               const std::function<SteadyTime(ProcessorId)>& known, SteadyTime now,
               std::chrono::nanoseconds window);
    void clear() { m_lists.clear(); }
    [[nodiscard]] bool empty() const { return m_lists.empty(); }
    /// @return since when those that have ended count as such
    [[nodiscard]] const std::map<ProcessorId, SteadyTime>& endedSince() const
    {
        return m_endedSince;
    }

    /// @return the newest stamp that a majority has, or a newer one; none: there is none
    [[nodiscard]] std::optional<std::uint64_t> majority(const SupportBook& support) const;
    /// The same of those that follow nobody else.
    [[nodiscard]] std::optional<std::uint64_t> majorityAlone(const SupportBook& support) const;
    /// @return whether every voter that lives by the tables has a stamp that is newer than this one, and
    ///         with it the system table that the stamp names
    [[nodiscard]] bool allHave(const SupportBook& support, const MembershipView& view,
                               std::uint64_t when) const;

private:
    struct List {
        std::vector<ProcessorId> living;
        std::vector<ProcessorId> all; ///< with those that have ended of late
    };

    std::vector<List> m_lists; ///< the voters; and those to come, if they change
    std::map<ProcessorId, SteadyTime> m_endedSince;
};

/// @return who votes: what the table says, or, as at the start, everybody who was there then
std::vector<ProcessorId> votersOf(const MembershipView& view);
/// @return the voters that there should be: who lives by the tables and was there at the start
std::vector<ProcessorId> votersWanted(const MembershipView& view);

} // namespace tasuki::hierarchy

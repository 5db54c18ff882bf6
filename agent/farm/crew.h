// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::farm {

/// A foreman, and which of its leaderships.
struct Leadership {
    ProcessorId foreman;
    std::uint64_t term = 0;
    bool operator==(const Leadership&) const = default;
};

/// Ranks that have a foreman, as the master sees them: who is to lead them, whom it believes, and
/// whether that one takes work. The table is in docs/farm.md, "The farm on the tree".
class Crew {
public:
    /// @param ranks  ascending
    /// @param era    beyond what other masters have told
    Crew(std::vector<Rank> ranks, std::uint64_t era);

    /// Another processor is to be the foreman; none: nobody is left. It has to begin anew.
    /// @return false: nothing has changed
    bool lead(std::optional<ProcessorId> leader);
    /// Somebody says that it leads the crew.
    /// @param answers  whether the master can say yet what the crew holds
    /// @return whether it is to be mustered; what comes too early is kept
    bool greeted(const Leadership& from, bool answers);
    /// @return what the leader has said too early
    std::optional<Leadership> takeEarly();
    /// A foreman is told what the crew holds; it takes no work before it has looked for that.
    /// @return the era in which that is so
    std::uint64_t callMuster(const Leadership& foreman);
    /// The acting foreman has looked.
    void mustered();
    /// The master believes only what the record says, until the crew is mustered or has no leader.
    void goByRecord() { m_byRecord = m_leader.has_value(); }

    [[nodiscard]] const std::vector<Rank>& ranks() const { return m_ranks; }
    [[nodiscard]] std::optional<ProcessorId> leader() const { return m_leader; }
    /// Who has been told what the crew holds.
    [[nodiscard]] const std::optional<Leadership>& acting() const { return m_acting; }
    [[nodiscard]] bool believes(const Leadership& speaker) const
    {
        return m_leader == speaker.foreman && m_acting == speaker;
    }
    [[nodiscard]] bool isMustered() const { return m_mustered; }
    [[nodiscard]] bool byRecord() const { return m_byRecord; }

private:
    std::vector<Rank> m_ranks;
    std::optional<ProcessorId> m_leader;
    std::optional<Leadership> m_acting;
    std::map<ProcessorId, std::uint64_t> m_early; ///< the newest terms that were said too early
    /// The newest terms of foremen: what they said in older ones may come late.
    std::map<ProcessorId, std::uint64_t> m_terms;
    std::uint64_t m_era = 0; ///< of the latest Muster
    bool m_mustered = false;
    bool m_byRecord = false;
};

} // namespace tasuki::farm

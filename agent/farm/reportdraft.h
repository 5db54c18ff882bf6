// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "groupbook.h"
#include "groupmessages.h"

#include "domain/clock.h"
#include "domain/ids.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::farm {

/// The next report of a worker group, while it is being written, and what of the earlier ones the master has
/// not noted.
class ReportDraft {
public:
    /// A report of a rank.
    struct Told {
        Rank rank;
        Incarnation incarnation;
        std::uint64_t number = 0;
    };

    /// @param clock  outlives the draft
    explicit ReportDraft(const Clock& clock) : m_clock(clock) {}

    void addJoined(JoinedRank joined);
    /// An attempt that the master has not heard of.
    void addClaimed(AttemptKey key);
    /// Attempts that go back to the master without being asked for.
    void addReturned(const std::vector<AttemptKey>& keys);
    /// What has become of attempts whose rank went away.
    void addLeavings(Rank rank, const RankLeavings& leavings);
    /// What a rank has reported, as far as it counts.
    void add(RankReport counted, Told told);

    /// @param idle  nothing waits to be dealt
    [[nodiscard]] bool isDue(SteadyTime now, bool idle) const;
    [[nodiscard]] bool hasReports() const { return !m_report.reports.empty(); }
    /// @return the report, with its number; none: nothing is to be told
    std::optional<GroupReport> take();
    /// The master has recorded all reports up to this one. @return of each rank, what need not be kept
    std::vector<Told> noted(std::uint64_t upTo);
    /// Forgets all but the number of the last report.
    void clear();

private:
    void touch(bool urgent);

    const Clock& m_clock;
    GroupReport m_report;
    std::vector<Told> m_told; ///< what is in it
    bool m_begun = false;
    bool m_urgent = false;
    SteadyTime m_oldest{};
    std::size_t m_ends = 0;
    std::size_t m_output = 0; ///< bytes
    std::uint64_t m_last = 0;
    std::map<std::uint64_t, std::vector<Told>>
        m_unnoted; ///< by number of the worker group's report
};

} // namespace tasuki::farm

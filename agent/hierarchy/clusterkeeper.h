// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"
#include "messages.h"
#include "tables.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki::hierarchy {

/// What the topology says about losses in a subcluster.
struct ClusterRules {
    std::uint32_t minimum = 1; ///< fewer ranks held than this: down
    std::uint32_t restarts = 3;
    std::chrono::seconds within{60};
};

/// Writes a subcluster's table: what a cluster master decides. It says which processors are to be
/// killed, and carries out nothing itself.
class ClusterKeeper {
public:
    /// Whose table is written.
    enum class Scope : std::uint8_t {
        Own,
        Foreign, ///< of a subcluster whose cluster master is being replaced
    };

    /// Begins a new term. One of a foreign writer is beyond all that the cluster masters may have
    /// begun since, and have not come to say.
    /// @param table  the newest that is known
    ClusterKeeper(ProcessorId self, const ClusterRules& rules, const ClusterTable& table,
                  Scope scope = Scope::Own);

    /// Acts on an observation, by the action table.
    void observe(const Observed& observed, SteadyTime now);
    /// A seat's new holder has it.
    void taken(ProcessorId holder, const Holding& holding, SteadyTime now);
    /// An operator wants a processor to get no seat and no new work, or again.
    void drain(ProcessorId processor, bool drained, SteadyTime now);
    /// Somebody who lives has held a seat under an incarnation: none that is older is given out.
    void heardOf(const Holding& holding);

    /// The table as it is now, with the changes that are not published.
    [[nodiscard]] const ClusterTable& draft() const { return m_table; }
    [[nodiscard]] bool changed() const { return m_changed; }
    /// Precondition: changed().
    /// @return the table with the next revision
    ClusterTablePtr publish();
    /// @return who has got a seat since this was last asked: to be told at once
    std::vector<ProcessorId> takeSeated() { return std::exchange(m_seated, {}); }
    /// @return whom to kill: those that are condemned
    [[nodiscard]] std::vector<ProcessorId> condemned() const;
    /// @return those that cannot be killed and whose lease has been waited for so long
    [[nodiscard]] std::vector<ProcessorId> leasesOver(SteadyTime now,
                                                      std::chrono::nanoseconds wait) const;

private:
    void bury(MemberRow& row, Health health, const Observed& observed, SteadyTime now);
    void fillSeats(SteadyTime now);
    [[nodiscard]] MemberRow* standby();
    [[nodiscard]] bool withinIntensity(SteadyTime now);
    void judge();

    ClusterRules m_rules;
    ClusterTable m_table;
    bool m_changed = true;
    std::vector<ProcessorId> m_seated;
    std::deque<SteadyTime> m_takeovers; ///< within the time of the rules
    std::map<SeatId, SteadyTime> m_lostAt;
    std::map<ProcessorId, SteadyTime> m_awaited;
};

} // namespace tasuki::hierarchy

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/recordedseat.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki {

/// When this processor leads in the place of a master that is lost, or of itself after its lease was over:
/// by what its views show, and not before they know all that the record does. Decides only; the table is in
/// docs/hierarchy.md, "Succession".
class FarmSuccessor {
public:
    /// What is to be done now, once.
    enum class Step : std::uint8_t {
        None,
        OpenRecord, ///< and say opened()
        Lead,
        LeadAnyway, ///< the tables do not show what was recorded: it is given out once more
        StandBack,  ///< somebody else leads: the record is let go of
        GiveUp,     ///< nobody goes on: the run had not begun
    };

    /// @param clock  outlives this
    FarmSuccessor(ProcessorId self, const Clock& clock) : m_self(self), m_clock(clock) {}

    /// The master is gone, or by the view another one leads.
    void masterLost();
    /// What the record has of the seats: the tables are to go on from there.
    void opened(std::vector<hierarchy::RecordedSeat> recorded);
    /// The lease of this processor is over: if it leads, or was about to, it may begin anew with the record when
    /// it is valid again, as its own successor.
    void lapsed();
    /// This processor does not lead.
    void standBack();
    /// To be called often, and when something has changed.
    /// @param master  who leads by the view
    /// @param valid  this processor may act by its lease
    Step look(const hierarchy::MembershipView& view, ProcessorId master, bool valid = true);

    /// Since when it is known that the master is lost whose place this processor takes, or has taken;
    /// none: it does not.
    [[nodiscard]] std::optional<SteadyTime> lostSince() const;
    /// How long ago the record was begun to be opened.
    /// Precondition: lostSince().
    [[nodiscard]] std::chrono::nanoseconds sinceOpening() const
    {
        return m_clock.now() - m_opening;
    }

private:
    enum class State : std::uint8_t { Follows, Waits, Opens, Recalls, Leads };

    Step lookForStart(const hierarchy::MembershipView& view, ProcessorId master);
    Step lookAtRecorded(const hierarchy::MembershipView& view);

    ProcessorId m_self;
    const Clock& m_clock;
    State m_state = State::Follows;
    SteadyTime m_lost{};                           ///< since when the master is
    SteadyTime m_opening{};                        ///< when the record was begun to be opened
    SteadyTime m_recalled{};                       ///< and when its words were told
    std::vector<hierarchy::RecordedSeat> m_behind; ///< of which the view is older
};

} // namespace tasuki

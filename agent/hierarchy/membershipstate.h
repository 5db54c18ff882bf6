// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "correspondence.h"
#include "decisionlog.h"
#include "following.h"
#include "heldseat.h"
#include "lease.h"
#include "lookout.h"
#include "observationbook.h"
#include "overlapwatch.h"
#include "situation.h"
#include "succession.h"
#include "tabledesk.h"
#include "wayback.h"

#include <utility>

namespace tasuki::hierarchy {

/// What a processor knows as one of the others, each part with the state that it owns. A part reads those
/// before it and calls none behind it; what one leads to in another is for the membership agent to carry over.
struct MembershipState {
    /// @param listener  hears decisions; null: nobody does
    MembershipState(Situation situation, DecisionListener* listener)
        : at(std::move(situation)), log(listener)
    {}
    MembershipState(const MembershipState&) = delete;
    MembershipState& operator=(const MembershipState&) = delete;
    ~MembershipState() = default;

    /// A new life begins: nothing that was decided here, or by others who were cut off too, counts any more.
    /// What was acknowledged and held is remembered.
    void beginAnew(SteadyTime now);
    /// @return of all tables that were heard of, the latest generation of their writers. Who stamps may
    ///         write one more
    [[nodiscard]] Generation latestGeneration() const;

    Situation at;
    DecisionLog log;
    Lease lease{at};
    Following following{at, log};
    Succession succession{at, lease, following};
    Correspondence correspondence{at, lease};
    Lookout lookout{at, succession, correspondence};
    TableDesk desk{at, lease, succession};
    HeldSeat seat;
    ObservationBook book;
    OverlapWatch overlaps{at, lease};
    WayBack wayBack{at.self};
};

} // namespace tasuki::hierarchy

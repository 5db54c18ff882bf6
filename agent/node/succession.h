// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/runstate.h"
#include "domain/systemstate.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/recordedseat.h"

#include <chrono>
#include <vector>

/// What the record is told when another processor goes on as system master.
namespace tasuki {

/// Who succeeds, and how soon.
struct Succession {
    ProcessorId successor;
    WallTime now{};
    /// From when this processor knew that the former system master is lost until now: for a view that
    /// does not say when that was; negative: not known.
    std::chrono::microseconds takeover = notKnown;
    /// It is the one that the record has as system master, whose lease was over meanwhile: a succession like
    /// others, which must be told from the term before.
    bool ofItself = false;
};

/// @return the holdings that a record knows of: the newest of each seat that anybody has held in this
///         epoch. A holder that is not known counts as none: another incarnation follows. Before the
///         tables go on from these (see isBehind()) a successor records nothing
std::vector<hierarchy::RecordedSeat> recordedSeats(const RunState& recorded);

/// The events that a record has missed: all in which the system is different now from what the
/// record says, with losses and the succession. Applied in their order to the recorded state, they
/// make it say what the view says.
/// @param recorded  has a layout, the one that holds
std::vector<EventPayload> successionEvents(const SystemState& recorded,
                                           const hierarchy::MembershipView& now,
                                           const Succession& succession);

} // namespace tasuki

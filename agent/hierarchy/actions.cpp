// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"

#include <array>

namespace tasuki::hierarchy {

namespace {

constexpr auto no = Action::None;

/// A row for each observation, a column for each health.
using Row = std::array<Action, 7>;
constexpr std::array<Row, observationCount> actionTable{{
    //   Expected      Alive            Suspect        Condemned      Lost Fenced Left
    {Action::Admit, no, no, no, no, no, no},                              // Ready
    {no, Action::Suspect, no, no, no, no, no},                            // Late
    {no, no, Action::Clear, no, no, no, no},                              // Back
    {no, Action::Fence, Action::Fence, no, no, no, no},                   // Silent
    {no, Action::Fence, Action::Fence, no, no, no, no},                   // Stuck
    {Action::Fence, Action::Fence, Action::Fence, no, no, no, no},        // Unwanted
    {Action::Bury, Action::Bury, Action::Bury, Action::Bury, no, no, no}, // Gone
    {no, no, no, Action::Await, no, no, no},                              // Unfenced
    {no, no, no, Action::Bury, no, no, no},                               // LeaseOver
    {Action::Part, Action::Part, Action::Part, Action::Part, no, no, no}, // Left
    {no, Action::Bury, Action::Bury, Action::Bury, Action::Readmit, Action::Readmit,
     no}, // Returned
}};

} // namespace

Action actionFor(Observation what, Health health)
{
    return actionTable[static_cast<std::size_t>(what)][static_cast<std::size_t>(health)];
}

Action actionFor(Observation what, const MemberRow& row)
{
    return actionFor(what, row.reserved() ? Health::Fenced : row.health);
}

SeatAction seatActionFor(bool standby, bool intensity)
{
    if (!standby)
        return SeatAction::Vacate;
    return intensity ? SeatAction::TakeOver : SeatAction::GiveUp;
}

} // namespace tasuki::hierarchy

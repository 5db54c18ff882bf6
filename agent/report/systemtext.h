// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/systemstate.h"

#include <chrono>
#include <string>

/// What the failure hierarchy tells, in words for people.
namespace tasuki {

/// @return date and time of day in the zone of this process, to the millisecond
std::string localTime(WallTime time);
/// @return e.g. "31.250 ms"; "-" for one that is not known
std::string durationText(std::chrono::microseconds duration);

/// @param system  after the event: has the names of processors and seats
/// @return what an event of a described kind says (domain/eventfields.h); of others nothing
std::string systemText(const EventPayload& event, const SystemState& system);

} // namespace tasuki

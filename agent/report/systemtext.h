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
std::string systemText(const SystemLaidOut& event, const SystemState& system);
std::string systemText(const SystemStarted& event, const SystemState& system);
std::string systemText(const HealthChanged& event, const SystemState& system);
std::string systemText(const SeatTaken& event, const SystemState& system);
std::string systemText(const SeatVacated& event, const SystemState& system);
std::string systemText(const MasterChanged& event, const SystemState& system);
std::string systemText(const SubclusterChanged& event, const SystemState& system);
std::string systemText(const AlarmAcknowledged& event, const SystemState& system);
std::string systemText(const ProcessorDrained& event, const SystemState& system);
std::string systemText(const ProcessorOrdered& event, const SystemState& system);
std::string systemText(const RunEnding& event, const SystemState& system);

} // namespace tasuki

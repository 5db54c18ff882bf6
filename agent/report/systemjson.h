// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <nlohmann/json_fwd.hpp>

namespace tasuki {

/// Adds what an event of the failure hierarchy says to a JSON object. Durations are in milliseconds,
/// null when they are not known; times are in seconds since 1970.
void putSystem(nlohmann::ordered_json& json, const SystemLaidOut& event);
void putSystem(nlohmann::ordered_json& json, const SystemStarted& event);
void putSystem(nlohmann::ordered_json& json, const HealthChanged& event);
void putSystem(nlohmann::ordered_json& json, const SeatTaken& event);
void putSystem(nlohmann::ordered_json& json, const SeatVacated& event);
void putSystem(nlohmann::ordered_json& json, const MasterChanged& event);
void putSystem(nlohmann::ordered_json& json, const SubclusterChanged& event);
void putSystem(nlohmann::ordered_json& json, const AlarmAcknowledged& event);
void putSystem(nlohmann::ordered_json& json, const ProcessorDrained& event);
void putSystem(nlohmann::ordered_json& json, const ProcessorOrdered& event);
void putSystem(nlohmann::ordered_json& json, const RunEnding& event);

} // namespace tasuki

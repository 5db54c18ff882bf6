// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "linkplans.h"

namespace tasuki::wire::link {
class PlanEnded;
class PlanFound;
class PlanProgress;
class PlanRequest;
} // namespace tasuki::wire::link

namespace tasuki::link {

/// Messages of plans to and from the wire. Decoding returns an Error of kind Protocol for numbers out
/// of range and lists that do not fit each other.
void encodePlan(const PlanRequest& request, wire::link::PlanRequest& out);
Result<PlanRequest> decodePlan(wire::link::PlanRequest&& message);

void encodePlan(const PlanProgress& progress, wire::link::PlanProgress& out);
Result<PlanProgress> decodePlan(const wire::link::PlanProgress& message);

void encodePlan(const PlanFound& found, wire::link::PlanFound& out);
Result<PlanFound> decodePlan(const wire::link::PlanFound& message);

void encodePlan(const PlanEnded& ended, wire::link::PlanEnded& out);
Result<PlanEnded> decodePlan(wire::link::PlanEnded&& message);

} // namespace tasuki::link

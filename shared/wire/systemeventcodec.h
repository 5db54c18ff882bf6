// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <cstdint>

namespace tasuki::wire::link {
class Event;
class EventPlace;
} // namespace tasuki::wire::link

namespace tasuki::link {

/// What the failure hierarchy tells, to the wire. No other kinds: they are not overloaded.
void encodeSystem(const SystemLaidOut& event, wire::link::Event& out);
void encodeSystem(const SystemStarted& event, wire::link::Event& out);
void encodeSystem(const HealthChanged& event, wire::link::Event& out);
void encodeSystem(const SeatTaken& event, wire::link::Event& out);
void encodeSystem(const SeatVacated& event, wire::link::Event& out);
void encodeSystem(const MasterChanged& event, wire::link::Event& out);
void encodeSystem(const SubclusterChanged& event, wire::link::Event& out);
void encodeSystem(const AlarmAcknowledged& event, wire::link::Event& out);
void encodeSystem(const ProcessorDrained& event, wire::link::Event& out);
void encodeSystem(const ProcessorOrdered& event, wire::link::Event& out);

/// @param problem  is set to what is wrong, if something is
/// @return whether the event is of a kind of the failure hierarchy; else nothing was done
bool decodeSystem(wire::link::Event& in, EventPayload& out, const char*& problem);

void encodePlace(EventId id, wire::link::EventPlace& out);
EventId decodePlace(const wire::link::EventPlace& in);

} // namespace tasuki::link

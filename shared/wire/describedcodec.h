// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <string>

namespace tasuki::wire::link {
class Event;
class EventPlace;
} // namespace tasuki::wire::link

namespace tasuki::link {

/// Events of described kinds (domain/eventfields.h) on the wire. The field of the oneof is called as the
/// kind, with underscores; a message's fields as those of the event, times and measurements with "_us"; the code of a
/// phrase is beside its text, with "_phrase".

/// Does nothing with other kinds.
void encodeDescribed(const EventPayload& payload, wire::link::Event& out);

/// @param problem  is set to what is wrong, if something is
/// @return whether the event is of a described kind; else nothing was done
bool decodeDescribed(const wire::link::Event& in, EventPayload& out, std::string& problem);

void encodePlace(EventId id, wire::link::EventPlace& out);
EventId decodePlace(const wire::link::EventPlace& in);

} // namespace tasuki::link

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "details.h"
#include "schema.h"

#include "domain/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tasuki {

/// What events of described kinds (domain/eventfields.h) say, as rows of table detail. Items of a list have
/// names such as "processor.7.host", beside a row "processors" that says how many there are; what an event
/// leaves open has no row.

/// A row to be written.
struct DetailRow {
    std::string name;
    std::variant<std::int64_t, std::string> value;
};

/// @return the rows of an event of a described kind; none for other kinds
std::vector<DetailRow> eventDetails(const EventPayload& payload);

/// @param kind     the number in event.kind
/// @param details  of the event; says afterwards what was wrong
/// @return whether the kind is described; else nothing was done
bool readEventDetails(std::size_t kind, Details& details, EventPayload& out);

} // namespace tasuki

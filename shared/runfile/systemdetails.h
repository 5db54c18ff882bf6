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

/// What the events of the failure hierarchy say, as rows of table detail. Items of a list have names
/// such as "processor.7.host", beside a row "processors" that says how many there are; what an
/// event leaves open has no row.

/// A row to be written.
struct DetailRow {
    std::string name;
    std::variant<std::int64_t, std::string> value;
};

/// @return the rows of an event of the failure hierarchy; none for other kinds
std::vector<DetailRow> systemDetails(const EventPayload& payload);

/// @param kind     one of the failure hierarchy
/// @param details  of the event; says afterwards what was wrong
EventPayload systemPayload(EventKind kind, Details& details);

} // namespace tasuki

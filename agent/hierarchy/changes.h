// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"

#include "domain/event.h"

#include <vector>

namespace tasuki::hierarchy {

/// What has happened between two views of the same system, as events of the record: losses before
/// takeovers, takeovers before what follows from them. States that came and went between the two
/// are not told.
std::vector<EventPayload> changesBetween(const MembershipView& before, const MembershipView& after);

/// The masters of a view, as events: for the first view of a record.
std::vector<EventPayload> mastersOf(const MembershipView& view);

} // namespace tasuki::hierarchy

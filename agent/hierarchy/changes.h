// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "picture.h"

#include "domain/event.h"

#include <vector>

namespace tasuki::hierarchy {

/// What has happened between two pictures of the same system, as events of the record: losses before
/// takeovers, takeovers before what follows from them. States that came and went between the two
/// are not told.
std::vector<EventPayload> changesBetween(const Picture& before, const Picture& after);

/// The masters of a picture, as events: for the first picture of a record.
std::vector<EventPayload> mastersOf(const Picture& picture);

} // namespace tasuki::hierarchy

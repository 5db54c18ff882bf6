// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstdint>

namespace tasuki::farm {

/// What the master hands work to: a rank that it feeds itself, or the ranks of a subcluster, which
/// their foreman feeds. Has the number of its lowest rank.
using CrewId = Id<struct CrewTag, std::int32_t>;

/// @return the crew of a rank that has no foreman
constexpr CrewId crewOf(Rank rank) { return CrewId(rank.value()); }

} // namespace tasuki::farm

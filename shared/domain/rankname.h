// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemstate.h"

#include <optional>
#include <string>

/// What a rank is called wherever people read of it: "rank 3", by its number in its world, and in a system of
/// several subclusters "filter rank 3".
namespace tasuki {

/// @param layout  that holds; none: none is told, and ranks go by the numbers that programs get
SeatLabel rankLabel(const std::optional<SystemLaidOut>& layout, Rank rank);
std::string rankName(const SystemState& system, Rank rank);

} // namespace tasuki

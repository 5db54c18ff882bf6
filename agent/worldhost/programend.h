// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "world/segment.h"

#include <cstdint>

namespace tasuki::worldhost {

/// What a program that has ended leaves to one that would go on in its place.
enum class Rest : std::uint8_t {
    Nothing,  ///< the world keeps no messages
    Unkept,   ///< the same, but it was killed, and the world is to survive that: it begins again
    Kept,     ///< all that it needs
    Repeated, ///< the same, and programs have ended at the same place before, too often to try again
    Broken,   ///< it did something else than the one that it has followed
};

/// Counts ends at one place.
/// @param end       how it has ended: not Succeeded
/// @param survives  whether the world is to survive losses
Rest restIn(const world::Segment& segment, world::WorldRank rank, const AttemptResult& end,
            bool survives);

} // namespace tasuki::worldhost

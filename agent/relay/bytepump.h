// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <chrono>
#include <functional>

namespace tasuki::relay {

/// Where bytes come from and go to. The caller's, and open while they do.
struct PumpEnds {
    int input = -1;  ///< of the far side
    int output = -1; ///< of the far side
    int socket = -1; ///< of the agent
};

/// Carries bytes both ways, until the far side has ended, or the agent has and all that it said was written. Holds no
/// more than it has read at once; blocks.
/// @param tick   called every `every`, and once before; false: the pump ends
/// @return an Error of kind System where a descriptor fails
Result<void> pumpBytes(const PumpEnds& ends, const std::function<bool()>& tick,
                       std::chrono::milliseconds every);

} // namespace tasuki::relay

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "savedstate.h"
#include "segment.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::world {

/// A part of what a rank has sent to another one.
struct SentStretch {
    WorldRank to = 0;
    std::uint64_t position = 0;
    std::uint64_t bytes = 0;
};

/// What a rank has sent since its first restart point to ranks of its own host, itself included,
/// and what they may need once more: it would be lost with this host, and a life that goes on from
/// a restart point does not send it again.
/// @param sentBefore  by receiver: what was sent before the first restart point, in bytes
/// @param needed      by the rank itself of what it has sent to itself, in bytes before it
/// @return none, if all of them together have more than `most` bytes
std::vector<SentStretch> stretchesToSave(const Segment& segment, WorldRank me,
                                         std::span<const std::uint64_t> sentBefore,
                                         std::uint64_t needed, std::uint64_t most);
void saveStretches(const Segment& segment, WorldRank me, std::span<const SentStretch> stretches,
                   StateWriter& state);
/// Puts what is not there yet into the streams, on another host.
/// @param out  by receiver
void restoreStretches(StateReader& state, std::span<StreamWriter> out);

} // namespace tasuki::world

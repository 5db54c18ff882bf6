// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timelinestore.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tasuki::bench {

/// An attempt of a made-up run. Times in microseconds since 1970, UTC.
struct MadeAttempt {
    std::uint32_t task = 0;
    std::uint32_t lane = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    Outcome outcome = Outcome::Succeeded;
};

inline constexpr std::uint32_t laneCount = 64;
inline constexpr std::uint32_t slotsPerRank = 4;

/// Makes a run on 64 lanes, 16 ranks with 4 slots: run times spread over three powers of ten, short
/// and long pauses, one attempt in 500 not succeeding, most of those very short. The same for the
/// same count.
/// @param take  gets the attempts in the order in which they end, about
void makeRun(std::size_t attempts, const std::function<void(const MadeAttempt&)>& take);

/// Fills a store with such a run, by events as an agent sends them.
void fill(TimelineStore& store, std::size_t attempts);

} // namespace tasuki::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace tasuki {

/// What the timeline tells apart by colour.
enum class AttemptClass : std::uint8_t {
    Succeeded,
    Failed,  ///< failed, signalled, timed out, not started
    Lost,    ///< its processor went away
    Stopped, ///< cancelled or interrupted: somebody wanted it
    Running,
};
inline constexpr std::size_t attemptClassCount = 5;
/// The classes of attempts that have ended come first.
inline constexpr std::size_t endedClassCount = 4;

constexpr AttemptClass classOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Succeeded: return AttemptClass::Succeeded;
    case Outcome::Cancelled:
    case Outcome::Interrupted: return AttemptClass::Stopped;
    case Outcome::Lost: return AttemptClass::Lost;
    case Outcome::Failed:
    case Outcome::Signalled:
    case Outcome::TimedOut:
    case Outcome::NotStarted: break;
    }
    return AttemptClass::Failed;
}

/// @return whether nobody wanted an attempt to end so: such a one is always to be seen
constexpr bool isFailure(AttemptClass kind)
{
    return kind == AttemptClass::Failed || kind == AttemptClass::Lost;
}

/// What is in one column of a lane.
struct ColumnSummary {
    /// Run time of each class within the column, as a part of its width. The sum is above 1 where
    /// attempts overlap.
    std::array<float, attemptClassCount> share{};
    std::uint32_t starts = 0; ///< attempts that begin in it
    /// A failure overlaps it. An attempt of no length counts as one microsecond long.
    bool failure = false;

    [[nodiscard]] float of(AttemptClass kind) const
    {
        return share[static_cast<std::size_t>(kind)];
    }
    /// Part of the column in which something ran, at most 1.
    [[nodiscard]] float busy() const
    {
        return std::min(1.0F, std::accumulate(share.begin(), share.end(), 0.0F));
    }
};

} // namespace tasuki

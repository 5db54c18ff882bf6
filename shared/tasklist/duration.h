// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace tasuki {

/// The longest duration that is taken, 100 years: it fits in 64 bits of nanoseconds.
inline constexpr std::chrono::milliseconds longestDuration = std::chrono::hours(24 * 36500);

/// Reads a duration as people write it: 500ms, 10s, 1.5s, 10m, 2h, 1d, 1h30m; a bare number means
/// seconds. Units go from large to small, each once; a fraction may stand in the last part only.
/// Anything finer than a millisecond is rounded up, so that a positive duration stays positive.
/// @return an Error of kind Input, without a place, for anything else, for more than
///         longestDuration, and for zero
Result<std::chrono::milliseconds> parseDuration(std::string_view text);

/// Writes a duration so that parseDuration reads the same back, e.g. 1h30m, 1.5s, 500ms, 0s.
/// Precondition: not negative.
std::string formatDuration(std::chrono::milliseconds duration);

} // namespace tasuki

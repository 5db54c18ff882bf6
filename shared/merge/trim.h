// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "entry.h"
#include "law.h"
#include "mergemap.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tasuki::merge {

/// What an entry is worth when a map must lose some.
enum class ScoreRule : std::uint8_t {
    None,   ///< all the same: the age decides
    Number, ///< its value, as a number; what is no number is worth least
};

/// @return never NaN
double scoreOf(ScoreRule rule, std::string_view value);
/// Whether a score tells all numbers apart: integers beyond 2^53 fall together.
bool scoreIsExact(ScoreRule rule, std::string_view value);

/// The one total order in which entries are kept: by score, then the younger (larger stamp), then
/// the bytewise smaller key. @return greater: the first is rather kept
std::strong_ordering keepOrder(const Entry& first, const Entry& second);

/// The best entries of a map. Under a law that keeps origins: fold the map before.
/// @param keep  how many stay
MergeMap trimmed(const MergeMap& map, std::size_t keep);

/// Whether trimming in every round of an exchange gives what trimming at its end gives: when of two
/// entries of a key the law's winner is never worse in keepOrder(). Otherwise an entry that wins
/// can have been trimmed away because it is worth little, where the loser was not.
/// @param exactScores  scoreIsExact() of all values
bool trimsInRounds(const Law& law, ScoreRule rule, bool exactScores);

} // namespace tasuki::merge

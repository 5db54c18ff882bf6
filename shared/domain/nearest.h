// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tasuki {

/// @return how many bytes must be inserted, removed, replaced or swapped with their neighbour to
///         turn one word into the other, upper and lower case being the same; at most `limit` + 1,
///         which means "more than limit"
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);

/// @param names  a range of words, at least one
/// @return the word that is nearest to `word`, the first one of several
template <class Range>
std::string_view nearestName(std::string_view word, const Range& names)
{
    std::string_view best;
    std::size_t bestDistance = static_cast<std::size_t>(-2);
    for (const std::string_view name : names) {
        if (best.data() == nullptr)
            bestDistance = std::max(name.size(), word.size()) + 1;
        const std::size_t distance = editDistance(word, name, bestDistance);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = name;
        }
    }
    return best;
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <string_view>

namespace tasuki::merge {

/// When and by whom a value was written: the order of values under the laws `first` and `last`.
struct Stamp {
    std::uint64_t time = 0;   ///< logical: grows with every write of one origin
    std::uint32_t origin = 0; ///< who wrote: a rank, or a file of the input
    auto operator<=>(const Stamp&) const = default;
};

/// A key with its value, as a view into a map or a chunk: bytes, any, also none.
struct Entry {
    std::string_view key;
    std::string_view value;
    Stamp stamp = {};
    /// What the value is worth when a map is trimmed; never NaN.
    double score = 0.0;

    /// Equal to the last bit.
    [[nodiscard]] bool same(const Entry& other) const
    {
        return key == other.key && value == other.value && stamp == other.stamp
            && std::bit_cast<std::uint64_t>(score) == std::bit_cast<std::uint64_t>(other.score);
    }
};

} // namespace tasuki::merge

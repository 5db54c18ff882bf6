// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What becomes of the lines of a text.
namespace tasuki {

struct DiffLine {
    enum class Kind : std::uint8_t { Same, Removed, Added };
    Kind kind = Kind::Same;
    std::string text;
    bool operator==(const DiffLine&) const = default;
};

/// @return the lines of both texts, those that differ as few as can be found: above 1000 of them all
///         of the part that differs. What was removed stands before what was added.
std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after);

} // namespace tasuki

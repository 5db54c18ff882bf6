// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tasuki::trace {

/// The two times that a line can mean whose seventh field is a number.
struct TimeChoice {
    std::int64_t plainUs = 0;   ///< the sixth field
    std::int64_t shiftedUs = 0; ///< the seventh
};

/// Decides lines that follow each other by the nearness of their times to those of the neighbours,
/// where going back counts much more than going on. Where no sure line follows, by which of the two
/// readings goes on from line to line as time does.
/// @param before, after  times of the next lines that are sure, if any; all times below 2^53
/// @return for each line whether the seventh field is its time
std::vector<bool> chooseShifted(std::optional<std::int64_t> before,
                                std::span<const TimeChoice> lines,
                                std::optional<std::int64_t> after);

} // namespace tasuki::trace

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tasuki {

/// How long to wait before the next try: twice as long after each failure, and a little more or
/// less, so that many windows do not come back in the same moment.
/// @param failures  so far in a row, at least 1
/// @param chance    0 to 1, by which the delay varies
/// @return between 3/4 and 5/4 of first * 2^(failures - 1), never more than longest
inline std::chrono::milliseconds retryDelay(std::uint32_t failures, std::chrono::milliseconds first,
                                            std::chrono::milliseconds longest, double chance)
{
    std::chrono::milliseconds delay = first;
    for (std::uint32_t i = 1; i < failures && delay < longest; ++i)
        delay *= 2;
    const double varied = static_cast<double>(delay.count()) * (0.75 + 0.5 * chance);
    return std::min(longest, std::chrono::milliseconds(static_cast<std::int64_t>(varied)));
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <cstddef>
#include <cstdint>

namespace tasuki {

/// Nanoseconds since 1970-01-01 UTC: fine enough for columns narrower than a microsecond.
using Nanoseconds = std::int64_t;
inline constexpr Nanoseconds nanosecondsPerMicrosecond = 1000;

/// Times outside are taken for the nearest bound, so that nanoseconds never overflow.
inline constexpr std::int64_t earliestMicrosecond = 0;
inline constexpr std::int64_t latestMicrosecond = 4'000'000'000'000'000; // the year 2096

/// @return the smallest whole microsecond that is not before a time
constexpr std::int64_t ceilMicrosecond(Nanoseconds time)
{
    const std::int64_t floor = time / nanosecondsPerMicrosecond;
    return floor + (time % nanosecondsPerMicrosecond > 0 ? 1 : 0);
}

constexpr Nanoseconds toNanoseconds(WallTime time)
{
    return time.time_since_epoch().count() * nanosecondsPerMicrosecond;
}

/// @return the last whole microsecond that is not after a time
constexpr WallTime toWallTime(Nanoseconds time)
{
    return WallTime(std::chrono::floor<std::chrono::microseconds>(std::chrono::nanoseconds(time)));
}

/// A half-open range of time that is shown in equal columns.
struct TimeWindow {
    Nanoseconds begin = 0;
    Nanoseconds span = 1;

    [[nodiscard]] constexpr Nanoseconds end() const { return begin + span; }

    /// @param columns  how many the window is cut into, at least 1
    /// @param column   0 to columns
    /// @return where a column begins; for column == columns, where the window ends
    [[nodiscard]] constexpr Nanoseconds edge(std::size_t columns, std::size_t column) const
    {
        if (column == columns)
            return end();
        const double width = static_cast<double>(span) / static_cast<double>(columns);
        return begin + static_cast<Nanoseconds>(static_cast<double>(column) * width);
    }
    constexpr bool operator==(const TimeWindow&) const = default;
};

/// A half-open range of wall time.
struct TimeRange {
    WallTime begin{};
    WallTime end{};
    constexpr bool operator==(const TimeRange&) const = default;
};

} // namespace tasuki

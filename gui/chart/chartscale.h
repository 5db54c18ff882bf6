// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki {

/// An axis from 0 with ticks at round values.
struct ChartScale {
    double maximum = 1.0;
    double step = 1.0; ///< between ticks; divides maximum
    int decimals = 0;  ///< that labels of ticks need

    [[nodiscard]] int ticks() const { return static_cast<int>(maximum / step + 0.5) + 1; }
    bool operator==(const ChartScale&) const = default;
};

/// @param largest    value that is shown; not above 0: as if it were 1
/// @param mostTicks  that there is room for, at least 2
/// @param headroom   share of the axis, below 1, that stays free above the largest value
ChartScale scaleFor(double largest, int mostTicks, double headroom);

} // namespace tasuki

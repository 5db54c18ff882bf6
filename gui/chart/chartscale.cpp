// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartscale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tasuki {

ChartScale scaleFor(double largest, int mostTicks, double headroom)
{
    if (!(largest > 0.0) || !std::isfinite(largest))
        largest = 1.0;
    const double needed = largest / (1.0 - headroom);
    const double intervals = std::max(1, mostTicks - 1);
    // The next of 1, 2, 2.5, 5 times a power of ten with which the ticks suffice.
    constexpr std::array rounds{1.0, 2.0, 2.5, 5.0, 10.0};
    const auto power = static_cast<int>(std::floor(std::log10(needed / intervals)));
    const double unit = std::pow(10.0, power);
    constexpr double tolerance = 1e-9;
    for (const double round : rounds) {
        const double count = std::ceil(needed / (round * unit) - tolerance);
        if (count > intervals)
            continue;
        const int whole = round == 10.0 ? power + 1 : power;
        const int decimals = std::max(0, -whole) + (round == 2.5 && whole <= 0 ? 1 : 0);
        return {.maximum = count * round * unit, .step = round * unit, .decimals = decimals};
    }
    return {.maximum = needed, .step = needed, .decimals = std::max(0, -power)};
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "timescale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tasuki::plan {

namespace {

constexpr std::array usPerUnit{1e6, 1e3, 1.0};
constexpr std::array unitWords{"s", "ms", "us"};
constexpr int significantDigits = 5;

double sizeOfUnit(TimeScale::Unit unit) { return usPerUnit.at(static_cast<std::size_t>(unit)); }

} // namespace

TimeScale::TimeScale(double shortestUs, double longestUs)
{
    constexpr double leastOfUnit = 0.1;
    if (longestUs < leastOfUnit * sizeOfUnit(Unit::Milliseconds))
        m_unit = Unit::Microseconds;
    else if (longestUs < leastOfUnit * sizeOfUnit(Unit::Seconds))
        m_unit = Unit::Milliseconds;
    const double shortest = inUnit(shortestUs > 0.0 ? shortestUs : std::max(longestUs, 1.0));
    const int before = static_cast<int>(std::floor(std::log10(shortest))) + 1;
    m_decimals = std::clamp(significantDigits - before, 0, significantDigits);
}

double TimeScale::inUnit(double us) const { return us / sizeOfUnit(m_unit); }

std::string TimeScale::text(double us) const
{
    // DBL_MAX has 309 digits.
    std::array<char, 340> text{};
    std::snprintf(text.data(), text.size(), "%.*f %s", m_decimals, inUnit(us),
                  unitWords.at(static_cast<std::size_t>(m_unit)));
    return text.data();
}

} // namespace tasuki::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace tasuki::plan {

/// In which unit and with how many decimals runtimes that stand together are written, so that they
/// can be compared at a glance.
class TimeScale {
public:
    enum class Unit : std::uint8_t { Seconds, Milliseconds, Microseconds };

    TimeScale() = default;
    /// Seconds, or a smaller unit where all times are small; five digits for the shortest time.
    TimeScale(double shortestUs, double longestUs);

    [[nodiscard]] Unit unit() const { return m_unit; }
    [[nodiscard]] int decimals() const { return m_decimals; }
    [[nodiscard]] double inUnit(double us) const;
    /// @return e.g. "1.2345 s", "2.0344 ms", "12.000 us"
    [[nodiscard]] std::string text(double us) const;
    bool operator==(const TimeScale&) const = default;

private:
    Unit m_unit = Unit::Seconds;
    int m_decimals = 4;
};

} // namespace tasuki::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

#include <cstdint>

namespace tasuki {

/// Runtimes as text, all of one set in one unit, so that they can be compared at a glance.
class TimeText {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TimeText)

public:
    enum class Unit : std::uint8_t { Seconds, Milliseconds, Microseconds };

    TimeText() = default;
    /// Seconds, or a smaller unit where all times are small; five digits for the shortest time.
    TimeText(double shortestUs, double longestUs);

    [[nodiscard]] Unit unit() const { return m_unit; }
    [[nodiscard]] double inUnit(double us) const;
    /// @return e.g. "1.2345 s"
    [[nodiscard]] QString text(double us) const;
    /// @return e.g. "s"
    [[nodiscard]] QString unitName() const;
    bool operator==(const TimeText&) const = default;

private:
    Unit m_unit = Unit::Seconds;
    int m_decimals = 4;
};

/// @return e.g. "12.3 %"
QString percentText(double share);
/// @return e.g. "+2.1 %"
QString signedPercentText(double share);

} // namespace tasuki

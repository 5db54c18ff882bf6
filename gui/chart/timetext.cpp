// SPDX-License-Identifier: GPL-3.0-or-later
#include "timetext.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace tasuki {

namespace {

constexpr std::array usPerUnit{1e6, 1e3, 1.0};
constexpr int significantDigits = 5;

double sizeOf(TimeText::Unit unit) { return usPerUnit.at(static_cast<std::size_t>(unit)); }

} // namespace

TimeText::TimeText(double shortestUs, double longestUs)
{
    constexpr double leastOfUnit = 0.1;
    if (longestUs < leastOfUnit * sizeOf(Unit::Milliseconds))
        m_unit = Unit::Microseconds;
    else if (longestUs < leastOfUnit * sizeOf(Unit::Seconds))
        m_unit = Unit::Milliseconds;
    const double shortest = inUnit(shortestUs > 0.0 ? shortestUs : std::max(longestUs, 1.0));
    const int before = static_cast<int>(std::floor(std::log10(shortest))) + 1;
    m_decimals = std::clamp(significantDigits - before, 0, significantDigits);
}

double TimeText::inUnit(double us) const { return us / sizeOf(m_unit); }

QString TimeText::text(double us) const
{
    const QString number = QLocale().toString(inUnit(us), 'f', m_decimals);
    switch (m_unit) {
    case Unit::Seconds: return tr("%1 s").arg(number);
    case Unit::Milliseconds: return tr("%1 ms").arg(number);
    case Unit::Microseconds: break;
    }
    return tr("%1 µs").arg(number);
}

QString TimeText::unitName() const
{
    switch (m_unit) {
    case Unit::Seconds: return tr("s");
    case Unit::Milliseconds: return tr("ms");
    case Unit::Microseconds: break;
    }
    return tr("µs");
}

QString percentText(double share)
{
    return TimeText::tr("%1 %").arg(QLocale().toString(100.0 * share, 'f', 1));
}

QString signedPercentText(double share)
{
    // What rounds to nothing has no sign.
    const double percent = std::abs(share) < 0.0005 ? 0.0 : 100.0 * share;
    const QString sign = percent > 0.0 ? QStringLiteral("+") : QString();
    return TimeText::tr("%1 %").arg(sign + QLocale().toString(percent, 'f', 1));
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "timetext.h"

#include <QLocale>

#include <cmath>

namespace tasuki {

namespace {

using TimeUnit = plan::TimeScale::Unit;

} // namespace

QString TimeText::text(double us) const
{
    const QString number = QLocale().toString(inUnit(us), 'f', m_scale.decimals());
    switch (m_scale.unit()) {
    case TimeUnit::Seconds: return tr("%1 s").arg(number);
    case TimeUnit::Milliseconds: return tr("%1 ms").arg(number);
    case TimeUnit::Microseconds: break;
    }
    return tr("%1 µs").arg(number);
}

QString TimeText::unitName() const
{
    switch (m_scale.unit()) {
    case TimeUnit::Seconds: return tr("s");
    case TimeUnit::Milliseconds: return tr("ms");
    case TimeUnit::Microseconds: break;
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

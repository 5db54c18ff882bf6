// SPDX-License-Identifier: GPL-3.0-or-later
#include "exportvalue.h"

#include <QDateTime>

namespace tasuki {

static_assert(exportRole > Qt::UserRole);

QString exportTime(WallTime time)
{
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(
        time.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(milliseconds.count(), Qt::UTC)
        .toString(Qt::ISODateWithMs);
}

QString exportSeconds(std::chrono::microseconds time)
{
    return time.count() < 0 ? QString()
                            : QString::number(std::chrono::duration<double>(time).count(), 'f', 6);
}

QString exportSecondsTitle(const QString& title) { return title + QStringLiteral(" (s)"); }

QString exportBytesTitle(const QString& title) { return title + QStringLiteral(" (bytes)"); }

} // namespace tasuki

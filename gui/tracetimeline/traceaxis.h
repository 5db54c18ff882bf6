// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeaxis.h"
#include "timeline/timelinepalette.h"

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QRect>
#include <QString>

#include <vector>

namespace tasuki {

/// The axis of time on top of the rows: seconds, milliseconds or microseconds since the log's zero,
/// whichever needs few digits.
class TraceAxis {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TraceAxis)

public:
    void setFont(const QFont& font) { m_font = font; }
    [[nodiscard]] int height() const;

    /// Chooses ticks for a window. Call before ticks() and paint().
    void setWindow(const TimeWindow& window, double width);
    [[nodiscard]] const std::vector<AxisTick>& ticks() const { return m_ticks; }
    void paint(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;

    /// @param step  between labels
    /// @param end   of what is shown: the unit is not larger than it
    /// @return for instance "12.5 ms"
    static QString label(Nanoseconds time, Nanoseconds step, Nanoseconds end);

private:
    QFont m_font;
    TimeWindow m_window;
    TickStep m_step;
    std::vector<AxisTick> m_ticks;
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeaxis.h"
#include "timelinepalette.h"

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QRect>
#include <QString>

#include <vector>

namespace tasuki {

/// The axis of time on top of the lanes: dates in the upper line, ticks with times in the lower.
class AxisPainter {
    Q_DECLARE_TR_FUNCTIONS(tasuki::AxisPainter)

public:
    /// @param elapsed  times since the start in place of the time of day
    /// @param start    of the run
    void setClock(bool elapsed, Nanoseconds start);
    void setFont(const QFont& font);
    [[nodiscard]] int height() const;

    /// Chooses ticks for a window. Call before ticks() and paint().
    void setWindow(const TimeWindow& window, double width);
    [[nodiscard]] const std::vector<AxisTick>& ticks() const { return m_ticks; }

    void paint(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;

private:
    [[nodiscard]] QString labelOf(Nanoseconds local) const;
    /// What the upper line says of a tick.
    [[nodiscard]] QString contextOf(Nanoseconds local) const;
    [[nodiscard]] double labelWidth(const TickStep& step) const;
    void paintContext(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;

    bool m_elapsed = false;
    Nanoseconds m_start = 0;
    QFont m_font;
    TimeWindow m_window;
    TickStep m_step;
    std::vector<AxisTick> m_ticks;
};

} // namespace tasuki

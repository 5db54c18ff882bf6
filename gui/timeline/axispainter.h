// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeaxis.h"
#include "timelinepalette.h"

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QRect>
#include <QString>

#include <cstdint>
#include <vector>

namespace tasuki {

/// What the times of an axis are.
enum class AxisTimes : std::uint8_t {
    TimeOfDay, ///< in two lines, the upper one with dates
    Elapsed,   ///< since the start, in two lines
    Log,       ///< since a log's zero, in the unit that needs few digits
};

/// The axis of time on top of the rows: ticks and their times.
class AxisPainter {
    Q_DECLARE_TR_FUNCTIONS(tasuki::AxisPainter)

public:
    /// @param start  of the run
    void setTimes(AxisTimes times, Nanoseconds start);
    void setFont(const QFont& font) { m_font = font; }
    [[nodiscard]] int height() const;

    /// Chooses ticks for a window. Call before paint() and grid().
    void setWindow(const TimeWindow& window, double width);

    void paint(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;
    /// @return the colours of an empty row, one a column: lines at the ticks
    [[nodiscard]] std::vector<QRgb> grid(std::size_t columns, QRgb ground,
                                         const TimelinePalette& palette) const;

    /// @param step  between labels
    /// @param end   of what is shown: the unit is not larger than it
    /// @return a label of a log's axis, for instance "12.5 ms"
    static QString logLabel(Nanoseconds time, Nanoseconds step, Nanoseconds end);

private:
    [[nodiscard]] Nanoseconds offsetAt(Nanoseconds time) const;
    [[nodiscard]] QString labelOf(Nanoseconds local) const;
    /// What the upper line says of a tick.
    [[nodiscard]] QString contextOf(Nanoseconds local) const;
    [[nodiscard]] double labelWidth(const TickStep& step) const;
    void paintContext(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;

    AxisTimes m_times = AxisTimes::TimeOfDay;
    Nanoseconds m_start = 0;
    QFont m_font;
    TimeWindow m_window;
    TickStep m_step;
    std::vector<AxisTick> m_ticks;
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lanelayout.h"
#include "lanepixels.h"
#include "timelinepalette.h"
#include "timelinestore.h"

#include <QImage>
#include <QPainter>
#include <QRect>

#include <cstddef>
#include <span>
#include <vector>

namespace tasuki {

/// What is to be painted of the lanes. Sizes in logical pixels.
struct LaneContents {
    const TimelineStore& store;
    TimeWindow window;
    WallTime now{};
    LaneLayout layout;
    const TimelinePalette& palette;
    std::span<const QRgb> plain; ///< colours of an empty lane of an even rank, one a column
    std::span<const QRgb> band;  ///< the same of an odd rank

    [[nodiscard]] bool isBand(std::size_t row) const
    {
        return store.lane(row).rank.value() % 2 != 0;
    }
    [[nodiscard]] std::span<const QRgb> ground(std::size_t row) const
    {
        return isBand(row) ? band : plain;
    }
};

/// A single attempt that is wide enough for a text. Columns are device pixels.
struct LabelSpot {
    std::size_t row = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Where the parts of a row are, in lines of device pixels.
struct RowLines {
    int top = 0;
    int barTop = 0;
    int markTop = 0;
    int barEnd = 0;
    int end = 0;

    static RowLines of(const LaneLayout& layout, std::size_t row, double ratio);
};

/// Paints what is in lanes into an image that has their ground, line by line: no painter, no object
/// for an attempt.
class LaneRaster {
public:
    /// @param image  of format RGB32; its width is the number of columns
    /// @param ratio  device pixels to a logical pixel
    void compose(const LaneContents& contents, double ratio, QImage& image);

    /// Places for texts in what was composed last, at least `narrowest` columns wide.
    [[nodiscard]] const std::vector<LabelSpot>& spots() const { return m_spots; }
    /// Lets the end of a text vanish that is too long for its place, a bar of one colour.
    static void fadeOut(const LabelSpot& spot, const LaneLayout& layout, double ratio,
                        QImage& image);
    void setNarrowestSpot(std::size_t columns) { m_narrowestSpot = columns; }

    /// Paints lanes as shapes, for a vector format.
    /// @param place  of all rows
    static void paintShapes(const LaneContents& contents, QPainter& painter, const QRect& place);

private:
    void paintRow(const LaneContents& contents, std::size_t row, double ratio, QImage& image);
    void paintMarks(const RowLines& lines, const TimelinePalette& palette, QImage& image);
    void findSpots(std::size_t row);

    std::vector<ColumnSummary> m_columns;
    LanePixels m_pixels;
    std::vector<LabelSpot> m_spots;
    std::size_t m_narrowestSpot = 28;
};

} // namespace tasuki

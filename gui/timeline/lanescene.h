// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axispainter.h"
#include "lanelayout.h"
#include "timelineview.h"

#include <QFont>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QSize>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tasuki {

/// Where something in a row is.
struct LanePlace {
    std::size_t row = 0;
    TimeWindow time;
};

/// What a timeline shows: rows over time, labels at their left, an axis above. Owns which part of time
/// and of the rows is seen, and what was painted of it; what is in the rows, and what of that is
/// selected, is for those who derive. The widget around it (LaneArea) turns events into calls.
/// Coordinates are logical pixels from the top left of the scene.
class LaneScene {
public:
    enum class Side : std::uint8_t { Left, Right, Up, Down };

    virtual ~LaneScene() = default;

    void setGeometry(QSize size);
    /// @param ratio  device pixels to a logical pixel
    void setRatio(double ratio);
    virtual void setStyle(const QPalette& palette, const QFont& font) = 0;
    void setScroll(int pixels);
    /// Width that the labels have at least, where there is room.
    void setLeastLabelWidth(int pixels);

    TimelineView& view() { return m_view; }
    [[nodiscard]] const TimelineView& view() const { return m_view; }
    [[nodiscard]] const LaneLayout& layout() const { return m_layout; }
    /// @return the width that the labels would have by themselves
    [[nodiscard]] int ownLabelWidth() const { return m_ownLabelWidth; }
    [[nodiscard]] bool isEmpty() const { return laneCount() == 0; }
    /// Where the rows are: right of the labels, below the axis.
    [[nodiscard]] QRect rowsRect() const;
    [[nodiscard]] QRect axisRect() const;
    [[nodiscard]] std::optional<std::size_t> rowAt(const QPoint& position) const;

    /// @return what to tell somebody who points there, as rich text; empty: nothing
    [[nodiscard]] virtual QString describe(const QPoint& position) const = 0;
    /// Selects what is there, or nothing.
    virtual void selectAt(const QPoint& position) = 0;
    /// Selects what is beside what is selected; without a selection something in sight.
    /// @return whether there is something
    virtual bool selectBeside(Side side) = 0;
    virtual void selectNothing() = 0;
    [[nodiscard]] virtual bool hasSelection() const = 0;
    /// @return where what is selected is; none: nothing is, or it is nowhere
    [[nodiscard]] virtual std::optional<LanePlace> selectedPlace() const = 0;
    /// @return what to say of it, as plain text in one line
    [[nodiscard]] virtual QString selectedText() const = 0;

    void paint(QPainter& painter);
    /// The same with shapes in place of pixels, for a vector format.
    void paintShapes(QPainter& painter);

protected:
    /// What is seen is another one: everything of it, from the begin.
    void reset();
    void setFont(const QFont& font);
    /// Sizes or labels may have changed.
    void refreshLayout();
    /// What is in the rows has changed.
    void touchRows() { m_rowsDirty = true; }
    [[nodiscard]] const QFont& font() const { return m_font; }
    [[nodiscard]] QSize size() const { return m_size; }
    [[nodiscard]] double ratio() const { return m_ratio; }
    [[nodiscard]] AxisPainter& axis() { return m_axis; }
    [[nodiscard]] const AxisPainter& axis() const { return m_axis; }
    void setTallestRow(int pixels) { m_layout.tallest = pixels; }
    /// @return the colours of an empty row, one a column
    [[nodiscard]] std::span<const QRgb> ground(bool isBand) const
    {
        return isBand ? m_band : m_plain;
    }
    /// Frames something that is selected.
    /// @param line  pixels
    void paintOutline(QPainter& painter, QRectF bar, double line) const;

    [[nodiscard]] virtual std::size_t laneCount() const = 0;
    [[nodiscard]] virtual const TimelinePalette& colours() const = 0;
    /// What stands in the middle when there are no rows.
    [[nodiscard]] virtual QString emptyText() const = 0;
    [[nodiscard]] virtual int titleHeight() const { return 0; }  ///< above the axis
    [[nodiscard]] virtual int legendHeight() const { return 0; } ///< below the rows
    [[nodiscard]] virtual int labelWidth() const = 0;
    virtual void paintLabels(QPainter& painter, const QRect& rect) const = 0;
    /// Whether a row has the other ground of two.
    [[nodiscard]] virtual bool isBand(std::size_t row) const { return row % 2 != 0; }
    /// Paints into the image of the rows, of format RGB32, which has their ground and its ratio.
    virtual void paintRows(QImage& image) = 0;
    virtual void paintRowShapes(QPainter& painter) = 0;
    /// What lies on the rows and changes more often than they do; clipped to them.
    virtual void paintOverRows(QPainter& painter) const = 0;
    /// What is beside rows, labels and axis.
    virtual void paintAround(QPainter& painter) const = 0;

private:
    void touchAll();
    void refreshImages();
    void makeGround(std::size_t columns);
    void paintGround(QImage& image) const;
    void paintEmpty(QPainter& painter) const;
    void paintFrame(QPainter& painter) const;
    [[nodiscard]] QRect labelsRect() const;

    TimelineView m_view;
    LaneLayout m_layout;
    AxisPainter m_axis;
    QFont m_font;
    QSize m_size;
    double m_ratio = 1;
    int m_labelWidth = 0;
    int m_ownLabelWidth = 0;
    int m_leastLabelWidth = 0;
    std::vector<QRgb> m_plain; ///< see ground()
    std::vector<QRgb> m_band;
    QImage m_rows;
    QImage m_labels;
    TimeWindow m_paintedWindow;
    bool m_rowsDirty = true;
    bool m_labelsDirty = true;
};

} // namespace tasuki

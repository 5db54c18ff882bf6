// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/lanelayout.h"
#include "timeline/timelineview.h"
#include "tracepalette.h"
#include "tracestore.h"

#include <QLineF>
#include <QPainter>
#include <QRect>
#include <QSizeF>

#include <optional>
#include <vector>

namespace tasuki {

/// Messages and the critical path as lines between rows. Coordinates are logical pixels from the
/// top left of the rows' place.
class TraceLines {
public:
    TraceLines(const TraceStore& store, const TimelineView& view, const LaneLayout& layout,
               QSizeF place);

    /// @return from the bar of the sender to that of the receiver; may be far out of sight
    [[nodiscard]] QLineF arrowLine(std::uint32_t arrow) const;
    /// @return where the critical path jumps from PathIndex::stays()[jump] to the next
    [[nodiscard]] QLineF jumpLine(std::size_t jump) const;

    /// @return how many messages are on their way in what is in sight
    [[nodiscard]] std::size_t arrowsInSight() const;
    /// @return how many messages are told apart on such a width
    [[nodiscard]] std::size_t mostArrows() const;
    /// @return the messages to be drawn: none when there are too many
    [[nodiscard]] std::vector<std::uint32_t> drawnArrows() const;
    /// @return the drawn message within so many pixels of a point, the nearest
    [[nodiscard]] std::optional<std::uint32_t> arrowAt(QPointF point, double reach) const;

    /// A jump of the critical path that is told apart from those beside it.
    struct Jump {
        std::size_t index = 0;
        bool isRoomy = false; ///< there is place for the head of an arrow
    };
    [[nodiscard]] std::vector<Jump> drawnJumps() const;
    /// @return whether jumps in sight are left out, since they would run into each other
    [[nodiscard]] bool isPathCondensed() const;
    /// @return whether the critical path comes to a task in the column of pixels at x, and leaves it
    ///         too soon for the jumps to be drawn
    [[nodiscard]] bool isPathCondensedAt(std::uint32_t task, double x) const;

    void paintArrows(QPainter& painter, const TracePalette& palette) const;
    void paintSelectedArrow(QPainter& painter, std::uint32_t arrow,
                            const TracePalette& palette) const;
    void paintPath(QPainter& painter, const TracePalette& palette) const;

private:
    struct Stroke {
        QRgb colour;
        double width;
        double head; ///< length of the arrow's head; 0: none
    };
    [[nodiscard]] double xOf(double us) const;
    [[nodiscard]] double pathY(std::uint32_t task) const;
    [[nodiscard]] std::optional<QLineF> inSight(const QLineF& line) const;
    void draw(QPainter& painter, const QLineF& line, const Stroke& stroke) const;
    [[nodiscard]] double spaceOf(std::size_t jump) const;
    [[nodiscard]] int column(Nanoseconds time) const;
    void addPathOf(std::uint32_t task, std::vector<QRect>& bars) const;

    const TraceStore& m_store;
    const TimelineView& m_view;
    const LaneLayout& m_layout;
    QSizeF m_place;
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeaxis.h"
#include "tracebricks.h"
#include "tracepalette.h"

#include <QImage>
#include <QPainter>
#include <QRectF>

#include <span>

namespace tasuki {

/// Fills an image with the ground of the rows: bands and lines at the ticks of the axis.
void paintTraceGround(QImage& image, const LaneLayout& layout, std::span<const AxisTick> ticks,
                      const TimeWindow& window, const TracePalette& palette);
/// Fills bricks into an image of format RGB32: no painter for them.
void paintTraceBricks(QImage& image, std::span<const TraceBrick> bricks, double ratio,
                      const TracePalette& palette);

/// The same with shapes, for a vector format. Bricks are of ratio 1.
/// @param place  of the rows
void paintTraceGround(QPainter& painter, const QRectF& place, const LaneLayout& layout,
                      std::span<const AxisTick> ticks, const TimeWindow& window,
                      const TracePalette& palette);
void paintTraceBricks(QPainter& painter, const QPointF& origin, std::span<const TraceBrick> bricks,
                      const TracePalette& palette);

/// Fills a rectangle as a category is drawn.
void fillTraceSample(QPainter& painter, const QRectF& rect, TraceCategory category,
                     const TracePalette& palette);

} // namespace tasuki

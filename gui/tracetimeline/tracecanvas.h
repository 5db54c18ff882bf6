// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracebricks.h"
#include "tracepalette.h"

#include <QFont>
#include <QImage>
#include <QPainter>
#include <QPointF>
#include <QRectF>

#include <span>

namespace tasuki {

/// Fills bricks into an image of format RGB32: no painter for them.
void paintTraceBricks(QImage& image, std::span<const TraceBrick> bricks, double ratio,
                      const TracePalette& palette);

/// The same with shapes, for a vector format. Bricks are of ratio 1.
void paintTraceBricks(QPainter& painter, const QPointF& origin, std::span<const TraceBrick> bricks,
                      const TracePalette& palette);

/// Writes names of calls into their bars, where they fit.
/// @param ratio  of the places; the painter's zero is the top left of the rows
void paintTraceNames(QPainter& painter, std::span<const TraceNamePlace> names,
                     const TraceStore& store, const QFont& font, double ratio,
                     const TracePalette& palette);

/// Fills a rectangle as a category is drawn.
void fillTraceSample(QPainter& painter, const QRectF& rect, TraceCategory category,
                     const TracePalette& palette);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QRectF>
#include <QString>

class QGraphicsScene;

namespace tasuki {

enum class ChartFormat : std::uint8_t { Png, Svg, Pdf };

/// Draws an area of a scene: PNG with two pixels for each of the screen, SVG and PDF as shapes.
/// @param title       that a PDF tells of itself
/// @param background  behind the scene
/// @return the file's content; empty: there is too little memory
QByteArray drawScene(QGraphicsScene& scene, const QRectF& area, ChartFormat format,
                     const QString& title, const QColor& background);

/// @return the ending of a file's name: "png"
QString suffixOf(ChartFormat format);

} // namespace tasuki

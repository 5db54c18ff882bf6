// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QCoreApplication>
#include <QPainter>
#include <QSize>
#include <QString>

#include <functional>

namespace tasuki {

/// Writes pictures to files.
class ImageExport {
    Q_DECLARE_TR_FUNCTIONS(tasuki::ImageExport)

public:
    /// Paints the picture. @param vector  shapes are wanted, else pixels
    using Paint = std::function<void(QPainter& painter, bool vector)>;

    /// Writes SVG or PDF when the name ends so, else PNG. The file appears whole, or what stood
    /// there before stays.
    /// @param size   of the picture in logical pixels
    /// @param ratio  pixels of a PNG to a logical pixel
    static Result<void> write(const QString& path, QSize size, double ratio, const QString& title,
                              const Paint& paint);
};

} // namespace tasuki

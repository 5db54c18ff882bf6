// SPDX-License-Identifier: GPL-3.0-or-later
#include "imageexport.h"

#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace tasuki {

namespace {

bool hasSuffix(const QString& path, const char* suffix)
{
    return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive);
}

void writeSvg(QSaveFile& file, QSize size, const QString& title, const ImageExport::Paint& paint)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(title);
    QPainter painter(&generator);
    paint(painter, true);
}

void writePdf(QSaveFile& file, QSize size, const QString& title, const ImageExport::Paint& paint)
{
    constexpr int pixelsPerInch = 96;
    constexpr double pointsPerPixel = 72.0 / pixelsPerInch;
    QPdfWriter writer(&file);
    writer.setTitle(title);
    writer.setResolution(pixelsPerInch);
    writer.setPageSize(QPageSize(QSizeF(size) * pointsPerPixel, QPageSize::Point, QString(),
                                 QPageSize::ExactMatch));
    writer.setPageMargins({0, 0, 0, 0});
    QPainter painter(&writer);
    paint(painter, true);
}

bool writePng(QSaveFile& file, QSize size, double ratio, const ImageExport::Paint& paint)
{
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    paint(painter, false);
    painter.end();
    return image.save(&file, "PNG");
}

} // namespace

Result<void> ImageExport::write(const QString& path, QSize size, double ratio, const QString& title,
                                const Paint& paint)
{
    const auto failed = [&path](const QString& why) {
        return Error{ErrorKind::System, tr("Cannot write %1: %2").arg(path, why).toStdString()};
    };
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return failed(file.errorString());
    if (hasSuffix(path, ".svg"))
        writeSvg(file, size, title, paint);
    else if (hasSuffix(path, ".pdf"))
        writePdf(file, size, title, paint);
    else if (!writePng(file, size, ratio, paint))
        return failed(tr("the image could not be encoded"));
    if (!file.commit())
        return failed(file.errorString());
    return {};
}

} // namespace tasuki

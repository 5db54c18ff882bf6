// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartexport.h"

#include <QBuffer>
#include <QGraphicsScene>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace tasuki {

namespace {

constexpr int pixelRatio = 2;
constexpr double screenDpi = 96.0;
constexpr int paperDpi = 1200;
constexpr double pointsPerInch = 72.0;
constexpr double inchesPerMetre = 39.37;

void drawPng(QBuffer& file, QGraphicsScene& scene, const QRectF& area, const QColor& background)
{
    QImage image((area.size() * pixelRatio).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return;
    image.fill(background);
    const auto density = static_cast<int>(screenDpi * pixelRatio * inchesPerMetre);
    image.setDotsPerMeterX(density);
    image.setDotsPerMeterY(density);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    scene.render(&painter, QRectF(image.rect()), area, Qt::IgnoreAspectRatio);
    painter.end();
    image.save(&file, "PNG");
}

/// Without the title in the file's head: not every Qt escapes what it writes there.
void drawSvg(QBuffer& file, QGraphicsScene& scene, const QRectF& area, const QColor& background)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setResolution(static_cast<int>(screenDpi));
    generator.setSize(area.size().toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), area.size()));
    QPainter painter(&generator);
    painter.fillRect(QRectF(QPointF(0, 0), area.size()), background);
    scene.render(&painter, QRectF(QPointF(0, 0), area.size()), area, Qt::IgnoreAspectRatio);
}

void drawPdf(QBuffer& file, QGraphicsScene& scene, const QRectF& area, const QString& title,
             const QColor& background)
{
    QPdfWriter writer(&file);
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Tasuki"));
    writer.setResolution(paperDpi);
    writer.setPageSize(QPageSize(area.size() * (pointsPerInch / screenDpi), QPageSize::Point,
                                 QString(), QPageSize::ExactMatch));
    writer.setPageMargins({});
    QPainter painter(&writer);
    const QRectF page(0, 0, writer.width(), writer.height());
    painter.fillRect(page, background);
    scene.render(&painter, page, area, Qt::KeepAspectRatio);
}

} // namespace

QByteArray drawScene(QGraphicsScene& scene, const QRectF& area, ChartFormat format,
                     const QString& title, const QColor& background)
{
    QBuffer file;
    file.open(QIODevice::WriteOnly);
    switch (format) {
    case ChartFormat::Png: drawPng(file, scene, area, background); break;
    case ChartFormat::Svg: drawSvg(file, scene, area, background); break;
    case ChartFormat::Pdf: drawPdf(file, scene, area, title, background); break;
    }
    return file.data();
}

QString suffixOf(ChartFormat format)
{
    switch (format) {
    case ChartFormat::Png: return QStringLiteral("png");
    case ChartFormat::Svg: return QStringLiteral("svg");
    case ChartFormat::Pdf: break;
    }
    return QStringLiteral("pdf");
}

} // namespace tasuki

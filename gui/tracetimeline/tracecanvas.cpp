// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracecanvas.h"

#include "tracetext.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int stripePeriod = 6; ///< logical pixels
constexpr double stripeWidth = 2.2;

/// The pixels of an image: QImage asks at each line whether it is shared.
class Pixels {
public:
    explicit Pixels(QImage& image)
        : m_first(image.bits()), m_stride(image.bytesPerLine()), m_height(image.height())
    {}
    [[nodiscard]] QRgb* line(int y) const
    {
        return reinterpret_cast<QRgb*>(m_first + y * m_stride);
    }
    [[nodiscard]] int height() const { return m_height; }

private:
    uchar* m_first;
    qsizetype m_stride;
    int m_height;
};

void fillSolid(const Pixels& pixels, const TraceBrick& brick, int bottom, QRgb colour)
{
    for (int y = std::max(0, brick.top); y < bottom; ++y)
        std::fill(pixels.line(y) + brick.left, pixels.line(y) + brick.right, colour);
}

/// Stripes from the lower left to the upper right, in line with those of all others.
void fillHatched(const Pixels& pixels, const TraceBrick& brick, int bottom, QRgb ground,
                 QRgb stripe, int period)
{
    for (int y = std::max(0, brick.top); y < bottom; ++y) {
        QRgb* line = pixels.line(y);
        int phase = (brick.left + y) % period;
        for (int x = brick.left; x < brick.right; ++x) {
            line[x] = phase * 5 < period * 2 ? stripe : ground;
            phase = phase + 1 == period ? 0 : phase + 1;
        }
    }
}

void drawStripes(QPainter& painter, const QRectF& rect, QRgb stripe)
{
    painter.setPen(QPen(opaque(stripe), stripeWidth, Qt::SolidLine, Qt::FlatCap));
    painter.setClipRect(rect, Qt::IntersectClip);
    const double first = std::floor((rect.left() + rect.top()) / stripePeriod) * stripePeriod;
    for (double sum = first; sum < rect.right() + rect.bottom(); sum += stripePeriod) {
        const double left = std::max(rect.left(), sum - rect.bottom());
        const double right = std::min(rect.right(), sum - rect.top());
        if (left < right)
            painter.drawLine(QPointF(left, sum - left), QPointF(right, sum - right));
    }
}

} // namespace

void paintTraceBricks(QImage& image, std::span<const TraceBrick> bricks, double ratio,
                      const TracePalette& palette)
{
    const int period = std::max(4, static_cast<int>(std::lround(stripePeriod * ratio)));
    const Pixels pixels(image);
    for (const TraceBrick& brick : bricks) {
        const int bottom = std::min(brick.bottom, pixels.height());
        if (brick.isEdge)
            fillSolid(pixels, brick, bottom, palette.edge[brick.category]);
        else if (TraceCategories::isWaiting(brick.category))
            fillHatched(pixels, brick, bottom, palette.fill[brick.category],
                        palette.stripe[brick.category], period);
        else
            fillSolid(pixels, brick, bottom, palette.fill[brick.category]);
    }
}

void fillTraceSample(QPainter& painter, const QRectF& rect, TraceCategory category,
                     const TracePalette& palette)
{
    painter.fillRect(rect, opaque(palette.fill[category]));
    if (!TraceCategories::isWaiting(category))
        return;
    painter.save();
    drawStripes(painter, rect, palette.stripe[category]);
    painter.restore();
}

void paintTraceBricks(QPainter& painter, const QPointF& origin, std::span<const TraceBrick> bricks,
                      const TracePalette& palette)
{
    constexpr int narrowestStriped = 3;
    for (const TraceBrick& brick : bricks) {
        const QRectF rect(origin.x() + brick.left, origin.y() + brick.top, brick.right - brick.left,
                          brick.bottom - brick.top);
        if (brick.isEdge)
            painter.fillRect(rect, opaque(palette.edge[brick.category]));
        else if (brick.right - brick.left >= narrowestStriped)
            fillTraceSample(painter, rect, brick.category, palette);
        else
            painter.fillRect(
                rect,
                opaque(mixed(palette.fill[brick.category], palette.stripe[brick.category], 0.4)));
    }
}

void paintTraceNames(QPainter& painter, std::span<const TraceNamePlace> names,
                     const TraceStore& store, const QFont& font, double ratio,
                     const TracePalette& palette)
{
    constexpr int space = 4;
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const TraceNamePlace& place : names) {
        const double height = (place.bottom - place.top) / ratio;
        const double left = place.left / ratio + space;
        const double width = place.right / ratio - space - left;
        const QString name = TraceText::callName(store, place.span);
        const double wanted = metrics.horizontalAdvance(name);
        if (wanted > width || metrics.ascent() > height)
            continue; // part of a name misleads
        const double top = place.top / ratio + (height - metrics.height()) / 2;
        if (TraceCategories::isWaiting(place.category))
            painter.fillRect(QRectF(left - 2, top, wanted + 4, metrics.height()),
                             opaque(palette.fill[place.category]));
        painter.setPen(opaque(palette.text[place.category]));
        painter.drawText(QPointF(left, top + metrics.ascent()), name);
    }
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartpicture.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tasuki {

namespace {

constexpr double hatchStep = 5.0;

/// Lines from lower left to upper right, cut at the rectangle's edges by calculation: clipping is
/// not kept by all formats.
void hatch(QPainter& painter, const QRectF& rect)
{
    for (double offset = hatchStep; offset < rect.width() + rect.height(); offset += hatchStep) {
        // x - left + bottom - y = offset along each line
        const double x1 = std::max(0.0, offset - rect.height());
        const double x2 = std::min(rect.width(), offset);
        painter.drawLine(QPointF(rect.left() + x1, rect.top() + (offset - x1)),
                         QPointF(rect.left() + x2, rect.top() + (offset - x2)));
    }
}

QPolygonF starIn(const QRectF& rect)
{
    constexpr int points = 10;
    constexpr double inner = 0.42;
    QPolygonF star;
    for (int i = 0; i < points; ++i) {
        const double radius = rect.width() / 2.0 * (i % 2 == 0 ? 1.0 : inner);
        const double angle = std::numbers::pi * (2.0 * i / points - 0.5);
        star << rect.center() + QPointF(std::cos(angle) * radius, std::sin(angle) * radius);
    }
    return star;
}

QPolygonF triangleIn(const QRectF& rect)
{
    const QRectF part = rect.adjusted(1, 2, -1, -1);
    return QPolygonF{{part.topLeft(), part.topRight(), {part.center().x(), part.bottom()}}};
}

} // namespace

void ChartPicture::paintBehind(QPainter& painter) const
{
    for (int column = 0; column < static_cast<int>(columns.size()); ++column) {
        if (!columns[static_cast<std::size_t>(column)].selected)
            continue;
        painter.setPen(QPen(colours.bandLine, 1.5));
        painter.setBrush(colours.band);
        painter.drawRect(rectOf(column).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void ChartPicture::paintAbove(QPainter& painter) const
{
    painter.setFont(font);
    paintText(painter);
    paintKeys(painter);
    paintWords(painter);
    for (int column = 0; column < static_cast<int>(columns.size()); ++column) {
        const ChartColumn& one = columns[static_cast<std::size_t>(column)];
        if (one.row < 0) {
            paintGap(painter, column);
            continue;
        }
        if (one.measured)
            paintMeasured(painter, column);
        paintMarks(painter, column);
    }
}

void ChartPicture::paintText(QPainter& painter) const
{
    if (m_title.height() > 0.0) {
        painter.setFont(boldFont());
        painter.setPen(colours.text);
        const QString text =
            QFontMetricsF(painter.font()).elidedText(title, Qt::ElideRight, m_title.width());
        painter.drawText(m_title, Qt::AlignLeft | Qt::AlignTop, text);
        painter.setFont(font);
    }
    painter.setPen(colours.text);
    if (m_summary.height() > 0.0)
        painter.drawText(m_summary, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, summary);
    painter.setPen(colours.dimText);
    const QString text = QFontMetricsF(font).elidedText(note, Qt::ElideRight, m_note.width());
    painter.drawText(m_note, Qt::AlignRight | Qt::AlignBottom, text);
}

void ChartPicture::paintSign(QPainter& painter, const QRectF& rect, ChartKey::Sign sign) const
{
    painter.setPen(QPen(colours.mark, 1.2));
    painter.setBrush(Qt::NoBrush);
    switch (sign) {
    case ChartKey::Sign::None: return;
    case ChartKey::Sign::Predicted:
        painter.fillRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), colours.predicted);
        return;
    case ChartKey::Sign::Measured: {
        const QRectF box = rect.adjusted(0.5, 0.5, -0.5, -0.5);
        painter.setPen(QPen(colours.measuredLine, 1.0));
        painter.setBrush(colours.measured);
        painter.drawRect(box);
        hatch(painter, box);
        return;
    }
    case ChartKey::Sign::Best:
        painter.setBrush(colours.mark);
        painter.drawPolygon(starIn(rect));
        return;
    case ChartKey::Sign::BestMeasured: painter.drawPolygon(starIn(rect)); return;
    case ChartKey::Sign::Worst: painter.drawPolygon(triangleIn(rect)); return;
    }
}

void ChartPicture::paintKeys(QPainter& painter) const
{
    for (const ChartKey& key : keys) {
        QRectF text = key.rect;
        if (key.sign != ChartKey::Sign::None) {
            const double top = key.rect.center().y() - signSize / 2.0;
            paintSign(painter, QRectF(key.rect.left(), top, signSize, signSize), key.sign);
            text.setLeft(text.left() + signSize + between);
        }
        painter.setPen(key.sign == ChartKey::Sign::None ? colours.dimText : colours.text);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, key.text);
    }
}

void ChartPicture::paintWords(QPainter& painter) const
{
    if (m_words.height() <= between)
        return;
    const double line = std::ceil(QFontMetricsF(font).height());
    const double top = m_words.top() + 1.6 * between;
    painter.setPen(colours.dimText);
    for (qsizetype task = 0; task < taskTitles.size(); ++task) {
        const QRectF rect(m_area.left() + margin, top + static_cast<double>(task) * line,
                          plot.left() - between - m_area.left() - margin, line);
        painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, taskTitles[task]);
    }
    painter.setPen(colours.text);
    for (int column = 0; column < static_cast<int>(columns.size()); ++column) {
        const ChartColumn& one = columns[static_cast<std::size_t>(column)];
        painter.setFont(one.selected ? boldFont() : font);
        if (taskTitles.isEmpty()) {
            painter.save();
            painter.translate(centreOf(column), m_words.top() + between);
            painter.rotate(-90.0);
            const double length = m_words.height() - 2.0 * between;
            const QString text = QFontMetricsF(painter.font())
                                     .elidedText(one.words.join(QLatin1Char(' ')), Qt::ElideRight,
                                                 length + 1.0);
            painter.drawText(QRectF(-length, -line / 2.0, length, line),
                             Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text);
            painter.restore();
            continue;
        }
        for (qsizetype task = 0; task < std::min(one.words.size(), taskTitles.size()); ++task) {
            const QRectF rect(rectOf(column).left(), top + static_cast<double>(task) * line,
                              columnWidth(), line);
            painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, one.words[task]);
        }
    }
    painter.setFont(font);
}

void ChartPicture::paintMeasured(QPainter& painter, int column) const
{
    const ChartColumn& one = columns[static_cast<std::size_t>(column)];
    const QRectF bar = barOf(column, true);
    painter.setPen(QPen(colours.measuredLine, 1.0));
    hatch(painter, bar);
    if (!(one.high > one.low))
        return;
    const double x = bar.center().x();
    const double half = std::min(4.0, bar.width() / 4.0);
    painter.setPen(QPen(colours.whisker, 1.3));
    const double low = yOf(one.low);
    const double high = yOf(one.high);
    painter.drawLine(QPointF(x, low), QPointF(x, high));
    for (const double y : {low, high})
        painter.drawLine(QPointF(x - half, y), QPointF(x + half, y));
}

void ChartPicture::paintMarks(QPainter& painter, int column) const
{
    const ChartColumn& one = columns[static_cast<std::size_t>(column)];
    if (!one.best && !one.worst && !one.bestMeasured)
        return;
    // Above everything in the column, one on top of the other.
    double highest = one.predicted;
    if (one.measured)
        highest = std::max({highest, *one.measured, one.high});
    QRectF place(centreOf(column) - markSize / 2.0, yOf(highest) - markSize - 2.0, markSize,
                 markSize);
    const auto add = [&](bool wanted, ChartKey::Sign sign) {
        if (!wanted)
            return;
        paintSign(painter, place, sign);
        place.translate(0.0, -markSize - 2.0);
    };
    add(one.best, ChartKey::Sign::Best);
    add(one.worst, ChartKey::Sign::Worst);
    add(one.bestMeasured, ChartKey::Sign::BestMeasured);
}

void ChartPicture::paintGap(QPainter& painter, int column) const
{
    constexpr double radius = 1.6;
    constexpr double apart = 6.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.text);
    const QPointF centre(centreOf(column), plot.bottom() - 3.0 * apart);
    for (const double shift : {-apart, 0.0, apart})
        painter.drawEllipse(centre + QPointF(shift, 0.0), radius, radius);
}

} // namespace tasuki

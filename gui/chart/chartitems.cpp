// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartitems.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tasuki {

namespace {

// Qt Charts puts the ground at -1, the plot's ground at 0, then grid, axes, series from 1 on.
constexpr double behindBars = 0.5;
constexpr double aboveAll = 1000.0;
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

void paintText(const ChartPicture& picture, QPainter& painter)
{
    if (picture.titleRect.height() > 0.0) {
        painter.setFont(picture.boldFont());
        painter.setPen(picture.colours.text);
        const QString text = QFontMetricsF(painter.font())
                                 .elidedText(picture.title, Qt::ElideRight,
                                             picture.titleRect.width());
        painter.drawText(picture.titleRect, Qt::AlignLeft | Qt::AlignTop, text);
        painter.setFont(picture.font);
    }
    painter.setPen(picture.colours.text);
    if (picture.summaryRect.height() > 0.0)
        painter.drawText(picture.summaryRect, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         picture.summary);
    painter.setPen(picture.colours.dimText);
    const QString text = QFontMetricsF(picture.font)
                             .elidedText(picture.note, Qt::ElideRight, picture.noteRect.width());
    painter.drawText(picture.noteRect, Qt::AlignRight | Qt::AlignBottom, text);
}

void paintSign(const ChartPicture& picture, QPainter& painter, const QRectF& rect,
               ChartKey::Sign sign)
{
    painter.setPen(QPen(picture.colours.mark, 1.2));
    painter.setBrush(Qt::NoBrush);
    switch (sign) {
    case ChartKey::Sign::None: return;
    case ChartKey::Sign::Predicted:
        painter.fillRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), picture.colours.predicted);
        return;
    case ChartKey::Sign::Measured: {
        const QRectF box = rect.adjusted(0.5, 0.5, -0.5, -0.5);
        painter.setPen(QPen(picture.colours.measuredLine, 1.0));
        painter.setBrush(picture.colours.measured);
        painter.drawRect(box);
        hatch(painter, box);
        return;
    }
    case ChartKey::Sign::Best:
        painter.setBrush(picture.colours.mark);
        painter.drawPolygon(starIn(rect));
        return;
    case ChartKey::Sign::BestMeasured: painter.drawPolygon(starIn(rect)); return;
    case ChartKey::Sign::Worst: painter.drawPolygon(triangleIn(rect)); return;
    }
}

void paintKeys(const ChartPicture& picture, QPainter& painter)
{
    for (const ChartKey& key : picture.keys) {
        QRectF text = key.rect;
        if (key.sign != ChartKey::Sign::None) {
            const double top = key.rect.center().y() - ChartPicture::signSize / 2.0;
            paintSign(picture, painter,
                      QRectF(key.rect.left(), top, ChartPicture::signSize, ChartPicture::signSize),
                      key.sign);
            text.setLeft(text.left() + ChartPicture::signSize + ChartPicture::between);
        }
        painter.setPen(key.sign == ChartKey::Sign::None ? picture.colours.dimText
                                                        : picture.colours.text);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, key.text);
    }
}

void paintWords(const ChartPicture& picture, QPainter& painter)
{
    if (picture.wordsRect.height() <= ChartPicture::between)
        return;
    const double line = std::ceil(QFontMetricsF(picture.font).height());
    const double top = picture.wordsRect.top() + 1.6 * ChartPicture::between;
    painter.setPen(picture.colours.dimText);
    for (qsizetype task = 0; task < picture.taskTitles.size(); ++task) {
        const QRectF rect(picture.area().left() + ChartPicture::margin,
                          top + static_cast<double>(task) * line,
                          picture.plot.left() - ChartPicture::between - picture.area().left()
                              - ChartPicture::margin,
                          line);
        painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, picture.taskTitles[task]);
    }
    painter.setPen(picture.colours.text);
    for (int column = 0; column < static_cast<int>(picture.columns.size()); ++column) {
        const ChartColumn& one = picture.columns[static_cast<std::size_t>(column)];
        painter.setFont(one.selected ? picture.boldFont() : picture.font);
        if (picture.taskTitles.isEmpty()) {
            painter.save();
            painter.translate(picture.centreOf(column),
                              picture.wordsRect.top() + ChartPicture::between);
            painter.rotate(-90.0);
            const double length = picture.wordsRect.height() - 2.0 * ChartPicture::between;
            const QString text = QFontMetricsF(painter.font())
                                     .elidedText(one.words.join(QLatin1Char(' ')), Qt::ElideRight,
                                                 length + 1.0);
            painter.drawText(QRectF(-length, -line / 2.0, length, line),
                             Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text);
            painter.restore();
            continue;
        }
        for (qsizetype task = 0; task < std::min(one.words.size(), picture.taskTitles.size());
             ++task) {
            const QRectF rect(picture.rectOf(column).left(), top + static_cast<double>(task) * line,
                              picture.columnWidth(), line);
            painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, one.words[task]);
        }
    }
    painter.setFont(picture.font);
}

void paintMeasured(const ChartPicture& picture, QPainter& painter, int column)
{
    const ChartColumn& one = picture.columns[static_cast<std::size_t>(column)];
    const QRectF bar = picture.barOf(column, true);
    painter.setPen(QPen(picture.colours.measuredLine, 1.0));
    hatch(painter, bar);
    if (!(one.high > one.low))
        return;
    const double x = bar.center().x();
    const double half = std::min(4.0, bar.width() / 4.0);
    painter.setPen(QPen(picture.colours.whisker, 1.3));
    const double low = picture.yOf(one.low);
    const double high = picture.yOf(one.high);
    painter.drawLine(QPointF(x, low), QPointF(x, high));
    for (const double y : {low, high})
        painter.drawLine(QPointF(x - half, y), QPointF(x + half, y));
}

void paintMarks(const ChartPicture& picture, QPainter& painter, int column)
{
    const ChartColumn& one = picture.columns[static_cast<std::size_t>(column)];
    if (!one.best && !one.worst && !one.bestMeasured)
        return;
    // Above everything in the column, one on top of the other.
    double highest = one.predicted;
    if (one.measured)
        highest = std::max({highest, *one.measured, one.high});
    QRectF place(picture.centreOf(column) - ChartPicture::markSize / 2.0,
                 picture.yOf(highest) - ChartPicture::markSize - 2.0, ChartPicture::markSize,
                 ChartPicture::markSize);
    const auto add = [&](bool wanted, ChartKey::Sign sign) {
        if (!wanted)
            return;
        paintSign(picture, painter, place, sign);
        place.translate(0.0, -ChartPicture::markSize - 2.0);
    };
    add(one.best, ChartKey::Sign::Best);
    add(one.worst, ChartKey::Sign::Worst);
    add(one.bestMeasured, ChartKey::Sign::BestMeasured);
}

void paintGap(const ChartPicture& picture, QPainter& painter, int column)
{
    constexpr double radius = 1.6;
    constexpr double apart = 6.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(picture.colours.text);
    const QPointF centre(picture.centreOf(column), picture.plot.bottom() - 3.0 * apart);
    for (const double shift : {-apart, 0.0, apart})
        painter.drawEllipse(centre + QPointF(shift, 0.0), radius, radius);
}

void paintBehind(const ChartPicture& picture, QPainter& painter)
{
    for (int column = 0; column < static_cast<int>(picture.columns.size()); ++column) {
        if (!picture.columns[static_cast<std::size_t>(column)].selected)
            continue;
        painter.setPen(QPen(picture.colours.bandLine, 1.5));
        painter.setBrush(picture.colours.band);
        painter.drawRect(picture.rectOf(column).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void paintAbove(const ChartPicture& picture, QPainter& painter)
{
    painter.setFont(picture.font);
    paintText(picture, painter);
    paintKeys(picture, painter);
    paintWords(picture, painter);
    for (int column = 0; column < static_cast<int>(picture.columns.size()); ++column) {
        const ChartColumn& one = picture.columns[static_cast<std::size_t>(column)];
        if (one.row < 0) {
            paintGap(picture, painter, column);
            continue;
        }
        if (one.measured)
            paintMeasured(picture, painter, column);
        paintMarks(picture, painter, column);
    }
}

} // namespace

PictureItem::PictureItem(const ChartPicture& picture, Part part, QGraphicsItem* parent)
    : QGraphicsItem(parent), m_picture(picture), m_part(part)
{
    setZValue(part == Part::Behind ? behindBars : aboveAll);
    setAcceptedMouseButtons(Qt::NoButton);
}

void PictureItem::renew()
{
    if (m_area != m_picture.area()) {
        prepareGeometryChange();
        m_area = m_picture.area();
    }
    update();
}

void PictureItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/,
                        QWidget* /*widget*/)
{
    painter->setRenderHint(QPainter::Antialiasing);
    if (m_part == Part::Behind)
        paintBehind(m_picture, *painter);
    else
        paintAbove(m_picture, *painter);
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TraceScene that paints.
#include "tracecanvas.h"
#include "tracerowlabels.h"
#include "tracescene.h"
#include "tracetext.h"

#include <QFontMetrics>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int nameSpace = 4;
constexpr int titleSpace = 8;
constexpr int titlePart = 3; ///< the title keeps one part of so many of the width at least
constexpr int smallestName = 9;
constexpr int mostMessagesOfSelection = 64;

QColor hue(QRgb rgb) { return QColor::fromRgb(rgb); }

} // namespace

void TraceScene::paint(QPainter& painter)
{
    if (isEmpty()) {
        paintEmpty(painter);
        return;
    }
    const QRect rows = rowsRect();
    m_axis.setWindow(m_view.window(), rows.width());
    refreshRows();
    painter.drawImage(rows.topLeft(), m_rows);
    paintSelection(painter);
    paintFrame(painter);
}

void TraceScene::refreshRows()
{
    const QRect rows = rowsRect();
    const QSize size(static_cast<int>(std::lround(rows.width() * m_ratio)),
                     static_cast<int>(std::lround(rows.height() * m_ratio)));
    if (!m_rowsDirty && m_paintedWindow == m_view.window() && m_rows.size() == size)
        return;
    if (m_rows.size() != size)
        m_rows = QImage(size, QImage::Format_RGB32);
    m_rows.setDevicePixelRatio(m_ratio);
    paintTraceGround(m_rows, m_layout, m_axis.ticks(), m_view.window(), m_palette);
    TraceBricks bricks(*m_store, m_view.window(), size.width(), m_ratio);
    const auto [first, last] = m_layout.visibleRows();
    for (std::size_t row = first; row < last; ++row)
        bricks.addRow(static_cast<std::uint32_t>(row), TraceRowLines::of(m_layout, row, m_ratio));
    paintTraceBricks(m_rows, bricks.bricks(), m_ratio, m_palette);
    QPainter painter(&m_rows);
    paintOnRows(painter, bricks.names(), m_ratio);
    m_paintedWindow = m_view.window();
    m_rowsDirty = false;
}

void TraceScene::paintShapes(QPainter& painter)
{
    if (isEmpty()) {
        paintEmpty(painter);
        return;
    }
    const QRect rows = rowsRect();
    m_axis.setWindow(m_view.window(), rows.width());
    painter.save();
    painter.setClipRect(rows);
    paintTraceGround(painter, QRectF(rows), m_layout, m_axis.ticks(), m_view.window(), m_palette);
    TraceBricks bricks(*m_store, m_view.window(), rows.width(), 1);
    const auto [first, last] = m_layout.visibleRows();
    for (std::size_t row = first; row < last; ++row)
        bricks.addRow(static_cast<std::uint32_t>(row), TraceRowLines::of(m_layout, row, 1));
    paintTraceBricks(painter, QPointF(rows.topLeft()), bricks.bricks(), m_palette);
    painter.translate(rows.topLeft());
    paintOnRows(painter, bricks.names(), 1);
    painter.restore();
    paintSelection(painter);
    paintFrame(painter);
}

/// Everything on the bars. The painter's zero is the top left of the rows.
void TraceScene::paintOnRows(QPainter& painter, const std::vector<TraceNamePlace>& names,
                             double ratio) const
{
    paintNames(painter, names, ratio);
    if (m_referenceEndUs)
        paintEnd(painter, toNanoseconds(*m_referenceEndUs), Qt::DotLine);
    paintEnd(painter, m_store->end(), Qt::SolidLine);
    const TraceLines drawn = lines();
    if (m_withMessages)
        drawn.paintArrows(painter, m_palette);
    if (m_withPath)
        drawn.paintPath(painter, m_palette);
}

void TraceScene::paintNames(QPainter& painter, const std::vector<TraceNamePlace>& names,
                            double ratio) const
{
    QFont font = m_font;
    const QFontMetrics normal(font);
    const int room = TraceRowLines::of(m_layout, 0, 1).barEnd
        - TraceRowLines::of(m_layout, 0, 1).barTop;
    const int pixels = QFontInfo(font).pixelSize();
    if (normal.height() > room)
        font.setPixelSize(std::clamp(pixels * room / normal.height(), smallestName, pixels));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const TraceNamePlace& place : names) {
        const double height = (place.bottom - place.top) / ratio;
        const double left = place.left / ratio + nameSpace;
        const double width = place.right / ratio - nameSpace - left;
        const QString name = TraceText::callName(*m_store, place.span);
        const double wanted = metrics.horizontalAdvance(name);
        if (wanted > width || metrics.ascent() > height)
            continue; // part of a name misleads
        const double top = place.top / ratio + (height - metrics.height()) / 2;
        if (TraceCategories::isWaiting(place.category))
            painter.fillRect(QRectF(left - 2, top, wanted + 4, metrics.height()),
                             hue(m_palette.fill[place.category]));
        painter.setPen(hue(m_palette.text[place.category]));
        painter.drawText(QPointF(left, top + metrics.ascent()), name);
    }
}

void TraceScene::paintEnd(QPainter& painter, Nanoseconds end, Qt::PenStyle style) const
{
    const double x = m_view.xOf(end);
    if (end <= 0 || x < 0 || x > m_view.width())
        return;
    painter.setPen(QPen(hue(m_palette.end), 1, style));
    const double middle = std::floor(x) + 0.5;
    painter.drawLine(QPointF(middle, 0), QPointF(middle, rowsRect().height()));
}

void TraceScene::paintSelection(QPainter& painter) const
{
    if (m_selected.kind == TraceItem::Kind::Nothing)
        return;
    const QRect rows = rowsRect();
    painter.save();
    painter.setClipRect(rows);
    std::vector<std::uint32_t> messages{m_selected.index};
    if (m_selected.kind == TraceItem::Kind::Call) {
        const auto [first, last] = m_store->wholeCall(m_selected.index);
        QRectF bar = barOf(first).united(barOf(last));
        bar.setLeft(std::max(bar.left(), rows.left() - 8.0));
        bar.setRight(std::min(bar.right(), rows.right() + 8.0));
        bar.adjust(-1, -1, 1, 1);
        painter.setBrush(Qt::NoBrush);
        // Two lines, so that it is seen on every colour.
        painter.setPen(QPen(hue(m_palette.base.background), 4));
        painter.drawRect(bar);
        painter.setPen(QPen(hue(m_palette.base.selection), 2));
        painter.drawRect(bar);
        messages = m_store->messagesOf(m_selected.index, mostMessagesOfSelection);
    }
    painter.translate(rows.topLeft());
    if (m_withMessages || m_selected.kind == TraceItem::Kind::Message) {
        for (const std::uint32_t message : messages)
            lines().paintSelectedArrow(painter, message, m_palette);
    }
    painter.restore();
}

/// What is around the rows.
void TraceScene::paintFrame(QPainter& painter) const
{
    const QRect rows = rowsRect();
    const QRect labels(0, rows.top(), rows.left(), rows.height());
    TraceRowLabels(m_layout, m_font, m_notes).paint(painter, labels, m_palette);
    if (const auto task = selectedTask()) {
        const QRect mark(0, rows.top() + m_layout.yOf(*task), 3, m_layout.rowHeight());
        painter.fillRect(mark.intersected(labels), hue(m_palette.base.selection));
    }
    const QRect axis = axisRect();
    m_axis.paint(painter, axis, m_palette.base);
    const QRect corner(0, axis.top(), axis.left(), axis.height());
    painter.fillRect(corner, hue(m_palette.base.gutter));
    painter.setPen(hue(m_palette.base.line));
    painter.drawLine(corner.bottomLeft(), corner.bottomRight());
    painter.drawLine(corner.topRight(), corner.bottomRight());
    paintTitle(painter);
    if (const int height = legendHeight(); height > 0)
        m_legend.paint(painter, QRect(0, m_size.height() - height, m_size.width(), height),
                       m_palette, m_withPath && lines().isPathCondensed());
}

void TraceScene::paintTitle(QPainter& painter) const
{
    const QRect place(0, 0, m_size.width(), titleHeight());
    painter.fillRect(place, hue(m_palette.base.gutter));
    const QRect inner = place.adjusted(titleSpace, 0, -titleSpace, 0);
    QFont bold = m_font;
    bold.setBold(true);
    const QFontMetrics boldMetrics(bold);
    const QFontMetrics metrics(m_font);
    const int wanted = std::min(boldMetrics.horizontalAdvance(m_title), inner.width() / titlePart);
    const QString right = metrics.elidedText(status(), Qt::ElideRight,
                                             inner.width() - wanted - 2 * titleSpace);
    painter.setFont(m_font);
    painter.setPen(hue(m_palette.base.dimText));
    painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, right);
    painter.setFont(bold);
    painter.setPen(hue(m_palette.base.text));
    const int room = inner.width() - metrics.horizontalAdvance(right) - 2 * titleSpace;
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     boldMetrics.elidedText(m_title, Qt::ElideMiddle, room));
}

void TraceScene::paintEmpty(QPainter& painter) const
{
    constexpr int around = 20;
    const QRect all(QPoint(0, 0), m_size);
    painter.fillRect(all, hue(m_palette.base.background));
    painter.setFont(m_font);
    painter.setPen(hue(m_palette.base.dimText));
    const QString text = m_store ? tr("This trace has no tasks.")
        : m_emptyText.isEmpty()  ? tr("Open a trace to see what its tasks did.")
                                 : m_emptyText;
    painter.drawText(all.adjusted(around, around, -around, -around),
                     Qt::AlignCenter | Qt::TextWordWrap, text);
}

} // namespace tasuki

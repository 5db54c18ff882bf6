// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanescene.h"

#include "lanepixels.h"

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int labelPart = 3;    ///< labels take one part of so many of the width at most
constexpr int outOfSight = 8;   ///< pixels; an outline that is farther out is cut
constexpr int rowMarkWidth = 3; ///< at the label of the row with the selection

} // namespace

void LaneScene::setGeometry(QSize size)
{
    m_size = size;
    refreshLayout();
}

void LaneScene::setRatio(double ratio)
{
    if (m_ratio == ratio)
        return;
    m_ratio = ratio;
    touchAll();
}

void LaneScene::setScroll(int pixels)
{
    m_layout.scroll = std::clamp(pixels, 0, m_layout.largestScroll());
    touchAll();
}

void LaneScene::setLeastLabelWidth(int pixels)
{
    m_leastLabelWidth = pixels;
    refreshLayout();
}

void LaneScene::setFont(const QFont& font)
{
    m_font = font;
    m_axis.setFont(font);
}

void LaneScene::reset()
{
    m_view = TimelineView();
    refreshLayout();
}

void LaneScene::touchAll()
{
    m_rowsDirty = true;
    m_labelsDirty = true;
}

void LaneScene::refreshLayout()
{
    m_layout.lanes = laneCount();
    // The labels' width depends on the rows' height, and the legend's height on neither.
    m_layout.height = std::max(0,
                               m_size.height() - titleHeight() - m_axis.height() - legendHeight());
    m_layout.scroll = std::clamp(m_layout.scroll, 0, m_layout.largestScroll());
    m_ownLabelWidth = isEmpty() ? 0 : labelWidth();
    m_labelWidth = std::min(std::max(m_leastLabelWidth, m_ownLabelWidth),
                            std::max(0, m_size.width()) / labelPart);
    m_view.setWidth(rowsRect().width());
    touchAll();
}

QRect LaneScene::rowsRect() const
{
    const int top = titleHeight() + m_axis.height();
    return {m_labelWidth, top, std::max(1, m_size.width() - m_labelWidth),
            std::max(1, m_size.height() - top - legendHeight())};
}

QRect LaneScene::axisRect() const
{
    const QRect rows = rowsRect();
    return {rows.left(), titleHeight(), rows.width(), m_axis.height()};
}

QRect LaneScene::labelsRect() const
{
    const QRect rows = rowsRect();
    return {0, rows.top(), rows.left(), rows.height()};
}

std::optional<std::size_t> LaneScene::rowAt(const QPoint& position) const
{
    const QRect rows = rowsRect();
    if (position.x() < 0 || position.x() > rows.right())
        return std::nullopt;
    return m_layout.rowAt(position.y() - rows.top());
}

void LaneScene::paint(QPainter& painter)
{
    if (isEmpty()) {
        paintEmpty(painter);
        return;
    }
    const QRect rows = rowsRect();
    m_axis.setWindow(m_view.window(), rows.width());
    refreshImages();
    painter.drawImage(rows.topLeft(), m_rows);
    painter.save();
    painter.setClipRect(rows);
    paintOverRows(painter);
    painter.restore();
    painter.drawImage(labelsRect().topLeft(), m_labels);
    paintFrame(painter);
}

void LaneScene::paintShapes(QPainter& painter)
{
    if (isEmpty()) {
        paintEmpty(painter);
        return;
    }
    const QRect rows = rowsRect();
    m_axis.setWindow(m_view.window(), rows.width());
    painter.save();
    painter.setClipRect(rows);
    painter.save();
    painter.fillRect(rows, opaque(colours().background));
    makeGround(static_cast<std::size_t>(rows.width()));
    const auto [first, last] = m_layout.visibleRows();
    for (std::size_t row = first; row < last; ++row)
        fillRuns(
            painter,
            QRect(rows.left(), rows.top() + m_layout.yOf(row), rows.width(), m_layout.rowHeight()),
            ground(isBand(row)));
    paintRowShapes(painter);
    painter.restore();
    paintOverRows(painter);
    painter.restore();
    paintLabels(painter, labelsRect());
    paintFrame(painter);
}

void LaneScene::makeGround(std::size_t columns)
{
    m_plain = m_axis.grid(columns, colours().background, colours());
    m_band = m_axis.grid(columns, colours().band, colours());
}

void LaneScene::paintGround(QImage& image) const
{
    image.fill(colours().background);
    const auto lineAt = [&](std::size_t row) {
        return static_cast<int>(std::lround(m_layout.yOf(row) * m_ratio));
    };
    const auto [first, last] = m_layout.visibleRows();
    for (std::size_t row = first; row < last; ++row) {
        const std::span<const QRgb> columns = ground(isBand(row));
        for (int y = std::max(0, lineAt(row)); y < std::min(lineAt(row + 1), image.height()); ++y)
            std::ranges::copy(columns, reinterpret_cast<QRgb*>(image.scanLine(y)));
    }
}

void LaneScene::refreshImages()
{
    const QRect rows = rowsRect();
    const QSize device(static_cast<int>(std::lround(rows.width() * m_ratio)),
                       static_cast<int>(std::lround(rows.height() * m_ratio)));
    if (m_rowsDirty || m_paintedWindow != m_view.window() || m_rows.size() != device) {
        if (m_rows.size() != device)
            m_rows = QImage(device, QImage::Format_RGB32);
        m_rows.setDevicePixelRatio(m_ratio);
        makeGround(static_cast<std::size_t>(device.width()));
        paintGround(m_rows);
        paintRows(m_rows);
        m_paintedWindow = m_view.window();
        m_rowsDirty = false;
    }
    const QSize labels = labelsRect().size();
    if (!m_labelsDirty || labels.isEmpty())
        return;
    m_labels = QImage(labels * m_ratio, QImage::Format_RGB32);
    m_labels.setDevicePixelRatio(m_ratio);
    QPainter painter(&m_labels);
    paintLabels(painter, QRect(QPoint(0, 0), labels));
    m_labelsDirty = false;
}

/// Axis, corner, and which row the selection is in.
void LaneScene::paintFrame(QPainter& painter) const
{
    const TimelinePalette& palette = colours();
    if (const auto place = selectedPlace()) {
        const QRect labels = labelsRect();
        const QRect mark(0, labels.top() + m_layout.yOf(place->row), rowMarkWidth,
                         m_layout.rowHeight());
        painter.fillRect(mark.intersected(labels), opaque(palette.selection));
    }
    const QRect axis = axisRect();
    m_axis.paint(painter, axis, palette);
    const QRect corner(0, axis.top(), axis.left(), axis.height());
    painter.fillRect(corner, opaque(palette.gutter));
    painter.setPen(opaque(palette.line));
    painter.drawLine(corner.bottomLeft(), corner.bottomRight());
    painter.drawLine(corner.topRight(), corner.bottomRight());
    paintAround(painter);
}

void LaneScene::paintOutline(QPainter& painter, QRectF bar, double line) const
{
    const QRect rows = rowsRect();
    bar.setLeft(std::max(bar.left(), rows.left() - double{outOfSight}));
    bar.setRight(std::min(bar.right(), rows.right() + double{outOfSight}));
    bar.adjust(-1, -1, 1, 1);
    painter.setBrush(Qt::NoBrush);
    // Two lines, so that it is seen on every colour.
    painter.setPen(QPen(opaque(colours().background), line + 2));
    painter.drawRect(bar);
    painter.setPen(QPen(opaque(colours().selection), line));
    painter.drawRect(bar);
}

void LaneScene::paintEmpty(QPainter& painter) const
{
    constexpr int around = 20;
    const QRect all(QPoint(0, 0), m_size);
    painter.fillRect(all, opaque(colours().background));
    painter.setFont(m_font);
    painter.setPen(opaque(colours().dimText));
    painter.drawText(all.adjusted(around, around, -around, -around),
                     Qt::AlignCenter | Qt::TextWordWrap, emptyText());
}

} // namespace tasuki

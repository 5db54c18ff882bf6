// SPDX-License-Identifier: GPL-3.0-or-later
// The half of TimelineScene that paints.
#include "lanelabels.h"
#include "timelinescene.h"

#include <QFontMetricsF>
#include <QPolygon>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int narrowestText = 26; ///< logical pixels
constexpr int barTextPadding = 4;
constexpr int shortestCommand = 40; ///< logical pixels; below, the number stands alone
constexpr qsizetype longestText = 60;

QColor colour(QRgb rgb) { return QColor::fromRgb(rgb); }

} // namespace

void TimelineScene::paint(QPainter& painter)
{
    const QRect lanes = lanesRect();
    m_axis.setWindow(m_view.window(), lanes.width());
    if (isEmpty()) {
        paintEmpty(painter);
        return;
    }
    refreshLanes();
    refreshLabels();
    painter.drawImage(lanes.topLeft(), m_lanes);
    paintSelection(painter);
    paintNow(painter);
    painter.drawImage(QPoint(0, lanes.top()), m_labels);
    m_axis.paint(painter, QRect(lanes.left(), 0, lanes.width(), lanes.top()), m_palette);
    paintMark(painter);
    const QRect corner(0, 0, lanes.left(), lanes.top());
    painter.fillRect(corner, colour(m_palette.gutter));
    painter.setPen(colour(m_palette.line));
    painter.drawLine(corner.bottomLeft(), corner.bottomRight());
    painter.drawLine(corner.topRight(), corner.bottomRight());
    if (const auto current = chosen()) {
        const QRect mark(0, lanes.top() + m_layout.yOf(current->row), 3, m_layout.rowHeight());
        painter.fillRect(mark.intersected(QRect(0, lanes.top(), lanes.left(), lanes.height())),
                         colour(m_palette.selection));
    }
}

void TimelineScene::refreshLanes()
{
    const QSize size(static_cast<int>(std::lround(lanesRect().width() * m_ratio)),
                     static_cast<int>(std::lround(lanesRect().height() * m_ratio)));
    const bool moved = m_paintedWindow != m_view.window() || m_lanes.size() != size;
    const bool grown = m_store->openCount() != 0 && m_paintedNow != m_now
        && toNanoseconds(std::min(m_paintedNow, m_now)) < m_view.window().end()
        && toNanoseconds(std::max(m_paintedNow, m_now)) > m_view.window().begin;
    if (!m_lanesDirty && !moved && !grown)
        return;
    if (m_lanes.size() != size)
        m_lanes = QImage(size, QImage::Format_RGB32);
    m_lanes.setDevicePixelRatio(m_ratio);
    m_raster.setNarrowestSpot(static_cast<std::size_t>(narrowestText * m_ratio));
    m_raster.compose(contents(), m_ratio, m_lanes);
    paintSpotTexts();
    m_paintedWindow = m_view.window();
    m_paintedNow = m_now;
    m_lanesDirty = false;
}

void TimelineScene::refreshLabels()
{
    if (!m_labelsDirty)
        return;
    const QSize size(m_labelWidth, lanesRect().height());
    m_labels = QImage(size * m_ratio, QImage::Format_RGB32);
    m_labels.setDevicePixelRatio(m_ratio);
    QPainter painter(&m_labels);
    LaneLabels(*m_store, m_layout, m_font).paint(painter, QRect(QPoint(0, 0), size), m_palette);
    m_labelsDirty = false;
}

const QStaticText& TimelineScene::textOf(TaskId task)
{
    if (const QStaticText* known = m_texts.object(task.value()))
        return *known;
    QString text = QString::number(task.value());
    if (m_taskText) {
        const QString command = m_taskText(task);
        if (!command.isEmpty())
            text += QStringLiteral("  ") + command.left(longestText).simplified();
    }
    auto* made = new QStaticText(text);
    made->setTextFormat(Qt::PlainText);
    made->prepare(QTransform(), m_barFont);
    m_texts.insert(task.value(), made); // owns it
    return *made;
}

/// Texts are cut, not elided: that would have to be done anew for each step of a zoom.
void TimelineScene::paintSpotTexts()
{
    std::vector<LabelSpot> cut;
    {
        QPainter painter(&m_lanes);
        painter.setFont(m_barFont);
        for (const LabelSpot& spot : m_raster.spots()) {
            if (paintSpotText(painter, spot))
                cut.push_back(spot);
        }
    }
    for (const LabelSpot& spot : cut)
        m_raster.fadeOut(spot, m_layout, m_ratio, m_lanes);
}

/// @return whether the text was too long for its place
bool TimelineScene::paintSpotText(QPainter& painter, const LabelSpot& spot)
{
    const auto columns = static_cast<std::size_t>(m_lanes.width());
    const Nanoseconds middle = m_view.window().edge(columns,
                                                    spot.begin + (spot.end - spot.begin) / 2);
    const auto attempt = m_store->attemptAt(spot.row, toWallTime(middle), m_now);
    if (!attempt)
        return false;
    const QFontMetricsF metrics(m_barFont);
    const double left = static_cast<double>(spot.begin) / m_ratio + barTextPadding;
    const double room = static_cast<double>(spot.end) / m_ratio - barTextPadding / 2.0 - left;
    const QString number = QString::number(attempt->key.task.value());
    const double numberWidth = metrics.horizontalAdvance(number);
    if (room < numberWidth)
        return false; // half a number misleads
    const int step = m_layout.rowHeight();
    const int top = m_layout.yOf(spot.row);
    const double textTop = top + (step - metrics.height()) / 2;
    painter.setClipRect(QRectF(left, top, room, step));
    painter.setPen(colour(m_palette.textOn(attempt->kind())));
    if (room < numberWidth + shortestCommand) {
        painter.drawText(QPointF(left, textTop + metrics.ascent()), number);
        return false;
    }
    const QStaticText& text = textOf(attempt->key.task);
    painter.drawStaticText(QPointF(left, textTop), text);
    return text.size().width() > room;
}

void TimelineScene::paintSelection(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(lanesRect());
    painter.setBrush(Qt::NoBrush);
    for (const auto& [row, attempt] : m_selected) {
        const QRectF bar = rectOf(row, attempt);
        const bool chosen = !m_selectedAttempt || *m_selectedAttempt == attempt.key;
        const double line = chosen ? 2 : 1;
        // Two lines, so that it is seen on every colour.
        painter.setPen(QPen(colour(m_palette.background), line + 2));
        painter.drawRect(bar.adjusted(-1, -1, 1, 1));
        painter.setPen(QPen(colour(m_palette.selection), line));
        painter.drawRect(bar.adjusted(-1, -1, 1, 1));
    }
    painter.restore();
}

void TimelineScene::paintNow(QPainter& painter) const
{
    if (!m_live)
        return;
    const QRect lanes = lanesRect();
    const double x = m_view.xOf(toNanoseconds(m_now));
    if (x < 0 || x > lanes.width())
        return;
    painter.setPen(QPen(colour(m_palette.now), 1.5));
    painter.drawLine(QPointF(lanes.left() + x, lanes.top()),
                     QPointF(lanes.left() + x, lanes.bottom()));
}

/// A dashed line through all rows, and a point on the axis.
void TimelineScene::paintMark(QPainter& painter) const
{
    if (!m_mark)
        return;
    const QRect lanes = lanesRect();
    const double x = lanes.left() + m_view.xOf(toNanoseconds(*m_mark));
    if (x < lanes.left() || x > lanes.right())
        return;
    constexpr double half = 5;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour(m_palette.selection), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, lanes.top()), QPointF(x, lanes.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(m_palette.selection));
    painter.drawPolygon(
        QPolygonF({QPointF(x - half, lanes.top() - 1.5 * half),
                   QPointF(x + half, lanes.top() - 1.5 * half), QPointF(x, lanes.top())}));
    painter.restore();
}

void TimelineScene::paintEmpty(QPainter& painter) const
{
    const QRect all(QPoint(0, 0), m_size);
    painter.fillRect(all, colour(m_palette.background));
    painter.setFont(m_font);
    painter.setPen(colour(m_palette.dimText));
    painter.drawText(all.adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Nothing has run yet.\nTasks appear here as they run."));
}

void TimelineScene::paintShapes(QPainter& painter)
{
    const QRect lanes = lanesRect();
    m_axis.setWindow(m_view.window(), lanes.width());
    if (isEmpty()) {
        paintEmpty(painter);
        return;
    }
    paintLaneShapes(painter);
    paintSelection(painter);
    paintNow(painter);
    LaneLabels(*m_store, m_layout, m_font)
        .paint(painter, QRect(0, lanes.top(), lanes.left(), lanes.height()), m_palette);
    m_axis.paint(painter, QRect(lanes.left(), 0, lanes.width(), lanes.top()), m_palette);
    paintMark(painter);
    painter.fillRect(QRect(0, 0, lanes.left(), lanes.top()), colour(m_palette.gutter));
}

void TimelineScene::paintMarkShapes(QPainter& painter, const std::vector<std::uint8_t>& failures,
                                    const RowLines& lines) const
{
    const QPoint origin = lanesRect().topLeft();
    const int spread = markSpread(lines.end - lines.markTop - 1);
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(m_palette.failureMark));
    auto begin = failures.begin();
    while ((begin = std::find(begin, failures.end(), 1)) != failures.end()) {
        const auto end = std::find(begin, failures.end(), 0);
        const int left = static_cast<int>(begin - failures.begin());
        const int right = static_cast<int>(end - failures.begin());
        const QPolygon tooth({QPoint(left, lines.markTop), QPoint(right, lines.markTop),
                              QPoint(right + spread, lines.end), QPoint(left - spread, lines.end)});
        painter.drawPolygon(tooth.translated(origin));
        begin = end;
    }
    painter.restore();
}

void TimelineScene::paintLaneShapes(QPainter& painter)
{
    const QRect lanes = lanesRect();
    const auto width = static_cast<std::size_t>(lanes.width());
    std::vector<ColumnSummary> columns(width);
    std::vector<QRgb> ground(width);
    LanePixels pixels;
    painter.save();
    painter.setClipRect(lanes);
    painter.fillRect(lanes, colour(m_palette.background));
    const auto [first, last] = m_layout.visibleRows();
    for (std::size_t row = first; row < last; ++row) {
        const bool odd = m_store->lane(row).rank.value() % 2 != 0;
        LaneRaster::ground(contents(), odd ? m_palette.band : m_palette.background, ground);
        m_store->summarise(row, m_view.window(), m_now, columns);
        pixels.make(columns, ground, m_palette);
        const RowLines lines = RowLines::of(m_layout, row, 1);
        const auto rect = [&](std::size_t begin, std::size_t end, int top, int bottom) {
            return QRect(lanes.left() + static_cast<int>(begin), lanes.top() + top,
                         static_cast<int>(end - begin), bottom - top);
        };
        const auto runs = [&](const std::vector<QRgb>& line, int top, int bottom) {
            for (std::size_t begin = 0, end = 0; begin < width; begin = end) {
                while (end < width && line[end] == line[begin])
                    ++end;
                painter.fillRect(rect(begin, end, top, bottom), colour(line[begin]));
            }
        };
        runs(ground, lines.top, lines.end);
        runs(pixels.bar(), lines.barTop, lines.barEnd);
        paintMarkShapes(painter, pixels.failures(), lines);
    }
    painter.restore();
}

} // namespace tasuki

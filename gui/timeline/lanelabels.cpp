// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanelabels.h"

#include "attempttext.h"

#include <QFontMetrics>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int padding = 8;
constexpr int widestHost = 140;
constexpr int narrowest = 96;
constexpr int smallestFont = 9; ///< pixels
/// Lanes beyond these do not make the labels wider.
constexpr std::size_t measuredLanes = 2000;

} // namespace

QFont fontForRow(QFont font, int height)
{
    const int normal = QFontMetrics(font).height();
    if (height >= normal)
        return font;
    const int pixels = QFontInfo(font).pixelSize();
    font.setPixelSize(std::clamp(pixels * height / normal, smallestFont, pixels));
    return font;
}

LaneLabels::LaneLabels(const TimelineStore& store, const LaneLayout& layout, const QFont& font)
    : m_store(store), m_layout(layout), m_font(fontForRow(font, layout.rowHeight()))
{
    for (std::size_t row = 0; row < store.laneCount() && !m_withSlots; ++row)
        m_withSlots = store.lane(row).slot.value() != 0;
}

QString LaneLabels::laneText(std::size_t row) const
{
    const LaneInfo& lane = m_store.lane(row);
    const QString rank = AttemptText::rank(lane);
    return m_withSlots ? tr("%1.%2", "rank and slot").arg(rank).arg(lane.slot.value()) : rank;
}

int LaneLabels::hostWidth() const
{
    const QFontMetrics metrics(m_font);
    int width = 0;
    for (std::size_t row = 0; row < std::min(measuredLanes, m_store.laneCount()); ++row) {
        if (beginsHost(row))
            width = std::max(
                width, metrics.horizontalAdvance(QString::fromStdString(m_store.lane(row).host)));
    }
    return std::min(width, widestHost);
}

int LaneLabels::width() const
{
    if (m_store.laneCount() == 0)
        return narrowest;
    const QFontMetrics metrics(m_font);
    // The last of each subcluster has the greatest number.
    int lanes = metrics.horizontalAdvance(laneText(m_store.laneCount() - 1));
    for (std::size_t row = 0; row + 1 < std::min(measuredLanes, m_store.laneCount()); ++row) {
        if (m_store.lane(row).place.subcluster != m_store.lane(row + 1).place.subcluster)
            lanes = std::max(lanes, metrics.horizontalAdvance(laneText(row)));
    }
    return std::max(narrowest, hostWidth() + lanes + 4 * padding);
}

bool LaneLabels::beginsHost(std::size_t row) const
{
    return row == 0 || m_store.lane(row).host != m_store.lane(row - 1).host;
}

void LaneLabels::paint(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const
{
    painter.save();
    painter.setClipRect(rect);
    painter.setFont(m_font);
    painter.fillRect(rect, opaque(palette.gutter));
    paintHosts(painter, rect, palette);
    paintLanes(painter, rect, palette);
    painter.setPen(opaque(palette.line));
    painter.drawLine(rect.topRight(), rect.bottomRight());
    painter.restore();
}

void LaneLabels::paintHosts(QPainter& painter, const QRect& rect,
                            const TimelinePalette& palette) const
{
    const QFontMetrics metrics(m_font);
    const auto [first, last] = m_layout.visibleRows();
    int free = rect.top(); // where no text is yet
    for (std::size_t row = first; row < last; ++row) {
        if (row != first && !beginsHost(row))
            continue;
        std::size_t end = row + 1;
        while (end < last && !beginsHost(end))
            ++end;
        const int top = rect.top() + m_layout.yOf(row);
        const int bottom = rect.top() + m_layout.yOf(end);
        if (beginsHost(row) && row != 0) {
            painter.setPen(opaque(palette.line));
            painter.drawLine(rect.left(), top, rect.right(), top);
        }
        // In the first row of the group, and in sight when that is above.
        const int textTop = std::max(
            {top + std::max(0, (m_layout.rowHeight() - metrics.height()) / 2), free, rect.top()});
        if (textTop + metrics.height() > bottom + 1 && end != last)
            continue;
        const QString host = metrics.elidedText(QString::fromStdString(m_store.lane(row).host),
                                                Qt::ElideMiddle, hostWidth() + 2);
        painter.setPen(opaque(palette.dimText));
        painter.drawText(rect.left() + padding, textTop + metrics.ascent(), host);
        free = textTop + metrics.height();
    }
}

void LaneLabels::paintLanes(QPainter& painter, const QRect& rect,
                            const TimelinePalette& palette) const
{
    const QFontMetrics metrics(m_font);
    const int textHeight = metrics.height();
    const int step = m_layout.rowHeight();
    const auto stride = static_cast<std::size_t>((textHeight + step - 1) / step);
    const auto [first, last] = m_layout.visibleRows();
    const int right = rect.right() - padding;
    const int left = rect.left() + padding + hostWidth() + padding;
    for (std::size_t row = first; row < last; ++row) {
        // A label a pixel higher than its row does no harm.
        if (step + 1 < textHeight && row % stride != 0)
            continue;
        const QString text = metrics.elidedText(laneText(row), Qt::ElideRight, right - left);
        const int y = rect.top() + m_layout.yOf(row) + (step - textHeight) / 2 + metrics.ascent();
        painter.setPen(opaque(m_store.lane(row).present ? palette.text : palette.dimText));
        painter.drawText(right - metrics.horizontalAdvance(text), y, text);
    }
}

} // namespace tasuki

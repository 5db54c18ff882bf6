// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracerowlabels.h"

#include "timeline/lanelabels.h"
#include "tracetext.h"

#include <QFontMetrics>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int space = 8;
constexpr int leastWidth = 76;
constexpr int widestNote = 150;
constexpr qsizetype measuredNotes = 2000;

} // namespace

TraceRowLabels::TraceRowLabels(const LaneLayout& layout, const QFont& font,
                               const QStringList& notes)
    : m_layout(layout), m_font(fontForRow(font, layout.rowHeight())), m_notes(notes)
{}

bool TraceRowLabels::notesAreBelow() const
{
    return m_layout.rowHeight() >= 2 * QFontMetrics(m_font).height();
}

int TraceRowLabels::width() const
{
    const QFontMetrics metrics(m_font);
    const auto last = static_cast<std::uint32_t>(m_layout.lanes == 0 ? 0 : m_layout.lanes - 1);
    const int tasks = metrics.horizontalAdvance(TraceText::task(trace::Task(last)));
    int notes = 0;
    for (const QString& note : m_notes.mid(0, measuredNotes))
        notes = std::max(notes, std::min(metrics.horizontalAdvance(note), widestNote));
    const bool beside = notes > 0 && !notesAreBelow();
    return std::max(leastWidth,
                    (beside ? tasks + space + notes : std::max(tasks, notes)) + 2 * space);
}

void TraceRowLabels::paint(QPainter& painter, const QRect& rect, const TracePalette& palette) const
{
    painter.save();
    painter.setClipRect(rect);
    painter.setFont(m_font);
    painter.fillRect(rect, opaque(palette.base.gutter));
    const QFontMetrics metrics(m_font);
    const int height = metrics.height();
    const int step = m_layout.rowHeight();
    const auto stride = static_cast<std::size_t>((height + step - 1) / step);
    const bool below = notesAreBelow();
    const int room = rect.width() - 2 * space;
    const auto [first, last] = m_layout.visibleRows();
    for (std::size_t row = first; row < last; ++row) {
        // A label a pixel higher than its row does no harm.
        if (step + 1 < height && row % stride != 0)
            continue;
        const QString task = TraceText::task(trace::Task(static_cast<std::uint32_t>(row)));
        const QString note = m_notes.value(static_cast<qsizetype>(row));
        const bool twoLines = below && !note.isEmpty();
        const int left = rect.left() + space;
        int y = rect.top() + m_layout.yOf(row) + (step - (twoLines ? 2 : 1) * height) / 2
            + metrics.ascent();
        painter.setPen(opaque(palette.base.text));
        painter.drawText(left, y, metrics.elidedText(task, Qt::ElideRight, room));
        int noteLeft = left;
        if (twoLines)
            y += height;
        else
            noteLeft += metrics.horizontalAdvance(task) + space;
        painter.setPen(opaque(palette.base.dimText));
        painter.drawText(
            noteLeft, y,
            metrics.elidedText(note, Qt::ElideMiddle, rect.right() + 1 - space - noteLeft));
    }
    painter.setPen(opaque(palette.base.line));
    painter.drawLine(rect.topRight(), rect.bottomRight());
    painter.restore();
}

} // namespace tasuki

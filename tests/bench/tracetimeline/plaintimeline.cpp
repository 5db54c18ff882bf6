// SPDX-License-Identifier: GPL-3.0-or-later
#include "plaintimeline.h"

#include <QPainter>

#include <algorithm>

namespace tasuki::bench {

PlainTimeline::PlainTimeline(const TraceStore& store) : m_store(store)
{
    const auto& spans = store.timeline().spans;
    for (std::uint32_t task = 0; task <= store.tasks(); ++task) {
        const auto first = std::ranges::partition_point(
            spans, [task](const plan::TimelineSpan& span) { return span.task.value() < task; });
        m_first.push_back(static_cast<std::size_t>(first - spans.begin()));
    }
}

void PlainTimeline::paint(QImage& image, const TimeWindow& window,
                          const TracePalette& palette) const
{
    QPainter painter(&image);
    painter.fillRect(image.rect(), QColor::fromRgb(palette.base.background));
    const double height = static_cast<double>(image.height()) / m_store.tasks();
    const double scale = image.width() / toMicroseconds(window.span);
    const double beginUs = toMicroseconds(window.begin);
    const double endUs = toMicroseconds(window.end());
    const auto& spans = m_store.timeline().spans;
    for (std::uint32_t task = 0; task < m_store.tasks(); ++task) {
        const auto from = spans.begin() + static_cast<std::ptrdiff_t>(m_first[task]);
        const auto to = spans.begin() + static_cast<std::ptrdiff_t>(m_first[task + 1]);
        auto span = std::partition_point(
            from, to, [beginUs](const plan::TimelineSpan& item) { return item.endUs < beginUs; });
        for (; span != to && span->beginUs < endUs; ++span) {
            const double left = (span->beginUs - beginUs) * scale;
            const double width = std::max(1.0, (span->endUs - span->beginUs) * scale);
            painter.fillRect(QRectF(left, task * height + 2, width, height - 4),
                             QColor::fromRgb(palette.fill[m_store.categories().of(*span)]));
        }
    }
}

} // namespace tasuki::bench

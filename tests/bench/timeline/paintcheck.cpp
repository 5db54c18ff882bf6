// SPDX-License-Identifier: GPL-3.0-or-later
#include "paintcheck.h"

#include <QImage>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace tasuki::bench {

PaintCheck::PaintCheck(std::size_t attempts) : m_lanes(laneCount)
{
    makeRun(attempts, [this](const MadeAttempt& made) { m_lanes[made.lane].push_back(made); });
}

void PaintCheck::look(TimelineWidget& widget, const TimelineStore& store)
{
    const QImage image = widget.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
    const TimelineScene& scene = widget.scene();
    const auto width = static_cast<std::size_t>(
        std::lround(scene.rowsRect().width() * image.devicePixelRatio()));
    const auto [first, last] = scene.layout().visibleRows();
    for (std::size_t row = first; row < last; ++row) {
        compareLane(row, scene.view().window(), width, store);
        findMarks(row, scene, image);
    }
}

/// Walks through the attempts of the lane and the columns side by side.
void PaintCheck::compareLane(std::size_t row, const TimeWindow& window, std::size_t columns,
                             const TimelineStore& store)
{
    std::vector<ColumnSummary> found(columns);
    store.summarise(row, window, {}, found);
    std::size_t first = 0; // attempts before have ended
    for (std::size_t i = 0; i < columns; ++i) {
        const Nanoseconds from = window.edge(columns, i);
        const Nanoseconds to = window.edge(columns, i + 1);
        Nanoseconds busy = 0;
        const std::vector<MadeAttempt>& attempts = m_lanes[row];
        while (first < attempts.size() && attempts[first].end * 1000 <= from)
            ++first;
        for (std::size_t at = first; at < attempts.size() && attempts[at].start * 1000 < to; ++at)
            busy += std::max<Nanoseconds>(0,
                                          std::min(attempts[at].end * 1000, to)
                                              - std::max(attempts[at].start * 1000, from));
        const double share = static_cast<double>(busy) / static_cast<double>(to - from);
        m_largestDifference = std::max(m_largestDifference,
                                       std::abs(share - static_cast<double>(found[i].busy())));
        ++m_columns;
    }
}

/// Looks for a pixel of the colour of failures under each of them.
void PaintCheck::findMarks(std::size_t row, const TimelineScene& scene, const QImage& image)
{
    const QRect lanes = scene.rowsRect();
    const int y = lanes.top() + RowLines::of(scene.layout(), row, 1).end - 1;
    if (y >= image.height())
        return;
    const TimelineView& view = scene.view();
    for (const MadeAttempt& made : m_lanes[row]) {
        const Nanoseconds begin = made.start * 1000;
        const Nanoseconds end = std::max(made.end, made.start + 1) * 1000;
        if (!isFailure(classOf(made.outcome)) || end <= view.window().begin
            || begin >= view.window().end())
            continue;
        ++m_failures;
        const int left = static_cast<int>(std::floor(std::max(0.0, view.xOf(begin))));
        const int right = static_cast<int>(std::floor(std::min(view.width() - 1, view.xOf(end))));
        bool seen = false;
        for (int x = left; x <= right && !seen; ++x)
            seen = image.pixel(lanes.left() + x, y) == scene.palette().failureMark;
        m_unseen += seen ? 0 : 1;
    }
}

} // namespace tasuki::bench

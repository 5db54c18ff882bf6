// SPDX-License-Identifier: GPL-3.0-or-later
#include "naivetimeline.h"

#include <QPainter>

#include <algorithm>

namespace tasuki::bench {

NaiveTimeline::NaiveTimeline(std::size_t attempts) : m_lanes(laneCount)
{
    makeRun(attempts, [this](const MadeAttempt& made) { m_lanes[made.lane].push_back(made); });
}

void NaiveTimeline::paint(QImage& image, const TimeWindow& window,
                          const TimelinePalette& palette) const
{
    QPainter painter(&image);
    painter.fillRect(image.rect(), QColor::fromRgb(palette.background));
    const double height = static_cast<double>(image.height()) / laneCount;
    const double scale = image.width() / static_cast<double>(window.span);
    const std::int64_t begin = ceilMicrosecond(window.begin);
    const std::int64_t end = ceilMicrosecond(window.end());
    for (std::uint32_t lane = 0; lane < laneCount; ++lane) {
        const std::vector<MadeAttempt>& attempts = m_lanes[lane];
        auto made = std::partition_point(
            attempts.begin(), attempts.end(),
            [begin](const MadeAttempt& attempt) { return attempt.end < begin; });
        for (; made != attempts.end() && made->start < end; ++made) {
            const auto x = [&](std::int64_t time) {
                return static_cast<double>(time * nanosecondsPerMicrosecond - window.begin) * scale;
            };
            const double left = x(made->start);
            const double width = std::max(1.0, x(made->end) - left);
            painter.fillRect(QRectF(left, lane * height + 2, width, height - 4),
                             QColor::fromRgb(palette.barOf(classOf(made->outcome))));
        }
    }
}

} // namespace tasuki::bench

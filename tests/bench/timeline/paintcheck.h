// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "syntheticrun.h"
#include "timeline/timelinewidget.h"

#include <cstddef>
#include <vector>

namespace tasuki::bench {

/// Compares what a timeline shows with sums over the attempts one by one.
class PaintCheck {
public:
    explicit PaintCheck(std::size_t attempts);

    /// Looks at every column of every lane in sight.
    void look(TimelineWidget& widget, const TimelineStore& store);

    [[nodiscard]] std::size_t columns() const { return m_columns; }
    /// Largest difference of a column's busy share, as a part of the column.
    [[nodiscard]] double largestDifference() const { return m_largestDifference; }
    [[nodiscard]] std::size_t failures() const { return m_failures; }
    [[nodiscard]] std::size_t unseenFailures() const { return m_unseen; }

private:
    void compareLane(std::size_t row, const TimeWindow& window, std::size_t columns,
                     const TimelineStore& store);
    void findMarks(std::size_t row, const TimelineScene& scene, const QImage& image);

    std::vector<std::vector<MadeAttempt>> m_lanes;
    std::size_t m_columns = 0;
    double m_largestDifference = 0;
    std::size_t m_failures = 0;
    std::size_t m_unseen = 0;
};

} // namespace tasuki::bench

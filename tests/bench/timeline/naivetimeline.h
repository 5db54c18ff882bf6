// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "syntheticrun.h"
#include "timeline/lanelayout.h"
#include "timeline/timelinepalette.h"

#include <QImage>

#include <vector>

namespace tasuki::bench {

/// What one would write first: the attempts of each lane in order, and a rectangle painted for each
/// that is in sight.
class NaiveTimeline {
public:
    explicit NaiveTimeline(std::size_t attempts);

    /// Paints a window of the lanes over the whole image.
    void paint(QImage& image, const TimeWindow& window, const TimelinePalette& palette) const;

private:
    std::vector<std::vector<MadeAttempt>> m_lanes;
};

} // namespace tasuki::bench

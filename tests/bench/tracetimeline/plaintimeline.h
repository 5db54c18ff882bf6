// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timewindow.h"
#include "tracetimeline/tracepalette.h"
#include "tracetimeline/tracestore.h"

#include <QImage>

#include <cstddef>
#include <vector>

namespace tasuki::bench {

/// What one would write first: a rectangle painted for each span that is in sight.
class PlainTimeline {
public:
    /// @param store  must outlive it
    explicit PlainTimeline(const TraceStore& store);

    /// Paints a window of the tasks over the whole image.
    void paint(QImage& image, const TimeWindow& window, const TracePalette& palette) const;

private:
    const TraceStore& m_store;
    std::vector<std::size_t> m_first; ///< [task] and one more: its spans
};

} // namespace tasuki::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timelinewidget.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace tasuki::bench {

using Milliseconds = std::chrono::duration<double, std::milli>;

/// Times of repaints, in order of size.
class Times {
public:
    void add(Milliseconds time);
    /// @param part  0 to 1; 0.5: the median
    [[nodiscard]] double at(double part) const;

private:
    std::vector<Milliseconds> m_times;
};

/// By the clock on the wall, and of the processor: the same on a machine that does nothing else.
struct RepaintTimes {
    Times wall;
    Times processor;

    /// Adds how long something takes.
    void measure(const std::function<void()>& paint);
};

/// Pans and zooms as a user does, by events of mouse and keys, and repaints after each.
/// @param each  called after each frame with its number, not timed
RepaintTimes drive(TimelineWidget& widget, std::size_t frames,
                   const std::function<void(std::size_t frame)>& each);

} // namespace tasuki::bench

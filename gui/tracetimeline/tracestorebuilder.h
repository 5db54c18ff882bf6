// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracelane.h"
#include "tracetimes.h"

#include "plan/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki {

/// The spans of one task: in layers in which none overlaps another, and as a lane of what is
/// innermost.
struct TraceTaskSpans {
    std::vector<std::vector<std::uint32_t>> layers; ///< indexes in Timeline::spans, growing
    TraceLane lane;
};

/// Sorts spans into layers and lanes.
class TraceStoreBuilder {
public:
    /// @param gap  what a task does between its spans and before the first one
    TraceStoreBuilder(std::uint32_t tasks, std::size_t categories, TraceCategory gap);

    /// Those of one task come in the order of their begins.
    /// @param index  in Timeline::spans
    void add(std::uint32_t index, const plan::TimelineSpan& span, TraceCategory category);
    /// @param occurs  set for each category that there is
    std::vector<TraceTaskSpans> take(std::array<bool, TraceCategories::most>& occurs) &&;

private:
    struct Open {
        Nanoseconds end = 0;
        TraceCategory category = TraceCategories::idle;
    };
    struct Task {
        std::vector<Open> open; ///< the innermost last
        std::vector<Nanoseconds> layerEnds;
        Nanoseconds latest = 0; ///< begin of the last span
        bool begun = false;
    };

    /// Lets the task's states end that end at a time or before it.
    void close(std::size_t task, Nanoseconds time, TraceCategory after);
    void append(std::size_t task, Nanoseconds begin, TraceCategory category);
    std::size_t layerFor(Task& task, std::size_t depth, Nanoseconds begin) const;

    TraceCategory m_gap;
    std::vector<Task> m_states;
    std::vector<TraceTaskSpans> m_tasks;
    std::array<bool, TraceCategories::most> m_occurs{};
};

} // namespace tasuki

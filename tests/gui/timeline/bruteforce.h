// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timelinestore.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tasuki {

/// What the timeline store should know, kept in the simplest way: a list that is read through for
/// every question.
class BruteForceTimeline {
public:
    struct Item {
        AttemptKey key;
        std::int64_t start = 0;
        std::int64_t end = 0;           ///< microseconds; meaningless while it runs
        std::optional<Outcome> outcome; ///< none: it runs
    };
    using LaneKey = std::pair<std::int32_t, std::uint32_t>;

    std::map<LaneKey, std::vector<Item>> lanes;

    /// The sum over the attempts of a lane of what is inside of each column, as a part of its width.
    [[nodiscard]] static std::vector<ColumnSummary> summarise(const std::vector<Item>& items,
                                                              const TimeWindow& window,
                                                              std::int64_t now, std::size_t columns)
    {
        std::vector<ColumnSummary> result(columns);
        for (std::size_t column = 0; column < columns; ++column) {
            const Nanoseconds from = window.edge(columns, column);
            const Nanoseconds to = window.edge(columns, column + 1);
            std::array<double, attemptClassCount> inside{};
            for (const Item& item : items)
                addItem(item, now, from, to, inside, result[column]);
            for (std::size_t kind = 0; kind < attemptClassCount && to > from; ++kind)
                result[column].share[kind] = static_cast<float>(inside[kind]
                                                                / static_cast<double>(to - from));
        }
        return result;
    }

private:
    static void addItem(const Item& item, std::int64_t now, Nanoseconds from, Nanoseconds to,
                        std::array<double, attemptClassCount>& inside, ColumnSummary& column)
    {
        const AttemptClass kind = item.outcome ? classOf(*item.outcome) : AttemptClass::Running;
        const std::int64_t end = item.outcome ? item.end : std::max(now, item.start);
        const Nanoseconds begun = item.start * 1000;
        const Nanoseconds ended = end * 1000;
        const Nanoseconds seen = std::max(end, item.start + 1) * 1000;
        inside[static_cast<std::size_t>(kind)] += static_cast<double>(
            std::max<Nanoseconds>(0, std::min(ended, to) - std::max(begun, from)));
        if (begun >= from && begun < to)
            ++column.starts;
        const bool failed = kind == AttemptClass::Failed || kind == AttemptClass::Lost;
        if (failed && begun < to && seen > from)
            column.failure = true;
    }
};

} // namespace tasuki

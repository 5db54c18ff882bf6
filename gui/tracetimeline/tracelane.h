// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timewindow.h"
#include "tracecolumns.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki {

/// The time of one task, cut without gaps into stretches of one category each, with running sums
/// of each category: what is in any stretch of time is the difference of two sums. Where states
/// stand in each other the innermost counts. Reading is safe from any thread once it is made.
class TraceLane {
public:
    /// @param categories  how many there are, at most TraceCategories::most
    explicit TraceLane(std::size_t categories) : m_categories(categories) {}

    /// Adds a stretch that lasts to the begin of the next one. Times do not go back.
    void append(Nanoseconds begin, TraceCategory category);
    /// Makes the sums. The last stretch lasts for ever.
    void finish();

    /// Says what is in each column of a window; before the first stretch the task is idle.
    /// @param columns  overwritten
    void summarise(const TimeWindow& window, std::size_t count, TraceColumns& columns) const;

    /// @return where the last stretch begins; 0 when there is none
    [[nodiscard]] Nanoseconds lastBegin() const { return m_begin.empty() ? 0 : m_begin.back(); }
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    static constexpr std::size_t blockSize = 32;

    struct Sums {
        std::array<Nanoseconds, TraceCategories::most> time{};
        std::array<std::uint32_t, TraceCategories::most> starts{};
    };
    /// A place in time: the first stretch that begins after it, and the sums of those before.
    struct Cursor {
        std::size_t next = 0;
        std::size_t block = 0; ///< the block of `next` - 1
        Sums sums;             ///< up to the begin of stretch `next` - 1, that one's start included
    };

    void moveTo(Nanoseconds time, Cursor& cursor) const;
    [[nodiscard]] std::size_t blocksUpTo(Nanoseconds time, std::size_t from) const;
    void loadBlock(std::size_t block, Cursor& cursor) const;

    std::size_t m_categories;
    std::vector<Nanoseconds> m_begin;
    std::vector<TraceCategory> m_category;
    std::vector<Nanoseconds> m_blockBegin;
    std::vector<Nanoseconds> m_blockTime;     ///< [block * categories + category]
    std::vector<std::uint32_t> m_blockStarts; ///< likewise
};

} // namespace tasuki

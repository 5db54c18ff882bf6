// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attemptblock.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tasuki {

/// Attempts of one lane that do not overlap, in order of time: an index of blocks with prefix sums.
/// Not thread-safe, not even for reading: sums are brought up to date when they are asked for.
class AttemptLayer {
public:
    /// Takes an attempt unless it overlaps one that is there.
    /// @return whether it was taken
    bool tryInsert(const EndedAttempt& attempt);

    /// Adds what is in the columns of a window to them.
    void summarise(const TimeWindow& window, std::span<ColumnSummary> columns) const;

    /// Calls for each attempt that overlaps [begin, end), in microseconds, in order of start.
    /// @param visit  returns whether to go on
    /// @return whether all were visited
    bool forEachOverlapping(std::int64_t begin, std::int64_t end,
                            const std::function<bool(const EndedAttempt&)>& visit) const;

    /// Calls for each attempt of a task.
    void forEachOfTask(TaskId task, const std::function<void(const EndedAttempt&)>& visit) const;

    /// @return the latest attempt that starts before a time in microseconds; null: none
    [[nodiscard]] std::optional<EndedAttempt> lastBefore(std::int64_t time) const;
    /// @return the earliest attempt that starts after a time in microseconds; null: none
    [[nodiscard]] std::optional<EndedAttempt> firstAfter(std::int64_t time) const;

    [[nodiscard]] std::size_t memoryBytes() const;

private:
    struct Entry {
        std::int64_t start; ///< of the block's first attempt
        AttemptBlock* block;
    };

    /// @return how many blocks start before a time
    [[nodiscard]] std::size_t blocksBefore(std::int64_t time) const;
    /// The same, when it is at least `from` and probably little more.
    [[nodiscard]] std::size_t blocksBefore(std::int64_t time, std::size_t from) const;
    /// @param before  how many blocks start before the time
    [[nodiscard]] LayerCut cutIn(std::size_t before, Nanoseconds time) const;
    AttemptBlock* newBlock();
    void insertAt(std::size_t index, unsigned place, const EndedAttempt& attempt);
    void settle() const;

    std::vector<Entry> m_index;
    std::vector<std::unique_ptr<AttemptBlock[]>> m_chunks;
    std::size_t m_chunkSize = 0; ///< blocks in the last chunk
    std::size_t m_chunkUsed = 0;
    mutable std::size_t m_settled = 0; ///< blocks whose sums are right
};

} // namespace tasuki

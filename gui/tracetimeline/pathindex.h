// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracetimes.h"

#include "plan/timeline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki {

/// Where the critical path is in a stretch of time. Reading is safe from any thread.
class PathIndex {
public:
    /// @param timeline  must outlive the index
    explicit PathIndex(const plan::Timeline& timeline);

    /// @return the pieces that overlap [begin, end): the index of the first, and one after the last
    [[nodiscard]] std::pair<std::size_t, std::size_t> piecesIn(Nanoseconds begin,
                                                               Nanoseconds end) const;
    /// @return the lowest and the highest task that the path visits in [begin, end)
    [[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>> tasksIn(
        Nanoseconds begin, Nanoseconds end) const;

private:
    static constexpr std::size_t blockSize = 64;
    struct Tasks {
        std::uint32_t lowest;
        std::uint32_t highest;
    };
    [[nodiscard]] Tasks tasksOf(std::size_t piece) const;

    const plan::Timeline& m_timeline;
    std::vector<Tasks> m_blocks;
};

} // namespace tasuki

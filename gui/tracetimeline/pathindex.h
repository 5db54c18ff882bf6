// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracetimes.h"

#include "plan/timeline.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki {

/// How long the critical path is on one task before it jumps to another. A task that only hands a
/// message on is left as soon as it is reached.
struct PathStay {
    std::uint32_t task = 0;
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
};

/// Where the critical path is in a stretch of time. Reading is safe from any thread.
class PathIndex {
public:
    explicit PathIndex(const plan::Timeline& timeline);

    /// @return the whole path, in the order of time; jump i goes from stay i to stay i + 1
    [[nodiscard]] const std::vector<PathStay>& stays() const { return m_stays; }
    [[nodiscard]] std::size_t jumps() const { return m_stays.empty() ? 0 : m_stays.size() - 1; }
    /// @return how many jumps begin before a time
    [[nodiscard]] std::size_t jumpsBefore(Nanoseconds time) const;
    /// @return the first stay on a task that does not end before a time; null: none
    [[nodiscard]] const PathStay* stayFrom(std::uint32_t task, Nanoseconds time) const;

private:
    void add(std::uint32_t task, Nanoseconds begin, Nanoseconds end);

    std::vector<PathStay> m_stays;
    std::vector<std::vector<std::uint32_t>> m_ofTask; ///< [task], indexes of its stays
};

} // namespace tasuki

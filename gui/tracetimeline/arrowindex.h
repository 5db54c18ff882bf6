// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracetimes.h"

#include "plan/timeline.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tasuki {

/// Which messages are on their way in a stretch of time. Reading is safe from any thread.
class ArrowIndex {
public:
    /// @param timeline  must outlive the index. Arrows of tasks that it does not have are left out
    explicit ArrowIndex(const plan::Timeline& timeline);

    [[nodiscard]] std::size_t size() const { return m_byBegin.size(); }
    /// @return how many are on their way in [begin, end)
    [[nodiscard]] std::size_t countIn(Nanoseconds begin, Nanoseconds end) const;
    /// Calls with the index in Timeline::arrows of each that is on its way in [begin, end).
    /// @param visit  returns whether to go on
    void forEachIn(Nanoseconds begin, Nanoseconds end,
                   const std::function<bool(std::uint32_t)>& visit) const;
    /// Calls for those that arrive at a time or before it, the latest first.
    /// @param visit  returns whether to go on
    void forEachArrivedUntil(Nanoseconds time,
                             const std::function<bool(std::uint32_t)>& visit) const;

    [[nodiscard]] std::size_t memoryBytes() const;

private:
    static constexpr std::size_t blockSize = 64;

    /// Clocks may disagree: what arrives before it was sent is on its way in between all the same.
    [[nodiscard]] Nanoseconds beginOf(std::uint32_t arrow) const;
    [[nodiscard]] Nanoseconds endOf(std::uint32_t arrow) const;

    const plan::Timeline& m_timeline;
    std::vector<std::uint32_t> m_byBegin;
    std::vector<std::uint32_t> m_byEnd;
    std::vector<Nanoseconds> m_blockEnd; ///< the latest end of each block of m_byBegin
};

} // namespace tasuki

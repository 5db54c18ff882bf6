// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>
#include <cstdint>

namespace tasuki::hierarchy {

/// How often processors beat. When that changes, some hear of it later than others: for a while the
/// old rhythm counts too, where it would be dangerous to ignore it.
class Rhythm {
public:
    explicit Rhythm(std::chrono::nanoseconds interval)
        : m_interval(interval), m_longest(interval), m_shortest(interval)
    {}

    /// @param beats  of the slower rhythm: after so many nobody goes by the old one any more
    void change(std::chrono::nanoseconds interval, SteadyTime now, std::uint32_t beats);

    [[nodiscard]] std::chrono::nanoseconds interval() const { return m_interval; }
    /// @return the longest and the shortest interval that somebody may go by
    [[nodiscard]] std::chrono::nanoseconds longest(SteadyTime now, std::uint32_t beats) const;
    [[nodiscard]] std::chrono::nanoseconds shortest(SteadyTime now, std::uint32_t beats) const;
    /// @return the interval by which processors wait for this one that do not know the present
    ///         rhythm yet
    [[nodiscard]] std::chrono::nanoseconds former(SteadyTime now, std::uint32_t beats) const;

private:
    [[nodiscard]] bool settled(SteadyTime now, std::uint32_t beats) const;

    std::chrono::nanoseconds m_interval;
    std::chrono::nanoseconds m_longest; ///< the present one too
    std::chrono::nanoseconds m_shortest;
    SteadyTime m_changed{};
};

} // namespace tasuki::hierarchy

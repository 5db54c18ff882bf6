// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocation.h"
#include "program.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace tasuki::plan {

/// How many allocations are predicted side by side: numbers of one kind lie next to each other, so
/// that the compiler's vector instructions take them together.
inline constexpr std::size_t laneCount = 8;

/// One number for each of the allocations.
struct alignas(64) Lanes {
    std::array<double, laneCount> at{};
};

/// What allocations mean for the tasks and pairs of a program.
class LaneParameters {
public:
    LaneParameters(const Environment& environment, std::uint32_t tasks,
                   std::span<const Pair> pairs);

    /// @param allocations  1 to laneCount; the last one fills the lanes that are left
    void set(std::span<const Allocation> allocations);

    /// By how much computation takes longer than in the trace; [task].
    [[nodiscard]] const Lanes& slowness(std::uint32_t task) const { return m_slowness[task]; }
    /// Of the link between the nodes of a pair's tasks; [pair].
    [[nodiscard]] const Lanes& a0(std::uint32_t pair) const { return m_a0[pair]; }
    [[nodiscard]] const Lanes& a1(std::uint32_t pair) const { return m_a1[pair]; }
    /// What the link lets through at once when it has been idle.
    [[nodiscard]] const Lanes& burstBytes(std::uint32_t pair) const { return m_burstBytes[pair]; }
    /// The node of a task in a lane.
    [[nodiscard]] Node node(std::uint32_t task, std::size_t lane) const
    {
        return m_nodes[task * laneCount + lane];
    }
    [[nodiscard]] const Environment& environment() const { return *m_environment; }

private:
    const Environment* m_environment;
    std::span<const Pair> m_pairs;
    std::vector<Node> m_nodes;
    std::vector<Lanes> m_slowness;
    std::vector<Lanes> m_a0;
    std::vector<Lanes> m_a1;
    std::vector<Lanes> m_burstBytes;
};

} // namespace tasuki::plan

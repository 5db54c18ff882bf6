// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanes.h"

#include <algorithm>
#include <cassert>

namespace tasuki::plan {

LaneParameters::LaneParameters(const Environment& environment, std::uint32_t tasks,
                               std::span<const Pair> pairs)
    : m_environment(&environment),
      m_pairs(pairs),
      m_nodes(tasks * laneCount),
      m_slowness(tasks),
      m_a0(pairs.size()),
      m_a1(pairs.size()),
      m_burstBytes(pairs.size())
{}

void LaneParameters::set(std::span<const Allocation> allocations)
{
    assert(!allocations.empty() && allocations.size() <= laneCount);
    const Environment& environment = *m_environment;
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
        const Allocation& allocation = allocations[std::min(lane, allocations.size() - 1)];
        assert(allocation.size() == m_slowness.size());
        for (std::size_t task = 0; task < m_slowness.size(); ++task) {
            const Node node = allocation[task];
            m_nodes[task * laneCount + lane] = node;
            m_slowness[task].at[lane] = environment.traceSpeed
                / environment.nodes[node.value()].speed;
        }
        for (std::size_t pair = 0; pair < m_pairs.size(); ++pair) {
            const LinkSpec& link = environment.link(allocation[m_pairs[pair].from],
                                                    allocation[m_pairs[pair].to]);
            m_a0[pair].at[lane] = link.a0Us;
            m_a1[pair].at[lane] = link.a1UsPerByte;
            m_burstBytes[pair].at[lane] = link.burstBytes;
        }
    }
}

} // namespace tasuki::plan

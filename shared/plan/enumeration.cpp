// SPDX-License-Identifier: GPL-3.0-or-later
#include "enumeration.h"

#include "nodeclasses.h"
#include "waycount.h"

#include <map>
#include <utility>

namespace tasuki::plan {

Enumeration::Enumeration(const Environment& environment, std::uint32_t tasks)
    : m_environment(environment),
      m_tasks(tasks),
      m_before(environment.nodes.size(), trace::none),
      m_classes(nodeClasses(environment))
{
    std::map<std::uint32_t, std::uint32_t> lastOfClass;
    for (std::uint32_t node = 0; node < m_classes.size(); ++node) {
        const auto [place, isFirst] = lastOfClass.emplace(m_classes[node], node);
        if (!isFirst)
            m_before[node] = std::exchange(place->second, node);
    }
}

bool Enumeration::mayFollow(const std::vector<std::uint32_t>& used, std::uint32_t node) const
{
    if (used[node] == m_environment.nodes[node].slots)
        return false;
    return used[node] > 0 || m_before[node] == trace::none || used[m_before[node]] > 0;
}

std::vector<std::uint32_t> Enumeration::usedBy(const Allocation& begin) const
{
    std::vector<std::uint32_t> used(m_environment.nodes.size(), 0);
    for (const Node node : begin)
        ++used[node.value()];
    return used;
}

std::optional<AllocationCount> Enumeration::count(const Allocation& begin,
                                                  const std::stop_token& stop) const
{
    const std::vector<std::uint32_t> used = usedBy(begin);
    std::map<std::uint32_t, AlikeNodes> unused; // by class
    std::vector<AlikeNodes> kinds;
    for (std::uint32_t node = 0; node < used.size(); ++node) {
        const std::uint32_t left = m_environment.nodes[node].slots - used[node];
        // Tasks that are there tell a node from the others.
        if (used[node] > 0)
            kinds.push_back({.nodes = 1, .slots = left});
        else
            unused[m_classes[node]] = {.nodes = unused[m_classes[node]].nodes + 1, .slots = left};
    }
    for (const auto& [nodeClass, alike] : unused)
        kinds.push_back(alike);
    return countWays(kinds, m_tasks - static_cast<std::uint32_t>(begin.size()), stop);
}

std::vector<Allocation> Enumeration::beginnings(std::size_t atLeast) const
{
    std::vector<Allocation> begins{Allocation{}};
    for (std::uint32_t depth = 0; depth < m_tasks && begins.size() < atLeast; ++depth) {
        std::vector<Allocation> longer;
        for (const Allocation& begin : begins) {
            const std::vector<std::uint32_t> used = usedBy(begin);
            for (std::uint32_t node = 0; node < used.size(); ++node) {
                if (!mayFollow(used, node))
                    continue;
                longer.push_back(begin);
                longer.back().emplace_back(node);
            }
        }
        begins = std::move(longer);
    }
    return begins;
}

bool Enumeration::visitFrom(Allocation& allocation, std::vector<std::uint32_t>& used,
                            const std::function<bool(const Allocation&)>& visit) const
{
    if (allocation.size() == m_tasks)
        return visit(allocation);
    for (std::uint32_t node = 0; node < used.size(); ++node) {
        if (!mayFollow(used, node))
            continue;
        ++used[node];
        allocation.emplace_back(node);
        const bool goesOn = visitFrom(allocation, used, visit);
        allocation.pop_back();
        --used[node];
        if (!goesOn)
            return false;
    }
    return true;
}

bool Enumeration::visit(const Allocation& begin,
                        const std::function<bool(const Allocation&)>& visit) const
{
    Allocation allocation = begin;
    std::vector<std::uint32_t> used = usedBy(begin);
    return visitFrom(allocation, used, visit);
}

} // namespace tasuki::plan

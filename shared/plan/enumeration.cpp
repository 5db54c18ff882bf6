// SPDX-License-Identifier: GPL-3.0-or-later
#include "enumeration.h"

#include "nodeclasses.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace tasuki::plan {

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturatedSum(std::uint64_t first, std::uint64_t second)
{
    return first > most - second ? most : first + second;
}

std::uint64_t saturatedProduct(std::uint64_t first, std::uint64_t second)
{
    return second != 0 && first > most / second ? most : first * second;
}

/// Nodes that differ neither by class nor by what they hold count alike, so only how many there are
/// of each kind matters: by class, whether in use, and slots that are left.
class Counter {
public:
    struct Kind {
        std::uint32_t nodeClass = 0;
        bool isUsed = false;
        std::uint32_t left = 0;
        auto operator<=>(const Kind&) const = default;
    };
    using Stock = std::map<Kind, std::uint32_t>;

    std::uint64_t count(const Stock& stock, std::uint32_t tasks)
    {
        if (tasks == 0)
            return 1;
        const auto known = m_known.find({tasks, stock});
        if (known != m_known.end())
            return known->second;
        std::uint64_t total = 0;
        for (const auto& [kind, nodes] : stock) {
            if (kind.left == 0)
                continue;
            Stock next = stock;
            if (--next[kind] == 0)
                next.erase(kind);
            ++next[{kind.nodeClass, true, kind.left - 1}];
            // Of the unused nodes of a class only the first may come; of the used ones any.
            total = saturatedSum(total,
                                 saturatedProduct(kind.isUsed ? nodes : 1, count(next, tasks - 1)));
        }
        m_known.emplace(std::pair(tasks, stock), total);
        return total;
    }

private:
    std::map<std::pair<std::uint32_t, Stock>, std::uint64_t> m_known;
};

} // namespace

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

std::uint64_t Enumeration::count(const Allocation& begin) const
{
    const std::vector<std::uint32_t> used = usedBy(begin);
    Counter::Stock stock;
    for (std::uint32_t node = 0; node < used.size(); ++node)
        ++stock[{m_classes[node], used[node] > 0, m_environment.nodes[node].slots - used[node]}];
    return Counter().count(stock, m_tasks - static_cast<std::uint32_t>(begin.size()));
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

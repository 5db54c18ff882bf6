// SPDX-License-Identifier: GPL-3.0-or-later
#include "nodeclasses.h"

namespace tasuki::plan {

namespace {

bool sameTimes(const LinkSpec& first, const LinkSpec& second)
{
    return first.a0Us == second.a0Us && first.a1UsPerByte == second.a1UsPerByte
        && first.burstBytes == second.burstBytes;
}

bool sameNode(const NodeSpec& first, const NodeSpec& second)
{
    return first.speed == second.speed && first.slots == second.slots
        && first.egressUsPerByte == second.egressUsPerByte
        && first.ingressUsPerByte == second.ingressUsPerByte;
}

bool interchangeable(const Environment& environment, Node first, Node second)
{
    if (!sameNode(environment.nodes[first.value()], environment.nodes[second.value()]))
        return false;
    const auto link = [&environment](Node from, Node to) -> const LinkSpec& {
        return environment.link(from, to);
    };
    if (!sameTimes(link(first, second), link(second, first))
        || !sameTimes(link(first, first), link(second, second)))
        return false;
    for (std::uint32_t index = 0; index < environment.nodes.size(); ++index) {
        const Node other(index);
        if (other == first || other == second)
            continue;
        if (!sameTimes(link(first, other), link(second, other))
            || !sameTimes(link(other, first), link(other, second)))
            return false;
    }
    return true;
}

} // namespace

std::vector<std::uint32_t> nodeClasses(const Environment& environment)
{
    std::vector<std::uint32_t> classes;
    std::vector<Node> firsts; ///< of each class; being interchangeable is transitive
    for (std::uint32_t index = 0; index < environment.nodes.size(); ++index) {
        std::uint32_t found = 0;
        while (found < firsts.size() && !interchangeable(environment, firsts[found], Node(index)))
            ++found;
        if (found == firsts.size())
            firsts.emplace_back(index);
        classes.push_back(found);
    }
    return classes;
}

} // namespace tasuki::plan

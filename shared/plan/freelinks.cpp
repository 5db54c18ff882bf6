// SPDX-License-Identifier: GPL-3.0-or-later
#include "freelinks.h"

#include "allocationcount.h"

namespace tasuki::plan {

namespace {

bool isFree(const Environment& environment, Node from, Node to)
{
    const LinkSpec& link = environment.link(from, to);
    return link.a0Us == 0.0 && link.a1UsPerByte == 0.0
        && environment.nodes[from.value()].egressUsPerByte == 0.0
        && environment.nodes[to.value()].ingressUsPerByte == 0.0;
}

} // namespace

FreeLinks freeLinks(const Environment& environment)
{
    FreeLinks found;
    const auto nodes = static_cast<std::uint32_t>(environment.nodes.size());
    for (std::uint32_t from = 0; from < nodes; ++from) {
        for (std::uint32_t to = 0; to < nodes; ++to) {
            if (from == to)
                continue;
            ++found.all;
            if (!isFree(environment, Node(from), Node(to)))
                continue;
            if (found.count++ == 0) {
                found.from = Node(from);
                found.to = Node(to);
            }
        }
    }
    return found;
}

std::string freeLinksText(const Environment& environment)
{
    const FreeLinks found = freeLinks(environment);
    if (found.count == 0)
        return {};
    return groupedDigits(found.count) + " of " + groupedDigits(found.all)
        + " links between nodes cost nothing, as that from "
        + environment.nodes[found.from.value()].name + " to "
        + environment.nodes[found.to.value()].name;
}

} // namespace tasuki::plan

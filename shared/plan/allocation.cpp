// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocation.h"

namespace tasuki::plan {

std::string allocationText(const Environment& environment, const Allocation& allocation)
{
    std::string text;
    for (const Node node : allocation) {
        if (!text.empty())
            text += ',';
        text += environment.nodes.at(node.value()).name;
    }
    return text;
}

} // namespace tasuki::plan

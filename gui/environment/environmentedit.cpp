// SPDX-License-Identifier: GPL-3.0-or-later
#include "environmentedit.h"

#include <algorithm>

namespace tasuki {

bool EnvironmentEdit::isVoid() const
{
    const auto same = [](const auto& values) { return values.before == values.after; };
    return std::ranges::all_of(nodes, same) && std::ranges::all_of(links, same)
        && (!general || same(*general));
}

bool EnvironmentEdit::absorb(const EnvironmentEdit& later)
{
    if (!cell || cell != later.cell || nodes.size() != later.nodes.size()
        || links.size() != later.links.size() || general.has_value() != later.general.has_value())
        return false;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].after = later.nodes[i].after;
    for (std::size_t i = 0; i < links.size(); ++i)
        links[i].after = later.links[i].after;
    if (general)
        general->after = later.general->after;
    return true;
}

} // namespace tasuki

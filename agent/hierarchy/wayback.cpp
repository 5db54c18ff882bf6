// SPDX-License-Identifier: GPL-3.0-or-later
#include "wayback.h"

#include "tree.h"

#include <algorithm>

namespace tasuki::hierarchy {

void WayBack::fence(SteadyTime until)
{
    m_state = State::Fenced;
    m_until = until;
}

std::vector<ProcessorId> WayBack::next(const MembershipView& view,
                                       std::optional<ProcessorId> followed)
{
    std::vector<ProcessorId> whom;
    const auto add = [&](std::optional<ProcessorId> one) {
        if (one && *one != m_self && std::ranges::find(whom, *one) == whom.end())
            whom.push_back(*one);
    };
    const auto others = static_cast<std::uint32_t>(view.processorCount()) - 1;
    add(followed);
    add(systemMaster(view));
    if (others == 0)
        return whom;
    // Those behind it first: they are rather of its subcluster.
    for (std::uint32_t passed = 0; passed < others; ++passed) {
        const std::uint32_t step = 1 + m_asked++ % others;
        const ProcessorId next((m_self.value() + step) % (others + 1));
        if (view.member(next).reserved())
            continue; // nobody is there
        add(next);
        break;
    }
    return whom;
}

} // namespace tasuki::hierarchy

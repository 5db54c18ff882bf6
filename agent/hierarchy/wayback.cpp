// SPDX-License-Identifier: GPL-3.0-or-later
#include "wayback.h"

#include "tree.h"

namespace tasuki::hierarchy {

void WayBack::fence(SteadyTime until)
{
    m_state = State::Fenced;
    m_until = until;
}

std::vector<ProcessorId> WayBack::next(const Picture& picture)
{
    std::vector<ProcessorId> whom;
    const auto others = static_cast<std::uint32_t>(picture.processorCount()) - 1;
    const auto top = systemMaster(picture);
    if (top && *top != m_self)
        whom.push_back(*top);
    if (others == 0)
        return whom;
    // Those behind it first: they are rather of its subcluster.
    const std::uint32_t step = 1 + m_asked++ % others;
    const ProcessorId next((m_self.value() + step) % (others + 1));
    if (next != top)
        whom.push_back(next);
    return whom;
}

} // namespace tasuki::hierarchy

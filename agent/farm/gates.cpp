// SPDX-License-Identifier: GPL-3.0-or-later
#include "gates.h"

namespace tasuki::farm {

Gate& Gates::addDependent(const SharedGroup& group, TaskId dependent)
{
    const auto next = static_cast<std::uint32_t>(m_gates.size());
    const auto [place, isNew] = m_byGroup.try_emplace(group.get(), next);
    if (isNew) {
        m_gates.emplace_back().group = group;
        for (const TaskId member : *group)
            m_byMember[member.value()].push_back(next);
    }
    Gate& gate = m_gates[place->second];
    gate.dependents.push_back(dependent);
    m_byDependent[dependent.value()].push_back(place->second);
    gate.spent = false;
    return gate;
}

} // namespace tasuki::farm

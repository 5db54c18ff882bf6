// SPDX-License-Identifier: GPL-3.0-or-later
#include "listorder.h"

#include <algorithm>

namespace tasuki {

ListOrder::Place ListOrder::placeOf(TaskId task) const
{
    return {m_state.task(task).task.position, task};
}

bool ListOrder::isTurnOf(TaskId task)
{
    if (m_stale) {
        m_stale = false;
        m_next = 0;
        m_places.clear();
        for (std::uint32_t id = 0; id < m_state.tasks().size(); ++id)
            m_places.push_back(placeOf(TaskId(id)));
        std::ranges::sort(m_places);
    }
    const auto settled = [this](const Place& place) {
        return isSettled(m_state.task(place.second).state);
    };
    while (m_next < m_places.size() && settled(m_places[m_next]))
        ++m_next;
    return m_next == m_places.size() || placeOf(task) <= m_places[m_next];
}

} // namespace tasuki

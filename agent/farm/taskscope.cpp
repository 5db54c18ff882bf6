// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskscope.h"

#include <unordered_map>
#include <utility>

namespace tasuki::farm {

TaskScope::TaskScope(const RunState& state, std::span<const TaskRange> chosen)
    : m_inside(state.tasks().size(), chosen.empty())
{
    if (chosen.empty())
        return;
    std::unordered_map<const TaskGroup*, std::vector<std::uint32_t>> waiting;
    std::unordered_map<std::uint32_t, std::vector<const TaskGroup*>> groupsOf;
    for (std::uint32_t task = 0; task < m_inside.size(); ++task) {
        for (const SharedGroup& group : prerequisitesOf(state.tasks()[task].task)) {
            std::vector<std::uint32_t>& dependents = waiting[group.get()];
            dependents.push_back(task);
            if (dependents.size() > 1)
                continue;
            for (const TaskId member : *group)
                groupsOf[member.value()].push_back(group.get());
        }
    }
    std::vector<std::uint32_t> found;
    const auto add = [&](std::uint32_t task) {
        if (m_inside[task])
            return;
        m_inside[task] = true;
        found.push_back(task);
    };
    for (const TaskRange& range : chosen) {
        for (std::size_t task = range.first.value();
             task <= range.last.value() && task < m_inside.size(); ++task)
            add(static_cast<std::uint32_t>(task));
    }
    while (!found.empty()) {
        const std::uint32_t task = found.back();
        found.pop_back();
        const auto groups = groupsOf.find(task);
        if (groups == groupsOf.end())
            continue;
        for (const TaskGroup* group : groups->second) {
            for (const std::uint32_t dependent : std::exchange(waiting[group], {}))
                add(dependent);
        }
    }
}

} // namespace tasuki::farm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskscope.h"

#include <unordered_map>

namespace tasuki::farm {

TaskScope::TaskScope(const RunState& state, std::span<const TaskRange> chosen)
    : m_inside(state.tasks().size(), chosen.empty())
{
    if (chosen.empty())
        return;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> dependents;
    for (std::uint32_t task = 0; task < m_inside.size(); ++task) {
        if (const auto& links = state.tasks()[task].task.links) {
            for (const TaskId prerequisite : links->after)
                dependents[prerequisite.value()].push_back(task);
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
        if (const auto waiting = dependents.find(task); waiting != dependents.end())
            for (const std::uint32_t dependent : waiting->second)
                add(dependent);
    }
}

} // namespace tasuki::farm

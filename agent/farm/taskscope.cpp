// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskscope.h"

#include <set>
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
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> ranksOf; // of worlds
    for (std::uint32_t task = 0; task < m_inside.size(); ++task) {
        if (const auto& seat = state.tasks()[task].task.settings->seat)
            ranksOf[seat->world].push_back(task);
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
        if (const auto& seat = state.tasks()[task].task.settings->seat) {
            for (const std::uint32_t rank : std::exchange(ranksOf[seat->world], {}))
                add(rank);
        }
        const auto groups = groupsOf.find(task);
        if (groups == groupsOf.end())
            continue;
        for (const TaskGroup* group : groups->second) {
            for (const std::uint32_t dependent : std::exchange(waiting[group], {}))
                add(dependent);
        }
    }
}

std::vector<TaskId> wholeWorlds(const RunState& state, std::vector<TaskId> tasks)
{
    std::set<std::uint32_t> worlds;
    for (const TaskId id : tasks) {
        if (const auto& seat = state.task(id).task.settings->seat)
            worlds.insert(seat->world);
    }
    if (worlds.empty())
        return tasks;
    std::set<TaskId> all(tasks.begin(), tasks.end());
    for (std::uint32_t i = 0; i < state.tasks().size(); ++i) {
        const TaskRecord& record = state.tasks()[i];
        const auto& seat = record.task.settings->seat;
        if (seat && worlds.contains(seat->world) && record.state != TaskState::Removed)
            all.insert(TaskId(i));
    }
    return {all.begin(), all.end()};
}

} // namespace tasuki::farm

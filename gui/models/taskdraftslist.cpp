// SPDX-License-Identifier: GPL-3.0-or-later
// The task list as it will be when all drafts are in the record.
#include "taskdrafts.h"

#include "tasklist/settingspool.h"
#include "tasklist/tasklistwriter.h"

#include <algorithm>
#include <unordered_map>

namespace tasuki {

namespace {

/// @return where the tasks of a group stand in the list, of those that are in it
SharedGroup placesOf(const TaskGroup& group, const std::vector<std::optional<TaskId>>& indexOf)
{
    TaskGroup places;
    for (const TaskId id : group) {
        if (const auto index = indexOf[id.value()])
            places.push_back(*index);
    }
    std::ranges::sort(places);
    return std::make_shared<const TaskGroup>(std::move(places));
}

} // namespace

Result<std::string> TaskDrafts::listText() const
{
    const auto& records = m_session.state().tasks();
    std::vector<TaskId> order;
    for (std::uint32_t id = 0; id < records.size(); ++id) {
        if (records[id].state != TaskState::Removed)
            order.emplace_back(id);
    }
    std::ranges::stable_sort(order, {},
                             [&](TaskId id) { return records[id.value()].task.position; });
    std::vector<std::optional<TaskId>> indexOf(records.size());
    for (std::uint32_t index = 0; index < order.size(); ++index)
        indexOf[order[index].value()] = TaskId(index);

    // Tasks that share links, prerequisites or settings go on sharing them.
    std::unordered_map<const TaskLinks*, std::shared_ptr<const TaskLinks>> links;
    std::unordered_map<const TaskGroup*, SharedGroup> groups;
    SettingsPool pool;
    std::vector<Task> tasks;
    tasks.reserve(order.size());
    for (const TaskId id : order) {
        if (m_session.shortCommand(id))
            return Error{.kind = ErrorKind::Input,
                         .message = tr("the command of task %1 is too long to be here as a whole")
                                        .arg(id.value())
                                        .toStdString()};
        Task task = records[id.value()].task;
        if (const auto draft = m_drafts.find(id); draft != m_drafts.end()) {
            auto content = wanted(id, draft->second);
            if (!content)
                return content.error();
            task.command = std::move(content->command);
            task.settings = pool.share(content->settings);
        }
        task.position = static_cast<std::uint32_t>(tasks.size());
        if (task.links) {
            auto& known = links[task.links.get()];
            if (!known) {
                std::vector<SharedGroup> after;
                for (const SharedGroup& group : task.links->after.groups()) {
                    SharedGroup& placed = groups[group.get()];
                    if (!placed)
                        placed = placesOf(*group, indexOf);
                    if (!placed->empty())
                        after.push_back(placed);
                }
                TaskLinks moved{.label = task.links->label,
                                .after = Prerequisites(std::move(after))};
                known = std::make_shared<const TaskLinks>(std::move(moved));
            }
            task.links = known;
        }
        tasks.push_back(std::move(task));
    }
    return writeTaskList(tasks);
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "drafttable.h"

#include "taskdrafts.h"
#include "tasklist/settingspool.h"
#include "tasklist/tasklistwriter.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tasuki {

namespace {

std::size_t at(TaskField field) { return static_cast<std::size_t>(field); }

bool anySet(const std::array<std::optional<QString>, taskFieldCount>& texts)
{
    return std::ranges::any_of(texts, [](const auto& text) { return text.has_value(); });
}

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

std::optional<ConflictCause> whyNotEditable(TaskState state)
{
    switch (state) {
    case TaskState::Queued:
    case TaskState::Held: return std::nullopt;
    case TaskState::Running: return ConflictCause::Started;
    case TaskState::Removed: return ConflictCause::Removed;
    case TaskState::Succeeded:
    case TaskState::Failed:
    case TaskState::Skipped:
    case TaskState::Cancelled: return ConflictCause::Finished;
    }
    return std::nullopt;
}

bool TaskDraft::valid() const
{
    return std::ranges::all_of(problems, [](const QString& problem) { return problem.isEmpty(); });
}

const TaskDraft* DraftTable::find(TaskId task) const
{
    const auto found = m_drafts.find(task);
    return found == m_drafts.end() ? nullptr : &found->second;
}

const QString* DraftTable::text(TaskId task, TaskField field) const
{
    const TaskDraft* draft = find(task);
    if (!draft)
        return nullptr;
    if (draft->later[at(field)])
        return &*draft->later[at(field)];
    return draft->texts[at(field)] ? &*draft->texts[at(field)] : nullptr;
}

TaskContent DraftTable::record(TaskId task) const
{
    if (task.value() >= m_session.state().tasks().size())
        return {};
    const Task& known = m_session.state().task(task).task;
    return {.command = known.command, .settings = *known.settings};
}

Result<TaskContent> DraftTable::wanted(TaskId task) const
{
    TaskContent content = record(task);
    const TaskDraft* const draft = find(task);
    for (const TaskField field : allTaskFields) {
        if (!draft || !draft->texts[at(field)])
            continue;
        const QString problem = setField(content, field, *draft->texts[at(field)]);
        if (!problem.isEmpty())
            return Error{
                .kind = ErrorKind::Input,
                .message =
                    TaskDrafts::tr("task %1: %2").arg(task.value()).arg(problem).toStdString()};
    }
    return content;
}

bool DraftTable::isEditable(TaskId task) const
{
    const auto& tasks = m_session.state().tasks();
    return !m_session.showsRecord() && task.value() < tasks.size()
        && !whyNotEditable(tasks[task.value()].state) && !m_session.shortCommand(task);
}

void DraftTable::setText(TaskId task, TaskField field, const QString& text)
{
    auto found = m_drafts.find(task);
    if (found != m_drafts.end() && found->second.phase != TaskDraft::Phase::Local) {
        found->second.later[at(field)] = text;
        return;
    }
    // A draft may outlive the time when its task could be edited; undo still leads out of it.
    if (found == m_drafts.end() && !isEditable(task))
        return;
    const TaskContent known = record(task);
    TaskContent content = known;
    const QString problem = setField(content, field, text);
    if (problem.isEmpty() && content == known) {
        if (found == m_drafts.end())
            return;
        found->second.texts[at(field)].reset();
        found->second.problems[at(field)].clear();
        if (!anySet(found->second.texts))
            m_drafts.erase(found);
        return;
    }
    if (found == m_drafts.end()) {
        found = m_drafts.try_emplace(task).first;
        found->second.base = m_session.state().task(task).revision;
    }
    found->second.texts[at(field)] = problem.isEmpty() ? fieldText(content, field) : text;
    found->second.problems[at(field)] = problem;
}

bool DraftTable::rebase(TaskId task)
{
    const auto found = m_drafts.find(task);
    if (found == m_drafts.end() || found->second.phase != TaskDraft::Phase::Local
        || !isEditable(task))
        return false;
    found->second.base = m_session.state().task(task).revision;
    found->second.conflict.reset();
    settle(task);
    return true;
}

bool DraftTable::settle(TaskId task)
{
    const auto found = m_drafts.find(task);
    if (found == m_drafts.end() || task.value() >= m_session.state().tasks().size())
        return false;
    TaskDraft& draft = found->second;
    if (draft.phase == TaskDraft::Phase::Local)
        return settleLocal(task, draft);
    const auto content = wanted(task);
    const bool fulfilled = content && *content == record(task);
    const bool overtaken = draft.phase == TaskDraft::Phase::Accepted
        && m_session.state().task(task).revision != draft.base;
    if (!fulfilled && !overtaken)
        return false;
    land(task, true);
    return true;
}

bool DraftTable::settleLocal(TaskId task, TaskDraft& draft)
{
    const TaskDraft before = draft;
    const TaskRecord& known = m_session.state().task(task);
    const TaskContent theirs = record(task);
    for (const TaskField field : allTaskFields) {
        auto& text = draft.texts[at(field)];
        if (!text)
            continue;
        TaskContent content = theirs;
        if (setField(content, field, *text).isEmpty() && content == theirs) {
            text.reset();
            draft.problems[at(field)].clear();
        }
    }
    if (!anySet(draft.texts)) {
        m_drafts.erase(task);
        return true;
    }
    if (const auto cause = whyNotEditable(known.state))
        draft.conflict = cause;
    else if (known.revision != draft.base)
        draft.conflict = ConflictCause::Changed;
    else if (draft.conflict != ConflictCause::Changed)
        draft.conflict.reset();
    return draft != before;
}

void DraftTable::land(TaskId task, bool vanish)
{
    const auto found = m_drafts.find(task);
    if (found == m_drafts.end())
        return;
    const auto later = std::exchange(found->second.later, {});
    found->second.phase = TaskDraft::Phase::Local;
    if (vanish)
        m_drafts.erase(found);
    for (const TaskField field : allTaskFields) {
        if (later[at(field)])
            setText(task, field, *later[at(field)]);
    }
}

std::optional<TaskContent> DraftTable::send(TaskId task)
{
    const auto found = m_drafts.find(task);
    auto content = wanted(task);
    if (found == m_drafts.end() || !content || found->second.conflict
        || found->second.phase != TaskDraft::Phase::Local)
        return std::nullopt;
    found->second.phase = TaskDraft::Phase::Sent;
    return std::move(*content);
}

void DraftTable::answer(TaskId task, bool accepted)
{
    const auto found = m_drafts.find(task);
    if (found == m_drafts.end() || found->second.phase != TaskDraft::Phase::Sent)
        return;
    if (accepted)
        found->second.phase = TaskDraft::Phase::Accepted;
    else
        land(task, false);
}

void DraftTable::object(TaskId task, ConflictCause cause)
{
    const auto found = m_drafts.find(task);
    if (found != m_drafts.end() && found->second.phase == TaskDraft::Phase::Local)
        found->second.conflict = cause;
}

Result<std::string> DraftTable::listText() const
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
                         .message = TaskDrafts::tr(
                                        "the command of task %1 is too long to be here as a whole")
                                        .arg(id.value())
                                        .toStdString()};
        Task task = records[id.value()].task;
        if (find(id)) {
            auto content = wanted(id);
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

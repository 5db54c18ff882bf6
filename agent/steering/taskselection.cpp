// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskselection.h"

#include "domain/nearest.h"
#include "domain/visibletext.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace tasuki::steering {

namespace {

struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

std::optional<std::uint32_t> numberIn(std::string_view text)
{
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

/// "7" or "3-9".
std::optional<Range> rangeIn(std::string_view word)
{
    const auto dash = word.find('-');
    const auto first = numberIn(word.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : numberIn(word.substr(dash + 1));
    if (!first || !last || *last < *first)
        return std::nullopt;
    return Range{*first, *last};
}

Error wrong(std::string message, std::string remedy)
{
    return {.kind = ErrorKind::Input, .message = std::move(message), .remedy = std::move(remedy)};
}

std::string extent(const RunState& state)
{
    const std::size_t count = state.tasks().size();
    return count == 0 ? "the run has no tasks"
                      : "the run has tasks 0 to " + std::to_string(count - 1);
}

std::map<std::string_view, std::vector<TaskId>> labelsOf(const RunState& state)
{
    std::map<std::string_view, std::vector<TaskId>> labels;
    for (std::uint32_t i = 0; i < state.tasks().size(); ++i) {
        const TaskRecord& record = state.tasks()[i];
        if (record.task.links && !record.task.links->label.empty())
            labels[record.task.links->label].emplace_back(i);
    }
    return labels;
}

Error unknownLabel(const std::string& word,
                   const std::map<std::string_view, std::vector<TaskId>>& labels,
                   const RunState& state)
{
    constexpr std::size_t nearEnough = 2;
    std::vector<std::string_view> names;
    for (const auto& [name, tasks] : labels)
        names.push_back(name);
    const std::string_view near = nearestName(word, names);
    const bool isNear = !near.empty() && editDistance(word, near, nearEnough) <= nearEnough;
    return wrong("'" + visible(word) + "' is no task and no label",
                 isNear ? "did you mean " + visible(std::string(near)) + "?"
                        : "a task is a number, e.g. 7, a range, e.g. 3-9, or a label; "
                         + extent(state));
}

} // namespace

Result<TaskState> parseTaskState(const std::string& word)
{
    std::string known;
    for (std::size_t i = 0; i < taskStateCount; ++i) {
        const auto state = static_cast<TaskState>(i);
        if (taskStateName(state) == word)
            return state;
        known += (known.empty() ? "" : ", ") + std::string(taskStateName(state));
    }
    return wrong("--state '" + visible(word) + "' is not a state of a task", "expected " + known);
}

Result<std::vector<TaskId>> selectTasks(const RunState& state, const TaskSelection& selection)
{
    const auto count = static_cast<std::uint32_t>(state.tasks().size());
    std::vector<bool> chosen(count, selection.words.empty() && selection.all);
    std::optional<std::map<std::string_view, std::vector<TaskId>>> labels;
    for (const std::string& word : selection.words) {
        if (const auto range = rangeIn(word)) {
            if (range->last >= count)
                return wrong("there is no task " + std::to_string(range->last), extent(state));
            for (std::uint32_t i = range->first; i <= range->last; ++i)
                chosen[i] = true;
            continue;
        }
        if (!labels)
            labels = labelsOf(state);
        const auto found = labels->find(word);
        if (found == labels->end())
            return unknownLabel(word, *labels, state);
        for (const TaskId id : found->second)
            chosen[id.value()] = true;
    }
    std::vector<TaskId> tasks;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool fits = selection.states.empty()
            || std::ranges::find(selection.states, state.tasks()[i].state)
                != selection.states.end();
        if (chosen[i] && fits)
            tasks.emplace_back(i);
    }
    return tasks;
}

std::vector<TaskTarget> targetsOf(const RunState& state, const std::vector<TaskId>& tasks)
{
    std::vector<TaskTarget> targets;
    targets.reserve(tasks.size());
    for (const TaskId id : tasks)
        targets.push_back({.id = id, .base = state.task(id).revision});
    return targets;
}

} // namespace tasuki::steering

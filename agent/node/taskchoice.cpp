// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskchoice.h"

#include "farm/taskscope.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tasuki {

namespace {

std::string taskWord(std::size_t task) { return "task " + std::to_string(task); }

/// What --retry or --only asks for, of the state in which the life of the run would begin.
class Choice {
public:
    Choice(const RunState& state, const FarmOptions& options)
        : m_state(state),
          m_options(options),
          m_scope(state, options.only),
          m_chosen(state.tasks().size(), false)
    {}

    /// To be called first.
    Result<void> check();
    [[nodiscard]] std::vector<EventPayload> events() const;

private:
    [[nodiscard]] Error error(std::string what, std::string remedy) const
    {
        return Error{.kind = ErrorKind::Input,
                     .message = std::string("farm: --") + (m_options.onlyAgain ? "retry" : "only")
                         + ": " + std::move(what),
                     .remedy = std::move(remedy)};
    }
    [[nodiscard]] const TaskRecord& record(std::size_t task) const { return m_state.tasks()[task]; }
    [[nodiscard]] bool willRun(std::size_t task) const
    {
        return m_chosen[task] && (m_options.onlyAgain || !isFinal(record(task).state));
    }
    Result<void> checkNumbers();
    [[nodiscard]] Result<void> checkPrerequisites() const;
    [[nodiscard]] Result<void> checkStages() const;

    const RunState& m_state;
    const FarmOptions& m_options;
    farm::TaskScope m_scope;
    std::vector<bool> m_chosen; ///< by task
};

Result<void> Choice::check()
{
    if (auto numbers = checkNumbers(); !numbers)
        return numbers;
    if (auto prerequisites = checkPrerequisites(); !prerequisites)
        return prerequisites;
    return checkStages();
}

Result<void> Choice::checkNumbers()
{
    const std::size_t count = m_chosen.size();
    for (const farm::TaskRange& range : m_options.only) {
        if (range.last.value() >= count)
            return error("the run has no " + taskWord(range.last.value()),
                         count == 0 ? "it has no tasks"
                                    : "its tasks are 0 to " + std::to_string(count - 1));
        for (std::size_t task = range.first.value(); task <= range.last.value(); ++task) {
            if (record(task).state == TaskState::Removed)
                return error(taskWord(task) + " is not in the list any more",
                             "put it back into the list, or leave it out here");
            m_chosen[task] = true;
        }
    }
    std::vector<TaskId> chosen;
    for (std::uint32_t task = 0; task < count; ++task) {
        if (m_chosen[task])
            chosen.emplace_back(task);
    }
    for (const TaskId task : farm::wholeWorlds(m_state, std::move(chosen)))
        m_chosen[task.value()] = true;
    return {};
}

Result<void> Choice::checkPrerequisites() const
{
    std::unordered_set<const TaskGroup*> met;
    for (std::size_t task = 0; task < m_chosen.size(); ++task) {
        if (!willRun(task))
            continue;
        for (const SharedGroup& group : prerequisitesOf(record(task).task)) {
            if (!met.insert(group.get()).second)
                continue;
            const auto before = std::ranges::find_if(*group, [&](TaskId id) {
                return m_state.task(id).state != TaskState::Succeeded && !m_scope.has(id);
            });
            if (before != group->end())
                return error(taskWord(task) + " comes after " + taskWord(before->value())
                                 + ", which has not succeeded",
                             "name " + taskWord(before->value()) + ", too");
        }
    }
    return {};
}

/// A stage begins when nothing of the earlier ones is left.
Result<void> Choice::checkStages() const
{
    std::optional<std::size_t> first;
    for (std::size_t task = 0; task < m_chosen.size(); ++task) {
        const TaskState state = record(task).state;
        const bool left = state == TaskState::Queued || state == TaskState::Held;
        if (left && !m_scope.has(TaskId(static_cast<std::uint32_t>(task)))
            && (!first || record(task).task.stage < record(*first).task.stage))
            first = task;
    }
    for (std::size_t task = 0; first && task < m_chosen.size(); ++task) {
        if (willRun(task) && record(task).task.stage > record(*first).task.stage)
            return error(taskWord(task) + " stands below a barrier, and above that "
                             + taskWord(*first) + " is left to do",
                         "name what is left above the barrier, too, or resume the whole run first");
    }
    return {};
}

std::vector<EventPayload> Choice::events() const
{
    std::vector<EventPayload> events;
    for (std::uint32_t i = 0; i < m_chosen.size(); ++i) {
        const TaskId task(i);
        const TaskState state = record(i).state;
        const bool again = m_chosen[i] && m_options.onlyAgain;
        // What was skipped has never run: whether it can now is for the scheduler to find out.
        if ((again && isFinal(state)) || (m_scope.has(task) && state == TaskState::Skipped))
            events.emplace_back(TaskReopened{task});
        else if (again && state == TaskState::Held)
            events.emplace_back(TaskReleased{task});
    }
    return events;
}

} // namespace

Result<void> confine(RunPlan& plan, const FarmOptions& options)
{
    if (options.only.empty())
        return {};
    std::erase_if(plan.opening, [](const EventPayload& payload) {
        return std::holds_alternative<TaskReopened>(payload);
    });
    RunState state = plan.state;
    Sequence last;
    for (const EventPayload& payload : plan.opening) {
        last = last.next();
        if (const Result<void> applied = state.apply(
                {.id = {plan.epoch, last}, .wallTime = {}, .monotonic = {}, .payload = payload});
            !applied)
            return applied.error();
    }
    Choice choice(state, options);
    if (Result<void> checked = choice.check(); !checked)
        return checked;
    std::ranges::move(choice.events(), std::back_inserter(plan.opening));
    return {};
}

} // namespace tasuki

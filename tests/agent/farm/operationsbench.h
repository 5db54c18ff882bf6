// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "masterbench.h"
#include "tasklist/tasklistreader.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::farm::testing {

/// What came back for a command.
struct Answered {
    int times = 0;
    CommandAnswer answer;

    [[nodiscard]] bool accepted() const { return times == 1 && answer.accepted; }
    [[nodiscard]] bool refused() const
    {
        return times == 1 && !answer.accepted && !answer.reason.empty();
    }
};

/// A master on its way, with an operator.
struct OperationsBench : MasterBench {
    /// @param list      the tasks of the run
    /// @param andAlso  what else opens it
    explicit OperationsBench(std::string_view list, std::vector<EventPayload> andAlso = {},
                             MasterOptions options = {}, SystemOrder order = {})
        : MasterBench(Epoch(1), std::move(options), true, std::move(order))
    {
        std::vector<EventPayload> opening = openingOf(0);
        TaskListParse parse = parseTaskList(list, "list");
        std::uint32_t id = 0;
        for (Task& task : parse.tasks)
            opening.push_back(TaskAdded{TaskId(id++), std::move(task)});
        std::ranges::move(andAlso, std::back_inserter(opening));
        master->open(std::move(opening));
        journal.commit();
    }

    /// Gives a command; nothing is committed or polled.
    std::shared_ptr<const Answered> order(OperatorCommand command)
    {
        auto answered = std::make_shared<Answered>();
        master->operate("ann", std::move(command), [answered](CommandAnswer answer) {
            ++answered->times;
            answered->answer = std::move(answer);
        });
        return answered;
    }
    /// Gives a command and lets time go by for it.
    std::shared_ptr<const Answered> settled(OperatorCommand command)
    {
        auto answered = order(std::move(command));
        settle();
        return answered;
    }
    [[nodiscard]] TaskTarget target(std::uint32_t task) const
    {
        return {TaskId(task), state.task(TaskId(task)).revision};
    }
    [[nodiscard]] std::vector<TaskTarget> targets(std::initializer_list<std::uint32_t> tasks) const
    {
        std::vector<TaskTarget> all;
        for (const std::uint32_t task : tasks)
            all.push_back(target(task));
        return all;
    }
    [[nodiscard]] TaskEdit edit(std::uint32_t task, std::string command,
                                RetryBudget budget = {}) const
    {
        TaskSettings settings;
        settings.retries = budget;
        return {target(task), std::move(command), std::make_shared<const TaskSettings>(settings)};
    }
    [[nodiscard]] TaskState stateOf(std::uint32_t task) const
    {
        return state.task(TaskId(task)).state;
    }
    /// Commands handed to a rank since the last call for it, by task.
    std::vector<std::pair<AttemptKey, std::string>> commands(Rank rank)
    {
        std::vector<std::pair<AttemptKey, std::string>> found;
        for (const Assign& message : sent<Assign>(rank)) {
            for (const AssignedTask& task : message.tasks)
                found.emplace_back(task.key, task.command);
        }
        return found;
    }
    /// What the notices in the record say, in order.
    [[nodiscard]] std::vector<std::string> notices() const
    {
        std::vector<std::string> texts;
        for (const Notice& notice : recorded<Notice>())
            texts.push_back(notice.text.text());
        return texts;
    }
};

inline const Rank one(1);
inline const Rank two(2);
inline const Rank three(3);

using Keys = std::vector<AttemptKey>;
using Conflicts = std::vector<TaskConflict>;
using Texts = std::vector<std::string>;

} // namespace tasuki::farm::testing

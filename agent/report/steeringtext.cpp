// SPDX-License-Identifier: GPL-3.0-or-later
#include "steeringtext.h"

#include "jsonfields.h"

#include "domain/visibletext.h"

#include <array>
#include <string_view>

namespace tasuki {

namespace {

using Json = JsonFields::Json;

std::string tasksText(std::uint64_t count)
{
    return std::to_string(count) + (count == 1 ? " task" : " tasks");
}

std::string pastOf(const std::string& verb)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> pasts{
        {{"cancel", "cancelled"},
         {"hold", "held"},
         {"release", "released"},
         {"retry", "to be done again"}}};
    for (const auto& [present, past] : pasts) {
        if (present == verb)
            return std::string(past);
    }
    return verb;
}

Json idsJson(const std::vector<TaskId>& ids)
{
    Json list = Json::array();
    for (const TaskId id : ids)
        list.push_back(id.value());
    return list;
}

} // namespace

std::string orderText(const OrderResult& result)
{
    if (!result.answer.accepted)
        return {};
    const std::size_t done = result.tasks.size() - result.answer.conflicts.size();
    return tasksText(done) + ' ' + pastOf(result.verb) + '\n';
}

std::string orderProblems(const OrderResult& result)
{
    std::string text;
    if (!result.answer.accepted)
        text += "tasuki-agent: error: " + visible(result.answer.reason.text(), Breaks::Blanks)
            + '\n';
    for (const TaskConflict& conflict : result.answer.conflicts)
        text += "tasuki-agent: task " + std::to_string(conflict.id.value()) + ' '
            + std::string(conflictText(conflict.cause)) + '\n';
    return text;
}

std::string orderJson(const OrderResult& result)
{
    Json json;
    json["command"] = result.verb;
    json["accepted"] = result.answer.accepted;
    json["tasks"] = idsJson(result.tasks);
    Json conflicts = Json::array();
    for (const TaskConflict& conflict : result.answer.conflicts)
        conflicts.push_back({{"task", conflict.id.value()}, {"why", conflictText(conflict.cause)}});
    json["conflicts"] = std::move(conflicts);
    if (!result.answer.accepted)
        json["reason"] = result.answer.reason.text();
    return JsonFields::line(json);
}

std::string reasonLine(TaskId id, const TaskReason& reason)
{
    return "task " + std::to_string(id.value()) + ' ' + reason.text + '\n';
}

std::string reasonJson(TaskId id, const TaskReason& reason)
{
    Json json;
    json["task"] = id.value();
    json["kind"] = reasonName(reason.kind);
    json["reason"] = reason.text;
    json["because"] = idsJson(reason.because);
    return JsonFields::line(json);
}

std::string addedText(std::uint64_t count, const TaskRanges& ranges)
{
    std::string text = "added " + tasksText(count);
    std::string_view link = ": ";
    for (const auto& [first, last] : ranges) {
        text += link;
        text += std::to_string(first.value());
        if (first != last)
            text += " to " + std::to_string(last.value());
        link = ", ";
    }
    return text + '\n';
}

std::string addedJson(std::uint64_t count, const TaskRanges& ranges)
{
    Json json;
    json["command"] = "add";
    json["added"] = count;
    Json list = Json::array();
    for (const auto& [first, last] : ranges)
        list.push_back({first.value(), last.value()});
    json["ranges"] = std::move(list);
    return JsonFields::line(json);
}

std::string endJson(TaskId id, TaskState state, int exitCode)
{
    Json json;
    json["task"] = id.value();
    json["state"] = taskStateName(state);
    json["exit_code"] = exitCode;
    return JsonFields::line(json);
}

std::string waitText(const WaitFigures& figures)
{
    std::string text = std::to_string(figures.ended) + " of " + tasksText(figures.tasks) + " ended";
    if (figures.unsuccessful != 0)
        text += ", " + std::to_string(figures.unsuccessful) + " without success";
    return text;
}

std::string waitJson(const WaitFigures& figures, const std::string& end, int exitCode)
{
    Json json;
    json["command"] = "wait";
    json["end"] = end;
    json["tasks"] = figures.tasks;
    json["ended"] = figures.ended;
    json["unsuccessful"] = figures.unsuccessful;
    json["exit_code"] = exitCode;
    return JsonFields::line(json);
}

} // namespace tasuki

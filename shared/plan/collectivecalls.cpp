// SPDX-License-Identifier: GPL-3.0-or-later
#include "collectivecalls.h"

#include <algorithm>
#include <map>
#include <string>

namespace tasuki::plan {

namespace {

/// What one task has called on one communicator.
struct Member {
    std::uint32_t task = 0;
    std::vector<const CallStep*> steps;
};

using Members = std::map<std::uint32_t, std::vector<Member>>; ///< by communicator

trace::CallDetail detailOf(const trace::Trace& trace, const CallStep& step)
{
    const std::uint32_t detail = trace.calls[step.call].detail;
    return detail == trace::none ? trace::CallDetail{} : trace.details[detail];
}

Members membersOf(const trace::Trace& trace, std::span<const CallSequence> sequences)
{
    Members members;
    for (std::uint32_t task = 0; task < sequences.size(); ++task) {
        for (const CallStep& step : sequences[task].steps) {
            if (!trace::isCollective(step.kind))
                continue;
            auto& ofCommunicator = members[detailOf(trace, step).communicator];
            if (ofCommunicator.empty() || ofCommunicator.back().task != task)
                ofCommunicator.push_back({.task = task, .steps = {}});
            ofCommunicator.back().steps.push_back(&step);
        }
    }
    return members;
}

Diagnostic warningOf(std::uint32_t communicator, std::size_t number, std::string message)
{
    return {.severity = Severity::Warning,
            .place = {},
            .message = "collective call " + std::to_string(number + 1) + " on communicator "
                + std::to_string(communicator) + ": " + std::move(message),
            .remedy = "it counts with the time it took in the trace"};
}

/// The n-th calls of all members as one.
/// @return what is wrong, or nothing
std::string combine(const trace::Trace& trace, const std::vector<Member>& members,
                    std::size_t number, CollectiveCall& call)
{
    std::uint32_t root = trace::none;
    for (const Member& member : members) {
        if (number >= member.steps.size())
            return "task " + std::to_string(member.task) + " does not take part";
        const CallStep& step = *member.steps[number];
        const trace::CallDetail detail = detailOf(trace, step);
        if (member.task != members.front().task && (step.kind != call.kind || detail.root != root))
            return "task " + std::to_string(member.task) + " calls "
                + std::string(trace::mpiCallName(step.kind)) + ", task "
                + std::to_string(members.front().task) + " "
                + std::string(trace::mpiCallName(call.kind))
                + (step.kind == call.kind ? " with another root" : "");
        call.kind = step.kind;
        root = detail.root;
        call.members.push_back(member.task);
        call.bytes = std::max(call.bytes, detail.bytes);
    }
    if (root == trace::none)
        return {};
    const auto place = std::ranges::find(call.members, root);
    if (place == call.members.end())
        return "its root, task " + std::to_string(root) + ", does not take part";
    call.root = static_cast<std::uint32_t>(place - call.members.begin());
    return {};
}

} // namespace

CollectiveCalls collectiveCalls(const trace::Trace& trace, std::span<const CallSequence> sequences)
{
    CollectiveCalls found;
    found.ofCall.assign(trace.calls.size(), trace::none);
    for (const auto& [communicator, members] : membersOf(trace, sequences)) {
        std::size_t most = 0;
        for (const Member& member : members)
            most = std::max(most, member.steps.size());
        for (std::size_t number = 0; number < most; ++number) {
            CollectiveCall call;
            std::string wrong = combine(trace, members, number, call);
            if (!wrong.empty()) {
                // From here on nobody knows which calls belong together.
                found.warnings.push_back(warningOf(communicator, number, std::move(wrong)));
                break;
            }
            for (const Member& member : members)
                found.ofCall[member.steps[number]->call] = static_cast<std::uint32_t>(
                    found.calls.size());
            found.calls.push_back(std::move(call));
        }
    }
    return found;
}

} // namespace tasuki::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "loggedpart.h"

#include <algorithm>

namespace tasuki::plan {

namespace {

/// The time of one task that counts.
struct CountedTime {
    std::int64_t countedUs = 0;
    std::int64_t latestUs = 0;
    std::uint32_t leftOut = 0; ///< calls that are open and do not count
};

} // namespace

LoggedPart::LoggedPart(const trace::Trace& trace) : m_roles(trace.states.size(), Role::Counts)
{
    const bool isChosen = std::ranges::any_of(trace.calls, [&trace](const trace::Call& call) {
        return trace.stateOf(call).call == trace::MpiCall::Unlogged;
    });
    if (!isChosen)
        return;
    std::ranges::transform(trace.states, m_roles.begin(), [](const trace::StateType& state) {
        if (trace::isMpiInit(state.name))
            return Role::Begins;
        const bool isLeftOut = state.call == trace::MpiCall::Unlogged
            || trace::isMpiFinalize(state.name);
        return isLeftOut ? Role::LeftOut : Role::Counts;
    });
}

double tracedRuntimeUs(const trace::Trace& trace)
{
    const LoggedPart part(trace);
    std::vector<CountedTime> tasks(trace.tasks());
    for (const trace::Event& event : trace.events) {
        CountedTime& task = tasks[event.task.value()];
        if (task.leftOut == 0)
            task.countedUs += event.timeUs - task.latestUs;
        task.latestUs = event.timeUs;
        if (event.kind != trace::EventKind::Begin && event.kind != trace::EventKind::End)
            continue;
        const trace::Call& call = trace.calls[event.subject];
        if (part.counts(call))
            continue;
        if (part.begins(call))
            task.countedUs = 0;
        task.leftOut += event.kind == trace::EventKind::Begin ? 1U : ~0U;
    }
    std::int64_t longestUs = 0;
    for (const CountedTime& task : tasks)
        longestUs = std::max(longestUs, task.countedUs);
    return static_cast<double>(longestUs);
}

} // namespace tasuki::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "unfollowed.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tasuki::plan {

namespace {

/// Below this nothing is said.
constexpr double worthAWord = 0.01;
constexpr std::size_t mostNamed = 3;

bool isTracers(std::string_view name) { return name.starts_with("TRACER_"); }

/// States of the tracer's have names in capitals without "MPI_" when they are followed, or make communicators.
std::string fullName(const std::string& state)
{
    const std::string_view known = trace::mpiFunctionName(state);
    return known.empty() ? state : std::string(known);
}

double durationUs(const CallStep& step) { return static_cast<double>(step.endUs - step.beginUs); }

using NamedTimes = std::map<std::string, double>; ///< microseconds

UnfollowedShare shareOf(std::uint32_t task, const NamedTimes& times, double allUs)
{
    UnfollowedShare share{.task = task};
    double sum = 0.0;
    std::vector<std::pair<std::string, double>> longest(times.begin(), times.end());
    for (const auto& [name, us] : longest)
        sum += us;
    share.share = allUs > 0.0 ? sum / allUs : 0.0;
    std::ranges::stable_sort(longest, std::ranges::greater{},
                             &std::pair<std::string, double>::second);
    // A tenth of the whole is worth a name.
    for (const auto& [name, us] : longest) {
        if (us > sum / 10 && share.calls.size() < mostNamed)
            share.calls.push_back(name);
    }
    return share;
}

} // namespace

UnfollowedCalls::UnfollowedCalls(const trace::Trace& trace, std::span<const CallSequence> sequences)
    : m_trace(trace)
{
    for (const trace::StateType& state : trace.states) {
        m_states.push_back(state.call == trace::MpiCall::Passing && !trace::isMpiInit(state.name)
                           && !trace::isMpiFinalize(state.name) && !isTracers(state.name));
    }
    for (std::uint32_t task = 0; task < sequences.size(); ++task) {
        for (const CallStep& step : sequences[task].steps) {
            const trace::Call& call = trace.calls[step.call];
            if (!isUnfollowed(call.state) || call.detail == trace::none)
                continue;
            for (const std::uint32_t request : trace.details[call.detail].requests)
                m_started[{task, request}] = call.state;
        }
    }
}

std::optional<std::uint32_t> UnfollowedCalls::stateOf(const CallStep& step) const
{
    const trace::Call& call = m_trace.calls[step.call];
    if (isUnfollowed(call.state))
        return call.state;
    if (!trace::isCompletion(step.kind) || call.detail == trace::none || m_started.empty())
        return std::nullopt;
    for (const std::uint32_t request : m_trace.details[call.detail].requests) {
        const auto found = m_started.find({call.task.value(), request});
        if (found != m_started.end())
            return found->second;
    }
    return std::nullopt;
}

std::string UnfollowedShare::text() const
{
    std::string names;
    for (std::size_t i = 0; i < calls.size(); ++i)
        names += (i == 0 ? "" : i + 1 == calls.size() ? " and " : ", ") + calls[i];
    return std::to_string(std::lround(share * 100)) + " % of task " + std::to_string(task)
        + " is in " + names + (calls.size() > 1 ? ", which are" : ", which is") + " not followed";
}

std::vector<UnfollowedShare> unfollowedShares(const trace::Trace& trace)
{
    const std::vector<CallSequence> sequences = callSequences(trace);
    const UnfollowedCalls unfollowed(trace, sequences);
    std::vector<UnfollowedShare> shares;
    for (std::uint32_t task = 0; task < sequences.size(); ++task) {
        NamedTimes times;
        auto allUs = static_cast<double>(sequences[task].afterUs);
        for (const CallStep& step : sequences[task].steps) {
            allUs += static_cast<double>(std::max<std::int64_t>(step.beforeUs, 0));
            const std::string& name = trace.stateOf(trace.calls[step.call]).name;
            if (trace::isMpiInit(name) || trace::isMpiFinalize(name))
                continue;
            allUs += durationUs(step);
            if (const auto state = unfollowed.stateOf(step))
                times[fullName(trace.states[*state].name)] += durationUs(step);
        }
        for (const auto& [state, us] : sequences[task].besideUs)
            times[fullName(trace.states[state].name) + " of another thread"] += static_cast<double>(
                us);
        UnfollowedShare share = shareOf(task, times, allUs);
        if (share.share > 0.0)
            shares.push_back(std::move(share));
    }
    std::ranges::stable_sort(shares, std::ranges::greater{}, &UnfollowedShare::share);
    return shares;
}

std::optional<Diagnostic> unfollowedDiagnostic(const trace::Trace& trace, double limit)
{
    const std::vector<UnfollowedShare> shares = unfollowedShares(trace);
    if (shares.empty() || shares.front().share < std::min(worthAWord, limit))
        return std::nullopt;
    const bool tooMuch = shares.front().share > limit;
    const std::string bound = std::to_string(std::lround(limit * 100));
    return Diagnostic{.severity = tooMuch ? Severity::Failure : Severity::Warning,
                      .place = {},
                      .message = shares.front().text(),
                      .remedy = tooMuch ? "beyond " + bound
                              + " % what it waits for there is guesswork, and so would be a plan"
                                        : "it counts with the time it took in the trace"};
}

} // namespace tasuki::plan

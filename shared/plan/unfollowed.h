// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "callsequence.h"
#include "domain/diagnostic.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::plan {

/// Calls that are named in a trace and not followed: of one-sided communication, files, non-blocking
/// collective calls, new communicators. Nobody knows for whom a task waits there, so that a prediction takes
/// their time as it was. MPI_Init and MPI_Finalize are none of them.
class UnfollowedCalls {
public:
    UnfollowedCalls(const trace::Trace& trace, std::span<const CallSequence> sequences);

    /// @return the state whose time the call's is: its own, or of the call that has started what it waits
    ///         for; nothing when it is followed
    [[nodiscard]] std::optional<std::uint32_t> stateOf(const CallStep& step) const;

private:
    [[nodiscard]] bool isUnfollowed(std::uint32_t state) const { return m_states[state]; }

    const trace::Trace& m_trace;
    std::vector<bool> m_states;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
        m_started; ///< by task and request
};

/// How much of a task's time is in calls that are not followed.
struct UnfollowedShare {
    std::uint32_t task = 0;
    double share = 0.0;                  ///< of the time between MPI_Init and MPI_Finalize
    std::vector<std::string> calls = {}; ///< those that take most of it, the longest first

    /// @return "37 % of task 1 is in MPI_Win_fence, which is not followed"
    [[nodiscard]] std::string text() const;
};

/// @return of the tasks that have some, the largest share first
std::vector<UnfollowedShare> unfollowedShares(const trace::Trace& trace);

/// More than this in any task, and a plan cannot be trusted.
inline constexpr unsigned usualUnfollowedPercent = 10;

/// What is to be said of them: the task with the largest share.
/// @param limit  a larger share is an error, a smaller one a warning
/// @return nothing when no share is worth a word
std::optional<Diagnostic> unfollowedDiagnostic(const trace::Trace& trace, double limit);

} // namespace tasuki::plan

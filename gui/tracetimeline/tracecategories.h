// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/timeline.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki {

/// MPI calls that are drawn alike.
enum class CallFamily : std::uint8_t { Send, Receive, Wait, Collective, Other };
inline constexpr std::size_t callFamilyCount = 5;

CallFamily familyOf(trace::MpiCall call);

/// What a stretch of a task's time is drawn as: a number that TraceCategories gives a meaning.
using TraceCategory = std::uint8_t;

/// The categories of one trace: nothing, computation, each family of calls in two kinds (the call
/// works, or its task waits in it), and the states that are no calls of MPI, one each.
class TraceCategories {
public:
    static constexpr std::size_t most = 32;
    static constexpr TraceCategory idle = 0; ///< the task does not run, or nothing is known
    static constexpr TraceCategory compute = 1;
    static constexpr TraceCategory firstOfCalls = 2;
    static constexpr TraceCategory firstOfWaiting = firstOfCalls + callFamilyCount;
    static constexpr TraceCategory firstOfStates = firstOfWaiting + callFamilyCount;

    /// @param trace  null: calls have no names, all are of the family Other
    explicit TraceCategories(const trace::Trace* trace);

    [[nodiscard]] std::size_t count() const { return firstOfStates + m_states.size(); }
    /// States beyond the most that there is room for are drawn as other calls.
    [[nodiscard]] TraceCategory of(const plan::TimelineSpan& span) const;
    static TraceCategory ofFamily(CallFamily family, bool waiting);

    static bool isWaiting(TraceCategory category)
    {
        return category >= firstOfWaiting && category < firstOfStates;
    }
    /// Whether it is a state of the program's own.
    static bool isState(TraceCategory category) { return category >= firstOfStates; }
    /// @param category  of a call, waiting or not
    static CallFamily familyOfCategory(TraceCategory category);
    /// @param category  of a state
    [[nodiscard]] const trace::StateType& stateOf(TraceCategory category) const
    {
        return m_states[category - firstOfStates];
    }
    /// @return the categories of states
    [[nodiscard]] const std::vector<trace::StateType>& states() const { return m_states; }

private:
    std::vector<trace::StateType> m_states;
    std::vector<TraceCategory> m_ofState; ///< [Trace::states]
    const trace::Trace* m_trace;
};

} // namespace tasuki

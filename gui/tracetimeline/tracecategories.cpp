// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracecategories.h"

namespace tasuki {

CallFamily familyOf(trace::MpiCall call)
{
    using trace::MpiCall;
    if (trace::isCollective(call))
        return CallFamily::Collective;
    switch (call) {
    case MpiCall::Send:
    case MpiCall::Ssend:
    case MpiCall::Issend:
    case MpiCall::Sendrecv:
    case MpiCall::Isend: return CallFamily::Send;
    case MpiCall::Recv:
    case MpiCall::Irecv: return CallFamily::Receive;
    case MpiCall::Wait:
    case MpiCall::Waitall:
    case MpiCall::Test:
    case MpiCall::Probe: return CallFamily::Wait;
    default: break;
    }
    return CallFamily::Other;
}

TraceCategories::TraceCategories(const trace::Trace* trace) : m_trace(trace)
{
    if (trace == nullptr)
        return;
    m_ofState.reserve(trace->states.size());
    for (const trace::StateType& state : trace->states) {
        const bool isNoCall = state.call == trace::MpiCall::Other
            || state.call == trace::MpiCall::Unlogged;
        if (isNoCall && count() < most) {
            m_ofState.push_back(static_cast<TraceCategory>(count()));
            m_states.push_back(state);
        } else {
            m_ofState.push_back(ofFamily(familyOf(state.call), false));
        }
    }
}

TraceCategory TraceCategories::ofFamily(CallFamily family, bool waiting)
{
    return static_cast<TraceCategory>((waiting ? firstOfWaiting : firstOfCalls)
                                      + static_cast<std::size_t>(family));
}

CallFamily TraceCategories::familyOfCategory(TraceCategory category)
{
    return static_cast<CallFamily>((category - firstOfCalls) % callFamilyCount);
}

TraceCategory TraceCategories::of(const plan::TimelineSpan& span) const
{
    if (span.kind == plan::SpanKind::Compute)
        return compute;
    const bool waiting = span.kind == plan::SpanKind::Wait;
    if (m_trace == nullptr || span.call >= m_trace->calls.size())
        return ofFamily(CallFamily::Other, waiting);
    const TraceCategory category = m_ofState[m_trace->calls[span.call].state];
    if (!waiting)
        return category;
    return ofFamily(isState(category) ? CallFamily::Other : familyOfCategory(category), true);
}

} // namespace tasuki

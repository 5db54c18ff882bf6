// SPDX-License-Identifier: GPL-3.0-or-later
#include "callsequence.h"

#include <algorithm>
#include <utility>

namespace tasuki::plan {

namespace {

using trace::EventKind;

/// The calls of one task as they come by.
class Follower {
public:
    explicit Follower(const trace::Trace& trace) : m_trace(trace) {}

    void take(const trace::Event& event)
    {
        m_sequence.endUs = std::max(m_sequence.endUs, event.timeUs);
        switch (event.kind) {
        case EventKind::Begin: begin(event.subject); break;
        case EventKind::End: end(event.subject); break;
        case EventKind::Send:
            if (inCall())
                m_sequence.steps.back().sent.push_back(event.subject);
            break;
        case EventKind::Receive:
            if (inCall())
                m_sequence.steps.back().received.push_back(event.subject);
            break;
        case EventKind::Mark: break;
        }
    }

    CallSequence finish() { return std::move(m_sequence); }

private:
    [[nodiscard]] bool inCall() const { return m_open != trace::none; }

    void begin(std::uint32_t index)
    {
        const trace::Call& call = m_trace.calls[index];
        const trace::StateType& state = m_trace.stateOf(call);
        if (inCall() || state.call == trace::MpiCall::Other)
            return;
        m_open = index;
        m_sequence.steps.push_back({.call = index,
                                    .kind = state.call,
                                    .beginUs = call.beginUs,
                                    .endUs = std::max(call.beginUs, call.endUs),
                                    .sent = {},
                                    .received = {}});
    }

    void end(std::uint32_t index)
    {
        if (m_open == index)
            m_open = trace::none;
    }

    const trace::Trace& m_trace;
    CallSequence m_sequence;
    std::uint32_t m_open = trace::none; ///< index in Trace::calls
};

} // namespace

std::vector<CallSequence> callSequences(const trace::Trace& trace)
{
    std::vector<Follower> followers(trace.tasks(), Follower(trace));
    for (const trace::Event& event : trace.events)
        followers[event.task.value()].take(event);
    std::vector<CallSequence> sequences;
    sequences.reserve(followers.size());
    for (Follower& follower : followers)
        sequences.push_back(follower.finish());
    return sequences;
}

} // namespace tasuki::plan

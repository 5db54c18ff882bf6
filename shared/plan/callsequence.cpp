// SPDX-License-Identifier: GPL-3.0-or-later
#include "callsequence.h"

#include "loggedpart.h"

#include <algorithm>
#include <utility>

namespace tasuki::plan {

namespace {

using trace::EventKind;

/// The calls of one task as they come by.
class Follower {
public:
    Follower(const trace::Trace& trace, const LoggedPart& part) : m_trace(trace), m_part(part) {}

    void take(const trace::Event& event)
    {
        advance(event.timeUs);
        if (event.thread != 0)
            return takeBeside(event);
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

    CallSequence finish()
    {
        advance(std::max<std::int64_t>(m_nowUs, 0));
        m_sequence.afterUs = m_computedUs;
        return std::move(m_sequence);
    }

private:
    [[nodiscard]] bool inCall() const { return m_open != trace::none; }
    [[nodiscard]] bool isLeftOut() const { return m_leftOut != trace::none; }

    /// A record of another thread.
    void takeBeside(const trace::Event& event)
    {
        if (event.kind == EventKind::End) {
            std::erase(m_beside, event.subject);
        } else if (event.kind == EventKind::Begin) {
            const trace::Call& call = m_trace.calls[event.subject];
            if (m_trace.stateOf(call).call != trace::MpiCall::Other && m_part.counts(call))
                m_beside.push_back(event.subject);
        }
    }

    void advance(std::int64_t timeUs)
    {
        if (!inCall() && !isLeftOut()) {
            m_computedUs += timeUs - m_nowUs;
            if (!m_beside.empty())
                m_sequence.besideUs[m_trace.calls[m_beside.front()].state] += timeUs - m_nowUs;
        }
        m_nowUs = timeUs;
    }

    void begin(std::uint32_t index)
    {
        const trace::Call& call = m_trace.calls[index];
        const trace::StateType& state = m_trace.stateOf(call);
        if (isLeftOut())
            return;
        if (!m_part.counts(call)) {
            if (m_part.begins(call))
                m_computedUs = 0;
            m_leftOut = index;
            return;
        }
        if (inCall() || state.call == trace::MpiCall::Other)
            return;
        m_open = index;
        m_sequence.steps.push_back({.call = index,
                                    .kind = state.call,
                                    .beginUs = call.beginUs,
                                    .endUs = std::max(call.beginUs, call.endUs),
                                    .beforeUs = std::exchange(m_computedUs, 0),
                                    .sent = {},
                                    .received = {}});
    }

    void end(std::uint32_t index)
    {
        if (m_open == index)
            m_open = trace::none;
        if (m_leftOut == index)
            m_leftOut = trace::none;
    }

    const trace::Trace& m_trace;
    const LoggedPart& m_part;
    CallSequence m_sequence;
    std::int64_t m_nowUs = 0;
    std::int64_t m_computedUs = 0;         ///< since the latest call
    std::uint32_t m_open = trace::none;    ///< index in Trace::calls
    std::uint32_t m_leftOut = trace::none; ///< likewise, of a call that does not count
    std::vector<std::uint32_t> m_beside;   ///< likewise, of other threads
};

} // namespace

std::vector<CallSequence> callSequences(const trace::Trace& trace)
{
    const LoggedPart part(trace);
    std::vector<Follower> followers(trace.tasks(), Follower(trace, part));
    for (const trace::Event& event : trace.events)
        followers[event.task.value()].take(event);
    std::vector<CallSequence> sequences;
    sequences.reserve(followers.size());
    for (Follower& follower : followers)
        sequences.push_back(follower.finish());
    return sequences;
}

} // namespace tasuki::plan

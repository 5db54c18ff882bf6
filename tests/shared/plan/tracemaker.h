// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::plan::testing {

/// Writes down what tasks do, task by task, as a trace.
class TraceMaker {
public:
    using Call = trace::MpiCall;

    explicit TraceMaker(std::uint32_t tasks) { m_trace.taskNames.resize(tasks); }

    /// A call of one task. Calls of one task come in the order of time.
    TraceMaker& call(std::uint32_t task, Call kind, std::int64_t beginUs, std::int64_t endUs,
                     trace::CallDetail detail = {})
    {
        return state(task, stateOf(kind, std::string(trace::mpiCallName(kind))), beginUs, endUs,
                     std::move(detail));
    }

    /// The same for a state of any name, which tells what it means.
    TraceMaker& named(std::uint32_t task, const std::string& name, std::int64_t beginUs,
                      std::int64_t endUs, trace::CallDetail detail = {})
    {
        return state(task, stateOf(trace::mpiCallNamed(name), name), beginUs, endUs,
                     std::move(detail));
    }

    /// The calls that follow are of this thread.
    TraceMaker& thread(std::uint16_t number)
    {
        endCall();
        m_thread = number;
        return *this;
    }

    /// A message that the latest call of the task sends.
    TraceMaker& sends(std::uint32_t to, std::uint64_t bytes, std::uint32_t request = trace::none)
    {
        const std::uint32_t message = end(m_sent, m_task, to);
        m_trace.messages[message].bytes = bytes;
        m_trace.messages[message].sendRequest = request;
        add(trace::EventKind::Send, m_beginUs, message);
        return *this;
    }

    /// A message that the latest call of the task receives.
    TraceMaker& receives(std::uint32_t from, std::uint32_t request = trace::none)
    {
        const std::uint32_t message = end(m_received, from, m_task);
        m_trace.messages[message].receiveRequest = request;
        add(trace::EventKind::Receive, m_endUs, message);
        return *this;
    }

    /// An event without length, as the task's last one.
    TraceMaker& ends(std::uint32_t task, std::int64_t timeUs)
    {
        endCall();
        m_task = task;
        m_trace.marks.push_back({.id = 1, .data = 0, .comment = {}});
        add(trace::EventKind::Mark, timeUs, static_cast<std::uint32_t>(m_trace.marks.size() - 1));
        return *this;
    }

    [[nodiscard]] trace::Trace make()
    {
        endCall();
        trace::Trace made = m_trace;
        std::ranges::stable_sort(m_events, {}, &trace::Event::timeUs);
        for (const trace::Event& event : m_events) {
            const auto index = static_cast<std::uint32_t>(made.events.size());
            if (event.kind == trace::EventKind::Send)
                made.messages[event.subject].sent = index;
            if (event.kind == trace::EventKind::Receive)
                made.messages[event.subject].received = index;
            made.events.push_back(event);
        }
        return made;
    }

private:
    using Ends = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>;

    std::uint32_t stateOf(Call kind, const std::string& name)
    {
        const auto place = std::ranges::find(m_trace.states, name, &trace::StateType::name);
        if (place != m_trace.states.end())
            return static_cast<std::uint32_t>(place - m_trace.states.begin());
        const auto id = static_cast<std::int32_t>(2 * m_trace.states.size() + 1);
        m_trace.states.push_back(
            {.beginId = id, .endId = id + 1, .name = name, .colour = {}, .call = kind});
        return static_cast<std::uint32_t>(m_trace.states.size() - 1);
    }

    TraceMaker& state(std::uint32_t task, std::uint32_t type, std::int64_t beginUs,
                      std::int64_t endUs, trace::CallDetail detail)
    {
        endCall();
        m_task = task;
        m_beginUs = beginUs;
        m_endUs = endUs;
        trace::Call made{
            .state = type, .task = trace::Task(task), .beginUs = beginUs, .endUs = endUs};
        if (!(detail == trace::CallDetail{})) {
            made.detail = static_cast<std::uint32_t>(m_trace.details.size());
            m_trace.details.push_back(std::move(detail));
        }
        const auto index = static_cast<std::uint32_t>(m_trace.calls.size());
        m_trace.calls.push_back(made);
        add(trace::EventKind::Begin, beginUs, index);
        m_call = index;
        return *this;
    }

    void endCall()
    {
        if (m_call != trace::none)
            add(trace::EventKind::End, m_endUs, std::exchange(m_call, trace::none));
    }

    void add(trace::EventKind kind, std::int64_t timeUs, std::uint32_t subject)
    {
        m_events.push_back({.timeUs = timeUs,
                            .task = trace::Task(m_task),
                            .subject = subject,
                            .kind = kind,
                            .thread = m_thread});
    }

    /// The message whose other end came first, else a new one.
    std::uint32_t end(Ends& mine, std::uint32_t from, std::uint32_t to)
    {
        auto& ends = mine[{from, to}];
        auto& messages = m_ofPair[{from, to}];
        if (ends.size() == messages.size()) {
            messages.push_back(static_cast<std::uint32_t>(m_trace.messages.size()));
            trace::Message message;
            message.from = trace::Task(from);
            message.to = trace::Task(to);
            m_trace.messages.push_back(message);
        }
        ends.push_back(messages[ends.size()]);
        return ends.back();
    }

    trace::Trace m_trace;
    std::vector<trace::Event> m_events;
    Ends m_ofPair;
    Ends m_sent;
    Ends m_received;
    std::uint32_t m_call = trace::none; ///< that has not ended
    std::uint32_t m_task = 0;
    std::uint16_t m_thread = 0;
    std::int64_t m_beginUs = 0;
    std::int64_t m_endUs = 0;
};

} // namespace tasuki::plan::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tasuki::trace::testing {

/// Holds a trace against what trace.h promises.
class TraceChecker {
public:
    explicit TraceChecker(const Trace& trace)
        : m_trace(trace), m_ended(trace.calls.size(), false), m_open(trace.tasks())
    {}

    /// @return the first promise that is broken; empty: none
    std::string firstFault()
    {
        std::vector<std::int64_t> latest(m_trace.tasks(), std::numeric_limits<std::int64_t>::min());
        for (std::size_t index = 0; index < m_trace.events.size() && m_fault.empty(); ++index) {
            const Event& event = m_trace.events[index];
            if (event.task.value() >= m_trace.tasks())
                return "an event of a task that there is not";
            std::int64_t& time = latest[event.task.value()];
            expect(event.timeUs >= time, "the time of a task goes back");
            time = event.timeUs;
            checkEvent(static_cast<std::uint32_t>(index), event);
        }
        expect(m_calls == m_trace.calls.size(), "a call without begin");
        expect(m_marks == m_trace.marks.size(), "a mark without event");
        expect(m_details == m_trace.details.size(), "a detail without call");
        for (std::size_t index = 0; index < m_trace.calls.size() && m_fault.empty(); ++index) {
            const Call& call = m_trace.calls[index];
            expect(call.endUs >= call.beginUs, "a call ends before it begins");
            if (!m_ended[index])
                expect(call.endUs == latest[call.task.value()], "an open call ends somewhere");
        }
        if (m_fault.empty())
            checkMessages();
        return m_fault;
    }

private:
    void expect(bool holds, const char* promise)
    {
        if (!holds && m_fault.empty())
            m_fault = promise;
    }

    void checkEvent(std::uint32_t index, const Event& event)
    {
        switch (event.kind) {
        case EventKind::Begin: return checkBegin(event);
        case EventKind::End: return checkEnd(event);
        case EventKind::Mark: expect(event.subject == m_marks++, "marks are out of order"); return;
        case EventKind::Send:
        case EventKind::Receive: break;
        }
        if (event.subject >= m_trace.messages.size())
            return expect(false, "an event of a message that there is not");
        const Message& message = m_trace.messages[event.subject];
        const bool isSend = event.kind == EventKind::Send;
        expect((isSend ? message.sent : message.received) == index, "a message without its event");
        expect((isSend ? message.from : message.to) == event.task, "a message of another task");
        expect(event.subject <= m_messages, "messages are out of order");
        m_messages = std::max(m_messages, event.subject + 1);
    }

    void checkBegin(const Event& event)
    {
        expect(event.subject == m_calls, "calls are not in the order of their begins");
        if (!m_fault.empty() || m_calls++ >= m_trace.calls.size())
            return expect(false, "a begin without call");
        const Call& call = m_trace.calls[event.subject];
        expect(call.task == event.task && call.beginUs == event.timeUs, "a call begins elsewhere");
        expect(call.state < m_trace.states.size(), "a call in no state");
        expect(call.depth == m_open[event.task.value()]++, "a wrong depth");
        if (call.detail != none)
            expect(call.detail == m_details++, "details are out of order");
    }

    void checkEnd(const Event& event)
    {
        if (event.subject >= m_calls || m_ended[event.subject])
            return expect(false, "an end without begin");
        m_ended[event.subject] = true;
        --m_open[event.task.value()];
        const Call& call = m_trace.calls[event.subject];
        expect(call.task == event.task && call.endUs == event.timeUs, "a call ends elsewhere");
    }

    void checkMessages()
    {
        using Key = std::tuple<Task, Task, std::int32_t, std::uint32_t>;
        std::map<Key, std::vector<std::pair<std::uint32_t, std::uint32_t>>> ends;
        expect(m_messages == m_trace.messages.size(), "a message without events");
        for (const Message& message : m_trace.messages) {
            expect(message.sent < m_trace.events.size() || message.received < m_trace.events.size(),
                   "a message without ends");
            expect(message.from.value() < m_trace.tasks() && message.to.value() < m_trace.tasks(),
                   "a message from or to nowhere");
            ends[{message.from, message.to, message.tag, message.communicator}].emplace_back(
                message.sent, message.received);
        }
        // Those without the other end are the last ones: none sorts behind every index.
        for (auto& [key, pairs] : ends) {
            std::ranges::sort(pairs);
            expect(std::ranges::is_sorted(pairs, {}, [](const auto& pair) { return pair.second; }),
                   "messages overtake each other");
        }
    }

    const Trace& m_trace;
    std::string m_fault;
    std::vector<bool> m_ended;
    std::vector<std::uint32_t> m_open;
    std::uint32_t m_calls = 0;
    std::uint32_t m_details = 0;
    std::uint32_t m_marks = 0;
    std::uint32_t m_messages = 0;
};

/// @return what trace.h promises and this trace does not keep; empty: all is well
inline std::string firstFault(const Trace& trace) { return TraceChecker(trace).firstFault(); }

} // namespace tasuki::trace::testing

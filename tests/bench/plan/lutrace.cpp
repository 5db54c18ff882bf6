// SPDX-License-Identifier: GPL-3.0-or-later
#include "lutrace.h"

#include <algorithm>
#include <tuple>

namespace tasuki::bench {

namespace {

constexpr std::uint32_t width = 5;
constexpr std::int64_t sendUs = 3;
constexpr std::int64_t receiveUs = 2;
constexpr std::int64_t travelUs = 20;

class Writer {
public:
    explicit Writer(std::uint32_t tasks) : m_clocks(tasks, 0)
    {
        m_trace.taskNames.resize(tasks);
        m_trace.states.push_back(
            {.beginId = 1, .endId = 2, .name = "MPI_Send", .call = trace::MpiCall::Send});
        m_trace.states.push_back(
            {.beginId = 3, .endId = 4, .name = "MPI_Recv", .call = trace::MpiCall::Recv});
    }

    void compute(std::uint32_t task, std::int64_t us) { m_clocks[task] += us; }

    void send(std::uint32_t from, std::uint32_t to, std::uint64_t bytes)
    {
        trace::Message message;
        message.from = trace::Task(from);
        message.to = trace::Task(to);
        message.bytes = bytes;
        const auto index = static_cast<std::uint32_t>(m_trace.messages.size());
        m_trace.messages.push_back(message);
        const std::int64_t begin = m_clocks[from];
        call(0, from, begin, begin + sendUs, trace::EventKind::Send, index);
        const std::int64_t posted = m_clocks[to];
        call(1, to, posted, std::max(posted + receiveUs, begin + travelUs),
             trace::EventKind::Receive, index);
    }

    trace::Trace finish()
    {
        std::ranges::stable_sort(m_trace.events, {}, [](const trace::Event& event) {
            return std::tuple(event.timeUs, event.task);
        });
        for (std::uint32_t index = 0; index < m_trace.events.size(); ++index) {
            const trace::Event& event = m_trace.events[index];
            if (event.kind == trace::EventKind::Send)
                m_trace.messages[event.subject].sent = index;
            else if (event.kind == trace::EventKind::Receive)
                m_trace.messages[event.subject].received = index;
        }
        return std::move(m_trace);
    }

private:
    void call(std::uint32_t state, std::uint32_t task, std::int64_t beginUs, std::int64_t endUs,
              trace::EventKind kind, std::uint32_t message)
    {
        const auto index = static_cast<std::uint32_t>(m_trace.calls.size());
        m_trace.calls.push_back(
            {.state = state, .task = trace::Task(task), .beginUs = beginUs, .endUs = endUs});
        add(trace::EventKind::Begin, task, beginUs, index);
        add(kind, task, kind == trace::EventKind::Send ? beginUs : endUs, message);
        add(trace::EventKind::End, task, endUs, index);
        m_clocks[task] = endUs;
    }

    void add(trace::EventKind kind, std::uint32_t task, std::int64_t us, std::uint32_t subject)
    {
        m_trace.events.push_back(
            {.timeUs = us, .task = trace::Task(task), .subject = subject, .kind = kind});
    }

    std::vector<std::int64_t> m_clocks;
    trace::Trace m_trace;
};

} // namespace

trace::Trace luTrace(std::uint32_t tasks, std::uint32_t columns)
{
    Writer writer(tasks);
    for (std::uint32_t column = 0; column < columns; ++column) {
        const std::uint32_t owner = column / width % tasks;
        const std::uint32_t left = columns - column;
        writer.compute(owner, left / 4);
        for (std::uint32_t task = 0; task < tasks; ++task) {
            if (task != owner)
                writer.send(owner, task, std::uint64_t{8} * left);
        }
        for (std::uint32_t task = 0; task < tasks; ++task)
            writer.compute(task, std::int64_t{left} * left / tasks / 500);
    }
    return writer.finish();
}

} // namespace tasuki::bench

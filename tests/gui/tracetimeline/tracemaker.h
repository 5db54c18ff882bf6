// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/timeline.h"
#include "trace/trace.h"
#include "tracetimeline/tracestore.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>

namespace tasuki {

/// Makes traces call by call, for tests of what shows them. Times in microseconds.
class TraceMaker {
public:
    explicit TraceMaker(std::uint32_t tasks) { m_trace.taskNames.resize(tasks); }

    std::uint32_t state(const std::string& name, const std::string& colour = {})
    {
        for (std::uint32_t i = 0; i < m_trace.states.size(); ++i) {
            if (m_trace.states[i].name == name)
                return i;
        }
        const auto number = static_cast<std::int32_t>(m_trace.states.size());
        m_trace.states.push_back({.beginId = 2 * number + 1,
                                  .endId = 2 * number + 2,
                                  .name = name,
                                  .colour = colour,
                                  .call = trace::mpiCallNamed(name)});
        return static_cast<std::uint32_t>(number);
    }

    /// Calls of one task are made in the order of their begins.
    std::uint32_t call(const std::string& name, std::uint32_t task, std::int64_t beginUs,
                       std::int64_t endUs, std::uint32_t depth = 0)
    {
        const auto index = static_cast<std::uint32_t>(m_trace.calls.size());
        m_trace.calls.push_back({.state = state(name),
                                 .task = trace::Task(task),
                                 .beginUs = beginUs,
                                 .endUs = endUs,
                                 .depth = depth});
        event(trace::EventKind::Begin, task, beginUs, index);
        event(trace::EventKind::End, task, endUs, index);
        return index;
    }

    std::uint32_t message(std::uint32_t from, std::uint32_t to, std::int64_t sentUs,
                          std::int64_t receivedUs, std::uint64_t bytes = 8, std::int32_t tag = 0)
    {
        const auto index = static_cast<std::uint32_t>(m_trace.messages.size());
        trace::Message message;
        message.from = trace::Task(from);
        message.to = trace::Task(to);
        message.bytes = bytes;
        message.tag = tag;
        message.sent = event(trace::EventKind::Send, from, sentUs, index);
        message.received = event(trace::EventKind::Receive, to, receivedUs, index);
        m_trace.messages.push_back(message);
        return index;
    }

    [[nodiscard]] const trace::Trace& trace() const { return m_trace; }
    [[nodiscard]] std::shared_ptr<const trace::Trace> shared() const
    {
        return std::make_shared<const trace::Trace>(m_trace);
    }
    [[nodiscard]] plan::Timeline timeline() const { return plan::tracedTimeline(m_trace); }
    [[nodiscard]] std::shared_ptr<const TraceStore> store() const { return store(timeline()); }
    [[nodiscard]] std::shared_ptr<const TraceStore> store(const plan::Timeline& timeline) const
    {
        return std::make_shared<const TraceStore>(std::make_shared<const plan::Timeline>(timeline),
                                                  shared());
    }

private:
    std::uint32_t event(trace::EventKind kind, std::uint32_t task, std::int64_t us,
                        std::uint32_t subject)
    {
        m_trace.events.push_back(
            {.timeUs = us, .task = trace::Task(task), .subject = subject, .kind = kind});
        return static_cast<std::uint32_t>(m_trace.events.size() - 1);
    }

    trace::Trace m_trace;
};

/// Two tasks: task 0 computes, sends and waits; task 1 receives within a state of its own.
///
///   task 0   |computation 0-100|Send 100-200|computation|Barrier 600-800|
///   task 1   |solve 0-1000: Recv 50-300, Barrier 700-800                |
///   message from 0 at 120 to 1 at 290, 4096 bytes, tag 7
inline TraceMaker smallTrace()
{
    TraceMaker maker(2);
    maker.state("solve", "yellow");
    maker.call("MPI_Send", 0, 100, 200);
    maker.call("solve", 1, 0, 1000);
    maker.call("MPI_Recv", 1, 50, 300, 1);
    maker.message(0, 1, 120, 290, 4096, 7);
    maker.call("MPI_Barrier", 0, 600, 800);
    maker.call("MPI_Barrier", 1, 700, 800, 1);
    return maker;
}

/// Nested calls at random, some of no length, and messages, some of which arrive before they are
/// sent.
inline TraceMaker randomTrace(unsigned seed, std::uint32_t tasks, int calls)
{
    constexpr const char* names[] = {"MPI_Send",      "MPI_Recv", "MPI_Waitall", "MPI_Bcast",
                                     "MPI_Comm_rank", "solve",    "smooth",      "io"};
    TraceMaker maker(tasks);
    std::mt19937 random(seed);
    for (std::uint32_t task = 0; task < tasks; ++task) {
        std::int64_t time = static_cast<std::int64_t>(random() % 50);
        for (int i = 0; i < calls; ++i) {
            const std::int64_t length = random() % 5 == 0 ? 0 : random() % 60;
            maker.call(names[random() % 8], task, time, time + length);
            std::int64_t inner = time + static_cast<std::int64_t>(random() % 10);
            for (std::uint32_t depth = 1; depth < 4 && inner < time + length; ++depth) {
                const std::int64_t room = time + length - inner;
                const std::int64_t end = inner + static_cast<std::int64_t>(random() % 30) % room;
                maker.call(names[random() % 8], task, inner, end, depth);
                if (random() % 2 == 0)
                    inner = end;
                else if (end == inner || random() % 3 == 0)
                    break;
                if (inner == end)
                    break;
            }
            time += length + static_cast<std::int64_t>(random() % 20);
        }
        for (int i = 0; i < calls; ++i) {
            const auto sent = static_cast<std::int64_t>(random() % 20000);
            maker.message(task, random() % tasks, sent,
                          sent - 20 + static_cast<std::int64_t>(random() % 300));
        }
    }
    return maker;
}

} // namespace tasuki

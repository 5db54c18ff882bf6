// SPDX-License-Identifier: GPL-3.0-or-later
#include "randomtrace.h"

#include <deque>
#include <map>
#include <random>
#include <tuple>

namespace tasuki::trace::testing {

namespace {

class Maker {
public:
    Maker(std::uint32_t seed, std::uint32_t tasks) : m_random(seed), m_tasks(tasks)
    {
        m_trace.creator = "a program of chance";
        m_trace.taskNames.resize(tasks);
        for (std::uint32_t task = 0; task < tasks; task += 1 + below(3))
            m_trace.taskNames[task] = "task number " + std::to_string(task);
        for (int call = 0; call <= static_cast<int>(MpiCall::Scan); ++call) {
            const auto kind = static_cast<MpiCall>(call);
            // Other ids than MPE's, some of them large.
            const auto begin = 10 + call * 10'000 + static_cast<std::int32_t>(below(1000)) * 2;
            m_trace.states.push_back({.beginId = begin,
                                      .endId = begin + 1,
                                      .name = kind == MpiCall::Other
                                          ? "user's own state"
                                          : std::string(mpiCallName(kind)),
                                      .colour = chance(4) ? "" : "green",
                                      .call = kind});
        }
    }

    Trace make(std::uint32_t records)
    {
        while (m_trace.events.size() < records) {
            const Task task(below(static_cast<std::uint32_t>(m_tasks.size())));
            switch (below(6)) {
            case 0:
            case 1: begin(task); break;
            case 2: end(task); break;
            case 3: send(task); break;
            case 4: receive(task); break;
            default: mark(task); break;
            }
        }
        for (const OneTask& task : m_tasks) {
            for (const std::uint32_t call : task.open)
                m_trace.calls[call].endUs = task.latestUs;
        }
        return std::move(m_trace);
    }

private:
    struct OneTask {
        std::int64_t latestUs = 0;
        std::vector<std::uint32_t> open;
    };
    using Key = std::tuple<Task, Task, std::int32_t, std::uint32_t>;

    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(m_random() % end); }
    bool chance(std::uint32_t one) { return below(one) == 0; }

    std::int64_t append(Task task, EventKind kind, std::size_t subject)
    {
        std::int64_t& time = m_tasks[task.value()].latestUs;
        // Tasks' clocks differ: the log is not sorted by time.
        time += chance(10) ? 0 : below(chance(20) ? 1'000'000 : 500);
        m_trace.events.push_back({.timeUs = time,
                                  .task = task,
                                  .subject = static_cast<std::uint32_t>(subject),
                                  .kind = kind});
        return time;
    }

    void begin(Task task)
    {
        const std::size_t index = m_trace.calls.size();
        const std::int64_t time = append(task, EventKind::Begin, index);
        std::vector<std::uint32_t>& open = m_tasks[task.value()].open;
        m_trace.calls.push_back({.state = below(static_cast<std::uint32_t>(m_trace.states.size())),
                                 .task = task,
                                 .beginUs = time,
                                 .endUs = time,
                                 .depth = static_cast<std::uint32_t>(open.size())});
        open.push_back(static_cast<std::uint32_t>(index));
        if (!chance(3))
            return;
        CallDetail detail;
        if (chance(2))
            detail.root = below(8);
        if (chance(2))
            detail.bytes = m_random() % (chance(5) ? 1ULL << 62U : 10'000);
        if (chance(2))
            detail.communicator = below(3);
        for (std::uint32_t count = chance(2) ? below(4) : 0; count > 0; --count)
            detail.requests.push_back(below(100));
        m_trace.calls.back().detail = static_cast<std::uint32_t>(m_trace.details.size());
        m_trace.details.push_back(std::move(detail));
    }

    void end(Task task)
    {
        std::vector<std::uint32_t>& open = m_tasks[task.value()].open;
        if (open.empty())
            return;
        // Any open call, but of several of one state the inner one: that is who an end belongs to.
        std::size_t at = open.size() - 1
            - (chance(5) ? below(static_cast<std::uint32_t>(open.size())) : 0);
        for (std::size_t inner = at + 1; inner < open.size(); ++inner) {
            if (m_trace.calls[open[inner]].state == m_trace.calls[open[at]].state)
                at = inner;
        }
        const std::uint32_t call = open[at];
        m_trace.calls[call].endUs = append(task, EventKind::End, call);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }

    std::uint32_t message(const Key& key)
    {
        const auto& [from, to, tag, communicator] = key;
        m_trace.messages.push_back({.from = from,
                                    .to = to,
                                    .tag = tag,
                                    .communicator = communicator,
                                    .bytes = below(100'000)});
        return static_cast<std::uint32_t>(m_trace.messages.size() - 1);
    }

    Key key(Task from, Task to)
    {
        return {from, to, static_cast<std::int32_t>(below(3)) - 1, chance(4) ? 1 + below(2) : 0};
    }

    Task anyTask() { return Task(below(static_cast<std::uint32_t>(m_tasks.size()))); }

    void send(Task task)
    {
        const Key about = key(task, anyTask());
        std::deque<std::uint32_t>& early = m_received[about];
        std::uint32_t index = 0;
        if (early.empty()) {
            index = message(about);
            m_sent[about].push_back(index);
        } else {
            index = early.front();
            early.pop_front();
        }
        m_trace.messages[index].sent = static_cast<std::uint32_t>(m_trace.events.size());
        m_trace.messages[index].sendRequest = chance(3) ? below(50) : none;
        append(task, EventKind::Send, index);
    }

    void receive(Task task)
    {
        const Key about = key(anyTask(), task);
        std::deque<std::uint32_t>& waiting = m_sent[about];
        std::uint32_t index = 0;
        if (!waiting.empty()) {
            index = waiting.front();
            waiting.pop_front();
        } else if (chance(4)) {
            index = message(about);
            m_received[about].push_back(index);
        } else {
            return;
        }
        m_trace.messages[index].received = static_cast<std::uint32_t>(m_trace.events.size());
        m_trace.messages[index].receiveRequest = chance(3) ? below(50) : none;
        append(task, EventKind::Receive, index);
    }

    void mark(Task task)
    {
        append(task, EventKind::Mark, m_trace.marks.size());
        m_trace.marks.push_back({.id = static_cast<std::int32_t>(below(4)),
                                 .data = static_cast<std::int64_t>(below(9)) - 4,
                                 // Also such as look like times.
                                 .comment = chance(3) ? ""
                                     : chance(2)      ? std::to_string(below(100'000)) + " 7"
                                                      : "step  one, a=b"});
    }

    std::mt19937_64 m_random;
    std::vector<OneTask> m_tasks;
    std::map<Key, std::deque<std::uint32_t>> m_sent;
    std::map<Key, std::deque<std::uint32_t>> m_received;
    Trace m_trace;
};

} // namespace

Trace randomTrace(std::uint32_t seed, std::uint32_t tasks, std::uint32_t records)
{
    return Maker(seed, tasks).make(records);
}

} // namespace tasuki::trace::testing

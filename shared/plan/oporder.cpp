// SPDX-License-Identifier: GPL-3.0-or-later
#include "oporder.h"

#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::plan {

namespace {

constexpr std::uint32_t undefined = trace::none;

bool waits(const Op& op) { return op.kind == OpKind::Wait; }
bool defines(const Op& op)
{
    return op.kind == OpKind::Post || op.kind == OpKind::Send || op.kind == OpKind::Transfer;
}

/// Marks by the number that all operations know, and the place each has while it is needed.
class MarkPlaces {
public:
    explicit MarkPlaces(std::uint32_t marks) : m_uses(marks, 0), m_places(marks, undefined) {}

    void willUse(std::uint32_t mark) { ++m_uses[mark]; }
    [[nodiscard]] bool isDefined(std::uint32_t mark) const { return m_places[mark] != undefined; }

    std::uint32_t define(std::uint32_t mark)
    {
        if (m_free.empty())
            m_free.push_back(m_count++);
        m_places[mark] = m_free.back();
        if (m_uses[mark] > 0)
            m_free.pop_back();
        return m_places[mark];
    }

    std::uint32_t use(std::uint32_t mark)
    {
        if (--m_uses[mark] == 0)
            m_free.push_back(m_places[mark]);
        return m_places[mark];
    }

    /// How many places there are.
    [[nodiscard]] std::uint32_t count() const { return m_count; }

private:
    std::vector<std::uint32_t> m_uses;
    std::vector<std::uint32_t> m_places;
    std::vector<std::uint32_t> m_free;
    std::uint32_t m_count = 0;
};

class Orderer {
public:
    explicit Orderer(const TaskOps& ops)
        : m_ops(ops),
          m_places(ops.marks),
          m_next(ops.byTask.size(), 0),
          m_transferOf(ops.marks, undefined)
    {
        for (const auto& taskOps : ops.byTask) {
            for (const TaskOp& each : taskOps) {
                if (waits(each.op))
                    m_places.willUse(each.op.in);
            }
        }
        for (std::uint32_t index = 0; index < ops.transfers.size(); ++index) {
            const Op& op = ops.transfers[index].op;
            for (const std::uint32_t mark : {op.in, op.in2}) {
                m_places.willUse(mark);
                m_transferOf[mark] = index;
            }
        }
    }

    Result<Program> run()
    {
        for (std::uint32_t task = 0; task < m_next.size(); ++task)
            enqueue(task);
        while (!m_ready.empty()) {
            const std::uint32_t task = m_ready.top().second;
            m_ready.pop();
            emit(m_ops.byTask[task][m_next[task]++]);
            enqueue(task);
        }
        for (std::uint32_t task = 0; task < m_next.size(); ++task) {
            if (m_next[task] < m_ops.byTask[task].size())
                return stuck(task);
        }
        m_program.tasks = static_cast<std::uint32_t>(m_next.size());
        m_program.marks = m_places.count();
        m_program.pairs = m_ops.pairs;
        return std::move(m_program);
    }

private:
    /// A task whose next operation may come: its time in the trace, and the task.
    using Ready = std::pair<std::int64_t, std::uint32_t>;

    void enqueue(std::uint32_t task)
    {
        if (m_next[task] == m_ops.byTask[task].size())
            return;
        const TaskOp& next = m_ops.byTask[task][m_next[task]];
        if (waits(next.op) && !m_places.isDefined(next.op.in))
            m_waiting.emplace(next.op.in, task);
        else
            m_ready.emplace(next.tracedUs, task);
    }

    void emit(const TaskOp& each)
    {
        Op op = each.op;
        if (waits(op))
            op.in = m_places.use(op.in);
        if (op.kind == OpKind::Transfer) {
            op.in = m_places.use(op.in);
            op.in2 = m_places.use(op.in2);
        }
        if (defines(op))
            op.out = m_places.define(op.out);
        m_program.ops.push_back(op);
        m_program.sources.push_back(each.source);
        if (defines(op))
            defined(each.op.out);
    }

    void defined(std::uint32_t mark)
    {
        const std::uint32_t transfer = m_transferOf[mark];
        if (transfer != undefined) {
            const TaskOp& next = m_ops.transfers[transfer];
            if (m_places.isDefined(next.op.in) && m_places.isDefined(next.op.in2))
                emit(next);
        }
        // Sender and receiver may both wait for an arrival.
        const auto [first, last] = m_waiting.equal_range(mark);
        for (auto place = first; place != last; ++place)
            m_ready.emplace(m_ops.byTask[place->second][m_next[place->second]].tracedUs,
                            place->second);
        m_waiting.erase(first, last);
    }

    [[nodiscard]] Error stuck(std::uint32_t task) const
    {
        const TaskOp& next = m_ops.byTask[task][m_next[task]];
        return {.kind = ErrorKind::Input,
                .message = "task " + std::to_string(task)
                    + " would wait for ever in the call that it began at "
                    + std::to_string(next.tracedUs)
                    + " us of the trace, as messages wait for their receives",
                .remedy = "give the environment a larger eager_bytes"};
    }

    const TaskOps& m_ops;
    MarkPlaces m_places;
    std::vector<std::size_t> m_next;                       ///< [task], index of its next operation
    std::multimap<std::uint32_t, std::uint32_t> m_waiting; ///< by mark, tasks
    std::vector<std::uint32_t> m_transferOf;               ///< [mark], index in transfers
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready;
    Program m_program;
};

} // namespace

Result<Program> ordered(const TaskOps& ops) { return Orderer(ops).run(); }

} // namespace tasuki::plan

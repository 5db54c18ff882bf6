// SPDX-License-Identifier: GPL-3.0-or-later
#include "syntheticprogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace tasuki::bench {

namespace {

constexpr std::uint32_t taskCount = 8;

class Maker {
public:
    explicit Maker(std::size_t spans) : m_spans(spans), m_random(spans)
    {
        constexpr std::array calls{trace::MpiCall::Send, trace::MpiCall::Recv,
                                   trace::MpiCall::Waitall, trace::MpiCall::Allreduce};
        for (const trace::MpiCall call : calls)
            m_made.trace.states.push_back(
                {.name = std::string(trace::mpiCallName(call)), .call = call});
        m_made.trace.taskNames.resize(taskCount);
        m_made.timeline.tasks = taskCount;
        m_made.timeline.spans.reserve(spans + taskCount);
    }

    SyntheticProgram make()
    {
        for (std::uint32_t task = 0; task < taskCount; ++task)
            makeTask(task);
        std::ranges::sort(m_made.timeline.arrows, {}, &plan::TimelineArrow::sentUs);
        makePath();
        return std::move(m_made);
    }

private:
    /// 0.1 to 100 microseconds, evenly over the powers of ten.
    double length() { return std::pow(10.0, static_cast<double>(m_random() % 3000) / 1000 - 1); }

    void add(plan::SpanKind kind, std::uint32_t task, double us, std::uint32_t call)
    {
        m_made.timeline.spans.push_back({.task = trace::Task(task),
                                         .kind = kind,
                                         .beginUs = m_now,
                                         .endUs = m_now + us,
                                         .call = call});
        m_now += us;
    }

    void makeTask(std::uint32_t task)
    {
        m_now = 0;
        const std::size_t end = m_spans * (task + 1) / taskCount;
        while (m_made.timeline.spans.size() < end) {
            add(plan::SpanKind::Compute, task, 2 * length(), trace::none);
            const auto call = static_cast<std::uint32_t>(m_made.trace.calls.size());
            const auto state = static_cast<std::uint32_t>(m_random() % 4);
            m_made.trace.calls.push_back({.state = state, .task = trace::Task(task)});
            const double begin = m_now;
            add(plan::SpanKind::Call, task, length(), call);
            if (m_random() % 2 == 0)
                add(plan::SpanKind::Wait, task, length(), call);
            if (m_random() % 2 == 0)
                m_made.timeline.arrows.push_back(
                    {.from = trace::Task(task),
                     .to = trace::Task((task + 1 + m_random() % (taskCount - 1)) % taskCount),
                     .sentUs = begin,
                     .arrivedUs = begin + 5 * length()});
        }
        m_made.timeline.endUs = std::max(m_made.timeline.endUs, m_now);
    }

    void makePath()
    {
        double now = 0;
        std::uint32_t task = 0;
        const double step = m_made.timeline.endUs * 8 / static_cast<double>(m_spans);
        while (now < m_made.timeline.endUs) {
            const auto to = static_cast<std::uint32_t>(m_random() % taskCount);
            const double middle = now + step * 0.8;
            m_made.timeline.criticalPath.push_back({plan::PathPiece::Kind::Compute,
                                                    trace::Task(task), trace::Task(task), now,
                                                    middle});
            m_made.timeline.criticalPath.push_back({plan::PathPiece::Kind::Message,
                                                    trace::Task(task), trace::Task(to), middle,
                                                    now + step});
            now += step;
            task = to;
        }
    }

    std::size_t m_spans;
    std::mt19937_64 m_random;
    double m_now = 0;
    SyntheticProgram m_made;
};

} // namespace

SyntheticProgram syntheticProgram(std::size_t spans) { return Maker(spans).make(); }

} // namespace tasuki::bench

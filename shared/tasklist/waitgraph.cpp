// SPDX-License-Identifier: GPL-3.0-or-later
#include "waitgraph.h"

#include <algorithm>
#include <cstddef>

namespace tasuki {

namespace {

constexpr std::uint32_t noWaits = UINT32_MAX;

/// Depth-first search. A node waits for the nodes that its edges lead to; nodes are the tasks,
/// then the labels (wait for the tasks that have them), then the barriers (wait for the tasks of
/// the stage above and for the barrier above).
class Search {
public:
    Search(std::span<const Task> tasks, const LabelIndex& labels, std::span<const LabelWaits> waits,
           std::span<const std::uint64_t> barrierLines, std::size_t most)
        : m_tasks(tasks),
          m_labels(labels),
          m_waits(waits),
          m_barrierLines(barrierLines),
          m_most(most),
          m_firstLabel(tasks.size()),
          m_firstBarrier(m_firstLabel + labels.names.size()),
          m_place(m_firstBarrier + barrierLines.size(), unvisited),
          m_waitsOf(tasks.size(), noWaits)
    {
        for (std::size_t i = 0; i < waits.size(); ++i)
            m_waitsOf[waits[i].task] = static_cast<std::uint32_t>(i);
        m_stageBegin.reserve(barrierLines.size() + 2);
        std::size_t at = 0;
        for (std::size_t stage = 0; stage <= barrierLines.size(); ++stage) {
            while (at < tasks.size() && tasks[at].stage < stage)
                ++at;
            m_stageBegin.push_back(at);
        }
        m_stageBegin.push_back(tasks.size());
    }

    std::vector<WaitCycle> run()
    {
        for (const LabelWaits& waits : m_waits) {
            if (m_place[waits.task] == unvisited)
                searchFrom(waits.task);
        }
        return std::move(m_cycles);
    }

private:
    struct Step {
        std::size_t node;
        std::size_t nextEdge;
    };
    static constexpr std::size_t unvisited = static_cast<std::size_t>(-1);
    static constexpr std::size_t finished = static_cast<std::size_t>(-2);

    void searchFrom(std::size_t root)
    {
        enter(root);
        while (!m_steps.empty() && m_cycles.size() < m_most) {
            Step& step = m_steps.back();
            const std::optional<std::size_t> target = edge(step.node, step.nextEdge++);
            if (!target) {
                m_place[step.node] = finished;
                m_steps.pop_back();
            } else if (m_place[*target] == unvisited) {
                enter(*target);
            } else if (m_place[*target] != finished) {
                tell(m_place[*target]);
            }
        }
    }

    void enter(std::size_t node)
    {
        m_place[node] = m_steps.size();
        m_steps.push_back({node, 0});
    }

    /// @return what the node waits for in the first place, the second, ...; none: no more
    [[nodiscard]] std::optional<std::size_t> edge(std::size_t node, std::size_t index) const
    {
        if (node >= m_firstBarrier) {
            const std::size_t barrier = node - m_firstBarrier;
            const std::size_t task = m_stageBegin[barrier] + index;
            if (task < m_stageBegin[barrier + 1])
                return task;
            const bool first = task == m_stageBegin[barrier + 1];
            return first && barrier > 0 ? std::optional(node - 1) : std::nullopt;
        }
        if (node >= m_firstLabel) {
            const auto& tasks = m_labels.tasks[node - m_firstLabel];
            return index < tasks.size() ? std::optional<std::size_t>(tasks[index]) : std::nullopt;
        }
        const std::uint32_t waits = m_waitsOf[node];
        const std::size_t count = waits == noWaits ? 0 : m_waits[waits].labels.size();
        if (index < count)
            return m_firstLabel + m_waits[waits].labels[index];
        const std::size_t stage = m_tasks[node].stage;
        return index == count && stage > 0 ? std::optional(m_firstBarrier + stage - 1)
                                           : std::nullopt;
    }

    /// Tells of the cycle that the steps from `begin` on make.
    void tell(std::size_t begin)
    {
        // Barriers lead upwards only, so every cycle has a task that comes after a label.
        const std::size_t length = m_steps.size() - begin;
        const auto node = [&](std::size_t i) { return m_steps[begin + i % length].node; };
        std::size_t first = 0;
        while (node(first) >= m_firstLabel || node(first + 1) < m_firstLabel
               || node(first + 1) >= m_firstBarrier)
            ++first;

        constexpr std::size_t shownAtEachEnd = 20;
        WaitCycle cycle{.task = static_cast<std::uint32_t>(node(first)),
                        .label = static_cast<std::uint32_t>(node(first + 1) - m_firstLabel),
                        .path = {}};
        for (std::size_t i = 0; i <= length; ++i) {
            const bool leftOut = i == shownAtEachEnd && length > 2 * shownAtEachEnd;
            if (leftOut) {
                cycle.path += " -> ...";
                i = length - shownAtEachEnd;
            }
            const std::size_t here = node(first + i);
            if (here >= m_firstBarrier)
                cycle.path += " -> barrier of line "
                    + std::to_string(m_barrierLines[here - m_firstBarrier]);
            else if (here >= m_firstLabel)
                cycle.path += " -> \"" + m_labels.names[here - m_firstLabel] + "\"";
            else
                cycle.path += arrow(i, node(first + i + length - 1), leftOut) + "line "
                    + std::to_string(m_tasks[here].line);
        }
        m_cycles.push_back(std::move(cycle));
    }

    /// @return what stands before a task: "of" when the label it has was told before it
    /// @param leftOut  what comes before it was not told
    [[nodiscard]] std::string arrow(std::size_t index, std::size_t before, bool leftOut) const
    {
        if (index == 0)
            return {};
        return !leftOut && before >= m_firstLabel && before < m_firstBarrier ? " of " : " -> ";
    }

    std::span<const Task> m_tasks;
    const LabelIndex& m_labels;
    std::span<const LabelWaits> m_waits;
    std::span<const std::uint64_t> m_barrierLines;
    std::size_t m_most;
    std::size_t m_firstLabel;
    std::size_t m_firstBarrier;
    std::vector<std::size_t> m_place; ///< by node: index of its step, or unvisited or finished
    std::vector<std::uint32_t> m_waitsOf;
    std::vector<std::size_t> m_stageBegin; ///< first task of each stage
    std::vector<Step> m_steps;
    std::vector<WaitCycle> m_cycles;
};

} // namespace

std::vector<WaitCycle> findWaitCycles(std::span<const Task> tasks, const LabelIndex& labels,
                                      std::span<const LabelWaits> waits,
                                      std::span<const std::uint64_t> barrierLines, std::size_t most)
{
    return Search(tasks, labels, waits, barrierLines, most).run();
}

} // namespace tasuki

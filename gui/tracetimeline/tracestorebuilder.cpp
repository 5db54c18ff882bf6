// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracestorebuilder.h"

#include <algorithm>
#include <limits>

namespace tasuki {

TraceStoreBuilder::TraceStoreBuilder(std::uint32_t tasks, std::size_t categories, TraceCategory gap)
    : m_gap(gap), m_states(tasks), m_tasks(tasks, TraceTaskSpans{{}, TraceLane(categories)})
{}

void TraceStoreBuilder::append(std::size_t task, Nanoseconds begin, TraceCategory category)
{
    m_tasks[task].lane.append(begin, category);
    m_occurs[category] = true;
}

/// States of a log that do not stand in each other get layers of their own.
std::size_t TraceStoreBuilder::layerFor(Task& task, std::size_t depth, Nanoseconds begin) const
{
    constexpr std::size_t deepest = 255;
    std::size_t layer = std::min(depth, deepest);
    while (layer < task.layerEnds.size() && task.layerEnds[layer] > begin)
        ++layer;
    if (layer >= task.layerEnds.size())
        task.layerEnds.resize(layer + 1, std::numeric_limits<Nanoseconds>::min());
    return layer;
}

void TraceStoreBuilder::close(std::size_t task, Nanoseconds time, TraceCategory after)
{
    std::vector<Open>& open = m_states[task].open;
    while (!open.empty() && open.back().end <= time) {
        const Nanoseconds end = std::max(open.back().end, m_states[task].latest);
        while (!open.empty() && open.back().end <= end)
            open.pop_back();
        m_states[task].latest = end;
        if (end < time)
            append(task, end, open.empty() ? after : open.back().category);
    }
}

void TraceStoreBuilder::add(std::uint32_t index, const plan::TimelineSpan& span,
                            TraceCategory category)
{
    const std::size_t task = span.task.value();
    Task& state = m_states[task];
    Nanoseconds begin = toNanoseconds(span.beginUs);
    const Nanoseconds end = std::max(toNanoseconds(span.endUs), begin);
    const std::size_t layer = layerFor(state, span.depth, begin);
    auto& layers = m_tasks[task].layers;
    if (layers.size() <= layer)
        layers.resize(layer + 1);
    layers[layer].push_back(index);
    state.layerEnds[layer] = end;

    if (!state.begun && begin > 0 && m_gap != TraceCategories::idle)
        append(task, 0, m_gap);
    state.latest = state.begun ? state.latest : begin;
    state.begun = true;
    close(task, begin, m_gap);
    begin = std::max(begin, state.latest);
    state.latest = begin;
    append(task, begin, category);
    state.open.push_back({std::max(end, begin), category});
}

std::vector<TraceTaskSpans> TraceStoreBuilder::take(
    std::array<bool, TraceCategories::most>& occurs) &&
{
    for (std::size_t task = 0; task < m_tasks.size(); ++task) {
        close(task, std::numeric_limits<Nanoseconds>::max(), TraceCategories::idle);
        m_tasks[task].lane.finish();
        for (auto& layer : m_tasks[task].layers)
            layer.shrink_to_fit();
    }
    occurs = m_occurs;
    return std::move(m_tasks);
}

} // namespace tasuki

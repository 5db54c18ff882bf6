// SPDX-License-Identifier: GPL-3.0-or-later
#include "forecast.h"

#include <algorithm>

namespace tasuki::farm {

namespace {

/// Further groups are not told apart: labels that each task has for itself teach nothing.
constexpr std::size_t mostGroups = 4'096;

std::string groupOf(const Task& task)
{
    if (task.links && !task.links->label.empty())
        return task.links->label;
    return task.command.substr(0, task.command.find_first_of(" \t\n;&|<>("));
}

} // namespace

void Forecast::Sample::add(std::chrono::microseconds elapsed)
{
    m_percentile.reset();
    if (m_times.size() < most) {
        m_times.push_back(elapsed);
        return;
    }
    m_times[m_next] = elapsed;
    m_next = (m_next + 1) % most;
}

std::chrono::microseconds Forecast::Sample::percentile95() const
{
    if (!m_percentile) {
        std::vector<std::chrono::microseconds> times = m_times;
        // The nearest rank: of few samples the longest.
        const std::size_t rank = (times.size() * 95 + 99) / 100;
        const auto place = times.begin() + static_cast<std::ptrdiff_t>(rank - 1);
        std::nth_element(times.begin(), place, times.end());
        m_percentile = *place;
    }
    return *m_percentile;
}

void Forecast::learn(const Task& task, std::chrono::microseconds elapsed)
{
    m_all.add(elapsed);
    std::string group = groupOf(task);
    if (m_groups.size() < mostGroups || m_groups.contains(group))
        m_groups[std::move(group)].add(elapsed);
}

std::optional<std::chrono::microseconds> Forecast::of(const Task& task) const
{
    if (task.settings->expectedTime)
        return *task.settings->expectedTime;
    if (const auto group = m_groups.find(groupOf(task)); group != m_groups.end())
        return group->second.percentile95();
    if (m_all.empty())
        return std::nullopt;
    return m_all.percentile95();
}

} // namespace tasuki::farm

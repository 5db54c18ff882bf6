// SPDX-License-Identifier: GPL-3.0-or-later
#include "attemptselection.h"

#include <algorithm>

namespace tasuki {

void AttemptSelection::set(std::optional<TaskId> task, std::optional<AttemptKey> attempt)
{
    m_task = task;
    m_attempt = attempt;
}

void AttemptSelection::find(const TimelineStore* store, WallTime now)
{
    m_attempts.clear();
    if (store != nullptr && m_task)
        m_attempts = store->attemptsOf(*m_task, now);
}

std::optional<PlacedAttempt> AttemptSelection::chosen() const
{
    if (m_attempts.empty())
        return std::nullopt;
    const auto found = std::ranges::find_if(
        m_attempts, [this](const auto& item) { return m_attempt == item.second.key; });
    const auto& item = found == m_attempts.end() ? m_attempts.back() : *found;
    return PlacedAttempt{item.first, item.second};
}

std::optional<PlacedAttempt> AttemptSelection::inTime(const TimelineStore& store, WallTime now,
                                                      int step) const
{
    const auto from = chosen();
    if (!from)
        return std::nullopt;
    const WallTime start = from->attempt.start;
    const auto next = step < 0 ? store.lastBefore(from->row, start, now)
                               : store.firstAfter(from->row, start, now);
    return next ? std::optional(PlacedAttempt{from->row, *next}) : std::nullopt;
}

std::optional<PlacedAttempt> AttemptSelection::inNextLane(const TimelineStore& store, WallTime now,
                                                          int step, std::size_t row,
                                                          WallTime time) const
{
    auto index = static_cast<std::ptrdiff_t>(row);
    if (const auto from = chosen()) {
        index = static_cast<std::ptrdiff_t>(from->row) + step;
        time = from->attempt.start + (from->attempt.end - from->attempt.start) / 2;
    }
    for (; index >= 0 && index < static_cast<std::ptrdiff_t>(store.laneCount()); index += step) {
        const auto lane = static_cast<std::size_t>(index);
        auto near = store.attemptAt(lane, time, now);
        if (!near)
            near = store.lastBefore(lane, time, now);
        if (!near)
            near = store.firstAfter(lane, time, now);
        if (near)
            return PlacedAttempt{lane, *near};
    }
    return std::nullopt;
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelinelane.h"

#include <algorithm>
#include <functional>

namespace tasuki {

namespace {

/// Enough for any honest history; keeps a damaged one from taking quadratic time.
constexpr std::size_t mostLayers = 8;

WallTime wallTime(std::int64_t sinceEpochUs)
{
    return WallTime(std::chrono::microseconds(sinceEpochUs));
}

TimelineAttempt shown(const EndedAttempt& attempt)
{
    return {attempt.key, wallTime(attempt.start), wallTime(attempt.end), attempt.outcome};
}

TimelineAttempt shown(const OpenAttempt& attempt, std::int64_t now)
{
    return {attempt.key, wallTime(attempt.start), wallTime(std::max(now, attempt.start)),
            std::nullopt};
}

/// @return the column that a time within a window is in
std::size_t columnOf(const TimeWindow& window, std::size_t columns, Nanoseconds time)
{
    const double part = static_cast<double>(time - window.begin) / static_cast<double>(window.span);
    auto column = static_cast<std::size_t>(
        std::clamp(part * static_cast<double>(columns), 0.0, static_cast<double>(columns - 1)));
    while (column > 0 && window.edge(columns, column) > time)
        --column;
    while (column + 1 < columns && window.edge(columns, column + 1) <= time)
        ++column;
    return column;
}

/// Adds one attempt to the columns that it overlaps.
void addOne(const TimeWindow& window, std::span<ColumnSummary> columns, std::int64_t start,
            std::int64_t end, AttemptClass kind)
{
    const Nanoseconds begun = start * nanosecondsPerMicrosecond;
    const Nanoseconds ended = end * nanosecondsPerMicrosecond;
    const Nanoseconds seen = std::max(end, start + 1) * nanosecondsPerMicrosecond;
    if (begun >= window.end() || seen <= window.begin)
        return;
    const std::size_t first = columnOf(window, columns.size(), std::max(begun, window.begin));
    if (begun >= window.begin)
        ++columns[first].starts;
    for (std::size_t i = first; i < columns.size(); ++i) {
        const Nanoseconds from = window.edge(columns.size(), i);
        if (from >= seen)
            break;
        const Nanoseconds to = window.edge(columns.size(), i + 1);
        const Nanoseconds inside = std::min(to, ended) - std::max(from, begun);
        if (inside > 0)
            columns[i].share[static_cast<std::size_t>(kind)] += static_cast<float>(inside)
                / static_cast<float>(to - from);
        columns[i].failure = columns[i].failure || isFailure(kind);
    }
}

} // namespace

std::optional<OpenAttempt> TimelineLane::takeOpen(AttemptKey key)
{
    const auto found = std::find_if(m_open.begin(), m_open.end(),
                                    [key](const OpenAttempt& open) { return open.key == key; });
    if (found == m_open.end())
        return std::nullopt;
    const OpenAttempt taken = *found;
    m_open.erase(found);
    return taken;
}

void TimelineLane::insert(const EndedAttempt& attempt)
{
    for (ReplayStretch& stretch : m_replays) {
        if (stretch.key == attempt.key)
            stretch.endBy(attempt.end);
    }
    for (AttemptLayer& layer : m_layers) {
        if (layer.tryInsert(attempt))
            return;
    }
    if (m_layers.size() < mostLayers)
        m_layers.emplace_back().tryInsert(attempt);
    else
        m_loose.push_back(attempt);
}

void TimelineLane::replay(const ReplayStretch& stretch)
{
    const auto found = std::ranges::find(m_replays, stretch.key, &ReplayStretch::key);
    if (found == m_replays.end())
        m_replays.push_back(stretch);
    else if (!found->end || stretch.end)
        *found = stretch;
}

void TimelineLane::summarise(const TimeWindow& window, std::int64_t now,
                             std::span<ColumnSummary> columns) const
{
    std::fill(columns.begin(), columns.end(), ColumnSummary{});
    if (columns.empty())
        return;
    for (const AttemptLayer& layer : m_layers)
        layer.summarise(window, columns);
    for (const EndedAttempt& attempt : m_loose)
        addOne(window, columns, attempt.start, attempt.end, classOf(attempt.outcome));
    for (const OpenAttempt& attempt : m_open)
        addOne(window, columns, attempt.start, std::max(now, attempt.start), AttemptClass::Running);
}

void TimelineLane::forEachOverlapping(
    std::int64_t begin, std::int64_t end, std::int64_t now,
    const std::function<bool(const TimelineAttempt&)>& visit) const
{
    const auto visitEnded = [&visit](const EndedAttempt& attempt) { return visit(shown(attempt)); };
    for (const AttemptLayer& layer : m_layers) {
        if (!layer.forEachOverlapping(begin, end, visitEnded))
            return;
    }
    for (const EndedAttempt& attempt : m_loose) {
        if (attempt.start < end && attempt.seenEnd() > begin && !visitEnded(attempt))
            return;
    }
    for (const OpenAttempt& attempt : m_open) {
        if (attempt.start < end && std::max(now, attempt.start + 1) > begin
            && !visit(shown(attempt, now)))
            return;
    }
}

void TimelineLane::forEachOfTask(TaskId task, std::int64_t now,
                                 const std::function<void(const TimelineAttempt&)>& visit) const
{
    const auto visitEnded = [&](const EndedAttempt& attempt) {
        if (attempt.key.task == task)
            visit(shown(attempt));
    };
    for (const AttemptLayer& layer : m_layers)
        layer.forEachOfTask(task, visitEnded);
    std::for_each(m_loose.begin(), m_loose.end(), visitEnded);
    for (const OpenAttempt& attempt : m_open) {
        if (attempt.key.task == task)
            visit(shown(attempt, now));
    }
}

std::optional<TimelineAttempt> TimelineLane::lastBefore(std::int64_t time, std::int64_t now) const
{
    return nearest(time, now, std::less<>(), &AttemptLayer::lastBefore);
}

std::optional<TimelineAttempt> TimelineLane::firstAfter(std::int64_t time, std::int64_t now) const
{
    return nearest(time, now, std::greater<>(), &AttemptLayer::firstAfter);
}

template <class Comes, class NearestIn>
std::optional<TimelineAttempt> TimelineLane::nearest(std::int64_t time, std::int64_t now,
                                                     Comes comes, NearestIn nearestIn) const
{
    std::optional<TimelineAttempt> best;
    const auto consider = [&, at = wallTime(time)](const TimelineAttempt& attempt) {
        if (comes(attempt.start, at) && (!best || comes(best->start, attempt.start)))
            best = attempt;
    };
    for (const AttemptLayer& layer : m_layers) {
        if (const auto attempt = (layer.*nearestIn)(time))
            consider(shown(*attempt));
    }
    for (const EndedAttempt& attempt : m_loose)
        consider(shown(attempt));
    for (const OpenAttempt& attempt : m_open)
        consider(shown(attempt, now));
    return best;
}

std::size_t TimelineLane::memoryBytes() const
{
    std::size_t bytes = sizeof *this + m_info.host.capacity()
        + m_loose.capacity() * sizeof(EndedAttempt) + m_open.capacity() * sizeof(OpenAttempt)
        + m_replays.capacity() * sizeof(ReplayStretch) + m_layers.capacity() * sizeof(AttemptLayer);
    for (const AttemptLayer& layer : m_layers)
        bytes += layer.memoryBytes();
    return bytes;
}

} // namespace tasuki

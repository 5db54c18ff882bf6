// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelinestore.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>
#include <variant>

namespace tasuki {

namespace {

constexpr std::uint32_t noLane = std::numeric_limits<std::uint32_t>::max();
/// A damaged record may name any task: the table by number grows at most so far beyond its size.
constexpr std::size_t largestGap = 1U << 20U;
/// A processor that offers more slots than any machine has gets its lanes as they are used.
constexpr std::uint32_t mostSlotsAtOnce = 4096;

std::int64_t within(std::int64_t timeUs)
{
    return std::clamp(timeUs, earliestMicrosecond, latestMicrosecond);
}

std::int64_t microsecondsOf(WallTime time) { return within(time.time_since_epoch().count()); }

} // namespace

void TimelineStore::apply(const Event& event)
{
    std::visit(
        [&](const auto& payload) {
            if constexpr (requires { take(event, payload); })
                take(event, payload);
        },
        event.payload);
    m_lastHeard = microsecondsOf(event.wallTime);
}

/// What was open was cut off when the earlier life fell silent, perhaps long ago.
void TimelineStore::take(const Event&, const RunOpened&)
{
    for (LaneIndex index = 0; index < m_lanes.size(); ++index) {
        TimelineLane& lane = m_lanes[index];
        lane.info().present = false;
        while (!lane.openAttempts().empty()) {
            const auto open = takeOpen(lane.openAttempts().back().key);
            const std::int64_t start = open->second.start;
            insert(index, {open->second.key, Outcome::Lost, start, std::max(start, m_lastHeard)});
        }
    }
    ++m_revision;
    ++m_laneRevision;
}

void TimelineStore::take(const Event&, const SystemLaidOut& layout)
{
    m_layout = layout;
    for (TimelineLane& lane : m_lanes)
        lane.info().place = rankLabel(m_layout, lane.info().rank);
    ++m_revision;
    ++m_laneRevision;
}

void TimelineStore::take(const Event&, const ProcessorJoined& joined)
{
    for (std::uint32_t slot = 0; slot < std::min(joined.slots, mostSlotsAtOnce); ++slot)
        laneFor(joined.rank, SlotIndex(slot));
    for (auto found = m_byKey.lower_bound({joined.rank, SlotIndex(0)});
         found != m_byKey.end() && found->first.first == joined.rank; ++found) {
        m_lanes[found->second].info().host = joined.host;
        m_lanes[found->second].info().present = true;
    }
    ++m_revision;
    ++m_laneRevision;
}

void TimelineStore::take(const Event&, const ProcessorLost& lost)
{
    for (auto found = m_byKey.lower_bound({lost.rank, SlotIndex(0)});
         found != m_byKey.end() && found->first.first == lost.rank; ++found)
        m_lanes[found->second].info().present = false;
    ++m_revision;
    ++m_laneRevision;
}

void TimelineStore::take(const Event& event, const AttemptStarted& started)
{
    if (const auto earlier = takeOpen(started.key)) {
        const std::int64_t start = earlier->second.start;
        insert(
            earlier->first,
            {started.key, Outcome::Lost, start, std::max(start, microsecondsOf(event.wallTime))});
    }
    const LaneIndex lane = laneFor(started.rank, started.slot);
    const OpenAttempt open{started.key, microsecondsOf(started.startedAt)};
    m_lanes[lane].open(open);
    m_open.emplace(started.key, lane);
    remember(started.key.task, lane);
    extendRange(open.start, open.start);
    ++m_attempts;
    ++m_revision;
}

void TimelineStore::take(const Event& event, const AttemptFinished& finished)
{
    const AttemptResult& result = finished.result;
    const auto open = takeOpen(finished.key);
    const LaneIndex lane = open ? open->first : laneFor(finished.rank, finished.slot);
    const std::int64_t told = microsecondsOf(event.wallTime);
    const bool startKnown = result.startedAt != WallTime{};
    const std::int64_t start = open ? open->second.start
        : startKnown                ? microsecondsOf(result.startedAt)
                                    : told;
    const std::int64_t elapsed = std::clamp<std::int64_t>(result.elapsed.count(), 0,
                                                          latestMicrosecond - start);
    // Nobody measured how long a lost attempt ran.
    const bool unmeasured = result.outcome == Outcome::Lost && elapsed == 0;
    insert(lane,
           {finished.key, result.outcome, start,
            unmeasured ? std::max(start, told) : start + elapsed});
    if (!open) {
        remember(finished.key.task, lane);
        ++m_attempts;
    }
    ++m_revision;
}

void TimelineStore::take(const Event& event, const RankReplays& told)
{
    for (const auto& [row, attempt] : attemptsOf(told.key.task, event.wallTime)) {
        if (attempt.key != told.key)
            continue;
        ReplayStretch stretch{told.key, microsecondsOf(attempt.start), {}};
        if (told.took != notKnown)
            stretch.end = stretch.begin
                + std::clamp<std::int64_t>(told.took.count(), 0, latestMicrosecond - stretch.begin);
        if (attempt.outcome)
            stretch.endBy(microsecondsOf(attempt.end));
        m_lanes[m_rows[row]].replay(stretch);
        ++m_revision;
    }
}

std::optional<ReplayStretch> TimelineStore::replayOf(std::size_t row, AttemptKey key) const
{
    const auto found = std::ranges::find(replays(row), key, &ReplayStretch::key);
    return found == replays(row).end() ? std::nullopt : std::optional(*found);
}

std::optional<TimeRange> TimelineStore::range() const
{
    if (!m_range)
        return std::nullopt;
    return TimeRange{WallTime(std::chrono::microseconds(m_range->first)),
                     WallTime(std::chrono::microseconds(m_range->second))};
}

void TimelineStore::summarise(std::size_t row, const TimeWindow& window, WallTime now,
                              std::span<ColumnSummary> columns) const
{
    laneAt(row).summarise(window, microsecondsOf(now), columns);
}

std::optional<TimelineAttempt> TimelineStore::attemptAt(std::size_t row, WallTime time,
                                                        WallTime now) const
{
    std::optional<TimelineAttempt> latest;
    const std::int64_t at = time.time_since_epoch().count();
    laneAt(row).forEachOverlapping(at, at + 1, microsecondsOf(now),
                                   [&latest](const TimelineAttempt& attempt) {
                                       if (!latest || attempt.start > latest->start)
                                           latest = attempt;
                                       return true;
                                   });
    return latest;
}

void TimelineStore::forEachOverlapping(
    std::size_t row, const TimeRange& range, WallTime now,
    const std::function<bool(const TimelineAttempt&)>& visit) const
{
    laneAt(row).forEachOverlapping(range.begin.time_since_epoch().count(),
                                   range.end.time_since_epoch().count(), microsecondsOf(now),
                                   visit);
}

std::optional<TimelineAttempt> TimelineStore::lastBefore(std::size_t row, WallTime time,
                                                         WallTime now) const
{
    return laneAt(row).lastBefore(time.time_since_epoch().count(), microsecondsOf(now));
}

std::optional<TimelineAttempt> TimelineStore::firstAfter(std::size_t row, WallTime time,
                                                         WallTime now) const
{
    return laneAt(row).firstAfter(time.time_since_epoch().count(), microsecondsOf(now));
}

std::vector<std::pair<std::size_t, TimelineAttempt>> TimelineStore::attemptsOf(TaskId task,
                                                                               WallTime now) const
{
    std::vector<LaneIndex> lanes;
    if (task.value() < m_firstLane.size() && m_firstLane[task.value()] != noLane)
        lanes.push_back(m_firstLane[task.value()]);
    const auto [first, last] = m_furtherLanes.equal_range(task);
    std::transform(first, last, std::back_inserter(lanes),
                   [](const auto& entry) { return entry.second; });
    std::vector<std::pair<std::size_t, TimelineAttempt>> attempts;
    for (const LaneIndex lane : lanes) {
        const auto row = static_cast<std::size_t>(std::find(m_rows.begin(), m_rows.end(), lane)
                                                  - m_rows.begin());
        m_lanes[lane].forEachOfTask(task, microsecondsOf(now), [&](const TimelineAttempt& attempt) {
            attempts.emplace_back(row, attempt);
        });
    }
    std::sort(attempts.begin(), attempts.end(), [](const auto& a, const auto& b) {
        return a.second.key.number < b.second.key.number;
    });
    return attempts;
}

std::size_t TimelineStore::memoryBytes() const
{
    // A node of the maps holds a link or three and is rounded up by the allocator.
    constexpr std::size_t node = 64;
    std::size_t bytes = m_rows.capacity() * sizeof(LaneIndex)
        + m_firstLane.capacity() * sizeof(LaneIndex)
        + (m_byKey.size() + m_open.size() + m_furtherLanes.size()) * node;
    for (const TimelineLane& lane : m_lanes)
        bytes += lane.memoryBytes();
    return bytes;
}

TimelineStore::LaneIndex TimelineStore::laneFor(Rank rank, SlotIndex slot)
{
    const auto [found, isNew] = m_byKey.try_emplace({rank, slot},
                                                    static_cast<LaneIndex>(m_lanes.size()));
    if (!isNew)
        return found->second;
    LaneInfo info{.rank = rank,
                  .slot = slot,
                  .host = {},
                  .present = false,
                  .place = rankLabel(m_layout, rank)};
    const auto sibling = m_byKey.lower_bound({rank, SlotIndex(0)});
    if (sibling != found) {
        info.host = m_lanes[sibling->second].info().host;
        info.present = m_lanes[sibling->second].info().present;
    }
    const auto row = std::distance(m_byKey.begin(), found);
    m_rows.insert(m_rows.begin() + row, found->second);
    m_lanes.emplace_back(std::move(info));
    ++m_laneRevision;
    return found->second;
}

std::optional<std::pair<TimelineStore::LaneIndex, OpenAttempt>> TimelineStore::takeOpen(
    AttemptKey key)
{
    const auto found = m_open.find(key);
    if (found == m_open.end())
        return std::nullopt;
    const LaneIndex lane = found->second;
    m_open.erase(found);
    return std::pair{lane, *m_lanes[lane].takeOpen(key)};
}

void TimelineStore::insert(LaneIndex lane, const EndedAttempt& attempt)
{
    m_lanes[lane].insert(attempt);
    extendRange(attempt.start, attempt.end);
}

void TimelineStore::remember(TaskId task, LaneIndex lane)
{
    const std::size_t number = task.value();
    if (number >= m_firstLane.size() && number - m_firstLane.size() <= largestGap)
        m_firstLane.resize(number + 1, noLane);
    if (number < m_firstLane.size() && m_firstLane[number] == noLane)
        m_firstLane[number] = lane;
    if (number < m_firstLane.size() && m_firstLane[number] == lane)
        return;
    const auto [first, last] = m_furtherLanes.equal_range(task);
    const bool known = std::any_of(first, last,
                                   [lane](const auto& entry) { return entry.second == lane; });
    if (!known)
        m_furtherLanes.emplace(task, lane);
}

void TimelineStore::extendRange(std::int64_t from, std::int64_t to)
{
    if (!m_range)
        m_range = {from, to};
    m_range->first = std::min(m_range->first, from);
    m_range->second = std::max(m_range->second, to);
}

} // namespace tasuki

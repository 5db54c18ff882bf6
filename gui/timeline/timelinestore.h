// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timelinelane.h"

#include "domain/event.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki {

/// All attempts of a run by lane, for the timeline: one lane for each slot of each rank, sorted by
/// rank, then slot. About 33 bytes an attempt.
/// A lane's row is its place in that order; rows move when lanes come to be.
/// Not thread-safe, not even for reading: one owner.
class TimelineStore {
public:
    /// Takes the next event of a run; those that do not matter for the timeline are ignored.
    /// Whether the event fits what came before is for RunState to say; here everything is taken.
    void apply(const Event& event);
    void clear() { *this = TimelineStore(m_revision + 1, m_laneRevision + 1); }

    TimelineStore() = default;

    [[nodiscard]] std::size_t laneCount() const { return m_rows.size(); }
    /// Precondition of all that take a row: row < laneCount().
    [[nodiscard]] const LaneInfo& lane(std::size_t row) const { return laneAt(row).info(); }
    [[nodiscard]] std::size_t attemptCount() const { return m_attempts; }
    [[nodiscard]] std::size_t openCount() const { return m_open.size(); }
    /// Grows with everything that changes what is to be seen.
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }
    /// Grows when lanes come to be, or what is known of them changes.
    [[nodiscard]] std::uint64_t laneRevision() const { return m_laneRevision; }

    /// @return from the first start to the last start or end that is known; none without attempts
    [[nodiscard]] std::optional<TimeRange> range() const;

    /// Says what is in each column of a lane.
    /// @param now      where running attempts end
    /// @param columns  as many as the window has; overwritten
    void summarise(std::size_t row, const TimeWindow& window, WallTime now,
                   std::span<ColumnSummary> columns) const;

    /// Those that have not ended, in the order in which they were told of.
    [[nodiscard]] const std::vector<OpenAttempt>& openAttempts(std::size_t row) const
    {
        return laneAt(row).openAttempts();
    }
    /// What is done again in a lane, in the order in which it was told of.
    [[nodiscard]] const std::vector<ReplayStretch>& replays(std::size_t row) const
    {
        return laneAt(row).replays();
    }
    /// @return the part of an attempt of a lane that is done again; none: nothing is
    [[nodiscard]] std::optional<ReplayStretch> replayOf(std::size_t row, AttemptKey key) const;
    /// @return the attempt that runs at a time; where several overlap, the one that began last
    [[nodiscard]] std::optional<TimelineAttempt> attemptAt(std::size_t row, WallTime time,
                                                           WallTime now) const;
    /// Calls for the attempts that overlap a range; those of no length count as a microsecond long.
    /// Within a lane in order of start, unless attempts overlap each other.
    /// @param visit  returns whether to go on
    void forEachOverlapping(std::size_t row, const TimeRange& range, WallTime now,
                            const std::function<bool(const TimelineAttempt&)>& visit) const;
    /// @return the attempt of a lane that begins last before, or first after, a time
    [[nodiscard]] std::optional<TimelineAttempt> lastBefore(std::size_t row, WallTime time,
                                                            WallTime now) const;
    [[nodiscard]] std::optional<TimelineAttempt> firstAfter(std::size_t row, WallTime time,
                                                            WallTime now) const;

    /// @return all attempts of a task with their rows, in order of attempt number. Takes time in
    ///         proportion to the lanes in which the task ran.
    [[nodiscard]] std::vector<std::pair<std::size_t, TimelineAttempt>> attemptsOf(
        TaskId task, WallTime now) const;

    /// @return the memory that is held, in bytes
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    using LaneKey = std::pair<Rank, SlotIndex>;
    using LaneIndex = std::uint32_t; ///< in order of making, never changes

    TimelineStore(std::uint64_t revision, std::uint64_t laneRevision)
        : m_revision(revision), m_laneRevision(laneRevision)
    {}

    void take(const Event& event, const RunOpened& opened);
    void take(const Event& event, const SystemLaidOut& layout);
    void take(const Event& event, const ProcessorJoined& joined);
    void take(const Event& event, const ProcessorLost& lost);
    void take(const Event& event, const AttemptStarted& started);
    void take(const Event& event, const AttemptFinished& finished);
    void take(const Event& event, const RankReplays& told);

    [[nodiscard]] const TimelineLane& laneAt(std::size_t row) const { return m_lanes[m_rows[row]]; }
    LaneIndex laneFor(Rank rank, SlotIndex slot);
    std::optional<std::pair<LaneIndex, OpenAttempt>> takeOpen(AttemptKey key);
    void insert(LaneIndex lane, const EndedAttempt& attempt);
    void remember(TaskId task, LaneIndex lane);
    void extendRange(std::int64_t from, std::int64_t to);

    std::vector<TimelineLane> m_lanes;
    std::vector<LaneIndex> m_rows; ///< lanes in the order of their keys
    std::map<LaneKey, LaneIndex> m_byKey;
    std::unordered_map<AttemptKey, LaneIndex> m_open;
    /// The first lane in which a task ran, by its number; noLane: it did not.
    std::vector<LaneIndex> m_firstLane;
    std::unordered_multimap<TaskId, LaneIndex> m_furtherLanes;
    std::optional<std::pair<std::int64_t, std::int64_t>> m_range; ///< microseconds
    std::optional<SystemLaidOut> m_layout;
    std::int64_t m_lastHeard = 0; ///< time of the latest event, microseconds
    std::size_t m_attempts = 0;
    std::uint64_t m_revision = 0;
    std::uint64_t m_laneRevision = 0;
};

} // namespace tasuki

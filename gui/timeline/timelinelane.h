// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attemptlayer.h"

#include "domain/rankname.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tasuki {

/// Whose attempts a lane shows.
struct LaneInfo {
    Rank rank;
    SlotIndex slot;
    std::string host;     ///< of the rank's latest holder; empty when it never joined
    bool present = false; ///< the rank has a holder now
    SeatLabel place = {}; ///< what the rank is called
};

/// An attempt that has not ended. Start in microseconds since 1970, UTC.
struct OpenAttempt {
    AttemptKey key;
    std::int64_t start = 0;
};

/// An attempt as the timeline shows it.
struct TimelineAttempt {
    AttemptKey key;
    WallTime start{};
    WallTime end{};                 ///< of a running one: now
    std::optional<Outcome> outcome; ///< none: it runs
    bool operator==(const TimelineAttempt&) const = default;

    [[nodiscard]] AttemptClass kind() const
    {
        return outcome ? classOf(*outcome) : AttemptClass::Running;
    }
};

/// The part of an attempt in which a world's rank does again what the life before had done.
struct ReplayStretch {
    AttemptKey key;
    std::int64_t begin = 0;          ///< microseconds since 1970, UTC
    std::optional<std::int64_t> end; ///< none: it lasts

    /// It lasts no longer than its attempt.
    void endBy(std::int64_t time) { end = std::min(end.value_or(time), time); }
};

/// The attempts of one slot of one rank. Normally they do not overlap and make one layer; where
/// they do (a clock was set, or two clocks disagree by microseconds) more layers are made.
/// Not thread-safe, not even for reading.
class TimelineLane {
public:
    explicit TimelineLane(LaneInfo info) : m_info(std::move(info)) {}

    [[nodiscard]] const LaneInfo& info() const { return m_info; }
    LaneInfo& info() { return m_info; }

    void open(const OpenAttempt& attempt) { m_open.push_back(attempt); }
    /// @return the attempt, which is then no longer open; none when it was not
    std::optional<OpenAttempt> takeOpen(AttemptKey key);
    [[nodiscard]] const std::vector<OpenAttempt>& openAttempts() const { return m_open; }

    void insert(const EndedAttempt& attempt);

    /// A stretch has begun or has ended.
    void replay(const ReplayStretch& stretch);
    [[nodiscard]] const std::vector<ReplayStretch>& replays() const { return m_replays; }

    /// Says what is in each column of a window.
    /// @param now      where running attempts end, microseconds
    /// @param columns  overwritten
    void summarise(const TimeWindow& window, std::int64_t now,
                   std::span<ColumnSummary> columns) const;

    /// Calls for each attempt that overlaps [begin, end), in microseconds; those of no length count
    /// as one microsecond long.
    /// @param visit  returns whether to go on
    void forEachOverlapping(std::int64_t begin, std::int64_t end, std::int64_t now,
                            const std::function<bool(const TimelineAttempt&)>& visit) const;
    void forEachOfTask(TaskId task, std::int64_t now,
                       const std::function<void(const TimelineAttempt&)>& visit) const;

    /// @return the attempt with the latest start before, or the earliest after, a time
    [[nodiscard]] std::optional<TimelineAttempt> lastBefore(std::int64_t time,
                                                            std::int64_t now) const;
    [[nodiscard]] std::optional<TimelineAttempt> firstAfter(std::int64_t time,
                                                            std::int64_t now) const;

    [[nodiscard]] std::size_t memoryBytes() const;

private:
    /// @param comes  whether a time comes before another, or after it
    template <class Comes, class NearestIn>
    [[nodiscard]] std::optional<TimelineAttempt> nearest(std::int64_t time, std::int64_t now,
                                                         Comes comes, NearestIn nearestIn) const;

    LaneInfo m_info;
    std::vector<AttemptLayer> m_layers;
    /// Ended attempts that overlap others in every layer: nothing sound makes them.
    std::vector<EndedAttempt> m_loose;
    std::vector<OpenAttempt> m_open;
    std::vector<ReplayStretch> m_replays;
};

} // namespace tasuki

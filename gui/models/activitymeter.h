// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/eventsink.h"

#include <array>
#include <map>
#include <optional>
#include <unordered_map>

namespace tasuki {

/// Measures how busy a run is: over its whole present life and over the last ten seconds. Times are
/// those of the system master's clock (Event::wallTime).
class ActivityMeter final : public EventSink {
public:
    static constexpr std::chrono::microseconds window = std::chrono::seconds(10);

    void take(const Event& event) override;
    void reset() override;

    /// What one rank has done in the present life of the run.
    struct RankActivity {
        std::uint32_t slots = 0; ///< 0: nobody holds the rank now
        std::uint32_t running = 0;
        std::uint64_t ended = 0;  ///< attempts
        std::uint64_t failed = 0; ///< attempts that did not succeed
        double recentShare = 0;   ///< busy slots / slots over the window, 0 to 1
    };
    [[nodiscard]] RankActivity rank(Rank rank, WallTime now) const;

    /// Tasks that got their final outcome, a second, over the window or the life of the run,
    /// whichever is shorter. None before anything could be measured.
    [[nodiscard]] std::optional<double> rate(WallTime now) const;
    /// Tasks that got their final outcome within the window.
    [[nodiscard]] std::uint64_t recentlyDone(WallTime now) const;
    /// Tasks that got their final outcome in the present life of the run.
    [[nodiscard]] std::uint64_t tasksDone() const { return m_tasksDone; }
    /// Busy slots / slots over the window; none without slots.
    [[nodiscard]] std::optional<double> recentUtilisation(WallTime now) const;
    /// The same over the present life of the run.
    [[nodiscard]] std::optional<double> utilisation(WallTime now) const;
    /// When the present life of the run began; none before that.
    [[nodiscard]] std::optional<WallTime> openedAt() const { return m_openedAt; }
    /// How long the lives of the run before the present one have lasted in all.
    [[nodiscard]] std::chrono::microseconds earlierLives() const { return m_earlierLives; }
    [[nodiscard]] std::uint32_t slots() const { return m_slots; }
    [[nodiscard]] std::uint32_t running() const
    {
        return static_cast<std::uint32_t>(m_running.size());
    }
    /// Run time of what runs now, each up to `atMost`.
    [[nodiscard]] std::chrono::microseconds runningTime(WallTime now,
                                                        std::chrono::microseconds atMost) const;

private:
    using Microseconds = std::chrono::microseconds;
    static constexpr Microseconds bucketWidth = std::chrono::milliseconds(250);
    static constexpr std::size_t bucketCount = 44; ///< the window and a little more

    /// Sums by quarter of a second; old ones are overwritten.
    struct Buckets {
        struct Bucket {
            std::int64_t number = INT64_MIN;
            std::int64_t sum = 0;
        };
        std::array<Bucket, bucketCount> buckets{};
        void add(std::int64_t number, std::int64_t amount);
        void addInterval(WallTime from, WallTime to);
        [[nodiscard]] std::int64_t sum(WallTime from, WallTime to) const;
    };
    struct RankMeter {
        RankActivity activity;
        Buckets busy;
    };
    struct RunningAttempt {
        Rank rank;
        WallTime since{};
    };

    void open(const Event& event);
    void setSlots(Rank rank, std::uint32_t slots, WallTime now);
    void end(const AttemptFinished& attempt, WallTime now);
    [[nodiscard]] WallTime windowBegin(WallTime now) const;
    /// A life that was closed offers no slots any more.
    [[nodiscard]] WallTime untilEnd(WallTime now) const;
    [[nodiscard]] double slotTime(WallTime now) const;

    std::map<Rank, RankMeter> m_ranks;
    std::unordered_map<AttemptKey, RunningAttempt> m_running;
    Buckets m_busy;
    Buckets m_done;
    std::optional<WallTime> m_openedAt;
    std::optional<WallTime> m_closedAt;
    std::uint32_t m_slots = 0;
    WallTime m_slotsSince{};
    double m_slotTime = 0;     ///< microseconds of all slots until m_slotsSince
    Microseconds m_busyTime{}; ///< of ended attempts
    std::uint64_t m_tasksDone = 0;
    Microseconds m_earlierLives{};
    Microseconds m_life{}; ///< of the present life, up to its latest event
};

} // namespace tasuki

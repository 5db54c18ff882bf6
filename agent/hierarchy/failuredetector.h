// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/ids.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// When a processor that is not heard of counts as what.
struct Thresholds {
    std::chrono::nanoseconds suspect{};
    std::chrono::nanoseconds lost{};
    /// Neither threshold is lengthened beyond this, but for the lost one if it is longer itself.
    std::chrono::nanoseconds longest = std::chrono::seconds(2);
    /// A single lateness of the observer from this on is a stall: nothing was heard in it, and all of
    /// it is excused, up to so much.
    std::chrono::nanoseconds stall = std::chrono::milliseconds(300);
    std::chrono::nanoseconds longestStall = std::chrono::seconds(10);
    std::chrono::nanoseconds stuck = std::chrono::seconds(10);
};

/// What is to be said of a watched processor. Each is said once, until it has changed.
enum class Sign : std::uint8_t {
    Late,   ///< nothing heard for longer than the first threshold
    Back,   ///< heard again after Late
    Silent, ///< nothing heard for longer than the second threshold
    Stuck,  ///< heard, but its main loop stands still
};

struct Sighting {
    ProcessorId processor;
    Sign sign = Sign::Late;
    std::chrono::nanoseconds since{}; ///< the last that was heard, or the main loop's last move
    bool operator==(const Sighting&) const = default;
};

/// Notices which processors are not heard of. While the observer itself was late it could hear
/// nothing, so it does not hold that time against anybody, within limits.
class FailureDetector {
public:
    explicit FailureDetector(const Thresholds& thresholds) : m_thresholds(thresholds) {}

    void setThresholds(const Thresholds& thresholds) { m_thresholds = thresholds; }

    /// Begins to watch, as if the processor had been heard of at a time.
    void watch(ProcessorId processor, SteadyTime heard);
    void unwatch(ProcessorId processor) { m_watched.erase(processor); }
    [[nodiscard]] bool watches(ProcessorId processor) const
    {
        return m_watched.contains(processor);
    }
    /// Takes a watched processor as heard at a time, if it has not been heard later. That is no sign of life.
    void excuse(ProcessorId processor, SteadyTime heard);
    /// Takes every watched processor as heard now: what is expected of them has just changed.
    void excuseAll(SteadyTime now);
    /// Silence until now is not held against anybody: the observer itself could not be reached.
    void beginAnew(SteadyTime now);
    /// What a watched processor is at present: Late, Silent or Stuck; none: nothing to say of it.
    [[nodiscard]] std::optional<Sign> standing(ProcessorId processor) const;
    /// Whether a watched processor is late or worse.
    [[nodiscard]] bool late(ProcessorId processor) const;
    /// Whether a processor is watched and has given a sign of life since that began; to be taken as
    /// heard of is no sign of life.
    [[nodiscard]] bool hasShownLife(ProcessorId processor) const;
    /// When a watched processor was last heard of. Precondition: watches().
    [[nodiscard]] SteadyTime heard(ProcessorId processor) const
    {
        return m_watched.at(processor).heard;
    }

    /// A sign of life, of a processor that is watched or not.
    void hear(ProcessorId processor, SteadyTime now);
    /// How far the processor's main loop is: any number that changes while it turns.
    void hearProgress(ProcessorId processor, std::uint64_t turns, SteadyTime now);
    /// The observer could not listen for some time until now.
    void wasLate(std::chrono::nanoseconds lateness)
    {
        (lateness >= m_thresholds.stall ? m_lateness.stalled : m_lateness.brief) += lateness;
    }

    /// @return what there is to say now
    std::vector<Sighting> look(SteadyTime now);
    /// @return when there may be something to say, if nothing is heard until then
    [[nodiscard]] SteadyTime nextSign() const;
    /// @return by what the lost threshold is longer at present, for the processor that is silent
    ///         longest
    [[nodiscard]] std::chrono::nanoseconds allowance() const;

private:
    enum class State : std::uint8_t { Fine, Late, Silent };

    /// Of the observer, summed up.
    struct Lateness {
        std::chrono::nanoseconds brief{};
        std::chrono::nanoseconds stalled{};

        [[nodiscard]] std::chrono::nanoseconds all() const { return brief + stalled; }
    };

    struct Watched {
        SteadyTime heard;
        Lateness latenessThen; ///< m_lateness when it was heard
        SteadyTime moved;
        Lateness latenessThenMoved;
        std::uint64_t turns = 0;
        State state = State::Fine;
        bool shownLife = false; ///< since it is watched
        bool back = false;      ///< to be said
        bool stuck = false;
    };

    [[nodiscard]] std::chrono::nanoseconds lengthened(std::chrono::nanoseconds threshold,
                                                      const Lateness& then) const;

    Thresholds m_thresholds;
    std::map<ProcessorId, Watched> m_watched;
    Lateness m_lateness;
};

} // namespace tasuki::hierarchy

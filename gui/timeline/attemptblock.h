// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "columnsummary.h"
#include "timewindow.h"

#include "domain/ids.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace tasuki {

/// An attempt that has ended, as the store keeps it. Times in microseconds since 1970, UTC.
struct EndedAttempt {
    AttemptKey key;
    Outcome outcome = Outcome::Lost;
    std::int64_t start = 0;
    std::int64_t end = 0; ///< not before start

    /// Where the next attempt may begin: one of no length takes a microsecond, so that it is seen.
    [[nodiscard]] constexpr std::int64_t seenEnd() const { return end > start ? end : start + 1; }
};

/// What a layer holds before one moment. The difference of two tells what is between them.
struct LayerCut {
    std::array<std::int64_t, endedClassCount> busy{}; ///< run time in nanoseconds, by class
    std::uint32_t attempts = 0;                       ///< that have started
    std::uint32_t failures = 0;                       ///< that have started
    bool inFailure = false;                           ///< a failure lasts beyond the moment
    /// The class of the attempt that runs at the moment; none: nothing runs.
    std::optional<AttemptClass> running;
    /// Until then neither an attempt begins nor the one that runs ends. At least the moment itself.
    Nanoseconds steadyUntil = 0;
};

/// Up to 16 attempts in columns, in order of start, that do not overlap; with the sums of all
/// blocks before it. Seven cache lines; painting touches the first three to five.
struct alignas(64) AttemptBlock {
    static constexpr unsigned capacity = 16;
    static constexpr std::uint8_t mixed = 0xff;
    /// In microseconds; still a time when taken as nanoseconds.
    static constexpr std::int64_t noStart = std::numeric_limits<std::int64_t>::max()
        / nanosecondsPerMicrosecond;

    std::array<std::int64_t, endedClassCount> busyBefore{}; ///< microseconds, by class
    std::uint32_t attemptsBefore = 0;
    std::uint32_t failuresBefore = 0;
    std::uint16_t failures = 0; ///< bit i: attempt i is a failure
    std::uint8_t count = 0;
    std::uint8_t onlyClass = mixed; ///< the class of all its attempts when they have one
    std::array<Outcome, capacity> outcome{};
    std::array<std::int64_t, capacity> start = noStarts();
    std::array<std::int64_t, capacity> end{};
    std::array<std::uint32_t, capacity> task{};
    std::array<std::uint32_t, capacity> number{};

    /// @return how many attempts start before a time, in microseconds
    [[nodiscard]] unsigned startsBefore(std::int64_t time) const
    {
        // Halves without branches: where painting searches, nothing can be predicted.
        unsigned before = start[7] < time ? 8U : 0U;
        before += start[before + 3] < time ? 4U : 0U;
        before += start[before + 1] < time ? 2U : 0U;
        before += start[before] < time ? 1U : 0U;
        return before + (start[before] < time ? 1U : 0U);
    }

    [[nodiscard]] EndedAttempt at(unsigned i) const
    {
        return {{TaskId(task[i]), AttemptNumber(number[i])}, outcome[i], start[i], end[i]};
    }

    [[nodiscard]] AttemptClass classAt(unsigned i) const { return classOf(outcome[i]); }

    /// @param time       after the start of the first attempt
    /// @param nextStart  where the next block begins, in microseconds
    /// @return the sums up to a time, those of the blocks before it included
    [[nodiscard]] LayerCut cutAt(Nanoseconds time, std::int64_t nextStart) const;

    /// Puts an attempt before the i-th. Precondition: the block is not full, i <= count.
    void insert(unsigned i, const EndedAttempt& attempt);

    /// Moves the attempts from the i-th on into an empty block.
    void moveTail(unsigned i, AttemptBlock& to);

    /// Takes the sums from the block before it.
    void sumUp(const AttemptBlock& previous);

private:
    /// Unused places start after everything, so that searching needs no count.
    static constexpr std::array<std::int64_t, capacity> noStarts()
    {
        std::array<std::int64_t, capacity> starts{};
        starts.fill(noStart);
        return starts;
    }
    void put(unsigned i, const EndedAttempt& attempt);
    void classify();
};

static_assert(sizeof(AttemptBlock) == 448);

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"
#include "ids.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tasuki {

/// How an attempt ended. The numbers are those of the run file: append, never renumber.
enum class Outcome : std::uint8_t {
    Succeeded = 0,   ///< exit status 0
    Failed = 1,      ///< exit status other than 0; AttemptResult::code is the status
    Signalled = 2,   ///< ended by a signal of others; code is its number
    TimedOut = 3,    ///< killed because it overran its time limit
    Cancelled = 4,   ///< killed because an operator cancelled the task
    Interrupted = 5, ///< killed because the run was interrupted; the task is still to be done
    Lost = 6,        ///< the processor or its guardian went away; nothing is known of the end
    NotStarted = 7,  ///< the system could not start it; code is errno
};

/// @return the word for an outcome in tables, e.g. "timed out"
std::string_view outcomeName(Outcome outcome);

/// What the system charged for an attempt, its waited-for descendants included.
struct ResourceUsage {
    std::chrono::microseconds user{};
    std::chrono::microseconds system{};
    std::uint64_t maxResidentKiB = 0;
    bool operator==(const ResourceUsage&) const = default;
};

/// What an attempt wrote to one stream: the whole, or its beginning and end.
struct CapturedStream {
    std::string head; ///< the first bytes
    std::string tail; ///< the last bytes, when something between was dropped
    std::uint64_t totalBytes =
        0; ///< what was written; larger than head + tail: the rest was dropped
    bool operator==(const CapturedStream&) const = default;

    [[nodiscard]] std::uint64_t droppedBytes() const
    {
        return totalBytes - head.size() - tail.size();
    }
};

/// All that is known of an attempt that has ended.
struct AttemptResult {
    Outcome outcome = Outcome::Lost;
    std::int32_t code = 0;
    WallTime startedAt{};                ///< by the clock of the processor's host
    std::chrono::microseconds elapsed{}; ///< from start to end, by a steady clock
    ResourceUsage usage;
    CapturedStream standardOutput;
    CapturedStream standardError;
    bool operator==(const AttemptResult&) const = default;
};

} // namespace tasuki

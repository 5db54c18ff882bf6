// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracediagnostics.h"

#include <cstdint>
#include <optional>

namespace tasuki::trace {

/// What header -6 says of the time at which the log starts.
struct AnnouncedStart {
    std::int64_t us = 0;
    std::uint64_t line = 0;
};

/// From where the times of a log count: what lies before its first record is computation.
struct LogStart {
    std::int64_t us = 0; ///< in the times of the records
    /// What is to be told where that was guessed, or may be wrong.
    std::optional<Finding> doubt = {};
};

///   header -6                      | first record                    | times count from
///   -------------------------------+---------------------------------+--------------------------
///   a time up to the first record  |                                 | header -6
///   0                              | after latestUnannouncedUs       | 0; is told
///   a time after the first record  |                                 | the first record; is told
///   none                           | from 0 to latestUnannouncedUs   | 0
///   none                           | at another time                 | the first record; is told
///
/// Clocks that count since the computer was started, or since 1970, show themselves by the last row. A
/// log that is written of a trace says 0, and is read as the same.
/// @param announced  none: there is no such header
/// @param firstUs    time of the earliest record of all tasks
LogStart logStart(const std::optional<AnnouncedStart>& announced, std::int64_t firstUs);

/// A log that begins later without saying so has another zero.
inline constexpr std::int64_t latestUnannouncedUs = 60'000'000;

} // namespace tasuki::trace

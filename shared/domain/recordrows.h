// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"
#include "ids.h"

#include <chrono>
#include <string>

namespace tasuki {

/// An event as it stands in a record. Each record has one writer at a time: two that have the same
/// mark are alike up to it.
struct RecordMark {
    EventId id;
    WallTime wallTime{};
    std::chrono::nanoseconds monotonic{};
    bool operator==(const RecordMark&) const = default;
};

/// Rows of a record that follow each other, for another record of the same run. What the bytes mean
/// is the record's affair.
struct RecordRows {
    EventId after; ///< the event that comes before them
    EventId last;  ///< of them; `after`: there are none
    std::string bytes;
    bool operator==(const RecordRows&) const = default;

    [[nodiscard]] bool empty() const { return last == after; }
};

/// Where a record lies.
struct RecordPlace {
    std::string host;     ///< name, as processors know it
    std::string path;     ///< absolute, as that host has it
    bool original = true; ///< the one with which the launch began; else a copy of it
    bool operator==(const RecordPlace&) const = default;
};

} // namespace tasuki

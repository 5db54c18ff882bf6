// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command.h"

#include <cstdint>
#include <limits>
#include <string>

namespace tasuki {

/// In an OutputQuery that fetches: nothing of this stream now, and all of it later.
inline constexpr std::uint64_t notNow = std::numeric_limits<std::uint64_t>::max();

/// How much of what an attempt has written is printed; of a rank that goes on, by all its attempts.
struct PrintedOutput {
    AttemptKey key;
    std::uint64_t standardOutput = 0; ///< bytes
    std::uint64_t standardError = 0;
    bool over = false; ///< nothing more is printed of it, or all of it once more
    bool operator==(const PrintedOutput&) const = default;
};

/// A stretch of what an attempt has written, of one that has ended, too.
struct FetchedOutput {
    OutputAnswer answer;
    std::string problem; ///< why something is missing for good; empty: nothing is
    bool operator==(const FetchedOutput&) const = default;
};

} // namespace tasuki

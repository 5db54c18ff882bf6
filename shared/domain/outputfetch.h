// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command.h"

#include <cstdint>
#include <limits>
#include <string>

namespace tasuki {

/// In an OutputQuery that fetches: nothing of this stream now, and all of it later.
inline constexpr std::uint64_t notNow = std::numeric_limits<std::uint64_t>::max();

/// A stretch of what an attempt has written, of one that has ended, too.
struct FetchedOutput {
    OutputAnswer answer;
    std::string problem; ///< why something is missing for good; empty: nothing is
    bool operator==(const FetchedOutput&) const = default;
};

} // namespace tasuki

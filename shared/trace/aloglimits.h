// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tasuki::trace {

/// What a log may ask for before the reader stops to believe it. Memory stays within a small multiple
/// of the log's own size whatever it says.
struct AlogLimits {
    /// Indexes have 32 bits, and one value means "none".
    std::uint64_t events = std::numeric_limits<std::uint32_t>::max() - 1;
    std::uint32_t tasks = 1'048'576;    ///< ranks are below it
    std::uint32_t silentTasks = 65'536; ///< so many need no record, the header's word counts
    std::size_t lineBytes = std::size_t{1} << 20U;
    std::size_t diagnostics = 1'000; ///< kept; of the others their number is told
};

} // namespace tasuki::trace

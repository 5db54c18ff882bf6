// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/outputkeeping.h"
#include "report/outputdelivery.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// What becomes of the output of tasks.
struct OutputOptions {
    OutputOrder order = OutputOrder::Grouped;
    bool tagged = false;
    std::optional<std::string> directory; ///< files there instead of printing
    /// That the record keeps of each stream of an attempt.
    std::uint64_t recordBytes = OutputKeeping::usualBytes;
    std::string temporary; ///< where what is longer is put, on each host
};

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <cstdint>

namespace tasuki::trace::testing {

/// A trace as a reader could have made it, with all that a log can say: nested and crossing calls of all
/// kinds, some without end, words, messages sent and received in any order, some alone, marks.
/// @param records  about so many events
Trace randomTrace(std::uint32_t seed, std::uint32_t tasks, std::uint32_t records);

} // namespace tasuki::trace::testing

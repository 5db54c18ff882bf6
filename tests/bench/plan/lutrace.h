// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <cstdint>

namespace tasuki::bench {

/// The log of an LU decomposition with block-cyclic columns: for each of so many columns its owner
/// sends it to all others, which compute with it.
trace::Trace luTrace(std::uint32_t tasks, std::uint32_t columns);

} // namespace tasuki::bench

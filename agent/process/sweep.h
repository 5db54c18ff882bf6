// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"

#include <chrono>
#include <cstddef>

namespace tasuki {

/// Kills what earlier lives of a run left behind on this host: every process of this user whose
/// environment names the run and an epoch before `current`. Tasks of the current epoch stay, those
/// of other ranks included. Processes that removed the variables are not found.
/// Blocks, usually for a few milliseconds: call it before the reactor runs.
/// @param limit  longest time to wait until all that was killed is gone
/// @return how many processes were killed; an Error when some still live after `limit`
Result<std::size_t> sweepLeftovers(const RunId& run, Epoch current,
                                   std::chrono::milliseconds limit = std::chrono::seconds(5));

} // namespace tasuki

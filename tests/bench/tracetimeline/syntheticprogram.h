// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/timeline.h"
#include "trace/trace.h"

#include <cstddef>

namespace tasuki::bench {

/// A made-up MPI program and what is predicted for it; the same for the same number of spans.
struct SyntheticProgram {
    plan::Timeline timeline;
    trace::Trace trace;
};

/// Eight tasks that compute and call send, receive, wait and collective calls by turns, with lengths
/// spread over three powers of ten. Half the calls wait; one in two sends a message; a critical path
/// goes through all tasks.
SyntheticProgram syntheticProgram(std::size_t spans);

} // namespace tasuki::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/allocation.h"

namespace tasuki::bench {

/// The plain way to replay a trace of sends and receives: through the records of the log in their
/// order, for one allocation.
/// @return the runtime in microseconds
double plainReplay(const trace::Trace& trace, const plan::Environment& environment,
                   const plan::Allocation& allocation);

} // namespace tasuki::bench

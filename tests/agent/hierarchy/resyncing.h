// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hierarchy/tablewriter.h"

#include <set>

namespace tasuki::hierarchy::testing {

/// All that may have got seats from a former writer follow this one.
inline void resync(TableWriter& membership)
{
    for (const ProcessorId processor : std::set(membership.unsynced()))
        membership.follows(processor, membership.draft().version.term, SteadyTime{});
}

} // namespace tasuki::hierarchy::testing

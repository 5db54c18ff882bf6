// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hierarchy/clusterkeeper.h"

#include <set>

namespace tasuki::hierarchy::testing {

/// All that may have got seats from a former writer follow this one.
inline void muster(ClusterKeeper& keeper)
{
    for (const ProcessorId processor : std::set(keeper.unmustered()))
        keeper.follows(processor, keeper.draft().version.term, SteadyTime{});
}

} // namespace tasuki::hierarchy::testing

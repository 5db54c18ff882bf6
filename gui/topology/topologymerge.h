// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "topologyplace.h"

#include <optional>
#include <vector>

namespace tasuki {

/// What becomes of two edits of one topology that were made at the same time.
struct TopologyMerge {
    config::Topology merged;
    std::vector<TopologyPlace> taken;     ///< cells that only they have changed
    std::vector<TopologyPlace> conflicts; ///< cells that both have, in another way: mine stands
};

/// @param base  what both began with
/// @return none: the subclusters are not the same, so that cells cannot be compared
std::optional<TopologyMerge> mergeTopologies(const config::Topology& base,
                                             const config::Topology& mine,
                                             const config::Topology& theirs);

} // namespace tasuki

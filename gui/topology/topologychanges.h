// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topology.h"
#include "config/topologyrules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// One setting in which two topologies differ.
struct TopologyChange {
    enum class Kind : std::uint8_t {
        Changed, ///< a value is another
        Added,   ///< the subcluster is new
        Removed, ///< the subcluster is gone
        Moved,   ///< the subcluster stands elsewhere among those that both have
    };

    Kind kind = Kind::Changed;
    std::string
        subcluster; ///< its name in the later topology, else in the earlier; empty: the system
    std::optional<config::TopologyField> field = {}; ///< of what changed
    std::string before = {};                         ///< as files have it; empty: not given
    std::string after = {};
    bool operator==(const TopologyChange&) const = default;
};

/// @return what an operator has to know of the way from one topology to another, the system first.
///         Subclusters are the same when their names are; one of another name in the same place
///         with the same processors was renamed.
std::vector<TopologyChange> topologyChanges(const config::Topology& before,
                                            const config::Topology& after);

} // namespace tasuki

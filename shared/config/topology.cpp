// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology.h"

#include <cassert>

namespace tasuki::config {

Topology defaultTopology(std::uint32_t processors, bool dedicatedMaster)
{
    assert(processors > (dedicatedMaster ? 1U : 0U));
    Topology topology;
    topology.policy = DownPolicy::Stop; // nobody has asked for another start
    SubclusterSpec& system = topology.subclusters.emplace_back();
    system.name = "system";
    system.active = processors - (dedicatedMaster ? 1U : 0U);
    system.dedicatedMaster = dedicatedMaster;
    return topology;
}

} // namespace tasuki::config

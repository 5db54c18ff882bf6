// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologyedit.h"

#include <algorithm>

namespace tasuki {

SystemSettings settingsOf(const config::Topology& topology)
{
    return {.heartbeat = topology.heartbeat,
            .suspectAfter = topology.suspectAfter,
            .lostAfter = topology.lostAfter,
            .policy = topology.policy,
            .rejoin = topology.rejoin};
}

void setSettings(config::Topology& topology, const SystemSettings& settings)
{
    topology.heartbeat = settings.heartbeat;
    topology.suspectAfter = settings.suspectAfter;
    topology.lostAfter = settings.lostAfter;
    topology.policy = settings.policy;
    topology.rejoin = settings.rejoin;
}

bool TopologyEdit::isVoid() const
{
    const auto same = [](const auto& values) { return values.before == values.after; };
    return std::ranges::all_of(subclusters, same) && (!system || same(*system));
}

bool TopologyEdit::absorb(const TopologyEdit& later)
{
    if (!cell || cell != later.cell || subclusters.size() != later.subclusters.size()
        || system.has_value() != later.system.has_value())
        return false;
    for (std::size_t i = 0; i < subclusters.size(); ++i)
        subclusters[i].after = later.subclusters[i].after;
    if (system)
        system->after = later.system->after;
    return true;
}

} // namespace tasuki

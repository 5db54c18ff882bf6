// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologyedit.h"

namespace tasuki {

TopologyEdit editBetween(const config::Topology& before, const config::Topology& after)
{
    TopologyEdit edit;
    for (std::size_t i = 0; i < before.subclusters.size(); ++i) {
        if (before.subclusters[i] != after.subclusters[i])
            edit.of<config::SubclusterSpec>().push_back(
                {i, before.subclusters[i], after.subclusters[i]});
    }
    if (settingsOf(before) != settingsOf(after))
        edit.of<SystemSettings>().push_back({0, settingsOf(before), settingsOf(after)});
    return edit;
}

} // namespace tasuki

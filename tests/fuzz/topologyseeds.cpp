// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "config/topologyfile.h"

namespace tasuki::fuzz {

std::vector<std::string> topologySeeds()
{
    using namespace tasuki::config;
    Topology topology;
    topology.policy = DownPolicy::Stop;
    topology.rejoin = false;
    topology.subclusters = {{.name = "antenna",
                             .active = 4,
                             .standby = 1,
                             .io = 1,
                             .minimum = 2,
                             .hosts = {"node0", "\xE8\xA8\x88", "\"#"},
                             .units = 2},
                            {.name = "filter", .active = 3, .hosts = {"node0"}},
                            {.name = "rest", .active = 2, .dedicatedMaster = true}};
    return {topologyFileText(topology),
            "system = {heartbeat_ms = 0x64, policy = 'continue'}\n"
            "subcluster = [{name = 'a', active = 1_0}, {name = \"b\", active = 2, units = 2,\n"
            "hosts = ['x', '''y'''], restarts.count = 0}]\n",
            "[[subcluster]]\r\nname = \"\\u8A08\"\r\n\"active\" = 1e1 # ten\r\n"
            "[subcluster.restarts]\r\nwithin_s = 2026-01-01T00:00:00Z\r\n",
            "[[subcluster]]\nname = \"a\"\nactive = 1\n[[subcluster]]\nname = \"a\"\nunits = 9\n"
            "minimum = 7\nhosts = [\"x\", \"x\"]\nheartbeat_ms = true\n"};
}

} // namespace tasuki::fuzz

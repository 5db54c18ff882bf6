// SPDX-License-Identifier: GPL-3.0-or-later
#include "layoutevent.h"

#include "config/topologyfile.h"

namespace tasuki {

SystemLaidOut layoutEvent(const SystemPlan& plan,
                          const std::vector<control::ControlAddress>& addresses)
{
    SystemLaidOut event;
    event.heartbeat = plan.topology.heartbeat;
    event.suspectAfter = plan.topology.suspectAfter;
    event.lostAfter = plan.topology.lostAfter;
    event.policy = plan.topology.policy;
    event.topologyFile = plan.topologyFile;
    event.topologyText = config::topologyFileText(plan.topology);
    for (const config::SubclusterSpec& spec : plan.topology.subclusters) {
        event.subclusters.push_back({.name = spec.name,
                                     .active = spec.active,
                                     .standby = spec.standby,
                                     .io = spec.io,
                                     .minimum = spec.minimum});
    }
    for (const config::LayoutUnit& unit : plan.layout.units)
        event.units.push_back(
            {.name = unit.name, .host = unit.host, .subcluster = unit.subcluster});
    for (std::uint32_t number = 0; number < plan.layout.processors.size(); ++number) {
        const config::PlacedProcessor& placed = plan.layout.processors[number];
        event.processors.push_back({.id = ProcessorId(number),
                                    .subcluster = placed.subcluster,
                                    .unit = placed.unit,
                                    .kind = placed.kind,
                                    .seat = placed.seat,
                                    .host = plan.hosts[number],
                                    .pid = addresses[number].pid});
    }
    for (const config::LayoutSeat& seat : plan.layout.seats)
        event.seats.push_back(
            {.subcluster = seat.subcluster, .kind = seat.kind, .index = seat.index});
    return event;
}

} // namespace tasuki

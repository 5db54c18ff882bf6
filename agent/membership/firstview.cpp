// SPDX-License-Identifier: GPL-3.0-or-later
#include "firstview.h"

#include <vector>

namespace tasuki {

hierarchy::MembershipView firstView(const config::Topology& topology, const config::Layout& layout)
{
    std::vector<hierarchy::Place> places;
    for (const config::PlacedProcessor& placed : layout.processors) {
        places.push_back({.subcluster = placed.subcluster,
                          .unit = placed.unit,
                          .kind = placed.kind,
                          .seat = placed.seat});
    }
    std::vector<SeatKind> seats;
    for (const config::LayoutSeat& seat : layout.seats)
        seats.push_back(seat.kind);
    hierarchy::SystemTable system;
    system.settings = settingsOf(topology);
    std::vector<hierarchy::ClusterRules> rules;
    for (const config::SubclusterSpec& spec : topology.subclusters)
        rules.push_back(rulesOf(spec));
    return {places, seats, system, rules};
}

hierarchy::Settings settingsOf(const config::Topology& topology)
{
    return {.heartbeat = topology.heartbeat,
            .suspectAfter = topology.suspectAfter,
            .lostAfter = topology.lostAfter,
            .policy = topology.policy,
            .rejoin = topology.rejoin};
}

hierarchy::ClusterRules rulesOf(const config::SubclusterSpec& spec)
{
    return {
        .minimum = spec.minimum, .restarts = spec.restarts.count, .within = spec.restarts.within};
}

} // namespace tasuki

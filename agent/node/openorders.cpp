// SPDX-License-Identifier: GPL-3.0-or-later
#include "openorders.h"

#include "config/topologyfile.h"
#include "hierarchy/orderrules.h"
#include "membership/firstview.h"

#include <type_traits>
#include <variant>

namespace tasuki {

namespace {

using hierarchy::MembershipView;
using hierarchy::Order;

/// The other way round: recordOf().
Order orderOf(ProcessorId processor, ProcessorOrder order)
{
    if (const auto kind = kindOrdered(order))
        return hierarchy::KindOrder{processor, *kind};
    if (order == ProcessorOrder::Promote)
        return hierarchy::PromoteOrder{processor};
    return hierarchy::StopOrder{processor};
}

/// What a change of the topology has promised.
void addTopology(const SystemState& recorded, const MembershipView& now, OpenOrders& open)
{
    const config::TopologyReading reading = config::readTopologyText(
        recorded.layout()->topologyText, "topology");
    if (!reading.topology)
        return;
    const config::Topology& topology = *reading.topology;
    const hierarchy::Settings wanted = settingsOf(topology);
    if (wanted != now.system().settings)
        open.settings = wanted;
    for (std::size_t i = 0; i < topology.subclusters.size() && i < now.clusterCount(); ++i) {
        const hierarchy::RulesOrder order{SubclusterId(static_cast<std::uint32_t>(i)),
                                          rulesOf(topology.subclusters[i])};
        if (!hierarchy::shows(Order(order), now))
            open.orders.emplace_back(order);
    }
}

} // namespace

OpenOrders openOrders(const SystemState& recorded, const MembershipView& now)
{
    OpenOrders open;
    addTopology(recorded, now, open);
    const auto add = [&](const Order& order) {
        if (!hierarchy::shows(order, now))
            open.orders.push_back(order);
    };
    for (const auto& [id, processor] : recorded.processors()) {
        if (!now.knows(id) || isUnreachable(now.member(id).health))
            continue;
        if (processor.drainOrdered)
            add(hierarchy::DrainOrder{id, processor.drained});
        for (const ProcessorOrder order : processor.orders)
            add(orderOf(id, order));
    }
    return open;
}

std::optional<ProcessorOrdered> recordOf(const Order& order)
{
    return std::visit(
        [](const auto& wanted) -> std::optional<ProcessorOrdered> {
            using Wanted = std::decay_t<decltype(wanted)>;
            if constexpr (std::is_same_v<Wanted, hierarchy::StopOrder>)
                return ProcessorOrdered{.processor = wanted.processor,
                                        .order = ProcessorOrder::Stop};
            else if constexpr (std::is_same_v<Wanted, hierarchy::PromoteOrder>)
                return ProcessorOrdered{.processor = wanted.processor,
                                        .order = ProcessorOrder::Promote};
            else if constexpr (std::is_same_v<Wanted, hierarchy::KindOrder>)
                return ProcessorOrdered{.processor = wanted.processor,
                                        .order = orderForKind(wanted.kind)};
            else
                return std::nullopt;
        },
        order);
}

} // namespace tasuki

// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemplan.h"

#include "config/topologyfile.h"
#include "config/topologyrules.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

SystemPlanning planned(config::TopologyReading reading, const std::string& topologyFile,
                       std::vector<std::string> hosts)
{
    SystemPlanning planning{.plan = {}, .diagnostics = std::move(reading.diagnostics)};
    if (!reading.topology)
        return planning;
    config::LayoutReading laidOut = config::layOut(*reading.topology, hosts, reading.places);
    std::ranges::move(laidOut.diagnostics, std::back_inserter(planning.diagnostics));
    if (!laidOut.layout)
        return planning;
    planning.plan = SystemPlan{.topology = std::move(*reading.topology),
                               .layout = std::move(*laidOut.layout),
                               .hosts = std::move(hosts),
                               .topologyFile = topologyFile};
    return planning;
}

} // namespace

SystemPlanning planSystem(const std::string& topologyFile, std::vector<std::string> hosts)
{
    return planned(config::readTopologyFile(topologyFile), topologyFile, std::move(hosts));
}

SystemPlanning planSystem(const PlainSystem& plain, std::vector<std::string> hosts)
{
    config::TopologyReading reading;
    reading.topology = config::defaultTopology(static_cast<std::uint32_t>(hosts.size()),
                                               plain.dedicatedMaster);
    if (plain.lostAfter) {
        using std::chrono::milliseconds;
        reading.topology->heartbeat = std::clamp(*plain.lostAfter / reading.topology->lostAfter,
                                                 milliseconds(config::rules::heartbeatMs.least),
                                                 milliseconds(config::rules::heartbeatMs.most));
    }
    return planned(std::move(reading), {}, std::move(hosts));
}

SystemPlanning planSystemText(const std::string& text, const std::string& topologyFile,
                              std::vector<std::string> hosts)
{
    return planned(config::readTopologyText(text, topologyFile), topologyFile, std::move(hosts));
}

HostShare hostShare(const SystemPlan& plan, ProcessorId processor)
{
    HostShare share;
    const std::string& host = plan.hosts[processor.value()];
    bool counted = false;
    for (std::uint32_t number = 0; number < plan.hosts.size(); ++number) {
        if (plan.hosts[number] != host
            || plan.layout.of(ProcessorId(number)).kind != ProcessorKind::Active)
            continue;
        ++share.ranks;
        counted = counted || number == processor.value();
        share.index += number < processor.value() ? 1U : 0U;
    }
    if (!counted)
        share.index = share.ranks == 0 ? 0 : share.ranks - 1;
    share.ranks = std::max<std::size_t>(share.ranks, 1);
    return share;
}

} // namespace tasuki

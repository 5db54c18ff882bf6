// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the network of a simulated system.
#include "simulatednode.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy::testing {

/// What arrives, unless it is broken on purpose.
ControlMessage SystemSimulation::tampered(ProcessorId to, const ControlMessage& message) const
{
    if (const auto* const beat = std::get_if<Beat>(&message);
        m_sabotage.everybodyAgrees && beat != nullptr && beat->support) {
        Beat lie = *beat;
        constexpr char followsAlone = static_cast<char>(0x80);
        lie.support->first = 0;
        lie.support->steps.assign(size(), followsAlone);
        return lie;
    }
    const auto* const tables = std::get_if<Tables>(&message);
    if (!m_sabotage.drainsAreForgotten || tables == nullptr || to == systemMaster())
        return message;
    Tables out{.clusters = {}, .system = tables->system};
    for (const ClusterTablePtr& table : tables->clusters) {
        ClusterTable changed = *table;
        for (MemberRow& row : changed.members)
            row.drained = false;
        out.clusters.push_back(std::make_shared<const ClusterTable>(std::move(changed)));
    }
    return out;
}

void SystemSimulation::setCut(ProcessorId one, ProcessorId other, bool cut)
{
    m_faulty.insert(one);
    for (const auto& way : {std::pair(one, other), std::pair(other, one)}) {
        if (cut)
            m_cuts.insert(way);
        else
            m_cuts.erase(way);
    }
}

void SystemSimulation::excuseAll()
{
    for (std::uint32_t i = 0; i < size(); ++i)
        m_faulty.insert(ProcessorId(i));
}

void SystemSimulation::part(const std::vector<std::uint32_t>& sides, bool oneWay)
{
    excuseAll();
    for (std::uint32_t i = 0; i < size(); ++i) {
        for (std::uint32_t k = 0; k < size(); ++k) {
            const std::uint32_t from = sides[hostOf(ProcessorId(i))];
            if (from != sides[hostOf(ProcessorId(k))] && !(oneWay && from == 0))
                m_cuts.insert({ProcessorId(i), ProcessorId(k)});
        }
    }
}

std::uint32_t SystemSimulation::hostOf(ProcessorId processor) const
{
    return hostOf(m_nodes.front()->membership.view().member(processor).unit);
}

std::uint32_t SystemSimulation::hostOf(UnitId unit) const
{
    if (m_shape.oneHost)
        return 0;
    return m_shape.hosts == 0 ? unit.value() : unit.value() % m_shape.hosts;
}

std::uint32_t SystemSimulation::hosts() const
{
    return m_shape.oneHost   ? 1
        : m_shape.hosts == 0 ? m_shape.subclusters * m_shape.units + m_shape.guests
                             : m_shape.hosts;
}

std::vector<ProcessorId> SystemSimulation::acting() const
{
    std::vector<ProcessorId> out;
    for (const auto& one : m_nodes) {
        if (one->leads())
            out.push_back(one->self());
    }
    return out;
}

} // namespace tasuki::hierarchy::testing

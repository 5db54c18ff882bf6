// SPDX-License-Identifier: GPL-3.0-or-later
#include "tree.h"

#include <algorithm>
#include <set>

namespace tasuki::hierarchy {

namespace {

/// @param fits  which rows take part
std::optional<ProcessorId> firstOf(const ClusterTable& table, auto fits)
{
    const MemberRow* first = nullptr;
    for (const MemberRow& row : table.members) {
        if (row.living() && fits(row) && (first == nullptr || precedes(row, *first)))
            first = &row;
    }
    return first == nullptr ? std::nullopt : std::optional(first->processor);
}

void addUnit(const ClusterTable& table, const MemberRow& master, std::vector<ProcessorId>& children)
{
    for (const MemberRow& row : table.members) {
        if (row.living() && row.unit == master.unit && row.processor != master.processor)
            children.push_back(row.processor);
    }
}

void addUnitMasters(const ClusterTable& table, const MemberRow& master,
                    std::vector<ProcessorId>& children)
{
    std::set<UnitId> seen{master.unit};
    for (const MemberRow& row : table.members) {
        if (seen.insert(row.unit).second) {
            if (const auto first = unitMaster(table, row.unit))
                children.push_back(*first);
        }
    }
}

void addClusterMasters(const Picture& picture, SubclusterId own, std::vector<ProcessorId>& children)
{
    for (std::uint32_t number = 0; number < picture.clusterCount(); ++number) {
        if (SubclusterId(number) == own)
            continue;
        if (const auto first = clusterMaster(picture.cluster(SubclusterId(number))))
            children.push_back(*first);
    }
}

} // namespace

bool precedes(const MemberRow& one, const MemberRow& other)
{
    if (one.promoted != other.promoted)
        return one.promoted > other.promoted;
    return one.kind != other.kind ? one.kind < other.kind : one.processor < other.processor;
}

std::optional<ProcessorId> unitMaster(const ClusterTable& table, UnitId unit)
{
    return firstOf(table, [unit](const MemberRow& row) { return row.unit == unit; });
}

std::optional<ProcessorId> clusterMaster(const ClusterTable& table)
{
    return firstOf(table, [](const MemberRow&) { return true; });
}

std::optional<ProcessorId> systemMaster(const Picture& picture)
{
    const SubclusterId home = picture.subclusterOf(ProcessorId(0));
    if (const auto first = clusterMaster(picture.cluster(home)))
        return first;
    for (std::uint32_t number = 0; number < picture.clusterCount(); ++number) {
        if (const auto first = clusterMaster(picture.cluster(SubclusterId(number))))
            return first;
    }
    return std::nullopt;
}

Position positionOf(const Picture& picture, ProcessorId processor)
{
    Position position;
    const SubclusterId own = picture.subclusterOf(processor);
    const ClusterTable& table = picture.cluster(own);
    const MemberRow& row = *table.member(processor);
    if (!row.living())
        return position;
    const auto ofUnit = unitMaster(table, row.unit);
    position.unitMaster = ofUnit == processor;
    if (!position.unitMaster) {
        position.parent = ofUnit;
        return position;
    }
    addUnit(table, row, position.children);
    const auto ofCluster = clusterMaster(table);
    position.clusterMaster = ofCluster == processor;
    if (!position.clusterMaster) {
        position.parent = ofCluster;
        return position;
    }
    addUnitMasters(table, row, position.children);
    const auto ofSystem = systemMaster(picture);
    position.systemMaster = ofSystem == processor;
    if (position.systemMaster)
        addClusterMasters(picture, own, position.children);
    else
        position.parent = ofSystem;
    std::ranges::sort(position.children);
    return position;
}

} // namespace tasuki::hierarchy

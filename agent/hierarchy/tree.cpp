// SPDX-License-Identifier: GPL-3.0-or-later
#include "tree.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tasuki::hierarchy {

namespace {

/// @return 0, or more of those that come after all who have less
std::uint32_t turnOf(const MemberRow& row)
{
    if (!row.ofStart())
        return 2;
    return row.life > Life(1) ? 1 : 0; // who came back
}

bool counts(const MemberRow& row, const Unreachable& unreachable)
{
    return row.living() && !unreachable.contains(row.processor);
}

/// @param fits  which rows take part
std::optional<ProcessorId> firstOf(const ClusterTable& table, const Unreachable& unreachable,
                                   auto fits)
{
    const MemberRow* first = nullptr;
    for (const MemberRow& row : table.members) {
        if (counts(row, unreachable) && fits(row) && (first == nullptr || precedes(row, *first)))
            first = &row;
    }
    return first == nullptr ? std::nullopt : std::optional(first->processor);
}

void addUnit(const ClusterTable& table, const MemberRow& master, const Unreachable& unreachable,
             std::vector<ProcessorId>& children)
{
    for (const MemberRow& row : table.members) {
        if (counts(row, unreachable) && row.unit == master.unit
            && row.processor != master.processor)
            children.push_back(row.processor);
    }
}

void addUnitMasters(const ClusterTable& table, const MemberRow& master,
                    const Unreachable& unreachable, std::vector<ProcessorId>& children)
{
    std::set<UnitId> seen{master.unit};
    for (const MemberRow& row : table.members) {
        if (seen.insert(row.unit).second) {
            if (const auto first = unitMaster(table, row.unit, unreachable))
                children.push_back(*first);
        }
    }
}

void addClusterMasters(const MembershipView& view, SubclusterId own, const Unreachable& unreachable,
                       std::vector<ProcessorId>& children)
{
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        if (SubclusterId(number) == own)
            continue;
        if (const auto first = clusterMaster(view.cluster(SubclusterId(number)), unreachable))
            children.push_back(*first);
    }
}

} // namespace

bool precedes(const MemberRow& one, const MemberRow& other)
{
    if (one.promoted != other.promoted)
        return one.promoted > other.promoted;
    if (turnOf(one) != turnOf(other))
        return turnOf(one) < turnOf(other);
    return one.kind != other.kind ? one.kind < other.kind : one.processor < other.processor;
}

std::optional<ProcessorId> unitMaster(const ClusterTable& table, UnitId unit,
                                      const Unreachable& unreachable)
{
    return firstOf(table, unreachable, [unit](const MemberRow& row) { return row.unit == unit; });
}

std::optional<ProcessorId> clusterMaster(const ClusterTable& table, const Unreachable& unreachable)
{
    return firstOf(table, unreachable, [](const MemberRow&) { return true; });
}

std::optional<ProcessorId> systemMaster(const MembershipView& view, const Unreachable& unreachable)
{
    // Who came back comes last of all: the run hangs on who is system master meanwhile.
    std::optional<std::pair<std::uint32_t, ProcessorId>> best; ///< with its turn
    const auto consider = [&](SubclusterId subcluster) {
        const auto first = clusterMaster(view.cluster(subcluster), unreachable);
        if (first && (!best || turnOf(view.member(*first)) < best->first))
            best = {turnOf(view.member(*first)), *first};
    };
    consider(view.subclusterOf(ProcessorId(0)));
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number)
        consider(SubclusterId(number));
    return best ? std::optional(best->second) : std::nullopt;
}

std::uint32_t placeInSuccession(const MembershipView& view, ProcessorId processor)
{
    const SubclusterId home = view.subclusterOf(ProcessorId(0));
    const SubclusterId own = view.subclusterOf(processor);
    const auto rankOf = [home](SubclusterId subcluster, const MemberRow& row) {
        return std::pair(turnOf(row), subcluster == home ? 0U : subcluster.value() + 1);
    };
    const MemberRow& self = view.member(processor);
    const auto rankOfSelf = rankOf(own, self);
    std::size_t before = 0;
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        const ClusterTable& table = view.cluster(SubclusterId(number));
        if (table.subcluster == own) {
            before += static_cast<std::size_t>(std::ranges::count_if(
                table.members, [&self](const MemberRow& row) { return precedes(row, self); }));
        } else {
            before += static_cast<std::size_t>(
                std::ranges::count_if(table.members, [&](const MemberRow& row) {
                    return rankOf(table.subcluster, row) < rankOfSelf;
                }));
        }
    }
    return static_cast<std::uint32_t>(before);
}

Position positionOf(const MembershipView& view, ProcessorId processor,
                    const Unreachable& unreachable)
{
    Position position;
    const SubclusterId own = view.subclusterOf(processor);
    const ClusterTable& table = view.cluster(own);
    const MemberRow& row = *table.member(processor);
    if (!row.living())
        return position;
    const auto ofUnit = unitMaster(table, row.unit, unreachable);
    position.unitMaster = ofUnit == processor;
    if (!position.unitMaster) {
        position.parent = ofUnit;
        return position;
    }
    addUnit(table, row, unreachable, position.children);
    const auto ofCluster = clusterMaster(table, unreachable);
    position.clusterMaster = ofCluster == processor;
    if (!position.clusterMaster) {
        position.parent = ofCluster;
        return position;
    }
    addUnitMasters(table, row, unreachable, position.children);
    const auto ofSystem = systemMaster(view, unreachable);
    position.systemMaster = ofSystem == processor;
    if (position.systemMaster)
        addClusterMasters(view, own, unreachable, position.children);
    else
        position.parent = ofSystem;
    std::ranges::sort(position.children);
    return position;
}

} // namespace tasuki::hierarchy

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"

#include <optional>
#include <set>
#include <vector>

namespace tasuki::hierarchy {

/// @return whether one comes before the other in every order of succession
bool precedes(const MemberRow& one, const MemberRow& other);

/// Whom somebody takes for unreachable before the tables say so: former system masters that are gone or
/// silent for it.
using Unreachable = std::set<ProcessorId>;

/// The masters that a view implies; none: nobody of them lives. The table of their order:
/// docs/hierarchy.md, "Who is who".
/// @param unreachable  do not count, whatever the tables say
std::optional<ProcessorId> unitMaster(const ClusterTable& table, UnitId unit,
                                      const Unreachable& unreachable = {});
std::optional<ProcessorId> clusterMaster(const ClusterTable& table,
                                         const Unreachable& unreachable = {});
/// Cluster masters come in the order of the subclusters, that of processor 0 first; those that came
/// back after all others, and after these those that were not there at the start.
std::optional<ProcessorId> systemMaster(const MembershipView& view,
                                        const Unreachable& unreachable = {});

/// @return how many come before a processor in the order of system masters, whether they live or not
std::uint32_t placeInSuccession(const MembershipView& view, ProcessorId processor);

/// One processor's place in the tree.
struct Position {
    bool unitMaster = false;
    bool clusterMaster = false;
    bool systemMaster = false;
    std::optional<ProcessorId> parent; ///< none: the system master
    /// Who beats to it, by number: the rest of its unit, other unit masters, other cluster masters.
    std::vector<ProcessorId> children;
    bool operator==(const Position&) const = default;

    [[nodiscard]] bool master() const { return unitMaster; } ///< of anything
};

/// @param unreachable  do not count, whatever the tables say; without the processor itself
/// @return where a processor stands. One that does not live has no place: no parent, no children
Position positionOf(const MembershipView& view, ProcessorId processor,
                    const Unreachable& unreachable = {});

} // namespace tasuki::hierarchy

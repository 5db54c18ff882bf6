// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "picture.h"

#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// @return whether one comes before the other in every order of succession
bool precedes(const MemberRow& one, const MemberRow& other);

/// The masters that a picture implies; none: nobody of them lives. The tables of their order are in
/// ARCHITECTURE.md.
std::optional<ProcessorId> unitMaster(const ClusterTable& table, UnitId unit);
std::optional<ProcessorId> clusterMaster(const ClusterTable& table);
/// Cluster masters come in the order of the subclusters, that of processor 0 first.
std::optional<ProcessorId> systemMaster(const Picture& picture);

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

/// @return where a processor stands. One that does not live has no place: no parent, no children
Position positionOf(const Picture& picture, ProcessorId processor);

} // namespace tasuki::hierarchy

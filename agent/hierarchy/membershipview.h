// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tasuki::hierarchy {

/// Where a processor stands from the start, or is to stand when it comes.
struct Place {
    SubclusterId subcluster;
    UnitId unit;
    ProcessorKind kind = ProcessorKind::Active;
    std::optional<SeatId> seat = {};
    /// Nobody has the number at the start: a guest may come with it, a standby whatever the kind. Its seat
    /// is vacant until somebody gets it who came after the start.
    bool reserved = false;
};

/// Which states of the tables somebody has.
struct Versions {
    Version system;
    std::vector<Version> clusters; ///< by subcluster
    bool operator==(const Versions&) const = default;
};

/// All tables that a processor knows: the whole configuration. A value; copies share the tables.
class MembershipView {
public:
    MembershipView() = default;
    /// The view of the beginning, alike for all: everybody is Expected, seats are dealt.
    /// @param places  of the processors, by number; in each subcluster one is not reserved, nor is that of
    ///                processor 0
    /// @param seats   kinds of all seats, by number
    /// @param system  its version is taken as the first one
    /// @param rules   by subcluster; those that are missing are as they are by default
    MembershipView(std::span<const Place> places, std::span<const SeatKind> seats,
                   SystemTable system, std::span<const ClusterRules> rules = {});

    /// Takes a table if it is newer than the one that is known and is one of this system: with the
    /// same processors and seats, the same dedicated masters, nobody in two places.
    /// @return whether it is
    bool adopt(ClusterTablePtr table);
    bool adopt(SystemTablePtr table);

    [[nodiscard]] const SystemTable& system() const { return *m_system; }
    [[nodiscard]] const SystemTablePtr& systemPtr() const { return m_system; }
    [[nodiscard]] std::size_t clusterCount() const { return m_clusters.size(); }
    [[nodiscard]] const ClusterTable& cluster(SubclusterId id) const
    {
        return *m_clusters[id.value()];
    }
    [[nodiscard]] const ClusterTablePtr& clusterPtr(SubclusterId id) const
    {
        return m_clusters[id.value()];
    }
    [[nodiscard]] std::size_t processorCount() const { return m_subclusters->size(); }
    [[nodiscard]] bool knows(ProcessorId processor) const
    {
        return processor.value() < processorCount();
    }
    /// Precondition for both: knows().
    [[nodiscard]] SubclusterId subclusterOf(ProcessorId processor) const
    {
        return (*m_subclusters)[processor.value()];
    }
    [[nodiscard]] const MemberRow& member(ProcessorId processor) const
    {
        return *cluster(subclusterOf(processor)).member(processor);
    }
    /// @return the subcluster that a seat belongs to; none: there is no such seat
    [[nodiscard]] std::optional<SubclusterId> subclusterOf(SeatId seat) const;

    /// Equal for equal versions of all tables.
    [[nodiscard]] std::uint64_t digest() const { return m_digest; }
    [[nodiscard]] Versions versions() const;

private:
    SystemTablePtr m_system;
    std::vector<ClusterTablePtr> m_clusters;
    std::shared_ptr<const std::vector<SubclusterId>> m_subclusters; ///< by processor
    std::uint64_t m_digest = 0;
};

} // namespace tasuki::hierarchy

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"
#include "domain/ids.h"
#include "domain/systemwords.h"
#include "topology.h"
#include "topologyreader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What a topology makes of the processors of a launch. The rules are in docs/hierarchy.md, "Who
/// is who".
namespace tasuki::config {

/// Where a processor stands, and what it is there for.
struct PlacedProcessor {
    SubclusterId subcluster;
    UnitId unit;
    ProcessorKind kind = ProcessorKind::Active;
    std::optional<SeatId> seat = {}; ///< none: a standby
    bool operator==(const PlacedProcessor&) const = default;
};

/// Processors of one host and one subcluster that watch each other.
struct LayoutUnit {
    std::string name; ///< the host's, with /1, /2, ... where it has several of this subcluster
    std::string host;
    SubclusterId subcluster;
    std::vector<ProcessorId> processors; ///< by number
    bool operator==(const LayoutUnit&) const = default;
};

struct LayoutSeat {
    SubclusterId subcluster;
    SeatKind kind = SeatKind::Active;
    std::uint32_t index = 0; ///< among those of its kind in its subcluster; of a rank: in its world
    ProcessorId holder;      ///< the first one
    bool operator==(const LayoutSeat&) const = default;
};

struct LayoutSubcluster {
    std::string name;
    Rank firstRank;                      ///< less this, a Rank is one of the subcluster's world
    std::uint32_t ranks = 0;             ///< of its world
    std::vector<UnitId> units;           ///< in the order of their first processors on each host
    std::vector<ProcessorId> processors; ///< by number
    bool operator==(const LayoutSubcluster&) const = default;
};

/// Every vector stands in the order of the numbers of what it holds, from 0.
struct Layout {
    std::vector<PlacedProcessor> processors;
    std::vector<LayoutSubcluster> subclusters;
    std::vector<LayoutUnit> units;
    /// The ranks of all subclusters (SeatId and Rank are the same number), their I/O places, those
    /// of their dedicated masters.
    std::vector<LayoutSeat> seats;
    bool operator==(const Layout&) const = default;

    [[nodiscard]] const PlacedProcessor& of(ProcessorId processor) const
    {
        return processors[processor.value()];
    }
};

struct LayoutReading {
    std::optional<Layout> layout;        ///< none when a diagnostic is an error
    std::vector<Diagnostic> diagnostics; ///< by place; all that is wrong as far as it can be told
};

/// Deals the processors of a launch to subclusters, units and seats.
/// @param topology  has no faults, see topologyFaults()
/// @param hosts     of the processors, by number
/// @param places    of the topology in its file, for diagnostics; may be empty
LayoutReading layOut(const Topology& topology, std::span<const std::string> hosts,
                     const TopologyPlaces& places = {});

/// Who is a master as long as all live.
struct Masters {
    std::vector<ProcessorId> units;    ///< by UnitId
    std::vector<ProcessorId> clusters; ///< by SubclusterId
    ProcessorId system;
};
/// @param layout  has processors
Masters firstMasters(const Layout& layout);

/// @return hosts of the processors of a launch that the topology fits: those of the file, evenly,
///         and "host 1", ... for subclusters without
std::vector<std::string> exampleHosts(const Topology& topology);

} // namespace tasuki::config

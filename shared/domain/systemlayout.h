// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ids.h"
#include "systemwords.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// A subcluster as the topology has it.
struct SubclusterInfo {
    std::string name;
    std::uint32_t active = 0;
    std::uint32_t standby = 0;
    std::uint32_t io = 0;
    std::uint32_t minimum = 0; ///< fewer ranks with a holder than this: it is down
    static void describe(auto& fields, auto& info)
    {
        fields.text("name", info.name);
        fields.number("active", info.active);
        fields.number("standby", info.standby);
        fields.number("io", info.io);
        fields.number("minimum", info.minimum);
    }
    bool operator==(const SubclusterInfo&) const = default;
};

/// Processors that fail together, e.g. those of a host.
struct UnitInfo {
    std::string name;
    std::string host;
    SubclusterId subcluster;
    static void describe(auto& fields, auto& info)
    {
        fields.text("name", info.name);
        fields.text("host", info.host);
        fields.id("subcluster", info.subcluster);
    }
    bool operator==(const UnitInfo&) const = default;
};

struct ProcessorInfo {
    ProcessorId id;
    SubclusterId subcluster;
    UnitId unit;
    ProcessorKind kind = ProcessorKind::Active;
    std::optional<SeatId> seat = {}; ///< that it holds as the layout is written; none: a standby
    std::string host = {};
    std::int64_t pid = 0; ///< 0: not known
    static void describe(auto& fields, auto& info)
    {
        fields.id("id", info.id);
        fields.id("subcluster", info.subcluster);
        fields.id("unit", info.unit);
        fields.word("kind", info.kind, ProcessorKind::Standby, processorKindName);
        fields.idOrNone("seat", info.seat);
        fields.text("host", info.host);
        fields.number("pid", info.pid);
    }
    bool operator==(const ProcessorInfo&) const = default;
};

struct SeatInfo {
    SubclusterId subcluster;
    SeatKind kind = SeatKind::Active;
    std::uint32_t index = 0; ///< among the seats of its kind in the subcluster, from 0
    static void describe(auto& fields, auto& info)
    {
        fields.id("subcluster", info.subcluster);
        fields.word("kind", info.kind, SeatKind::Master, seatKindName);
        fields.number("index", info.index);
    }
    bool operator==(const SeatInfo&) const = default;
};

/// The tree as a whole: written once per epoch after RunOpened, and again when an operator has
/// changed it. The numbers of subclusters, units and seats are their places here. Health, seats and
/// incarnations of what an earlier layout of the epoch has too go on; a seat is the same when its
/// SeatInfo is.
struct SystemLaidOut {
    static constexpr std::string_view kind = "system laid out";
    std::vector<SubclusterInfo> subclusters;
    std::vector<UnitInfo> units;
    std::vector<ProcessorInfo> processors; ///< by ascending id
    std::vector<SeatInfo> seats;           ///< ranks, I/O places, masters
    std::chrono::milliseconds heartbeat{};
    std::uint32_t suspectAfter = 0; ///< heartbeats
    std::uint32_t lostAfter = 0;    ///< heartbeats
    DownPolicy policy = DownPolicy::Continue;
    std::string topologyFile; ///< as given; empty: none was
    std::string topologyText; ///< TOML, for editors
    std::uint64_t topologyRevision = 0;
    static void describe(auto& fields, auto& event)
    {
        fields.list("subclusters", "subcluster", event.subclusters);
        fields.list("units", "unit", event.units);
        fields.list("processors", "processor", event.processors);
        fields.list("seats", "seat", event.seats);
        fields.duration("heartbeat_ms", event.heartbeat);
        fields.number("suspect_after", event.suspectAfter);
        fields.number("lost_after", event.lostAfter);
        fields.word("policy", event.policy, DownPolicy::Stop, downPolicyName);
        fields.text("topology_file", event.topologyFile);
        fields.text("topology", event.topologyText);
        fields.number("topology_revision", event.topologyRevision);
    }
    bool operator==(const SystemLaidOut&) const = default;
};

} // namespace tasuki

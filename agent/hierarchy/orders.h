// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables.h"

#include <cstdint>
#include <variant>
#include <vector>

/// What operators want of the system: docs/hierarchy.md, "Orders".
namespace tasuki::hierarchy {

/// No seat and no new work for a processor, or some again. What it holds it keeps.
struct DrainOrder {
    ProcessorId processor;
    bool drained = true;
    bool operator==(const DrainOrder&) const = default;
};

/// To the front of every order of succession of its subcluster. The system master stays before it.
struct PromoteOrder {
    ProcessorId processor;
    bool operator==(const PromoteOrder&) const = default;
};

/// Another part for a processor: a standby lets go of its seat, a standby that becomes something
/// else gets a vacant one.
struct KindOrder {
    ProcessorId processor;
    ProcessorKind kind = ProcessorKind::Standby;
    bool operator==(const KindOrder&) const = default;
};

/// Another minimum and intensity for a subcluster.
struct RulesOrder {
    SubclusterId subcluster;
    ClusterRules rules;
    bool operator==(const RulesOrder&) const = default;
};

/// A processor is to end: it is killed, and a standby takes its seat.
struct StopOrder {
    ProcessorId processor;
    bool operator==(const StopOrder&) const = default;
};

/// What the writer of a cluster configuration table carries out.
using TableOrder = std::variant<DrainOrder, PromoteOrder, KindOrder, RulesOrder>;
using Order = std::variant<DrainOrder, PromoteOrder, KindOrder, RulesOrder, StopOrder>;

/// One order, as it travels: carried out once, however often it comes.
struct NumberedOrder {
    std::uint64_t number = 0; ///< from 1, rising with each order of who gives it
    TableOrder wanted;
    bool operator==(const NumberedOrder&) const = default;
};

} // namespace tasuki::hierarchy

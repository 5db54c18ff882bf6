// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/layout.h"
#include "config/topology.h"
#include "domain/diagnostic.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// What the processors of a launch are there for: the same for all of them.
struct SystemPlan {
    config::Topology topology;
    config::Layout layout;
    std::vector<std::string> hosts; ///< of the processors, by number
    std::string topologyFile;       ///< as given; empty: there is none
};

/// What is asked for when there is no topology file, besides what defaultTopology() says.
struct PlainSystem {
    bool dedicatedMaster = false;
    std::optional<std::chrono::milliseconds> lostAfter = {}; ///< silence; none: the usual one
};

struct SystemPlanning {
    std::optional<SystemPlan> plan; ///< none when a diagnostic is an error
    std::vector<Diagnostic> diagnostics;
};

/// Deals the processors of a launch as a topology file says, or without one.
/// @param hosts  of the processors, by number
SystemPlanning planSystem(const std::string& topologyFile, std::vector<std::string> hosts);
SystemPlanning planSystem(const PlainSystem& plain, std::vector<std::string> hosts);
/// The same from a topology that was read before, e.g. by another processor.
/// @param text  what a topology file holds
SystemPlanning planSystemText(const std::string& text, const std::string& topologyFile,
                              std::vector<std::string> hosts);

/// @return how many processors with a rank stand on a processor's host, and how many of them come
///         before it; for a processor without a rank as if it came last of all
struct HostShare {
    std::size_t ranks = 0; ///< at least 1
    std::size_t index = 0;
};
HostShare hostShare(const SystemPlan& plan, ProcessorId processor);

} // namespace tasuki

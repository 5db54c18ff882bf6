// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "findings.h"
#include "linkfit.h"
#include "plan/environment.h"

#include <optional>
#include <string>
#include <vector>

namespace tasuki::probe {

/// One node's speed.
struct NodeFigures {
    std::string name;
    std::size_t ranks = 0;
    Figure workUs; ///< median of its ranks' times for the same work
    Figure speed;  ///< relative to the reference; the interval has that of the reference in it
    /// What its network card takes for a byte; 0: it limits nothing.
    double egressUsPerByte = 0.0;
    double ingressUsPerByte = 0.0;
    bool reference = false; ///< its speed is 1 by definition
};

/// What measurements come to.
struct Assessment {
    std::vector<NodeFigures> nodes;
    std::vector<FittedLink> links;
    plan::Environment environment;
    std::vector<std::string> warnings; ///< where a figure should not be trusted, and what helps
};

/// The timing of each size: the median of the rounds' means, so that a disturbance of one round
/// changes nothing.
std::vector<Timing> timingsOf(const LinkRecord& record);
/// @return the same links with what was fitted to their timings
std::vector<FittedLink> fitLinks(const std::vector<LinkRecord>& records);

/// Makes an environment of measurements. Nodes have as many slots as ranks. Links that were not
/// measured get the median of those that were.
/// @param reference  the node of speed 1; none: the fastest one. Precondition: it is there
/// Precondition: every node has times for its work; every link has three sizes or more.
Assessment assess(const Findings& findings, const std::optional<std::string>& reference);

} // namespace tasuki::probe

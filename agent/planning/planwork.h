// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plancontent.h"
#include "wire/linkmessages.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace tasuki::planning {

/// How a plan is searched for a window.
struct PlanPace {
    std::uint32_t threads = 1;
    /// Nodes of all best allocations that are told: long ones are told fewer.
    std::size_t keptNodes = std::size_t{4} * 1024 * 1024;
    std::chrono::milliseconds progress{100}; ///< between words on how far it is
    std::chrono::milliseconds partial{1000}; ///< between results so far
};

/// Receives what a window is told meanwhile; may be called from another thread.
using PlanTeller = std::function<void(std::vector<link::AgentMessage>)>;

/// Reads the two files, compiles the trace and tries all allocations. Takes as long as that takes; the
/// compiling alone does not look at `stop`.
/// @param content  complete
/// @param tell     of progress and of what has been found so far: each may be lost
/// @return what a window is told last: what was found, and PlanEnded
std::vector<link::AgentMessage> workOutPlan(const link::PlanRequest& request,
                                            const PlanContent& content, const PlanPace& pace,
                                            const std::stop_token& stop, const PlanTeller& tell);

} // namespace tasuki::planning

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "environment.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace tasuki::plan {

/// On which node each task runs: [task].
using Allocation = std::vector<Node>;

/// @return the names of the nodes in the order of the tasks: "grid00,grid02,grid01"
std::string allocationText(const Environment& environment, const Allocation& allocation);

} // namespace tasuki::plan

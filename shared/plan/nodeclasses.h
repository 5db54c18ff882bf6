// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "environment.h"

#include <cstdint>
#include <vector>

namespace tasuki::plan {

/// Nodes that can take each other's place: same speed, slots and cards, and swapping the two changes
/// no link.
/// @return the class of each node, classes being numbered in the order of their first nodes; [node]
std::vector<std::uint32_t> nodeClasses(const Environment& environment);

} // namespace tasuki::plan

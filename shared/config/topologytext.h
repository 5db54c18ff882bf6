// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"
#include "topology.h"

#include <cstdint>
#include <string>

namespace tasuki::config {

/// What trees are drawn with: box lines of UTF-8, or what every terminal shows.
enum class LineStyle : std::uint8_t { Box, Ascii };

/// @return what a topology says, as lines for people: the system, then a line for each subcluster
std::string topologySummary(const Topology& topology);

/// @return the tree system, subclusters, units, processors as a table in lines: of each processor
///         its number, kind, rank in its world, host, and what it is master of as long as all live.
///         Hosts are counted as wide as they have characters.
std::string drawLayout(const Layout& layout, LineStyle style);

} // namespace tasuki::config

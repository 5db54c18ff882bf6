// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourcetree.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tasuki::architecture {

/// Classes whose functions are defined in more than one .cpp file of a folder of shared, agent or
/// gui. A nested class counts for the one around it.
/// @return "folder Class" of each, e.g. "agent/farm Master"
std::set<std::string> spreadClasses(const std::filesystem::path& root);

/// Holds the tree against a list of such classes, which must be exact: rule "spread" for a class
/// that is not in the list, "spread-mended" for one that is and is not spread any more.
std::vector<Violation> checkSpread(const std::filesystem::path& root,
                                   const std::set<std::string>& known);

} // namespace tasuki::architecture

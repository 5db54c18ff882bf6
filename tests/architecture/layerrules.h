// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourcetree.h"

#include <filesystem>
#include <vector>

namespace tasuki::architecture {

/// Holds all checked files against the rules for includes, the licence line, length and left-over
/// marks. The rules stand as tables at the top of layerrules.cpp.
/// @return all violations, in the order of files and lines
std::vector<Violation> checkTree(const std::filesystem::path& root);

} // namespace tasuki::architecture

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace tasuki::architecture {

/// Classes whose functions are defined in more than one .cpp file of a folder of shared, agent or
/// gui. A nested class counts for the one around it.
/// @return "folder Class" of each, e.g. "agent/farm Master"
std::set<std::string> spreadClasses(const std::filesystem::path& root);

} // namespace tasuki::architecture

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tasuki::membership {

/// Makes one log of those that processors of one host have written, each its own: by the time of that host, and
/// each dies after what it has said last.
/// @param files  of one launch
/// @return the log; empty: nobody has written a head
std::string mergedLog(const std::vector<std::filesystem::path>& files);

} // namespace tasuki::membership

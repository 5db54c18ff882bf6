// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "options.h"

#include <filesystem>

namespace tasuki::testing {

/// Each prints what it does and finds. @param place  a directory for its runs
/// @return whether nothing was wrong
bool runRounds(const ChaosOptions& options, const std::filesystem::path& place);
bool runKills(const ChaosOptions& options, const std::filesystem::path& place);
bool runMasters(const ChaosOptions& options, const std::filesystem::path& place);
bool runLoaded(const ChaosOptions& options, const std::filesystem::path& place);
bool runConnections(const ChaosOptions& options, const std::filesystem::path& place);
bool runTimes(const ChaosOptions& options, const std::filesystem::path& place);

} // namespace tasuki::testing

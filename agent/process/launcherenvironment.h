// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace tasuki {

/// A kind of environment variable that MPI launchers set for the ranks that they start.
struct LauncherVariable {
    std::string_view name;   ///< the whole name, or how it begins
    bool prefix;             ///< name is only the beginning
    bool users;              ///< an exception from a more general row: only people set it
    std::string_view reason; ///< in one line, for documentation
};

/// The rules, the more special ones first.
std::span<const LauncherVariable> launcherVariables();

/// @param name  of an environment variable, without '=' and value
/// @return whether launchers set it: then a task gets what the user has set instead, if anything
bool isLauncherVariable(std::string_view name);

} // namespace tasuki
